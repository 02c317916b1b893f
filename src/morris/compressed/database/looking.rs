//! Packed sectors compared with the tables that they were made from.

use std::sync::atomic::{AtomicBool, Ordering};

use nerode_games::Value;
use nerode_games::morris::{Rules, State};
use rayon::prelude::*;

use super::DETAIL;
use crate::error::{Error, Result};
use crate::morris::compressed::entries::best_capture;
use crate::morris::compressed::header::Probe;
use crate::morris::compressed::probe::Forms;
use crate::morris::compressed::trial::sample;
use crate::morris::compressed::worth::Worth;
use crate::morris::tables::index::subsets;
use crate::morris::tables::{SectorTable, SectorTables, value_of};

/// Slots up to which every position of a sector is looked up by itself.
const SMALL: u64 = 1 << 22;
/// Positions of a larger sector that are looked up by themselves.
const SAMPLE: usize = 1 << 18;

/// Compares a packed sector with its table: every position of one that has a file, or of a small derived one; a sample of a large
/// derived one, of which no sectors are `known` that its turns lead to. Gives how many there were.
///
/// A large file is read class by class, which follows every edge a few times instead of once for each position. What captures reach is
/// read in the tables of `known` sectors then. A sample is looked up as users do it.
///
/// # Errors
/// [`Error::Rules`] when an answer differs; those of look-ups; [`Error::Interrupted`].
pub(super) fn look_up(
    rules: &Rules,
    forms: &Forms<'_>,
    table: &SectorTable,
    known: Option<&SectorTables>,
    interrupt: &AtomicBool,
) -> Result<u64> {
    let looking = Looking { rules, forms, table, interrupt };
    if table.codes.num_slots() <= SMALL {
        return looking.each_by_itself();
    }
    let states = sample(table, SAMPLE, 1);
    states.par_iter().try_for_each(|&state| looking.compare(state, table.depth(state)))?;
    known.map_or(Ok(states.len() as u64), |known| looking.by_class(known))
}

struct Looking<'a> {
    rules: &'a Rules,
    forms: &'a Forms<'a>,
    table: &'a SectorTable,
    interrupt: &'a AtomicBool,
}

impl Looking<'_> {
    fn compare(&self, state: State, depth: Option<u16>) -> Result<()> {
        self.must_be_equal(state, self.forms.worth(state)?, depth)
    }

    fn must_be_equal(&self, state: State, found: Worth, depth: Option<u16>) -> Result<()> {
        let (found, expected) = (found.value(), value_of(depth));
        if found == expected { Ok(()) } else { Err(wrong(self.table, state, found, expected)) }
    }

    fn each_by_itself(&self) -> Result<u64> {
        self.sum_over(self.table.index.classes().len(), |class| {
            let mut count = 0;
            for (slot, own, other) in self.table.index.positions_of_class(class) {
                self.compare(self.table.sector.state(own, other), self.table.depth_at(slot))?;
                count += 1;
            }
            Ok(count)
        })
    }

    /// Reads the file of the sector class by class. Where it says the value of the table nothing else is asked: no capture reaches more.
    /// Elsewhere a capture must reach that value. Both by the tables of the sectors that captures lead to: their files were compared
    /// with them before. That the tables are right is not looked at here.
    fn by_class(&self, known: &SectorTables) -> Result<u64> {
        let (words, automaton) = self.forms.stored(self.table.sector)?;
        let probes = automaton.header().probe == Probe::Captures;
        let letters = words.root_side().split(self.table.sector.own, self.table.sector.other).1;
        let sets = subsets(words.num_free(), letters.into());
        self.sum_over(words.num_classes(), |class| {
            let codes = automaton.codes_of_class(class as u32);
            let positions = words.positions(class, &sets).zip(codes);
            let positions: Vec<_> = positions.filter_map(|(stones, code)| Some((stones?, code))).collect();
            // Slots first: reading the table then waits for memory once for several positions.
            let slot = |&((own, other), _): &((u32, u32), u16)| self.table.index.slot(own, other);
            let slots: Vec<u64> = positions.iter().map(slot).collect();
            let depths = slots.into_iter().map(|slot| self.table.depth_at(slot));
            for (&((own, other), code), depth) in positions.iter().zip(depths) {
                let said = automaton.worths().get(usize::from(code)).copied().unwrap_or(Worth::LOSS);
                let expected = Worth::of(depth, DETAIL);
                if said != expected {
                    let state = self.table.sector.state(own, other);
                    let capture = || best_capture(self.rules, known, state, DETAIL, expected);
                    let found = probes.then(capture).flatten().map_or(said, |best| best.max(said));
                    self.must_be_equal(state, found, depth)?;
                }
            }
            Ok(positions.len() as u64)
        })
    }

    /// The sum of `count` over all classes, on the threads of the pool in force.
    fn sum_over(&self, classes: usize, count: impl Fn(usize) -> Result<u64> + Sync) -> Result<u64> {
        let count = |class| {
            if self.interrupt.load(Ordering::Relaxed) { Err(Error::Interrupted) } else { count(class) }
        };
        (0..classes).into_par_iter().map(count).try_reduce(|| 0, |a, b| Ok(a + b))
    }
}

fn wrong(table: &SectorTable, state: State, found: Value, expected: Value) -> Error {
    Error::Rules {
        game: format!("sector {}", table.sector),
        reason: format!("the packed sector answers {found} where the table has {expected}, {state:?}"),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::morris::compressed::{Detail, Plan, PointOrder, RootSide, build};
    use crate::morris::tables::ask::named_game;
    use crate::morris::tables::{IndexMaker, plan, solve_unit};

    #[test]
    fn reading_by_class_sees_each_position_and_each_wrong_value() {
        let (_, rules, _) = named_game("morris:six").unwrap();
        let (maker, never) = (IndexMaker::new(&rules.board), AtomicBool::new(false));
        let mut known = SectorTables::new();
        for unit in plan(&rules, &["4-3-0-0".parse().unwrap()]).unwrap() {
            let tables = solve_unit(&rules, &unit, &maker, &known, &never).unwrap();
            known.extend(tables.into_iter().map(|table| (table.sector, Arc::new(table))));
        }
        let order = PointOrder::best(maker.num_points());
        for root_side in RootSide::BOTH {
            for probe in [Probe::Nothing, Probe::Captures] {
                let made = Plan { root_side, probe, detail: Detail::Values, order: order.clone() };
                let mut forms = Forms::new(&rules, Detail::Values);
                for table in known.values() {
                    let (_, automaton) = build(&rules, &maker, table, &known, &made).unwrap();
                    forms.store(&maker, automaton).unwrap();
                }
                for table in known.values() {
                    let looking = Looking { rules: &rules, forms: &forms, table, interrupt: &never };
                    let positions = table.counts().num_positions;
                    assert_eq!(looking.by_class(&known).unwrap(), positions);
                    assert_eq!(looking.each_by_itself().unwrap(), positions);
                    let slots = 0..table.codes.num_slots();
                    let slots = slots.filter(|&slot| table.index.hole(slot).is_none());
                    for slot in slots.step_by(997) {
                        let (code, open) = (table.codes.get(slot), table.codes.width().open());
                        let is_win = code < open && code % 2 == 1;
                        // Less than a win is what the file may say where captures win.
                        if is_win && probe == Probe::Captures {
                            continue;
                        }
                        table.codes.set(slot, if is_win { open } else { 1 });
                        assert!(matches!(looking.by_class(&known), Err(Error::Rules { .. })), "{slot}");
                        table.codes.set(slot, code);
                    }
                }
            }
        }
    }
}
