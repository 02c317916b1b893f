//! Selection between recursions and passes: recursions while sets are small, passes when they are large, and recursions
//! again for a set that a pass cannot process.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use nerode_dfa::{Dfa, Image, OpStats, PassMoves, Passes, Store};
use nerode_games::{Game, Side};

use super::loaded::Loaded;
use super::operand::Operand;
use super::recursions::Recursions;
use super::resources::{Backend, Resources};
use super::rules::CompiledRules;
use crate::error::{Error, Result};
use crate::units::{Done, Means, Workshop};

/// The number of states of a set from which on passes are faster than recursions, see `lab/engine-log.md`.
const PASS_STATES: usize = 1 << 13;

/// The fraction of the memory cap, as a divisor, that recursions must leave free.
const LEAST_ROOM: u64 = 4;

/// A function that selects words, given whether a word is in the image and in each of the side sets.
pub(super) type Values<'a> = &'a dyn Fn(bool, &[bool]) -> bool;

/// Returns `true` if a pass had more image pairs in a layer than it can number.
pub(super) fn is_too_large(error: &Error) -> bool {
    matches!(error, Error::Dfa(nerode_dfa::Error::TooManyStates { .. }))
}

/// Compiles the moves of a side for passes.
///
/// # Errors
/// Returns an error if the description of the game does not fit its own shape, or if memory is exhausted.
pub fn pass_moves(game: &dyn Game, store: &mut Store, side: Side) -> Result<PassMoves> {
    let graph = game.moves(store, side)?;
    Ok(PassMoves::with_limits_of(store, &graph)?)
}

/// The moves of a game, compiled for both methods.
pub(super) struct Ways {
    game: Arc<dyn Game>,
    resources: Resources,
    moves: Arc<[PassMoves; 2]>,
    passes: Arc<Passes>,
    /// `None` once sets are large, so that the passes can use the memory.
    recursions: Option<Recursions>,
    /// `true` if the recursions must be kept, because there is a set that no pass can move.
    recursions_stay: bool,
    /// The workshop that computes images of large sets in units, if requested.
    workshop: Option<Arc<Workshop>>,
    /// `true` if this is one of two engines that compute concurrently.
    is_twin: bool,
    /// `true` if recursions need to be correct only for reachable positions.
    is_in_play: bool,
}

impl Ways {
    /// Compiles the moves of `game` for passes; those for recursions are taken from `loaded`. Scratch files of large
    /// passes are written to `scratch`, if given, and unit files to a folder in it.
    ///
    /// # Errors
    /// Returns an error if the description of the game does not fit its own shape, or if memory is exhausted.
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
        let is_in_play = loaded.terminal.is_none();
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

    /// Returns an object that shares the passes with their threads and memory cap, for one of two concurrent
    /// computations.
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

    /// Returns the image, where moves may lead anywhere.
    pub(super) fn image(&mut self, operand: Operand<'_>, sides: &[&Dfa], f: Values<'_>) -> Result<Dfa> {
        self.choose(operand.set);
        // Empty side sets are removed, because otherwise every macrostate would include the residual of the empty set.
        if let Some(empty) = sides.iter().position(|side| side.is_empty()) {
            let (before, after) = (&sides[..empty], &sides[empty + 1..]);
            let with_empty = |x, s: &[bool]| f(x, &[&s[..empty], &[false], &s[empty..]].concat());
            return self.image(operand, &[before, after].concat(), &with_empty);
        }
        if self.recursions.is_none() {
            match self.image_in_passes(operand, sides, f) {
                Err(error) if is_too_large(&error) => self.return_to_recursions(error)?,
                done => return done,
            }
        }
        match &mut self.recursions {
            None => self.image_in_passes(operand, sides, f),
            Some(recursions) => {
                let result = recursions.image(operand, sides, &|x: &[bool]| f(x[0], &x[1..]))?;
                self.passes.charge(&result);
                Ok(result)
            }
        }
    }

    /// Returns the number of positions in the image. In passes, this does not create its states.
    pub(super) fn count_image(
        &mut self,
        operand: Operand<'_>,
        sides: &[&Dfa],
        f: Values<'_>,
    ) -> Result<u128> {
        self.choose(operand.set);
        if self.recursions.is_none() {
            match self.passes.count_image(self.to_move(operand), sides, f).map_err(Error::from) {
                Err(error) if is_too_large(&error) => self.return_to_recursions(error)?,
                counted => return counted,
            }
        }
        Ok(self.image(operand, sides, f)?.count()?)
    }

    /// In units, a combination is computed as an image of the empty set.
    fn combine_in_passes(&self, sets: &[&Dfa], f: &dyn Fn(&[bool]) -> bool) -> Result<Dfa> {
        let largest = sets.iter().map(|set| set.num_states()).max().unwrap_or(0);
        match self.workshop.as_ref().filter(|workshop| workshop.takes(largest)) {
            None => Ok(self.passes.combine(sets, f)?),
            Some(workshop) => {
                let nothing = Dfa::empty(sets[0].shape());
                let image = self.to_move(Operand::from(&nothing, Side::P1));
                self.image_in_units(workshop, (image, Side::P1), sets, &|_, sets| f(sets))
            }
        }
    }

    fn image_in_passes(&self, operand: Operand<'_>, sides: &[&Dfa], f: Values<'_>) -> Result<Dfa> {
        let image = self.to_move(operand);
        match self.workshop.as_ref().filter(|workshop| workshop.takes(operand.set.num_states())) {
            None => Ok(self.passes.image(image, sides, f)?),
            Some(workshop) => self.image_in_units(workshop, (image, operand.side), sides, f),
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

    /// Returns the operand of a pass.
    fn to_move<'a>(&'a self, Operand { side, direction, set, complement }: Operand<'a>) -> Image<'a> {
        Image { set, complement, moves: &self.moves[side.index()], direction }
    }

    /// Switches permanently to recursions in a new store, after a pass has failed with `error` because it cannot
    /// process a set. Two concurrent computations do not have enough memory for two such stores, so they fail with
    /// `error` and are restarted one after the other.
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

    /// Returns `{ y : f([y ∈ set for each of sets]) }`.
    pub(super) fn combine(&mut self, sets: &[&Dfa], f: &dyn Fn(&[bool]) -> bool) -> Result<Dfa> {
        if let Some(largest) = sets.iter().max_by_key(|set| set.num_states()) {
            self.choose(largest);
        }
        match &mut self.recursions {
            None => self.combine_in_passes(sets, f),
            Some(recursions) => {
                let result = recursions.combine(sets, f)?;
                self.passes.charge(&result);
                Ok(result)
            }
        }
    }

    /// Ends the recursions if `set` has too many states for them.
    pub(super) fn choose(&mut self, set: &Dfa) {
        // Units are parts of passes, so their threshold applies too.
        let from_states =
            self.workshop.as_ref().map_or(PASS_STATES, |units| units.from_states().min(PASS_STATES));
        if self.may_end_recursions() && set.num_states() >= from_states {
            self.recursions = None;
        }
    }

    /// Returns the number of bytes that remain under the memory cap. If the recursions may be ended and would leave
    /// only a small part of the cap, they are ended first: their store keeps earlier results, whereas passes do not.
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

    /// Returns `true` if sets are currently moved in passes.
    pub(super) fn passing(&self) -> bool {
        self.recursions.is_none()
    }

    /// Returns the number of bytes in tables, and in automata that were passed in or created and are still in memory.
    pub(super) fn bytes(&self) -> u64 {
        self.passes.bytes() + self.recursions.as_ref().map_or(0, |r| r.store.bytes())
    }

    /// Returns the statistics of the recursions, as long as there are any.
    pub(super) fn recursion_stats(&self) -> Option<&OpStats> {
        self.recursions.as_ref().map(|r| r.store.stats())
    }

    /// Returns the passes.
    pub(super) fn passes(&self) -> &Arc<Passes> {
        &self.passes
    }

    /// Returns the limits of the computation.
    pub(super) fn resources(&self) -> &Resources {
        &self.resources
    }

    /// Returns the unit files of computed results, which are to be removed once the results are stored.
    pub(super) fn units_done(&self) -> Option<Done> {
        self.workshop.as_ref().map(|workshop| workshop.take_done())
    }

    /// Makes passes reject more image pairs in a layer than `bits` can number, from the next image on.
    #[cfg(test)]
    pub(super) fn set_pair_bits(&mut self, bits: u32) {
        Arc::get_mut(&mut self.passes).unwrap().set_pair_bits(bits);
    }

    /// Returns `true` if the engine has returned to recursions permanently.
    #[cfg(test)]
    pub(super) fn recursions_stay(&self) -> bool {
        self.recursions_stay
    }
}
