//! The command `nerode pack DIR`, which compresses the values of a run or the sectors of a morris game.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Result, bail};
use clap::ValueEnum;
use nerode_games::Side;
use schemars::JsonSchema;
use serde::Serialize;

use super::choices::number;
use super::output::{Outcome, Output, duration, grouped, table};
use super::resources::ResourceArgs;
use super::sectors::{Packing, pack_sectors};
use super::solutions::stored_solution;
use super::words::directory;
use crate::registry;
use nerode_morris::compressed::LookAhead;
use nerode_morris::tables::SectorDir;
use nerode_solver::archive::compact::{write_care, write_maps};
use nerode_solver::archive::packing::write_reached;
use nerode_solver::archive::run_dir::{Kind, SetEntry};
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::archive::values::{FOLDER, FileEntry, Manifest, set_name};
use nerode_solver::solve::method::Method;
use nerode_solver::solve::resources::Resources;
use nerode_solver::stored::Coverage;

/// Arguments of `pack`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The directory of a solved game: a run, or sectors of a morris game; or a game that is solved in 'runs'
    #[arg(value_name = "DIR")]
    run_dir: PathBuf,
    /// Omit the depths, which makes the files smaller; query reads them from the sets of the run
    #[arg(long)]
    no_depths: bool,
    /// Store only the values of the positions in a care set, and no depths, which takes fewer bytes. Queries of all other
    /// positions are answered 'not covered'. Requires --out, because query uses the default folder for all positions
    #[arg(long, value_enum, requires = "out", conflicts_with = "no_depths")]
    care: Option<CareArg>,
    /// The sectors to pack, such as 4-3-0-0, with all their dependencies [default: all in the directory]
    #[arg(long, value_delimiter = ',', value_name = "SECTOR", conflicts_with_all = ["care", "no_depths"])]
    sector: Vec<String>,
    /// For a morris game: omit sectors whose values can be derived by looking this many plies ahead, which makes the files
    /// smaller and queries slower
    #[arg(long, value_name = "PLIES", default_value_t = 0, value_parser = number(0..=3u32))]
    look_ahead: u32,
    /// With --look-ahead: omit only sectors with at most this many stones in hand, of both sides together [default: any
    /// number]
    #[arg(long, value_name = "STONES", requires = "look_ahead", value_parser = number(0..=u8::MAX))]
    in_hand: Option<u8>,
    /// For a morris game: also store the plies to the end, which takes many times as much space
    #[arg(long, conflicts_with_all = ["no_depths", "care"])]
    depths: bool,
    /// Another packed database of this game, from which sectors are copied if they were packed from the same tables
    #[arg(long, value_name = "PACKED", value_parser = directory())]
    reuse: Option<PathBuf>,
    /// The folder to write [default: 'values' in the directory, where query finds it, or 'packed' for sectors]
    #[arg(long, value_name = "DIR", value_parser = directory())]
    out: Option<PathBuf>,
    /// Replace the contents of the folder
    #[arg(long)]
    overwrite: bool,
    #[command(flatten)]
    resources: ResourceArgs,
}

impl Args {
    fn look_ahead(&self) -> LookAhead {
        LookAhead { plies: self.look_ahead, in_hand: self.in_hand }
    }
}

/// Care sets by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CareArg {
    /// Positions that a short rule of the game admits, such as one about the numbers of pieces
    Admissible,
}

/// The values of a run, as one automaton for each side.
#[derive(JsonSchema, Serialize)]
pub(super) struct Written {
    /// The game with its parameters, such as `breakthrough:4x5`.
    game: String,
    /// The folder of the values.
    folder: PathBuf,
    /// Whether the values include depths.
    depths: bool,
    /// The care set, or null for all positions.
    care: Option<String>,
    /// The positions that the values cover.
    covers: Coverage,
    /// The files by name.
    files: BTreeMap<String, FileEntry>,
    /// The sets of the run that were restricted to the care set, by name.
    restricted: BTreeMap<String, SetEntry>,
    /// The elapsed time in seconds.
    seconds: f64,
}

pub(super) fn run(mut args: Args, out: &Output) -> Result<Outcome> {
    args.run_dir = stored_solution(&args.run_dir)?;
    let args = &args;
    let began = Instant::now();
    if SectorDir::exists(&args.run_dir) {
        if args.care.is_some() {
            bail!("--care applies to runs of sets, and {} contains sectors", args.run_dir.display());
        }
        let folder = args.out.clone().unwrap_or_else(|| args.run_dir.join("packed"));
        let (overwrite, look_ahead, depths) = (args.overwrite, args.look_ahead(), args.depths);
        let reuse = args.reuse.as_deref();
        let work = Packing { sectors: &args.sector, folder: &folder, overwrite, look_ahead, depths, reuse };
        return pack_sectors(&args.run_dir, &work, &args.resources.resolve()?, out);
    }
    if args.depths {
        bail!(
            "--depths applies to directories of sectors, and {} is not one: values of a run include depths",
            args.run_dir.display()
        );
    }
    if args.reuse.is_some() {
        bail!("--reuse applies to directories of sectors, and {} is not one", args.run_dir.display());
    }
    if args.look_ahead != 0 || args.in_hand.is_some() {
        bail!("--look-ahead applies to directories of sectors, and {} is not one", args.run_dir.display());
    }
    if !args.sector.is_empty() {
        bail!("--sector applies to directories of sectors, and {} is not one", args.run_dir.display());
    }
    let resources = args.resources.resolve()?;
    let solution = StoredRun::open_with(&args.run_dir, registry())?.with_memory(resources.memory);
    let folder = args.out.clone().unwrap_or_else(|| args.run_dir.join(FOLDER));
    let manifest = match args.care {
        None if solution.method() == Method::Meet => pack_reached(&solution, args, &folder, &resources, out)?,
        Some(CareArg::Admissible) => write_care(&solution, &folder, args.overwrite, &resources)?,
        None => {
            let progress = out.progress("pack");
            let mut watch = |side: u32, sides: u32| {
                progress.item(format!("side {side}"), side as usize, sides as usize);
            };
            let depths = !args.no_depths;
            let manifest = write_maps(&solution, &folder, depths, args.overwrite, &resources, &mut watch)?;
            progress.finish();
            manifest
        }
    };
    let mut restricted = BTreeMap::new();
    if args.care.is_some() {
        for side in Side::BOTH {
            for kind in [Kind::W, Kind::L, Kind::D] {
                let entry = solution.entry(kind, side, solution.last_ply())?;
                restricted.insert(set_name(kind, side), entry.clone());
            }
        }
    }
    let written = Written {
        game: solution.game.spec(),
        folder,
        depths: manifest.has_depths(),
        care: manifest.care().map(str::to_string),
        covers: match args.care {
            Some(CareArg::Admissible) => Coverage::CareSet,
            None => Coverage::of(solution.run.request()),
        },
        restricted,
        files: manifest.files().map(|(name, entry)| (name.to_string(), entry.clone())).collect(),
        seconds: began.elapsed().as_secs_f64(),
    };
    out.result(&written, text)?;
    Ok(Outcome::Done)
}

/// Packs the reached positions of a run by meet in the middle.
fn pack_reached(
    run: &StoredRun,
    args: &Args,
    folder: &Path,
    resources: &Resources,
    out: &Output,
) -> Result<Manifest> {
    if args.no_depths {
        bail!(
            "--no-depths applies to retrograde runs, and packed values of reached positions have no depths"
        );
    }
    let progress = out.progress("pack");
    let mut watch = |ply: u32, plies: u32| progress.item(format!("ply {ply}"), ply as usize, plies as usize);
    let manifest = write_reached(run, folder, args.overwrite, resources, &mut watch)?;
    progress.finish();
    Ok(manifest)
}

fn text(written: &Written) -> String {
    let count = |n: u64| grouped(u128::from(n));
    let row = |(name, entry): (&String, &FileEntry)| {
        let mut row = vec![name.clone(), count(entry.num_states()), count(entry.stored().bytes())];
        if let Some(set) = written.restricted.get(name) {
            row.extend([count(set.num_states()), count(set.stored().bytes())]);
        } else if !written.restricted.is_empty() {
            row.extend([String::new(), String::new()]);
        }
        row
    };
    let rows: Vec<Vec<String>> = written.files.iter().map(row).collect();
    let mut header = vec!["file", "states", "bytes"];
    let mut what = if written.depths { "with depths" } else { "without depths" }.to_string();
    match (&written.care, written.covers) {
        (None, _) => {}
        (Some(_), Coverage::AdmissiblePositions) => what += &format!(" of {}", written.covers),
        (Some(care), _) => what += &format!(" on the {care} positions"),
    }
    if !written.restricted.is_empty() {
        header.extend(["states in run", "bytes in run"]);
    }
    let folder = written.folder.display();
    format!(
        "{}, values {what} in {folder}, {}\n{}",
        written.game,
        duration(written.seconds),
        table(&header, &rows)
    )
}
