//! The command `nerode pack` for a directory of sectors.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result;
use schemars::JsonSchema;
use serde::Serialize;

use super::sectors_or_all;
use crate::cli::output::{Count, Outcome, Output, counted, duration, grouped, per_byte, table};
use nerode_morris::compressed::{self, LookAhead, PackedSector, PackedSectors, Progress, pack_directory};
use nerode_morris::tables::ask::SectorSolution;
use nerode_solver::solve::resources::Resources;

/// The sectors to pack and their destination.
pub(in crate::cli) struct Packing<'a> {
    /// The sectors. An empty list stands for all sectors of the directory.
    pub(in crate::cli) sectors: &'a [String],
    pub(in crate::cli) folder: &'a Path,
    pub(in crate::cli) overwrite: bool,
    pub(in crate::cli) look_ahead: LookAhead,
    /// Whether depths are stored.
    pub(in crate::cli) depths: bool,
    /// Another database whose files may be reused.
    pub(in crate::cli) reuse: Option<&'a Path>,
}

/// A packed sector.
#[derive(JsonSchema, Serialize)]
struct Line {
    /// The sector.
    sector: String,
    /// The number of positions, up to symmetry.
    orbits: Count,
    /// The number of these positions that were looked up in the written files and compared.
    looked_up: Count,
    /// The size of the file in bytes, or 0 for a sector that is derived from others.
    bytes: u64,
    /// The number of orbits per byte, or null if the sector takes no bytes.
    orbits_per_byte: Option<f64>,
    /// The form in which it is stored.
    how: String,
}

/// The packed sectors of a morris game.
#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct Packed {
    /// The game with its parameters, such as `morris:nine`.
    game: String,
    /// The folder of the packed sectors.
    folder: PathBuf,
    /// Whether they include depths.
    depths: bool,
    /// The number of plies that a look-up in a sector without a file searches at most.
    look_ahead: u32,
    /// The number of stones in hand of both sides up to which sectors were omitted, or null for any number.
    in_hand: Option<u8>,
    /// The sectors.
    sectors: Vec<Line>,
    /// The number of orbits of all sectors.
    orbits: Count,
    /// The number of orbits that were looked up.
    looked_up: Count,
    /// The total size of the files in bytes.
    bytes: u64,
    /// The elapsed time in seconds.
    seconds: f64,
}

/// Packs sectors, reads each of them back and looks up positions in it.
pub(in crate::cli) fn pack_sectors(
    run_dir: &Path,
    work: &Packing<'_>,
    resources: &Resources,
    out: &Output,
) -> Result<Outcome> {
    let began = Instant::now();
    let solution = SectorSolution::open(run_dir)?.with_memory(resources.memory);
    let sectors = sectors_or_all(&solution, work.sectors)?;
    let pool = resources.pool()?;
    let progress = out.progress("pack");
    let mut watch = |now: &Progress| {
        let share = 100.0 * now.slots as f64 / now.all_slots.max(1) as f64;
        let message = format!(
            "sector {}, {} of {}, {share:.1} % of all slots",
            now.sector,
            grouped(now.packed as u128),
            counted(now.all as u128, "sector", "sectors")
        );
        progress.message(message);
    };
    let reuse = work.reuse.map(PackedSectors::open).transpose()?;
    let packing = compressed::Packing {
        sectors: &sectors,
        folder: work.folder,
        overwrite: work.overwrite,
        look_ahead: work.look_ahead,
        depths: work.depths,
        reuse: reuse.as_ref(),
        interrupt: &resources.interrupt,
    };
    let packed = pool.install(|| pack_directory(&solution, &packing, &mut watch))?;
    progress.finish();
    let line = |packed: &PackedSector| Line {
        sector: packed.sector.to_string(),
        orbits: packed.num_positions.into(),
        looked_up: packed.looked_up.into(),
        bytes: packed.bytes,
        orbits_per_byte: (packed.bytes > 0).then(|| packed.num_positions as f64 / packed.bytes as f64),
        how: packed.how.clone(),
    };
    let written = Packed {
        game: solution.game.spec(),
        folder: work.folder.into(),
        depths: work.depths,
        look_ahead: work.look_ahead.plies,
        in_hand: work.look_ahead.in_hand,
        looked_up: packed.iter().map(|packed| packed.looked_up).sum::<u64>().into(),
        orbits: packed.iter().map(|packed| packed.num_positions).sum::<u64>().into(),
        bytes: packed.iter().map(|packed| packed.bytes).sum(),
        sectors: packed.iter().map(line).collect(),
        seconds: began.elapsed().as_secs_f64(),
    };
    out.result(&written, text)?;
    Ok(Outcome::Done)
}

fn text(written: &Packed) -> String {
    let row = |line: &Line| {
        vec![
            line.sector.clone(),
            grouped(line.orbits.0),
            grouped(line.bytes.into()),
            line.orbits_per_byte.map_or_else(String::new, per_byte),
            line.how.clone(),
        ]
    };
    let rows: Vec<Vec<String>> = written.sectors.iter().map(row).collect();
    format!(
        "{}, packed sectors {} depths in {}, {}\n{} in {}, {} looked up in the written files\n\n{}",
        written.game,
        if written.depths { "with" } else { "without" },
        written.folder.display(),
        duration(written.seconds),
        counted(written.orbits.0, "orbit", "orbits"),
        counted(written.bytes.into(), "byte", "bytes"),
        if written.looked_up == written.orbits { "each".into() } else { grouped(written.looked_up.0) },
        table(&["sector", "orbits", "bytes", "orbits/byte", "stored as"], &rows)
    )
}
