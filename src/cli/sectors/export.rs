//! `nerode export --format sec`: sectors as Malom's files.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Serialize;

use super::{Share, sectors_or_all, tell_open};
use crate::archive::place::{must_be_outside, must_be_writable};
use crate::cli::destination::is_standard_output;
use crate::cli::output::{Outcome, Output, Progress, counted, grouped, table};
use crate::cli::solve::{Left, stops_midway};
use crate::cli::words::shell;
use crate::morris::malom::{Exported, FileName, Record, SecExport};
use crate::morris::tables::ask::SectorSolution;
use crate::morris::tables::{Sector, num_slots, plan};
use crate::solve::resources::Resources;

/// Which sectors are written, and where they go.
pub(in crate::cli) struct Exporting<'a> {
    pub(in crate::cli) run_dir: &'a Path,
    /// None: all of the directory.
    pub(in crate::cli) sectors: &'a [String],
    pub(in crate::cli) folder: &'a Path,
    pub(in crate::cli) overwrite: bool,
}

impl Exporting<'_> {
    /// The command line that does the same.
    fn command(&self) -> String {
        let [run_dir, folder] = [self.run_dir, self.folder].map(shell);
        let mut command = format!("nerode export {run_dir} --format sec --out {folder}");
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
    /// Digest of what it is made from.
    source: String,
    num_slots: u64,
    standing: Exported,
}

/// Malom's strong files of sectors. Files that an earlier call has written, and that are whole, are passed over.
pub(in crate::cli) fn export_sectors(
    work: &Exporting<'_>,
    resources: &Resources,
    out: &Output,
) -> Result<Outcome> {
    if is_standard_output(work.folder) {
        bail!("Malom's files go into a folder, under the names that Malom gives them; name one with --out");
    }
    must_be_outside(work.folder)?;
    let solution = SectorSolution::open(work.run_dir)?;
    if work.sectors.is_empty() {
        tell_open(&solution.rules, &solution.dir, out)?;
    }
    let progress = out.progress("export");
    let items = items(&solution, work, resources, &progress)?;
    // Beside the tables a byte for each slot of the sector in work is needed.
    let largest = items.iter().map(|item| item.num_slots).max().unwrap_or(0);
    let solution = solution.with_memory(resources.memory.saturating_sub(largest));
    std::fs::create_dir_all(work.folder).with_context(|| format!("cannot make {}", work.folder.display()))?;
    out.continue_with(work.command());
    write_all(&solution, work, &items, resources, &progress)?;
    progress.finish();
    let line = |item: &Item| {
        let bytes = std::fs::metadata(&item.path)?.len();
        let written = item.standing != Exported::Whole;
        Ok(FileLine { sector: item.sector.to_string(), file: item.path.clone(), bytes, written })
    };
    let mut listed: Vec<&Item> = items.iter().collect();
    listed.sort_by_key(|item| item.sector);
    let files = listed.into_iter().map(line).collect::<Result<_>>()?;
    out.result(&Written { game: solution.game.spec(), files }, text)?;
    Ok(Outcome::Done)
}

/// What is to be written, each sector after those that it depends on, and how each file stands.
fn items(
    solution: &SectorSolution,
    work: &Exporting<'_>,
    resources: &Resources,
    progress: &Progress,
) -> Result<Vec<Item>> {
    let (rules, record) = (&solution.rules, Record::open(work.folder));
    let chosen = sectors_or_all(solution, work.sectors)?;
    let units = plan(rules, &chosen)?;
    let mut items = Vec::new();
    for &sector in units.iter().flat_map(|unit| unit.sectors()).filter(|sector| chosen.contains(sector)) {
        resources.must_go_on()?;
        let name = FileName::strong(rules, sector)?;
        progress.message(format!("looking for {name}"));
        let (path, source) = (work.folder.join(name.to_string()), solution.digest(sector)?);
        let standing = record.look(&name, &source)?;
        if standing != Exported::Whole {
            must_be_writable(&path, work.overwrite || standing == Exported::Spoilt)?;
        }
        let num_slots = num_slots(solution.maker(), rules, sector);
        items.push(Item { sector, name, path, source, num_slots, standing });
    }
    Ok(items)
}

fn write_all(
    solution: &SectorSolution,
    work: &Exporting<'_>,
    items: &[Item],
    resources: &Resources,
    progress: &Progress,
) -> Result<()> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(resources.threads).build()?;
    let (whole, open): (Vec<&Item>, Vec<&Item>) =
        items.iter().partition(|item| item.standing == Exported::Whole);
    let slots = |items: &[&Item]| items.iter().map(|item| item.num_slots).sum::<u64>();
    let mut share = Share::new(progress, slots(&whole), slots(&whole) + slots(&open));
    for (at, item) in open.iter().enumerate() {
        share.begin(format!("{}, file {} of {}", item.name, whole.len() + at + 1, items.len()));
        pool.install(|| {
            write_one(solution, work, item, resources, &|done| {
                share.tell((done * item.num_slots as f64) as u64);
            })
        })
        .map_err(|error| {
            let left = format!("{} has {} of {} files", work.folder.display(), whole.len() + at, items.len());
            if stops_midway(&error) { Left::of(error, left) } else { error.into() }
        })?;
        share.end(item.num_slots);
    }
    Ok(())
}

fn write_one(
    solution: &SectorSolution,
    work: &Exporting<'_>,
    item: &Item,
    resources: &Resources,
    watch: &(dyn Fn(f64) + Sync),
) -> crate::error::Result<()> {
    resources.disk.must_hold(&item.path, item.num_slots)?;
    let (table, mut known) = solution.with_children(item.sector)?;
    known.insert(item.sector, table);
    let export = SecExport {
        rules: &solution.rules,
        maker: solution.maker(),
        interrupt: &resources.interrupt,
        overwrite: work.overwrite || item.standing == Exported::Spoilt,
        watch,
    };
    export.write(&[], &known, item.sector, &item.path, |file| {
        Record::open(work.folder).note(&item.name, &item.source, file)
    })
}

#[derive(Serialize)]
struct Written {
    game: String,
    files: Vec<FileLine>,
}

#[derive(Serialize)]
struct FileLine {
    sector: String,
    file: PathBuf,
    bytes: u64,
    /// Written by this call; not so where a whole file was there.
    written: bool,
}

fn text(written: &Written) -> String {
    let row = |line: &FileLine| {
        let state = if line.written { "" } else { "was there" };
        let bytes = grouped(line.bytes.into());
        vec![line.sector.clone(), line.file.display().to_string(), bytes, state.into()]
    };
    let rows: Vec<Vec<String>> = written.files.iter().map(row).collect();
    let there = written.files.iter().filter(|line| !line.written).count();
    let bytes: u64 = written.files.iter().map(|line| line.bytes).sum();
    let passed = match there {
        0 => String::new(),
        n => format!(", {} of them there already and whole", grouped(n as u128)),
    };
    format!(
        "{}: {}, {}{passed}\n\n{}",
        written.game,
        counted(rows.len() as u128, "file", "files"),
        counted(bytes.into(), "byte", "bytes"),
        table(&["sector", "file", "bytes", ""], &rows)
    )
}
