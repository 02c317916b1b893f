//! Conversion of a spec such as `othello:4x4,margin=-8` to the board and its scoring, and back.

use crate::error::Result;
use crate::grid::Grid;
use crate::notation::counted;
use crate::spec::{Spec, digits};

/// The largest number of cells: 3^80 is the last power of 3 for which all counts fit into 128 bits.
const MOST_CELLS: usize = 80;
const SHORTEST_EDGE: usize = 3;
const EMPTIES: [(&str, bool); 2] = [("nobody", false), ("winner", true)];

/// The scoring of a finished game. It contains only the options, because each description computes scores independently.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scoring {
    /// The lead in discs from which black wins; with less, black loses. `None` means that the side with more discs wins.
    pub(super) margin: Option<i32>,
    /// Whether empty cells count for the side with more discs.
    pub(super) empties_to_winner: bool,
}

/// Returns the board and the scoring of a spec.
pub(super) fn read(spec: &Spec<'_>) -> Result<(Grid, Scoring)> {
    let edge = SHORTEST_EDGE..=MOST_CELLS / SHORTEST_EDGE;
    let [width, height] = spec.numbers([("width", edge.clone()), ("height", edge)])?;
    if width * height > MOST_CELLS {
        return Err(spec.error(format!("{} cells, but at most {MOST_CELLS} are possible", width * height)));
    }
    spec.only_options(&["margin", "empties"])?;
    let empties_to_winner = spec.word_option("empties", false, &EMPTIES)?;
    // There are at most 80 cells.
    let margin = margin(spec, (width * height) as i32)?;
    Ok((Grid::new(width, height), Scoring { margin, empties_to_winner }))
}

/// Reads option `margin`, a number that some final scores reach and others do not.
fn margin(spec: &Spec<'_>, cells: i32) -> Result<Option<i32>> {
    let Some(text) = spec.option("margin") else { return Ok(None) };
    let (sign, number) = text.strip_prefix('-').map_or((1, text), |number| (-1, number));
    let number =
        digits(number).ok_or_else(|| spec.error(format!("margin is '{text}', not a whole number")))?;
    let margin = i32::try_from(number).map(|number| sign * number).ok();
    match margin.filter(|margin| (1 - cells..=cells).contains(margin)) {
        Some(margin) => Ok(Some(margin)),
        None => Err(spec.error(format!("margin is {text}, not between {} and {cells}", 1 - cells))),
    }
}

impl Scoring {
    /// Returns every option by name.
    pub(super) fn options(self) -> Vec<(&'static str, String)> {
        let margin = self.margin.map_or_else(|| "none".to_string(), |margin| margin.to_string());
        let empties = EMPTIES.iter().find(|(_, winner)| *winner == self.empties_to_winner);
        vec![("margin", margin), ("empties", empties.map_or("", |(name, _)| name).to_string())]
    }

    /// Returns the part of the spec that follows the dimensions of the board.
    pub(super) fn differences(self) -> String {
        let margin = self.margin.map_or_else(String::new, |margin| format!(",margin={margin}"));
        margin + if self.empties_to_winner { ",empties=winner" } else { "" }
    }

    /// Describes the scoring in words.
    pub(super) fn in_words(self) -> String {
        let empties = if self.empties_to_winner {
            "count for the side with more discs"
        } else {
            "count for neither side"
        };
        let discs = |number: i32| counted(number.unsigned_abs() as usize, "disc");
        let value = match self.margin {
            None => "The side with more discs wins, and equal numbers are a draw".to_string(),
            Some(0) => "Black wins with at least as many discs as white, and loses otherwise".to_string(),
            Some(margin) if margin > 0 => {
                format!("Black wins when ahead by {} or more, and loses otherwise", discs(margin))
            }
            Some(margin) => {
                format!("Black loses when behind by {} or more, and wins otherwise", discs(1 - margin))
            }
        };
        format!("Empty cells {empties}. {value}.")
    }
}
