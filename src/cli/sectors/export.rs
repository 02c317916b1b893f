//! `nerode export --format sec`: sectors as Malom's files.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Serialize;

use super::sectors_or_all;
use crate::cli::output::{Outcome, Output, grouped, table};
use crate::morris::malom::{FileName, export_sec};
use crate::morris::tables::ask::SectorSolution;
use crate::solve::resources::Resources;

/// Malom's strong files of the sectors named, or of all, in the folder `folder`.
pub(in crate::cli) fn export_sectors(
    run_dir: &Path,
    sectors: &[String],
    folder: &Path,
    resources: &Resources,
    out: &Output,
) -> Result<Outcome> {
    let solution = SectorSolution::open(run_dir)?;
    let sectors = sectors_or_all(&solution, sectors)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(resources.threads).build()?;
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut files = Vec::new();
    for sector in sectors {
        let (table, mut known) = solution.with_children(sector)?;
        known.insert(sector, table);
        let file = folder.join(FileName::strong(&solution.rules, sector)?.to_string());
        let export = || export_sec(&solution.rules, &[], &known, sector, &file, &resources.interrupt);
        pool.install(export)?;
        let bytes = std::fs::metadata(&file)?.len();
        files.push(FileLine { sector: sector.to_string(), file, bytes });
        solution.forget();
    }
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
