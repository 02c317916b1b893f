//! The command `nerode unit RUN`, which computes units of a ply for another process.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result;
use schemars::JsonSchema;
use serde::Serialize;

use super::args::Args;
use crate::cli::hints::advised;
use crate::cli::output::{Outcome, Output, counted, duration, grouped, table};
use crate::cli::resources::peak_rss_bytes;
use crate::cli::words::shell;
use crate::registry;
use nerode_solver::archive::run_dir::RunDir;
use nerode_solver::run::unit::{IDLE, UnitDone, UnitEnd, Worker};
use nerode_solver::units::Offer;

/// A work unit of a ply.
#[derive(JsonSchema, Serialize)]
struct UnitLine {
    /// The name of the unit, which consists of the name of the image, a slash and a number.
    unit: String,
    /// The state: `planned` if its input does not exist yet, `open` if it has no fragment, `done` if it has one or was
    /// computed now, `there` if it already had one, so that nothing remained to be done, or `gone` if its ply is written.
    #[schemars(extend("enum" = ["planned", "open", "done", "there", "gone"]))]
    state: &'static str,
    /// The number of units whose fragments it merges, or 1 for a unit, or null if its ply is written.
    merges: Option<usize>,
    /// The number of words of its keys, with `--list`, which indicates the amount of work, or null.
    words: Option<u64>,
    /// The size of its input files in bytes, with `--list`, or null if they do not exist.
    input_bytes: Option<u64>,
    /// The size of its fragment in bytes, or null if there is none.
    bytes: Option<u64>,
    /// The time in seconds that it took, or null with `--list`.
    seconds: Option<f64>,
}

/// The work units of a ply of a run.
#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct PlyUnits {
    /// The directory of the run.
    run_dir: PathBuf,
    /// Whether nothing remains to be done in the run.
    finished: bool,
    /// The units.
    units: Vec<UnitLine>,
    /// The elapsed time in seconds.
    seconds: f64,
    /// The peak memory of the process in bytes, or null if the system does not report it.
    peak_rss_bytes: Option<u64>,
}

pub(super) fn run(args: &Args, path: &Path, out: &Output) -> Result<Outcome> {
    let began = Instant::now();
    let units = if args.list { listed(path)? } else { done(args, path, out)? };
    let finished = RunDir::open(path)?.progress().finished;
    let all = PlyUnits {
        run_dir: path.into(),
        finished,
        units,
        seconds: began.elapsed().as_secs_f64(),
        peak_rss_bytes: peak_rss_bytes(),
    };
    out.result(&all, text)?;
    if all.units.is_empty() && !all.finished && !out.is_json() {
        out.note(&format!(
            "there are no units at the moment; they exist while 'nerode resume {} --units --units-by others' computes a ply of large sets",
            shell(path)
        ));
    }
    Ok(Outcome::Done)
}

/// Lists the units of the current ply.
fn listed(path: &Path) -> Result<Vec<UnitLine>> {
    let of = |offer: &Offer| -> Vec<UnitLine> {
        let line = |unit: usize| {
            let (input_bytes, bytes) = (offer.input_bytes(unit), offer.bytes_of(unit));
            let state = match (offer.is_done(unit), input_bytes) {
                (true, _) => "done",
                (false, Some(_)) => "open",
                (false, None) => "planned",
            };
            let (merges, words) = (Some(offer.num_merged(unit)), Some(offer.words(unit)));
            UnitLine { unit: offer.name(unit), state, merges, words, input_bytes, bytes, seconds: None }
        };
        (0..offer.num_units()).map(line).collect()
    };
    Ok(Offer::all(path)?.iter().flat_map(of).collect())
}

/// Returns the name of a unit of an image.
fn name(image: &str, unit: usize) -> String {
    format!("{image}/{unit}")
}

/// Parses the image and number of a unit.
fn parsed(text: &str) -> Result<(&str, usize)> {
    let parts = text.rsplit_once('/').and_then(|(image, unit)| Some((image, unit.parse().ok()?)));
    parts.ok_or_else(|| advised(format!("'{text}' is not the name of a unit"), "--list shows the names"))
}

/// Computes the named unit, or all free ones.
fn done(args: &Args, path: &Path, out: &Output) -> Result<Vec<UnitLine>> {
    let resources = args.resources.resolve()?;
    let worker = Worker::new(path, registry(), args.scratch.as_deref(), &resources)?;
    let mut units = Vec::new();
    if let Some(text) = &args.unit {
        let (image, unit) = parsed(text)?;
        units.push(line(&worker.do_one(image, unit)?));
        return Ok(units);
    }
    let mut watch = |done: &UnitDone| {
        if out.is_verbose() {
            out.note(&format!("unit {} in {}", name(&done.image, done.unit), duration(done.seconds)));
        }
        units.push(line(done));
    };
    if args.wait {
        let seconds = IDLE.as_secs();
        let idle =
            format!("no unit for {seconds} s; 'nerode info {}' shows the progress of the solve", shell(path));
        worker.stay(&mut watch, &mut || out.note(&idle))?
    } else {
        worker.do_all(&mut watch)?
    }
    Ok(units)
}

fn line(done: &UnitDone) -> UnitLine {
    let state = match done.end {
        UnitEnd::Done => "done",
        UnitEnd::WasThere => "there",
        UnitEnd::Gone => "gone",
    };
    UnitLine {
        unit: name(&done.image, done.unit),
        state,
        merges: done.merges,
        words: None,
        input_bytes: None,
        bytes: done.bytes,
        seconds: Some(done.seconds),
    }
}

fn text(all: &PlyUnits) -> String {
    let number = |number: Option<u64>| number.map_or(String::new(), |number| grouped(number.into()));
    let row = |unit: &UnitLine| {
        let seconds = unit.seconds.map_or(String::new(), |seconds| format!("{seconds:.2}"));
        let words = number(unit.words);
        let merges = unit.merges.filter(|&units| units > 1);
        let state = merges.map_or(unit.state.into(), |units| {
            format!("{}, merges {}", unit.state, counted(units as u128, "unit", "units"))
        });
        vec![unit.unit.clone(), state, words, number(unit.bytes), seconds]
    };
    let rows: Vec<Vec<String>> = all.units.iter().map(row).collect();
    let finished = if all.finished { ", the run is finished" } else { "" };
    let head = format!("{}{finished}", counted(rows.len() as u128, "unit", "units"));
    if rows.is_empty() {
        return format!("{head}\n");
    }
    format!("{head}\n\n{}", table(&["unit", "", "words", "bytes", "seconds"], &rows))
}
