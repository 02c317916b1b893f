//! Stored bounds of early positions, compared with the full table and a naive search, and damaged files.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::withheld::{GO_ON, Withheld, chance, holds, search};
use nerode::games::explicit::apply;
use nerode::{Error, Position};
use nerode_morris::early::{EarlyBounds, RangeCounts};
use nerode_morris::tables::{Sector, SectorSolution};
use nerode_play::bounds::{EarlyDone, EarlySearch, Means};

const MUCH: u64 = 1 << 28;
/// The maximum depth of a search of all moves.
const MOST_NAIVE: u32 = 5;

fn early(placements: u8) -> EarlySearch<'static> {
    EarlySearch { placements, plies: None, memory: MUCH, overwrite: false, interrupt: &GO_ON }
}

fn store(dir: &Path, how: EarlySearch<'_>) -> Result<Vec<EarlyDone>, Error> {
    how.run(&SectorSolution::open(dir).unwrap(), &|_| ())
}

/// Returns all positions after up to `placements` placements, by the plain rules, including symmetric ones.
fn early_positions(of: &Withheld, placements: u8) -> Vec<HashSet<Position>> {
    let game = of.full.game.as_ref();
    let mut layers = vec![HashSet::from([game.start_position()])];
    for _ in 0..placements {
        let mut next = HashSet::new();
        for Position { board, side } in layers.last().unwrap() {
            let mut moves = Vec::new();
            if game.outcome(board, *side).is_none() {
                game.legal_moves(board, *side, &mut moves);
            }
            next.extend(moves.iter().map(|mv| Position { board: apply(board, mv), side: side.other() }));
        }
        layers.push(next);
    }
    layers
}

/// Compares the stored range of every early position with its value, and some ranges with a search of all moves.
fn compare(of: &Withheld, placements: u8, plies: Option<u32>, step: usize) -> RangeCounts {
    let dir = of.dirs[1].path();
    let done = store(dir, EarlySearch { plies, overwrite: true, ..early(placements) }).unwrap();
    let sectors = SectorSolution::open(dir).unwrap();
    let stored = EarlyBounds::of(&sectors).unwrap().unwrap();
    let mut of_sectors = HashSet::new();
    for (placed, layer) in early_positions(of, placements).into_iter().enumerate() {
        for (at, position) in layer.iter().enumerate() {
            let state = of.full.rules.state_of(&position.board, position.side);
            if state.decided_by_stones().is_some() {
                continue;
            }
            let found = stored.get(state, sectors.maker()).unwrap();
            let found = found.unwrap_or_else(|| panic!("no range is stored for {position:?}"));
            let value = of.full.get(state).unwrap().0;
            assert!(holds(found.range, value), "{position:?}: {} and {value}", found.range);
            let left = u32::from(state.own_hand + state.other_hand);
            let all = plies.map_or(left, |plies| left.min(plies + u32::from(placements) - placed as u32));
            assert_eq!(found.plies, all);
            of_sectors.insert(Sector::of(state));
            if at % step == 0 && all <= MOST_NAIVE {
                assert_eq!(found.range, of.naive(position, all), "{position:?}");
            }
        }
    }
    // Only reachable positions are stored.
    assert_eq!(done.len(), of_sectors.len());
    done.iter().fold(RangeCounts::default(), |all, done| all.and(done.ranges.counts))
}

#[test]
fn no_stored_bound_contradicts_the_full_table() {
    let (mut proved, mut between, mut all) = (0, 0, 0);
    let games = [
        ("morris:three", "0-0-3-3", 4, 1),
        ("morris:three,stones=4-3", "0-0-4-3", 4, 2),
        ("morris:six,stones=4,fly=yes,fullboard=draw", "0-0-4-4", 5, 3),
        ("morris:six,stones=4,fly=yes,fullboard=draw", "0-0-4-4", 5, 9),
    ];
    for (spec, root, placements, seed) in games {
        // None of the sectors with stones in hand exists, because the table is for openings.
        let is_missing = |at, sector: Sector| !sector.to_string().ends_with("-0-0") || chance(seed, at);
        let counts = compare(&Withheld::new(spec, root, is_missing), placements, None, 1009);
        all += counts.positions();
        proved += counts.proved();
        between += counts.at_least_draw + counts.at_most_draw;
    }
    println!("{all} early positions, {proved} proved, {between} of two values");
    assert!(all > 1000 && 0 < proved && proved < all && between > 0, "{all} {proved} {between}");
}

/// A search of few plies gives wider ranges, but no wrong ones.
#[test]
fn few_plies_leave_wider_bounds() {
    let of = Withheld::new("morris:six,stones=4", "0-0-4-4", |at, sector| {
        !sector.to_string().ends_with("-0-0") || at % 3 == 0
    });
    let counts = [Some(1), Some(3), None].map(|plies| compare(&of, 3, plies, 2003));
    let proved = counts.map(|counts| counts.proved());
    assert!(proved.is_sorted() && proved[0] < proved[2], "{proved:?}");
}

#[test]
#[ignore = "a minute: cargo test --release --test play -- --ignored early"]
fn no_stored_bound_contradicts_the_full_table_of_larger_games() {
    for (spec, root, placements) in [("morris:five", "0-0-5-5", 6), ("morris:nine,stones=4", "0-0-4-4", 5)] {
        let is_missing = |at, sector: Sector| !sector.to_string().ends_with("-0-0") || at % 4 == 1;
        let counts = compare(&Withheld::new(spec, root, is_missing), placements, None, 50_021);
        println!("{spec}: {counts:?}");
    }
}

/// Returns the digests of all files, by sector.
fn files(done: &[EarlyDone]) -> Vec<(Sector, String)> {
    done.iter().map(|done| (done.sector, done.ranges.file.blake3().to_string())).collect()
}

#[test]
fn ranges_are_the_same_for_any_threads_memory_and_stops() {
    let of = || {
        Withheld::new("morris:six,stones=4", "0-0-4-4", |at, sector| {
            !sector.to_string().ends_with("-0-0") || at % 3 == 0
        })
    };
    let run = |threads, memory| {
        let of = of();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        files(&pool.install(|| store(of.dirs[1].path(), EarlySearch { memory, ..early(5) })).unwrap())
    };
    let expected = run(1, MUCH);
    assert!(expected.len() > 6);
    assert_eq!(run(3, MUCH), expected);
    // The memory is sufficient for the positions, with hardly any space for the tables of searches.
    assert_eq!(run(2, 60_000), expected);
    let (of, stop) = (of(), AtomicBool::new(false));
    let sectors = SectorSolution::open(of.dirs[1].path()).unwrap();
    let stopped = EarlySearch { interrupt: &stop, ..early(5) };
    let stopped = stopped.run(&sectors, &|now| stop.store(now.placements < 5, Ordering::Relaxed));
    assert!(matches!(stopped, Err(Error::Interrupted)), "{stopped:?}");
    let rest = store(of.dirs[1].path(), early(5)).unwrap();
    assert_eq!(files(&rest), expected);
    // Finished sectors are not searched again.
    assert!(rest.iter().any(|done| done.nodes == 0) && rest.iter().any(|done| done.nodes > 0));
}

/// Checks that the work reports its progress within a sector, not only between sectors.
#[test]
fn progress_is_reported_within_a_sector() {
    let of = Withheld::new("morris:six,stones=4", "0-0-4-4", |at, sector| {
        !sector.to_string().ends_with("-0-0") || at % 3 == 0
    });
    let sectors = SectorSolution::open(of.dirs[1].path()).unwrap();
    let reports = std::sync::Mutex::new(Vec::new());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| early(5).run(&sectors, &|now| reports.lock().unwrap().push(now))).unwrap();
    let reports = reports.into_inner().unwrap();
    let largest = reports.iter().max_by_key(|now| now.all_slots).unwrap().sector;
    let of_largest: Vec<_> = reports.iter().filter(|now| now.sector == largest).collect();
    assert!(of_largest.iter().any(|now| (1..now.all_slots).contains(&now.slots)), "{of_largest:?}");
    assert!(of_largest.iter().any(|now| now.slots == now.all_slots), "{of_largest:?}");
}

/// A query uses the stored ranges: its range is at least as narrow as before, and it visits fewer positions.
#[test]
fn a_search_uses_what_is_stored() {
    let of = Withheld::new("morris:six,stones=4", "0-0-4-4", |at, sector| {
        !sector.to_string().ends_with("-0-0") || at % 3 == 0
    });
    let start = of.part.game().start_position();
    let before = search(&of.part, &start, 8, Means::ALL);
    store(of.dirs[1].path(), early(4)).unwrap();
    let with_table = nerode::open_solution(of.dirs[1].path()).unwrap();
    assert_ne!(with_table.digest(), of.part.digest());
    let after = search(&with_table, &start, 1, Means::ALL);
    assert_eq!((after.range, after.stored), (before.range, before.range));
    assert!(after.nodes * 10 < before.nodes, "{} {}", after.nodes, before.nodes);
    for layer in early_positions(&of, 5) {
        for position in layer.iter().step_by(97) {
            let (plain, with) =
                (search(&of.part, position, 2, Means::ALL), search(&with_table, position, 2, Means::ALL));
            assert_eq!(with.range.both(plain.range), Some(with.range), "{position:?}");
            let value = of.full.get(of.full.rules.state_of(&position.board, position.side));
            assert!(holds(with.range, value.unwrap().0), "{position:?}");
        }
    }
}

#[test]
fn tables_of_other_sectors_or_rules_and_damaged_ones_are_refused() {
    let of = Withheld::new("morris:three", "0-0-3-3", |_, sector| !sector.to_string().ends_with("-0-0"));
    let [full, part] = [0, 1].map(|at| of.dirs[at].path());
    store(part, early(3)).unwrap();
    // With one more sector, the stored ranges remain valid, but have not been searched deeply enough.
    let missing = of.missing[0];
    fs::copy(full.join(format!("{missing}.sector")), part.join(format!("{missing}.sector"))).unwrap();
    assert!(matches!(store(part, early(3)), Err(Error::Occupied { .. })));
    let sectors = SectorSolution::open(part).unwrap();
    let start = sectors.rules.start();
    let stored = || EarlyBounds::of(&sectors).unwrap().unwrap().get(start, sectors.maker());
    assert_eq!(stored().unwrap().unwrap().plies, 0);
    store(part, EarlySearch { overwrite: true, ..early(3) }).unwrap();
    assert_eq!(stored().unwrap().unwrap().plies, 6);
    let file = part.join("bounds").join("0-0-3-3.bounds");
    let good = fs::read(&file).unwrap();
    for at in 0..good.len() {
        let mut changed = good.clone();
        changed[at] ^= 1;
        fs::write(&file, changed).unwrap();
        assert!(matches!(stored(), Err(Error::Corrupt { .. })), "byte {at}");
    }
    // The next search computes ranges again that are damaged or missing.
    store(part, early(3)).unwrap();
    assert_eq!(fs::read(&file).unwrap(), good);
    fs::remove_file(&file).unwrap();
    assert!(stored().is_err());
    store(part, early(3)).unwrap();
    assert_eq!(fs::read(&file).unwrap(), good);
    let other = Withheld::new("morris:six,stones=3", "3-3-0-0", |_, _| false);
    let folder = other.dirs[1].path().join("bounds");
    fs::create_dir(&folder).unwrap();
    fs::copy(part.join("bounds").join("bounds.json"), folder.join("bounds.json")).unwrap();
    assert!(matches!(nerode::open_solution(other.dirs[1].path()), Err(Error::WrongRules { .. })));
}

#[test]
fn what_has_no_early_positions_is_refused() {
    let of = |spec, root, placements| {
        let of = Withheld::new(spec, root, |_, _| false);
        let refused = store(of.dirs[1].path(), early(placements)).unwrap_err();
        assert!(!of.dirs[1].path().join("bounds").exists());
        refused.to_string()
    };
    assert!(of("morris:lasker,stones=3", "3-3-0-0", 2).contains("phases=mixed"));
    assert!(of("morris:three", "3-3-0-0", 6).contains("at most 5"));
    assert!(of("morris:three,stones=5-3", "3-3-0-0", 2).contains("5 and 3"));
    let little = Withheld::new("morris:three", "3-3-0-0", |_, _| false);
    let little = store(little.dirs[1].path(), EarlySearch { memory: 10, ..early(3) });
    assert!(matches!(little, Err(Error::TooLarge { .. })), "{little:?}");
}
