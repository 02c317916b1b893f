//! Malom's files: those that others made agree with our solver slot by slot; ours are what the format says, byte by byte, with
//! counters found by taking turns back; damaged and foreign ones are refused.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use common::morris::{Unmoved, real_files};
use common::scratch;
use nerode::error::Error;
use nerode::malom::{
    self, Entry, Foreign, SectorValues, Stored, check_ultra, compare, export_sec, import, sec2,
};
use nerode::sectors::{IndexMaker, Known, Sector, SectorTable, plan, solve_unit};
use nerode_games::morris::{Capture, FullBoard, Preset, Rules};

static GO_ON: AtomicBool = AtomicBool::new(false);

fn rules(name: &str) -> Rules {
    Preset::named(name).unwrap().rules()
}

fn sector(name: &str) -> Sector {
    name.parse().unwrap()
}

/// A game with some sectors solved.
struct Solved {
    rules: Rules,
    maker: IndexMaker,
    known: Known,
}

impl Solved {
    fn new(rules: Rules, roots: &[&str]) -> Self {
        let maker = IndexMaker::new(&rules.board);
        let roots: Vec<Sector> = roots.iter().map(|root| sector(root)).collect();
        let mut known = Known::new();
        for unit in plan(&rules, &roots).unwrap() {
            for table in solve_unit(&rules, &unit, &maker, &known, &GO_ON).unwrap() {
                known.insert(table.sector, Arc::new(table));
            }
        }
        Self { rules, maker, known }
    }

    fn export(&self, dir: &Path, sector: Sector) -> PathBuf {
        let path = dir.join(malom::FileName::strong(&self.rules, sector).unwrap().to_string());
        export_sec(&self.rules, &[], &self.known, sector, &path, &GO_ON).unwrap();
        path
    }

    fn open(&self, path: &Path) -> Foreign {
        malom::open(path, &self.rules, &self.maker).unwrap()
    }

    fn table(&self, name: &str) -> &SectorTable {
        &self.known[&sector(name)]
    }

    /// All files of sectors solved, opened.
    fn export_all(&self, dir: &Path) -> BTreeMap<Sector, Foreign> {
        self.known.keys().map(|&sector| (sector, self.open(&self.export(dir, sector)))).collect()
    }
}

fn assert_clean(report: &nerode::verify::Report, num_slots: u64) {
    assert_eq!(report.first_mismatch, None);
    assert_eq!((report.checked, report.mismatches), (num_slots.into(), 0));
}

/// The bytes of a strong file by the format's description, from a table and counters found the other way.
fn expected_bytes(solved: &Solved, table: &SectorTable) -> Vec<u8> {
    let counters = Unmoved::new(&solved.rules, &solved.known, table.sector).counters(table);
    let (mut bytes, mut pairs) = (Vec::new(), Vec::new());
    for slot in 0..table.index.num_slots() {
        let counter = counters[slot as usize];
        bytes.push(match (table.index.hole(slot), table.depth_at(slot)) {
            (Some(op), _) => 180 + op,
            (None, Some(depth)) if depth <= 178 => depth as u8,
            (None, None) if counter <= 60 => (255 - counter) as u8,
            (None, decided) => {
                pairs.push((slot as i32, decided.map_or(-(counter as i32), i32::from)));
                179
            }
        });
    }
    bytes.extend_from_slice(&(pairs.len() as i32).to_le_bytes());
    for (slot, number) in pairs {
        bytes.extend_from_slice(&slot.to_le_bytes());
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    bytes
}

/// Writes sectors, compares every byte, and reads them back. Gives how many entries went to overflow tables.
fn round_trip(rules: Rules, sectors: &[&str]) -> usize {
    let (solved, dir) = (Solved::new(rules, sectors), scratch());
    let mut overflows = 0;
    for name in sectors {
        let table = solved.table(name);
        let path = solved.export(dir.path(), table.sector);
        let (bytes, expected) = (fs::read(&path).unwrap(), expected_bytes(&solved, table));
        assert_eq!(bytes.len(), expected.len(), "{name}");
        let different = (0..bytes.len()).find(|&at| bytes[at] != expected[at]);
        assert_eq!(different.map(|at| (at, bytes[at], expected[at])), None, "{name}");
        let foreign = solved.open(&path);
        assert_clean(&compare(&solved.rules, table, &foreign, &GO_ON).unwrap(), table.index.num_slots());
        let back = import(&foreign, &GO_ON).unwrap();
        assert_eq!(back.counts(), table.counts());
        assert!((0..table.index.num_slots()).all(|slot| back.codes.get(slot) == table.codes.get(slot)));
        overflows += foreign.num_overflows();
    }
    overflows
}

#[test]
fn strong_files_of_nine_are_those_of_the_format() {
    assert!(round_trip(rules("nine"), &["3-3-0-0", "4-3-0-0", "3-4-0-0", "4-4-0-0", "2-3-1-1"]) > 0);
}

#[test]
fn strong_files_of_morabaraba_are_those_of_the_format() {
    assert!(round_trip(rules("morabaraba"), &["3-3-0-0", "4-3-0-0", "3-4-0-0", "2-2-1-1"]) > 0);
}

#[test]
fn strong_files_of_lasker_are_those_of_the_format() {
    round_trip(rules("lasker"), &["3-3-1-0", "3-3-0-1", "3-2-1-1", "0-0-3-3", "1-0-2-3"]);
}

/// Sectors of no stone and of one, worked out by hand from the description.
#[test]
fn small_files_byte_by_byte() {
    let (solved, dir) = (Solved::new(rules("nine"), &["0-0-3-3"]), scratch());
    let bytes = |name: &str| fs::read(solved.export(dir.path(), sector(name))).unwrap();
    // One slot, and the published value of the game with three stones each.
    assert_eq!(bytes("0-0-3-3"), [23, 0, 0, 0, 0]);
    let one = bytes("0-1-3-2");
    assert_eq!(one.len(), 24 + 4);
    // The class of the empty set has all symmetries: the least point of its kind is the slot of each stone.
    let kinds = [0, 1, 8, 9];
    for (point, &byte) in one[..24].iter().enumerate() {
        assert_eq!((180..195).contains(&byte), !kinds.contains(&point), "{point}");
    }
    // Point 2 goes to point 0 by k to k + 6 (number 2) and by 2 - k (number 5); the first of them counts.
    assert_eq!(one[2], 180 + 2);
    // Point 16, on the inner ring, by - k with the rings exchanged (number 12) and by the exchange alone (number 7).
    assert_eq!(one[16], 180 + 7);
}

/// The reader's own laws hold for strong files as for ultra-strong ones; any changed entry breaks one.
#[test]
fn equations_hold_and_changes_break_them() {
    let (solved, dir) = (Solved::new(rules("nine"), &["4-3-0-0", "2-3-1-1"]), scratch());
    let mut files = solved.export_all(dir.path());
    for (&sector, file) in &files {
        let report = check_ultra(&solved.rules, &files, sector, &GO_ON).unwrap();
        assert_clean(&report, file.index().num_slots());
    }
    let name = sector("4-3-0-0");
    let path = files[&name].path().to_path_buf();
    let bytes = fs::read(&path).unwrap();
    let first = |wanted: fn(u8) -> bool| bytes.iter().position(|&byte| wanted(byte)).unwrap();
    let (won, lost) = (first(|b| b == 1), first(|b| b < 179 && b % 2 == 0));
    let (hole, drawn) = (first(|b| (180..195).contains(&b)), first(|b| (230..255).contains(&b)));
    for (at, to) in [(won, 3), (lost, 178), (hole, 255), (drawn, 255), (drawn, 5), (drawn, 180)] {
        let mut changed = bytes.clone();
        changed[at] = to;
        fs::write(&path, &changed).unwrap();
        files.insert(name, solved.open(&path));
        let text = match check_ultra(&solved.rules, &files, name, &GO_ON) {
            Ok(report) => report.first_mismatch.unwrap(),
            // A hole where a position has its slot is found from the positions before it.
            Err(error) if to == 180 => error.to_string(),
            Err(error) => panic!("{at}: {error}"),
        };
        assert!(text.contains("std_4_3_0_0.sec") && text.contains("slot "), "{text}");
    }
}

/// One changed entry, one mismatch: slot, stones by label, drawn board, both values, rules.
#[test]
fn the_first_difference_is_shown() {
    let (solved, dir) = (Solved::new(rules("nine"), &["3-3-0-0"]), scratch());
    let table = solved.table("3-3-0-0");
    let path = solved.export(dir.path(), table.sector);
    let mut bytes = fs::read(&path).unwrap();
    let drawn = bytes.iter().rposition(|&byte| (200..250).contains(&byte)).unwrap();
    let lost = bytes.iter().rposition(|&byte| byte == 2).unwrap();
    bytes[drawn] = 7;
    bytes[lost] = 4;
    fs::write(&path, &bytes).unwrap();
    let look = || compare(&solved.rules, table, &solved.open(&path), &GO_ON).unwrap();
    let report = look();
    assert_eq!(report.mismatches, 2);
    let text = report.first_mismatch.clone().unwrap();
    let first = drawn.min(lost);
    let (ours, theirs) = if first == drawn { ("draw", "win in 7") } else { ("loss in 2", "loss in 4") };
    let state = table.state(first as u64);
    let labels = |set: u32| {
        nerode_games::morris::points(set)
            .map(|p| solved.rules.board.labels()[p])
            .collect::<Vec<_>>()
            .join(" ")
    };
    for part in [
        format!("sector 3-3-0-0, slot {first}: the table says {ours}"),
        format!("std_3_3_0_0.sec says {theirs}"),
        format!("side to move on [{}], other side on [{}]", labels(state.own), labels(state.other)),
        "rules: board=nine capture=always take=1 phases=separate fly=true full-board=loss".into(),
        "  a b c d e f g".into(),
    ] {
        assert!(text.contains(&part), "{part}\n---\n{text}");
    }
    assert_eq!(text.matches('X').count(), 3);
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(one.install(look), report);
    assert!(import(&solved.open(&path), &GO_ON).is_ok(), "it is a file of the format, if a wrong one");
}

#[test]
fn other_rules_and_names_are_refused() {
    let (solved, dir) = (Solved::new(rules("nine"), &["3-3-0-0"]), scratch());
    let path = solved.export(dir.path(), sector("3-3-0-0"));
    let open = |path: &Path, rules: &Rules| malom::open(path, rules, &solved.maker).unwrap_err();
    for name in ["lasker", "morabaraba"] {
        assert!(matches!(open(&path, &rules(name)), Error::WrongRules { .. }));
    }
    let protected = Rules { capture: Capture::Protected, ..rules("nine") };
    assert!(open(&path, &protected).to_string().contains("for capture=protected"));
    assert!(matches!(
        open(&path.with_file_name("mora_3_3_0_0.sec"), &solved.rules),
        Error::WrongRules { .. }
    ));
    assert!(matches!(open(&path.with_file_name("std_3_3_1_0.sec"), &solved.rules), Error::Io { .. }));
    for (name, reason) in [("std_2_3_0_0.sec", "3 to 12 stones"), ("table.sec", "VARIANT_W_B_WF_BF")] {
        let refused = open(&path.with_file_name(name), &solved.rules).to_string();
        assert!(refused.contains(reason), "{refused}");
    }
    let table = solved.table("3-3-0-0");
    let refused = |rules: &Rules, sector: &str, name: &str| {
        let path = dir.path().join("new").with_file_name(name);
        let error =
            export_sec(rules, &[], &solved.known, sector.parse().unwrap(), &path, &GO_ON).unwrap_err();
        assert!(!path.exists() || name == "std_3_3_0_0.sec");
        error.to_string()
    };
    assert!(refused(&protected, "3-3-0-0", "std_3_3_0_0.sec").contains("capture=protected"));
    assert!(refused(&solved.rules, "3-3-0-0", "std_3_4_0_0.sec").contains("call this one std_3_3_0_0.sec"));
    assert!(refused(&solved.rules, "4-3-0-0", "std_4_3_0_0.sec").contains("4-3-0-0, which is not there"));
    assert!(refused(&solved.rules, "200-3-100-0", "std_200_3_100_0.sec").contains("3 to 12"));
    let foreign = solved.open(&path);
    let other = Solved::new(rules("nine"), &["3-4-0-0"]);
    let unequal = compare(&solved.rules, other.table("3-4-0-0"), &foreign, &GO_ON).unwrap_err();
    assert!(unequal.to_string().contains("compare equal ones"));
    assert!(matches!(compare(&rules("lasker"), table, &foreign, &GO_ON), Err(Error::WrongRules { .. })));
    let stop = AtomicBool::new(true);
    let again = export_sec(&solved.rules, &[], &solved.known, table.sector, &path, &stop);
    assert!(matches!(again, Err(Error::Interrupted)));
    solved.open(&path).check(&GO_ON).unwrap();
}

/// How opening and reading all of a file ends; never in a panic.
fn read_all(solved: &Solved, path: &Path, bytes: &[u8]) -> Result<u16, Error> {
    fs::write(path, bytes).unwrap();
    malom::open(path, &solved.rules, &solved.maker)?.check(&GO_ON)
}

fn assert_corrupt(result: Result<u16, Error>, path: &Path, reason: &str) {
    match result {
        Err(Error::Corrupt { path: named, reason: found }) => {
            assert_eq!(named, path);
            assert!(found.contains(reason), "{found} does not say {reason}");
        }
        other => panic!("{other:?}, where {reason} is wrong"),
    }
}

/// Slots of sector 1-1-2-2 that are no holes, for overflow entries to be put in.
const MARKED: [i32; 2] = [25, 33];

/// A changed overflow table of two pairs, for [`MARKED`], and what is said of it.
fn overflow_damage(solved: &Solved, path: &Path, good: &[u8], table: usize, values: [i32; 2]) {
    let [low, high] = MARKED;
    let with = |pairs: &[(i32, i32)], count: i32| {
        let mut bytes = good[..table].to_vec();
        bytes.extend_from_slice(&count.to_le_bytes());
        for (slot, value) in pairs {
            bytes.extend_from_slice(&slot.to_le_bytes());
            bytes.extend_from_slice(&value.to_le_bytes());
        }
        read_all(solved, path, &bytes)
    };
    let [a, b] = values;
    with(&[(low, a), (high, b)], 2).unwrap();
    for (pairs, count, reason) in [
        (&[(low, a), (high, b)][..], 1, "says 1 overflow entries and has room for 2"),
        (&[(low, a), (high, b)], -1, "says -1 overflow"),
        (&[(low, a), (high, b)], i32::MAX, "says 2147483647 overflow"),
        (&[(low, a)], 1, "slot 33 is to be completed"),
        (&[(low, a), (low, b)], 2, "slot 25, twice or out of order"),
        (&[(high, b), (low, a)], 2, "slot 25, twice or out of order"),
        (&[(low, a), (high, b), (92, b)], 3, "slot 92, which the sector has not"),
        (&[(-25, a), (high, b)], 2, "slot -25, which the sector has not"),
        (&[(low, a), (high - 1, b), (high, b)], 3, "slot 32, whose entry is complete"),
        (&[(low, 0), (high, b)], 2, "slot 25 holds"),
    ] {
        assert_corrupt(with(pairs, count), path, reason);
    }
}

/// A strong file of 92 slots with two overflow entries put in.
#[test]
fn damaged_strong_files_are_refused() {
    let (solved, dir) = (Solved::new(rules("nine"), &["1-1-2-2"]), scratch());
    let path = solved.export(dir.path(), sector("1-1-2-2"));
    let good = fs::read(&path).unwrap();
    assert_eq!(good.len(), 92 + 4);
    let deepest = read_all(&solved, &path, &good).unwrap();
    for len in 0..good.len() {
        assert_corrupt(read_all(&solved, &path, &good[..len]), &path, "96 at least");
    }
    for more in [1, 3, 4, 7] {
        assert_corrupt(read_all(&solved, &path, &[&good[..], &vec![0; more]].concat()), &path, "8 for each");
    }
    assert_corrupt(
        read_all(&solved, &path, &[&good[..], &[0; 8]].concat()),
        &path,
        "says 0 overflow entries",
    );
    assert_corrupt(read_all(&solved, &path, &[&good[..], &[0; 8 * 93]].concat()), &path, "at most as many");
    let index = solved.maker.index(1, 1);
    for at in 0..92 {
        for to in 0..=u8::MAX {
            let mut bytes = good.clone();
            bytes[at] = to;
            let read = read_all(&solved, &path, &bytes);
            let is_hole = |byte: u8| (180..195).contains(&byte);
            let fits = match index.hole(at as u64) {
                Some(op) => to == 180 + op,
                None => !is_hole(to) && to != 179,
            };
            assert_eq!(read.is_ok(), fits, "slot {at}: {to}: {read:?}");
            if to <= 178 && fits {
                assert!(read.unwrap() >= deepest.min(to.into()));
            }
        }
    }
    let mut marked = good.clone();
    for slot in MARKED {
        assert_eq!(index.hole(slot as u64), None);
        marked[slot as usize] = 179;
    }
    overflow_damage(&solved, &path, &marked, 92, [-61, 179]);
    for needless in [178, -60, i32::MIN + 1] {
        let table = [2, MARKED[0], needless, MARKED[1], 65_536].map(i32::to_le_bytes).concat();
        let read = read_all(&solved, &path, &[&marked[..92], &table].concat());
        assert_corrupt(
            read,
            &path,
            if needless < -60 { "slot 33 holds value" } else { "slot 25 holds 0xb3" },
        );
    }
}

/// An ultra-strong file made up, with every kind of entry, and its list of values.
fn made_up(dir: &Path) -> (Solved, PathBuf, Vec<Stored>) {
    let rules = rules("nine");
    let maker = IndexMaker::new(&rules.board);
    let list = "virt_loss_val: -9\nvirt_win_val: 9\n2\n1 1 2 2  -3\n3 3 0 0  0\n";
    fs::write(dir.join("std.secval"), list).unwrap();
    let index = maker.index(1, 1);
    let stored = (0..index.num_slots()).map(|slot| match (index.hole(slot), slot) {
        (Some(op), _) => Stored::Hole(op),
        (None, slot) if slot == MARKED[0] as u64 => Stored::Value { key1: 4, key2: -2048 },
        (None, slot) if slot == MARKED[1] as u64 => Stored::Count(2048),
        (None, slot) => match slot % 4 {
            0 => Stored::Value { key1: 12, key2: 2047 },
            1 => Stored::Value { key1: -6, key2: 2046 },
            2 => Stored::Count(slot as u32),
            _ => Stored::Value { key1: 3 - slot as i32 % 5, key2: -(slot as i32) },
        },
    });
    // Key 1 is never 0 in a value.
    let stored: Vec<Stored> = stored
        .map(|entry| match entry {
            Stored::Value { key1: 0, key2 } => Stored::Value { key1: -1, key2 },
            entry => entry,
        })
        .collect();
    let path = dir.join("std_1_1_2_2.sec2");
    sec2::write(&path, index.num_slots(), &GO_ON, |slot| Ok(stored[slot as usize])).unwrap();
    (Solved { rules, maker, known: Known::new() }, path, stored)
}

#[test]
fn ultra_strong_entries_are_read_back() {
    let dir = scratch();
    let (solved, path, stored) = made_up(dir.path());
    let foreign = solved.open(&path);
    assert_eq!((foreign.num_overflows(), foreign.scale()), (2, (9, -3)));
    for (slot, &expected) in (0..).zip(&stored) {
        assert_eq!(foreign.stored(slot).unwrap(), expected);
        let entry = match expected {
            Stored::Hole(op) => Entry::Hole(op),
            Stored::Count(counter) => Entry::Draw { rank: -3, counter },
            Stored::Value { key1: 12, key2 } => Entry::Win(key2 as u16),
            Stored::Value { key1: -6, key2 } => Entry::Loss(key2 as u16),
            Stored::Value { key1, key2 } => Entry::RankedDraw { rank: key1 - 3, distance: key2 },
        };
        assert_eq!(foreign.entry(slot).unwrap(), entry);
    }
    assert_eq!(foreign.check(&GO_ON).unwrap(), 2047);
    // Wins and losses of a table of ours, draws without their ranks.
    let table = import(&foreign, &GO_ON).unwrap();
    for (slot, &expected) in (0..).zip(&stored) {
        let depth = match expected {
            Stored::Value { key1: 12 | -6, key2 } => Some(key2 as u16),
            _ => None,
        };
        assert_eq!(table.depth_at(slot), depth);
    }
    assert_clean(&compare(&solved.rules, &table, &foreign, &GO_ON).unwrap(), 92);
    let too_far = sec2::write(&path, 1, &GO_ON, |_| Ok(Stored::Value { key1: 2048, key2: 1 })).unwrap_err();
    assert!(too_far.to_string().contains("does not fit 12 bits"), "{too_far}");
    assert_eq!(foreign.index().num_slots(), solved.open(&path).index().num_slots());
}

#[test]
fn damaged_ultra_strong_files_are_refused() {
    let dir = scratch();
    let (solved, path, _) = made_up(dir.path());
    let good = fs::read(&path).unwrap();
    let table = 64 + 3 * 92;
    assert_eq!(good.len(), table + 4 + 16);
    for len in 0..good.len() {
        let reason = if len < 64 {
            "of its header"
        } else if len >= table + 4 && (len - table - 4) % 8 == 0 {
            "says 2 overflow entries"
        } else if len > table + 4 {
            "8 for each"
        } else {
            "344 at least"
        };
        assert_corrupt(read_all(&solved, &path, &good[..len]), &path, reason);
    }
    // Every bit of header and overflow table matters; of the entries, any reading but a panic may come out.
    for at in 0..good.len() {
        for bit in 0..8 {
            let mut bytes = good.clone();
            bytes[at] ^= 1 << bit;
            let read = read_all(&solved, &path, &bytes);
            let value_bytes = at > table + 4 && (at - table - 4) % 8 >= 4;
            assert!(
                read.is_err() || (64..table).contains(&at) || value_bytes,
                "byte {at}, bit {bit}: {read:?}"
            );
        }
    }
    let head = |at: usize, to: u8| {
        let mut bytes = good.clone();
        bytes[at] = to;
        read_all(&solved, &path, &bytes)
    };
    assert!(matches!(head(0, 1), Err(Error::WrongVersion { found: 1, supported: 2, .. })));
    assert_corrupt(head(4, 2), &path, "2 bytes an entry, where its variant has 3");
    assert_corrupt(head(8, 14), &path, "14 bits in the first field, where its variant has 12");
    assert!(head(12, 1).unwrap_err().to_string().contains("differences of stones"));
    assert_corrupt(head(40, 1), &path, "byte 40 of its header is 1, not 0");
    overflow_damage(&solved, &path, &good, table, [2048, 2049]);
    // A hole by the identity, a win in an even number of plies, a value beyond a win.
    for (entry, reason) in [
        (0xff0_000, "0xff0000"),
        (0x002_00c, "value 9 at 2 plies"),
        (0x001_00d, "value 10 at 1 plies"),
        (0xfff_ffa, "value -9 at -1 plies"),
    ] {
        let mut bytes = good.clone();
        bytes[64..67].copy_from_slice(&u32::to_le_bytes(entry)[..3]);
        assert_corrupt(read_all(&solved, &path, &bytes), &path, reason);
    }
    let list = dir.path().join("std.secval");
    let text = fs::read_to_string(&list).unwrap();
    fs::write(&list, text.replace("1 1 2 2", "1 1 3 2")).unwrap();
    assert_corrupt(read_all(&solved, &path, &good), &list, "no value for sector 1-1-2-2");
    fs::write(&list, text.replace('9', "1022")).unwrap();
    assert_corrupt(read_all(&solved, &path, &good), &list, "a win counts 1022, beyond");
    fs::write(&list, [&text.as_bytes()[..40], &[0xff]].concat()).unwrap();
    assert_corrupt(read_all(&solved, &path, &good), &list, "no text");
    fs::remove_file(&list).unwrap();
    let missing = read_all(&solved, &path, &good).unwrap_err().to_string();
    assert!(missing.contains("std.secval there"), "{missing}");
}

/// A full board that is drawn: a draw that no turn keeps.
#[test]
fn full_boards_hold_the_value_of_the_rules() {
    for (full_board, byte) in [(FullBoard::Loss, 0), (FullBoard::Draw, 255)] {
        let rules = Rules { full_board, ..rules("morabaraba") };
        let maker = IndexMaker::new(&rules.board);
        let index = Arc::new(maker.index(12, 12));
        let table = SectorTable::open(sector("12-12-0-0"), index, nerode::sectors::Width::One).unwrap();
        for slot in 0..table.index.num_slots() {
            if let Some(value) = rules.outcome(table.state(slot)) {
                assert_eq!(value == nerode_games::Value::Draw, byte == 255);
                if byte == 0 {
                    table.codes.set(slot, 0);
                }
            }
        }
        let mut known = Known::new();
        let none = maker_of_children(&rules, &maker, table.sector);
        known.extend(none);
        let dir = scratch();
        let path = dir.path().join("mora_12_12_0_0.sec");
        export_sec(&rules, &[table], &known, sector("12-12-0-0"), &path, &GO_ON).unwrap();
        let bytes = fs::read(&path).unwrap();
        assert!(bytes[..bytes.len() - 4].iter().all(|&b| b == byte || (180..195).contains(&b)));
    }
}

/// Open tables of the sectors that turns of `of` lead to, `of` itself left out.
fn maker_of_children(rules: &Rules, maker: &IndexMaker, of: Sector) -> Vec<(Sector, Arc<SectorTable>)> {
    let children = of.children(rules).into_iter().filter(|&child| child != of);
    children
        .map(|child| {
            let index = Arc::new(maker.index(child.own, child.other));
            (child, Arc::new(SectorTable::open(child, index, nerode::sectors::Width::One).unwrap()))
        })
        .collect()
}

/// The published files: every slot as our solver has it, every equation of the ultra-strong values.
#[test]
fn published_files_agree_with_our_solver() {
    let Some(dir) = real_files() else { return };
    let solved = Solved::new(rules("nine"), &["4-3-0-0"]);
    let mut files = BTreeMap::new();
    for name in ["3-3-0-0", "3-4-0-0", "4-3-0-0"] {
        let path = dir.join(format!("std_{}.sec2", name.replace('-', "_")));
        files.insert(sector(name), solved.open(&path));
    }
    for (&sector, foreign) in &files {
        let table = &solved.known[&sector];
        let num_slots = table.index.num_slots();
        foreign.check(&GO_ON).unwrap();
        assert_clean(&compare(&solved.rules, table, foreign, &GO_ON).unwrap(), num_slots);
        assert_clean(&check_ultra(&solved.rules, &files, sector, &GO_ON).unwrap(), num_slots);
        assert_eq!(import(foreign, &GO_ON).unwrap().counts(), table.counts());
    }
    // Each kind of entry, changed in a copy of the last file: the equations notice.
    let copies = scratch();
    fs::copy(dir.join("std.secval"), copies.path().join("std.secval")).unwrap();
    let last = sector("4-3-0-0");
    let (original, path) = (files.remove(&last).unwrap(), copies.path().join("std_4_3_0_0.sec2"));
    let num_slots = original.index().num_slots();
    let changes: [fn(Stored) -> Option<Stored>; 4] = [
        |stored| matches!(stored, Stored::Count(3..)).then_some(Stored::Count(2)),
        |stored| match stored {
            Stored::Value { key1, key2: 3.. } => Some(Stored::Value { key1, key2: 1 }),
            _ => None,
        },
        |stored| matches!(stored, Stored::Hole(1..)).then_some(Stored::Hole(0)),
        |stored| matches!(stored, Stored::Count(_)).then_some(Stored::Value { key1: -1, key2: 1 }),
    ];
    for change in changes {
        let at = (0..num_slots).find(|&slot| change(original.stored(slot).unwrap()).is_some()).unwrap();
        let entry = |slot| {
            let stored = original.stored(slot)?;
            Ok(if slot == at { change(stored).unwrap_or(stored) } else { stored })
        };
        sec2::write(&path, num_slots, &GO_ON, entry).unwrap();
        files.insert(last, solved.open(&path));
        assert!(check_ultra(&solved.rules, &files, last, &GO_ON).unwrap().mismatches > 0, "slot {at}");
    }
    // Draws of 3-3 all stay there, so what our tables know makes the whole file.
    let dir_out = scratch();
    let strong = solved.open(&solved.export(dir_out.path(), sector("3-3-0-0")));
    let (win, value) = files[&sector("3-3-0-0")].scale();
    let path = dir_out.path().join("std_3_3_0_0.sec2");
    sec2::write(&path, strong.index().num_slots(), &GO_ON, |slot| {
        Ok(match strong.stored(slot)? {
            Stored::Value { key1, key2 } => Stored::Value { key1: key1 * win - value, key2 },
            other => other,
        })
    })
    .unwrap();
    assert!(fs::read(&path).unwrap() == fs::read(dir.join("std_3_3_0_0.sec2")).unwrap());
}

/// The published lists keep the laws that reading checks, and have as many sectors as they should.
#[test]
fn published_sector_values_are_read() {
    let Some(dir) = real_files() else { return };
    for (preset, file, win, count) in
        [("nine", "std", 299, 498), ("lasker", "lask", 1715, 3070), ("morabaraba", "mora", 704, 1216)]
    {
        let values = SectorValues::read(&dir.join(file).with_extension("secval"), &rules(preset)).unwrap();
        assert_eq!((values.win(), values.iter().count()), (win, count));
        assert_eq!(values.get(sector("3-3-0-0")), Some(0));
    }
    let list = dir.join("std.secval");
    assert!(matches!(SectorValues::read(&list, &rules("lasker")), Err(Error::WrongRules { .. })));
}

/// Three sectors in a row with values made up so that draws of the last are ranked in those before, one of them with the sign
/// turned, or counted where values cancel; what every drawn entry holds follows by hand.
#[test]
fn ranked_draws_satisfy_the_equations() {
    let solved = Solved::new(rules("nine"), &["2-2-1-1"]);
    let names = ["3-3-0-0", "2-3-1-0", "2-2-1-1"];
    for (value, first) in [(-1, Some((1, 0))), (4, Some((-4, 2))), (0, None)] {
        let dir = scratch();
        let mut lines = [(0, "3 3 0 0"), (-2, "2 3 1 0"), (value, "2 2 1 1")];
        lines.sort_unstable();
        let list: String = lines.iter().map(|(value, sector)| format!("{sector}  {value}\n")).collect();
        let list = format!("virt_loss_val: -9\nvirt_win_val: 9\n3\n{list}");
        fs::write(dir.path().join("std.secval"), list).unwrap();
        // A draw of 3-3 is 0 there, 0 - -2 in 2-3-1-0 a ply later, and 0 less the value in 2-2-1-1 another ply later; that
        // is on the other side of the sector's value, and the distance is negated, for values below 0.
        let drawn = [None, Some((2, 1)), first];
        let mut files = BTreeMap::new();
        for ((name, drawn), own) in names.into_iter().zip(drawn).zip([0, -2, value]) {
            let strong = solved.open(&solved.export(dir.path(), sector(name)));
            let mut draws = 0;
            let stored: Vec<Stored> = (0..strong.index().num_slots())
                .map(|slot| match strong.stored(slot).unwrap() {
                    Stored::Value { key1, key2 } => Stored::Value { key1: 9 * key1 - own, key2 },
                    Stored::Count(counter) => {
                        draws += 1;
                        drawn.map_or(Stored::Count(counter), |(key1, key2)| Stored::Value { key1, key2 })
                    }
                    hole => hole,
                })
                .collect();
            assert!(draws > 0, "{name} has no draws");
            let path = strong.path().with_extension("sec2");
            sec2::write(&path, stored.len() as u64, &GO_ON, |slot| Ok(stored[slot as usize])).unwrap();
            files.insert(sector(name), solved.open(&path));
            let report = check_ultra(&solved.rules, &files, sector(name), &GO_ON).unwrap();
            assert_clean(&report, stored.len() as u64);
            let compared = compare(&solved.rules, solved.table(name), &files[&sector(name)], &GO_ON).unwrap();
            assert_clean(&compared, stored.len() as u64);
        }
    }
}
