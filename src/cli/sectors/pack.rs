//! `nerode pack` for a directory of sectors.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result;
use serde::Serialize;

use super::sectors_or_all;
use crate::cli::output::{Outcome, Output, grouped, table};
use crate::morris::compressed::{PackedSector, pack_directory};
use crate::morris::tables::ask::SectorSolution;
use crate::solve::resources::Resources;

/// Which sectors are packed, and where they go.
pub(in crate::cli) struct Packing<'a> {
    /// None: all of the directory.
    pub(in crate::cli) sectors: &'a [String],
    pub(in crate::cli) folder: &'a Path,
    pub(in crate::cli) overwrite: bool,
}

#[derive(Serialize)]
struct Line {
    sector: String,
    orbits: String,
    bytes: u64,
    orbits_per_byte: f64,
    how: String,
}

#[derive(Serialize)]
struct Packed {
    game: String,
    folder: PathBuf,
    depths: bool,
    sectors: Vec<Line>,
    orbits: String,
    bytes: u64,
    seconds: f64,
}

/// Packs sectors, reads each back and asks it for every position.
pub(in crate::cli) fn pack_sectors(
    run_dir: &Path,
    work: &Packing<'_>,
    resources: &Resources,
    out: &Output,
) -> Result<Outcome> {
    let began = Instant::now();
    let solution = SectorSolution::open(run_dir)?.with_memory(resources.memory);
    let sectors = sectors_or_all(&solution, work.sectors)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(resources.threads).build()?;
    let progress = out.progress("pack");
    let mut watch = |sector| progress.message(format!("sector {sector}"));
    let packed = pool.install(|| {
        let (folder, overwrite) = (work.folder, work.overwrite);
        pack_directory(&solution, &sectors, folder, overwrite, &resources.interrupt, &mut watch)
    })?;
    progress.finish();
    let line = |packed: &PackedSector| Line {
        sector: packed.sector.to_string(),
        orbits: packed.num_positions.to_string(),
        bytes: packed.bytes,
        orbits_per_byte: packed.num_positions as f64 / packed.bytes.max(1) as f64,
        how: packed.how.clone(),
    };
    let written = Packed {
        game: solution.game.spec(),
        folder: work.folder.into(),
        depths: false,
        orbits: packed.iter().map(|packed| packed.num_positions).sum::<u64>().to_string(),
        bytes: packed.iter().map(|packed| packed.bytes).sum(),
        sectors: packed.iter().map(line).collect(),
        seconds: began.elapsed().as_secs_f64(),
    };
    out.result(&written, text)?;
    Ok(Outcome::Done)
}

fn text(written: &Packed) -> String {
    let number = |text: &str| text.parse().map_or_else(|_| text.to_string(), grouped);
    let row = |line: &Line| {
        vec![
            line.sector.clone(),
            number(&line.orbits),
            grouped(line.bytes.into()),
            format!("{:.1}", line.orbits_per_byte),
            line.how.clone(),
        ]
    };
    let rows: Vec<Vec<String>> = written.sectors.iter().map(row).collect();
    format!(
        "{}, packed sectors without depths in {}, {:.2} s\n{} orbits in {} bytes, each looked up in what was written\n\n{}",
        written.game,
        written.folder.display(),
        written.seconds,
        number(&written.orbits),
        grouped(written.bytes.into()),
        table(&["sector", "orbits", "bytes", "orbits/byte", "kept as"], &rows)
    )
}
