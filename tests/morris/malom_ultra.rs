//! Malom's ultra-strong files: published files agree with our solver slot by slot and satisfy the equations of their
//! values. Files with artificial values are read back, and damaged ones are rejected.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::malom::{
    GO_ON, MARKED, Solved, assert_clean, assert_corrupt, overflow_damage, read_all, rules, sector,
};
use crate::common::morris::real_files;
use crate::common::scratch;
use nerode_morris::malom::{Entry, SectorValues, Stored, check_ultra, compare, import, sec2};
use nerode_morris::tables::{IndexMaker, SectorTables};
use nerode_solver::error::Error;

/// Writes an ultra-strong file with artificial values and every kind of entry, and its list of values.
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
    // Key 1 of a value is never 0.
    let stored: Vec<Stored> = stored
        .map(|entry| match entry {
            Stored::Value { key1: 0, key2 } => Stored::Value { key1: -1, key2 },
            entry => entry,
        })
        .collect();
    let path = dir.join("std_1_1_2_2.sec2");
    sec2::write(&path, index.num_slots(), &GO_ON, |slot| Ok(stored[slot as usize])).unwrap();
    (Solved { rules, maker, known: SectorTables::new() }, path, stored)
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
    // Our tables contain wins and losses, and draws without their ranks.
    let table = import(&foreign, &GO_ON).unwrap();
    for (slot, &expected) in (0..).zip(&stored) {
        let depth = match expected {
            Stored::Value { key1: 12 | -6, key2 } => Some(key2 as u16),
            _ => None,
        };
        assert_eq!(table.depth_at(slot), depth);
    }
    assert_clean(&compare(&solved.rules, &table, &foreign, &GO_ON).unwrap(), 24_u128 * 23);
    let too_far = sec2::write(&path, 1, &GO_ON, |_| Ok(Stored::Value { key1: 2048, key2: 1 })).unwrap_err();
    assert!(too_far.to_string().contains("12 bits per value"), "{too_far}");
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
            "of a header"
        } else if len >= table + 4 && (len - table - 4) % 8 == 0 {
            "claims 2 overflow entries"
        } else if len > table + 4 {
            "8 for each"
        } else {
            "344 or more"
        };
        assert_corrupt(read_all(&solved, &path, &good[..len]), &path, reason);
    }
    // Every bit of the header and the overflow table matters. A change of an entry may give any result but must not
    // panic.
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
    assert_corrupt(head(4, 2), &path, "2 bytes per entry, but its variant has 3");
    assert_corrupt(head(8, 14), &path, "14 bits in the first field, but its variant has 12");
    // The flag for differences of stones, which have entries of two bytes.
    assert_corrupt(head(12, 1), &path, "3 bytes per entry, but its variant has 2");
    assert_corrupt(head(12, 2), &path, "byte 12 of its header is 2, not 0");
    assert_corrupt(head(40, 1), &path, "byte 40 of its header is 1, not 0");
    overflow_damage(&solved, &path, &good, table, [2048, 2049]);
    // A hole by the identity, a win in an even number of plies, and values beyond a win.
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
    assert_corrupt(read_all(&solved, &path, &good), &list, "the value of a win is 1022, which");
    fs::write(&list, [&text.as_bytes()[..40], &[0xff]].concat()).unwrap();
    assert_corrupt(read_all(&solved, &path, &good), &list, "not UTF-8 text");
    fs::remove_file(&list).unwrap();
    let missing = read_all(&solved, &path, &good).unwrap_err().to_string();
    assert!(missing.contains("std.secval next to it, found no such file"), "{missing}");
}

/// In the published files, every slot agrees with our solver, and every equation of the ultra-strong values holds.
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
        let num_boards = sector.num_boards(solved.rules.board.num_points());
        assert_clean(&compare(&solved.rules, table, foreign, &GO_ON).unwrap(), num_boards);
        assert_clean(&check_ultra(&solved.rules, &files, sector, &GO_ON).unwrap(), num_slots);
        assert_eq!(import(foreign, &GO_ON).unwrap().counts(), table.counts());
    }
    // The equations detect a change of each kind of entry, made in a copy of the last file.
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
    // All draws of 3-3 stay there, so the whole file can be computed from our tables.
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

/// The published lists satisfy the invariants that reading checks, and have the expected numbers of sectors.
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

/// Three consecutive sectors with artificial values. Draws of the last sector are ranked in the sectors before it, in
/// one case with the opposite sign, or counted where the values cancel. The contents of every drawn entry follow by
/// hand.
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
        // A draw of 3-3 is 0 there, 0 - -2 in 2-3-1-0 a ply later, and 0 minus the value in 2-2-1-1 another ply later.
        // For values below 0, that is on the other side of the sector's value, and the distance is negated.
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
            assert_clean(&compared, sector(name).num_boards(solved.rules.board.num_points()));
        }
    }
}
