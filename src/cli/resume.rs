//! The command `nerode resume DIR`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Instant;

use anyhow::{Result, bail};
use nerode_games::morris::rules_of;

use super::choices::plies;
use super::hints::advised;
use super::output::{Outcome, Output, counted};
use super::resources::{ResourceArgs, UnitArgs};
use super::sectors::sectors_named;
use super::solutions::stored_solution;
use super::solve::{
    Left, SectorWork, continues, print_run, print_sector_sets, solve_sector_sets, solve_sectors,
};
use super::words::{shell, to_the_end};
use crate::registry;
use nerode_morris::compressed::PackedSectors;
use nerode_morris::early::EarlyBounds;
use nerode_morris::sets::SetsDir;
use nerode_morris::tables::{Sector, SectorDir, SectorSolution};
use nerode_solver::archive::run_dir::RunDir;
use nerode_solver::archive::scores::ScoreDir;
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::archive::values::Values;
use nerode_solver::archive::{Contents, kind_of};
use nerode_solver::depth::stored_depths;
use nerode_solver::run::{HowFar, resume};
use nerode_solver::solve::resources::Resources;
use nerode_solver::units::UnitsWatch;

/// Arguments of `resume`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The directory of an unfinished 'nerode solve', or a game whose solve in 'runs' is unfinished
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Extend the solve to this many plies, or to the end [default: the original limit]
    #[arg(long, value_name = "N|end", allow_negative_numbers = true)]
    plies: Option<PliesArg>,
    /// For a morris game: withdraw the request for these sectors, and resume without them. Existing files stay
    #[arg(long, value_delimiter = ',', value_name = "SECTOR")]
    without: Vec<String>,
    #[command(flatten)]
    units: UnitArgs,
    #[command(flatten)]
    resources: ResourceArgs,
}

/// The requested number of plies.
#[derive(Clone, Copy, Debug)]
struct PliesArg(HowFar);

impl FromStr for PliesArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "end" => Ok(Self(HowFar::End)),
            text => Ok(Self(HowFar::Plies(plies(text).map_err(|wrong| format!("{wrong}, or 'end'"))?))),
        }
    }
}

pub(super) fn run(mut args: Args, out: &Output) -> Result<Outcome> {
    args.dir = stored_solution(&args.dir)?;
    let args = &args;
    let kind = kind_of(&args.dir);
    if args.plies.is_some() && kind != Some(Contents::Run) {
        bail!("--plies applies to runs of sets, and {} is not one", args.dir.display());
    }
    if !args.without.is_empty() && !matches!(kind, Some(Contents::Sectors | Contents::SectorSets)) {
        bail!("--without applies to directories of sectors, and {} is not one", args.dir.display());
    }
    if args.units.are_asked_for() && kind != Some(Contents::Run) {
        bail!("--units applies to runs of sets, and {} is not one", args.dir.display());
    }
    match kind {
        Some(Contents::Sectors) => resume_sectors(args, out),
        Some(Contents::SectorSets) => resume_sector_sets(args, out),
        Some(Contents::Scores) => {
            ScoreDir::open_with(&args.dir, registry())?.must_be_whole()?;
            written_at_once(&args.dir, "scores")
        }
        Some(Contents::Values) => {
            Values::open_with(&args.dir, registry())?.must_be_whole()?;
            written_at_once(&args.dir, "values")
        }
        Some(Contents::PackedSectors) => match PackedSectors::open(&args.dir)?.left() {
            0 => written_at_once(&args.dir, "packed sectors"),
            left => Err(advised(
                format!(
                    "{} is an unfinished database; sectors still to be packed: {left}",
                    args.dir.display()
                ),
                "repeat the interrupted 'nerode pack' command to resume it",
            )),
        },
        Some(Contents::Bounds) => Err(advised(
            format!("{} contains bounds of early positions", args.dir.display()),
            "repeat the interrupted 'nerode bounds' command to resume it",
        )),
        None if args.dir.is_file() => Err(advised(
            format!("{} is a file, and a table cannot be resumed", args.dir.display()),
            "repeat the command that creates the table, with --overwrite",
        )),
        Some(Contents::Run) | None => resume_run(args, out),
    }
}

/// Reports that a directory which is written in one step has nothing to resume.
fn written_at_once(dir: &Path, what: &str) -> Result<Outcome> {
    bail!(
        "{} contains {what}, which are written in one step: every file exists, and there is nothing to resume",
        dir.display()
    )
}

fn resume_run(args: &Args, out: &Output) -> Result<Outcome> {
    let began = Instant::now();
    let path = args.dir.as_path();
    let (units, units_by) = (args.units.sizes(Some(path))?, args.units.by());
    let how_far = args.plies.map_or(HowFar::AsBegun, |plies| plies.0);
    if RunDir::exists(path) {
        must_go_further(&RunDir::open(path)?, how_far)?;
        continues(path, out);
    }
    args.units.tell(path, out);
    let progress = out.progress("resume");
    progress.message(format!("reading the files in {}", path.display()));
    let on_units = Some(UnitsWatch::new(progress.units()));
    let resources = Resources { units, units_by, on_units, ..args.resources.resolve()? };
    let continued = resume(path, registry(), how_far, &resources, &mut |done| progress.ply(done));
    progress.finish();
    let continued = continued.map_err(|error| Left::of_run(error, path, None, out))?;
    if continued.was_finished && continued.mended.is_empty() {
        out.note(&finished(&StoredRun::open_with(path, registry())?, path));
    }
    if let Err(error) = stored_depths(&StoredRun::open_with(path, registry())?) {
        out.warn(&format!("{error}; 'nerode bounds {}' computes these depths again", shell(path)));
    }
    print_run(path, began, continued.mended, &args.resources, out)
}

/// Rejects a number of plies that does not exceed the one with which the run was started.
fn must_go_further(run: &RunDir, how_far: HowFar) -> Result<()> {
    match (how_far, run.request().plies()) {
        (HowFar::Plies(_), None) => Err(advised(
            format!("the solve in {} already goes to the end", run.path().display()),
            "omit --plies",
        )),
        (HowFar::Plies(most), Some(before)) if most < before => Err(advised(
            format!("the solve in {} already goes to ply {before}", run.path().display()),
            "give --plies a larger number, or 'end'",
        )),
        _ => Ok(()),
    }
}

/// Reports that nothing remains to be done, and how to go further if that is possible.
fn finished(run: &StoredRun, path: &Path) -> String {
    let files: BTreeSet<&str> = run.run.sets().map(|(_, entry)| entry.file()).collect();
    let files = counted(files.len() as u128, "file is intact", "files are intact");
    let further = if run.is_complete() {
        String::new()
    } else {
        format!("; '{}' extends it to the end", to_the_end(path))
    };
    let done = if run.is_complete() { "the solve is finished" } else { "every requested ply is computed" };
    format!("{done}, and its {files}: there is nothing to do{further}")
}

fn names(sectors: &BTreeSet<Sector>) -> Vec<String> {
    sectors.iter().map(Sector::to_string).collect()
}

/// Returns the sectors of `--without`, all of which must be among the `wanted` ones.
fn taken_back(args: &Args, spec: &str, wanted: &BTreeSet<Sector>) -> Result<Vec<Sector>> {
    let sectors = sectors_named(&rules_of(spec)?.1, &args.without)?;
    let requested = if wanted.is_empty() {
        "no sector was requested".to_string()
    } else {
        format!("the requested ones are {}", names(wanted).join(" "))
    };
    match sectors.iter().find(|sector| !wanted.contains(sector)) {
        None => Ok(sectors),
        Some(sector) => {
            bail!(
                "sector {sector} was not requested in {}, so it cannot be withdrawn: {requested}",
                args.dir.display()
            )
        }
    }
}

fn resume_sectors(args: &Args, out: &Output) -> Result<Outcome> {
    let dir = SectorDir::open(&args.dir)?;
    let spec = dir.game().spec.clone();
    dir.want_no_more(&taken_back(args, &spec, &dir.request()?.sectors)?)?;
    let wanted = names(&dir.request()?.sectors);
    let done = solve_sectors(&SectorWork::new(&spec, &wanted, &args.dir).mending(), &args.resources, out)?;
    let sectors = SectorSolution::open(&args.dir)?;
    let checked = EarlyBounds::of(&sectors).and_then(|early| match early {
        Some(early) => early.verify(sectors.maker()),
        None => Ok(()),
    });
    if let Err(error) = checked {
        let dir = shell(&args.dir);
        out.warn(&format!("{error}; 'nerode bounds {dir} --overwrite' computes these bounds again"));
    }
    Ok(done)
}

fn resume_sector_sets(args: &Args, out: &Output) -> Result<Outcome> {
    let (spec, wanted) = SetsDir::request(&args.dir)?;
    SetsDir::want_no_more(&args.dir, &taken_back(args, &spec, &wanted)?)?;
    let mut wanted = names(&SetsDir::request(&args.dir)?.1);
    if wanted.is_empty() {
        let there = SetsDir::open(&args.dir)?.0.sectors()?;
        wanted = there.iter().map(|[own, other]| format!("{own}-{other}-0-0")).collect();
    }
    let solved = solve_sector_sets(&spec, &wanted, &args.dir, true, &args.resources, out)?;
    if solved.was_finished() {
        out.note("every requested sector exists, and every file is intact: there is nothing to do");
    }
    print_sector_sets(&solved, out)
}
