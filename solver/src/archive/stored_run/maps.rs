//! Value and depth of all positions at once, as automata.

use std::sync::Arc;

use nerode_dfa::{Store, ValueMap};
use nerode_games::{Side, Value};

use super::StoredRun;
use crate::archive::run_dir::{Kind, SetName};
use crate::error::{Error, Result, RunNeeds};
use crate::outcome::{Depth, Outcome, code16};
use crate::solve::method::{Chains, Method};
use crate::solve::resources::Resources;

impl StoredRun {
    /// Returns value and depth of every word with `side` to move as one automaton, with codes of [`code16`].
    ///
    /// Cost: reads the sets of all plies and computes [`Store::value_map`] of them.
    ///
    /// # Errors
    /// Returns the errors of [`StoredRun::must_have_maps`], [`Error::TooDeep`], or an error if memory is exhausted or a file is
    /// damaged.
    pub fn value_map(&self, side: Side, resources: &Resources) -> Result<ValueMap> {
        self.classes(side, resources, true)
    }

    /// Returns the same automaton as [`StoredRun::value_map`] without depths: every decided position has the code of
    /// depth 0.
    ///
    /// # Errors
    /// Returns the same errors as [`StoredRun::value_map`].
    pub fn category_map(&self, side: Side, resources: &Resources) -> Result<ValueMap> {
        self.classes(side, resources, false)
    }

    /// Returns an error if the run does not cover every position.
    ///
    /// # Errors
    /// Returns [`Error::WrongRun`].
    pub fn must_cover_all(&self) -> Result<()> {
        if self.method() == Method::Retrograde {
            return Ok(());
        }
        Err(Error::WrongRun { wanted: "values of all positions", needs: RunNeeds::Retrograde })
    }

    /// Returns an error if the run lacks a set that the maps of both sides need: [`StoredRun::value_map`] with `depths`, and
    /// [`StoredRun::category_map`] without. Reads no set.
    ///
    /// # Errors
    /// Returns [`Error::WrongRun`] for a meet-in-the-middle run or a run of one chain, [`Error::NoSuchSet`], or
    /// [`Error::NotKept`].
    pub fn must_have_maps(&self, depths: bool) -> Result<()> {
        self.must_cover_all()?;
        if self.run.request().chains == Chains::One {
            return Err(Error::WrongRun { wanted: "values of all positions", needs: RunNeeds::BothChains });
        }
        let last = self.last_ply();
        for (side, kind) in Side::BOTH.into_iter().flat_map(|side| [(side, Kind::W), (side, Kind::L)]) {
            for ply in if depths { 0 } else { last }..=last {
                self.run.entry(SetName { kind, side, ply })?.must_be_kept()?;
            }
        }
        Ok(())
    }

    fn classes(&self, side: Side, resources: &Resources, depths: bool) -> Result<ValueMap> {
        self.must_have_maps(depths)?;
        let last = self.last_ply();
        let mut store = Store::new(self.game.shape().clone(), resources.memory)?;
        store.set_interrupt(Arc::clone(&resources.interrupt));
        let mut levels = Vec::new();
        let load =
            |store: &mut Store, kind, ply| -> Result<_> { Ok(store.import(&self.read(kind, side, ply)?)?) };
        let too_deep = || Error::TooDeep { what: "a value map".into(), most: code16::MAX_DEPTH.into() };
        // The first level that contains a word determines its code. Therefore, even contradictory sets, which `verify`
        // must be able to report, assign exactly one code to each word.
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
