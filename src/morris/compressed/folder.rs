//! A folder of packed sectors: for each the smallest of its automata.
//!
//! Invariants: every file was read back and asked for every position before the manifest was written; the manifest is written
//! last and names every other file with its digest.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use nerode_games::morris::Rules;
use nerode_games::{Game, Side, Value};
use serde::{Deserialize, Serialize};

use super::automaton::MultiRoot;
use super::directory::automata_of;
use super::measure::Kept;
use super::probe::Forms;
use super::trial::check;
use super::words::PointOrder;
use super::worth::Detail;
use crate::archive::contents::{self, Contents};
use crate::archive::draft::Draft;
use crate::archive::stored::StoredFile;
use crate::error::{Error, Result};
use crate::morris::tables::ask::named_game;
use crate::morris::tables::{GameName, IndexMaker, Sector, SectorSolution, SectorTable, SectorTables, plan};

const SUFFIX: &str = ".packed";

#[derive(Serialize, Deserialize)]
struct Manifest {
    #[serde(flatten)]
    game: GameName,
    /// By sector.
    files: BTreeMap<String, StoredFile>,
}

/// A sector that was packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedSector {
    /// Which.
    pub sector: Sector,
    /// Positions up to symmetry, each of which was looked up in the file.
    pub num_positions: u64,
    /// Bytes of the file.
    pub bytes: u64,
    /// How it is looked up, in words.
    pub how: String,
}

fn file_name(sector: Sector) -> String {
    format!("{sector}{SUFFIX}")
}

/// Packs `sectors` and all that they depend on into the folder `path`, without depths, and asks what was written for every
/// position. With `overwrite`, packed sectors in `path` are replaced.
///
/// *Cost*: four automata a sector, and a look-up of every position.
///
/// # Errors
/// [`Error::MissingSector`] when a sector that is needed is not in the directory; [`Error::Occupied`] when `path` holds packed
/// sectors, [`Error::OtherContents`] when it holds something else; [`Error::Rules`] when a file answers differently from the
/// table; those of building; [`Error::Interrupted`]; [`Error::Io`].
pub fn pack_directory(
    solution: &SectorSolution,
    sectors: &[Sector],
    path: &Path,
    overwrite: bool,
    interrupt: &AtomicBool,
    watch: &mut dyn FnMut(Sector),
) -> Result<Vec<PackedSector>> {
    let draft = Draft::begin(path, Contents::PackedSectors, overwrite)?;
    let must_go_on = || if interrupt.load(Ordering::Relaxed) { Err(Error::Interrupted) } else { Ok(()) };
    let (rules, maker) = (&solution.rules, solution.maker());
    let order = PointOrder::best(maker.num_points());
    let mut forms = Forms::new(rules, Detail::Values);
    let (mut files, mut packed) = (BTreeMap::new(), Vec::new());
    for unit in plan(rules, sectors)? {
        must_go_on()?;
        let mut known = SectorTables::new();
        for &sector in unit.sectors() {
            known.extend(solution.with_children(sector)?.1);
        }
        let of_unit = automata_of(solution, &unit, &known, &order, watch)?;
        for kept in of_unit.kept() {
            let sector = kept.automaton.header().sector;
            let file = draft.file(&file_name(sector));
            files.insert(sector.to_string(), StoredFile::write(&file, &kept.automaton.to_bytes())?);
            forms.store(maker, MultiRoot::read(&file)?)?;
        }
        for table in &of_unit.tables {
            must_go_on()?;
            packed.push(checked(&forms, table, &files)?);
        }
        solution.forget();
    }
    let manifest = Manifest { game: solution.dir.game().clone(), files };
    must_go_on()?;
    draft.finish(&manifest)?;
    Ok(packed)
}

/// Asks a sector of `forms`, as it was read back, for every position of its table.
fn checked(
    forms: &Forms<'_>,
    table: &SectorTable,
    files: &BTreeMap<String, StoredFile>,
) -> Result<PackedSector> {
    let sector = table.sector;
    let (bytes, how) = forms.kept(sector).unwrap_or_default();
    let num_positions = check(&mut Kept::new(forms, bytes), table)?;
    let bytes = files.get(&sector.to_string()).map_or(0, StoredFile::bytes);
    Ok(PackedSector { sector, num_positions, bytes, how })
}

/// A folder of packed sectors that answers: values without depths.
#[derive(Debug)]
pub struct PackedSectors {
    /// The game.
    pub game: Arc<dyn Game>,
    rules: Rules,
    forms: Forms<'static>,
    path: PathBuf,
    files: BTreeMap<String, StoredFile>,
}

impl PackedSectors {
    /// Opens a folder of packed sectors, and reads all of them.
    ///
    /// # Errors
    /// [`Error::OtherContents`] when it is none; [`Error::WrongRules`] when it was made under other rules of the same name;
    /// [`Error::WrongVersion`]; [`Error::Corrupt`]; [`Error::Io`].
    pub fn open(path: &Path) -> Result<Self> {
        let manifest: Manifest = contents::read_from(path, Contents::PackedSectors)?;
        let (game, rules, name) = named_game(&manifest.game.spec)?;
        if name != manifest.game {
            return Err(Error::WrongRules {
                path: path.into(),
                found: manifest.game.fingerprint,
                expected: name.fingerprint,
            });
        }
        let maker = IndexMaker::new(&rules.board);
        let mut forms = Forms::owning(rules.clone(), Detail::Values);
        for (name, stored) in &manifest.files {
            let file = path.join(file_name(name.parse()?));
            forms.store(&maker, MultiRoot::from_bytes(&stored.read(&file)?, &file)?)?;
        }
        Ok(Self { game, rules, forms, path: path.into(), files: manifest.files })
    }

    /// Sectors by name, with the bytes of their files.
    pub fn sectors(&self) -> impl Iterator<Item = (&str, u64)> {
        self.files.iter().map(|(name, stored)| (name.as_str(), stored.bytes()))
    }

    /// The value of a board of the game for the side to move.
    ///
    /// # Errors
    /// [`Error::MissingSector`] when its sector, or one that must be looked at, is not here.
    ///
    /// # Panics
    /// When the board has fewer cells than the game.
    pub fn get_board(&self, board: &[u8], side: Side) -> Result<Value> {
        let in_folder = |error| match error {
            Error::MissingSector { sector, needed_by, .. } => {
                Error::MissingSector { sector, needed_by, folder: Some(self.path.clone()) }
            }
            other => other,
        };
        Ok(self.forms.worth(self.rules.state_of(board, side)).map_err(in_folder)?.value())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::morris::tables::{Runner, SectorDir};

    #[test]
    fn nothing_is_left_of_a_pack_that_was_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let (_, rules, name) = named_game("morris:six").unwrap();
        let dir = SectorDir::create(&folder.path().join("six"), name, "").unwrap();
        let stop = AtomicBool::new(false);
        let units = plan(&rules, &["4-3-0-0".parse().unwrap()]).unwrap();
        Runner::new(&rules, &dir, u64::MAX, &stop).solve_all(&units, &mut |_| ()).unwrap();
        let solution = SectorSolution::open(dir.path()).unwrap();
        let sectors = ["4-3-0-0".parse().unwrap()];
        let packed = folder.path().join("packed");
        let pack =
            |watch: &mut dyn FnMut(Sector)| pack_directory(&solution, &sectors, &packed, false, &stop, watch);
        // Late: only the last sector is not packed yet, and others are written.
        let stopped = pack(&mut |sector| {
            stop.store(sector == Sector { own: 3, other: 4, ..sector }, Ordering::Relaxed)
        });
        assert!(matches!(stopped, Err(Error::Interrupted)), "{stopped:?}");
        assert!(!packed.exists());
        stop.store(false, Ordering::Relaxed);
        assert_eq!(pack(&mut |_| ()).unwrap().len(), 3);
        assert!(PackedSectors::open(&packed).is_ok());
    }
}
