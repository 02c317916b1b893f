//! Sectors as sets.

use std::sync::Arc;

use nerode_dfa::Letter;
use nerode_games::{Game, Position, Side};
use nerode_solver::archive::Contents;
use nerode_solver::error::Result;
use nerode_solver::outcome::Evaluation;
use nerode_solver::stored::{Automaton, Coverage, Holds, ListedAutomaton, Stored};

use super::sample;
use crate::sets::{SectorSetsSolution, SectorSummary, value_at};

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

    fn automata(&self) -> Result<Vec<ListedAutomaton>> {
        let of = |summary: SectorSummary| {
            let sector = summary.sector();
            (0u32..).zip(summary.by_depth).map(move |(depth, set)| ListedAutomaton {
                name: format!("{sector}-{depth:03}"),
                holds: Holds::Exactly(value_at(depth)),
                side: Side::P1,
                ply: depth,
                sector: Some(sector.to_string()),
                is_partial: false,
                num_states: set.num_states as u64,
                num_positions: Some(set.num_positions),
            })
        };
        Ok(self.summaries()?.into_iter().flat_map(of).collect())
    }

    fn automaton(&self, name: &str) -> Result<Option<Automaton<'_>>> {
        let Some((sector, depth)) = name.rsplit_once('-') else { return Ok(None) };
        let sector = Self::sectors(self).into_iter().find(|known| known.to_string() == sector);
        let (Some(sector), Ok(depth)) = (sector, depth.parse::<usize>()) else { return Ok(None) };
        Ok(self.set(sector, depth)?.cloned().map(Automaton::Set))
    }

    fn automaton_word(&self, position: &Position) -> Vec<Letter> {
        self.word(&position.board, position.side)
    }

    fn sample(&self, n: usize, seed: u64) -> Result<Vec<Position>> {
        Ok(sample::of_sectors(self.rules(), &Self::sectors(self), n, seed))
    }

    fn sample_in(&self, sector: &str, n: usize, seed: u64) -> Result<Option<Vec<Position>>> {
        Ok(sample::in_sector(self.rules(), &Self::sectors(self), sector, n, seed))
    }
}
