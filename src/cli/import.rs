//! The command `nerode import GAME FILE...`, which imports databases of other programs into a directory of sectors.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, bail};
use nerode_games::morris::Rules;
use schemars::JsonSchema;
use serde::Serialize;

use super::output::{Outcome, Output, counted};
use super::resources::ResourceArgs;
use super::sectors::{MalomFile, SectorLine, Share, malom_files, sector_table};
use super::solve::Left;
use super::words::{directory, shell};
use nerode_morris::malom;
use nerode_morris::tables::{IndexMaker, Sector, SectorDir, SectorSolve};
use nerode_solver::archive::claim::must_be_free_for;
use nerode_solver::archive::contents::Contents;
use nerode_solver::solve::resources::Resources;

/// Arguments of `import`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The game, such as morris:nine
    game: String,
    /// Malom's files, strong (.sec) or ultra-strong (.sec2, with the .secval file in the same folder), under their original
    /// names; or a folder of them
    #[arg(required = true, value_name = "FILE|FOLDER")]
    files: Vec<PathBuf>,
    /// Directory of sectors to add to
    #[arg(long, value_name = "DIR", value_parser = directory())]
    run_dir: PathBuf,
    /// Replace existing sectors
    #[arg(long)]
    overwrite: bool,
    #[command(flatten)]
    resources: ResourceArgs,
}

/// Sectors imported from the files of other programs.
#[derive(JsonSchema, Serialize)]
pub(super) struct Imported {
    /// The game with its parameters, such as `morris:nine`.
    game: String,
    /// The hash of the rules.
    fingerprint: String,
    /// The imported sectors.
    sectors: Vec<SectorLine>,
    /// Sectors that already existed, with the same values.
    skipped: Vec<String>,
    /// The elapsed time in seconds.
    seconds: f64,
    /// The directory of the sectors.
    run_dir: PathBuf,
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    let began = Instant::now();
    let game = SectorSolve::open(&args.game)?;
    let resources = args.resources.resolve()?;
    must_be_free_for(&args.run_dir, Contents::Sectors)?;
    let files = malom_files(&args.files, &game.rules)?;
    must_differ(&files)?;
    let pool = resources.pool()?;
    let make = || game.create(&args.run_dir);
    let there = SectorDir::exists(&args.run_dir).then(make).transpose()?;
    let taker =
        Taker { rules: &game.rules, maker: IndexMaker::new(&game.rules.board), resources: &resources };
    let progress = out.progress("import");
    out.continue_in(command(args), &args.run_dir);
    let mut share = Share::new(&progress, 0, files.iter().map(|file| file.bytes).sum());
    let (mut sectors, mut skipped) = (Vec::new(), Vec::new());
    for (at, file) in files.iter().enumerate() {
        resources.must_go_on()?;
        share.begin(format!("{}, file {} of {}", file.path.display(), at + 1, files.len()));
        let old = there.as_ref().filter(|dir| !args.overwrite && dir.file(file.sector).exists());
        let taken = match old {
            Some(dir) => pool.install(|| taker.must_equal(file, dir)).map(|()| None),
            None => pool.install(|| taker.take(file, &make)).map(Some),
        };
        match taken.map_err(|error| stopped_at(error, at, files.len()))? {
            Some(line) => sectors.push(line),
            None => skipped.push(file.sector.to_string()),
        }
        share.end(file.bytes);
    }
    progress.finish();
    if !skipped.is_empty() {
        let count = counted(skipped.len() as u128, "sector already exists", "sectors already exist");
        out.note(&format!("{count} with the same values: {}", listed(&skipped)));
    }
    let imported = Imported {
        game: game.name.spec,
        fingerprint: game.name.fingerprint,
        sectors,
        skipped,
        seconds: began.elapsed().as_secs_f64(),
        run_dir: args.run_dir.clone(),
    };
    out.result(&imported, text)?;
    Ok(Outcome::Done)
}

fn text(imported: &Imported) -> String {
    if imported.sectors.is_empty() {
        return format!("{}: nothing to import", imported.game);
    }
    format!("{}\n\n{}", imported.game, sector_table(&imported.sectors))
}

/// Adds to the error `error` of a file the number of files that were imported before it.
fn stopped_at(error: anyhow::Error, before: usize, all: usize) -> anyhow::Error {
    if before == 0 {
        return error;
    }
    Left::of(error, format!("files imported before it: {before} of {all}"))
}

/// The maximum number of names that a note lists.
const LISTED: usize = 8;

fn listed(names: &[String]) -> String {
    let more = names.len().checked_sub(LISTED).filter(|more| *more > 0);
    let more = more.map_or(String::new(), |more| format!(" and {more} more"));
    names[..names.len().min(LISTED)].join(" ") + &more
}

/// Returns the equivalent command line.
fn command(args: &Args) -> String {
    let files: Vec<String> = args.files.iter().map(|file| shell(file)).collect();
    let overwrite = if args.overwrite { " --overwrite" } else { "" };
    format!("nerode import {} {} --run-dir {}{overwrite}", args.game, files.join(" "), shell(&args.run_dir))
}

/// Rejects two files of the same sector.
fn must_differ(files: &[MalomFile]) -> Result<()> {
    let mut seen = BTreeSet::<Sector>::new();
    match files.iter().find(|file| !seen.insert(file.sector)) {
        None => Ok(()),
        Some(file) => {
            bail!("{}: sector {} is also in an earlier file", file.path.display(), file.sector)
        }
    }
}

/// An import of files.
struct Taker<'a> {
    rules: &'a Rules,
    maker: IndexMaker,
    resources: &'a Resources,
}

impl Taker<'_> {
    /// Reads and checks a file, and then writes the sector into the directory that `make` creates.
    fn take(
        &self,
        file: &MalomFile,
        make: &(dyn Fn() -> nerode_solver::error::Result<SectorDir> + Sync),
    ) -> Result<SectorLine> {
        let foreign = malom::open(&file.path, self.rules, &self.maker)?;
        let table = malom::import(&foreign, &self.resources.interrupt)?;
        drop(foreign);
        let dir = make()?;
        let path = dir.file(file.sector);
        self.resources.disk.must_hold(&path, table.bytes())?;
        let bytes = dir.store(&table, false)?;
        Ok(SectorLine::new(file.sector, &table.counts(), path, bytes))
    }

    /// Rejects a file whose values differ from those of the existing sector.
    fn must_equal(&self, file: &MalomFile, dir: &SectorDir) -> Result<()> {
        let foreign = malom::open(&file.path, self.rules, &self.maker)?;
        let table = dir.load(file.sector, &self.maker)?;
        let report = malom::compare(self.rules, &table, &foreign, &self.resources.interrupt)?;
        match report.first_mismatch {
            None => Ok(()),
            Some(first) => bail!(
                "{} and {} differ in {}; --overwrite uses the values of the first. {first}",
                file.path.display(),
                dir.file(file.sector).display(),
                counted(report.mismatches, "position", "positions")
            ),
        }
    }
}
