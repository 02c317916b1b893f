//! Opening of solutions, in any form that one of the crates defines.

use std::path::Path;

use nerode_morris::stored::open_sectors;
use nerode_report::summary::{Deepest, summary};
use nerode_solver::archive::resolver::Resolver;
use nerode_solver::error::Result;
use nerode_solver::stored::{Library, Opener, Solution, Stored, open_own};

use super::options::Options;
use super::registry::registry;

/// The openers of all forms of solutions.
const OPENERS: [Opener; 2] = [open_own, open_sectors];

/// Returns the openers of all forms of solutions of the registered games.
pub fn library() -> Library<'static> {
    Library { openers: &OPENERS, registry: registry(), resolver: registry() }
}

/// Opens a solution of a registered game: the directory of a run, a folder of values or scores, the sectors of a
/// morris game as tables, packed or as sets, or a table file. A table file is read once and checked against its digest.
///
/// # Errors
/// Returns [`Error::OtherContents`](crate::Error::OtherContents) for a directory that contains no solution,
/// [`Error::WrongVersion`](crate::Error::WrongVersion) or [`Error::WrongRules`](crate::Error::WrongRules) for one that
/// was written by another version of this library, [`Error::Corrupt`](crate::Error::Corrupt), or
/// [`Error::Io`](crate::Error::Io).
///
/// # Examples
/// ```
/// use nerode::{Options, Value};
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("run");
/// nerode::open("tictactoe:3x3")?.solve(Options::default().directory(&path))?;
/// let solution = nerode::open_solution(&path)?;
/// let start = solution.game().start_position();
/// assert_eq!(solution.query(&start)?.value(), Some(Value::Draw));
/// # Ok::<(), nerode::Error>(())
/// ```
pub fn open_solution(directory: impl AsRef<Path>) -> Result<Solution> {
    library().open(directory.as_ref())
}

/// Opens a solution of the game that `resolver` finds, which may be a custom game.
///
/// # Errors
/// Returns the same errors as [`open_solution`], and those of `resolver`.
///
/// # Examples
/// ```
/// # use std::sync::Arc;
/// # use nerode::{Options, games};
/// # let game: Arc<dyn games::Game> = games::registry::open("nim:2x3")?;
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("run");
/// nerode::open_game(Arc::clone(&game)).solve(Options::default().directory(&path))?;
/// let solution = nerode::open_solution_with(&path, &|_: &str, _: &str| Ok(Arc::clone(&game)))?;
/// # assert!(solution.is_complete());
/// # Ok::<(), nerode::Error>(())
/// ```
pub fn open_solution_with(directory: impl AsRef<Path>, resolver: &(dyn Resolver + Sync)) -> Result<Solution> {
    Library { resolver, ..library() }.open(directory.as_ref())
}

/// Returns the longest wins and losses of both sides, with one position for each. The list is empty if the solution
/// has no sets with depths.
///
/// Cost: one pass over the sets of the deepest plies, within the memory cap of the options.
///
/// # Errors
/// Returns an error if a file is damaged or if the work is interrupted.
pub fn longest(solution: &dyn Stored, options: &Options<'_>) -> Result<Vec<Deepest>> {
    match solution.run() {
        Ok(run) => Ok(summary(run, &options.resources)?.longest),
        Err(_) => Ok(Vec::new()),
    }
}
