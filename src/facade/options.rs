//! Options for solving a game.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::units::UnitSolved;
use nerode_morris::ranked::Heuristic;
use nerode_solver::error::{CapError, Error, Result};
use nerode_solver::run::Existing;
use nerode_solver::solve::method::{Chains, Keep, Method};
use nerode_solver::solve::progress::PlyDone;
use nerode_solver::solve::resources::{Backend, Resources};
use nerode_solver::units::{UnitSizes, UnitsBy, UnitsDone, UnitsWatch};

/// A callback that is called after every ply.
pub(super) type Watch<'a> = Box<dyn FnMut(&PlyDone) + Send + 'a>;
/// A callback that is called after every work unit.
pub(super) type WatchUnits<'a> = Box<dyn FnMut(&UnitSolved) + Send + 'a>;

/// Options that determine how a game is solved and where the solution is stored. Every setting is optional.
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
    /// Returns the default options: no directory, the method that suits the game, no limit on plies, all cores, and
    /// no memory cap.
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
    /// Returns the resources that these options allow, for [`Solution::verify`](crate::Solution::verify).
    #[must_use]
    pub fn resources(&self) -> &Resources {
        &self.resources
    }

    /// Stores the solution in this directory, with a checkpoint after every ply. By default it is stored in a
    /// temporary directory, which is deleted together with the [`Solution`](crate::Solution).
    #[must_use]
    pub fn directory(mut self, path: impl Into<PathBuf>) -> Self {
        self.directory = Some(path.into());
        self
    }

    /// Determines what happens if the directory already contains a run. By default this is an error.
    #[must_use]
    pub fn existing(mut self, existing: Existing) -> Self {
        self.existing = existing;
        self
    }

    /// Sets the letter order of the layers: either a name that the game defines, or `cells:` followed by a list that
    /// contains every cell once. The default is the game's first order.
    #[must_use]
    pub fn order(mut self, name: impl Into<String>) -> Self {
        self.order = Some(name.into());
        self
    }

    /// Sets the method that decides positions. By default it is the method whose sets grow more slowly over the first
    /// plies.
    #[must_use]
    pub fn method(mut self, method: Method) -> Self {
        self.method = Some(method);
        self
    }

    /// Sets which sets are computed. [`Chains::One`] halves the work in games whose sides are mirror images of each
    /// other.
    #[must_use]
    pub fn chains(mut self, chains: Chains) -> Self {
        self.chains = chains;
        self
    }

    /// Sets which plies keep their sets on disk. [`Keep::Last`] takes less space, but only stores values and bounds
    /// on depths. Applies to retrograde analysis only.
    #[must_use]
    pub fn keep(mut self, keep: Keep) -> Self {
        self.keep = keep;
        self
    }

    /// Limits the number of plies: retrograde plies, or forward plies if the search starts with a forward phase. The
    /// default is unlimited.
    #[must_use]
    pub fn plies(mut self, most: u32) -> Self {
        self.plies = Some(most);
        self
    }

    /// Sets the number of retrograde plies that [`Method::Meet`] computes before its forward phase. The default is
    /// none.
    #[must_use]
    pub fn backward_plies(mut self, most: u32) -> Self {
        self.backward_plies = Some(most);
        self
    }

    /// Makes [`Method::Meet`], from this ply on, use all positions that the rules of the game admit at the ply,
    /// instead of the reachable ones.
    #[must_use]
    pub fn admissible_from(mut self, ply: u32) -> Self {
        self.admissible_from = Some(ply);
        self
    }

    /// Ranks the draws in the sectors of a morris game that [`Solver::solve_sectors`](super::Solver::solve_sectors)
    /// solves. See [`Answer::draw`](crate::Answer::draw).
    ///
    /// # Examples
    /// ```
    /// use nerode::{Heuristic, Options, Value};
    /// let options = Options::default().ranked(Heuristic::Ratio);
    /// let solution = nerode::open("morris:three")?.solve_sectors(&["3-3-0-0"], options)?;
    /// for (position, found) in nerode::Sector::open(&*solution, "3-3-0-0")?.positions() {
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

    /// Caps the memory of the engine's tables, in bytes.
    #[must_use]
    pub fn memory(mut self, bytes: u64) -> Self {
        self.resources.memory = bytes;
        self
    }

    /// Caps the memory that the whole process may take while the game is solved, in bytes, in addition to what it holds
    /// when the solve begins. The engine's tables get a share of it, in place of [`memory`](Self::memory). Before the
    /// process takes more, the work stops with [`Error::Cap`](crate::Error::Cap), where the system reports the memory
    /// of a process. A cap below about 16 MiB leaves no room for any work.
    #[must_use]
    pub fn memory_cap(mut self, bytes: u64) -> Self {
        let Resources { memory, cap, .. } = Resources::within(bytes);
        self.resources = Resources { memory, cap, ..self.resources };
        self
    }

    /// Does `work` with [`resources`](Self::resources) under the [`memory_cap`](Self::memory_cap), if there is one, and
    /// reports a lack of memory in terms of that cap.
    ///
    /// # Errors
    /// Returns the errors of `work`, and [`Error::Cap`](crate::Error::Cap) if it would have exceeded the cap.
    ///
    /// # Examples
    /// ```
    /// use nerode::{Options, Side, Value};
    /// let solution = nerode::open("tictactoe:3x3")?.solve(Options::default())?;
    /// let options = Options::default().memory_cap(256 << 20);
    /// let reached = options.guarded(|| solution.reached_sets(options.resources()))?;
    /// assert_eq!(reached.count(Side::P1, Some(Value::Draw))?, 441);
    /// # Ok::<(), nerode::Error>(())
    /// ```
    pub fn guarded<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let done = self.resources.guarded(work);
        let Some(cap) = self.resources.cap else { return done };
        // The caller knows the cap, but neither what the process held before nor the share of the engine's tables.
        done.map_err(|error| match error {
            Error::Cap(_)
            | Error::Dfa(nerode_dfa::Error::OutOfMemory { .. })
            | Error::Game(nerode_games::Error::Dfa(nerode_dfa::Error::OutOfMemory { .. })) => {
                CapError::Work { cap }.into()
            }
            error => error,
        })
    }

    /// Sets the number of threads. Results do not depend on it.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.resources.threads = threads.max(1);
        self
    }

    /// Sets the backend that computes images of sets. Results do not depend on it.
    #[must_use]
    pub fn backend(mut self, backend: Backend) -> Self {
        self.resources.backend = backend;
        self
    }

    /// Computes images of large sets in units, which are stored in files of the [`directory`](Self::directory) until
    /// the ply is on disk, so that an interruption only loses the unit in progress instead of the whole ply. Results
    /// do not depend on it.
    #[must_use]
    pub fn units(mut self, sizes: impl Into<Option<UnitSizes>>) -> Self {
        self.resources.units = sizes.into();
        self
    }

    /// Lets other processes compute units of the [`directory`](Self::directory), see [`units`](Self::units). Results
    /// do not depend on it.
    #[must_use]
    pub fn units_by(mut self, by: UnitsBy) -> Self {
        self.resources.units_by = by;
        self
    }

    /// Sets a flag that stops the work at the next safe point when it becomes true. See
    /// [`Error::Interrupted`](crate::Error::Interrupted).
    #[must_use]
    pub fn interrupt(mut self, flag: Arc<AtomicBool>) -> Self {
        self.resources.interrupt = flag;
        self
    }

    /// Sets a callback that is called after every ply.
    #[must_use]
    pub fn on_ply(mut self, watch: impl FnMut(&PlyDone) + Send + 'a) -> Self {
        self.on_ply = Some(Box::new(watch));
        self
    }

    /// Sets a callback that is called after every unit of a ply, on the thread that computed it, if sets are computed
    /// in [`units`](Self::units).
    #[must_use]
    pub fn on_units(mut self, watch: impl Fn(UnitsDone) + Send + Sync + 'static) -> Self {
        self.resources.on_units = Some(UnitsWatch::new(watch));
        self
    }

    /// Sets a callback that is called after every work unit of a morris game that
    /// [`Solver::solve_sectors`](super::Solver::solve_sectors) solves.
    #[must_use]
    pub fn on_unit(mut self, watch: impl FnMut(&UnitSolved) + Send + 'a) -> Self {
        self.on_unit = Some(Box::new(watch));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lack_of_memory_is_reported_in_terms_of_the_cap() {
        let lack = || nerode_dfa::Error::OutOfMemory { what: "a test", needed_bytes: 2, limit_bytes: 1 };
        let options = Options::default().memory_cap(64 << 20);
        for error in [lack().into(), Error::Cap(CapError::Work { cap: 1 })] {
            let said = options.guarded(|| Err::<(), _>(error)).unwrap_err().to_string();
            assert!(said.contains("64.0 MiB are allowed"), "{said}");
        }
        // Without a cap of the process, the error names the limit of the tables.
        let said = Options::default().guarded(|| Err::<(), _>(lack().into())).unwrap_err();
        assert!(matches!(said, Error::Dfa(_)), "{said}");
    }
}
