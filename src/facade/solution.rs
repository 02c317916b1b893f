//! Solutions as users see them, independent of the kind of directory.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use nerode_games::Game;
use tempfile::TempDir;

use super::digest::digest_of;
use super::options::Options;
use super::registry::registry;
use nerode_morris::compressed::PackedSectors;
use nerode_morris::early::EarlyBounds;
use nerode_morris::ranked::RankedSectors;
use nerode_morris::sets::SectorSetsSolution;
use nerode_morris::tables::SectorSolution;
use nerode_solver::archive::resolver::Resolver;
use nerode_solver::archive::scores::ScoreDir;
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::archive::table::TableSolution;
use nerode_solver::archive::values::Values;
use nerode_solver::archive::{Contents, kind_of};
use nerode_solver::check::{Report, one_ply};
use nerode_solver::error::{Error, Result};
#[cfg(feature = "serve")]
use nerode_solver::solve::method::Method;

/// A solved game. Several threads can query it at the same time.
///
/// It is stored in a directory of files that are read, and checked against their digests, when they are first needed.
/// [`Solver::solve`](super::Solver::solve) creates one; [`Solution::open`] opens one that it or the program `nerode`
/// has written.
///
/// # Examples
/// ```
/// use nerode::{Options, Value};
/// let solution = nerode::open("tictactoe:3x3")?.solve(Options::default())?;
/// let start = solution.game().start_position();
/// assert_eq!(solution.query(&start)?.value(), Some(Value::Draw));
/// # Ok::<(), nerode::Error>(())
/// ```
pub struct Solution {
    pub(super) source: Source,
    digest: String,
    /// The ranks of draws that are stored with the sectors, if there are any.
    ranks: Option<Box<RankedSectors>>,
    /// The ranges of values of early positions that are stored with the sectors, if there are any.
    early: Option<Box<EarlyBounds>>,
    /// The directory of the files if it is temporary. It is the last field, so that it is dropped after the files.
    scratch: Option<TempDir>,
}

/// The source of answers.
pub(super) enum Source {
    Run(Box<StoredRun>),
    Values(Box<Values>),
    Sectors(Box<SectorSolution>),
    Scores(Box<ScoreDir>),
    SectorSets(Box<SectorSetsSolution>),
    Table(Box<TableSolution>),
    Packed(Box<PackedSectors>),
}

impl Solution {
    /// Opens a solution of a registered game: the directory of a run, a folder of values or scores, the sectors of a
    /// morris game as tables or as sets, or a table file. A table file is read once and checked against its digest.
    ///
    /// # Errors
    /// Returns [`Error::OtherContents`] for a directory that contains no solution, [`Error::WrongVersion`] or
    /// [`Error::WrongRules`] for one that was written by another version of this library, [`Error::Corrupt`], or
    /// [`Error::Io`].
    pub fn open(directory: impl AsRef<Path>) -> Result<Self> {
        Self::open_with(directory, registry())
    }

    /// Opens a solution of the game that `resolver` finds, which may be a custom game.
    ///
    /// # Errors
    /// Returns the same errors as [`Solution::open`], and those of `resolver`.
    ///
    /// # Examples
    /// ```
    /// # use std::sync::Arc;
    /// # use nerode::{Options, Solution, games};
    /// # let game: Arc<dyn games::Game> = games::registry::open("nim:2x3")?;
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("run");
    /// nerode::open_game(Arc::clone(&game)).solve(Options::default().directory(&path))?;
    /// let solution = Solution::open_with(&path, &|_: &str, _: &str| Ok(Arc::clone(&game)))?;
    /// # assert!(solution.is_complete());
    /// # Ok::<(), nerode::Error>(())
    /// ```
    pub fn open_with(directory: impl AsRef<Path>, resolver: &dyn Resolver) -> Result<Self> {
        let path = directory.as_ref();
        // The digest is computed before anything is read, so that a later comparison detects changes made in the
        // meantime.
        let digest = digest_of(path).unwrap_or_default();
        let source = match kind_of(path) {
            Some(Contents::Sectors) => Source::Sectors(Box::new(SectorSolution::open(path)?)),
            Some(Contents::Scores) => Source::Scores(Box::new(ScoreDir::open_with(path, resolver)?)),
            Some(Contents::Values) => Source::Values(Box::new(Values::open_with(path, resolver)?)),
            Some(Contents::SectorSets) => Source::SectorSets(Box::new(SectorSetsSolution::open(path)?)),
            Some(Contents::PackedSectors) => Source::Packed(Box::new(PackedSectors::open(path)?)),
            Some(kind @ Contents::Bounds) => {
                let expected = "a solution, such as the sectors around it".into();
                return Err(Error::OtherContents { path: path.into(), found: kind.to_string(), expected });
            }
            None if path.is_file() => Source::Table(Box::new(TableSolution::open(path, registry())?)),
            Some(Contents::Run) | None => Source::Run(Box::new(StoredRun::open_with(path, resolver)?)),
        };
        let (ranks, early) = match &source {
            Source::Sectors(sectors) => (RankedSectors::of(sectors)?, EarlyBounds::of(sectors)?),
            _ => (None, None),
        };
        let (ranks, early) = (ranks.map(Box::new), early.map(Box::new));
        Ok(Self { source, digest, ranks, early, scratch: None })
    }

    /// Makes a solution out of an unfinished run: positions that are decided within its plies have their values, and
    /// all others are unknown. Any other solution is returned unchanged.
    ///
    /// # Errors
    /// Returns [`Error::WrongRun`] for an unfinished run forward from the start, and [`Error::NoRetrogradePly`] for
    /// one that has not completed a ply.
    pub fn so_far(self) -> Result<Self> {
        match self.source {
            Source::Run(run) => Ok(Self { source: Source::Run(Box::new(run.so_far()?)), ..self }),
            _ => Ok(self),
        }
    }

    /// Returns the last ply of an unfinished run that [`Solution::so_far`] has made into a solution.
    pub fn ply_so_far(&self) -> Option<u32> {
        match &self.source {
            Source::Run(run) if run.is_so_far() => Some(run.last_ply()),
            _ => None,
        }
    }

    /// Returns a digest of the solution at the time it was opened: 16 hexadecimal digits that change when the
    /// directory changes, for example when a run is resumed.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Returns the digest that the solution in `directory` would have if it were opened now.
    ///
    /// # Errors
    /// Returns [`Error::Io`] if the directory cannot be read.
    pub fn digest_at(directory: impl AsRef<Path>) -> Result<String> {
        digest_of(directory.as_ref())
    }

    /// Describes the format of the solution in words, such as `a run` or `packed sectors`.
    pub fn kept_as(&self) -> String {
        let kind = match &self.source {
            Source::Run(_) => Contents::Run,
            Source::Values(_) => Contents::Values,
            Source::Sectors(_) => Contents::Sectors,
            Source::Scores(_) => Contents::Scores,
            Source::SectorSets(_) => Contents::SectorSets,
            Source::Packed(_) => Contents::PackedSectors,
            Source::Table(_) => return "a table".into(),
        };
        kind.to_string()
    }

    /// Attaches a temporary directory that is deleted together with the solution.
    pub(super) fn within(self, scratch: TempDir) -> Self {
        Self { scratch: Some(scratch), ..self }
    }

    /// Returns the game, in the letter order of the solution.
    pub fn game(&self) -> &dyn Game {
        self.game_of_source().as_ref()
    }

    /// Returns a shared handle to the game.
    pub fn shared_game(&self) -> Arc<dyn Game> {
        Arc::clone(self.game_of_source())
    }

    fn game_of_source(&self) -> &Arc<dyn Game> {
        match &self.source {
            Source::Run(run) => &run.game,
            Source::Values(values) => &values.game,
            Source::Sectors(sectors) => &sectors.game,
            Source::Scores(scores) => &scores.game,
            Source::SectorSets(sets) => &sets.game,
            Source::Table(table) => &table.game,
            Source::Packed(packed) => &packed.game,
        }
    }

    /// Returns `true` if every position that the solution covers has a proved value.
    pub fn is_complete(&self) -> bool {
        match &self.source {
            Source::Run(run) => run.is_complete(),
            _ => true,
        }
    }

    /// Checks every set of the solution against the rules, one ply at a time. Only the options for memory, threads
    /// and interruption have an effect.
    ///
    /// Cost: several times that of solving.
    ///
    /// # Errors
    /// Returns [`Error::NoSets`] for a folder of values, scores or sectors, and an error if the run is unfinished, a
    /// file is damaged, memory is exhausted or the work is interrupted.
    pub fn verify(&self, options: Options<'_>) -> Result<Report> {
        one_ply::check(self.run()?, &options.resources, &mut |_| ())
    }

    /// Returns a warning about a problem that does not prevent the solution from answering queries.
    pub fn warning(&self) -> Option<String> {
        let Source::Run(run) = &self.source else { return None };
        run.values_problem().map(|problem| format!("{problem}; answered from the sets"))
    }

    /// Returns the sectors as tables, if the solution has this format.
    pub(crate) fn as_sectors(&self) -> Option<&SectorSolution> {
        match &self.source {
            Source::Sectors(sectors) => Some(sectors),
            _ => None,
        }
    }

    /// Returns the stored ranges of early positions, if the solution consists of sectors as tables and has them.
    pub(crate) fn early_bounds(&self) -> Option<&EarlyBounds> {
        self.early.as_deref()
    }

    /// Returns the packed sectors, if the solution has this format.
    pub(crate) fn as_packed(&self) -> Option<&PackedSectors> {
        match &self.source {
            Source::Packed(packed) => Some(packed),
            _ => None,
        }
    }

    /// Limits the memory for tables of sectors and ranks to `memory` bytes; the least recently used ones are dropped
    /// first. Sets of a run that are large in comparison with `memory` stay in files, see [`StoredRun::with_memory`].
    #[must_use]
    pub fn with_memory(self, memory: u64) -> Self {
        match self.source {
            Source::Sectors(sectors) => {
                // A slot takes four bytes of ranks, and one or two bytes of depths.
                let of_tables = if self.ranks.is_some() { memory / 3 } else { memory };
                let ranks = self.ranks.map(|ranks| Box::new(ranks.with_memory(memory - of_tables)));
                Self { source: Source::Sectors(Box::new(sectors.with_memory(of_tables))), ranks, ..self }
            }
            Source::Run(run) => Self { source: Source::Run(Box::new(run.with_memory(memory))), ..self },
            _ => self,
        }
    }

    /// Returns the run, or an error if the solution has another format.
    pub(super) fn run(&self) -> Result<&StoredRun> {
        match &self.source {
            Source::Run(run) => Ok(run),
            _ => Err(Error::NoSets { game: self.game().spec() }),
        }
    }

    /// Returns `true` if the solution contains the depths of wins and losses.
    #[cfg(feature = "serve")]
    pub(crate) fn has_depths(&self) -> bool {
        match &self.source {
            Source::Run(run) => run.method() == Method::Retrograde,
            Source::Values(values) => values.manifest().has_depths(),
            Source::Packed(packed) => packed.has_depths(),
            Source::Scores(_) => false,
            Source::Sectors(_) | Source::SectorSets(_) | Source::Table(_) => true,
        }
    }

    /// Returns `true` if the solution ranks draws.
    pub fn ranks_draws(&self) -> bool {
        self.ranks.is_some()
    }

    /// Returns the ranks of draws, if draws are ranked.
    pub(super) fn ranks(&self) -> Option<&RankedSectors> {
        self.ranks.as_deref()
    }
}

impl std::fmt::Debug for Solution {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let directory: Option<PathBuf> = self.scratch.as_ref().map(|folder| folder.path().into());
        f.debug_struct("Solution").field("game", &self.game().spec()).field("scratch", &directory).finish()
    }
}
