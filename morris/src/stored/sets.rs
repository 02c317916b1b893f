//! Sectors as sets.

use std::sync::Arc;

use nerode_games::{Game, Position};
use nerode_solver::archive::Contents;
use nerode_solver::error::Result;
use nerode_solver::outcome::Evaluation;
use nerode_solver::stored::{Coverage, Stored};

use super::sample;
use crate::sets::SectorSetsSolution;

impl Stored for SectorSetsSolution {
    fn shared_game(&self) -> &Arc<dyn Game> {
        &self.game
    }

    fn form(&self) -> String {
        Contents::SectorSets.to_string()
    }

    fn coverage(&self) -> Coverage {
        Coverage::Sectors
    }

    fn look_up(&self, Position { board, side }: &Position) -> Result<Evaluation> {
        Ok(Evaluation::of(self.get(board, *side)?))
    }

    fn sectors(&self) -> Result<Vec<String>> {
        Ok(Self::sectors(self).iter().map(ToString::to_string).collect())
    }

    fn missing_sector(&self, Position { board, side }: &Position) -> Result<Option<String>> {
        Ok(self.get(board, *side)?.is_none().then(|| self.sector_of(board, *side).to_string()))
    }

    fn sample(&self, n: usize, seed: u64) -> Result<Vec<Position>> {
        Ok(sample::of_sectors(self.rules(), &Self::sectors(self), n, seed))
    }

    fn sample_in(&self, sector: &str, n: usize, seed: u64) -> Result<Option<Vec<Position>>> {
        Ok(sample::in_sector(self.rules(), &Self::sectors(self), sector, n, seed))
    }
}
