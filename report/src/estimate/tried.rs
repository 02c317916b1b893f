//! A small game by sectors, solved while its estimate is made.

use std::time::Instant;

use super::deadline::{is_stop, within};
use super::expected::{Basis, Expected, Range};
use super::sectors::Sectors;
use nerode_morris::tables::ask::named_game;
use nerode_morris::tables::{Runner, Sector, SectorDir, plan};
use nerode_solver::error::{Error, Result};
use nerode_solver::solve::resources::Resources;

/// What solving `sectors` takes, all those of the game that `spec` names. Where it may end by the deadline it is tried, in a temporary
/// directory.
///
/// # Errors
/// Interruption by the user; files that cannot be written.
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

/// What a solve took that was tried.
#[derive(Clone, Copy, Debug)]
struct Measured {
    /// Whether it came to its end.
    finished: bool,
    /// Bytes of all files.
    bytes: u64,
    /// Seconds.
    seconds: f64,
}

/// What was counted, with what was measured to its end, or with no less than the time that was not enough.
fn of_tried(counted: Expected, tried: Measured) -> Expected {
    if tried.finished {
        let (bytes, seconds) = (Range::known(tried.bytes), Range::known(tried.seconds));
        return Expected { basis: Basis::Solved, bytes, seconds, ..counted };
    }
    Expected { seconds: counted.seconds.at_least(tried.seconds), ..counted }
}

/// Solves all sectors of a game into a temporary directory, and returns the bytes of their files.
fn solve_all(spec: &str, resources: &Resources) -> Result<u64> {
    let folder = tempfile::tempdir().map_err(|e| Error::io(std::env::temp_dir(), e))?;
    let (game, rules, name) = named_game(spec)?;
    let units = plan(&rules, &[Sector::of(rules.start())])?;
    let dir = SectorDir::create(&folder.path().join("run"), name, &game.rules())?;
    let solve = || {
        let mut bytes = 0;
        Runner::new(&rules, &dir, resources.memory, &resources.interrupt)
            .with_disk(resources.disk.clone())
            .solve_all(&units, &mut |done| bytes += done.bytes)?;
        Ok(bytes)
    };
    // Without a pool of its own it takes the threads that there are.
    match rayon::ThreadPoolBuilder::new().num_threads(resources.threads).build() {
        Ok(pool) => pool.install(solve),
        Err(_) => solve(),
    }
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
