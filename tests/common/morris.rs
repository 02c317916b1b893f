//! Un-moves of morris games, written for tests directly from the rules, and the location of files made by other programs.

use std::path::{Path, PathBuf};

use nerode_games::morris::{Rules, State, points};
use nerode_morris::tables::{Sector, SectorTable, SectorTables};

/// Returns the folder with real database files, or prints a note that the tests with them are skipped.
pub fn real_files() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/malom");
    let folder = std::env::var_os("NERODE_MALOM_DIR").map_or_else(beside, PathBuf::from);
    if folder.join("std_3_3_0_0.sec2").exists() {
        return Some(folder);
    }
    println!(
        "skipped: no database files made by others in {}; NERODE_MALOM_DIR names another folder",
        folder.display()
    );
    None
}

/// Un-moves from the positions of a sector's children.
pub struct Unmoved<'a> {
    rules: &'a Rules,
    known: &'a SectorTables,
    sector: Sector,
}

impl<'a> Unmoved<'a> {
    pub fn new(rules: &'a Rules, known: &'a SectorTables, sector: Sector) -> Self {
        Self { rules, known, sector }
    }

    /// For each slot of `table`, which belongs to the sector, counts the un-moves from all drawn positions, one per symmetry
    /// class, that lead to its position or a symmetric one.
    pub fn counters(&self, table: &SectorTable) -> Vec<u32> {
        let mut counters = vec![0; table.index.num_slots() as usize];
        for child in self.sector.children(self.rules) {
            let from = &self.known[&child];
            for slot in 0..from.index.num_slots() {
                if from.index.hole(slot).is_none() && from.depth_at(slot).is_none() {
                    self.origins(from.state(slot), |own, other| {
                        counters[table.index.slot(own, other) as usize] += 1;
                    });
                }
            }
        }
        counters
    }

    /// Calls `f` with the stones of both sides before each turn of this sector that leads to `after`.
    fn origins(&self, after: State, mut f: impl FnMut(u32, u32)) {
        let (board, sector) = (&self.rules.board, self.sector);
        let placed = after.other_hand < sector.own_hand;
        let takes = after.own_stones() < sector.other;
        let empty = board.all() & !(after.own | after.other);
        let flies = sector.own + sector.own_hand <= 3;
        for to in points(after.other) {
            let closed = board.mills().iter().any(|mill| mill >> to & 1 == 1 && after.other & mill == *mill);
            if closed != takes {
                continue;
            }
            let origins = match (placed, flies) {
                (true, _) => Vec::new(),
                (false, true) => points(empty).collect(),
                (false, false) => points(empty & board.neighbours(to)).collect(),
            };
            let origins = origins.into_iter().map(|from: usize| 1u32 << from);
            for from in origins.chain(placed.then_some(0)) {
                let own = after.other & !(1 << to) | from;
                if !takes {
                    f(own, after.own);
                    continue;
                }
                for taken in points(empty & !from) {
                    let other = after.own | 1 << taken;
                    let in_mills =
                        board.mills().iter().filter(|&&mill| other & mill == mill).fold(0, |a, b| a | b);
                    if in_mills >> taken & 1 == 0 || in_mills == other {
                        f(own, other);
                    }
                }
            }
        }
    }
}
