//! Value and depth of single positions.

use std::collections::BTreeMap;

use nerode_dfa::{Dfa, Letter};
use nerode_games::{Side, SideSwap, Value};

use super::StoredRun;
use crate::archive::run_dir::{Kind, SetEntry, SetName};
use crate::error::{Error, Result};
use crate::outcome::{Depth, Outcome};
use crate::solve::method::Method;

impl StoredRun {
    /// Returns `true` if a word is in a set of the run. For a mirror image, looks up the word with the sides swapped.
    fn contains(&self, kind: Kind, side: Side, ply: u32, word: &[Letter]) -> Result<bool> {
        let name = SetName { kind, side, ply };
        let set = self.stored_set(name)?;
        let in_file = self.file_of(name, set)?;
        if set.mirror && set.without.is_empty() {
            let swap = self.swap_of_mirrors()?;
            return Ok(in_file.contains(&self.game.word_of(&swap.apply(&self.game.board_of(word)))));
        }
        let is_in = |&part: &SetName| Ok(self.file_of(part, self.stored_set(part)?)?.contains(word));
        holds(in_file.contains(word), &set.without, is_in)
    }

    /// Returns the map of the sides under which some sets of the run are mirror images of others.
    ///
    /// # Errors
    /// Returns [`Error::Corrupt`] if the game has no such map.
    pub(super) fn swap_of_mirrors(&self) -> Result<SideSwap> {
        self.game.side_swap().ok_or_else(|| {
            let reason = "it contains mirror images of sets, but the sides of the game are not mirror images";
            Error::corrupt(self.run.manifest_path(), reason)
        })
    }

    /// Returns the outcome of a board with `side` to move as [`StoredRun::look_up`] does. Positions that the run does
    /// not cover are unknown.
    ///
    /// # Errors
    /// Returns the same errors as [`StoredRun::look_up`].
    pub fn get(&self, board: &[u8], side: Side) -> Result<Outcome> {
        Ok(self.look_up(board, side)?.unwrap_or_default())
    }

    /// Returns the outcome of a board with `side` to move, or `None` if the run does not cover it, because the run
    /// searched forward from the start and did not reach it.
    ///
    /// Cost: one look-up in the values folder of the run if there is one. Otherwise, look-ups in one or two sets for
    /// the value, and in a number of sets logarithmic in the number of plies for the depth.
    ///
    /// # Errors
    /// Returns an error if the run is not finished or its files are damaged. A values folder that is damaged or belongs
    /// to another run is not an error: the sets are used instead, and [`StoredRun::values_problem`] returns the reason.
    pub fn look_up(&self, board: &[u8], side: Side) -> Result<Option<Outcome>> {
        self.must_be_finished()?;
        let word = self.game.word_of(board);
        if self.method() == Method::Meet {
            return self.get_meet(&word, side);
        }
        match self.values.get(&word, side) {
            Some(known) => self.with_depth(known, &word, side).map(Some),
            None => self.get_retrograde(&word, side).map(Some),
        }
    }

    /// Returns the reason why the values folder in the directory of the run is ignored, if it exists and is ignored.
    pub fn values_problem(&self) -> Option<String> {
        self.values.problem()
    }

    /// Completes an outcome from the values folder with the depth from the sets if the folder contains no depths.
    fn with_depth(&self, known: Outcome, word: &[Letter], side: Side) -> Result<Outcome> {
        let kind = match known {
            Outcome::Win(depth) if depth.exact().is_none() => Kind::W,
            Outcome::Loss(depth) if depth.exact().is_none() => Kind::L,
            _ => return Ok(known),
        };
        Ok(known.with_depth(self.depth(kind, side, word)?))
    }

    fn get_retrograde(&self, word: &[Letter], side: Side) -> Result<Outcome> {
        if self.run.request().is_in_play() {
            let over = self.game.outcome(&self.game.board_of(word), side);
            return Ok(over.map_or(Outcome::Unknown, |value| Outcome::new(value, Depth::Exact(0))));
        }
        let last = self.last_ply();
        for (kind, value) in [(Kind::W, Value::Win), (Kind::L, Value::Loss)] {
            if self.contains(kind, side, last, word)? {
                return Ok(Outcome::new(value, self.depth(kind, side, word)?));
            }
        }
        Ok(if self.is_drawn(side, word)? { Outcome::DRAW } else { Outcome::Unknown })
    }

    /// Returns `true` if a word that is neither won nor lost is drawn. At the fixpoint, all such words are. Before it,
    /// these are the stored draws, or the terminal draws if no draws are stored yet.
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

    /// Returns the number of positions with `side` to move that the run has not decided.
    ///
    /// # Errors
    /// Returns an error if a required set is missing or the number does not fit into 128 bits.
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

    /// Returns the least i such that the i-th of the cumulative sets contains the word, given that the last one does.
    /// If early sets are not kept and all kept sets contain the word, returns an upper bound.
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

    /// A set of ply i is obtained by propagating the values of the last ply back to ply i, and positions of the last
    /// ply are decided within the retrograde plies. Hence a depth is at most the number of plies from i to the last ply
    /// plus the number of retrograde plies.
    fn get_meet(&self, word: &[Letter], side: Side) -> Result<Option<Outcome>> {
        let reached = self.reached(word, side)?;
        if let Some((ply, Some(value))) = reached {
            let last = self.run.manifest.progress.forward.unwrap_or(0);
            return Ok(Some(Outcome::new(value, Depth::AtMost(last - ply + self.last_ply()))));
        }
        // The position was not reached within the plies searched, or is not decided there. The retrograde sets may
        // still decide it.
        let known = self.get_retrograde(word, side)?;
        Ok((reached.is_some() || known != Outcome::Unknown).then_some(known))
    }

    /// Returns the first ply at which a word is reached and decided, with its value. If it is decided at none of them,
    /// returns the last ply at which it is reached, and if it is never reached, `None`.
    pub(crate) fn reached(&self, word: &[Letter], side: Side) -> Result<Option<(u32, Option<Value>)>> {
        if let Some(packed) = self.packed() {
            match packed.reached(word, side) {
                Ok(known) => return Ok(known),
                Err(error) => self.give_up_values(error),
            }
        }
        let mut reached = None;
        let shown = self.game.plies_played(&self.game.board_of(word));
        for ply in self.forward_plies(side).filter(|&ply| shown.is_none_or(|shown| shown == ply)) {
            match at_ply(|kind| self.contains(kind, side, ply, word))? {
                None => {}
                Some(None) => reached = Some((ply, None)),
                Some(value) => return Ok(Some((ply, value))),
            }
        }
        Ok(reached)
    }
}

/// Returns `true` if a word is in the set that remains of a file after removing `parts`, where `in_file` states whether
/// it is in the file.
fn holds<P>(in_file: bool, parts: &[P], is_in: impl Fn(&P) -> Result<bool>) -> Result<bool> {
    for part in parts.iter().filter(|_| in_file) {
        if is_in(part)? {
            return Ok(false);
        }
    }
    Ok(in_file)
}

/// Returns the value of a word among the positions reached at a ply, where `is_in` states whether the word is in a set
/// of that ply. Returns `None` if the word is not reached, and `Some(None)` if it has no value.
fn at_ply(is_in: impl Fn(Kind) -> Result<bool>) -> Result<Option<Option<Value>>> {
    if !is_in(Kind::R)? {
        return Ok(None);
    }
    for (kind, value) in [(Kind::RW, Value::Win), (Kind::RL, Value::Loss), (Kind::RD, Value::Draw)] {
        if is_in(kind)? {
            return Ok(Some(Some(value)));
        }
    }
    Ok(Some(None))
}

/// The sets of one ply of a forward run, for a reader that iterates over the plies and does not keep all of their sets.
pub(crate) struct PlySets {
    /// `R_i`, and the positions won, lost and drawn, in the order of [`PlySets::KINDS`].
    sets: [Remainder; 4],
}

/// The words of a file that none of the parts contains.
struct Remainder {
    file: Dfa,
    parts: Vec<Dfa>,
}

impl Remainder {
    fn contains(&self, word: &[Letter]) -> bool {
        self.file.contains(word) && !self.parts.iter().any(|part| part.contains(word))
    }
}

impl PlySets {
    const KINDS: [Kind; 4] = [Kind::R, Kind::RW, Kind::RL, Kind::RD];

    /// Reads the sets of `ply`.
    ///
    /// # Errors
    /// Returns the same errors as [`StoredRun::read`], and an error if a required set is missing.
    pub(crate) fn read(run: &StoredRun, ply: u32) -> Result<Self> {
        let side = run.side_at(ply);
        let mut by_file = BTreeMap::new();
        let mut of_file = |entry: &SetEntry| {
            if let Some(set) = by_file.get(entry.file()) {
                return Ok(Dfa::clone(set));
            }
            let set = run.read_file(entry)?;
            by_file.insert(entry.file().to_owned(), set.clone());
            Ok(set)
        };
        let mut set = |kind| {
            let entry = run.entry(kind, side, ply)?;
            let parts =
                run.run.parts(&entry.without)?.into_iter().map(&mut of_file).collect::<Result<_>>()?;
            Ok::<_, Error>(Remainder { file: of_file(entry)?, parts })
        };
        let [all, won, lost, drawn] = Self::KINDS;
        Ok(Self { sets: [set(all)?, set(won)?, set(lost)?, set(drawn)?] })
    }

    /// Returns `R_i`.
    pub(crate) fn all(&self) -> &Dfa {
        &self.sets[0].file
    }

    /// Returns whether a set of the ply contains a word: `R_i`, or the positions of a value. No other kind has positions here.
    pub(crate) fn contains(&self, kind: Kind, word: &[Letter]) -> bool {
        Self::KINDS.iter().zip(&self.sets).any(|(&of, set)| of == kind && set.contains(word))
    }

    /// Returns the outcome of a word according to the sets, without depth, or `None` if it is not in `R_i`.
    pub(crate) fn value_of(&self, word: &[Letter]) -> Option<Outcome> {
        self.sets[0].contains(word).then(|| self.value_of_reached(word))
    }

    /// Returns the same for a word of `R_i`.
    pub(crate) fn value_of_reached(&self, word: &[Letter]) -> Outcome {
        let values = [Value::Win, Value::Loss, Value::Draw];
        let value = values.into_iter().zip(&self.sets[1..]).find(|(_, set)| set.contains(word));
        value.map_or(Outcome::Unknown, |(value, _)| Outcome::new(value, Depth::Unknown))
    }
}
