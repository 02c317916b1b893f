use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use nerode_games::Side;
use nerode_oracle::{Control, ExplicitTable, solve};
use tempfile::TempDir;

use super::*;
use crate::error::Error;

fn solution() -> (std::sync::Arc<dyn nerode_games::Game>, ExplicitTable) {
    let game = nerode_games::registry::open("breakthrough:2x4").unwrap();
    let interrupt = AtomicBool::new(false);
    let control = Control { memory_limit: 1 << 20, interrupt: &interrupt, progress: &mut |_, _| () };
    let solution = solve(&*game, "breakthrough:2x4", control).unwrap();
    (game, solution)
}

fn written() -> (TempDir, std::path::PathBuf, ExplicitTable) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("small.tbl");
    let (game, solution) = solution();
    let bytes = write_solution(&path, &*game, &solution, false).unwrap();
    assert_eq!(bytes, fs::metadata(&path).unwrap().len());
    (dir, path, solution)
}

/// Overwrites bytes of the file.
fn patch(path: &Path, at: usize, with: &[u8]) {
    let mut bytes = fs::read(path).unwrap();
    bytes[at..at + with.len()].copy_from_slice(with);
    fs::write(path, bytes).unwrap();
}

#[test]
fn every_value_reads_back() {
    let (_dir, path, solution) = written();
    let mut table = TableFile::open(&path).unwrap();
    table.verify_digest().unwrap();
    assert_eq!(table.header().spec, "breakthrough:2x4");
    assert_eq!(table.header().num_positions, 3_u64.pow(8));
    for side in [Side::P2, Side::P1] {
        let codes: Vec<u16> = table.codes(side).unwrap().map(|code| code.unwrap()).collect();
        assert_eq!(codes, solution.codes(side));
        for index in (0..3_u64.pow(8)).step_by(7) {
            assert_eq!(table.value(side, index).unwrap(), solution.get(side, index).unwrap());
        }
    }
    assert!(matches!(table.value(Side::P2, 3_u64.pow(8)), Err(Error::PastTheEnd { .. })));
    let index = table.header().start_index;
    assert_eq!(table.indexer().board_of(index), solution.indexer().board_of(index));
    assert_eq!(table.value(Side::P1, index).unwrap(), solution.stats().start);
}

#[test]
fn the_layout_is_the_documented_one() {
    let (_dir, path, solution) = written();
    let bytes = fs::read(&path).unwrap();
    assert_eq!(&bytes[..8], b"NERODTBL");
    assert_eq!(bytes[8..12], [1, 0, 0, 0]);
    let header = usize::try_from(u32::from_le_bytes(bytes[12..16].try_into().unwrap())).unwrap();
    let n = 3_usize.pow(8);
    assert_eq!(bytes.len(), 16 + header + 4 * n + 32);
    let at = 16 + header + 2 * n;
    let second: Vec<u8> = solution.codes(Side::P2).iter().flat_map(|code| code.to_le_bytes()).collect();
    assert_eq!(bytes[at..at + 2 * n], second);
    let (body, digest) = bytes.split_at(bytes.len() - 32);
    assert_eq!(blake3::hash(body).as_bytes(), digest);
}

#[test]
fn each_damage_has_its_own_error() {
    let text = |path: &Path| TableFile::open(path).unwrap_err().to_string();
    let (_dir, path, _) = written();
    patch(&path, 0, b"NERODDFA");
    assert!(text(&path).contains("does not begin with NERODTBL"));
    patch(&path, 0, b"NERODTBL");
    patch(&path, 8, &[2]);
    assert!(matches!(TableFile::open(&path), Err(Error::WrongVersion { found: 2, supported: 1, .. })));
    patch(&path, 8, &[1]);
    patch(&path, 12, &[0xff; 4]);
    assert!(text(&path).contains("does not fit into the file"));

    let (_dir, path, _) = written();
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, [&bytes[..], b"x"].concat()).unwrap();
    assert!(text(&path).contains("too long"));
    fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    assert!(text(&path).contains("truncated"));
    fs::write(&path, &bytes[..20]).unwrap();
    assert!(text(&path).contains("too few"));
    fs::write(&path, []).unwrap();
    assert!(text(&path).contains("too few"));
    fs::write(&path, &bytes).unwrap();
    let table = TableFile::open(&path).unwrap();
    table.check_rules(&table.header().fingerprint.clone()).unwrap();
    assert!(matches!(table.check_rules("0123456789abcdef"), Err(Error::WrongRules { .. })));
    fs::remove_file(&path).unwrap();
    assert!(matches!(TableFile::open(&path), Err(Error::Io { .. })));
}

#[test]
fn every_length_but_the_right_one_is_refused() {
    let (_dir, path, _) = written();
    let bytes = fs::read(&path).unwrap();
    for len in (0..600).chain((600..bytes.len()).step_by(997)) {
        fs::write(&path, &bytes[..len]).unwrap();
        assert!(matches!(TableFile::open(&path), Err(Error::Corrupt { .. })), "{len} bytes");
    }
}

#[test]
fn every_flipped_byte_is_detected() {
    let (_dir, path, _) = written();
    let bytes = fs::read(&path).unwrap();
    for at in (0..1000).chain((1000..bytes.len()).step_by(991)).chain(bytes.len() - 33..bytes.len()) {
        for flip in [1, 0x80] {
            patch(&path, at, &[bytes[at] ^ flip]);
            let result = TableFile::open(&path).and_then(|mut table| table.verify_digest());
            let found = match result {
                Err(Error::OtherContents { .. }) => at < MAGIC.len(),
                Err(Error::Corrupt { .. } | Error::WrongVersion { .. }) => at >= MAGIC.len(),
                _ => false,
            };
            assert!(found, "byte {at}");
            patch(&path, at, &[bytes[at]]);
        }
    }
}

#[test]
fn headers_that_contradict_themselves_are_refused() {
    let (game, _) = solution();
    let good = TableHeader::of(&*game).unwrap();
    type Change = fn(&mut TableHeader);
    let changes: [Change; 5] = [
        |h| h.num_positions += 1,
        |h| h.cell_states[0] = 4,
        |h| h.digits[3] = vec![0, 0, 1],
        |h| h.start_side = 3,
        |h| h.coding.push('?'),
    ];
    for (i, change) in changes.iter().enumerate() {
        let mut header = good.clone();
        change(&mut header);
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("bad.tbl");
        let codes = || (0..header.num_positions).map(|_| Ok(0));
        write_table(&path, &header, codes(), codes()).unwrap();
        assert!(matches!(TableFile::open(&path), Err(Error::Corrupt { .. })), "change {i}");
    }
}

#[test]
fn failing_or_missing_codes_leave_no_file() {
    let (game, _) = solution();
    let header = TableHeader::of(&*game).unwrap();
    let n = header.num_positions;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("half.tbl");
    let codes = |len| (0..len).map(|_| Ok(0));
    assert!(matches!(write_table(&path, &header, codes(n), codes(n - 1)), Err(Error::Mismatch { .. })));
    assert!(matches!(write_table(&path, &header, codes(n + 1), codes(n)), Err(Error::Mismatch { .. })));
    let stopped = (0..n).map(|i| if i == 5 { Err(Error::Interrupted) } else { Ok(0) });
    assert!(matches!(write_table(&path, &header, codes(n), stopped), Err(Error::Interrupted)));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}
