//! How a game is to be solved.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::units::UnitSolved;
use nerode_morris::ranked::Heuristic;
use nerode_solver::run::Existing;
use nerode_solver::solve::method::{Chains, Keep, Method};
use nerode_solver::solve::progress::PlyDone;
use nerode_solver::solve::resources::{Backend, Resources};
use nerode_solver::units::{UnitSizes, UnitsBy, UnitsDone, UnitsWatch};

/// Called after every ply.
pub(super) type Watch<'a> = Box<dyn FnMut(&PlyDone) + Send + 'a>;
/// Called after every work unit.
pub(super) type WatchUnits<'a> = Box<dyn FnMut(&UnitSolved) + Send + 'a>;

/// How a game is to be solved, and where the solution goes. Every setting may be left out.
///
/// # Examples
/// ```
/// use nerode::{Chains, Options};
/// let mut plies = 0;
/// let options = Options::default().threads(1).chains(Chains::One).on_ply(|_| plies += 1);
/// nerode::open("breakthrough:2x4")?.solve(options)?;
/// assert!(plies > 0);
/// # Ok::<(), nerode::Error>(())
/// ```
pub struct Options<'a> {
    pub(super) directory: Option<PathBuf>,
    pub(super) existing: Existing,
    pub(super) order: Option<String>,
    pub(super) method: Option<Method>,
    pub(super) chains: Chains,
    pub(super) keep: Keep,
    pub(super) plies: Option<u32>,
    pub(super) backward_plies: Option<u32>,
    pub(super) admissible_from: Option<u32>,
    pub(super) ranked: Option<Heuristic>,
    pub(super) resources: Resources,
    pub(super) on_ply: Option<Watch<'a>>,
    pub(super) on_unit: Option<WatchUnits<'a>>,
}

impl Default for Options<'_> {
    /// No directory, the method that suits the game, to the end, all cores, no cap on memory.
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self {
            directory: None,
            existing: Existing::Refuse,
            order: None,
            method: None,
            chains: Chains::Both,
            keep: Keep::All,
            plies: None,
            backward_plies: None,
            admissible_from: None,
            ranked: None,
            resources: Resources { threads, ..Resources::default() },
            on_ply: None,
            on_unit: None,
        }
    }
}

impl<'a> Options<'a> {
    /// Keeps the solution in this directory, with a checkpoint after every ply. Without one it lies in a temporary directory
    /// that goes away with the [`Solution`](super::Solution).
    #[must_use]
    pub fn directory(mut self, path: impl Into<PathBuf>) -> Self {
        self.directory = Some(path.into());
        self
    }

    /// What happens when the directory holds a run already. Otherwise that is an error.
    #[must_use]
    pub fn existing(mut self, existing: Existing) -> Self {
        self.existing = existing;
        self
    }

    /// The letter order of the layers: a name that the game has, or `cells:` and every cell once. Otherwise the game's first.
    #[must_use]
    pub fn order(mut self, name: impl Into<String>) -> Self {
        self.order = Some(name.into());
        self
    }

    /// How positions are decided. Otherwise by the method whose sets grow more slowly over the first plies.
    #[must_use]
    pub fn method(mut self, method: Method) -> Self {
        self.method = Some(method);
        self
    }

    /// Which sets are computed; [`Chains::One`] halves the work in games whose sides are each other's mirror image.
    #[must_use]
    pub fn chains(mut self, chains: Chains) -> Self {
        self.chains = chains;
        self
    }

    /// Plies whose sets stay on disk; [`Keep::Last`] takes less room, and keeps values and bounds of depths alone. Retrograde only.
    #[must_use]
    pub fn keep(mut self, keep: Keep) -> Self {
        self.keep = keep;
        self
    }

    /// Plies at most: retrograde plies, or forward plies where search goes forward first. Otherwise to the end.
    #[must_use]
    pub fn plies(mut self, most: u32) -> Self {
        self.plies = Some(most);
        self
    }

    /// Retrograde plies that [`Method::Meet`] computes before it goes forward. Otherwise none.
    #[must_use]
    pub fn backward_plies(mut self, most: u32) -> Self {
        self.backward_plies = Some(most);
        self
    }

    /// From this ply on [`Method::Meet`] takes all positions that the game's rules admit at the ply, instead of those reached.
    #[must_use]
    pub fn admissible_from(mut self, ply: u32) -> Self {
        self.admissible_from = Some(ply);
        self
    }

    /// Tells draws apart in the sectors of a morris game that [`Solver::solve_sectors`](super::Solver::solve_sectors) solves: see
    /// [`Answer::draw`](super::Answer::draw).
    ///
    /// # Examples
    /// ```
    /// use nerode::{Heuristic, Options, Value};
    /// let options = Options::default().ranked(Heuristic::Ratio);
    /// let solution = nerode::open("morris:three")?.solve_sectors(&["3-3-0-0"], options)?;
    /// for (position, found) in solution.sector("3-3-0-0")?.positions() {
    ///     assert_eq!(found.draw().is_some(), found.value() == Some(Value::Draw));
    ///     assert_eq!(found.draw(), solution.query(&position)?.draw());
    /// }
    /// # Ok::<(), nerode::Error>(())
    /// ```
    #[must_use]
    pub fn ranked(mut self, by: Heuristic) -> Self {
        self.ranked = Some(by);
        self
    }

    /// Cap on the memory of the engine's tables, in bytes.
    #[must_use]
    pub fn memory(mut self, bytes: u64) -> Self {
        self.resources.memory = bytes;
        self
    }

    /// Threads to use. Results do not depend on it.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.resources.threads = threads.max(1);
        self
    }

    /// How sets are moved. Results do not depend on it.
    #[must_use]
    pub fn backend(mut self, backend: Backend) -> Self {
        self.resources.backend = backend;
        self
    }

    /// Computes images of large sets in units, which are kept in files of the [`directory`](Self::directory) until the ply is on
    /// disk. So a stop costs what was under work, and not the ply. Results do not depend on it.
    #[must_use]
    pub fn units(mut self, sizes: impl Into<Option<UnitSizes>>) -> Self {
        self.resources.units = sizes.into();
        self
    }

    /// Lets other processes do units of the [`directory`](Self::directory), see [`units`](Self::units). Results do not depend on it.
    #[must_use]
    pub fn units_by(mut self, by: UnitsBy) -> Self {
        self.resources.units_by = by;
        self
    }

    /// A flag that stops the work at the next safe point once it is true; see [`Error::Interrupted`](crate::Error::Interrupted).
    #[must_use]
    pub fn interrupt(mut self, flag: Arc<AtomicBool>) -> Self {
        self.resources.interrupt = flag;
        self
    }

    /// Called after every ply.
    #[must_use]
    pub fn on_ply(mut self, watch: impl FnMut(&PlyDone) + Send + 'a) -> Self {
        self.on_ply = Some(Box::new(watch));
        self
    }

    /// Called after every unit of a ply, by whichever thread has done it, where sets are computed in [`units`](Self::units).
    #[must_use]
    pub fn on_units(mut self, watch: impl Fn(UnitsDone) + Send + Sync + 'static) -> Self {
        self.resources.on_units = Some(UnitsWatch::new(watch));
        self
    }

    /// Called after every work unit of a morris game that [`Solver::solve_sectors`](super::Solver::solve_sectors) solves.
    #[must_use]
    pub fn on_unit(mut self, watch: impl FnMut(&UnitSolved) + Send + 'a) -> Self {
        self.on_unit = Some(Box::new(watch));
        self
    }
}
