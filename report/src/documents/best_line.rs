//! Best play from a position.

use nerode_games::Position;
use serde::Serialize;

use super::SCHEMA_VERSION;
use crate::line::{LineEnd, leads_on, line_end};
use crate::lines::{Known, MoveLine};
use nerode_solver::error::Result;
use nerode_solver::stored::{Reply, Stored};

/// The maximum number of moves of a line.
const MOVES: usize = 2000;

/// Best play from a position.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Line {
    schema_version: u32,
    game: String,
    #[serde(flatten)]
    known: Known,
    /// The best move in each position. `category` and `dtw` are from the point of view of the side that moves next.
    line: Vec<MoveLine>,
    end: LineEnd,
    /// The final position.
    last: String,
}

impl Line {
    /// Describes best play from a position, as long as `goes_on` returns `true`. Returns `None` if no winning move can be
    /// chosen, because the solution has no depths.
    ///
    /// # Errors
    /// Returns the errors of queries.
    pub fn new(
        solution: &dyn Stored,
        position: &Position,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<Option<Self>> {
        let game = solution.game();
        if !leads_on(game, position, &solution.look_up(position)?) {
            return Ok(None);
        }
        let found = solution.evaluate(position)?;
        let moves =
            solution.best_line_while(position, &|so_far: &[Reply]| so_far.len() < MOVES && goes_on())?;
        let last = moves.last().map_or(position, Reply::position);
        Ok(Some(Self {
            schema_version: SCHEMA_VERSION,
            game: game.spec(),
            known: Known::new(game, position, &found),
            line: moves.iter().map(|reply| MoveLine::new(game, reply)).collect(),
            end: line_end(game, position, &moves),
            last: game.format_position(last),
        }))
    }
}
