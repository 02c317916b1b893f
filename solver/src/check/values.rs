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
    let mut checker = Checker {
        source,
        store: Store::new(source.game.shape().clone(), resources.memory)?,
        report: Report::default(),
    };
    checker.store.set_interrupt(std::sync::Arc::clone(&resources.interrupt));
    for side in Side::BOTH {
        match &values.manifest.care {
            Some(name) => checker.restricted(values, name, side)?,
            None => checker.map(values.map(side)?, side, values.manifest.depths)?,
        }
    }
    Ok(checker.report)
}

struct Checker<'a> {
    source: &'a StoredRun,
    store: Store,
    report: Report,
}

impl Checker<'_> {
    fn map(&mut self, map: &ValueMap, side: Side, depths: bool) -> Result<()> {
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
        let complete = self.source.is_complete();
        let name = |kind| SetName { kind, side, ply: last };
        self.equal(&map.select(|code| code == code16::DRAW)?, name(Kind::D))?;
        let unknown = map.select(|code| code == code16::UNKNOWN)?;
        let expected =
            if complete { Dfa::empty(map.shape()) } else { self.source.read(Kind::U, side, last)? };
        self.equal_sets(&unknown, &expected, side, "unknown")?;
        let all = Dfa::full(map.shape()).count()?;
        self.report.checked = self.report.checked.saturating_add(all);
        Ok(())
    }

    /// Verifies restricted sets on the care set.
    fn restricted(&mut self, values: &Values, name: &str, side: Side) -> Result<()> {
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
        self.report.checked = self.report.checked.saturating_add(expected.count()?);
        Ok(())
    }

    fn equal(&mut self, found: &Dfa, name: SetName) -> Result<()> {
        let expected = self.source.read(name.kind, name.side, name.ply)?;
        self.equal_sets(found, &expected, name.side, &name.to_string())
    }

    /// Counts the words in which two sets differ, and describes one of them.
    fn equal_sets(&mut self, found: &Dfa, expected: &Dfa, side: Side, what: &str) -> Result<()> {
        if found == expected {
            return Ok(());
        }
        let (found, expected) = (self.store.import(found)?, self.store.import(expected)?);
        let more = self.store.difference(&found, &expected)?;
        let fewer = self.store.difference(&expected, &found)?;
        let wrong = self.store.union(&more, &fewer)?;
        let wrong = self.store.freeze(&wrong);
        let game = &self.source.game;
        let example = wrong
            .words()
            .next()
            .map(|word| game.format_position(&Position { board: game.board_of(&word), side }));
        self.report.wrong(wrong.count()?, || {
            format!("the values do not agree with the run's {what}: {}", example.unwrap_or_default())
        });
        Ok(())
    }
}
