//! One sector of a solution, and iteration over its positions.

use std::sync::Arc;

use nerode_games::morris::Rules;
use nerode_games::{Position, Side, Value};

use super::tables::StoredSectors;
use crate::ranked::SectorDraws;
use crate::tables::{SectorTable, value_of};
use nerode_solver::error::{Error, Result};
use nerode_solver::outcome::Evaluation;
use nerode_solver::stored::Stored;

/// One sector of a solution: all its positions up to symmetry, with their values. P1 is to move.
#[derive(Debug)]
pub struct Sector<'a> {
    rules: &'a Rules,
    table: Arc<SectorTable>,
    draws: Option<SectorDraws>,
}

impl Sector<'_> {
    /// Returns an iterator over the positions and their evaluations, with one position of each class of symmetric
    /// ones.
    pub fn positions(&self) -> impl Iterator<Item = (Position, Evaluation)> + '_ {
        let index = &self.table.index;
        (0..index.num_slots()).filter(|&slot| index.hole(slot).is_none()).map(|slot| {
            let board = self.rules.board_of(self.table.state(slot), Side::P1);
            let depth = self.table.depth_at(slot);
            let evaluation = Evaluation::of_plies((value_of(depth), depth));
            (Position { board, side: Side::P1 }, self.ranked(evaluation, slot))
        })
    }

    /// Adds the rank to an evaluation that is a draw with a rank.
    fn ranked(&self, evaluation: Evaluation, slot: u64) -> Evaluation {
        let is_draw = evaluation.value() == Some(Value::Draw);
        evaluation.with_draw(self.draws.as_ref().filter(|_| is_draw).map(|draws| draws.at(slot)))
    }
}

impl Sector<'_> {
    /// Opens a sector of a solution, which is read once.
    ///
    /// # Errors
    /// Returns [`Error::Mismatch`] for a solution without tables of sectors, [`Error::MissingSector`], or an error
    /// for damaged files.
    pub fn open<'a>(solution: &'a dyn Stored, name: &str) -> Result<Sector<'a>> {
        let Some(stored) = solution.downcast_ref::<StoredSectors>() else {
            return Err(Error::Mismatch {
                what: "the solution".into(),
                found: format!("one of {}, without tables of sectors", solution.game().spec()),
                expected: "a directory of solved sectors".into(),
            });
        };
        let name = name.parse()?;
        let draws = stored.ranks().map(|ranks| ranks.of_sector(name)).transpose()?.flatten();
        let tables = stored.tables();
        Ok(Sector { rules: &tables.rules, table: tables.table(name)?, draws })
    }
}
