//! Ranked draws: against value iteration that shares no code, against the published files, one ply deep, by any number of threads.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::common::malom::{GO_ON, Solved, assert_clean, rules, sector};
use crate::common::ranks::Naive;
use nerode::error::Error;
use nerode::morris::malom::SectorValues;
use nerode::morris::ranked::{RankedTables, by_difference, by_ratio, check_sector, rank_unit};
use nerode::morris::tables::{Sector, SectorTable, Unit, plan};
use nerode_games::morris::{FullBoard, Rules};

/// Sectors solved, their units in order, and their values.
struct Ranked {
    solved: Solved,
    units: Vec<Unit>,
    values: SectorValues,
    known: RankedTables,
}

fn all_ranked(solved: Solved, roots: &[&str], values: impl Fn(&Solved) -> SectorValues) -> Ranked {
    let roots: Vec<Sector> = roots.iter().map(|root| sector(root)).collect();
    let units = plan(&solved.rules, &roots).unwrap();
    let values = values(&solved);
    let mut known = RankedTables::new();
    for unit in &units {
        for table in rank(&solved, unit, &values, &known).unwrap() {
            known.insert(table.sector(), Arc::new(table));
        }
    }
    Ranked { solved, units, values, known }
}

fn rank(
    solved: &Solved,
    unit: &Unit,
    values: &SectorValues,
    known: &RankedTables,
) -> Result<Vec<nerode::morris::ranked::RankedTable>, Error> {
    let strong: Vec<Arc<SectorTable>> =
        unit.sectors().iter().map(|sector| Arc::clone(&solved.known[sector])).collect();
    rank_unit(&solved.rules, &strong, values, &solved.maker, known, &GO_ON)
}

fn ratio(solved: &Solved) -> SectorValues {
    let counts = solved.known.iter().map(|(&sector, table)| (sector, table.counts())).collect();
    by_ratio(&solved.rules, &counts).unwrap()
}

fn difference(solved: &Solved) -> SectorValues {
    by_difference(&solved.rules, &solved.known.keys().copied().collect()).unwrap()
}

/// Values made up, opposite for mirrors, most of them small, so that ranks pass the values of the sectors on their way both ways.
fn made_up(seed: u32) -> impl Fn(&Solved) -> SectorValues {
    move |solved| {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            i32::try_from(state >> 24).unwrap() % 11 - 5
        };
        let mut values = BTreeMap::new();
        for &sector in solved.known.keys() {
            let mirror = sector.mirrored();
            let cyclic = sector.is_cyclic(&solved.rules);
            let value = next();
            values.entry(sector).or_insert(if cyclic && mirror == sector { 0 } else { value });
            if cyclic && mirror != sector {
                let value = values[&sector];
                values.insert(mirror, -value);
            }
        }
        SectorValues::new(9, values, &solved.rules).unwrap()
    }
}

/// What a test has seen of ranks: draws away from their sector's value, how many plies, and how many of a negative number.
#[derive(Debug, Default)]
struct Seen {
    ranked: u64,
    longest: i32,
    negative: u64,
}

/// Every position of every sector against value iteration, and against its own turns.
fn compared(rules: Rules, roots: &[&str], values: impl Fn(&Solved) -> SectorValues) -> Seen {
    let Ranked { solved, units, values, known } = all_ranked(Solved::new(rules, roots), roots, values);
    let mut naive = Naive::new(&solved.rules, values.win(), values.iter().collect());
    let mut seen = Seen::default();
    for unit in &units {
        naive.rank(unit);
        for sector in unit.sectors() {
            let table = &known[sector];
            let expected = &naive.known[sector];
            for (&(own, other), &pair) in expected {
                let slot = table.strong.index.slot(own, other);
                assert_eq!(table.pair(slot), pair, "{sector} {own:#x} {other:#x}");
                if table.is_draw(slot) && pair.0 != 0 {
                    seen.ranked += 1;
                    seen.longest = seen.longest.max(pair.1);
                    seen.negative += u64::from(pair.1 < 0);
                }
            }
            let report = check_sector(&solved.rules, table, &solved.maker, &known, &GO_ON).unwrap();
            assert_clean(&report, expected.len() as u64);
        }
    }
    seen
}

#[test]
fn three_mens_morris_is_ranked_as_by_value_iteration() {
    for values in [ratio, difference] {
        compared(rules("three"), &["0-0-3-3"], values);
    }
    for seed in 0..8 {
        compared(rules("three"), &["0-0-3-3"], made_up(seed));
    }
}

#[test]
fn small_games_on_the_board_of_six_are_ranked_as_by_value_iteration() {
    let roots = ["0-0-4-4"];
    let by_ratio = compared(rules("six"), &roots, ratio);
    println!("{by_ratio:?}");
    let made_up = compared(rules("six"), &roots, made_up(1));
    println!("{made_up:?}");
    let flying = Rules { fly: true, full_board: FullBoard::Draw, ..rules("six") };
    println!("{:?}", compared(flying, &roots, made_up_values()));
}

fn made_up_values() -> impl Fn(&Solved) -> SectorValues {
    made_up(7)
}

#[test]
fn lasker_with_three_stones_is_ranked_as_by_value_iteration() {
    let roots = ["0-0-3-3"];
    println!("{:?}", compared(rules("lasker"), &roots, ratio));
    println!("{:?}", compared(rules("lasker"), &roots, made_up(3)));
}
