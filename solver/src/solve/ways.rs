//! Which way a set is moved: by recursions while sets are small, in passes where they are large, and by recursions again where a
//! pass cannot hold it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use nerode_dfa::{Dfa, Image, OpStats, PassMoves, Passes, Store};
use nerode_games::{Game, Side};

use super::loaded::Loaded;
use super::moved::Moved;
use super::recursions::Recursions;
use super::resources::{Backend, Resources};
use super::rules::CompiledRules;
use crate::error::{Error, Result};
use crate::units::{Done, Means, Workshop};

/// States of a set from which on passes are faster than recursions, see `results/engine-log.md`.
const PASS_STATES: usize = 1 << 13;

/// Part of the memory cap, as a divisor, below which recursions leave too little for others.
const LEAST_ROOM: u64 = 4;

/// Which words are wanted, by whether a word is in the image and in each of the side sets.
pub(super) type Values<'a> = &'a dyn Fn(bool, &[bool]) -> bool;

/// Whether a pass had more image pairs in a layer than it can number.
pub(super) fn is_too_large(error: &Error) -> bool {
    matches!(error, Error::Dfa(nerode_dfa::Error::TooManyStates { .. }))
}

/// The moves of a side, compiled for passes.
///
/// # Errors
/// A description that does not fit its own shape; running out of memory.
pub fn pass_moves(game: &dyn Game, store: &mut Store, side: Side) -> Result<PassMoves> {
    Ok(PassMoves::new(&game.moves(store, side)?)?)
}

/// A game's moves, compiled for both ways.
pub(super) struct Ways {
    game: Arc<dyn Game>,
    resources: Resources,
    moves: Arc<[PassMoves; 2]>,
    passes: Arc<Passes>,
    /// `None` once sets are large: the passes have its memory then.
    recursions: Option<Recursions>,
    /// Whether the recursions stay, because there is a set that no pass can move.
    recursions_stay: bool,
    /// Does images of large sets in units, if asked to.
    workshop: Option<Arc<Workshop>>,
    /// Whether this is one of two that compute at once.
    is_twin: bool,
    /// Whether recursions need only be right for positions of play.
    is_in_play: bool,
}

impl Ways {
    /// Compiles the moves of `game` for passes; `loaded` has them for recursions. Scratch files of large passes go to `scratch`,
    /// if given, and units to a folder there.
    ///
    /// # Errors
    /// A description that does not fit its own shape; running out of memory.
    pub(super) fn new(
        game: Arc<dyn Game>,
        mut loaded: Loaded,
        resources: &Resources,
        scratch: Option<PathBuf>,
    ) -> Result<Self> {
        let mut moves = |side| pass_moves(game.as_ref(), &mut loaded.store, side);
        let moves = Arc::new([moves(Side::P1)?, moves(Side::P2)?]);
        let workshop = resources.units.zip(scratch.as_ref());
        let workshop = workshop.map(|(sizes, home)| {
            let watch = resources.on_units.clone();
            Arc::new(Workshop::new(home.clone(), sizes, resources.units_by, watch))
        });
        let mut passes = resources.passes(scratch)?;
        passes.set_sets_in_files(workshop.is_some());
        let is_in_play = loaded.ended.is_none();
        let recursions = (resources.backend != Backend::Passes).then(|| loaded.into_recursions());
        let (passes, resources) = (Arc::new(passes), resources.clone());
        Ok(Self {
            game,
            resources,
            moves,
            passes,
            recursions,
            recursions_stay: false,
            workshop,
            is_twin: false,
            is_in_play,
        })
    }

    /// The same passes, with their threads and memory cap, for one of two that compute at once.
    pub(super) fn twin(&self) -> Self {
        Self {
            game: Arc::clone(&self.game),
            resources: self.resources.clone(),
            moves: Arc::clone(&self.moves),
            passes: Arc::clone(&self.passes),
            recursions: None,
            recursions_stay: false,
            workshop: self.workshop.clone(),
            is_twin: true,
            is_in_play: self.is_in_play,
        }
    }

    /// The image, wherever moves lead.
    pub(super) fn image(&mut self, moved: Moved<'_>, sides: &[&Dfa], f: Values<'_>) -> Result<Dfa> {
        self.choose(moved.set);
        // Every macrostate would name the residual of an empty side set.
        if let Some(empty) = sides.iter().position(|side| side.is_empty()) {
            let (before, after) = (&sides[..empty], &sides[empty + 1..]);
            let with_empty = |x, s: &[bool]| f(x, &[&s[..empty], &[false], &s[empty..]].concat());
            return self.image(moved, &[before, after].concat(), &with_empty);
        }
        if self.recursions.is_none() {
            match self.image_in_passes(moved, sides, f) {
                Err(error) if is_too_large(&error) => self.return_to_recursions(error)?,
                done => return done,
            }
        }
        match &mut self.recursions {
            None => self.image_in_passes(moved, sides, f),
            Some(recursions) => {
                let result = recursions.image(moved, sides, |x| f(x[0], &x[1..]))?;
                self.passes.charge(&result);
                Ok(result)
            }
        }
    }

    /// How many positions the image has; in passes, without its states.
    pub(super) fn count_image(&mut self, moved: Moved<'_>, sides: &[&Dfa], f: Values<'_>) -> Result<u128> {
        self.choose(moved.set);
        if self.recursions.is_none() {
            match self.passes.count_image(self.to_move(moved), sides, f).map_err(Error::from) {
                Err(error) if is_too_large(&error) => self.return_to_recursions(error)?,
                counted => return counted,
            }
        }
        Ok(self.image(moved, sides, f)?.count()?)
    }

    /// In units, a combination is an image in which no position is moved.
    fn combine_in_passes(&self, sets: &[&Dfa], f: impl Fn(&[bool]) -> bool) -> Result<Dfa> {
        let largest = sets.iter().map(|set| set.num_states()).max().unwrap_or(0);
        match self.workshop.as_ref().filter(|workshop| workshop.takes(largest)) {
            None => Ok(self.passes.combine(sets, f)?),
            Some(workshop) => {
                let nothing = Dfa::empty(sets[0].shape());
                let image = self.to_move(Moved::from(&nothing, Side::P1));
                self.image_in_units(workshop, (image, Side::P1), sets, &|_, sets| f(sets))
            }
        }
    }

    fn image_in_passes(&self, moved: Moved<'_>, sides: &[&Dfa], f: Values<'_>) -> Result<Dfa> {
        let image = self.to_move(moved);
        match self.workshop.as_ref().filter(|workshop| workshop.takes(moved.set.num_states())) {
            None => Ok(self.passes.image(image, sides, f)?),
            Some(workshop) => self.image_in_units(workshop, (image, moved.side), sides, f),
        }
    }

    fn image_in_units(
        &self,
        workshop: &Workshop,
        (image, side): (Image<'_>, Side),
        sides: &[&Dfa],
        f: Values<'_>,
    ) -> Result<Dfa> {
        let disk = &self.resources.disk;
        let must_hold = |path: &Path, bytes| disk.must_hold(path, bytes);
        let means = Means { must_hold: &must_hold, interrupt: &self.resources.interrupt };
        workshop.image(&self.passes, (image, side.index() as u32), sides, f, &means)
    }

    /// What a pass moves.
    fn to_move<'a>(&'a self, Moved { side, direction, set, complement }: Moved<'a>) -> Image<'a> {
        Image { set, complement, moves: &self.moves[side.index()], direction }
    }

    /// Recursions in a new store, which stay: what `error` says that a pass cannot hold is theirs. Two computations at once have no
    /// room for two such stores, so that they end with `error` and begin again one after the other.
    fn return_to_recursions(&mut self, error: Error) -> Result<()> {
        if self.resources.backend != Backend::Auto || self.is_twin {
            return Err(error);
        }
        let resources = Resources { memory: self.room(), ..self.resources.clone() };
        let in_play = match self.is_in_play {
            true => Loaded::in_play(self.game.as_ref(), &resources)?,
            false => None,
        };
        let loaded = match in_play {
            Some(loaded) => loaded,
            None => Loaded::whole(CompiledRules::new(Arc::clone(&self.game), &resources)?),
        };
        self.recursions = Some(loaded.into_recursions());
        self.recursions_stay = true;
        Ok(())
    }

    /// `{ y : f([y ∈ set for each of sets]) }`.
    pub(super) fn combine(&mut self, sets: &[&Dfa], f: impl Fn(&[bool]) -> bool) -> Result<Dfa> {
        if let Some(largest) = sets.iter().max_by_key(|set| set.num_states()) {
            self.choose(largest);
        }
        match &mut self.recursions {
            None => self.combine_in_passes(sets, &f),
            Some(recursions) => {
                let result = recursions.combine(sets, f)?;
                self.passes.charge(&result);
                Ok(result)
            }
        }
    }

    /// Ends the recursions where `set` has too many states for them.
    pub(super) fn choose(&mut self, set: &Dfa) {
        // Units are parts of passes.
        let from_states =
            self.workshop.as_ref().map_or(PASS_STATES, |units| units.from_states().min(PASS_STATES));
        if self.may_end_recursions() && set.num_states() >= from_states {
            self.recursions = None;
        }
    }

    /// Bytes that are left under the memory cap. Recursions that would leave little of the cap are ended first, where they may
    /// be: their store keeps what it computed, which passes do without.
    pub(super) fn room(&mut self) -> u64 {
        let limit = self.resources.memory;
        if self.may_end_recursions() && limit.saturating_sub(self.bytes()) < limit / LEAST_ROOM {
            self.recursions = None;
        }
        limit.saturating_sub(self.bytes())
    }

    fn may_end_recursions(&self) -> bool {
        self.resources.backend == Backend::Auto && !self.recursions_stay
    }

    /// Whether sets are moved in passes now.
    pub(super) fn passing(&self) -> bool {
        self.recursions.is_none()
    }

    /// Bytes of tables, and of automata that were given or made and that are still in memory.
    pub(super) fn bytes(&self) -> u64 {
        self.passes.bytes() + self.recursions.as_ref().map_or(0, |r| r.store.bytes())
    }

    /// What the recursions did so far, while there are any.
    pub(super) fn recursion_stats(&self) -> Option<&OpStats> {
        self.recursions.as_ref().map(|r| r.store.stats())
    }

    /// The passes.
    pub(super) fn passes(&self) -> &Arc<Passes> {
        &self.passes
    }

    /// What limits the work.
    pub(super) fn resources(&self) -> &Resources {
        &self.resources
    }

    /// Files of units whose results were computed, to be removed once these are kept.
    pub(super) fn units_done(&self) -> Option<Done> {
        self.workshop.as_ref().map(|workshop| workshop.take_done())
    }

    /// Makes passes refuse more image pairs in a layer than `bits` can number, from the next image on.
    #[cfg(test)]
    pub(super) fn set_pair_bits(&mut self, bits: u32) {
        Arc::get_mut(&mut self.passes).unwrap().set_pair_bits(bits);
    }

    /// Whether recursions came back to stay.
    #[cfg(test)]
    pub(super) fn recursions_stay(&self) -> bool {
        self.recursions_stay
    }
}
