//! Sectors as tables, with what is stored beside them.

use std::path::Path;
use std::sync::Arc;

use nerode_games::{Game, Position, Value};
use nerode_solver::archive::Contents;
use nerode_solver::error::{Error, Result};
use nerode_solver::outcome::{Evaluation, ValueRange};
use nerode_solver::stored::{Coverage, Stored};

use super::lookup::{covered, missing};
use super::sample;
use crate::early::EarlyBounds;
use crate::ranked::RankedSectors;
use crate::tables::{Sector, SectorSolution};

/// Sectors as tables, with the ranks of draws and the ranges of values of early positions that are stored with them.
#[derive(Debug)]
pub struct StoredSectors {
    tables: SectorSolution,
    ranks: Option<RankedSectors>,
    early: Option<EarlyBounds>,
    /// Why the ranges are not used, if they exist and cannot be opened.
    early_problem: Option<String>,
}

impl StoredSectors {
    /// Opens the sectors in a directory.
    ///
    /// # Errors
    /// Returns the errors of [`SectorSolution::open`] and [`RankedSectors::of`], and
    /// [`Error::WrongRules`] if the ranges belong to other rules. Damaged ranges are not used, and [`Stored::warning`] says so.
    pub fn open(path: &Path) -> Result<Self> {
        let tables = SectorSolution::open(path)?;
        let ranks = RankedSectors::of(&tables)?;
        let (early, early_problem) = match EarlyBounds::of(&tables) {
            Ok(early) => (early, None),
            Err(error @ Error::WrongRules { .. }) => return Err(error),
            Err(error) => (None, Some(error.to_string())),
        };
        Ok(Self { tables, ranks, early, early_problem })
    }

    /// Returns the tables.
    pub fn tables(&self) -> &SectorSolution {
        &self.tables
    }

    /// Returns the ranks of draws, if draws are ranked.
    pub fn ranks(&self) -> Option<&RankedSectors> {
        self.ranks.as_ref()
    }

    /// Returns the ranges of values of early positions, if there are any.
    pub fn early_bounds(&self) -> Option<&EarlyBounds> {
        self.early.as_ref()
    }

    fn stored(&self) -> Result<Vec<Sector>> {
        Ok(self.tables.dir.sectors()?.into_iter().map(|file| file.sector).collect())
    }

    /// Adds its rank to a position that the sectors evaluate as a draw. The rank is `None` if the position has none.
    fn ranked(&self, evaluation: Evaluation, Position { board, side }: &Position) -> Result<Evaluation> {
        match &self.ranks {
            Some(ranks) if evaluation.value() == Some(Value::Draw) => {
                Ok(evaluation.with_draw(ranks.draw(self.tables.rules.state_of(board, *side))?))
            }
            _ => Ok(evaluation),
        }
    }
}

impl Stored for StoredSectors {
    fn shared_game(&self) -> &Arc<dyn Game> {
        &self.tables.game
    }

    fn form(&self) -> String {
        Contents::Sectors.to_string()
    }

    fn coverage(&self) -> Coverage {
        Coverage::Sectors
    }

    fn look_up(&self, position: &Position) -> Result<Evaluation> {
        let evaluation = covered(self.tables.get_board(&position.board, position.side))?;
        self.ranked(evaluation, position)
    }

    fn stored_range(&self, Position { board, side }: &Position) -> Result<ValueRange> {
        let Some(early) = &self.early else { return Ok(ValueRange::UNKNOWN) };
        let stored = early.find(self.tables.rules.state_of(board, *side), self.tables.maker());
        Ok(stored.map_or(ValueRange::UNKNOWN, |stored| stored.range))
    }

    fn ranks_draws(&self) -> bool {
        self.ranks.is_some()
    }

    fn sector_value(&self, Position { board, side }: &Position) -> Option<i32> {
        self.ranks.as_ref()?.value_of(self.tables.rules.state_of(board, *side))
    }

    fn sectors(&self) -> Result<Vec<String>> {
        Ok(self.stored()?.iter().map(ToString::to_string).collect())
    }

    fn missing_sector(&self, Position { board, side }: &Position) -> Result<Option<String>> {
        missing(self.tables.get_board(board, *side))
    }

    fn sample(&self, n: usize, seed: u64) -> Result<Vec<Position>> {
        Ok(sample::of_sectors(&self.tables.rules, &self.stored()?, n, seed))
    }

    fn sample_in(&self, sector: &str, n: usize, seed: u64) -> Result<Option<Vec<Position>>> {
        Ok(sample::in_sector(&self.tables.rules, &self.stored()?, sector, n, seed))
    }

    fn warning(&self) -> Option<String> {
        let problem = self.early_problem.as_deref().or_else(|| self.early.as_ref()?.problem())?;
        Some(format!("{problem}; answered without bounds of early positions"))
    }

    fn limit_memory(&mut self, memory: u64) {
        // A slot takes four bytes of ranks, and one or two bytes of depths.
        let of_tables = if self.ranks.is_some() { memory / 3 } else { memory };
        self.tables.limit_memory(of_tables);
        if let Some(ranks) = &mut self.ranks {
            ranks.limit_memory(memory - of_tables);
        }
    }
}
