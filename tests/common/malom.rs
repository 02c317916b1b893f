//! Solves sectors, writes them in Malom's file format and opens them; damages such files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use nerode_games::morris::{Preset, Rules};
use nerode_morris::malom::{self, Foreign, export_sec};
use nerode_morris::tables::{IndexMaker, Sector, SectorTable, SectorTables, plan, solve_unit};
use nerode_solver::error::Error;

/// The interrupt flag of work that is never interrupted.
pub static GO_ON: AtomicBool = AtomicBool::new(false);

/// Returns the rules of a preset.
pub fn rules(name: &str) -> Rules {
    Preset::named(name).unwrap().rules()
}

/// Returns a sector by name.
pub fn sector(name: &str) -> Sector {
    name.parse().unwrap()
}

/// A game with some solved sectors.
pub struct Solved {
    pub rules: Rules,
    pub maker: IndexMaker,
    pub known: SectorTables,
}

impl Solved {
    pub fn new(rules: Rules, roots: &[&str]) -> Self {
        let maker = IndexMaker::new(&rules.board);
        let roots: Vec<Sector> = roots.iter().map(|root| sector(root)).collect();
        let mut known = SectorTables::new();
        for unit in plan(&rules, &roots).unwrap() {
            for table in solve_unit(&rules, &unit, &maker, &known, &GO_ON).unwrap() {
                known.insert(table.sector, Arc::new(table));
            }
        }
        Self { rules, maker, known }
    }

    pub fn export(&self, dir: &Path, sector: Sector) -> PathBuf {
        let path = dir.join(malom::FileName::strong(&self.rules, sector).unwrap().to_string());
        export_sec(&self.rules, &[], &self.known, sector, &path, &GO_ON).unwrap();
        path
    }

    pub fn open(&self, path: &Path) -> Foreign {
        malom::open(path, &self.rules, &self.maker).unwrap()
    }

    pub fn table(&self, name: &str) -> &SectorTable {
        &self.known[&sector(name)]
    }

    /// Exports and opens the files of all solved sectors.
    pub fn export_all(&self, dir: &Path) -> BTreeMap<Sector, Foreign> {
        self.known.keys().map(|&sector| (sector, self.open(&self.export(dir, sector)))).collect()
    }
}

/// Asserts that a number of slots or positions was compared and none differs.
pub fn assert_clean(report: &nerode_solver::check::Report, checked: impl Into<u128>) {
    assert_eq!(report.first_mismatch, None);
    assert_eq!((report.checked, report.mismatches), (checked.into(), 0));
}

/// Opens a file and reads it completely. This must never panic.
pub fn read_all(solved: &Solved, path: &Path, bytes: &[u8]) -> Result<u16, Error> {
    fs::write(path, bytes).unwrap();
    malom::open(path, &solved.rules, &solved.maker)?.check(&GO_ON)
}

/// Asserts that the file is rejected for the given reason.
pub fn assert_corrupt(result: Result<u16, Error>, path: &Path, reason: &str) {
    match result {
        Err(Error::Corrupt { path: named, reason: found }) => {
            assert_eq!(named, path);
            assert!(found.contains(reason), "{found} does not contain {reason}");
        }
        other => panic!("{other:?} instead of an error about {reason}"),
    }
}

/// Slots of sector 1-1-2-2 that are not holes, used for overflow entries.
pub const MARKED: [i32; 2] = [25, 33];

/// Changes the overflow table to two pairs for [`MARKED`], and checks the errors.
pub fn overflow_damage(solved: &Solved, path: &Path, good: &[u8], table: usize, values: [i32; 2]) {
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
        (&[(low, a), (high, b)][..], 1, "claims 1 overflow entries, but has room for 2"),
        (&[(low, a), (high, b)], -1, "claims -1 overflow"),
        (&[(low, a), (high, b)], i32::MAX, "claims 2147483647 overflow"),
        (&[(low, a)], 1, "slot 33 requires an overflow entry"),
        (&[(low, a), (low, b)], 2, "slot 25, twice or out of order"),
        (&[(high, b), (low, a)], 2, "slot 25, twice or out of order"),
        (&[(low, a), (high, b), (92, b)], 3, "slot 92, which the sector does not have"),
        (&[(-25, a), (high, b)], 2, "slot -25, which the sector does not have"),
        (&[(low, a), (high - 1, b), (high, b)], 3, "slot 32, whose entry is complete"),
        (&[(low, 0), (high, b)], 2, "slot 25 holds"),
    ] {
        assert_corrupt(with(pairs, count), path, reason);
    }
}
