//! Conversion of a spec such as `connect:7x6,encoding=columns` to the board and its encoding, and back.

use crate::error::Result;
use crate::grid::Grid;
use crate::spec::Spec;

const MOST_CELLS: usize = 64;
/// The largest number of bits: 2^127 is the last power of 2 for which all counts fit into 128 bits.
const MOST_BITS: usize = 127;
const USUAL_ROW: usize = 4;

/// The encoding of a board as a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// One of three letters for each cell.
    Cells,
    /// One bit for each cell, and one additional bit for each column.
    Columns,
}

const ENCODINGS: [(&str, Encoding); 2] = [("cells", Encoding::Cells), ("columns", Encoding::Columns)];
const USUAL_ENCODING: Encoding = Encoding::Cells;

/// The contents of a spec.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    /// The squares of the board.
    pub(super) squares: Grid,
    /// The number of stones in a row that wins.
    pub(super) row: usize,
    pub(super) encoding: Encoding,
}

/// Reads the parameters and options of a spec.
pub(super) fn read(spec: &Spec<'_>) -> Result<Options> {
    let [width, height] = spec.numbers([("width", 1..=MOST_CELLS), ("height", 1..=MOST_CELLS)])?;
    if width * height > MOST_CELLS {
        return Err(spec.error(format!("{} cells, but at most {MOST_CELLS} are possible", width * height)));
    }
    spec.only_options(&["row", "encoding"])?;
    let row = spec.number_option("row", USUAL_ROW, 1..=MOST_CELLS)?;
    let encoding = spec.word_option("encoding", USUAL_ENCODING, &ENCODINGS)?;
    let bits = width * (height + 1);
    if encoding == Encoding::Columns && bits > MOST_BITS {
        return Err(
            spec.error(format!("{bits} bits with encoding=columns, but at most {MOST_BITS} are possible"))
        );
    }
    Ok(Options { squares: Grid::new(width, height), row, encoding })
}

impl Options {
    /// Returns the number of cells of a column: its squares, or its bits including that of the marker.
    pub(super) fn levels(&self) -> usize {
        self.squares.height() + usize::from(self.encoding == Encoding::Columns)
    }

    /// Returns the cell of a level of a column, where level 0 is the lowest. Bits are numbered from the top, so that
    /// the most significant digit that a move changes is that of the new marker.
    pub(super) fn cell(&self, file: usize, level: usize) -> usize {
        let rank = match self.encoding {
            Encoding::Cells => level,
            Encoding::Columns => self.squares.height() - level,
        };
        rank * self.squares.width() + file
    }

    /// Returns the canonical spec, which lists only values that differ from the defaults.
    pub(super) fn spec(&self) -> String {
        let mut text = format!("connect:{}x{}", self.squares.width(), self.squares.height());
        if self.row != USUAL_ROW {
            text += &format!(",row={}", self.row);
        }
        if self.encoding != USUAL_ENCODING {
            text += &format!(",encoding={}", self.encoding_name());
        }
        text
    }

    /// Returns every option by name.
    pub(super) fn named(&self) -> Vec<(&'static str, String)> {
        vec![
            ("width", self.squares.width().to_string()),
            ("height", self.squares.height().to_string()),
            ("row", self.row.to_string()),
            ("encoding", self.encoding_name().to_string()),
        ]
    }

    fn encoding_name(&self) -> &'static str {
        ENCODINGS.iter().find(|(_, known)| *known == self.encoding).map_or("", |(name, _)| name)
    }
}
