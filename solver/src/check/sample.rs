//! Checks random positions against the plain rules, one ply deep: the explicit description generates the moves, the run
//! supplies the values, and the definition of value and depth must hold between them. This also works for games whose
//! tables would be too large.

use std::collections::BTreeMap;

use chacha20::ChaCha12Rng;
use nerode_dfa::{Dfa, Letter};
use nerode_games::explicit::apply;
use nerode_games::{Position, Side, Value};
use rand::{RngExt, SeedableRng};

use crate::archive::run_dir::Kind;
use crate::archive::stored_run::{PlySets, StoredRun};
use crate::check::Report;
use crate::check::distinct::Distinct;
use crate::error::Result;
use crate::outcome::{Depth, Outcome};
use crate::solve::method::Method;
use crate::solve::resources::Resources;

/// Checks `n` different positions for each side, drawn uniformly with `seed` from all words. In a meet-in-the-middle run, draws
/// them from the reachable positions of each ply. If there are fewer, checks all of them. Also checks that only the set of its
/// value contains a position.
///
/// Cost: one query per move.
///
/// # Errors
/// Returns an error if a file is damaged or there are too many positions to number.
pub fn check(solution: &StoredRun, n: usize, seed: u64) -> Result<Report> {
    check_while(solution, n, seed, &mut |_, _| Ok(()))
}

/// Checks positions as [`check`] does, and calls `go_on` before each position with the number of positions checked and
/// the total. An error of `go_on` ends the check. Only one position is in memory at a time.
///
/// # Errors
/// Returns the same errors as [`check`], or the error of `go_on`.
pub fn check_while(
    solution: &StoredRun,
    n: usize,
    seed: u64,
    go_on: &mut dyn FnMut(u64, u64) -> Result<()>,
) -> Result<Report> {
    let distinct = Distinct::new(solution, &Resources::default())?;
    let mut sample = Sample { solution, n, seed, report: Report::default(), distinct, done: 0, total: 0 };
    if solution.method() == Method::Meet {
        sample.by_ply(go_on)?;
        return Ok(sample.report);
    }
    let full = Dfa::full(solution.game.shape());
    sample.total = sample.num_drawn(full.count()?).saturating_mul(2);
    let last = solution.last_ply();
    for side in Side::BOTH {
        let look_up = |board: &[u8], side| solution.get(board, side);
        let mut sets = BTreeMap::new();
        for (kind, _) in OF_WORDS {
            // A run of one chain and an unfinished run have no sets of draws and unknown positions.
            if solution.entry(kind, side, last).is_ok_and(|entry| !entry.is_mirror()) {
                sets.insert(kind, solution.set(kind, side, last)?);
            }
        }
        let is_in = |kind: Kind, word: &[Letter]| Ok(sets[&kind].contains(word));
        let kinds: Vec<_> = OF_WORDS.into_iter().filter(|(kind, _)| sets.contains_key(kind)).collect();
        let stored = Stored { kinds: &kinds, is_in: &is_in, look_up: &look_up };
        sample.draw(side, &full, stored, go_on)?;
    }
    Ok(sample.report)
}

/// The sets of a retrograde run by value, where `None` stands for unknown positions.
const OF_WORDS: [(Kind, Option<Value>); 4] = [
    (Kind::W, Some(Value::Win)),
    (Kind::L, Some(Value::Loss)),
    (Kind::D, Some(Value::Draw)),
    (Kind::U, None),
];

/// The sets of a ply of a run from the start in the same way.
const OF_PLY: [(Kind, Option<Value>); 4] = [
    (Kind::RW, Some(Value::Win)),
    (Kind::RL, Some(Value::Loss)),
    (Kind::RD, Some(Value::Draw)),
    (Kind::RU, None),
];

/// A function that returns the outcome of a board with a side to move.
type LookUp<'a> = &'a dyn Fn(&[u8], Side) -> Result<Outcome>;

/// What is stored about the positions of a side.
#[derive(Clone, Copy)]
struct Stored<'a> {
    /// The sets by value that are stored.
    kinds: &'a [(Kind, Option<Value>)],
    /// Returns whether a set contains a word.
    is_in: &'a dyn Fn(Kind, &[Letter]) -> Result<bool>,
    look_up: LookUp<'a>,
}

struct Sample<'a> {
    solution: &'a StoredRun,
    n: usize,
    seed: u64,
    report: Report,
    distinct: Distinct,
    /// The number of positions that have been or are being checked, out of `total`.
    done: u64,
    total: u64,
}

impl Sample<'_> {
    /// Checks positions of every ply against those of the next one, with the sets of two plies in memory. In a run with
    /// a limited number of plies, the last ply has no next one and is skipped.
    fn by_ply(&mut self, go_on: &mut dyn FnMut(u64, u64) -> Result<()>) -> Result<()> {
        let solution = self.solution;
        solution.must_be_finished()?;
        let progress = solution.run.progress();
        let plies = progress.forward.unwrap_or(0) + u32::from(progress.forward_complete);
        for ply in 0..plies {
            let positions = solution.entry(Kind::R, solution.side_at(ply), ply)?.num_positions();
            self.total = self.total.saturating_add(self.num_drawn(positions));
        }
        let mut next: Option<PlySets> = None;
        for ply in (0..=progress.forward.unwrap_or(0)).rev() {
            let now = PlySets::read(solution, ply)?;
            let side = solution.side_at(ply);
            let look_up = |board: &[u8], of: Side| {
                let sets = if of == side { Some(&now) } else { next.as_ref() };
                let known = sets.and_then(|sets| sets.value_of(&solution.game.word_of(board)));
                Ok(known.unwrap_or_default())
            };
            if ply < plies {
                let unknown = solution.read(Kind::RU, side, ply)?;
                let is_in = |kind: Kind, word: &[Letter]| match kind {
                    Kind::RU => Ok(unknown.contains(word)),
                    _ => Ok(now.contains(kind, word)),
                };
                let stored = Stored { kinds: &OF_PLY, is_in: &is_in, look_up: &look_up };
                self.draw(side, now.all(), stored, go_on)?;
                self.distinct.add(side, now.all())?;
            }
            next = Some(now);
        }
        Ok(())
    }

    /// Returns the number of positions that are drawn from `positions`.
    fn num_drawn(&self, positions: u128) -> u64 {
        u64::try_from(positions).unwrap_or(u64::MAX).min(self.n as u64)
    }

    /// Checks random positions of one set.
    fn draw(
        &mut self,
        side: Side,
        population: &Dfa,
        sets: Stored<'_>,
        go_on: &mut dyn FnMut(u64, u64) -> Result<()>,
    ) -> Result<()> {
        let solution = self.solution;
        let ranking = population.ranking()?;
        for word in
            Shuffled::new(ranking.count(), self.seed).take(self.n).map_while(|rank| ranking.unrank(rank))
        {
            go_on(self.done, self.total)?;
            self.done += 1;
            let position = Position { board: solution.game.board_of(&word), side };
            let stored = (sets.look_up)(&position.board, side)?;
            let is_checked = stored != Outcome::Unknown && self.distinct.is_new(side, &word);
            self.report.checked += u128::from(is_checked);
            let mut problem = None;
            for &(kind, value) in sets.kinds {
                let is_in = (sets.is_in)(kind, &word)?;
                if is_in != (value == stored.value()) {
                    let name = value.map_or("unknown".to_string(), |value| value.to_string());
                    let verb = if is_in { "contains" } else { "lacks" };
                    problem = Some(format!("stored {stored}, but the set of the value '{name}' {verb} it"));
                    break;
                }
            }
            if problem.is_none() {
                problem = self::problem(solution, &position, stored, sets.look_up)?;
            }
            if let Some(problem) = problem.filter(|_| self.distinct.is_newly_wrong(side, &word)) {
                self.report.wrong(1, || format!("{}: {problem}", solution.game.format_position(&position)));
            }
        }
        Ok(())
    }
}

/// Returns a description of the contradiction to the definition at this position, if there is one.
fn problem(
    solution: &StoredRun,
    position: &Position,
    stored: Outcome,
    look_up: LookUp<'_>,
) -> Result<Option<String>> {
    let game = solution.game.as_ref();
    let expected = match game.outcome(&position.board, position.side) {
        Some(value) => Outcome::new(value, Depth::Exact(0)),
        None => {
            let mut moves = Vec::new();
            game.legal_moves(&position.board, position.side, &mut moves);
            let other = position.side.other();
            let values: Vec<Outcome> =
                moves.iter().map(|mv| look_up(&apply(&position.board, mv), other)).collect::<Result<_>>()?;
            match from_moves(&values) {
                Some(known) => known,
                None if solution.is_complete() => {
                    return Ok(Some(format!("stored {stored}, but one of its moves has no value")));
                }
                None => return Ok(None),
            }
        }
    };
    let depths_known = stored.depth().is_some() && expected.depth().is_some();
    let agrees = stored.value() == expected.value() && (!depths_known || stored.depth() == expected.depth());
    // A run with a limited number of plies may know less than its successors imply, but must not contradict them.
    let cut_short = !solution.is_complete() && stored == Outcome::Unknown;
    Ok((!agrees && !cut_short).then(|| format!("stored {stored}, but its moves imply {expected}")))
}

/// Returns value and depth by the definition, or `None` if undecided successors leave them open.
fn from_moves(outcomes: &[Outcome]) -> Option<Outcome> {
    let has = |value: Value| outcomes.iter().any(|found| found.value() == Some(value));
    // Returns `None` if one of the depths is not known.
    let depths = |value: Value| -> Option<Vec<u32>> {
        outcomes.iter().filter(|found| found.value() == Some(value)).map(|found| found.depth()).collect()
    };
    let after = |depth: Option<u32>| Depth::of(depth.map(|plies| plies + 1));
    if has(Value::Loss) {
        return Some(Outcome::Win(after(depths(Value::Loss).and_then(|all| all.into_iter().min()))));
    }
    if outcomes.contains(&Outcome::Unknown) {
        return None;
    }
    if !has(Value::Draw) {
        return Some(Outcome::Loss(after(depths(Value::Win).and_then(|all| all.into_iter().max()))));
    }
    Some(Outcome::DRAW)
}

/// The number of rounds of the permutation.
const ROUNDS: usize = 6;

/// The numbers from 0 to `count - 1` in an order that depends on a seed, each of them once. Takes constant memory.
///
/// A Feistel network permutes the numbers of an even number of bits, and those that are too large are skipped.
pub struct Shuffled {
    count: u128,
    /// Half of the number of bits.
    half: u32,
    keys: [u64; ROUNDS],
    next: u128,
}

impl Shuffled {
    /// Returns the numbers below `count` in the order of `seed`.
    pub fn new(count: u128, seed: u64) -> Self {
        let bits = u128::BITS - count.saturating_sub(1).leading_zeros();
        let mut rng = ChaCha12Rng::seed_from_u64(seed);
        Self { count, half: bits.div_ceil(2).max(1), keys: [(); ROUNDS].map(|()| rng.random()), next: 0 }
    }

    fn permuted(&self, number: u128) -> u128 {
        let mask = u64::MAX >> (u64::BITS - self.half);
        let (mut left, mut right) = ((number >> self.half) as u64, number as u64 & mask);
        for key in self.keys {
            (left, right) = (right, left ^ (mixed(right ^ key) & mask));
        }
        u128::from(left) << self.half | u128::from(right)
    }
}

impl Iterator for Shuffled {
    type Item = u128;

    fn next(&mut self) -> Option<u128> {
        if self.next == self.count {
            return None;
        }
        let mut number = self.permuted(self.next);
        // The walk ends, because the numbers on a cycle of the permutation include the one at which it began.
        while number >= self.count {
            number = self.permuted(number);
        }
        self.next += 1;
        Some(number)
    }
}

/// Mixes the bits of a number so that every bit of the result depends on all of them.
fn mixed(mut x: u64) -> u64 {
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_drawn_once_in_an_order_of_the_seed() {
        for count in [0, 1, 2, 3, 5, 16, 17, 1000] {
            let drawn: Vec<u128> = Shuffled::new(count, 7).collect();
            let mut sorted = drawn.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..count).collect::<Vec<_>>(), "{count}");
        }
        let first = |seed| Shuffled::new(u128::MAX, seed).take(100).collect::<Vec<_>>();
        assert!(first(1) == first(1) && first(1) != first(2));
        // Every part of the range is drawn from.
        let parts: std::collections::HashSet<u128> = first(3).iter().map(|number| number >> 125).collect();
        assert_eq!(parts.len(), 8);
    }
}
