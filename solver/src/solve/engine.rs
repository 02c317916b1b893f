//! Moves and combines sets of positions of a game, which are given as finished automata. There are two methods:
//! recursions in a store with cached results, for small sets, and passes that process one layer at a time, for large
//! ones.
//!
//! Invariant: results are canonical. They do not depend on the method, the threads or the history.

use std::iter;
use std::path::PathBuf;
use std::sync::Arc;

use nerode_dfa::{Dfa, Direction, MAX_SIDES, OpStats, PassStats, Passes};
use nerode_games::{Game, Side};

use super::loaded::Loaded;
use super::operand::Operand;
use super::resources::Resources;
use super::rules::CompiledRules;
use super::terminal::{Over, TerminalSets};
use super::ways::{Values, Ways, is_too_large};
use crate::error::Result;
use crate::units::Done;

/// A partition of positions with one side to move. Positions in none of the three sets are terminal and lost.
#[derive(Clone, Debug)]
pub struct Partition {
    /// The positions in which the game goes on.
    pub playing: Dfa,
    /// The terminal positions won for the side to move.
    pub win: Dfa,
    /// The drawn terminal positions.
    pub draw: Dfa,
}

/// The sets and moves of a game.
pub struct Engine {
    /// The game.
    pub game: Arc<dyn Game>,
    /// `None` in an engine for reachable positions only.
    terminal: Option<[TerminalSets; 2]>,
    over: [Over; 2],
    /// The set to which the moves of each side must lead, unless every word is allowed.
    arrivals: [Option<Dfa>; 2],
    ways: Ways,
    /// `true` if memory did not suffice for two concurrent computations.
    apart: bool,
}

impl Engine {
    /// Compiles the moves and terminal sets of both sides. Scratch files of large passes are written to `scratch`, if
    /// given, and unit files to a folder in it.
    ///
    /// # Errors
    /// Returns an error if the description of the game does not fit its own shape, or if memory is exhausted.
    pub fn new(game: Arc<dyn Game>, resources: &Resources, scratch: Option<PathBuf>) -> Result<Self> {
        let rules = CompiledRules::new(Arc::clone(&game), resources)?;
        Self::of(game, Loaded::whole(rules), resources, scratch)
    }

    /// Creates an engine for sets of reachable positions, on which [`Engine::terminal`] must not be called. If the game
    /// describes terminal positions by several sets ([`nerode_games::SymbolicGame::over_in_play`]), the engine does not
    /// compute the set of all terminal words, which may be too large.
    ///
    /// # Errors
    /// Returns the same errors as [`Engine::new`].
    pub fn in_play(game: Arc<dyn Game>, resources: &Resources, scratch: Option<PathBuf>) -> Result<Self> {
        match Loaded::in_play(game.as_ref(), resources)? {
            Some(loaded) => Self::of(game, loaded, resources, scratch),
            None => Self::new(game, resources, scratch),
        }
    }

    fn of(
        game: Arc<dyn Game>,
        loaded: Loaded,
        resources: &Resources,
        scratch: Option<PathBuf>,
    ) -> Result<Self> {
        let (terminal, over, arrivals) =
            (loaded.terminal.clone(), loaded.over.clone(), loaded.arrivals.clone());
        let ways = Ways::new(Arc::clone(&game), loaded, resources, scratch)?;
        Ok(Self { game, terminal, over, arrivals, ways, apart: false })
    }

    /// Performs both computations, concurrently if passes run on more than one thread, and otherwise one after the
    /// other. If memory does not suffice for both, they are restarted one after the other, and later calls are
    /// sequential too.
    ///
    /// # Errors
    /// Returns the errors of `a`, or else those of `b`.
    pub fn both<A: Send, B: Send>(
        &mut self,
        a: impl Fn(&mut Self) -> Result<A> + Sync,
        b: impl Fn(&mut Self) -> Result<B> + Sync,
    ) -> Result<(A, B)> {
        if self.passing() && !self.apart && self.ways.passes().num_threads() > 1 {
            let (mut one, mut other) = (self.twin(), self.twin());
            match self.ways.passes().clone().join(|| a(&mut one), || b(&mut other)) {
                (Err(e), _) | (_, Err(e)) if e.is_out_of_room() || is_too_large(&e) => self.keep_apart(),
                (a, b) => return Ok((a?, b?)),
            }
        }
        Ok((a(self)?, b(self)?))
    }

    /// Performs `other`, and `work` with this engine, concurrently if passes run on more than one thread. If memory
    /// does not suffice for both, `work` is restarted after `other`, and later calls are sequential too.
    ///
    /// # Errors
    /// Returns the errors of `other`, or else those of `work`.
    pub fn beside<A: Send>(
        &mut self,
        other: impl FnOnce() -> Result<()> + Send,
        mut work: impl FnMut(&mut Self) -> Result<A> + Send,
    ) -> Result<A> {
        if self.apart || !self.passing() || self.ways.passes().num_threads() == 1 {
            other()?;
            return work(self);
        }
        let passes = self.passes();
        let (done, other) = passes.join(|| work(self), other);
        other?;
        match done {
            Err(e) if e.is_out_of_room() => {
                self.keep_apart();
                work(self)
            }
            done => done,
        }
    }

    /// Returns the passes, for callers that use their threads or hold memory in addition to theirs.
    pub fn passes(&self) -> Arc<Passes> {
        Arc::clone(self.ways.passes())
    }

    /// Makes [`Engine::both`] and [`Engine::beside`] sequential from now on, which needs less memory.
    pub fn keep_apart(&mut self) {
        self.apart = true;
    }

    /// Returns `true` if computations are sequential, see [`Engine::keep_apart`].
    pub fn is_apart(&self) -> bool {
        self.apart
    }

    /// Returns an engine that shares the passes with their threads and memory cap.
    fn twin(&self) -> Self {
        Self {
            game: Arc::clone(&self.game),
            terminal: self.terminal.clone(),
            over: self.over.clone(),
            arrivals: self.arrivals.clone(),
            ways: self.ways.twin(),
            apart: true,
        }
    }

    /// Returns `true` if the engine has no sets over all words, see [`Engine::in_play`].
    pub fn is_in_play(&self) -> bool {
        self.terminal.is_none()
    }

    /// Returns the terminal sets with `side` to move.
    ///
    /// # Panics
    /// Panics in an engine created by [`Engine::in_play`].
    #[allow(clippy::expect_used, reason = "a programming error, and the panic is documented")]
    pub fn terminal(&self, side: Side) -> &TerminalSets {
        let terminal =
            self.terminal.as_ref().expect("an engine for positions of play has no sets of all words");
        &terminal[side.index()]
    }

    /// Returns the positions of `set` with `side` to move in which the game goes on or no move is left. All positions
    /// of `set` must be reachable.
    ///
    /// # Errors
    /// Returns the same errors as [`Engine::image`].
    pub fn playing(&mut self, set: &Dfa, side: Side) -> Result<Dfa> {
        let over = self.over[side.index()].all.clone();
        let mut playing = set.clone();
        for parts in over.chunks(MAX_SIDES - 1) {
            let sets: Vec<&Dfa> = iter::once(&playing).chain(parts).collect();
            playing = self.combine(&sets, |x| x[0] && !x[1..].contains(&true))?;
        }
        Ok(playing)
    }

    /// Partitions `set`, whose positions must be reachable with `side` to move, into positions in which the game goes
    /// on and terminal positions.
    ///
    /// Cost: that of [`Engine::playing`], and one combination for each value that terminal positions have.
    ///
    /// # Errors
    /// Returns the same errors as [`Engine::image`].
    pub fn partition(&mut self, set: &Dfa, side: Side) -> Result<Partition> {
        let Over { win, draw, stuck, .. } = self.over[side.index()].clone();
        let mut parts = Partition {
            playing: self.playing(set, side)?,
            win: self.within(set, &win)?,
            draw: self.within(set, &draw)?,
        };
        if let Some(stuck) = stuck {
            let without_move = self.combine(&[&parts.playing, &stuck.can_move], |x| x[0] && !x[1])?;
            if !without_move.is_empty() {
                parts.playing = self.combine(&[&parts.playing, &stuck.can_move], |x| x[0] && x[1])?;
                for (part, value) in [(&mut parts.win, &stuck.win), (&mut parts.draw, &stuck.draw)] {
                    *part = self.combine(&[part, &without_move, value], |x| x[0] || x[1] && x[2])?;
                }
            }
        }
        Ok(parts)
    }

    /// Returns `set ∩ ⋃ parts`.
    fn within(&mut self, set: &Dfa, parts: &[Dfa]) -> Result<Dfa> {
        let mut within = Dfa::empty(set.shape());
        for parts in parts.chunks(MAX_SIDES - 2) {
            let sets: Vec<&Dfa> = [&within, set].into_iter().chain(parts).collect();
            within = self.combine(&sets, |x| x[0] || x[1] && x[2..].contains(&true))?;
        }
        Ok(within)
    }

    /// Returns `{ y : f(y ∈ operand, [y ∈ set for each of sides]) }`.
    ///
    /// Moves lead only to words at which the game allows them to arrive, and a pass counts as a move. There may be up
    /// to four side sets, and one fewer in games with arrivals or passes.
    ///
    /// # Errors
    /// Returns an error if memory is exhausted, if the disk is too full for scratch files, or if the computation is
    /// interrupted.
    pub fn image(
        &mut self,
        operand: Operand<'_>,
        sides: &[&Dfa],
        f: impl Fn(bool, &[bool]) -> bool,
    ) -> Result<Dfa> {
        self.with_moves(operand, sides, &f, |engine, operand, sides, f| engine.ways.image(operand, sides, f))
    }

    /// Returns the number of positions in the result of [`Engine::image`]. In passes, this does not create the states
    /// of that set.
    ///
    /// # Errors
    /// Returns the same errors as [`Engine::image`], or an error if the number does not fit into 128 bits.
    pub fn count_image(
        &mut self,
        operand: Operand<'_>,
        sides: &[&Dfa],
        f: impl Fn(bool, &[bool]) -> bool,
    ) -> Result<u128> {
        self.with_moves(operand, sides, &f, |engine, operand, sides, f| {
            engine.ways.count_image(operand, sides, f)
        })
    }

    /// Calls `end` with a set, sides and `f` that already account for passes and arrivals, so that moves may lead
    /// anywhere.
    fn with_moves<T>(
        &mut self,
        operand: Operand<'_>,
        sides: &[&Dfa],
        f: Values<'_>,
        end: impl FnOnce(&mut Self, Operand<'_>, &[&Dfa], Values<'_>) -> Result<T>,
    ) -> Result<T> {
        let terminal = self.terminal.as_ref().map(|terminal| &terminal[operand.side.index()]);
        let Some(passes) = terminal.and_then(|terminal| terminal.passes.clone()) else {
            return self.with_arrivals(operand, sides, f, end);
        };
        // A pass leads from a word to itself, in both directions.
        let stay = self.combine(&[operand.set, &passes], |x| x[0] != operand.complement && x[1])?;
        let all: Vec<&Dfa> = sides.iter().copied().chain([&stay]).collect();
        self.with_arrivals(operand, &all, &|x, s| f(x || s[sides.len()], &s[..sides.len()]), end)
    }

    /// Does the same for arrivals only.
    fn with_arrivals<T>(
        &mut self,
        operand: Operand<'_>,
        sides: &[&Dfa],
        f: Values<'_>,
        end: impl FnOnce(&mut Self, Operand<'_>, &[&Dfa], Values<'_>) -> Result<T>,
    ) -> Result<T> {
        let Some(arrivals) = self.arrivals[operand.side.index()].clone() else {
            return end(self, operand, sides, f);
        };
        if operand.direction == Direction::Forward {
            let bounded = [sides, &[&arrivals]].concat();
            let last = sides.len();
            return end(self, operand, &bounded, &|x, s| f(x && s[last], &s[..last]));
        }
        let complement = operand.complement;
        let set = self.combine(&[operand.set, &arrivals], |x| x[0] != complement && x[1])?;
        end(self, Operand { set: &set, complement: false, ..operand }, sides, f)
    }

    /// Returns the unit files of computed results, which are to be removed once the results are stored.
    pub fn units_done(&self) -> Option<Done> {
        self.ways.units_done()
    }

    /// Returns `{ y : f([y ∈ set for each of sets]) }`.
    ///
    /// # Errors
    /// Returns the same errors as [`Engine::image`].
    pub fn combine(&mut self, sets: &[&Dfa], f: impl Fn(&[bool]) -> bool) -> Result<Dfa> {
        self.ways.combine(sets, &f)
    }

    /// Ends the recursions if `set` has too many states for them.
    pub(crate) fn choose_way(&mut self, set: &Dfa) {
        self.ways.choose(set);
    }

    /// Returns the number of bytes that remain under the memory cap for a computation outside the engine.
    ///
    /// If the engine may choose its method and the recursions would leave only a small part of the cap, they are ended
    /// first: their store keeps earlier results, whereas passes do not.
    pub fn room(&mut self) -> u64 {
        self.ways.room()
    }

    /// Returns the positions of `set`, with `side` to move, in the form in which the game counts them: see
    /// [`nerode_games::SymbolicGame::canonical_for_counting`].
    ///
    /// Cost: an additional store, with the remaining memory, and operations in it if the game does not count plain
    /// words.
    ///
    /// # Errors
    /// Returns an error if memory is exhausted or the computation is interrupted.
    pub fn canonical_for_counting(&mut self, side: Side, set: &Dfa) -> Result<Dfa> {
        let room = Resources { memory: self.room(), ..self.ways.resources().clone() };
        let mut store = room.store(self.game.shape())?;
        let told = self.game.canonical_for_counting(&mut store, side, set)?;
        Ok(told.map_or_else(|| set.clone(), |told| store.freeze(&told)))
    }

    /// Returns the start position as a set, and the side to move.
    ///
    /// # Errors
    /// Returns an error if the start position does not fit the shape.
    pub fn start(&self) -> Result<(Dfa, Side)> {
        let (board, side) = self.game.start();
        Ok((Dfa::word(self.game.shape(), &self.game.word_of(&board))?, side))
    }

    /// Returns `true` if sets are currently moved in passes. Passes cache no results, so it is worthwhile to move only
    /// new positions.
    pub fn passing(&self) -> bool {
        self.ways.passing()
    }

    /// Returns the number of bytes in tables, and in automata that were passed to or created by the engine and are
    /// still in memory.
    pub fn bytes(&self) -> u64 {
        self.ways.bytes()
    }

    /// Returns the statistics of the recursions, as long as there are any.
    pub fn recursion_stats(&self) -> Option<&OpStats> {
        self.ways.recursion_stats()
    }

    /// Returns the statistics of the passes.
    pub fn pass_stats(&self) -> PassStats {
        self.ways.passes().stats()
    }
}

#[cfg(test)]
mod tests {
    use nerode_games::registry::open;

    use super::*;
    use crate::solve::method::Chains;
    use crate::solve::resources::Backend;
    use crate::solve::retrograde::Retrograde;

    /// From some ply on, the sets of this board need more image pairs than 16 bits can number.
    #[test]
    fn a_set_that_no_pass_holds_is_moved_by_recursions() {
        let resources = Resources { threads: 2, memory: 1 << 30, ..Resources::default() };
        let solved = |bits: Option<u32>, chains| {
            let mut engine = Engine::new(open("breakthrough:4x5").unwrap(), &resources, None).unwrap();
            if let Some(bits) = bits {
                engine.ways.set_pair_bits(bits);
            }
            let mut iteration = Retrograde::new(&engine, chains);
            let mut passed = false;
            while iteration.ply() < 12 && iteration.step(&mut engine).unwrap() {
                passed |= engine.passing();
            }
            (iteration.level().clone(), passed, engine.ways.recursions_stay())
        };
        for chains in [Chains::One, Chains::Both] {
            let (whole, passed, stayed) = solved(None, chains);
            assert!(passed && !stayed);
            let (again, _, stayed) = solved(Some(16), chains);
            assert!(stayed && again == whole, "{chains:?}");
        }
    }

    #[test]
    fn failures_of_passes_are_reported_if_only_passes_are_allowed() {
        let resources = Resources { backend: Backend::Passes, ..Resources::default() };
        let mut engine = Engine::new(open("breakthrough:4x4").unwrap(), &resources, None).unwrap();
        engine.ways.set_pair_bits(4);
        let mut iteration = Retrograde::new(&engine, Chains::Both);
        assert!(is_too_large(&iteration.step(&mut engine).unwrap_err()));
    }
}
