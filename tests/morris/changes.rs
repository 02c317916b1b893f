//! Differences between two sets of rules: the published counts, and no difference where none is possible.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use nerode_games::Value;
use nerode_morris::changes::{Change, SectorChanges, TwoRules};
use nerode_morris::tables::SectorSolve;
use nerode_solver::solve::resources::Resources;

use crate::common::malom::sector;
use crate::common::scratch;

/// Solves the sectors that `roots` depend on in a directory.
fn solve(path: &Path, spec: &str, roots: &[&str]) {
    let roots = roots.iter().map(|root| sector(root)).collect();
    let solve = SectorSolve::open(spec).unwrap().of(roots).unwrap();
    solve.solve_into(path, &Resources::default(), &mut |_| ()).unwrap();
}

/// Returns the changes from the first rules to the second in every sector.
fn changes(specs: [&str; 2], roots: &[&str]) -> Vec<SectorChanges> {
    let dir = scratch();
    let paths = ["first", "second"].map(|name| dir.path().join(name));
    paths.iter().zip(specs).for_each(|(path, spec)| solve(path, spec, roots));
    let rules = TwoRules::open(&paths[0], &paths[1], u64::MAX).unwrap();
    assert!(rules.only.iter().all(Vec::is_empty));
    let never = AtomicBool::new(false);
    rules.both.iter().map(|&sector| rules.changes(sector, 3, &never).unwrap()).collect()
}

fn of(change: (Value, Value), found: &SectorChanges) -> u64 {
    let at = Change::ALL.iter().position(|kind| (kind.from, kind.to) == change).unwrap();
    found.changed[at]
}

const CAPTURE: [&str; 2] = ["morris:nine,capture=protected", "morris:nine"];

/// Checks the changes against paper 003, section 7.1.
fn are_as_published(found: &[SectorChanges]) {
    for found in found {
        let name = found.sector.to_string();
        let changed: u64 = found.changed.iter().sum();
        match name.as_str() {
            "4-3-0-0" => {
                assert_eq!(found.counts[0].num_positions, 760_398);
                assert_eq!((changed, of((Value::Draw, Value::Win), found)), (748, 748));
                let at_once = &found.examples[1][0];
                assert_eq!((at_once.soonest, at_once.depths), (1, [None, Some(1)]));
            }
            // This refers to outcomes only: a few positions have other depths.
            "3-3-0-0" => assert_eq!(changed, 0),
            "3-4-0-0" | "4-4-0-0" => assert_eq!((changed, found.other_depth), (0, 0), "{name}"),
            _ => {}
        }
        if found.sector.own < 6 || found.sector.other < 6 {
            for turned in [(Value::Loss, Value::Win), (Value::Win, Value::Loss)] {
                assert_eq!(of(turned, found), 0, "{name}");
            }
        }
    }
}

#[test]
fn capture_rules_change_what_is_published() {
    let found = changes(CAPTURE, &["4-4-0-0"]);
    assert_eq!(found.len(), 4);
    are_as_published(&found);
}

#[test]
#[ignore = "some minutes: cargo test --release --test morris -- --ignored"]
fn capture_rules_turn_no_outcome_round_with_fewer_than_six_stones() {
    are_as_published(&changes(CAPTURE, &["5-5-0-0", "6-4-0-0"]));
}

/// Only placements can take two stones.
#[test]
fn two_stones_taken_change_no_placed_sector() {
    let found = changes(["morris:six", "morris:six,take=2"], &["5-5-0-0"]);
    assert!(found.len() > 5);
    assert!(found.iter().all(|found| found.changed == [0; 6] && found.other_depth == 0));
}

/// A list of all positions gives the same counts.
#[test]
fn counts_are_those_of_a_look_at_every_position() {
    let take = ["morris:three,stones=5-4", "morris:three,stones=5-4,take=2"];
    let capture = ["morris:six,capture=protected", "morris:six"];
    // Only depths change here.
    assert!(changed_one_by_one(take, "0-0-5-4").1 > 0);
    assert!(changed_one_by_one(capture, "4-3-0-0").0 > 0);
}

/// Returns the numbers of positions that have another value and of those that only have another depth.
fn changed_one_by_one(specs: [&str; 2], root: &str) -> (u64, u64) {
    let dir = scratch();
    let paths = ["first", "second"].map(|name| dir.path().join(name));
    paths.iter().zip(specs).for_each(|(path, spec)| solve(path, spec, &[root]));
    let rules = TwoRules::open(&paths[0], &paths[1], u64::MAX).unwrap();
    let never = AtomicBool::new(false);
    let mut all = (0, 0);
    for &sector in &rules.both {
        let [first, second] = [&rules.sides[0], &rules.sides[1]];
        let table = first.table(sector).unwrap();
        let (mut expected, mut other_depth) = ([0; 6], 0);
        for slot in (0..table.index.num_slots()).filter(|&slot| table.index.hole(slot).is_none()) {
            let [before, after] = [first, second].map(|side| side.get(table.state(slot)).unwrap());
            match Change::ALL.iter().position(|kind| (kind.from, kind.to) == (before.0, after.0)) {
                Some(place) => expected[place] += 1,
                None => other_depth += u64::from(before.1 != after.1),
            }
        }
        let found = rules.changes(sector, 3, &never).unwrap();
        assert_eq!((found.changed, found.other_depth), (expected, other_depth), "{sector}");
        for (place, examples) in found.examples.iter().enumerate() {
            assert_eq!(examples.len() as u64, expected[place].min(3));
            assert!(examples.is_sorted());
        }
        all = (all.0 + expected.iter().sum::<u64>(), all.1 + other_depth);
    }
    all
}
