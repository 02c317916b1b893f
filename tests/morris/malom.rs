//! Malom's strong files: files written here match the format byte by byte, with counters computed by taking back turns,
//! and damaged or foreign files are rejected.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::common::malom::{
    GO_ON, MARKED, Solved, assert_clean, assert_corrupt, overflow_damage, read_all, rules, sector,
};
use crate::common::morris::Unmoved;
use crate::common::{scratch, stride};
use nerode_games::morris::{Capture, FullBoard, Rules};
use nerode_morris::malom::{self, check_ultra, compare, export_sec, import};
use nerode_morris::tables::{IndexMaker, Sector, SectorTable, SectorTables};
use nerode_solver::error::Error;

/// Returns the bytes of a strong file according to the format's description, from a table and independently computed
/// counters.
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

/// Writes sectors, compares every byte, and reads them back. Returns the number of entries in overflow tables.
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
        let num_boards = table.sector.num_boards(solved.rules.board.num_points());
        assert_clean(&compare(&solved.rules, table, &foreign, &GO_ON).unwrap(), num_boards);
        let back = import(&foreign, &GO_ON).unwrap();
        assert_eq!(back.counts(), table.counts());
        assert!((0..table.index.num_slots()).all(|slot| back.codes.get(slot) == table.codes.get(slot)));
        overflows += foreign.num_overflows();
    }
    overflows
}

#[test]
#[ignore = "slow: .ci/slow"]
fn strong_files_of_nine_are_those_of_the_format() {
    assert!(round_trip(rules("nine"), &["3-3-0-0", "4-3-0-0", "3-4-0-0", "2-3-1-1"]) > 0);
}

#[test]
#[ignore = "slow: .ci/slow"]
fn strong_files_of_morabaraba_are_those_of_the_format() {
    assert!(round_trip(rules("morabaraba"), &["3-3-0-0", "4-3-0-0", "3-4-0-0", "2-2-1-1"]) > 0);
}

#[test]
fn strong_files_of_lasker_are_those_of_the_format() {
    round_trip(rules("lasker"), &["3-3-1-0", "3-3-0-1", "3-2-1-1", "0-0-3-3", "1-0-2-3"]);
}

/// Sectors with no stones and with one, worked out by hand from the description.
#[test]
fn small_files_byte_by_byte() {
    let (solved, dir) = (Solved::new(rules("nine"), &["0-0-3-3"]), scratch());
    let bytes = |name: &str| fs::read(solved.export(dir.path(), sector(name))).unwrap();
    // There is one slot, with the published value of the game with three stones each.
    assert_eq!(bytes("0-0-3-3"), [23, 0, 0, 0, 0]);
    let one = bytes("0-1-3-2");
    assert_eq!(one.len(), 24 + 4);
    // The class of the empty set has all symmetries, so the least point of its kind is the slot of each stone.
    let kinds = [0, 1, 8, 9];
    for (point, &byte) in one[..24].iter().enumerate() {
        assert_eq!((180..195).contains(&byte), !kinds.contains(&point), "{point}");
    }
    // Point 2 goes to point 0 by k to k + 6 (number 2) and by 2 - k (number 5). The first symmetry is used.
    assert_eq!(one[2], 180 + 2);
    // Point 16, on the inner ring, goes there by - k with the rings exchanged (number 12) and by the exchange alone
    // (number 7).
    assert_eq!(one[16], 180 + 7);
}

/// The reader's consistency rules hold for strong files as for ultra-strong ones, and any changed entry violates one of
/// them.
#[test]
#[ignore = "slow: .ci/slow"]
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
            // A hole in place of a position is detected when the positions before it are checked.
            Err(error) if to == 180 => error.to_string(),
            Err(error) => panic!("{at}: {error}"),
        };
        assert!(text.contains("std_4_3_0_0.sec") && text.contains("slot "), "{text}");
    }
}

/// One changed entry gives one mismatch, reported with slot, stones by label, drawn board, both values and rules.
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
    // A wrong entry stands for all images of its position.
    let images = |slot: usize| {
        let state = table.state(slot as u64);
        table.index.num_images(state.own, state.other)
    };
    assert_eq!(report.mismatches, images(drawn) + images(lost));
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
    // There are three stones on the drawn board. The folder of the file has a random name, which is removed first.
    let drawing = text.replace(&dir.path().display().to_string(), "");
    assert_eq!(drawing.matches('X').count(), 3);
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(one.install(look), report);
    assert!(import(&solved.open(&path), &GO_ON).is_ok(), "the file is valid although its values are wrong");
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
    assert!(open(&path, &protected).to_string().contains("capture=protected"));
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
    assert!(
        refused(&solved.rules, "3-3-0-0", "std_3_4_0_0.sec").contains("expected the name std_3_3_0_0.sec")
    );
    assert!(refused(&solved.rules, "4-3-0-0", "std_4_3_0_0.sec").contains("4-3-0-0 is not available"));
    assert!(refused(&solved.rules, "200-3-100-0", "std_200_3_100_0.sec").contains("3 to 12"));
    let foreign = solved.open(&path);
    let other = Solved::new(rules("nine"), &["3-4-0-0"]);
    let unequal = compare(&solved.rules, other.table("3-4-0-0"), &foreign, &GO_ON).unwrap_err();
    assert!(unequal.to_string().contains("as in the table"));
    assert!(matches!(compare(&rules("lasker"), table, &foreign, &GO_ON), Err(Error::WrongRules { .. })));
    let stop = AtomicBool::new(true);
    let again = export_sec(&solved.rules, &[], &solved.known, table.sector, &path, &stop);
    assert!(matches!(again, Err(Error::Interrupted)));
    solved.open(&path).check(&GO_ON).unwrap();
}

/// A strong file of 92 slots with two added overflow entries.
#[test]
#[ignore = "slow: .ci/slow"]
fn damaged_strong_files_are_refused() {
    let (solved, dir) = (Solved::new(rules("nine"), &["1-1-2-2"]), scratch());
    let path = solved.export(dir.path(), sector("1-1-2-2"));
    let good = fs::read(&path).unwrap();
    assert_eq!(good.len(), 92 + 4);
    let deepest = read_all(&solved, &path, &good).unwrap();
    for len in 0..good.len() {
        assert_corrupt(read_all(&solved, &path, &good[..len]), &path, "96 or more");
    }
    for more in [1, 3, 4, 7] {
        assert_corrupt(read_all(&solved, &path, &[&good[..], &vec![0; more]].concat()), &path, "8 for each");
    }
    assert_corrupt(
        read_all(&solved, &path, &[&good[..], &[0; 8]].concat()),
        &path,
        "claims 0 overflow entries",
    );
    assert_corrupt(read_all(&solved, &path, &[&good[..], &[0; 8 * 93]].concat()), &path, "at most as many");
    let index = solved.maker.index(1, 1);
    for at in (0..92).step_by(stride(4)) {
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

/// A drawn full board is a draw that no turn keeps.
#[test]
fn full_boards_hold_the_value_of_the_rules() {
    for (full_board, byte) in [(FullBoard::Loss, 0), (FullBoard::Draw, 255)] {
        let rules = Rules { full_board, ..rules("morabaraba") };
        let maker = IndexMaker::new(&rules.board);
        let index = Arc::new(maker.index(12, 12));
        let table = SectorTable::open(sector("12-12-0-0"), index, nerode_morris::tables::Width::One).unwrap();
        for slot in 0..table.index.num_slots() {
            if let Some(value) = rules.outcome(table.state(slot)) {
                assert_eq!(value == nerode_games::Value::Draw, byte == 255);
                if byte == 0 {
                    table.codes.set(slot, 0);
                }
            }
        }
        let mut known = SectorTables::new();
        let none = maker_of_children(&rules, &maker, table.sector);
        known.extend(none);
        let dir = scratch();
        let path = dir.path().join("mora_12_12_0_0.sec");
        export_sec(&rules, &[table], &known, sector("12-12-0-0"), &path, &GO_ON).unwrap();
        let bytes = fs::read(&path).unwrap();
        assert!(bytes[..bytes.len() - 4].iter().all(|&b| b == byte || (180..195).contains(&b)));
    }
}

/// Returns open tables of the sectors that turns of `of` lead to, except for `of` itself.
fn maker_of_children(rules: &Rules, maker: &IndexMaker, of: Sector) -> Vec<(Sector, Arc<SectorTable>)> {
    let children = of.children(rules).into_iter().filter(|&child| child != of);
    children
        .map(|child| {
            let index = Arc::new(maker.index(child.own, child.other));
            (child, Arc::new(SectorTable::open(child, index, nerode_morris::tables::Width::One).unwrap()))
        })
        .collect()
}
