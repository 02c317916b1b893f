//! Checks and notes before a solve that may fail to finish. If the prediction is only an estimate, the solve is
//! started anyway, and stops cleanly when a resource is exhausted. If the size is known exactly and exceeds the disk
//! space, the solve is refused.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use nerode_games::morris::Rules;

use super::args::Args;
use crate::cli::estimate::{expected_text, limits, no_estimate_text, range, shortages_text, text};
use crate::cli::hints::advised;
use crate::cli::output::{Output, bytes, counted, duration};
use crate::registry;
use nerode_morris::tables::{SectorDir, Unit};
use nerode_oracle::bytes_needed;
use nerode_report::estimate::{EngineKind, Expected, Forecast, Options, Prospect, Sectors, look_ahead};
use nerode_solver::solve::resources::Resources;

/// The longest time for an estimate before a solve.
const LONGEST: Duration = Duration::from_secs(30);

/// Prints an estimate of a solve as sets if it may exceed the available resources. Small boards are not estimated, so
/// they lose no time.
pub(super) fn tell(args: &Args, path: &Path, resources: &Resources, out: &Output) -> Result<()> {
    if args.is_bounded() || args.resume {
        return Ok(());
    }
    let game = registry().open_with_order(&args.game, args.order.as_deref())?;
    if game.forward_only() {
        return Ok(());
    }
    let options = Options {
        engine: Some(EngineKind::Sets),
        method: args.method(),
        chains: args.chains(),
        probe: LONGEST,
        ..Options::default()
    };
    let progress = out.progress("estimate");
    // Boards that are solved one after the other leave the process with more memory than is counted for each of them.
    let half = Resources { memory: resources.memory / 2, ..resources.clone() };
    let forecast = look_ahead(&game, &options, &half, &limits(resources, path))?;
    progress.finish();
    if let Some(forecast) = forecast {
        out.note(&forecast_text(&forecast));
    }
    Ok(())
}

const BEGINS: &str =
    "the solve starts anyway, keeps every finished ply, and stops if memory or disk space runs out";

fn forecast_text(forecast: &Forecast) -> String {
    let estimate = &forecast.estimate;
    let whole = || text(estimate).trim_end().to_string();
    match &forecast.prospect {
        Prospect::Hopeless(lacks) => {
            format!(
                "{}\nthis seems out of reach here: {}; {BEGINS}",
                whole(),
                shortages_text(lacks, "at least")
            )
        }
        Prospect::Doubtful(risks) => {
            let numbers = estimate.expected.as_ref().map_or_else(String::new, expected_text);
            let risks = shortages_text(risks, "up to");
            format!("{}: {}\nthis may be out of reach here: {risks}; {BEGINS}", estimate.game, numbers.trim())
        }
        Prospect::Unknown(why) => {
            let why = no_estimate_text(estimate, why);
            format!("{} may be out of reach here. {why}; {BEGINS}", estimate.game)
        }
    }
}

/// Refuses a table that fits into memory but not on the disk, because it is written only after everything is solved.
///
/// # Errors
/// Returns [`nerode_solver::error::Error::DiskFull`].
pub(super) fn must_fit_table(words: Option<u128>, file: &Path, resources: &Resources) -> Result<()> {
    let bytes = words.and_then(|boards| u64::try_from(boards).ok()).map(bytes_needed);
    if let Some(bytes) = bytes.filter(|&bytes| bytes <= resources.memory.into()) {
        resources.disk.must_hold(file, u64::try_from(bytes).unwrap_or(u64::MAX))?;
    }
    Ok(())
}

/// The number of slots above which the required resources are printed before the work.
const LARGE: u64 = 1 << 30;

/// Prints the resources that the sectors of `units` that `path` lacks require, if they are large. Refuses a solve
/// that needs more disk space than is available, unless `anyway` is set.
pub(super) fn tell_sectors(
    (rules, units, path): (&Rules, &[Unit], &Path),
    anyway: bool,
    resources: &Resources,
    out: &Output,
) -> Result<()> {
    let there = SectorDir::open(path).ok();
    let is_open = |unit: &&Unit| there.as_ref().is_none_or(|dir| !dir.has(unit));
    let open: Vec<Unit> = units.iter().filter(is_open).cloned().collect();
    let sectors = Sectors::of_units(rules, &open);
    let expected = sectors.expected(resources.threads);
    let room = resources.disk.room(path);
    if !anyway {
        must_fit_disk(&expected, room, path)?;
    }
    let largest = sectors.largest_unit_bytes;
    if sectors.slots >= LARGE || largest > resources.memory {
        out.note(&sectors_text(&sectors, &expected, resources.memory, room));
    }
    Ok(())
}

/// Refuses files that do not fit on the disk even at the low end of the estimate.
fn must_fit_disk(expected: &Expected, room: Option<u64>, path: &Path) -> Result<()> {
    match room.filter(|&room| room < expected.bytes.low) {
        Some(room) => Err(advised(
            format!(
                "the sectors need {} of disk, and {} are free at {}",
                range(expected.bytes, bytes),
                bytes(room),
                path.display()
            ),
            "name a directory on another disk with --run-dir; or add --anyway: the solve stops when the disk is full, and keeps \
             the solved sectors",
        )),
        None => Ok(()),
    }
}

fn sectors_text(sectors: &Sectors, expected: &Expected, memory: u64, room: Option<u64>) -> String {
    let free = room.map_or(String::new(), |room| format!(", where {} are free", bytes(room)));
    let short = sectors.largest_unit_bytes > memory || room.is_some_and(|room| room < expected.bytes.high);
    let enough = if short { "; it stops if that runs out, and keeps the sectors solved by then" } else { "" };
    format!(
        "{} to solve, {}: {} on disk{free}; {}; the largest unit takes {} of memory, and {} are \
         allowed{enough}",
        counted(sectors.num_units as u128, "work unit", "work units"),
        counted(sectors.orbits, "orbit", "orbits"),
        range(expected.bytes, bytes),
        range(expected.seconds, duration),
        bytes(sectors.largest_unit_bytes),
        bytes(memory)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::hints::hint;
    use nerode_report::estimate::estimate;
    use nerode_solver::solve::disk::{Disk, MARGIN};

    fn nine() -> Expected {
        Sectors::of_game("morris:nine").unwrap().expected(2)
    }

    #[test]
    fn what_the_disk_cannot_hold_is_refused_with_both_ways_out() {
        let expected = nine();
        let path = Path::new("runs/morris_nine");
        let refused = must_fit_disk(&expected, Some(expected.bytes.low - 1), path).unwrap_err();
        let refused = format!("{refused} {}", hint(&refused, None).unwrap());
        for part in ["--anyway", "--run-dir", "runs/morris_nine", "iB to"] {
            assert!(refused.contains(part), "{part}: {refused}");
        }
        for room in [Some(expected.bytes.low), None] {
            assert!(must_fit_disk(&expected, room, path).is_ok());
        }
    }

    /// The note contains the range of `estimate`, and not only its low end.
    #[test]
    fn a_note_on_sectors_says_what_an_estimate_says() {
        let sectors = Sectors::of_game("morris:nine").unwrap();
        let text = sectors_text(&sectors, &nine(), u64::MAX, Some(nine().bytes.high));
        assert!(text.contains(&range(nine().bytes, bytes)) && !text.contains("runs out"), "{text}");
        let text = sectors_text(&sectors, &nine(), u64::MAX, Some(nine().bytes.low));
        assert!(text.contains("runs out"), "{text}");
    }

    #[test]
    fn a_table_that_the_disk_cannot_hold_is_not_begun() {
        let room =
            |free| Resources { disk: Disk::with_free_space(move |_| Some(free)), ..Resources::default() };
        let file = Path::new("runs/x.tbl");
        assert!(must_fit_table(Some(1 << 20), file, &room(MARGIN + (4 << 20))).is_ok());
        let refused = must_fit_table(Some(1 << 20), file, &room(MARGIN)).unwrap_err().to_string();
        assert!(refused.contains("runs/x.tbl"), "{refused}");
        // A request that exceeds memory, or any number, is refused for that reason.
        let small = Resources { memory: 1 << 20, ..room(0) };
        assert!(must_fit_table(Some(1 << 40), file, &small).is_ok());
        assert!(must_fit_table(None, file, &room(0)).is_ok());
    }

    #[test]
    fn whatever_is_said_ends_with_what_the_solve_does() {
        let game = registry().open("breakthrough:4x4").unwrap();
        let estimate = estimate(&game, &Options::default(), &Resources::default()).unwrap();
        let lacks = || vec![nerode_report::estimate::Shortage::Time { needed: 1e7 }];
        let unknown = nerode_report::estimate::NoEstimate::NoPly;
        for (prospect, part) in [
            (Prospect::Hopeless(lacks()), "at least 116 days"),
            (Prospect::Doubtful(lacks()), "up to 116 days"),
            (Prospect::Unknown(unknown), "there is no estimate"),
        ] {
            let said = forecast_text(&Forecast { estimate: estimate.clone(), prospect });
            assert!(
                said.contains(part) && said.contains("breakthrough:4x4") && said.ends_with(BEGINS),
                "{said}"
            );
        }
    }
}
