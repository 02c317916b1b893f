//! The output of `info` for a directory.

use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::{Context, Result};
use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::hints::not_taken;
use crate::cli::output::{Outcome, Output, counted, grouped};
use crate::cli::resources::usable_memory;
use crate::cli::words::{how_far, resume_command, shell, stopped_at, to_the_end};
use crate::facade::open_solution;
use crate::registry;
use nerode_morris::compressed::PackedSectors;
use nerode_morris::sets::SetsDir;
use nerode_morris::tables::{Sector, SectorSolution, Unit, plan};
use nerode_report::lines::depth_text;
use nerode_report::run::Start;
use nerode_solver::archive::Contents;
use nerode_solver::archive::claim::is_busy;
use nerode_solver::archive::packed::REACHED;
use nerode_solver::archive::run_dir::RunDir;
use nerode_solver::archive::scores::ScoreDir;
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::archive::values::{FOLDER, Manifest, Values};
use nerode_solver::solve::method::{Chains, Keep};
use nerode_solver::stored::{Coverage, DepthSource};

/// The contents and the state of a directory.
#[derive(Default, JsonSchema, Serialize)]
#[schemars(rename = "Directory")]
pub(in crate::cli) struct Info {
    /// The game with its parameters, such as `breakthrough:4x5`.
    pub(in crate::cli) game: String,
    /// The directory.
    run_dir: PathBuf,
    /// The contents in words.
    pub(in crate::cli) contents: String,
    /// The hash of the rules, or null if the directory does not record it.
    fingerprint: Option<String>,
    /// The method by which positions were decided, or null if there is only one.
    method: Option<String>,
    /// The positions that the solution covers, or null if it cannot be queried yet.
    covers: Option<Coverage>,
    /// Where the depths come from, or null if it cannot be queried yet.
    depths: Option<DepthSource>,
    /// The last ply up to which all depths are stored, if depths are otherwise determined by search, or null.
    depths_stored_to: Option<u32>,
    /// The letter order, or null if there is none.
    order: Option<String>,
    /// The options of the request: plies, chains, sectors.
    request: Vec<String>,
    /// Whether nothing of the request remains to be done.
    pub(in crate::cli) finished: bool,
    /// The last ply if the run stopped at a limit on plies, or null.
    pub(in crate::cli) stopped_at_ply: Option<u32>,
    /// Whether another process is writing into the directory at this moment.
    busy: bool,
    /// The progress in words.
    pub(in crate::cli) progress: String,
    /// The start position, or null if its value is not stored.
    start: Option<Start>,
    /// What the values folder in the directory of a run contains, or why it is not used; null if there is none.
    packed: Option<String>,
    /// The number of files.
    files: u64,
    /// The total size of the files in bytes.
    pub(in crate::cli) bytes: u64,
    /// The command that continues an unfinished solve, or null if it is finished or in progress.
    continue_with: Option<String>,
    /// A command that queries the directory, or null if it cannot be queried yet.
    query_with: Option<String>,
}

pub(super) fn run(path: &Path, kind: Contents, out: &Output) -> Result<Outcome> {
    let mut info = describe(path, kind, true)?;
    if info.query_with.is_some() {
        let solution = open_solution(path)?;
        info.covers = Some(solution.coverage());
        info.depths = Some(solution.depth_source());
        info.depths_stored_to = solution.depths_stored_to();
    }
    out.result(&info, text)?;
    Ok(Outcome::Done)
}

/// Describes a directory. The value of the start position of a run, which may require reading large sets, is included
/// if `with_start` is set.
pub(in crate::cli) fn describe(path: &Path, kind: Contents, with_start: bool) -> Result<Info> {
    let mut info = match kind {
        Contents::Run => of_run(path, with_start)?,
        Contents::Values => of_values(path)?,
        Contents::Scores => of_scores(path)?,
        Contents::Sectors => of_sectors(path)?,
        Contents::SectorSets => of_sector_sets(path)?,
        Contents::PackedSectors => of_packed(path)?,
        Contents::Bounds => return Err(not_taken(path, kind, "a solution")),
    };
    info.busy = is_busy(path);
    if info.busy {
        info.continue_with = None;
    }
    info.run_dir = path.into();
    info.contents = kind.to_string();
    (info.files, info.bytes) = size(path)?;
    Ok(info)
}

/// Returns the number and the total size of the files below a directory, without locks. Files that a running solve
/// removes in the meantime are not counted.
fn size(path: &Path) -> Result<(u64, u64)> {
    let (mut files, mut bytes) = (0, 0);
    let Some(entries) =
        if_there(fs::read_dir(path)).with_context(|| format!("cannot read {}", path.display()))?
    else {
        return Ok((0, 0));
    };
    for entry in entries {
        let Some(entry) = if_there(entry)? else { continue };
        let name = entry.file_name();
        let Some(found) = if_there(entry.metadata())? else { continue };
        if found.is_dir() {
            let below = if name == "locks" { (0, 0) } else { size(&entry.path())? };
            files += below.0;
            bytes += below.1;
        } else if name != "lock" {
            files += 1;
            bytes += found.len();
        }
    }
    Ok((files, bytes))
}

/// Converts a "not found" error to `None`.
fn if_there<T>(found: io::Result<T>) -> io::Result<Option<T>> {
    match found {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        found => found.map(Some),
    }
}

fn of_run(path: &Path, with_start: bool) -> Result<Info> {
    let run = RunDir::open(path)?;
    let (request, progress) = (run.request(), *run.progress());
    let mut options = Vec::new();
    if let Some(most) = request.plies() {
        options.push(format!("at most {}", counted(most.into(), "ply", "plies")));
    }
    if request.chains == Chains::One {
        options.push("one chain of sets, of which the other is the mirror image".into());
    }
    if request.keep == Keep::Last {
        options.push("only the sets of the last plies kept".into());
    }
    if let Some(ply) = request.admissible_from {
        options.push(format!("admissible positions from ply {ply} on"));
    }
    let mut info = Info {
        game: request.game().into(),
        fingerprint: Some(request.fingerprint().into()),
        method: Some(request.method.to_string()),
        order: Some(request.order().into()),
        request: options,
        finished: progress.finished,
        progress: how_far(&run),
        ..Info::default()
    };
    if !progress.finished {
        info.continue_with = Some(resume_command(path));
        return Ok(info);
    }
    let run = StoredRun::open_with(path, registry())?.with_memory(usable_memory());
    info.query_with = Some(format!("nerode query {} start", shell(path)));
    if run.is_complete() {
        info.progress += ", to the end";
    } else {
        info.stopped_at_ply = stopped_at(&run);
        info.continue_with = Some(to_the_end(path));
    }
    if with_start && !run.game.begins_anywhere() {
        let (board, side) = run.game.start();
        info.start = Some(Start::new(side, run.get(&board, side)?));
    }
    info.packed = packed_in(path, &run)?;
    Ok(info)
}

/// Describes the values folder in the directory of a run, after at least one position of the run has been looked up.
fn packed_in(path: &Path, run: &StoredRun) -> Result<Option<String>> {
    if let Some(problem) = run.values_problem() {
        return Ok(Some(format!("not used: {problem}")));
    }
    let folder = path.join(FOLDER);
    if !Values::exists(&folder) {
        return Ok(None);
    }
    let values = Values::open_with(&folder, registry())?;
    let manifest = values.manifest();
    let bytes: u64 = manifest.files().map(|(_, entry)| entry.stored().bytes()).sum();
    let bytes = counted(bytes.into(), "byte", "bytes");
    Ok(Some(format!("values {}, {bytes}", what_is_packed(manifest))))
}

/// Describes the contents of a values folder: depths and care set.
fn what_is_packed(manifest: &Manifest) -> String {
    let depths = if manifest.has_depths() { "with depths" } else { "without depths" };
    let care = match (manifest.care(), Coverage::of(manifest.request())) {
        (Some(REACHED), covers @ Coverage::AdmissiblePositions) => format!(", of {covers}"),
        (care, _) => care.map_or(String::new(), |care| format!(", on {care} positions")),
    };
    format!("{depths}{care}")
}

fn of_values(path: &Path) -> Result<Info> {
    let values = Values::open_with(path, registry())?;
    let (manifest, game) = (values.manifest(), &values.game);
    let request = manifest.request();
    let (board, side) = game.start();
    let start = values.get(&game.word_of(&board), side)?;
    Ok(Info {
        game: request.game().into(),
        fingerprint: Some(request.fingerprint().into()),
        method: Some(request.method.to_string()),
        order: Some(request.order().into()),
        finished: true,
        progress: what_is_packed(manifest),
        start: start.filter(|_| !game.begins_anywhere()).map(|known| Start::new(side, known)),
        query_with: Some(format!("nerode query {} start", shell(path))),
        ..Info::default()
    })
}

fn of_scores(path: &Path) -> Result<Info> {
    let scores = ScoreDir::open_with(path, registry())?;
    let game = &scores.game;
    let (board, side) = game.start();
    let score =
        scores.get(&board, side)?.map_or_else(|| "unknown".into(), |score| format!("{score:+} for P1"));
    Ok(Info {
        game: game.spec(),
        fingerprint: Some(game.fingerprint()),
        order: Some(game.order().into()),
        finished: true,
        progress: format!(
            "{}; score of the start {score}",
            counted(scores.manifest().plies().len() as u128, "ply", "plies")
        ),
        query_with: Some(format!("nerode query {} start", shell(path))),
        ..Info::default()
    })
}

/// Lists names of sectors in the format of `--sector`.
fn listed<'a>(sectors: impl IntoIterator<Item = &'a Sector>) -> String {
    sectors.into_iter().map(Sector::to_string).collect::<Vec<_>>().join(",")
}

fn of_sectors(path: &Path) -> Result<Info> {
    let solution = SectorSolution::open(path)?;
    let request = solution.dir.request()?;
    let wanted: Vec<Sector> = request.sectors.into_iter().collect();
    let there = solution.dir.sectors()?.len();
    let units: Vec<Unit> = plan(&solution.rules, &wanted)?;
    let solved = units.iter().filter(|unit| solution.dir.has(unit)).count();
    let mut info = Info {
        game: solution.game.spec(),
        fingerprint: Some(solution.game.fingerprint()),
        finished: is_finished(&solution, &units)?,
        progress: counted(there as u128, "sector", "sectors"),
        ..Info::default()
    };
    if !units.is_empty() {
        let (solved, all) = (grouped(solved as u128), grouped(units.len() as u128));
        info.progress += &format!(", {solved} of {all} requested work units");
        info.request.push(format!("sectors {} and all their dependencies", listed(&wanted)));
    }
    if request.check {
        info.request.push("every position checked by forward play before it is written".into());
    }
    if solved < units.len() {
        info.continue_with = Some(resume_command(path));
    }
    let (board, side) = solution.game.start();
    let start = Sector::of(solution.rules.start());
    if solution.dir.file(start).is_file() {
        let (value, depth) = solution.get_board(&board, side)?;
        info.start = Some(Start {
            side: side.to_string(),
            category: value.to_string(),
            dtw: depth.map(u32::from),
            dtw_at_most: None,
        });
        info.query_with = Some(format!("nerode query {} start", shell(path)));
    }
    Ok(info)
}

/// Returns `true` if all requested sectors are solved. If none were requested, returns `true` if the whole game,
/// solved unit by unit, is complete.
fn is_finished(solution: &SectorSolution, request: &[Unit]) -> Result<bool> {
    let all_are_there = |units: &[Unit]| units.iter().all(|unit| solution.dir.has(unit));
    let start = Sector::of(solution.rules.start());
    Ok(match request {
        [] => solution.dir.file(start).is_file() && all_are_there(&plan(&solution.rules, &[start])?),
        units => all_are_there(units),
    })
}

fn of_sector_sets(path: &Path) -> Result<Info> {
    let (game, wanted) = SetsDir::request(path)?;
    let missing = SetsDir::missing(path)?;
    let there = SetsDir::open(path)?.0.sectors()?.len();
    let there = counted(there as u128, "sector as sets", "sectors as sets");
    Ok(Info {
        game,
        request: if wanted.is_empty() {
            Vec::new()
        } else {
            vec![format!("sectors {} and all their dependencies", listed(&wanted))]
        },
        finished: missing.is_empty() && !wanted.is_empty(),
        progress: match (wanted.is_empty(), missing.len()) {
            (true, _) => format!("{there}, none of them requested"),
            (false, 0) => format!("{there}, including all requested ones"),
            (false, 1) => format!("{there}, and one that was requested is missing"),
            (false, n) => format!("{there}, and {} that were requested are missing", grouped(n as u128)),
        },
        continue_with: (!missing.is_empty()).then(|| resume_command(path)),
        ..Info::default()
    })
}

fn of_packed(path: &Path) -> Result<Info> {
    let packed = PackedSectors::open(path)?;
    let there = counted(packed.sectors().count() as u128, "sector", "sectors");
    let depths = if packed.has_depths() { "with depths" } else { "without depths" };
    Ok(Info {
        game: packed.game.spec(),
        fingerprint: Some(packed.game.fingerprint()),
        finished: packed.left() == 0,
        progress: match packed.left() {
            0 => format!("{there}, {depths}"),
            left => {
                format!(
                    "{there}, {depths}, and {} missing: repeat 'nerode pack' to resume it",
                    grouped(left as u128)
                )
            }
        },
        ..Info::default()
    })
}

fn text(info: &Info) -> String {
    let mut lines = format!("{}: {}\n\n", info.run_dir.display(), info.contents);
    let mut line = |name: &str, value: &str| lines += &format!("{name:<12} {value}\n");
    line("game", &info.game);
    for (name, value) in
        [("method", &info.method), ("order", &info.order), ("fingerprint", &info.fingerprint)]
    {
        if let Some(value) = value {
            line(name, value);
        }
    }
    if !info.request.is_empty() {
        line("request", &info.request.join("; "));
    }
    match info.stopped_at_ply {
        Some(ply) => line("finished", &format!("no: stopped at ply {ply}, as requested")),
        None => line("finished", if info.finished { "yes" } else { "no" }),
    }
    line("progress", &info.progress);
    if info.busy {
        line("busy", "another process is writing here");
    }
    if let (Some(covers), Some(depths)) = (info.covers, info.depths) {
        line("covers", &covers.to_string());
        let stored = match info.depths_stored_to {
            Some(ply) => format!("exact to ply {ply}, from there on "),
            None => String::new(),
        };
        line("depths", &format!("{stored}{depths}"));
    }
    if let Some(start) = &info.start {
        let depth = depth_text(start.dtw, start.dtw_at_most);
        line("start", &format!("{} to move: {}{depth}", start.side, start.category));
    }
    if let Some(packed) = &info.packed {
        line("packed", packed);
    }
    let bytes = counted(info.bytes.into(), "byte", "bytes");
    line("files", &format!("{}, {bytes}", grouped(info.files.into())));
    if let Some(command) = &info.continue_with {
        line("resume with", command);
    }
    if let Some(command) = &info.query_with {
        line("query with", command);
    }
    lines
}
