//! The positions of a run that play from the start reaches, by value.

use chacha20::ChaCha12Rng;
use nerode_dfa::{Dfa, Passes};
use nerode_games::{Position, Side, Value};
use rand::SeedableRng;

use super::Stored;
use super::sample::of_sets;
use crate::archive::run_dir::Kind;
use crate::archive::stored_run::StoredRun;
use crate::error::Result;
use crate::solve::engine::Engine;
use crate::solve::method::Method;
use crate::solve::reach::Reach;
use crate::solve::resources::Resources;

/// Some of the reached positions with one side to move, by value for that side.
#[derive(Clone, Debug)]
pub struct ReachedPart {
    /// The side to move.
    pub side: Side,
    /// The ply, if every position of the game shows the number of plies played.
    pub ply: Option<u32>,
    sets: [Dfa; 4],
}

impl ReachedPart {
    /// Returns the positions with the given value, or those whose value is unknown.
    pub fn with_value(&self, value: Option<Value>) -> &Dfa {
        &self.sets[index(value)]
    }
}

/// The values by which the positions of a part are divided.
const VALUES: [Option<Value>; 4] = [Some(Value::Win), Some(Value::Draw), Some(Value::Loss), None];

/// Returns the index of a value in [`VALUES`].
fn index(value: Option<Value>) -> usize {
    VALUES.iter().position(|&other| other == value).unwrap_or(VALUES.len() - 1)
}

/// Divides the reached positions of a finished run into parts, and calls `visit` with each of them. No position is in two
/// parts.
///
/// A game whose positions show the number of plies played has one part for each ply, and any other game one for each
/// side. A run from the start contains the reached positions. For a retrograde run, they are determined by a forward
/// search and divided by the last sets.
///
/// Cost: for a retrograde run, a forward search. The sets of one part are in memory, under the cap of `resources`.
///
/// # Errors
/// Returns [`Error::NotFinished`](crate::error::Error::NotFinished), an error for a retrograde run of one chain, an error if memory is exhausted,
/// a file is damaged or the user interrupts, or the error of `visit`.
pub fn for_each_reached(
    run: &StoredRun,
    resources: &Resources,
    visit: &mut dyn FnMut(ReachedPart) -> Result<()>,
) -> Result<()> {
    run.must_be_finished()?;
    match run.method() {
        Method::Meet => read_parts(run, resources, visit),
        Method::Retrograde => search_parts(run, resources, visit),
    }
}

/// Returns `true` if the positions of the game show the number of plies played, so that none occurs at two plies.
fn shows_plies(run: &StoredRun) -> bool {
    run.game.plies_played(&run.game.start().0).is_some()
}

/// Reads the sets of the won, drawn, lost and undecided positions of a ply from a run from the start.
fn read_ply(run: &StoredRun, ply: u32) -> Result<[Dfa; 4]> {
    let side = run.side_at(ply);
    let read = |kind| run.read(kind, side, ply);
    Ok([read(Kind::RW)?, read(Kind::RD)?, read(Kind::RL)?, read(Kind::RU)?])
}

/// Reads the parts of a run from the start.
fn read_parts(
    run: &StoredRun,
    resources: &Resources,
    visit: &mut dyn FnMut(ReachedPart) -> Result<()>,
) -> Result<()> {
    let passes = resources.passes(None)?;
    let by_ply = shows_plies(run);
    let empty = || [(); 4].map(|()| Dfa::empty(run.game.shape()));
    let mut whole = Side::BOTH.map(|side| ReachedPart { side, ply: None, sets: empty() });
    for ply in 0..=run.run.progress().forward.unwrap_or(0) {
        resources.must_go_on()?;
        let (side, sets) = (run.side_at(ply), read_ply(run, ply)?);
        if by_ply {
            visit(ReachedPart { side, ply: Some(ply), sets })?;
            continue;
        }
        for (sum, more) in whole[side.index()].sets.iter_mut().zip(&sets) {
            *sum = passes.combine(&[sum, more], |x| x[0] || x[1])?;
        }
    }
    if !by_ply {
        // A run limited in plies may decide a position at one ply and not at another.
        for mut part in whole {
            let [win, draw, loss, unknown] = &part.sets;
            let open = passes.combine(&[unknown, win, draw, loss], |x| x[0] && !x[1] && !x[2] && !x[3])?;
            part.sets[index(None)] = open;
            visit(part)?;
        }
    }
    Ok(())
}

/// Finds the parts of a retrograde run by a forward search.
fn search_parts(
    run: &StoredRun,
    resources: &Resources,
    visit: &mut dyn FnMut(ReachedPart) -> Result<()>,
) -> Result<()> {
    let last = LastSets::read(run)?;
    let mut plies = ReachedPlies::of(run, resources)?;
    while let Some(ReachedPly { ply, side, set, .. }) = plies.next_of(run)? {
        if plies.by_ply {
            visit(last.divide(&set, side, Some(ply), &plies.passes)?)?;
        }
    }
    if !plies.by_ply {
        for side in Side::BOTH {
            visit(last.divide(&plies.seen[side.index()], side, None, &plies.passes)?)?;
        }
    }
    Ok(())
}

/// The positions that play from the start of a finished run reaches, one ply after the other.
///
/// A run from the start contains them. For a retrograde run, each ply is one step of a forward search.
pub struct ReachedPlies {
    source: Source,
    /// `true` if no position occurs at two plies.
    by_ply: bool,
    /// For each side, the positions of earlier plies, unless no position occurs at two plies.
    seen: [Dfa; 2],
    passes: Passes,
    resources: Resources,
}

enum Source {
    /// The next ply of a run from the start.
    Stored(u32),
    /// A forward search, with the last ply that was returned.
    Search(Box<Engine>, Option<Reach>),
}

/// The positions that occur first at a ply.
#[derive(Clone, Debug)]
pub struct ReachedPly {
    /// The ply.
    pub ply: u32,
    /// The side to move.
    pub side: Side,
    /// The positions.
    pub set: Dfa,
    /// The number of bytes held by the engine.
    pub bytes: u64,
}

impl ReachedPlies {
    fn of(run: &StoredRun, resources: &Resources) -> Result<Self> {
        run.must_be_finished()?;
        let source = match run.method() {
            Method::Meet => Source::Stored(0),
            Method::Retrograde => {
                let engine = Engine::in_play(std::sync::Arc::clone(&run.game), resources, None)?;
                Source::Search(Box::new(engine), None)
            }
        };
        Ok(Self {
            source,
            by_ply: shows_plies(run),
            seen: Side::BOTH.map(|_| Dfa::empty(run.game.shape())),
            passes: resources.passes(None)?,
            resources: resources.clone(),
        })
    }

    /// Returns the positions of `solution`, for which these plies were made, that occur first at the next ply, or `None` after
    /// the last one.
    ///
    /// Cost: for a retrograde run, one step of a forward search, with the resources with which these plies were made.
    ///
    /// # Errors
    /// Returns an error if memory is exhausted, a file is damaged or the user interrupts. After an error, the same ply is tried
    /// again.
    pub fn advance(&mut self, solution: &dyn Stored) -> Result<Option<ReachedPly>> {
        self.next_of(solution.run()?)
    }

    fn next_of(&mut self, run: &StoredRun) -> Result<Option<ReachedPly>> {
        self.resources.must_go_on()?;
        match &mut self.source {
            Source::Stored(next) => {
                let ply = *next;
                if ply > run.run.progress().forward.unwrap_or(0) {
                    return Ok(None);
                }
                let (side, sets) = (run.side_at(ply), read_ply(run, ply)?);
                let mut set = self.passes.combine(&sets.each_ref(), |x| x.contains(&true))?;
                if !self.by_ply {
                    set = unseen(&self.passes, &mut self.seen[side.index()], &set)?;
                }
                *next += 1;
                Ok(Some(ReachedPly { ply, side, set, bytes: 0 }))
            }
            Source::Search(engine, last) => {
                let mut reach = match last {
                    Some(last) => last.clone(),
                    None => Reach::new(engine)?,
                };
                if last.is_some() && !reach.step(engine)? {
                    return Ok(None);
                }
                let (ply, side, mut set) = (reach.ply(), reach.side(), reach.set().clone());
                if !self.by_ply {
                    set = unseen(&self.passes, &mut self.seen[side.index()], &set)?;
                    // The successors of positions that have occurred before have been visited too.
                    if set.is_empty() {
                        return Ok(None);
                    }
                    if engine.passing() {
                        reach = Reach::resume(engine, ply, set.clone());
                    }
                }
                let bytes = engine.bytes();
                *last = Some(reach);
                Ok(Some(ReachedPly { ply, side, set, bytes }))
            }
        }
    }
}

/// Returns the positions of `set` that are not in `seen`, and adds them to it.
fn unseen(passes: &Passes, seen: &mut Dfa, set: &Dfa) -> Result<Dfa> {
    let new = passes.combine(&[set, seen], |x| x[0] && !x[1])?;
    *seen = passes.combine(&[seen, &new], |x| x[0] || x[1])?;
    Ok(new)
}

/// The last sets of a retrograde run.
struct LastSets {
    /// For each side, the won and the lost positions.
    decided: [[Dfa; 2]; 2],
    /// For each side, the drawn positions, or `None` if all that are neither won nor lost are drawn.
    drawn: [Option<Dfa>; 2],
}

impl LastSets {
    fn read(run: &StoredRun) -> Result<Self> {
        let last = run.last_ply();
        let mut decided = Vec::new();
        let mut drawn = [None, None];
        for side in Side::BOTH {
            decided.push([run.read(Kind::W, side, last)?, run.read(Kind::L, side, last)?]);
            if !run.is_complete() {
                let stored = run.entry(Kind::D, side, last).is_ok();
                let set = if stored { run.read(Kind::D, side, last)? } else { Dfa::empty(run.game.shape()) };
                drawn[side.index()] = Some(set);
            }
        }
        let [p1, p2] = <[[Dfa; 2]; 2]>::try_from(decided)
            .unwrap_or_else(|_| [(); 2].map(|()| [(); 2].map(|()| Dfa::empty(run.game.shape()))));
        Ok(Self { decided: [p1, p2], drawn })
    }

    /// Divides a set of positions by value.
    fn divide(&self, set: &Dfa, side: Side, ply: Option<u32>, passes: &Passes) -> Result<ReachedPart> {
        let [win, loss] = &self.decided[side.index()];
        let both = |other: &Dfa| passes.combine(&[set, other], |x| x[0] && x[1]);
        let rest = passes.combine(&[set, win, loss], |x| x[0] && !x[1] && !x[2])?;
        let (draw, unknown) = match &self.drawn[side.index()] {
            None => (rest, Dfa::empty(set.shape())),
            Some(drawn) => (
                passes.combine(&[&rest, drawn], |x| x[0] && x[1])?,
                passes.combine(&[&rest, drawn], |x| x[0] && !x[1])?,
            ),
        };
        Ok(ReachedPart { side, ply, sets: [both(win)?, draw, both(loss)?, unknown] })
    }
}

/// The reached positions of a run in memory, for counts and samples.
pub struct ReachedSets<'a> {
    run: &'a StoredRun,
    parts: Vec<ReachedPart>,
}

impl dyn Stored {
    /// Returns the positions that play from the start reaches, by value; see [`ReachedSets::new`].
    ///
    /// # Errors
    /// Returns [`Error::NoSets`](crate::error::Error::NoSets) for a solution that is not stored as a run, and the errors of
    /// [`for_each_reached`].
    pub fn reached_sets(&self, resources: &Resources) -> Result<ReachedSets<'_>> {
        ReachedSets::new(self.run()?, resources)
    }

    /// Returns the positions that play from the start reaches, one ply after the other; see [`ReachedPlies`].
    ///
    /// # Errors
    /// Returns [`Error::NoSets`](crate::error::Error::NoSets) for a solution that is not stored as a run,
    /// [`Error::NotFinished`](crate::error::Error::NotFinished), or an error if memory is exhausted.
    pub fn reached_plies(&self, resources: &Resources) -> Result<ReachedPlies> {
        ReachedPlies::of(self.run()?, resources)
    }
}

impl<'a> ReachedSets<'a> {
    /// Reads or determines the reached positions; see [`for_each_reached`].
    ///
    /// Cost: the sets of all plies are in memory, so this suits small games.
    ///
    /// # Errors
    /// Returns the same errors as [`for_each_reached`].
    pub fn new(run: &'a StoredRun, resources: &Resources) -> Result<Self> {
        let mut parts = Vec::new();
        for_each_reached(run, resources, &mut |part| {
            parts.push(part);
            Ok(())
        })?;
        Ok(Self { run, parts })
    }

    /// Returns the parts, which have no position in common; see [`for_each_reached`].
    pub fn parts(&self) -> &[ReachedPart] {
        &self.parts
    }

    /// Returns the number of distinct reached positions with `side` to move that have the given value, or whose value is
    /// unknown.
    ///
    /// # Errors
    /// Returns an error if the number does not fit into 128 bits.
    pub fn count(&self, side: Side, value: Option<Value>) -> Result<u128> {
        let parts = self.parts.iter().filter(|part| part.side == side);
        parts.map(|part| part.with_value(value).count()).try_fold(0u128, |sum, count| {
            sum.checked_add(count?).ok_or_else(|| nerode_dfa::Error::CountOverflow.into())
        })
    }

    /// Draws `n` reached positions uniformly and independently, with the given value or, if it is `None`, with any value.
    /// Equal seeds return equal positions, and the result is empty if no position qualifies.
    ///
    /// # Errors
    /// Returns an error if the number of positions does not fit into 128 bits.
    pub fn sample(&self, n: usize, seed: u64, value: Option<Value>) -> Result<Vec<Position>> {
        let wanted = VALUES.into_iter().filter(|&other| value.is_none() || other == value);
        let sets = self
            .parts
            .iter()
            .flat_map(|part| wanted.clone().map(move |value| (part.side, part.with_value(value))));
        of_sets(self.run, &sets.collect::<Vec<_>>(), n, &mut ChaCha12Rng::seed_from_u64(seed))
    }
}
