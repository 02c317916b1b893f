//! Ranges of values against the full table and a naive search, with sectors withheld and with runs that are not finished.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::common::{scratch, stopped_after};
use nerode::games::Game;
use nerode::games::explicit::apply;
use nerode::games::morris::State;
use nerode::morris::tables::ask::named_game;
use nerode::morris::tables::{Runner, Sector, SectorDir, SectorSolution, plan};
use nerode::outcome::ValueRange;
use nerode::play::bounds::{Bounds, Means, Search};
use nerode::solve::method::Chains;
use nerode::{Error, Options, Position, Side, Solution, Value};

static GO_ON: AtomicBool = AtomicBool::new(false);

/// Without any means of saving work.
const PLAIN: Means = Means { table: false, windows: false, order: false };

fn search(solution: &Solution, position: &Position, plies: u32, means: Means) -> Bounds {
    let search = Search { plies, deadline: None, interrupt: &GO_ON, means };
    search.run(solution, &solution.query(position).unwrap(), &mut |_| ()).unwrap()
}

fn solve_sectors(path: &Path, spec: &str, root: &str) {
    let (_, rules, name) = named_game(spec).unwrap();
    let dir = SectorDir::create(path, name, "").unwrap();
    let units = plan(&rules, &[root.parse().unwrap()]).unwrap();
    Runner::new(&rules, &dir, u64::MAX, &GO_ON).solve_all(&units, &mut |_| ()).unwrap();
}

/// A whole directory, and one without some of its sectors.
struct Withheld {
    full: SectorSolution,
    part: Solution,
    missing: Vec<Sector>,
    dirs: [tempfile::TempDir; 2],
}

impl Withheld {
    /// Withholds the sectors that `is_missing` says.
    fn new(spec: &str, root: &str, is_missing: impl Fn(usize) -> bool) -> Self {
        let dirs = [scratch(), scratch()];
        dirs.iter().for_each(|dir| solve_sectors(dir.path(), spec, root));
        let full = SectorSolution::open(dirs[0].path()).unwrap();
        let files = SectorDir::open(dirs[1].path()).unwrap().sectors().unwrap();
        let missing: Vec<_> =
            files.iter().enumerate().filter(|(at, _)| is_missing(*at)).map(|(_, file)| file).collect();
        missing.iter().for_each(|file| fs::remove_file(&file.path).unwrap());
        let missing = missing.iter().map(|file| file.sector).collect();
        Self { full, part: Solution::open(dirs[1].path()).unwrap(), missing, dirs }
    }

    /// Every `step`-th position of the sectors withheld, with its value.
    fn positions(&self, step: usize) -> Vec<(Position, Value)> {
        let mut positions = Vec::new();
        for &sector in &self.missing {
            let table = self.full.table(sector).unwrap();
            for slot in
                (0..table.index.num_slots()).filter(|&slot| table.index.hole(slot).is_none()).step_by(step)
            {
                let state = table.state(slot);
                let board = self.full.rules.board_of(state, Side::P1);
                positions.push((Position { board, side: Side::P1 }, self.full.get(state).unwrap().0));
            }
        }
        positions
    }

    /// The range that a search of all moves gives, from the plain rules and the sectors that are there.
    fn naive(&self, at: &Position, plies: u32) -> ValueRange {
        if let Some(value) = self.full.game.outcome(&at.board, at.side) {
            return ValueRange::exact(value);
        }
        let state = self.full.rules.state_of(&at.board, at.side);
        if !self.missing.contains(&Sector::of(state)) {
            return ValueRange::exact(self.full.get(state).unwrap().0);
        }
        if plies == 0 {
            return ValueRange::UNKNOWN;
        }
        let replies = next(self.full.game.as_ref(), at).into_iter();
        replies.map(|next| self.naive(&next, plies - 1).negated()).reduce(ValueRange::max).unwrap()
    }
}

fn next(game: &dyn Game, at: &Position) -> Vec<Position> {
    let mut moves = Vec::new();
    game.legal_moves(&at.board, at.side, &mut moves);
    moves.iter().map(|mv| Position { board: apply(&at.board, mv), side: at.side.other() }).collect()
}

fn holds(range: ValueRange, value: Value) -> bool {
    range.least() <= value && value <= range.most()
}

/// Bits that look random, the same at every run.
fn chance(seed: u64, at: usize) -> bool {
    blake3::hash(format!("{seed} {at}").as_bytes()).as_bytes()[0] < 128
}

/// Every position of three men's morris, whichever sectors are missing.
#[test]
fn no_range_contradicts_the_full_table() {
    let (mut proved, mut narrowed, mut all) = (0, 0, 0);
    for seed in 0..4 {
        let withheld = Withheld::new("morris:three", "0-0-3-3", |at| chance(seed, at));
        for (position, value) in withheld.positions(1) {
            let found = search(&withheld.part, &position, 2, Means::ALL);
            assert!(holds(found.range, value), "{position:?}: {} and {value}", found.range);
            assert!(found.plies <= 2);
            all += 1;
            narrowed += usize::from(found.range != ValueRange::UNKNOWN);
            proved += usize::from(found.range.value().is_some());
        }
    }
    println!("{all} positions of sectors withheld, {proved} proved, {narrowed} narrowed by two plies");
    assert!(all > 1000 && proved > all / 10 && narrowed >= proved, "{all} {proved} {narrowed}");
}

/// All means together, each alone and none give what a search of all moves gives. Of the moves, each range holds the value.
#[test]
fn a_search_finds_what_a_search_of_all_moves_finds() {
    let one = |table, windows, order| Means { table, windows, order };
    let mut between = 0;
    let ways = [Means::ALL, PLAIN, one(true, false, false), one(false, true, false), one(false, false, true)];
    for (spec, root, plies, step) in [
        ("morris:three", "0-0-3-3", 3, 5),
        ("morris:six", "4-4-0-0", 3, 977),
        ("morris:six", "3-3-1-1", 2, 1999),
    ] {
        let withheld = Withheld::new(spec, root, |at| chance(7, at));
        for (position, value) in withheld.positions(step) {
            let expected = withheld.naive(&position, plies);
            assert!(holds(expected, value));
            between += usize::from(expected.value().is_none() && expected != ValueRange::UNKNOWN);
            for means in ways {
                let found = search(&withheld.part, &position, plies, means);
                if means.table || found.range.value().is_some() {
                    // The table may know more of a position than its depth shows, and deepening stops once the value is proved.
                    assert_eq!(found.range.both(expected), Some(found.range), "{means:?} {position:?}");
                } else {
                    assert_eq!(found.range, expected, "{means:?} {position:?}");
                }
                assert!(holds(found.range, value), "{means:?} {position:?}");
                for (reply, range) in withheld.part.query(&position).unwrap().moves().iter().zip(&found.moves)
                {
                    let after = withheld.full.get(state_of(&withheld, reply.position())).unwrap().0;
                    assert!(holds(*range, after.negated()), "{means:?} {position:?} {}", reply.text());
                }
            }
        }
    }
    println!("{between} ranges of two values");
}

fn state_of(withheld: &Withheld, position: &Position) -> State {
    withheld.full.rules.state_of(&position.board, position.side)
}

/// The line begins with a move of the range that is claimed, and ends where the solution knows.
#[test]
fn the_line_leads_to_what_is_known() {
    let withheld = Withheld::new("morris:three", "0-0-3-3", |at| chance(3, at));
    let mut seen = 0;
    for (position, _) in withheld.positions(3) {
        let found = search(&withheld.part, &position, 3, Means::ALL);
        let answer = withheld.part.query(&position).unwrap();
        let Some(first) = found.line.first() else {
            assert!(found.range == ValueRange::UNKNOWN || answer.moves().is_empty(), "{position:?}");
            continue;
        };
        let at = answer.moves().iter().position(|reply| reply == first).unwrap();
        assert_eq!(found.moves[at].least(), found.range.least(), "{position:?}");
        if let Some(value) = found.range.value() {
            let last = found.line.last().unwrap().position();
            let mut end = withheld.full.get(state_of(&withheld, last)).unwrap().0;
            // Seen by the side that asked.
            end = if found.line.len() % 2 == 1 { end.negated() } else { end };
            seen += usize::from(end == value);
        }
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn time_and_interruption_stop_a_search_and_memory_changes_nothing() {
    let withheld = Withheld::new("morris:six", "4-4-0-0", |at| at > 0);
    let is_wide = |position: &Position| search(&withheld.part, position, 4, Means::ALL).nodes > 300;
    let position = withheld.positions(997).into_iter().map(|(position, _)| position).find(is_wide).unwrap();
    let answer = withheld.part.query(&position).unwrap();
    let (past, stop) = (Some(Instant::now()), AtomicBool::new(true));
    let ended = Search { plies: 9, deadline: past, interrupt: &GO_ON, means: Means::ALL };
    let ended = ended.run(&withheld.part, &answer, &mut |_| ()).unwrap();
    assert!(ended.plies < 9 && ended.nodes <= 256, "{ended:?}");
    let stopped = Search { plies: 9, deadline: None, interrupt: &stop, means: Means::ALL };
    assert!(matches!(stopped.run(&withheld.part, &answer, &mut |_| ()), Err(Error::Interrupted)));
}

/// Positions that an unfinished run has not decided: a search into its sets says what the whole solution says.
#[test]
fn an_unfinished_run_is_searched_into() {
    let spec = "breakthrough:3x4";
    let whole = nerode::open(spec).unwrap().solve(Options::default()).unwrap();
    let dir = scratch();
    assert!(stopped_after(dir.path(), spec, Chains::Both, 2));
    let part = Solution::open(dir.path()).unwrap().so_far().unwrap();
    let (mut open, mut proved) = (HashMap::new(), [0; 4]);
    for position in whole.sample(2000, 5).unwrap() {
        if part.query(&position).unwrap().value().is_none() {
            open.insert(position.clone(), whole.query(&position).unwrap().value().unwrap());
        }
    }
    assert!(open.len() > 20, "{}", open.len());
    for (position, value) in &open {
        for plies in 1..4 {
            let found = search(&part, position, plies, Means::ALL);
            assert!(holds(found.range, *value), "{position:?}");
            proved[plies as usize] += usize::from(found.range.value().is_some());
        }
    }
    println!("{} open, proved by plies {proved:?}", open.len());
    // A ply of search decides what the next ply of the run would.
    assert!(0 < proved[1] && proved[1] <= proved[2] && proved[2] <= proved[3], "{proved:?}");
}

/// What each means of saving work saves, and what a tight memory costs: on twenty positions, with every other sector withheld.
#[test]
#[ignore = "a measurement: cargo test --release --test play -- --ignored --nocapture twenty"]
fn twenty_positions_are_measured() {
    let withheld = Withheld::new("morris:six", "5-5-0-0", |at| at % 2 == 1);
    let all = withheld.positions(1);
    let twenty: Vec<&Position> = all.iter().step_by(all.len() / 20).take(20).map(|(at, _)| at).collect();
    let without = [
        ("all", Means::ALL),
        ("no table", Means { table: false, ..Means::ALL }),
        ("no windows", Means { windows: false, ..Means::ALL }),
        ("no order", Means { order: false, ..Means::ALL }),
        ("none", PLAIN),
    ];
    let least = withheld
        .full
        .dir
        .sectors()
        .unwrap()
        .iter()
        .map(|file| withheld.full.table(file.sector).unwrap().bytes())
        .max();
    for (name, means) in without {
        let began = Instant::now();
        let (mut nodes, mut looked_up, mut proved) = (0, 0, 0);
        for position in &twenty {
            let found = search(&withheld.part, position, 4, means);
            nodes += found.nodes;
            looked_up += found.looked_up;
            proved += usize::from(found.range.value().is_some());
        }
        println!(
            "{name:>10}: {nodes} positions, {looked_up} look-ups, {proved} proved, {:?}",
            began.elapsed()
        );
    }
    for (name, memory) in [("much", u64::MAX), ("two", least.unwrap() * 2), ("one", least.unwrap())] {
        for order in [true, false] {
            let part = Solution::open(withheld.dirs[1].path()).unwrap().with_memory(memory);
            let means = Means { order, ..Means::ALL };
            let loads: u64 = twenty.iter().map(|at| search(&part, at, 3, means).loads).sum();
            println!("memory for {name}, order {order}: {loads} sectors read");
        }
    }
}

/// The share of positions that a search proves with half of the sectors withheld.
#[test]
#[ignore = "a measurement: cargo test --release --test play -- --ignored --nocapture half"]
fn half_of_the_sectors_withheld() {
    for seed in 0..3 {
        let withheld = Withheld::new("morris:six", "0-0-4-4", |at| chance(seed, at));
        let positions = withheld.positions(997);
        for plies in 1..5 {
            let began = Instant::now();
            let found: Vec<_> =
                positions.iter().map(|(at, _)| search(&withheld.part, at, plies, Means::ALL).range).collect();
            assert!(positions.iter().zip(&found).all(|((_, value), range)| holds(*range, *value)));
            let proved = found.iter().filter(|range| range.value().is_some()).count();
            let open = found.iter().filter(|range| **range == ValueRange::UNKNOWN).count();
            println!(
                "seed {seed}, {} sectors withheld, {} positions, {plies} plies: {proved} proved, {open} unknown, {:?}",
                withheld.missing.len(),
                positions.len(),
                began.elapsed()
            );
        }
    }
}
