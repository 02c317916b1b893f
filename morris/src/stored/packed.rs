//! Packed sectors.

use std::sync::Arc;

use nerode_games::{Game, Position};
use nerode_solver::archive::Contents;
use nerode_solver::error::Result;
use nerode_solver::outcome::Evaluation;
use nerode_solver::stored::{Coverage, DepthSource, Stored};

use super::lookup::{covered, missing};
#[cfg(feature = "solve")]
use super::sample;
use crate::compressed::PackedSectors;
#[cfg(feature = "solve")]
use crate::tables::Sector;

impl Stored for PackedSectors {
    fn shared_game(&self) -> &Arc<dyn Game> {
        &self.game
    }

    fn form(&self) -> String {
        Contents::PackedSectors.to_string()
    }

    fn look_up(&self, Position { board, side }: &Position) -> Result<Evaluation> {
        covered(self.get_board(board, *side))
    }

    fn coverage(&self) -> Coverage {
        Coverage::Sectors
    }

    fn depth_source(&self) -> DepthSource {
        if Self::has_depths(self) { DepthSource::Stored } else { DepthSource::Absent }
    }

    fn sectors(&self) -> Result<Vec<String>> {
        Ok(Self::sectors(self).map(|(name, _)| name.to_string()).collect())
    }

    fn missing_sector(&self, Position { board, side }: &Position) -> Result<Option<String>> {
        missing(self.get_board(board, *side))
    }

    #[cfg(feature = "solve")]
    fn sample(&self, n: usize, seed: u64) -> Result<Vec<Position>> {
        Ok(sample::of_sectors(self.rules(), &stored(self)?, n, seed))
    }

    #[cfg(feature = "solve")]
    fn sample_in(&self, sector: &str, n: usize, seed: u64) -> Result<Option<Vec<Position>>> {
        Ok(sample::in_sector(self.rules(), &stored(self)?, sector, n, seed))
    }
}

/// Returns the sectors of a packed database, which lists them by name.
#[cfg(feature = "solve")]
fn stored(packed: &PackedSectors) -> Result<Vec<Sector>> {
    packed.sectors().map(|(name, _)| name.parse()).collect()
}
