//! The options `nerode export --format sec` and `--format sec2`, which write sectors as Malom's files.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use nerode_dfa::disk;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Share, sectors_or_all, tell_open};
use crate::cli::destination::is_standard_output;
use crate::cli::hints::advised;
use crate::cli::output::{Outcome, Output, Progress, counted, grouped, table};
use crate::cli::solve::{Left, stops_midway};
use crate::cli::words::shell;
use nerode_morris::malom::sec2::Values;
use nerode_morris::malom::{Exported, FileName, Kind, Record, SecExport, SectorValues, Variant};
use nerode_morris::ranked::{Heuristic, Ranking, Sec2Export, digest_with_ranks, load_with_children};
use nerode_morris::tables::ask::SectorSolution;
use nerode_morris::tables::{Sector, num_slots, plan, roots_of};
use nerode_solver::archive::files::write_bytes_for_user;
use nerode_solver::archive::place::{must_be_outside, must_be_writable};
use nerode_solver::solve::resources::Resources;

/// The sectors to write and their destination.
pub(in crate::cli) struct Exporting<'a> {
    pub(in crate::cli) run_dir: &'a Path,
    /// The sectors. An empty list stands for all sectors of the directory.
    pub(in crate::cli) sectors: &'a [String],
    pub(in crate::cli) folder: &'a Path,
    pub(in crate::cli) overwrite: bool,
    /// The kind of files.
    pub(in crate::cli) kind: Kind,
}

impl Exporting<'_> {
    /// Returns the equivalent command line.
    fn command(&self) -> String {
        let [run_dir, folder] = [self.run_dir, self.folder].map(shell);
        let mut command =
            format!("nerode export {run_dir} --format {} --out {folder}", self.kind.extension());
        if !self.sectors.is_empty() {
            command += &format!(" --sector {}", self.sectors.join(","));
        }
        if self.overwrite {
            command += " --overwrite";
        }
        command
    }
}

/// The file of one sector.
struct Item {
    sector: Sector,
    name: FileName,
    path: PathBuf,
    /// A digest of its source.
    source: String,
    num_slots: u64,
    standing: Exported,
}

/// The source of the files.
struct Made {
    solution: SectorSolution,
    /// The ranking, for files with ranks.
    ranking: Option<(Heuristic, SectorValues)>,
}

impl Made {
    fn open(work: &Exporting<'_>) -> Result<Self> {
        let solution = SectorSolution::open(work.run_dir)?;
        Variant::of(&solution.rules)?;
        if work.kind == Kind::Strong {
            return Ok(Self { solution, ranking: None });
        }
        let ranking = Ranking::read(&solution.dir, &solution.rules)?;
        let ranking = ranking.and_then(|ranking| ranking.values.map(|values| (ranking.by, values)));
        if ranking.is_none() {
            // Without --sector, the command would solve the whole game.
            let present = solution.dir.sectors()?.into_iter().map(|file| file.sector).collect();
            let roots: Vec<String> =
                roots_of(&solution.rules, &present).iter().map(Sector::to_string).collect();
            return Err(advised(
                format!("the draws in {} are not ranked, as --format sec2 requires", work.run_dir.display()),
                format!(
                    "'nerode solve {} --sector {} --ranked --run-dir {}' ranks them",
                    shell(Path::new(&solution.game.spec())),
                    roots.join(","),
                    shell(work.run_dir)
                ),
            ));
        }
        Ok(Self { solution, ranking })
    }

    /// Computes a digest of the source of the file of `sector`.
    fn source(&self, sector: Sector) -> nerode_solver::error::Result<String> {
        match self.ranking {
            None => self.solution.digest(sector),
            Some(_) => digest_with_ranks(&self.solution, sector),
        }
    }
}

/// Writes Malom's files of sectors. Complete files of an earlier call are skipped.
pub(in crate::cli) fn export_sectors(
    work: &Exporting<'_>,
    resources: &Resources,
    out: &Output,
) -> Result<Outcome> {
    if is_standard_output(work.folder) {
        bail!(
            "Malom's files are written into a folder, under their original names; name a folder with --out"
        );
    }
    must_be_outside(work.folder)?;
    let made = Made::open(work)?;
    if work.sectors.is_empty() {
        tell_open(&made.solution.rules, &made.solution.dir, out)?;
    }
    let progress = out.progress("export");
    let items = items(&made, work, resources, &progress)?;
    let list = list_of_values(&made, work)?;
    // Besides the tables, the export needs one byte for each slot of the current sector.
    let largest = items.iter().map(|item| item.num_slots).max().unwrap_or(0);
    let solution = made.solution.with_memory(resources.memory.saturating_sub(largest));
    let made = Made { solution, ..made };
    disk::create_dir_all(work.folder).with_context(|| format!("cannot create {}", work.folder.display()))?;
    out.continue_in(work.command(), work.folder);
    if let Some((path, text)) = &list {
        write_bytes_for_user(path, true, text.as_bytes())?;
    }
    write_all(&made, work, &items, resources, &progress)?;
    progress.finish();
    let line = |item: &Item| {
        let bytes = disk::metadata(&item.path)?.len();
        let written = item.standing != Exported::Whole;
        Ok(FileLine { sector: item.sector.to_string(), file: item.path.clone(), bytes, written })
    };
    let mut listed: Vec<&Item> = items.iter().collect();
    listed.sort_by_key(|item| item.sector);
    let files = listed.into_iter().map(line).collect::<Result<_>>()?;
    let secval = list.map(|(path, _)| path);
    out.result(&Written { game: made.solution.game.spec(), secval, files }, text)?;
    Ok(Outcome::Done)
}

/// Lists the files to write, each sector after those on which it depends, with the state of each file.
fn items(made: &Made, work: &Exporting<'_>, resources: &Resources, progress: &Progress) -> Result<Vec<Item>> {
    let solution = &made.solution;
    let (rules, record) = (&solution.rules, Record::open(work.folder));
    let chosen = sectors_or_all(solution, work.sectors)?;
    let units = plan(rules, &chosen)?;
    let mut items = Vec::new();
    for &sector in units.iter().flat_map(|unit| unit.sectors()).filter(|sector| chosen.contains(sector)) {
        resources.must_go_on()?;
        let name = FileName::new(rules, sector, work.kind)?;
        progress.message(format!("looking for {name}"));
        let (path, source) = (work.folder.join(name.to_string()), made.source(sector)?);
        let standing = record.look(&name, &source)?;
        if standing != Exported::Whole {
            must_be_writable(&path, work.overwrite || standing == Exported::Spoilt)?;
        }
        let num_slots = num_slots(solution.maker(), rules, sector);
        items.push(Item { sector, name, path, source, num_slots, standing });
    }
    Ok(items)
}

/// Returns the list of sector values, which files with ranks require, and its path. An existing list must be
/// identical, unless it may be replaced.
fn list_of_values(made: &Made, work: &Exporting<'_>) -> Result<Option<(PathBuf, String)>> {
    let Some((by, values)) = &made.ranking else { return Ok(None) };
    if *by == Heuristic::Difference {
        return Ok(None);
    }
    let variant = Variant::of(&made.solution.rules)?;
    let (path, text) = (work.folder.join(format!("{}.secval", variant.name())), values.text());
    if disk::read(&path).ok().as_deref() != Some(text.as_bytes()) {
        must_be_writable(&path, work.overwrite)?;
    }
    Ok(Some((path, text)))
}

fn write_all(
    made: &Made,
    work: &Exporting<'_>,
    items: &[Item],
    resources: &Resources,
    progress: &Progress,
) -> Result<()> {
    let pool = resources.pool()?;
    let (whole, open): (Vec<&Item>, Vec<&Item>) =
        items.iter().partition(|item| item.standing == Exported::Whole);
    let slots = |items: &[&Item]| items.iter().map(|item| item.num_slots).sum::<u64>();
    let mut share = Share::new(progress, slots(&whole), slots(&whole) + slots(&open));
    for (at, item) in open.iter().enumerate() {
        share.begin(format!("{}, file {} of {}", item.name, whole.len() + at + 1, items.len()));
        pool.install(|| {
            write_one(made, work, item, resources, &|done| {
                share.tell((done * item.num_slots as f64) as u64);
            })
        })
        .map_err(|error| {
            let left = format!(
                "{} has {} of {}",
                work.folder.display(),
                whole.len() + at,
                counted(items.len() as u128, "file", "files")
            );
            if stops_midway(&error) { Left::of(error, left) } else { error.into() }
        })?;
        share.end(item.num_slots);
    }
    Ok(())
}

fn write_one(
    Made { solution, ranking }: &Made,
    work: &Exporting<'_>,
    item: &Item,
    resources: &Resources,
    watch: &(dyn Fn(f64) + Sync),
) -> nerode_solver::error::Result<()> {
    let bytes_of_slot = if ranking.is_some() { 3 } else { 1 };
    resources.disk.must_hold(&item.path, item.num_slots * bytes_of_slot)?;
    let (rules, maker, interrupt) = (&solution.rules, solution.maker(), &*resources.interrupt);
    let overwrite = work.overwrite || item.standing == Exported::Spoilt;
    let seal = |file| Record::open(work.folder).note(&item.name, &item.source, file);
    match ranking {
        None => {
            let (table, mut known) = solution.with_children(item.sector)?;
            known.insert(item.sector, table);
            let export = SecExport { rules, maker, interrupt, overwrite, watch };
            export.write(&[], &known, item.sector, &item.path, seal)
        }
        Some((by, values)) => {
            let known = load_with_children(solution, values, item.sector)?;
            let values = if *by == Heuristic::Difference { Values::Differences } else { Values::Listed };
            let export = Sec2Export { rules, maker, values, interrupt, overwrite, watch };
            export.write(&known, item.sector, &item.path, seal)
        }
    }
}

/// Files of sectors written for other programs.
#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct Written {
    /// The game with its parameters, such as `morris:nine`.
    game: String,
    /// The list of sector values that accompanies files with ranks.
    #[serde(skip_serializing_if = "Option::is_none")]
    secval: Option<PathBuf>,
    /// The files.
    files: Vec<FileLine>,
}

/// The file of a sector.
#[derive(JsonSchema, Serialize)]
struct FileLine {
    /// The sector.
    sector: String,
    /// The path of the file.
    file: PathBuf,
    /// The size of the file in bytes.
    bytes: u64,
    /// Whether this call has written it; `false` if a complete file already existed.
    written: bool,
}

fn text(written: &Written) -> String {
    let row = |line: &FileLine| {
        let state = if line.written { "" } else { "unchanged" };
        let bytes = grouped(line.bytes.into());
        vec![line.sector.clone(), line.file.display().to_string(), bytes, state.into()]
    };
    let rows: Vec<Vec<String>> = written.files.iter().map(row).collect();
    let there = written.files.iter().filter(|line| !line.written).count();
    let bytes: u64 = written.files.iter().map(|line| line.bytes).sum();
    let passed = match there {
        0 => String::new(),
        n => format!(", of which {} already existed intact", grouped(n as u128)),
    };
    format!(
        "{}: {}, {}{passed}\n\n{}",
        written.game,
        counted(rows.len() as u128, "file", "files"),
        counted(bytes.into(), "byte", "bytes"),
        table(&["sector", "file", "bytes", ""], &rows)
    )
}
