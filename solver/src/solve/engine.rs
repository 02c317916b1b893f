//! Moves and combines sets of a game's positions, which are finished automata. There are two ways: recursions in a store that
//! remembers results, for small sets, and passes a layer at a time, for large ones.
//!
//! Invariant: results are canonical. They do not depend on the way, the threads or the history.

use std::iter;
use std::path::PathBuf;
use std::sync::Arc;

use nerode_dfa::{Dfa, Direction, MAX_SIDES, OpStats, PassStats, Passes};
use nerode_games::{Game, Side};

use super::ended::{Ended, Over};
use super::loaded::Loaded;
use super::moved::Moved;
use super::resources::Resources;
use super::rules::CompiledRules;
use super::ways::{Values, Ways, is_too_large};
use crate::error::Result;
use crate::units::Done;

/// Positions with one side to move by whether the game is over; those in none of the three sets are over and lost.
#[derive(Clone, Debug)]
pub struct Partition {
    /// The game goes on.
    pub playing: Dfa,
    /// The game is over, and the side to move has won.
    pub win: Dfa,
    /// The game is over and drawn.
    pub draw: Dfa,
}

/// A game's sets and moves.
pub struct Engine {
    /// The game.
    pub game: Arc<dyn Game>,
    /// `None` in an engine for positions of play.
    ended: Option<[Ended; 2]>,
    over: [Over; 2],
    /// What the moves of each side must lead to, if not every word will do.
    arrivals: [Option<Dfa>; 2],
    ways: Ways,
    /// Whether memory did not suffice for two computations at once.
    apart: bool,
}

impl Engine {
    /// Compiles the moves and terminal sets of both sides. Scratch files of large passes go to `scratch`, if given, and units to a
    /// folder there.
    ///
    /// # Errors
    /// A description that does not fit its own shape; running out of memory.
    pub fn new(game: Arc<dyn Game>, resources: &Resources, scratch: Option<PathBuf>) -> Result<Self> {
        let rules = CompiledRules::new(Arc::clone(&game), resources)?;
        Self::of(game, Loaded::whole(rules), resources, scratch)
    }

    /// An engine for sets of positions that play reaches: [`Engine::ended`] must not be called. For a game that states where play is
    /// over in several sets ([`nerode_games::SymbolicGame::over_in_play`]) it has no set of all terminal words, which may be too large.
    ///
    /// # Errors
    /// As [`Engine::new`].
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
        let (ended, over, arrivals) = (loaded.ended.clone(), loaded.over.clone(), loaded.arrivals.clone());
        let ways = Ways::new(Arc::clone(&game), loaded, resources, scratch)?;
        Ok(Self { game, ended, over, arrivals, ways, apart: false })
    }

    /// Does both computations: at once where passes run on more than one thread, else one after the other. If memory does not
    /// suffice for both at once, they begin again one after the other, and so does everything after them.
    ///
    /// # Errors
    /// Those of `a`, else those of `b`.
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

    /// Does `other`, then `work` with this engine; both at once where passes run on more than one thread. If memory does not
    /// suffice for both at once, `work` begins again after `other`, and everything after it waits likewise.
    ///
    /// # Errors
    /// Those of `other`; else those of `work`.
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

    /// The passes, for whoever has work for their threads or holds memory beside them.
    pub fn passes(&self) -> Arc<Passes> {
        Arc::clone(self.ways.passes())
    }

    /// Makes [`Engine::both`] and [`Engine::beside`] do one after the other from now on, which takes less memory.
    pub fn keep_apart(&mut self) {
        self.apart = true;
    }

    /// Whether one is done after the other, see [`Engine::keep_apart`].
    pub fn is_apart(&self) -> bool {
        self.apart
    }

    /// An engine of the same passes, with their threads and memory cap.
    fn twin(&self) -> Self {
        Self {
            game: Arc::clone(&self.game),
            ended: self.ended.clone(),
            over: self.over.clone(),
            arrivals: self.arrivals.clone(),
            ways: self.ways.twin(),
            apart: true,
        }
    }

    /// Whether the engine has no sets of all words, see [`Engine::in_play`].
    pub fn is_in_play(&self) -> bool {
        self.ended.is_none()
    }

    /// Where the game is over with `side` to move.
    ///
    /// # Panics
    /// In an engine made by [`Engine::in_play`].
    #[allow(clippy::expect_used, reason = "misuse by code, documented")]
    pub fn ended(&self, side: Side) -> &Ended {
        let ended = self.ended.as_ref().expect("an engine for positions of play has no sets of all words");
        &ended[side.index()]
    }

    /// The positions of `set`, which play comes to, with `side` to move where the game goes on or no move is left.
    ///
    /// # Errors
    /// As [`Engine::image`].
    pub fn playing(&mut self, set: &Dfa, side: Side) -> Result<Dfa> {
        let over = self.over[side.index()].all.clone();
        let mut playing = set.clone();
        for parts in over.chunks(MAX_SIDES - 1) {
            let sets: Vec<&Dfa> = iter::once(&playing).chain(parts).collect();
            playing = self.combine(&sets, |x| x[0] && !x[1..].contains(&true))?;
        }
        Ok(playing)
    }

    /// `set`, of positions that play reaches with `side` to move, divided into those where the game goes on and those where it is
    /// over.
    ///
    /// Cost: that of [`Engine::playing`], and a combination for each value that terminal positions have.
    ///
    /// # Errors
    /// As [`Engine::image`].
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

    /// `set ∩ ⋃ parts`
    fn within(&mut self, set: &Dfa, parts: &[Dfa]) -> Result<Dfa> {
        let mut within = Dfa::empty(set.shape());
        for parts in parts.chunks(MAX_SIDES - 2) {
            let sets: Vec<&Dfa> = [&within, set].into_iter().chain(parts).collect();
            within = self.combine(&sets, |x| x[0] || x[1] && x[2..].contains(&true))?;
        }
        Ok(within)
    }

    /// `{ y : f(y ∈ moved, [y ∈ set for each of sides]) }`.
    ///
    /// Moves lead only to where the game lets them arrive, and a pass is a move. There may be four sides; one fewer in games with
    /// arrivals or passes.
    ///
    /// # Errors
    /// Running out of memory or, on scratch files, of disk; interruption.
    pub fn image(
        &mut self,
        moved: Moved<'_>,
        sides: &[&Dfa],
        f: impl Fn(bool, &[bool]) -> bool,
    ) -> Result<Dfa> {
        self.with_moves(moved, sides, &f, |engine, moved, sides, f| engine.ways.image(moved, sides, f))
    }

    /// The number of positions of [`Engine::image`]; in passes, without the states of that set.
    ///
    /// # Errors
    /// As [`Engine::image`]; more words than 128 bits can number.
    pub fn count_image(
        &mut self,
        moved: Moved<'_>,
        sides: &[&Dfa],
        f: impl Fn(bool, &[bool]) -> bool,
    ) -> Result<u128> {
        self.with_moves(moved, sides, &f, |engine, moved, sides, f| engine.ways.count_image(moved, sides, f))
    }

    /// Calls `end` with a set, sides and `f` such that `end` need not know of passes and arrivals: moves may lead anywhere there.
    fn with_moves<T>(
        &mut self,
        moved: Moved<'_>,
        sides: &[&Dfa],
        f: Values<'_>,
        end: impl FnOnce(&mut Self, Moved<'_>, &[&Dfa], Values<'_>) -> Result<T>,
    ) -> Result<T> {
        let ended = self.ended.as_ref().map(|ended| &ended[moved.side.index()]);
        let Some(passes) = ended.and_then(|ended| ended.passes.clone()) else {
            return self.with_arrivals(moved, sides, f, end);
        };
        // A pass leads from a word to itself, either way.
        let stay = self.combine(&[moved.set, &passes], |x| x[0] != moved.complement && x[1])?;
        let all: Vec<&Dfa> = sides.iter().copied().chain([&stay]).collect();
        self.with_arrivals(moved, &all, &|x, s| f(x || s[sides.len()], &s[..sides.len()]), end)
    }

    /// The same without passes.
    fn with_arrivals<T>(
        &mut self,
        moved: Moved<'_>,
        sides: &[&Dfa],
        f: Values<'_>,
        end: impl FnOnce(&mut Self, Moved<'_>, &[&Dfa], Values<'_>) -> Result<T>,
    ) -> Result<T> {
        let Some(arrivals) = self.arrivals[moved.side.index()].clone() else {
            return end(self, moved, sides, f);
        };
        if moved.direction == Direction::Forward {
            let bounded = [sides, &[&arrivals]].concat();
            let last = sides.len();
            return end(self, moved, &bounded, &|x, s| f(x && s[last], &s[..last]));
        }
        let complement = moved.complement;
        let set = self.combine(&[moved.set, &arrivals], |x| x[0] != complement && x[1])?;
        end(self, Moved { set: &set, complement: false, ..moved }, sides, f)
    }

    /// Files of units whose results were computed, to be removed once these are kept.
    pub fn units_done(&self) -> Option<Done> {
        self.ways.units_done()
    }

    /// `{ y : f([y ∈ set for each of sets]) }`.
    ///
    /// # Errors
    /// As [`Engine::image`].
    pub fn combine(&mut self, sets: &[&Dfa], f: impl Fn(&[bool]) -> bool) -> Result<Dfa> {
        self.ways.combine(sets, f)
    }

    /// Ends the recursions where `set` has too many states for them.
    pub(crate) fn choose_way(&mut self, set: &Dfa) {
        self.ways.choose(set);
    }

    /// Bytes that are left under the memory cap for a computation beside the engine.
    ///
    /// Recursions that would leave little of the cap are ended first, where the engine may choose its way: their store keeps
    /// what it computed, which passes do without.
    pub fn room(&mut self) -> u64 {
        self.ways.room()
    }

    /// `set`, of positions with `side` to move, as the game counts them: see
    /// [`nerode_games::SymbolicGame::canonical_for_counting`].
    ///
    /// Cost: a store beside the engine's, with the memory that is left; operations in it where the game does not count words.
    ///
    /// # Errors
    /// Running out of memory; interruption.
    pub fn canonical_for_counting(&mut self, side: Side, set: &Dfa) -> Result<Dfa> {
        let room = Resources { memory: self.room(), ..self.ways.resources().clone() };
        let mut store = room.store(self.game.shape())?;
        let told = self.game.canonical_for_counting(&mut store, side, set)?;
        Ok(told.map_or_else(|| set.clone(), |told| store.freeze(&told)))
    }

    /// The start position as a set, and the side to move.
    ///
    /// # Errors
    /// A start position that does not fit the shape.
    pub fn start(&self) -> Result<(Dfa, Side)> {
        let (board, side) = self.game.start();
        Ok((Dfa::word(self.game.shape(), &self.game.word_of(&board))?, side))
    }

    /// Whether sets are moved in passes now. Passes remember nothing, so it pays to move only what is new.
    pub fn passing(&self) -> bool {
        self.ways.passing()
    }

    /// Bytes of tables, and of automata that the engine was given or made and that are still in memory.
    pub fn bytes(&self) -> u64 {
        self.ways.bytes()
    }

    /// What the recursions did so far, while there are any.
    pub fn recursion_stats(&self) -> Option<&OpStats> {
        self.ways.recursion_stats()
    }

    /// What the passes did so far.
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

    /// Pairs of 16 bits do not hold the sets of this board from some ply on.
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
    fn who_asks_for_passes_alone_is_told() {
        let resources = Resources { backend: Backend::Passes, ..Resources::default() };
        let mut engine = Engine::new(open("breakthrough:4x4").unwrap(), &resources, None).unwrap();
        engine.ways.set_pair_bits(4);
        let mut iteration = Retrograde::new(&engine, Chains::Both);
        assert!(is_too_large(&iteration.step(&mut engine).unwrap_err()));
    }
}
