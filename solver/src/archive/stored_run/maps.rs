//! Value and depth of all positions at once, as automata.

use std::sync::Arc;

use nerode_dfa::{Store, ValueMap};
use nerode_games::{Side, Value};

use super::StoredRun;
use crate::archive::run_dir::Kind;
use crate::error::{Error, Result, RunNeeds};
use crate::outcome::{Depth, Outcome, code16};
use crate::solve::method::Method;
use crate::solve::resources::Resources;

impl StoredRun {
    /// Value and depth of every word with `side` to move, as one automaton: codes of [`code16`].
    ///
    /// Cost: reading the sets of all plies, and that of [`Store::value_map`] over them.
    ///
    /// # Errors
    /// [`Error::WrongRun`] for a meet-in-the-middle run; [`Error::TooDeep`]; running out of memory; damaged files.
    pub fn value_map(&self, side: Side, resources: &Resources) -> Result<ValueMap> {
        self.classes(side, resources, true)
    }

    /// As [`StoredRun::value_map`] without depths: every decided position has the code of depth 0.
    ///
    /// # Errors
    /// As [`StoredRun::value_map`].
    pub fn category_map(&self, side: Side, resources: &Resources) -> Result<ValueMap> {
        self.classes(side, resources, false)
    }

    /// Refuses a run that does not cover every position.
    ///
    /// # Errors
    /// [`Error::WrongRun`].
    pub fn must_cover_all(&self) -> Result<()> {
        if self.method() == Method::Retrograde {
            return Ok(());
        }
        Err(Error::WrongRun { wanted: "values of all positions", needs: RunNeeds::Retrograde })
    }

    fn classes(&self, side: Side, resources: &Resources, depths: bool) -> Result<ValueMap> {
        self.must_cover_all()?;
        let last = self.last_ply();
        let mut store = Store::new(self.game.shape().clone(), resources.memory)?;
        store.set_interrupt(Arc::clone(&resources.interrupt));
        let mut levels = Vec::new();
        let load =
            |store: &mut Store, kind, ply| -> Result<_> { Ok(store.import(&self.read(kind, side, ply)?)?) };
        let too_deep = || Error::TooDeep { what: "a value map".into(), most: code16::MAX_DEPTH.into() };
        // The first level that has a word counts: sets that contradict each other, which `verify` must be able to report,
        // still give each word one code.
        for (kind, value) in [(Kind::W, Value::Win), (Kind::L, Value::Loss)] {
            for ply in if depths { 0 } else { last }..=last {
                let depth = Depth::Exact(if depths { ply } else { 0 });
                let code = code16::code(Outcome::new(value, depth)).ok_or_else(too_deep)?;
                levels.push((code, load(&mut store, kind, ply)?));
            }
        }
        if !self.is_complete() {
            if !self.is_so_far() {
                levels.push((code16::DRAW, load(&mut store, Kind::D, last)?));
            }
            levels.push((code16::UNKNOWN, store.full()));
        }
        Ok(store.value_map(&levels)?)
    }
}
