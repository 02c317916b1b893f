//! Checks a values folder against the sets of its run, on whole sets and without the code that created the values:
//! value maps are decomposed into sets, and restricted sets are compared on the care set by intersections. Packed values
//! of reached positions are compared position by position.

use nerode_dfa::{Dfa, Store, ValueMap};
use nerode_games::{Position, Side, Value};

use crate::archive::run_dir::{Kind, SetName};
use crate::archive::stored_run::StoredRun;
use crate::archive::values::{Values, care_set};
use crate::check::{Report, packed};
use crate::error::Result;
use crate::outcome::code16;
use crate::solve::resources::Resources;

/// Checks that every word has the value, and the depth if there are depths, determined by the sets of the run.
///
/// For each side and ply i, the words with the code of a win in at most i plies must be `W_i`, and likewise for losses.
/// The words with the code of a draw must be `D`, and in a run that decides everything, no word may be unknown. With a
/// care set C, which must be the one defined by the game, restricted ∩ C = original ∩ C must hold for each side and
/// value. Packed values must agree with the sets about the value of every position of a small run, and of a sample of a
/// large one, and about words in which two of their letters are exchanged.
///
/// Cost: one pass over the value automaton for each ply; with a care set, two intersections for each set.
///
/// # Errors
/// Returns an error if the values belong to another run, a file is damaged, or memory is exhausted.
pub fn check(values: &Values, source: &StoredRun, resources: &Resources) -> Result<Report> {
    values.check_source(&source.run)?;
    if let Some(packed) = values.packed()? {
        return packed::check(packed, source, resources);
    }
    let mut checker = SetsOfMap::new(source, resources)?;
    let mut checked = 0u128;
    for side in Side::BOTH {
        let (positions, unknown) = match &values.manifest.care {
            Some(name) => (checker.restricted(values, name, side)?, 0),
            None => {
                let map = values.map(side)?;
                checker.compare(map, side, values.manifest.depths)?;
                (Dfa::full(map.shape()).count()?, map.select(|code| code == code16::UNKNOWN)?.count()?)
            }
        };
        checked = checked.saturating_add(positions.saturating_sub(unknown));
    }
    let mut mismatches = 0u128;
    for wrong in &checker.wrong {
        mismatches = mismatches.saturating_add(wrong.count()?);
    }
    Ok(Report { checked, mismatches, first_mismatch: checker.first_mismatch, ..Report::default() })
}

/// Compares the sets of a run with those that a map determines.
pub(super) struct SetsOfMap<'a> {
    source: &'a StoredRun,
    store: Store,
    /// The words that a set lacks or contains in excess, by the side to move.
    pub(super) wrong: [Dfa; 2],
    /// A description of the first of them.
    pub(super) first_mismatch: Option<String>,
}

impl<'a> SetsOfMap<'a> {
    pub(super) fn new(source: &'a StoredRun, resources: &Resources) -> Result<Self> {
        let shape = source.game.shape();
        let mut store = Store::new(shape.clone(), resources.memory)?;
        store.set_interrupt(std::sync::Arc::clone(&resources.interrupt));
        Ok(Self { source, store, wrong: [(); 2].map(|()| Dfa::empty(shape)), first_mismatch: None })
    }

    /// Compares `W_i` and `L_i` of every ply, or of the last one without `depths`, and the draws and unknown positions.
    pub(super) fn compare(&mut self, map: &ValueMap, side: Side, depths: bool) -> Result<()> {
        let last = self.source.last_ply();
        for (kind, value) in [(Kind::W, Value::Win), (Kind::L, Value::Loss)] {
            for ply in if depths { 0 } else { last }..=last {
                let within = |code: u16| {
                    let found = code16::outcome(code);
                    found.value() == Some(value) && found.depth().is_some_and(|depth| depth <= ply)
                };
                self.equal(&map.select(within)?, SetName { kind, side, ply })?;
            }
        }
        let unknown = map.select(|code| code == code16::UNKNOWN)?;
        // An unfinished run has no sets of draws and unknown positions.
        if !self.source.is_so_far() {
            let name = |kind| SetName { kind, side, ply: last };
            self.equal(&map.select(|code| code == code16::DRAW)?, name(Kind::D))?;
            self.equal(&unknown, name(Kind::U))?;
        }
        if self.source.is_complete() {
            self.equal_sets(&unknown, &Dfa::empty(map.shape()), side, "unknown")?;
        }
        Ok(())
    }

    /// Verifies restricted sets on the care set. Returns the number of its positions.
    fn restricted(&mut self, values: &Values, name: &str, side: Side) -> Result<u128> {
        let covered = values.care(side)?;
        let care = care_set(self.source.game.as_ref(), name, &mut self.store, side)?;
        let expected = self.store.freeze(&care);
        self.equal_sets(covered, &expected, side, "care set")?;
        for kind in [Kind::W, Kind::L, Kind::D] {
            let name = SetName { kind, side, ply: self.source.last_ply() };
            let mut on_care = |set: &Dfa| -> Result<Dfa> {
                let set = self.store.import(set)?;
                let common = self.store.intersection(&set, &care)?;
                Ok(self.store.freeze(&common))
            };
            let found = on_care(values.set(kind, side)?)?;
            let expected = on_care(&self.source.read(name.kind, name.side, name.ply)?)?;
            self.equal_sets(&found, &expected, side, &name.to_string())?;
        }
        Ok(expected.count()?)
    }

    fn equal(&mut self, found: &Dfa, name: SetName) -> Result<()> {
        let expected = self.source.read(name.kind, name.side, name.ply)?;
        self.equal_sets(found, &expected, name.side, &name.to_string())
    }

    /// Records the words in which two sets differ, and describes one of them.
    fn equal_sets(&mut self, found: &Dfa, expected: &Dfa, side: Side, what: &str) -> Result<()> {
        if found == expected {
            return Ok(());
        }
        let (found, expected) = (self.store.import(found)?, self.store.import(expected)?);
        let more = self.store.difference(&found, &expected)?;
        let fewer = self.store.difference(&expected, &found)?;
        let wrong = self.store.union(&more, &fewer)?;
        let known = self.store.import(&self.wrong[side.index()])?;
        let all = self.store.union(&known, &wrong)?;
        self.wrong[side.index()] = self.store.freeze(&all);
        let wrong = self.store.freeze(&wrong);
        let game = &self.source.game;
        let example = wrong
            .words()
            .next()
            .map(|word| game.format_position(&Position { board: game.board_of(&word), side }));
        self.first_mismatch.get_or_insert_with(|| {
            format!("the values do not agree with the run's {what}: {}", example.unwrap_or_default())
        });
        Ok(())
    }
}
