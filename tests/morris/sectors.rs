//! Sectors of morris games: published results, the verifier, files and directories.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use nerode_games::morris::{Capture, Preset, Rules, State};
use nerode_morris::tables::{
    GameName, IndexMaker, Runner, Sector, SectorCounts, SectorDir, SectorTable, SectorTables, check_sector,
    plan, solve_unit,
};
use nerode_solver::error::Error;
use nerode_solver::solve::resources::Resources;
use serde_json::Value;

fn rules(preset: &str) -> Rules {
    Preset::named(preset).unwrap().rules()
}

fn sector(text: &str) -> Sector {
    text.parse().unwrap()
}

fn never() -> AtomicBool {
    AtomicBool::new(false)
}

fn reference(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(format!("morris-{name}.json"));
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// Solves all sectors that `roots` depend on in memory.
fn solved(rules: &Rules, roots: &[&str]) -> SectorTables {
    let maker = IndexMaker::new(&rules.board);
    let roots: Vec<Sector> = roots.iter().map(|root| sector(root)).collect();
    let mut known = SectorTables::new();
    for unit in plan(rules, &roots).unwrap() {
        let tables = solve_unit(rules, &unit, &maker, &known, &never()).unwrap();
        known.extend(tables.into_iter().map(|table| (table.sector, Arc::new(table))));
    }
    known
}

fn counts(known: &SectorTables, name: &str) -> SectorCounts {
    known[&sector(name)].counts()
}

/// Compares the longest win and loss of sectors of placed stones with Gasser's table (paper 002), and wins, draws and
/// losses except for two rows: 3-3 is printed up to more symmetries, which a test of its own compares, and the sum of
/// row 5-5 exceeds the number of positions by 490, so it cannot be right.
fn check_gasser(known: &SectorTables, names: &[&str]) {
    let published = reference("gasser-subgames");
    for name in names {
        let found = counts(known, &format!("{name}-0-0"));
        let row = published["subgames"][name].as_array().unwrap();
        let expected: Vec<Option<u64>> = row.iter().map(Value::as_u64).collect();
        let three = [found.wins(), found.draws, found.losses()];
        match *name {
            "3-3" => assert_eq!(three, [140_621, 269, 28_736]),
            "5-5" => {
                assert_eq!(expected[..3].iter().flatten().sum::<u64>(), found.num_positions + 490);
                assert_eq!(three, [28_819, 30_881_316, 4_289]);
            }
            _ => assert_eq!(three.map(Some)[..], expected[..3], "{name}"),
        }
        let (win, loss) = found.longest();
        for (printed, longest) in [(expected[3], win), (expected[4], loss)] {
            assert!(printed.is_none() || printed == longest.map(|plies| plies as u64), "{name}");
        }
    }
}

/// Returns the boards that a set of points becomes under the permutations of the rings. Points are numbered ring by ring,
/// eight to a ring.
fn with_rings_permuted(stones: u32) -> [u32; 6] {
    let ring = |number: u32| stones >> (8 * number) & 0xff;
    [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
        .map(|[outer, middle, inner]| ring(outer) | ring(middle) << 8 | ring(inner) << 16)
}

/// With three stones each, both sides fly, so that only mills matter, and every permutation of the rings preserves
/// them. Gasser counts 3-3 up to these 48 symmetries (paper 002, section 4.1), and all other sectors up to 16.
#[test]
fn gasser_counted_three_against_three_under_all_permutations_of_the_rings() {
    let known = solved(&rules("nine"), &["3-3-0-0"]);
    let table = &known[&sector("3-3-0-0")];
    let (mut won, mut drawn, mut lost) = (0, 0, 0);
    for slot in (0..table.index.num_slots()).filter(|&slot| table.index.hole(slot).is_none()) {
        let state = table.state(slot);
        let [own, other] = [state.own, state.other].map(with_rings_permuted);
        let images = own.into_iter().zip(other).map(|(own, other)| State { own, other, ..state });
        let slots: Vec<u64> = images.map(|image| table.slot(image)).collect();
        let depth = table.depth_at(slot);
        assert!(slots.iter().all(|&image| table.depth_at(image) == depth), "{state:?}");
        // The least slot stands for the whole orbit.
        if slots.iter().all(|&image| image >= slot) {
            match depth {
                None => drawn += 1,
                Some(plies) if plies % 2 == 1 => won += 1,
                Some(_) => lost += 1,
            }
        }
    }
    assert_eq!((won, drawn, lost), (47_167, 96, 9_659));
    let published = &reference("gasser-subgames")["subgames"]["3-3"];
    assert_eq!([won, drawn, lost].map(Value::from)[..], published.as_array().unwrap()[..3]);
}

#[test]
fn sectors_of_up_to_eight_stones_are_as_gasser_printed_them() {
    let known = solved(&rules("nine"), &["4-4-0-0", "5-3-0-0"]);
    check_gasser(&known, &["3-3", "4-3", "3-4", "4-4", "5-3", "3-5"]);
}

#[test]
#[ignore = "half a minute: cargo test --release --test morris -- --ignored"]
fn sectors_of_up_to_ten_stones_are_as_gasser_printed_them() {
    let known = solved(&rules("nine"), &["5-5-0-0", "6-4-0-0", "6-3-0-0"]);
    check_gasser(&known, &["6-3", "3-6", "5-5", "6-4", "4-6"]);
}

/// Returns `true` if `part` of `whole` is the printed percentage: rounded to as many decimals as `printed` has, with
/// `0+` for a positive number that rounds to zero.
fn is_printed(part: u64, whole: u64, printed: &str) -> bool {
    let decimals = if printed.contains('.') || printed == "0+" { 1 } else { 0 };
    let rounded = |decimals: usize| format!("{:.*}", decimals, part as f64 * 100.0 / whole as f64);
    match printed {
        "0" => part == 0,
        "0+" => part > 0 && (rounded(decimals) == "0.0" || rounded(0) == "0"),
        _ => rounded(decimals) == printed || rounded(0) == printed,
    }
}

/// The printed data of a placed sector: the numbers of won, drawn and lost positions, and the greatest depth.
#[derive(Debug, PartialEq, Eq)]
pub struct Placed {
    pub sector: Sector,
    pub three: [u64; 3],
    pub longest: u64,
}

impl Placed {
    /// Returns the data of the sectors of `known` without stones in hand.
    pub fn of(known: &SectorTables) -> Vec<Self> {
        let placed = known.iter().filter(|(sector, _)| sector.own_hand + sector.other_hand == 0);
        let counted = |(&sector, table): (&Sector, &Arc<SectorTable>)| {
            let found = table.counts();
            let (win, loss) = found.longest();
            let three = [found.wins(), found.draws, found.losses()];
            assert_eq!(three.iter().sum::<u64>(), found.num_positions);
            Self { sector, three, longest: win.max(loss).unwrap() as u64 }
        };
        placed.map(counted).collect()
    }

    /// Compares percentages and the greatest depth with those of `variant` (paper 000, tables V to VIII) and with those
    /// of a capture rule (paper 003, appendices B and C).
    pub fn check(&self, variant: Option<&str>, loewer: Option<&str>) {
        let (own, other) = (self.sector.own.to_string(), self.sector.other.to_string());
        let [win, draw, loss] = self.three;
        let is_right = |parts: [u64; 3], printed: &Value, depth: &Value, what: &str| {
            for (part, printed) in parts.into_iter().zip(printed.as_array().unwrap()) {
                let printed = printed.as_str().unwrap();
                assert!(is_printed(part, win + draw + loss, printed), "{what}: {self:?}, {printed}");
            }
            assert_eq!(depth.as_str(), Some(&self.longest.to_string()[..]), "{what}: {self:?}");
        };
        if let Some(variant) = variant {
            let percent = &reference("placed-sector-percentages")["percent"][variant][&own][&other];
            let depth = &reference("placed-sector-max-depth")["maxdepth"][variant][&own][&other];
            is_right([win, draw, loss], percent, depth, variant);
        }
        if let Some(rule) = loewer {
            let appendix = reference("loewer-endgame");
            let [percent, depth] = ["wld", "max_plies"].map(|table| &appendix[table][rule][&own][&other]);
            is_right([win, loss, draw], percent, depth, rule);
        }
    }
}

/// Calls [`Placed::check`] for all placed sectors of `known`.
fn check_placed(known: &SectorTables, variant: Option<&str>, loewer: Option<&str>) {
    Placed::of(known).iter().for_each(|placed| placed.check(variant, loewer));
}

const UP_TO_EIGHT: [&str; 2] = ["4-4-0-0", "5-3-0-0"];
const UP_TO_TEN: [&str; 3] = ["5-5-0-0", "6-4-0-0", "7-3-0-0"];
const UP_TO_TWELVE: [&str; 1] = ["6-6-0-0"];

/// Checks the placed sectors of nine men's morris with either capture rule, and of Morabaraba.
fn check_placed_up_to(roots: &[&str]) {
    check_placed(&solved(&rules("nine"), roots), Some("standard_and_lasker"), Some("always_capture"));
    check_placed(&solved(&protected(), roots), None, Some("always_protected"));
    check_placed(&solved(&rules("morabaraba"), roots), Some("morabaraba"), None);
}

fn protected() -> Rules {
    Rules { capture: Capture::Protected, ..rules("nine") }
}

#[test]
#[ignore = "slow: .ci/slow"]
fn placed_sectors_of_up_to_eight_stones_are_as_printed() {
    check_placed_up_to(&UP_TO_EIGHT);
}

#[test]
#[ignore = "some minutes: cargo test --release --test morris -- --ignored"]
fn placed_sectors_of_up_to_ten_stones_are_as_printed() {
    check_placed_up_to(&UP_TO_TEN);
}

#[test]
#[ignore = "twenty minutes: cargo test --release --test morris -- --ignored"]
fn placed_sectors_up_to_six_against_six_are_as_printed() {
    check_placed_up_to(&UP_TO_TWELVE);
}

/// Checks the values of the empty board with up to `most` stones in hand (paper 000, tables II to IV).
fn check_starts(most: u8) {
    let published = reference("extended-starting-positions");
    for (preset, variant) in [("nine", "standard"), ("lasker", "lasker"), ("morabaraba", "morabaraba")] {
        let rules = rules(preset);
        let starts: Vec<(u8, u8)> = (3..=most).flat_map(|a| (3..=most).map(move |b| (a, b))).collect();
        let names: Vec<String> = starts.iter().map(|(a, b)| format!("0-0-{a}-{b}")).collect();
        let known = solved(&rules, &names.iter().map(String::as_str).collect::<Vec<_>>());
        for ((a, b), name) in starts.into_iter().zip(&names) {
            let depth = known[&sector(name)].depth_at(0);
            let found = match depth {
                None => "D".to_string(),
                Some(plies) if plies % 2 == 1 => format!("W{plies}"),
                Some(plies) => format!("L{plies}"),
            };
            let printed = published["values"][variant][a.to_string()][b.to_string()].as_str();
            assert_eq!(printed, Some(&found[..]), "{variant} {a}-{b}");
        }
    }
}

#[test]
#[ignore = "slow: .ci/slow"]
fn starts_with_up_to_four_stones_have_their_published_values() {
    check_starts(4);
}

#[test]
#[ignore = "some minutes: cargo test --release --test morris -- --ignored"]
fn starts_with_up_to_five_stones_have_their_published_values() {
    check_starts(5);
}

/// All depths of 4-4 are as printed by Löwer (paper 003, table 2).
#[test]
fn the_depths_of_four_against_four_are_as_loewer_printed_them() {
    let found = counts(&solved(&rules("nine"), &["4-4-0-0"]), "4-4-0-0");
    let published = &reference("loewer-endgame")["ply_distribution_4_4_always_capture"];
    assert_eq!(Some(found.draws), published["draw"].as_u64());
    for (depth, &positions) in found.by_depth.iter().enumerate() {
        assert_eq!(Some(positions), published[depth.to_string()].as_u64(), "depth {depth}");
    }
    assert!(published[found.by_depth.len().to_string()].is_null());
}

/// Checks the statements about the two capture rules in paper 003, section 7.1.
#[test]
fn protecting_mills_changes_what_loewer_says_it_changes() {
    let always = solved(&rules("nine"), &["4-4-0-0"]);
    let protected = solved(&Rules { capture: Capture::Protected, ..rules("nine") }, &["4-4-0-0"]);
    let differing = |name: &str, from: Option<u16>| {
        let (a, p) = (&always[&sector(name)], &protected[&sector(name)]);
        let slots = 0..a.index.num_slots();
        let changed = slots.filter(|&slot| a.depth_at(slot) != p.depth_at(slot));
        changed.filter(|&slot| a.depth_at(slot) == from && p.depth_at(slot).is_none()).count()
    };
    let outcomes = |known: &SectorTables, name: &str| {
        let found = counts(known, name);
        (found.wins(), found.draws, found.losses())
    };
    assert_eq!(outcomes(&always, "3-3-0-0"), outcomes(&protected, "3-3-0-0"));
    for name in ["4-4-0-0", "3-4-0-0"] {
        assert_eq!(counts(&always, name), counts(&protected, name), "{name}");
    }
    assert_eq!(differing("4-3-0-0", Some(1)), 748);
}

#[test]
#[ignore = "slow: .ci/slow"]
fn the_verifier_passes_what_was_solved_and_finds_every_change() {
    for (preset, root) in
        [("nine", "3-3-0-0"), ("lasker", "3-2-0-1"), ("morabaraba", "2-3-1-0"), ("seven", "4-3-0-0")]
    {
        let rules = rules(preset);
        let maker = IndexMaker::new(&rules.board);
        let mut known = solved(&rules, &[root]);
        let names: Vec<Sector> = known.keys().copied().collect();
        for name in &names {
            let report = check_sector(&rules, &known[name], &maker, &known, &never()).unwrap();
            assert_eq!(report.mismatches, 0, "{preset} {name}: {:?}", report.first_mismatch);
            assert_eq!(report.checked, known[name].sector.num_boards(rules.board.num_points()));
        }
        let table = solve_again(&rules, &known, sector(root));
        let open = table.codes.width().open();
        let slots = (0..table.index.num_slots()).step_by(4001).filter(|&s| table.index.hole(s).is_none());
        for slot in slots.take(8) {
            let right = table.codes.get(slot);
            for wrong in
                [open, 0, 1, right.saturating_add(2)].into_iter().filter(|&w| w != right && w <= open)
            {
                table.codes.set(slot, wrong);
                let report = check_sector(&rules, &table, &maker, &known, &never()).unwrap();
                assert!(report.mismatches > 0, "{preset}: slot {slot}, {wrong} for {right}");
            }
            table.codes.set(slot, right);
        }
        known.clear();
        assert!(matches!(
            check_sector(&rules, &table, &maker, &known, &never()),
            Err(Error::MissingSector { .. })
        ));
    }
}

/// Solves one sector again, so that its table can be changed.
fn solve_again(rules: &Rules, known: &SectorTables, name: Sector) -> SectorTable {
    let unit = nerode_morris::tables::Unit::of(rules, name);
    let tables = solve_unit(rules, &unit, &IndexMaker::new(&rules.board), known, &never()).unwrap();
    tables.into_iter().find(|table| table.sector == name).unwrap()
}

fn game(spec: &str) -> GameName {
    GameName { spec: spec.into(), fingerprint: format!("rules of {spec}") }
}

fn bytes_by_name(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "sector"))
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_string(), fs::read(&path).unwrap()))
        .collect();
    files.sort();
    files
}

fn with_memory(memory: u64) -> Resources {
    Resources { memory, ..Resources::default() }
}

#[test]
fn files_do_not_depend_on_threads_or_on_who_solved_what_before() {
    let rules = rules("nine");
    let units = plan(&rules, &[sector("4-3-0-0"), sector("3-3-1-1")]).unwrap();
    let run = |threads: usize, parts: &[usize]| {
        let folder = tempfile::tempdir().unwrap();
        let resources = Resources { threads, ..with_memory(1 << 30) };
        for &part in parts {
            // A new runner is used each time, because the previous one may have been killed.
            let dir = SectorDir::create(folder.path(), game("test"), "rules").unwrap();
            Runner::new(&rules, &dir, &resources).solve_all(&units[..part], &mut |_| ()).unwrap();
        }
        bytes_by_name(folder.path())
    };
    let whole = run(1, &[units.len()]);
    assert_eq!(whole.len(), units.iter().map(|unit| unit.sectors().len()).sum::<usize>());
    assert_eq!(whole, run(2, &[1, 3, units.len()]));
    assert_eq!(whole, run(4, &[2, units.len()]));
}

#[test]
fn sectors_are_checked_before_they_are_kept_and_later_where_they_were_not() {
    let rules = rules("three");
    let folder = tempfile::tempdir().unwrap();
    let dir = SectorDir::create(folder.path(), game("test"), "rules").unwrap();
    let units = plan(&rules, &[sector("3-3-0-0")]).unwrap();
    let resources = with_memory(1 << 30);
    let run = |checks: bool| {
        let mut worked = Vec::new();
        let mut runner = Runner::new(&rules, &dir, &resources).checking(checks);
        let result = runner.solve_all(&units, &mut |done| worked.push(done.unit.first()));
        result.map(|()| worked)
    };
    let all: Vec<Sector> = units.iter().map(|unit| unit.first()).collect();
    assert_eq!(run(false).unwrap(), all);
    assert!(units.iter().all(|unit| !dir.is_checked(unit).unwrap()));
    let codes = |dir: &SectorDir| dir.load(all[0], &IndexMaker::new(&rules.board)).unwrap().codes;
    let before = codes(&dir);
    assert_eq!(run(true).unwrap(), all, "sectors on disk are checked");
    assert!(units.iter().all(|unit| dir.is_checked(unit).unwrap()));
    assert_eq!(before.histogram(), codes(&dir).histogram());
    assert!(run(true).unwrap().is_empty(), "checked sectors are not checked again");
    // One position of an unchecked file is wrong.
    let table = dir.load(all[0], &IndexMaker::new(&rules.board)).unwrap();
    let slot = (0..table.index.num_slots()).find(|&slot| table.codes.get(slot) == 1).unwrap();
    table.codes.set(slot, 3);
    dir.store(&table, false).unwrap();
    assert!(matches!(run(true), Err(Error::Mismatch { .. })));
    assert!(!dir.is_checked(&units[0]).unwrap());
}

#[test]
fn units_are_refused_without_what_they_lead_to_and_without_memory() {
    let rules = rules("nine");
    let folder = tempfile::tempdir().unwrap();
    let dir = SectorDir::create(folder.path(), game("test"), "rules").unwrap();
    let units = plan(&rules, &[sector("4-3-0-0")]).unwrap();
    let resources = with_memory(1 << 30);
    let last = units.last().unwrap();
    let message = Runner::new(&rules, &dir, &resources).solve(last).unwrap_err().to_string();
    assert!(message.contains("3-3-0-0"), "{message}");
    assert!(matches!(Runner::new(&rules, &dir, &with_memory(1000)).solve(last), Err(Error::TooLarge { .. })));
    assert!(bytes_by_name(folder.path()).is_empty());
    assert!(plan(&rules, &[sector("2-3-0-0")]).is_err());
    assert!("4-3".parse::<Sector>().is_err());
    resources.interrupt.store(true, Ordering::Relaxed);
    let stopped = Runner::new(&rules, &dir, &resources).solve_all(&units, &mut |_| ());
    assert!(matches!(stopped, Err(Error::Interrupted)));
}

#[test]
fn damaged_and_foreign_files_are_refused() {
    let rules = rules("three");
    let folder = tempfile::tempdir().unwrap();
    let dir = SectorDir::create(folder.path(), game("test"), "rules").unwrap();
    let resources = with_memory(1 << 30);
    let mut runner = Runner::new(&rules, &dir, &resources);
    runner.solve_all(&plan(&rules, &[sector("3-3-0-0")]).unwrap(), &mut |_| ()).unwrap();
    let maker = IndexMaker::new(&rules.board);
    let name = sector("3-3-0-0");
    let path = dir.file(name);
    assert!(dir.load(name, &maker).is_ok());
    let good = fs::read(&path).unwrap();
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 1 << (at % 8);
        fs::write(&path, &bad).unwrap();
        assert!(dir.load(name, &maker).is_err(), "byte {at}");
    }
    for len in 0..good.len() {
        fs::write(&path, &good[..len]).unwrap();
        assert!(matches!(dir.load(name, &maker), Err(Error::Corrupt { .. })), "{len} bytes");
    }
    fs::write(&path, [&good[..], &[0]].concat()).unwrap();
    assert!(dir.load(name, &maker).is_err());
    fs::write(&path, &good).unwrap();
    // The same bytes under another sector's name, or requested for another game.
    fs::copy(&path, dir.file(sector("3-3-1-0"))).unwrap();
    assert!(matches!(dir.load(sector("3-3-1-0"), &maker), Err(Error::Corrupt { .. })));
    assert!(matches!(
        SectorDir::create(folder.path(), game("other"), "rules"),
        Err(Error::WrongRules { .. })
    ));
    let manifest = folder.path().join("sectors.json");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("test", "best")).unwrap();
    assert!(matches!(SectorDir::open(folder.path()), Err(Error::Corrupt { .. })));
    fs::write(&manifest, text.replace("\"format_version\": 2", "\"format_version\": 9")).unwrap();
    assert!(matches!(SectorDir::open(folder.path()), Err(Error::WrongVersion { found: 9, .. })));
}
