//! Small games by sectors, which are solved while their estimate is made.

use std::time::Instant;

use super::deadline::{is_stop, within};
use super::expected::{Basis, Expected, Range};
use super::sectors::Sectors;
use nerode_morris::tables::{Sector, SectorSolve};
use nerode_solver::error::{Error, Result};
use nerode_solver::solve::resources::Resources;

/// Estimates solving `sectors`, which are all sectors of the game with the given spec. If the solve may finish before
/// the deadline, it is run in a temporary directory.
///
/// # Errors
/// Returns an error if the user interrupts, or if files cannot be written.
pub(super) fn of_game(
    sectors: &Sectors,
    spec: &str,
    resources: &Resources,
    until: Instant,
) -> Result<Expected> {
    let began = Instant::now();
    let time = until.saturating_duration_since(began).as_secs_f64();
    let counted = sectors.expected(resources.threads);
    if counted.seconds.low > time {
        return Ok(counted);
    }
    let solved = within(until, resources, |resources| solve_all(spec, resources))?;
    let seconds = began.elapsed().as_secs_f64();
    match solved {
        Ok(bytes) => Ok(of_tried(counted, Measured { finished: true, bytes, seconds })),
        Err(error) if is_stop(&error) => {
            Ok(of_tried(counted, Measured { finished: false, bytes: 0, seconds }))
        }
        Err(error) => Err(error),
    }
}

/// The measurements of a trial solve.
#[derive(Clone, Copy, Debug)]
struct Measured {
    /// Whether the solve finished.
    finished: bool,
    /// The size of all files in bytes.
    bytes: u64,
    /// The duration in seconds.
    seconds: f64,
}

/// Combines the counted numbers with the measurements of a finished trial. If the trial did not finish, the low end of
/// the time is at least its duration.
fn of_tried(counted: Expected, tried: Measured) -> Expected {
    if tried.finished {
        let (bytes, seconds) = (Range::known(tried.bytes), Range::known(tried.seconds));
        return Expected { basis: Basis::Solved, bytes, seconds, ..counted };
    }
    Expected { seconds: counted.seconds.at_least(tried.seconds), ..counted }
}

/// Solves all sectors of a game into a temporary directory, and returns the size of their files in bytes.
fn solve_all(spec: &str, resources: &Resources) -> Result<u64> {
    let folder = tempfile::tempdir().map_err(|e| Error::io(std::env::temp_dir(), e))?;
    let solve = SectorSolve::open(spec)?;
    let start = Sector::of(solve.rules.start());
    let mut bytes = 0;
    solve
        .of(vec![start])?
        .solve_into(&folder.path().join("run"), resources, &mut |done| bytes += done.bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_try_that_did_not_end_raises_the_low_end() {
        let sectors = Sectors::of_game("morris:three").unwrap();
        let try_for = |finished| Measured { finished, bytes: 77, seconds: 900.0 };
        let stopped = of_tried(sectors.expected(2), try_for(false));
        assert_eq!((stopped.basis, stopped.seconds.low), (Basis::Exact, 900.0));
        let ended = of_tried(sectors.expected(2), try_for(true));
        assert_eq!((ended.basis, ended.bytes, ended.seconds.high), (Basis::Solved, Range::known(77), 900.0));
    }
}
