//! Ranked draws: compared with value iteration that shares no code, checked one ply deep, and computed with any number
//! of threads.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use crate::common::malom::{GO_ON, Solved, assert_clean, rules, sector};
use crate::common::ranks::Naive;
use crate::common::stride;
use nerode_games::morris::{FullBoard, Rules};
use nerode_morris::malom::SectorValues;
use nerode_morris::ranked::{RankedTable, RankedTables, by_difference, by_ratio, check_sector, rank_unit};
use nerode_morris::tables::{Sector, SectorTable, Unit, plan};
use nerode_solver::error::Error;

/// Solved sectors, their units in order, and their values.
pub struct Ranked {
    pub solved: Solved,
    units: Vec<Unit>,
    pub values: SectorValues,
    pub known: RankedTables,
}

pub fn all_ranked(solved: Solved, roots: &[&str], values: impl Fn(&Solved) -> SectorValues) -> Ranked {
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
) -> Result<Vec<RankedTable>, Error> {
    let strong: Vec<Arc<SectorTable>> =
        unit.sectors().iter().map(|sector| Arc::clone(&solved.known[sector])).collect();
    rank_unit(&solved.rules, &strong, values, &solved.maker, known, &GO_ON)
}

pub fn ratio(solved: &Solved) -> SectorValues {
    let counts = solved.known.iter().map(|(&sector, table)| (sector, table.counts())).collect();
    by_ratio(&solved.rules, &counts).unwrap()
}

pub fn difference(solved: &Solved) -> SectorValues {
    by_difference(&solved.rules, &solved.known.keys().copied().collect()).unwrap()
}

/// Returns artificial values, opposite for mirrors and mostly small, so that ranks pass the values of sectors in both
/// directions.
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

/// The observed ranks: draws away from their sector's value, the greatest number of plies, and draws with a negative
/// number.
#[derive(Debug, Default)]
struct Seen {
    ranked: u64,
    longest: i32,
    negative: u64,
    /// The number of distances from the sector's value, in units for which it is recorded.
    levels: usize,
}

/// Compares every position of every sector with value iteration and with its own turns.
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
            assert_clean(&report, table.sector().num_boards(solved.rules.board.num_points()));
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
#[ignore = "slow: .ci/scheduled"]
fn four_stones_on_the_board_of_six_are_ranked_as_by_value_iteration() {
    let roots = ["0-0-4-4"];
    assert!(compared(rules("six"), &roots, ratio).ranked > 1000);
    if stride(2) == 1 {
        compared(rules("six"), &roots, difference);
    }
    // A side that flies has many draws to choose from, so that ranks spread far and pass the values of sectors on their
    // way.
    let flying = Rules { fly: true, full_board: FullBoard::Draw, ..rules("six") };
    let seen = compared(flying, &roots, made_up(7));
    assert!(seen.ranked > 100_000 && seen.longest > 30 && seen.negative > 1000, "{seen:?}");
}

/// Ranks a unit next to sectors whose draws have random ranks, so that levels occur in every order and pass the
/// sectors' values in both directions.
fn compared_beside_random_ranks(rules: Rules, unit: &str, seed: u32) -> Seen {
    let unit = Unit::of(&rules, sector(unit));
    let solved = Solved::new(rules, &[&unit.first().to_string()]);
    let values = made_up(seed)(&solved);
    let mut naive = Naive::new(&solved.rules, values.win(), values.iter().collect());
    let (mut known, mut state) = (RankedTables::new(), seed);
    let mut next = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        i32::try_from((state >> 16) % below).unwrap()
    };
    for child in unit.secondary(&solved.rules) {
        let table = RankedTable::new(Arc::clone(&solved.known[&child]), &values).unwrap();
        let mut pairs = HashMap::new();
        for slot in (0..table.keys.num_slots()).filter(|&slot| table.strong.index.hole(slot).is_none()) {
            let rank = next(17) - 8 - table.value;
            let pair = if rank == 0 { (0, 0) } else { (rank, next(20) - 7) };
            if table.is_draw(slot) {
                assert!(table.keys.set(slot, pair));
            }
            let (own, other) = table.strong.index.position(slot);
            pairs.insert(naive.least((own, other)), table.pair(slot));
        }
        naive.known.insert(child, pairs);
        known.insert(child, Arc::new(table));
    }
    naive.rank(&unit);
    let (mut seen, mut levels) = (Seen::default(), BTreeSet::new());
    for table in rank(&solved, &unit, &values, &known).unwrap() {
        for (&(own, other), &pair) in &naive.known[&table.sector()] {
            let slot = table.strong.index.slot(own, other);
            assert_eq!(table.pair(slot), pair, "{} {own:#x} {other:#x}", table.sector());
            if table.is_draw(slot) && pair.0 != 0 {
                seen.ranked += 1;
                seen.negative += u64::from(pair.1 < 0);
                levels.insert(pair.0.abs());
            }
        }
    }
    seen.levels = levels.len();
    seen
}

#[test]
fn a_unit_beside_random_ranks_is_ranked_as_by_value_iteration() {
    let units = [("4-4-0-0", 1), ("4-4-0-0", 2), ("5-4-0-0", 3), ("5-4-0-0", 5), ("5-5-0-0", 4)];
    for (unit, seed) in units.into_iter().step_by(stride(5)) {
        let seen = compared_beside_random_ranks(Rules { fly: true, ..rules("six") }, unit, seed);
        assert!(seen.ranked > 5000 && seen.negative > 0 && seen.levels > 7, "{unit}: {seen:?}");
    }
}

#[test]
#[ignore = "minutes: cargo test --release --test morris -- --ignored ranked"]
fn whole_small_games_are_ranked_as_by_value_iteration() {
    println!("{:?}", compared(rules("five"), &["0-0-5-5"], ratio));
    println!("{:?}", compared(rules("six"), &["0-0-6-6"], ratio));
    println!("{:?}", compared(rules("lasker"), &["0-0-3-3"], ratio));
    println!("{:?}", compared(rules("lasker"), &["0-0-3-3"], made_up(3)));
    println!("{:?}", compared(rules("lasker"), &["0-0-4-4"], ratio));
    println!("{:?}", compared(rules("lasker"), &["0-0-4-4"], made_up(5)));
}

fn keys_of(ranked: &Ranked) -> Vec<(Sector, Vec<(i32, i32)>)> {
    let keys = |table: &RankedTable| (0..table.keys.num_slots()).map(|slot| table.keys.get(slot)).collect();
    ranked.known.iter().map(|(&sector, table)| (sector, keys(table))).collect()
}

#[test]
fn ranks_are_the_same_for_any_number_of_threads() {
    let flying = || Solved::new(Rules { fly: true, ..rules("six") }, &["0-0-3-4", "4-4-0-0"]);
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| keys_of(&all_ranked(flying(), &["0-0-3-4", "4-4-0-0"], made_up(11))))
    };
    let one = with(1);
    assert!(one.iter().any(|(_, keys)| keys.iter().any(|keys| keys.1 > 3)));
    for threads in [2, 5] {
        assert!(with(threads) == one, "{threads} threads");
    }
}

#[test]
fn what_is_missing_is_named() {
    let solved = Solved::new(rules("six"), &["4-3-0-0"]);
    let values = difference(&solved);
    let unit = Unit::of(&solved.rules, sector("4-3-0-0"));
    let missing = rank(&solved, &unit, &values, &RankedTables::new()).unwrap_err();
    assert!(matches!(&missing, Error::MissingSector { sector, .. } if sector == "3-3-0-0"), "{missing}");
    let values = SectorValues::new(9, [(sector("3-3-0-0"), 0)].into(), &solved.rules).unwrap();
    let missing = rank(&solved, &unit, &values, &RankedTables::new()).unwrap_err();
    assert!(missing.to_string().contains("no value for sector 4-3-0-0"), "{missing}");
}

/// The check finds a single wrong value among correct ones, however it is wrong.
#[test]
fn the_check_finds_every_wrong_value() {
    let ranked = all_ranked(Solved::new(rules("six"), &["3-3-1-1"]), &["3-3-1-1"], ratio);
    let name = sector("3-3-1-1");
    let table = &ranked.known[&name];
    let check = |known: &RankedTables| {
        check_sector(&ranked.solved.rules, &known[&name], &ranked.solved.maker, known, &GO_ON).unwrap()
    };
    assert_eq!(check(&ranked.known).mismatches, 0);
    let ranked_at = |slot: &u64| table.is_draw(*slot) && table.keys.get(*slot).0 != 0;
    let slot = (0..table.keys.num_slots()).find(ranked_at).unwrap();
    let (key1, key2) = table.keys.get(slot);
    for wrong in [(key1, key2 + 1), (key1, key2 - 1), (-key1, key2), (key1 + 1, key2), (0, 0)] {
        assert!(table.keys.set(slot, wrong));
        let report = check(&ranked.known);
        assert!(report.mismatches > 0, "{wrong:?}");
        assert!(report.first_mismatch.unwrap().contains("its turns imply"));
    }
}
