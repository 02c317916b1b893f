//! `nerode export --format sec`: sectors as Malom's files.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Serialize;

use super::sectors_or_all;
use crate::archive::place::{must_be_outside, must_be_writable};
use crate::cli::destination::is_standard_output;
use crate::cli::output::{Outcome, Output, grouped, table};
use crate::morris::malom::{FileName, export_sec};
use crate::morris::tables::Sector;
use crate::morris::tables::ask::SectorSolution;
use crate::solve::resources::Resources;

/// Malom's strong files of the sectors named, or of all, in the folder `folder`.
pub(in crate::cli) fn export_sectors(
    run_dir: &Path,
    sectors: &[String],
    folder: &Path,
    overwrite: bool,
    resources: &Resources,
    out: &Output,
) -> Result<Outcome> {
    if is_standard_output(folder) {
        bail!("Malom's files go into a folder, under the names that Malom gives them; name one with --out");
    }
    must_be_outside(folder)?;
    let solution = SectorSolution::open(run_dir)?.with_memory(resources.memory);
    let sectors = sectors_or_all(&solution, sectors)?;
    let file = |sector| -> Result<PathBuf> {
        Ok(folder.join(FileName::strong(&solution.rules, sector)?.to_string()))
    };
    let sectors: Vec<(Sector, PathBuf)> =
        sectors.into_iter().map(|sector| Ok((sector, file(sector)?))).collect::<Result<_>>()?;
    for (_, file) in &sectors {
        must_be_writable(file, overwrite)?;
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(resources.threads).build()?;
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut files = Vec::new();
    let progress = out.progress("export");
    let total = sectors.len();
    for (sector, file) in sectors {
        progress.item(format!("sector {sector}"), files.len(), total);
        let (table, mut known) = solution.with_children(sector)?;
        known.insert(sector, table);
        let export = || export_sec(&solution.rules, &[], &known, sector, &file, &resources.interrupt);
        pool.install(export)?;
        let bytes = std::fs::metadata(&file)?.len();
        files.push(FileLine { sector: sector.to_string(), file, bytes });
        solution.forget();
    }
    progress.finish();
    out.result(&Exported { game: solution.game.spec(), files }, |exported| {
        let row = |line: &FileLine| {
            vec![line.sector.clone(), line.file.display().to_string(), grouped(line.bytes.into())]
        };
        table(&["sector", "file", "bytes"], &exported.files.iter().map(row).collect::<Vec<_>>())
    })?;
    Ok(Outcome::Done)
}

#[derive(Serialize)]
struct Exported {
    game: String,
    files: Vec<FileLine>,
}

#[derive(Serialize)]
struct FileLine {
    sector: String,
    file: PathBuf,
    bytes: u64,
}
