//! Look-up of one position in a solution of any format.

use nerode_games::{Position, Value};

use super::found::Found;
use super::solution::{Solution, Source};
use nerode_morris::tables::SectorSolution;
use nerode_solver::error::{Error, Result};

impl Solution {
    /// Returns the value of the sector that contains a position, if draws are ranked.
    pub(super) fn sector_value(&self, Position { board, side }: &Position) -> Option<i32> {
        let Source::Sectors(sectors) = &self.source else { return None };
        self.ranks()?.value_of(sectors.rules.state_of(board, *side))
    }

    /// Adds its rank to a position that the sectors evaluate as a draw. The rank is `None` if the position has none.
    fn ranked(&self, found: Found, sectors: &SectorSolution, position: &Position) -> Result<Found> {
        let Some(ranks) = self.ranks().filter(|_| found.value == Some(Value::Draw)) else {
            return Ok(found);
        };
        let draw = ranks.draw(sectors.rules.state_of(&position.board, position.side))?;
        Ok(Found { draw, ..found })
    }

    /// Looks up the evaluation of a position, without its moves.
    pub(crate) fn look_up(&self, position: &Position) -> Result<Found> {
        let Position { board, side } = position;
        match &self.source {
            Source::Run(run) => Ok(Found::of(run.look_up(board, *side)?)),
            Source::Values(values) => Ok(Found::of(values.get(&values.game.word_of(board), *side)?)),
            Source::Sectors(sectors) => {
                self.ranked(covered(sectors.get_board(board, *side))?, sectors, position)
            }
            Source::Scores(scores) => Ok(Found::of_score(scores.get(board, *side)?, *side)),
            Source::SectorSets(sets) => Ok(Found::of(sets.get(board, *side)?)),
            Source::Table(table) => Ok(Found::of(Some(table.get(board, *side)?))),
            Source::Packed(packed) => covered(packed.get_board(board, *side)),
        }
    }

    /// Returns the sector of a morris game that is needed to answer the position but is missing. Returns `None` for a
    /// position that is covered, and for solutions without sectors.
    ///
    /// # Errors
    /// Returns the same errors as [`Solution::query`].
    #[cfg(feature = "cli")]
    pub(crate) fn missing_sector(&self, Position { board, side }: &Position) -> Result<Option<String>> {
        match &self.source {
            Source::Sectors(sectors) => missing(sectors.get_board(board, *side)),
            Source::Packed(packed) => missing(packed.get_board(board, *side)),
            Source::SectorSets(sets) if sets.get(board, *side)?.is_none() => {
                Ok(Some(sets.sector_of(board, *side).to_string()))
            }
            _ => Ok(None),
        }
    }
}

/// Converts a look-up in sectors. A missing sector means that the position is not covered.
fn covered(found: Result<(Value, Option<u16>)>) -> Result<Found> {
    match found {
        Ok(known) => Ok(Found::of_plies(known)),
        Err(Error::MissingSector { .. }) => Ok(Found::of(None)),
        Err(other) => Err(other),
    }
}

/// Returns the sector that a failed look-up reports as missing.
#[cfg(feature = "cli")]
fn missing<T>(found: Result<T>) -> Result<Option<String>> {
    match found {
        Ok(_) => Ok(None),
        Err(Error::MissingSector { sector, .. }) => Ok(Some(sector)),
        Err(other) => Err(other),
    }
}
