//! From a spec such as `othello:4x4,margin=-8` to the board and what counts at its end, and back.

use crate::error::Result;
use crate::grid::Grid;
use crate::spec::{Spec, digits};

/// 3^80 is the last power of 3 with which all counts fit 128 bits.
const MOST_CELLS: usize = 80;
const SHORTEST_EDGE: usize = 3;
const EMPTIES: [(&str, bool); 2] = [("nobody", false), ("winner", true)];

/// What counts when the game is over. Only the options: each description counts by itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scoring {
    /// Black wins when ahead by this many discs or more, and loses otherwise. `None`: most discs win.
    pub(super) margin: Option<i32>,
    /// Whether cells left empty count for the side with more discs.
    pub(super) empties_to_winner: bool,
}

/// The board and the scoring that a spec names.
pub(super) fn read(spec: &Spec<'_>) -> Result<(Grid, Scoring)> {
    let edge = SHORTEST_EDGE..=MOST_CELLS / SHORTEST_EDGE;
    let [width, height] = spec.numbers([("width", edge.clone()), ("height", edge)])?;
    if width * height > MOST_CELLS {
        return Err(spec.error(format!("{} cells, at most {MOST_CELLS} are possible", width * height)));
    }
    spec.only_options(&["margin", "empties"])?;
    let empties_to_winner = spec.word_option("empties", false, &EMPTIES)?;
    // At most 80 cells.
    let margin = margin(spec, (width * height) as i32)?;
    Ok((Grid::new(width, height), Scoring { margin, empties_to_winner }))
}

/// Option `margin`: a number that some final score reaches and another does not.
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
    /// Every option by name.
    pub(super) fn options(self) -> Vec<(&'static str, String)> {
        let margin = self.margin.map_or_else(|| "none".to_string(), |margin| margin.to_string());
        let empties = EMPTIES.iter().find(|(_, winner)| *winner == self.empties_to_winner);
        vec![("margin", margin), ("empties", empties.map_or("", |(name, _)| name).to_string())]
    }

    /// What the spec adds to the measures of the board.
    pub(super) fn differences(self) -> String {
        let margin = self.margin.map_or_else(String::new, |margin| format!(",margin={margin}"));
        margin + if self.empties_to_winner { ",empties=winner" } else { "" }
    }

    /// What counts, in words.
    pub(super) fn in_words(self) -> String {
        let empties = if self.empties_to_winner {
            "are added to those of the side with more"
        } else {
            "count for nobody"
        };
        let value = match self.margin {
            None => "Most discs win, as many are a draw".to_string(),
            Some(0) => "Black wins with as many discs as white or more, and loses with fewer".to_string(),
            Some(margin) if margin > 0 => {
                format!("Black wins when ahead by {margin} discs or more, and loses otherwise")
            }
            Some(margin) => {
                format!("Black loses when behind by {} discs or more, and wins otherwise", 1 - margin)
            }
        };
        format!("Cells left empty {empties}. {value}.")
    }
}
