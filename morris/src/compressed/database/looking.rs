//! Compares packed sectors with the tables from which they were built.

use std::sync::atomic::AtomicBool;

use nerode_games::morris::State;
use rayon::prelude::*;

use crate::compressed::forms::Forms;
use crate::compressed::sector_demands::SectorDemands;
use crate::compressed::trial::sample;
use crate::compressed::worth::{Detail, Worth};
use crate::tables::SectorTable;
use crate::tables::index::subsets;
use nerode_solver::error::{Error, Result, check_interrupt};

/// The number of slots up to which every position of a sector with a file is looked up individually.
const SMALL: u64 = 1 << 22;
/// The number of positions of a larger sector that are looked up individually.
const SAMPLE: usize = 1 << 18;
/// The same two limits for a derived sector, where a look-up examines every turn.
const SMALL_DERIVED: u64 = 1 << 14;
const SAMPLE_DERIVED: usize = 1 << 14;

/// Compares a packed sector with its table. Every position is compared if the sector has a file, whose demands are
/// given by `demands`, or if it is small and derived. Only a sample is compared if it is large and derived. Returns the
/// number of compared positions.
///
/// A large file is read class by class, which follows every edge a few times instead of once for each position. The
/// positions of a sample are looked up in the same way as by users. A sample is sufficient for a derived sector,
/// because the files that it depends on were compared completely.
///
/// # Errors
/// Returns [`Error::Rules`] if an answer differs, the errors of look-ups, or [`Error::Interrupted`].
pub(super) fn look_up(
    forms: &Forms<'_>,
    table: &SectorTable,
    demands: Option<&SectorDemands>,
    interrupt: &AtomicBool,
) -> Result<u64> {
    let looking = Looking { forms, table, interrupt };
    let (small, some) = if demands.is_some() { (SMALL, SAMPLE) } else { (SMALL_DERIVED, SAMPLE_DERIVED) };
    if table.codes.num_slots() <= small {
        return looking.each_by_itself();
    }
    let states = sample(table, some, 1);
    states.par_iter().try_for_each(|&state| looking.compare(state, table.depth(state)))?;
    demands.map_or(Ok(states.len() as u64), |demands| looking.by_class(demands))
}

struct Looking<'a> {
    forms: &'a Forms<'a>,
    table: &'a SectorTable,
    interrupt: &'a AtomicBool,
}

impl Looking<'_> {
    fn compare(&self, state: State, depth: Option<u16>) -> Result<()> {
        self.must_be_equal(state, self.forms.worth(state)?, depth)
    }

    fn must_be_equal(&self, state: State, found: Worth, depth: Option<u16>) -> Result<()> {
        let detail = self.forms.detail();
        let expected = Worth::of(depth, detail);
        if found == expected { Ok(()) } else { Err(wrong(self.table, state, [found, expected], detail)) }
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

    /// Reads the file of the sector class by class. It must contain the value of each position, or a lower one if a
    /// capture reaches the value. In the latter case, a look-up uses the sectors that captures lead to, whose files
    /// were compared before.
    fn by_class(&self, demands: &SectorDemands) -> Result<u64> {
        let (words, automaton) = self.forms.stored(self.table.sector)?;
        let letters = words.root_side().split(self.table.sector.own, self.table.sector.other).1;
        let sets = subsets(words.num_free(), letters.into());
        let probe = automaton.header().probe;
        self.sum_over(words.num_classes(), |class| {
            let mut count = 0;
            let codes = automaton.codes_of_class(class as u32);
            let positions: Vec<_> = words.positions(class, &sets).collect();
            let entries = demands.of_positions(positions.iter().copied(), probe);
            for ((stones, entry), code) in positions.into_iter().zip(entries).zip(codes) {
                let Some((own, other)) = stones else { continue };
                if !entry.allows(code) {
                    let state = self.table.sector.state(own, other);
                    let said = automaton.worths().get(usize::from(code)).copied().unwrap_or(Worth::LOSS);
                    let expected = Worth::of(self.table.depth(state), self.forms.detail());
                    return Err(wrong(self.table, state, [said, expected], self.forms.detail()));
                }
                count += 1;
            }
            Ok(count)
        })
    }

    /// Returns the sum of `count` over all classes, on the threads of the current pool.
    fn sum_over(&self, classes: usize, count: impl Fn(usize) -> Result<u64> + Sync) -> Result<u64> {
        let count = |class| check_interrupt(self.interrupt).and_then(|()| count(class));
        (0..classes).into_par_iter().map(count).try_reduce(|| 0, |a, b| Ok(a + b))
    }
}

fn wrong(table: &SectorTable, state: State, worths: [Worth; 2], detail: Detail) -> Error {
    let [found, expected] = worths.map(|worth| worth.in_words(detail));
    Error::Rules {
        game: format!("sector {}", table.sector),
        reason: format!("the packed sector answers {found}, but the table has {expected}, {state:?}"),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::compressed::{Plan, PointOrder, Probe, RootSide, build};
    use crate::tables::name::named_game;
    use crate::tables::{IndexMaker, SectorTables, plan, solve_unit};

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
                    let looking = Looking { forms: &forms, table, interrupt: &never };
                    let demands =
                        || SectorDemands::new(&rules, &maker, table, &known, probe, Detail::Values).unwrap();
                    let positions = table.counts().num_positions;
                    assert_eq!(looking.by_class(&demands()).unwrap(), positions);
                    assert_eq!(looking.each_by_itself().unwrap(), positions);
                    let slots = 0..table.codes.num_slots();
                    let slots = slots.filter(|&slot| table.index.hole(slot).is_none());
                    for slot in slots.step_by(9973) {
                        let (code, open) = (table.codes.get(slot), table.codes.width().open());
                        let is_win = code < open && code % 2 == 1;
                        // The file may contain less than a win if a capture wins.
                        if is_win && probe == Probe::Captures {
                            continue;
                        }
                        table.codes.set(slot, if is_win { open } else { 1 });
                        assert!(matches!(looking.by_class(&demands()), Err(Error::Rules { .. })), "{slot}");
                        table.codes.set(slot, code);
                    }
                }
            }
        }
    }
}
