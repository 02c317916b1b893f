//! A packed database, opened for look-ups. Files are read when a look-up first needs them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use nerode_dfa::packed::{BlockCache, PackedReader};
use nerode_games::morris::{Rules, State};
use nerode_games::{Game, Side, Value};

use super::{Entry, Manifest, file_name};
use crate::compressed::automaton::Automaton;
#[cfg(feature = "solve")]
use crate::compressed::automaton::MultiRoot;
use crate::compressed::blocks::Part;
use crate::compressed::forms::{FiledAutomaton, Forms};
use crate::compressed::worth::Detail;
use crate::tables::name::named_game;
use crate::tables::{IndexMaker, Sector};
use nerode_solver::archive::contents::{self, Contents};
use nerode_solver::archive::folder::Folder;
use nerode_solver::error::{Error, Result};

/// A folder of packed sectors, opened for look-ups of values, and of depths if it was built with them.
#[derive(Debug)]
pub struct PackedSectors {
    /// The game.
    pub game: Arc<dyn Game>,
    pub(super) rules: Rules,
    pub(super) forms: Forms<'static>,
    pub(super) path: PathBuf,
    pub(super) manifest: Manifest,
}

/// How files are read.
#[derive(Debug)]
pub(super) enum Reading {
    /// Completely, for the fastest look-ups.
    #[cfg(feature = "solve")]
    Whole,
    /// In parts, with a cache for all files.
    InParts(Arc<BlockCache<Part>>),
}

impl Reading {
    /// Returns the way to read files in parts, with a cache of about `memory` bytes.
    fn in_parts(memory: u64) -> Self {
        Self::InParts(Arc::new(BlockCache::new(memory)))
    }
}

/// Creates the forms of sectors whose files are in `folder`. The files are read when they are first needed, and errors name
/// them as files in `path`.
///
/// # Errors
/// Returns the errors of `sectors`.
pub(super) fn forms_in<'e>(
    folder: Arc<dyn Folder>,
    path: &Path,
    rules: &Rules,
    detail: Detail,
    reading: Reading,
    sectors: impl Iterator<Item = Result<(Sector, &'e Entry)>>,
) -> Result<Forms<'static>> {
    let mut files = std::collections::BTreeMap::new();
    let mut forms = Forms::owning(rules.clone(), detail);
    for sector in sectors {
        let (sector, entry) = sector?;
        match &entry.file {
            Some(file) => {
                let number = files.len() as u32;
                files.insert(sector, (path.join(file_name(sector)), number, file.clone()));
                forms.file(sector, entry.worths());
            }
            None => forms.derive(sector, entry.worths()),
        }
    }
    let load = move |sector: Sector| {
        let missing = || Error::MissingSector { sector: sector.to_string(), needed_by: None, folder: None };
        let (path, number, stored) = files.get(&sector).ok_or_else(missing)?;
        let (name, io) = (file_name(sector), |e| Error::io(path, e));
        match &reading {
            #[cfg(feature = "solve")]
            Reading::Whole => {
                let bytes = stored.whole.checked(folder.read(&name).map_err(io)?, path)?;
                MultiRoot::of_digested(&bytes, path).map(FiledAutomaton::Whole)
            }
            Reading::InParts(cache) => {
                let file = folder.open(&name).map_err(io)?;
                let reader = PackedReader::sharing(file, path.clone(), Arc::clone(cache), *number);
                Automaton::open(reader, &stored.whole, &stored.head).map(FiledAutomaton::InParts)
            }
        }
    };
    Ok(forms.reading(IndexMaker::new(&rules.board), Box::new(load)))
}

impl PackedSectors {
    /// Opens a folder of packed sectors on disk. A sector is read, and its digest verified, when a look-up first needs it.
    ///
    /// *Cost*: reads the manifest and checks the length of every file.
    ///
    /// # Errors
    /// Returns [`Error::OtherContents`] if it is not such a folder, [`Error::WrongRules`] if it was created under other
    /// rules of the same name, [`Error::WrongVersion`], [`Error::Corrupt`], also for a file that is missing or has
    /// another length, or [`Error::Io`].
    #[cfg(feature = "solve")]
    pub fn open(path: &Path) -> Result<Self> {
        let manifest: Manifest = contents::read_from(path, Contents::PackedSectors)?;
        let packed = Self::of_manifest(manifest, path, Arc::new(path.to_path_buf()), Reading::Whole)?;
        for (sector, entry) in packed.manifest.sectors.iter().filter(|(_, entry)| entry.file.is_some()) {
            let file = path.join(file_name(sector.parse()?));
            let found = nerode_dfa::disk::metadata(&file).map_err(|e| Error::io(&file, e))?;
            entry.file.as_ref().map_or(Ok(()), |stored| stored.whole.must_have(found.len(), &file))?;
        }
        Ok(packed)
    }

    /// Opens packed sectors wherever their files are. Errors name them as files in `path`. Files are read in parts when
    /// look-ups need them. About `memory` bytes of parts are kept.
    ///
    /// *Cost*: reads the manifest.
    ///
    /// # Errors
    /// Returns the same errors as `PackedSectors::open`, but a missing file is only noticed when it is needed.
    pub fn open_in(folder: Arc<dyn Folder>, path: &Path, memory: u64) -> Result<Self> {
        let manifest = contents::read_in(folder.as_ref(), path, Contents::PackedSectors)?;
        Self::of_manifest(manifest, path, folder, Reading::in_parts(memory))
    }

    fn of_manifest(
        manifest: Manifest,
        path: &Path,
        folder: Arc<dyn Folder>,
        reading: Reading,
    ) -> Result<Self> {
        let (game, rules, name) = named_game(&manifest.game.spec)?;
        if name != manifest.game {
            return Err(Error::WrongRules {
                path: path.into(),
                found: manifest.game.fingerprint,
                expected: name.fingerprint,
            });
        }
        let forms = forms_in(folder, path, &rules, manifest.detail(), reading, manifest.by_sector())?;
        Ok(Self { game, rules, forms, path: path.into(), manifest })
    }

    /// Returns the rules of the game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the sectors by name, with the sizes of their files in bytes, which are 0 for derived sectors.
    pub fn sectors(&self) -> impl Iterator<Item = (&str, u64)> {
        self.manifest.sectors.iter().map(|(name, entry)| (name.as_str(), entry.bytes()))
    }

    /// Returns the values that positions of a sector have, best first. The list is empty for a sector that is not in
    /// the database.
    pub fn values_in(&self, sector: &str) -> Vec<Value> {
        let worths = self.manifest.sectors.get(sector).map(Entry::worths).unwrap_or_default();
        let has = |value: &Value| worths.iter().any(|worth| worth.value() == *value);
        [Value::Win, Value::Draw, Value::Loss].into_iter().filter(has).collect()
    }

    /// Returns the largest number of plies that a look-up searches ahead in sectors without a file.
    pub fn look_ahead(&self) -> u32 {
        self.manifest.look_ahead.plies
    }

    /// Returns the number of sectors that have not been packed yet, which is 0 unless the folder is still being built.
    pub fn left(&self) -> usize {
        self.manifest.left
    }

    /// Returns `true` if the database contains depths.
    pub fn has_depths(&self) -> bool {
        self.manifest.depths
    }

    /// Returns the value for the side to move and the depth in plies. Draws have no depth, and neither do other
    /// positions in a database without depths.
    ///
    /// *Cost*: a look-up in one automaton, which takes some microseconds, and more if captures or all turns are
    /// examined. The first look-up in a sector reads its file, or a part of it.
    ///
    /// # Errors
    /// Returns [`Error::MissingSector`] if the sector of the position, or one that is needed for the look-up, is not in
    /// the database, or [`Error::Corrupt`] or [`Error::Io`] if reading a file fails.
    pub fn get(&self, state: State) -> Result<(Value, Option<u16>)> {
        let in_folder = |error| match error {
            Error::MissingSector { sector, needed_by, .. } => {
                Error::MissingSector { sector, needed_by, folder: Some(self.path.clone()) }
            }
            other => other,
        };
        let worth = self.forms.worth(state).map_err(in_folder)?;
        let depth = if self.manifest.depths { worth.depth() } else { None };
        Ok((worth.value(), depth))
    }

    /// Looks up a board of the game, as [`PackedSectors::get`] does.
    ///
    /// # Errors
    /// Returns the same errors as [`PackedSectors::get`].
    ///
    /// # Panics
    /// Panics if the board has fewer cells than the game.
    pub fn get_board(&self, board: &[u8], side: Side) -> Result<(Value, Option<u16>)> {
        self.get(self.rules.state_of(board, side))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;
    use crate::compressed::database::{LookAhead, Packing, Progress, pack_directory};
    use crate::tables::{SectorSolution, SectorSolve};
    use nerode_solver::archive::stored::StoredFile;
    use nerode_solver::solve::resources::Resources;

    fn solved(path: &Path) -> SectorSolution {
        let roots = vec!["4-3-0-0".parse().unwrap()];
        let solve = SectorSolve::open("morris:six").unwrap().of(roots).unwrap();
        solve.solve_into(path, &Resources::default(), &mut |_| ()).unwrap();
        SectorSolution::open(path).unwrap()
    }

    fn files(folder: &Path) -> Vec<(std::ffi::OsString, Vec<u8>)> {
        let entry = |entry: std::io::Result<fs::DirEntry>| {
            let entry = entry.unwrap();
            (entry.file_name(), fs::read(entry.path()).unwrap())
        };
        let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(entry).collect();
        files.sort();
        files
    }

    #[test]
    fn resumed_packing_writes_the_same_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let solution = solved(&folder.path().join("six"));
        let sectors = ["4-3-0-0".parse().unwrap()];
        for (plies, depths) in [(0, false), (1, false), (0, true), (1, true)] {
            let (stop, never) = (AtomicBool::new(false), AtomicBool::new(false));
            let [place, whole] =
                ["packed", "whole"].map(|name| folder.path().join(format!("{name}{plies}{depths}")));
            let (folder, overwrite, reuse) = (place.as_path(), false, None);
            let look_ahead = LookAhead { plies, in_hand: None };
            let packing =
                Packing { sectors: &sectors, folder, overwrite, look_ahead, depths, reuse, interrupt: &stop };
            // Stops late, when only the last sector has not been packed yet.
            let last = |now: &Progress| stop.store(now.packed + 1 == now.all, Ordering::Relaxed);
            let stopped = pack_directory(&solution, &packing, &mut |now| last(now));
            assert!(matches!(stopped, Err(Error::Interrupted)), "{stopped:?}");
            assert!(!place.exists());
            let part = PackedSectors::open(&place.with_extension("part")).unwrap();
            assert!(part.left() > 0 && part.sectors().count() > 0);
            let packing = Packing { interrupt: &never, ..packing };
            let packed = pack_directory(&solution, &packing, &mut |_| ()).unwrap();
            assert_eq!(packed.len(), 3);
            assert_eq!(packed.iter().filter(|sector| sector.bytes == 0).count(), plies as usize);
            pack_directory(&solution, &Packing { folder: &whole, ..packing }, &mut |_| ()).unwrap();
            assert_eq!(files(&place), files(&whole));
            let opened = PackedSectors::open(&place).unwrap();
            assert_eq!((opened.left(), opened.look_ahead(), opened.has_depths()), (0, plies, depths));
            for &(own, other) in &[(0b1111, 0b111_0000), (0b1_0101_0001, 0b1100_0000_0000_1000)] {
                let state = sectors[0].state(own, other);
                let (value, depth) = solution.get(state).unwrap();
                assert_eq!(opened.get(state).unwrap(), (value, depth.filter(|_| depths)));
            }
            let report = opened.check(10_000, 1, &never, &mut |_, _| ()).unwrap();
            assert!(report.checked >= 10_000 && report.mismatches == 0, "{report:?}");
        }
    }

    /// Packs the sectors that 4-3 leads to.
    fn packed(solution: &SectorSolution, folder: &Path, plies: u32, depths: bool) {
        let packing = Packing {
            sectors: &["4-3-0-0".parse().unwrap()],
            folder,
            overwrite: false,
            look_ahead: LookAhead { plies, in_hand: None },
            depths,
            reuse: None,
            interrupt: &AtomicBool::new(false),
        };
        pack_directory(solution, &packing, &mut |_| ()).unwrap();
    }

    /// Opens packed sectors so that their files are read in parts.
    fn in_parts(place: &Path, memory: u64) -> Result<PackedSectors> {
        let manifest = contents::read_from(place, Contents::PackedSectors)?;
        PackedSectors::of_manifest(manifest, place, Arc::new(place.to_path_buf()), Reading::in_parts(memory))
    }

    /// Returns some positions of every sector, which include all symmetries.
    fn positions(solution: &SectorSolution, step: usize) -> Vec<State> {
        let sectors = ["4-3-0-0", "3-4-0-0", "3-3-0-0"].map(|name| name.parse::<Sector>().unwrap());
        let sides = |number: u32| (0..1u32 << 16).filter(move |set| set.count_ones() == number);
        let of = |sector: Sector| {
            sides(sector.own.into()).flat_map(move |own| {
                let others = sides(sector.other.into()).filter(move |other| own & other == 0);
                others.map(move |other| sector.state(own, other))
            })
        };
        assert_eq!(solution.rules.board.all(), (1 << 16) - 1);
        sectors.into_iter().flat_map(of).step_by(step).collect()
    }

    #[test]
    fn files_in_parts_give_the_same_answers() {
        let folder = tempfile::tempdir().unwrap();
        let solution = solved(&folder.path().join("six"));
        // All positions without depths, and some with them.
        for (plies, depths, step) in [(0, false, 1), (1, false, 97), (0, true, 29), (1, true, 97)] {
            let place = folder.path().join(format!("packed{plies}{depths}"));
            packed(&solution, &place, plies, depths);
            let parts = in_parts(&place, 1 << 20).unwrap();
            let positions = positions(&solution, step);
            assert!(positions.len() > 5_000);
            for state in positions {
                let (value, depth) = solution.get(state).unwrap();
                assert_eq!(parts.get(state).unwrap(), (value, depth.filter(|_| depths)), "{state:?}");
            }
            // Nothing is kept but what the cache holds, and the worths of derived sectors.
            assert!(parts.forms.bytes() <= if plies == 0 { 0 } else { 2 * 64 });
        }
    }

    #[test]
    fn every_damaged_part_is_an_error_or_has_no_effect() {
        let folder = tempfile::tempdir().unwrap();
        let solution = solved(&folder.path().join("six"));
        let place = folder.path().join("packed");
        packed(&solution, &place, 0, true);
        let positions = positions(&solution, 40_009);
        let expected: Vec<_> = positions.iter().map(|state| solution.get(*state).unwrap()).collect();
        let answers = |packed: &PackedSectors| -> Result<usize> {
            let mut failed = 0;
            for (state, expected) in positions.iter().zip(&expected) {
                match packed.get(*state) {
                    Ok(found) => assert_eq!(found, *expected, "{state:?}"),
                    Err(Error::Corrupt { .. } | Error::Dfa(_) | Error::WrongVersion { .. }) => failed += 1,
                    Err(other) => return Err(other),
                }
            }
            Ok(failed)
        };
        assert_eq!(answers(&in_parts(&place, 0).unwrap()).unwrap(), 0);
        let file = place.join("4-3-0-0.packed");
        let good = fs::read(&file).unwrap();
        let mut failed = 0;
        for at in (0..good.len()).step_by(397) {
            let mut bad = good.clone();
            bad[at] ^= 1 << (at % 8);
            fs::write(&file, &bad).unwrap();
            failed += usize::from(answers(&in_parts(&place, 0).unwrap()).unwrap() > 0);
        }
        assert!(failed > good.len() / 397 / 2, "{failed} damaged bytes show");
        // The lengths of a file and of its head are in the manifest.
        for len in (0..good.len()).step_by(4001) {
            fs::write(&file, &good[..len]).unwrap();
            assert!(answers(&in_parts(&place, 0).unwrap()).unwrap() > 0, "{len} bytes");
        }
        // A file that is replaced while it is open, by another sector or by the same one without depths.
        packed(&solution, &folder.path().join("values"), 0, false);
        let others = [place.join("3-4-0-0.packed"), folder.path().join("values/4-3-0-0.packed")];
        for other in others.map(|other| fs::read(other).unwrap()) {
            fs::write(&file, &good).unwrap();
            let open = in_parts(&place, 0).unwrap();
            assert_eq!(answers(&open).unwrap(), 0);
            fs::write(&file, &other).unwrap();
            assert!(answers(&open).unwrap() > 0);
            assert!(answers(&in_parts(&place, 0).unwrap()).unwrap() > 0);
        }
        fs::write(&file, &good).unwrap();
        // A manifest with right digests of a wrong file leads to any answer or an error, and never to a panic.
        let mut manifest: Manifest = contents::read_from(&place, Contents::PackedSectors).unwrap();
        for at in (0..good.len()).step_by(1009) {
            let mut bad = good.clone();
            bad[at] ^= 1 << (at % 8);
            fs::write(&file, &bad).unwrap();
            let entry = manifest.sectors.get_mut("4-3-0-0").unwrap().file.as_mut().unwrap();
            let head = &bad[..entry.head.bytes() as usize];
            entry.head = StoredFile::of(head.len() as u64, blake3::hash(head));
            contents::write(&Contents::PackedSectors.file(&place), Contents::PackedSectors, &manifest)
                .unwrap();
            let open = in_parts(&place, 0).unwrap();
            positions.iter().for_each(|state| drop(open.get(*state)));
        }
    }

    #[test]
    fn the_previous_version_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let solution = solved(&folder.path().join("six"));
        let place = folder.path().join("packed");
        packed(&solution, &place, 0, false);
        let file = place.join("packed.json");
        let text = fs::read_to_string(&file).unwrap();
        let old = text.replace("\"format_version\": 3", "\"format_version\": 2");
        assert_ne!(old, text);
        fs::write(&file, old).unwrap();
        let refused = in_parts(&place, 0).unwrap_err();
        assert!(matches!(refused, Error::WrongVersion { found: 2, supported: 3, .. }), "{refused}");
    }

    #[test]
    fn every_damaged_byte_shows() {
        let folder = tempfile::tempdir().unwrap();
        let solution = solved(&folder.path().join("six"));
        let (sectors, place) = (["3-3-0-0".parse::<Sector>().unwrap()], folder.path().join("packed"));
        packed(&solution, &place, 0, false);
        let file = place.join("3-3-0-0.packed");
        let good = fs::read(&file).unwrap();
        let state = sectors[0].state(0b111, 0b111_000);
        for at in (0..good.len()).step_by(7) {
            let mut bad = good.clone();
            bad[at] ^= 1 << (at % 8);
            fs::write(&file, &bad).unwrap();
            let answer = PackedSectors::open(&place).unwrap().forms.worth(state);
            assert!(matches!(answer, Err(Error::Corrupt { .. })), "byte {at}: {answer:?}");
            // With a forged digest, a look-up may give any answer but must not panic.
            if let Ok(automaton) = MultiRoot::of_digested(&bad, &file) {
                let mut forms = Forms::owning(solution.rules.clone(), Detail::Values);
                if forms.store(solution.maker(), automaton).is_ok() {
                    let _ = forms.worth(state);
                }
            }
        }
        fs::write(&file, &good[..good.len() - 1]).unwrap();
        assert!(matches!(PackedSectors::open(&place), Err(Error::Corrupt { .. })));
        fs::remove_file(&file).unwrap();
        assert!(matches!(PackedSectors::open(&place), Err(Error::Io { .. })));
    }
}
