//! The forms of solutions that belong to this crate: runs, values, scores and tables.

use std::sync::Arc;

use nerode_games::{Game, Position};
use rand::SeedableRng;
use rand_chacha::ChaCha12Rng;

use super::{Stored, sample};
use crate::archive::Contents;
use crate::archive::scores::ScoreDir;
use crate::archive::stored_run::StoredRun;
use crate::archive::table::TableSolution;
use crate::archive::values::Values;
use crate::error::Result;
use crate::outcome::Evaluation;
use crate::solve::method::Method;

impl Stored for StoredRun {
    fn shared_game(&self) -> &Arc<dyn Game> {
        &self.game
    }

    fn form(&self) -> String {
        Contents::Run.to_string()
    }

    fn look_up(&self, Position { board, side }: &Position) -> Result<Evaluation> {
        Ok(Evaluation::of(Self::look_up(self, board, *side)?))
    }

    fn is_complete(&self) -> bool {
        Self::is_complete(self)
    }

    fn has_depths(&self) -> bool {
        self.method() == Method::Retrograde
    }

    fn sample(&self, n: usize, seed: u64) -> Result<Vec<Position>> {
        sample::of_run(self, n, &mut ChaCha12Rng::seed_from_u64(seed))
    }

    fn run(&self) -> Result<&StoredRun> {
        Ok(self)
    }

    fn warning(&self) -> Option<String> {
        self.values_problem().map(|problem| format!("{problem}; answered from the sets"))
    }

    fn ply_so_far(&self) -> Option<u32> {
        self.is_so_far().then(|| self.last_ply())
    }

    fn stop_at_last_ply(&mut self) -> Result<()> {
        Self::stop_at_last_ply(self)
    }

    fn limit_memory(&mut self, memory: u64) {
        Self::limit_memory(self, memory);
    }
}

impl Stored for Values {
    fn shared_game(&self) -> &Arc<dyn Game> {
        &self.game
    }

    fn form(&self) -> String {
        Contents::Values.to_string()
    }

    fn look_up(&self, Position { board, side }: &Position) -> Result<Evaluation> {
        Ok(Evaluation::of(self.get(&self.game.word_of(board), *side)?))
    }

    fn has_depths(&self) -> bool {
        self.manifest().has_depths()
    }
}

impl Stored for ScoreDir {
    fn shared_game(&self) -> &Arc<dyn Game> {
        &self.game
    }

    fn form(&self) -> String {
        Contents::Scores.to_string()
    }

    fn look_up(&self, Position { board, side }: &Position) -> Result<Evaluation> {
        Ok(Evaluation::of_score(self.get(board, *side)?, *side))
    }

    fn has_depths(&self) -> bool {
        false
    }
}

impl Stored for TableSolution {
    fn shared_game(&self) -> &Arc<dyn Game> {
        &self.game
    }

    fn form(&self) -> String {
        "a table".into()
    }

    fn look_up(&self, Position { board, side }: &Position) -> Result<Evaluation> {
        Ok(Evaluation::of(Some(self.get(board, *side)?)))
    }
}
