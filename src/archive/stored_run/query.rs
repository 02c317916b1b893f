//! Value and depth of single positions.

use nerode_dfa::Letter;
use nerode_games::{Side, Value};

use super::StoredRun;
use crate::archive::run_dir::{Kind, SetName};
use crate::error::{Error, Result};
use crate::outcome::{Depth, Outcome};
use crate::solve::method::Method;

impl StoredRun {
    /// Whether a word is in a set of the run; for a mirror image the word with the sides swapped is looked up.
    fn contains(&self, kind: Kind, side: Side, ply: u32, word: &[Letter]) -> Result<bool> {
        let entry = self.entry(kind, side, ply)?;
        let set = self.of_file(entry)?;
        if !entry.mirror {
            return Ok(set.contains(word));
        }
        let not_alike = || {
            let reason = "it holds mirror images of sets, but the game's sides are not alike";
            Error::corrupt(self.run.manifest_path(), reason)
        };
        let swap = self.game.side_swap().ok_or_else(not_alike)?;
        Ok(set.contains(&self.game.word_of(&swap.apply(&self.game.board_of(word)))))
    }

    /// What is known of a board with `side` to move: [`StoredRun::look_up`], not covered being unknown.
    ///
    /// # Errors
    /// As there.
    pub fn get(&self, board: &[u8], side: Side) -> Result<Outcome> {
        Ok(self.look_up(board, side)?.unwrap_or_default())
    }

    /// What is known of a board with `side` to move. `None`: the run does not cover it, as it was found forward from the start
    /// and did not come there.
    ///
    /// Cost: a look-up in the run's values folder where it has one; else in one or two sets, and in a number of sets
    /// logarithmic in the plies for the depth.
    ///
    /// # Errors
    /// A run that is not finished, or whose files are damaged. A values folder that is damaged or of another run is no error:
    /// the sets answer, and [`StoredRun::values_problem`] says why.
    pub fn look_up(&self, board: &[u8], side: Side) -> Result<Option<Outcome>> {
        self.must_be_finished()?;
        let word = self.game.word_of(board);
        if let Some(known) = self.values.get(&word, side) {
            return self.with_depth(known, &word, side).map(Some);
        }
        match self.method() {
            Method::Retrograde => self.get_retrograde(&word, side).map(Some),
            Method::Meet => self.get_meet(&word, side),
        }
    }

    /// Why the values folder in the run directory is not used, if it is there and is not.
    pub fn values_problem(&self) -> Option<String> {
        self.values.problem()
    }

    /// What a values folder knows, with the depth from the sets where the folder holds none.
    fn with_depth(&self, known: Outcome, word: &[Letter], side: Side) -> Result<Outcome> {
        let kind = match known {
            Outcome::Win(depth) if depth.exact().is_none() => Kind::W,
            Outcome::Loss(depth) if depth.exact().is_none() => Kind::L,
            _ => return Ok(known),
        };
        Ok(known.with_depth(self.depth(kind, side, word)?))
    }

    fn get_retrograde(&self, word: &[Letter], side: Side) -> Result<Outcome> {
        let last = self.last_ply();
        for (kind, value) in [(Kind::W, Value::Win), (Kind::L, Value::Loss)] {
            if self.contains(kind, side, last, word)? {
                return Ok(Outcome::new(value, self.depth(kind, side, word)?));
            }
        }
        Ok(if self.is_drawn(side, word)? { Outcome::DRAW } else { Outcome::Unknown })
    }

    /// Whether a word that is neither won nor lost is drawn. At the fixpoint all those are; before it what is stored as drawn, or
    /// is over by the rules where nothing is stored so far.
    fn is_drawn(&self, side: Side, word: &[Letter]) -> Result<bool> {
        let ply = self.last_ply();
        if self.run.manifest.progress.fixpoint {
            return Ok(true);
        }
        if self.so_far {
            return Ok(self.game.outcome(&self.game.board_of(word), side) == Some(Value::Draw));
        }
        Ok(self.run.entry(SetName { kind: Kind::D, side, ply }).is_ok()
            && self.contains(Kind::D, side, ply, word)?)
    }

    /// Number of positions with `side` to move that the run has not decided.
    ///
    /// # Errors
    /// A set that the run should have and has not; numbers beyond 128 bits.
    pub fn num_unknown(&self, side: Side) -> Result<u128> {
        if self.is_complete() {
            return Ok(0);
        }
        let of = |kind, ply| Ok(self.entry(kind, side, ply)?.num_positions);
        let too_many = || nerode_dfa::Error::CountOverflow;
        if self.method() == Method::Meet {
            let last = self.run.manifest.progress.forward.unwrap_or(0);
            let plies = (0..=last).filter(|&ply| self.side_at(ply) == side);
            let mut sum = 0u128;
            for ply in plies {
                sum = sum.checked_add(of(Kind::RU, ply)?).ok_or_else(too_many)?;
            }
            return Ok(sum);
        }
        let last = self.last_ply();
        let all = self.game.shape().num_words().ok_or_else(too_many)?;
        let decided =
            [Kind::W, Kind::L].map(|kind| of(kind, last)).into_iter().collect::<Result<Vec<_>>>()?;
        let rest = decided.iter().fold(all, |rest, decided| rest.saturating_sub(*decided));
        Ok(rest.saturating_sub(of(Kind::D, last).unwrap_or(0)))
    }

    /// Least i with the word in the i-th of the cumulative sets, knowing that it is in the last. Where early ones are not kept, and it
    /// is in all others: so many or fewer.
    fn depth(&self, kind: Kind, side: Side, word: &[Letter]) -> Result<Depth> {
        let (mut low, mut high) = (self.first_kept(kind, side)?, self.last_ply());
        if low > 0 && self.contains(kind, side, low, word)? {
            return Ok(Depth::AtMost(low));
        }
        while low < high {
            let middle = (low + high) / 2;
            if self.contains(kind, side, middle, word)? {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        Ok(Depth::Exact(low))
    }

    /// A set of ply i is that of the last ply, won or lost within the retrograde plies, played back: so a depth is at most the
    /// plies between, and those.
    fn get_meet(&self, word: &[Letter], side: Side) -> Result<Option<Outcome>> {
        let mut covered = false;
        let last = self.run.manifest.progress.forward.unwrap_or(0);
        for ply in (0..=last).filter(|&ply| self.side_at(ply) == side) {
            if !self.set(Kind::R, side, ply)?.contains(word) {
                continue;
            }
            covered = true;
            for (kind, value) in [(Kind::RW, Value::Win), (Kind::RL, Value::Loss), (Kind::RD, Value::Draw)] {
                if self.set(kind, side, ply)?.contains(word) {
                    let depth = Depth::AtMost(last - ply + self.last_ply());
                    return Ok(Some(Outcome::new(value, depth)));
                }
            }
        }
        // Not reachable within the plies searched, or not decided: the retrograde sets may still know it.
        let known = self.get_retrograde(word, side)?;
        Ok((covered || known != Outcome::Unknown).then_some(known))
    }
}
