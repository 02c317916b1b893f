//! A directory of sectors solved as sets, with a manifest for each sector and an automaton for each depth.
//!
//! Invariant: a manifest is written after all files that it names, and a sector is read only if all of them are intact.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nerode_dfa::disk;
use nerode_dfa::{Dfa, Shape};
use nerode_games::Game;
use nerode_games::registry::BUILT_IN;
use serde::{Deserialize, Serialize};

use super::sector_sets::Stones;
use nerode_solver::archive::claim;
pub use nerode_solver::archive::contents::{self, Contents};
use nerode_solver::archive::decimal::Decimal;
use nerode_solver::archive::files::{remove_abandoned_in, write_atomic};
use nerode_solver::archive::resolver::GameId;
use nerode_solver::archive::stored::StoredFile;
use nerode_solver::error::{Error, Result};

/// A directory that stores sectors solved as sets.
#[derive(Debug)]
pub struct SetsDir {
    pub(super) path: PathBuf,
    pub(super) game: GameOfSets,
    shape: Shape,
}

/// The game whose sectors a directory holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct GameOfSets {
    pub(super) spec: String,
    fingerprint: String,
    order: String,
}

/// The manifest of the directory.
#[derive(Serialize, Deserialize)]
pub(super) struct Top {
    #[serde(flatten)]
    pub(super) game: GameOfSets,
    /// The requested sectors. Their dependencies are requested implicitly.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) wanted: Vec<String>,
}

impl fmt::Display for GameOfSets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}, order {})", self.fingerprint, self.spec, self.order)
    }
}

impl GameOfSets {
    /// Rejects the manifest `file`, which names the game `found`, unless that is this game.
    fn must_be(&self, found: &Self, file: &Path) -> Result<()> {
        if self == found {
            return Ok(());
        }
        Err(Error::WrongRules { path: file.into(), found: found.to_string(), expected: self.to_string() })
    }
}

#[derive(Serialize, Deserialize)]
struct Manifest {
    #[serde(flatten)]
    game: GameOfSets,
    stones: Stones,
    /// The sets by depth.
    sets: Vec<Entry>,
}

/// A set of a sector, as listed in the manifest of the sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListedSet {
    /// The number of states of the automaton, not counting constants.
    pub num_states: usize,
    /// The number of positions of its depth.
    pub num_positions: u128,
    /// The length of its file.
    pub bytes: u64,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    num_states: usize,
    #[serde(with = "Decimal")]
    num_positions: u128,
    #[serde(flatten)]
    stored: StoredFile,
}

impl SetsDir {
    /// Opens the directory for sectors of `game`, or creates it if it does not exist.
    ///
    /// # Errors
    /// Returns [`Error::OtherContents`] if it holds something else, [`Error::WrongRules`] if it holds sectors of
    /// another game or letter order, [`Error::WrongVersion`], [`Error::Corrupt`], or [`Error::Io`].
    pub fn create(path: &Path, game: &dyn Game) -> Result<Self> {
        let shape = game.shape().clone();
        let game = GameOfSets {
            spec: game.spec(),
            fingerprint: game.fingerprint(),
            order: game.order().to_string(),
        };
        claim::must_be_free_for(path, Contents::SectorSets)?;
        let file = Contents::SectorSets.file(path);
        if disk::exists(&file).map_err(|e| Error::io(&file, e))? {
            let top: Top = contents::read(&file, Contents::SectorSets)?;
            game.must_be(&top.game, &file)?;
            // Temporary files left by a killed writer only waste space, so a failure to remove them is ignored.
            let _ = remove_abandoned_in(path);
        } else {
            disk::create_dir_all(path).map_err(|e| Error::io(path, e))?;
            let top = Top { game: game.clone(), wanted: Vec::new() };
            contents::write(&file, Contents::SectorSets, &top)?;
        }
        Ok(Self { path: path.into(), game, shape })
    }

    /// Returns the path of the directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens the directory `path` for reading, and returns it with the game whose sectors it holds.
    ///
    /// # Errors
    /// Returns [`Error::OtherContents`] if it holds something else, [`Error::WrongVersion`], [`Error::Corrupt`],
    /// [`Error::Io`], or [`Error::Game`] or [`Error::WrongRules`] if there is no such game.
    pub fn open(path: &Path) -> Result<(Self, Arc<dyn Game>)> {
        let found: GameOfSets = contents::read_from(path, Contents::SectorSets)?;
        let id =
            GameId { spec: &found.spec, fingerprint: &found.fingerprint, order: &found.order, text: None };
        let game = id.resolve(&BUILT_IN, &Contents::SectorSets.file(path))?;
        Ok((Self { path: path.into(), shape: game.shape().clone(), game: found }, game))
    }

    /// Returns the stones of the sectors stored in the directory, in order.
    ///
    /// # Errors
    /// Returns [`Error::Io`].
    pub fn sectors(&self) -> Result<Vec<Stones>> {
        let io = |e| Error::io(&self.path, e);
        let mut found = Vec::new();
        for entry in disk::read_dir(&self.path).map_err(io)? {
            let name = entry.map_err(io)?.file_name();
            let stones = name.to_str().and_then(|name| name.strip_suffix(".json")?.split_once('-'));
            let stones = stones.and_then(|(own, other)| Some([own.parse().ok()?, other.parse().ok()?]));
            // Only accepts the exact name that the manifest of a sector has.
            found.extend(stones.filter(|&stones| self.manifest(stones).file_name() == Some(&name)));
        }
        found.sort_unstable();
        Ok(found)
    }

    fn manifest(&self, stones: Stones) -> PathBuf {
        self.path.join(manifest_name(stones))
    }

    fn file(&self, stones: Stones, depth: usize) -> PathBuf {
        self.path.join(format!("{}-{}-{depth:03}.dfa", stones[0], stones[1]))
    }

    /// Stores the sets of a sector by depth.
    ///
    /// # Errors
    /// Returns [`Error::Io`], or an error if a count exceeds 128 bits.
    pub fn write(&self, stones: Stones, by_depth: &[Dfa]) -> Result<()> {
        let mut sets = Vec::with_capacity(by_depth.len());
        for (depth, set) in by_depth.iter().enumerate() {
            let path = self.file(stones, depth);
            let written = write_atomic(&path, |out| Ok(set.write_to(out, &path)?))?;
            sets.push(Entry {
                num_states: set.num_states(),
                num_positions: set.count()?,
                stored: written.into(),
            });
        }
        let manifest = Manifest { game: self.game.clone(), stones, sets };
        contents::write(&self.manifest(stones), Contents::SectorSets, &manifest)
    }

    /// Returns the sets of a sector by depth, if they are stored in the directory.
    ///
    /// # Errors
    /// Returns [`Error::Io`], [`Error::WrongVersion`], [`Error::WrongRules`] if the sector belongs to another game or
    /// letter order, or [`Error::Corrupt`] if the manifest or a set is not what was written.
    pub fn read(&self, stones: Stones) -> Result<Option<Vec<Dfa>>> {
        let path = self.manifest(stones);
        if !path.exists() {
            return Ok(None);
        }
        let manifest = self.read_manifest(stones)?;
        let sets = manifest.sets.iter().enumerate();
        sets.map(|(depth, entry)| self.read_set(&self.file(stones, depth), entry))
            .collect::<Result<_>>()
            .map(Some)
    }

    fn read_manifest(&self, stones: Stones) -> Result<Manifest> {
        let path = self.manifest(stones);
        let manifest: Manifest = contents::read(&path, Contents::SectorSets)?;
        self.game.must_be(&manifest.game, &path)?;
        if manifest.stones != stones {
            return Err(Error::corrupt(path, "it belongs to another sector"));
        }
        Ok(manifest)
    }

    /// Returns the sets of a sector by depth, as listed in its manifest.
    ///
    /// # Errors
    /// Returns the same errors as [`SetsDir::read`].
    pub fn listed(&self, stones: Stones) -> Result<Vec<ListedSet>> {
        let listed = |entry: &Entry| ListedSet {
            num_states: entry.num_states,
            num_positions: entry.num_positions,
            bytes: entry.stored.bytes(),
        };
        Ok(self.read_manifest(stones)?.sets.iter().map(listed).collect())
    }

    fn read_set(&self, path: &Path, entry: &Entry) -> Result<Dfa> {
        let set = Dfa::from_bytes(&entry.stored.read(path)?, path)?;
        if set.shape() != &self.shape || set.count()? != entry.num_positions {
            return Err(Error::corrupt(
                path,
                "it is not a set of this game, or its size differs from the manifest",
            ));
        }
        Ok(set)
    }
}

/// Returns the file name of the manifest of a sector.
pub(super) fn manifest_name(stones: Stones) -> String {
    format!("{}-{}.json", stones[0], stones[1])
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::sets::SectorSolver;
    use nerode_games::registry::open;
    use nerode_solver::solve::resources::Resources;

    const SPEC: &str = "morris:three,fly=yes,stones=4-4";

    fn solver(spec: &str, dir: &Path) -> SectorSolver {
        let mut solver = SectorSolver::new(open(spec).unwrap(), &Resources::default()).unwrap();
        solver.keep_in(dir).unwrap();
        solver
    }

    #[test]
    fn only_stored_sets_of_the_same_game_are_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path();
        let solved = solver(SPEC, dir).solve([4, 3]).unwrap();
        let kept = SetsDir::create(dir, solver(SPEC, dir).game()).unwrap();
        assert_eq!(kept.read([4, 3]).unwrap().unwrap(), solved.by_depth);
        assert!(kept.read([4, 4]).unwrap().is_none());
        // A sector that was changed together with its manifest is accepted, which shows that the files are read.
        kept.write([4, 3], &solved.by_depth[..1]).unwrap();
        assert_eq!(solver(SPEC, dir).solve([4, 3]).unwrap().by_depth, solved.by_depth[..1]);
        kept.write([4, 3], &solved.by_depth).unwrap();
        assert_eq!(solver(SPEC, dir).solve([3, 4]).unwrap().by_depth, kept.read([3, 4]).unwrap().unwrap());

        let refused = |spec: &str| {
            let mut solver = SectorSolver::new(open(spec).unwrap(), &Resources::default()).unwrap();
            solver.keep_in(dir).and_then(|()| solver.solve([4, 3])).unwrap_err().to_string()
        };
        assert!(refused("morris:three,stones=4-4").contains("created for rules"));
        for file in [kept.manifest([4, 3]), kept.file([4, 3], 1)] {
            let right = fs::read(&file).unwrap();
            for at in (0..right.len()).step_by(right.len().div_ceil(20)) {
                let mut wrong = right.clone();
                wrong[at] ^= 1;
                fs::write(&file, &wrong).unwrap();
                let said = refused(SPEC);
                assert!(said.contains(&file.display().to_string()), "{said}");
            }
            fs::write(&file, &right).unwrap();
        }
        // Intact files under each other's names are rejected.
        fs::copy(kept.file([4, 3], 3), kept.file([4, 3], 1)).unwrap();
        assert!(refused(SPEC).contains("the file was changed"));
        fs::copy(kept.manifest([3, 3]), kept.manifest([4, 3])).unwrap();
        assert!(refused(SPEC).contains("another sector"));
        fs::remove_file(kept.file([3, 3], 0)).unwrap();
        assert!(matches!(solver(SPEC, dir).solve([3, 3]), Err(Error::Io { .. })));
    }
}
