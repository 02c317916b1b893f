//! The command `nerode plan GAME`, which lists the work units of a morris game for a scheduler.

use std::path::PathBuf;

use anyhow::Result;
use schemars::JsonSchema;
use serde::Serialize;

use super::output::{Outcome, Output, counted, grouped, table};
use super::sectors::sectors_named;
use super::words::directory;
use nerode_morris::tables::name::named_game;
use nerode_morris::tables::{IndexMaker, Sector, SectorDir, Unit, bytes_to_solve, num_slots, plan};
use nerode_solver::archive::claim::must_be_free_for;
use nerode_solver::archive::contents::Contents;

/// Arguments of `plan`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The game, such as morris:nine
    game: String,
    /// The sectors to plan, such as 4-3-0-0 (stones of the side to move and of the other side on the board, then in hand);
    /// 'start' for that of the empty board; or 'malom' for all sectors of Malom's database of the game
    #[arg(long, value_delimiter = ',', value_name = "SECTOR", default_value = "start")]
    sector: Vec<String>,
    /// Show for each unit whether it is solved in this directory
    #[arg(long, value_name = "DIR", value_parser = directory())]
    run_dir: Option<PathBuf>,
}

/// A work unit.
#[derive(JsonSchema, Serialize)]
struct UnitLine {
    /// The first sector of the unit, which names it.
    unit: String,
    /// The sectors that are solved together.
    sectors: Vec<String>,
    /// The units that must be solved first.
    needs: Vec<String>,
    /// The number of slots of its tables.
    slots: u64,
    /// The number of bytes of memory that solving takes, including the sectors that the unit leads to.
    bytes: u64,
    /// Whether the directory contains it, or null if no directory was given.
    solved: Option<bool>,
    /// Whether another process is currently solving it, or null if no directory was given.
    in_work: Option<bool>,
}

/// The work units of a morris game, each after those that it needs.
#[derive(JsonSchema, Serialize)]
pub(super) struct Plan {
    /// The game with its parameters, such as `morris:nine`.
    game: String,
    /// The hash of the rules.
    fingerprint: String,
    /// The units.
    units: Vec<UnitLine>,
    /// The number of slots of all tables.
    slots: u64,
    /// The number of sectors of all units.
    num_sectors: usize,
    /// The part of the units that the directory already contains, or null if no directory was given.
    there: Option<There>,
}

/// Units and sectors that are already solved.
#[derive(JsonSchema, Serialize)]
struct There {
    /// The number of solved units.
    num_units: usize,
    /// The number of solved sectors.
    num_sectors: usize,
    /// The total size of their files in bytes.
    bytes: u64,
}

impl There {
    /// Collects the sectors of `units` that `dir` contains, if there is such a directory.
    fn of(dir: Option<&SectorDir>, units: &[Unit]) -> Result<Self> {
        let files = dir.map_or(Ok(Vec::new()), SectorDir::sectors)?;
        let is_asked = |sector: Sector| units.iter().any(|unit| unit.sectors().contains(&sector));
        let files: Vec<_> = files.iter().filter(|file| is_asked(file.sector)).collect();
        Ok(Self {
            num_units: units.iter().filter(|unit| dir.is_some_and(|dir| dir.has(unit))).count(),
            num_sectors: files.len(),
            bytes: files.iter().map(|file| file.bytes).sum(),
        })
    }
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    let (_, rules, name) = named_game(&args.game)?;
    if let Some(path) = &args.run_dir {
        must_be_free_for(path, Contents::Sectors)?;
    }
    let dir = match &args.run_dir {
        Some(path) if SectorDir::exists(path) => Some(SectorDir::create(path, name.clone(), "")?),
        _ => None,
    };
    let maker = IndexMaker::new(&rules.board);
    let slots_of = |sector: &Sector| num_slots(&maker, &rules, *sector);
    let line = |unit: &Unit| -> Result<UnitLine> {
        let secondary = unit.secondary(&rules);
        let slots: u64 = unit.sectors().iter().map(slots_of).sum();
        let mut needs: Vec<String> =
            secondary.iter().map(|&sector| Unit::of(&rules, sector).first().to_string()).collect();
        needs.dedup();
        let solved = dir.as_ref().is_some_and(|dir| dir.has(unit));
        let in_work = !solved && dir.as_ref().map_or(Ok(false), |dir| dir.is_in_work(unit))?;
        Ok(UnitLine {
            unit: unit.first().to_string(),
            sectors: unit.sectors().iter().map(Sector::to_string).collect(),
            needs,
            slots,
            bytes: bytes_to_solve(&maker, &rules, unit),
            solved: args.run_dir.as_ref().map(|_| solved),
            in_work: args.run_dir.as_ref().map(|_| in_work),
        })
    };
    let units = plan(&rules, &sectors_named(&rules, &args.sector)?)?;
    let there = args.run_dir.as_ref().map(|_| There::of(dir.as_ref(), &units)).transpose()?;
    let units: Vec<UnitLine> = units.iter().map(line).collect::<Result<_>>()?;
    let planned = Plan {
        game: name.spec,
        fingerprint: name.fingerprint,
        slots: units.iter().map(|unit| unit.slots).sum(),
        num_sectors: units.iter().map(|unit| unit.sectors.len()).sum(),
        units,
        there,
    };
    out.result(&planned, text)?;
    Ok(Outcome::Done)
}

fn text(plan: &Plan) -> String {
    let rows: Vec<Vec<String>> = plan
        .units
        .iter()
        .map(|unit| {
            let state = match (unit.solved, unit.in_work) {
                (Some(true), _) => "solved",
                (Some(false), Some(true)) => "in progress",
                (Some(false), _) => "open",
                (None, _) => "",
            };
            let bytes = grouped(unit.bytes.into());
            let sectors = unit.sectors.join(" ");
            vec![sectors, grouped(unit.slots.into()), bytes, unit.needs.join(" "), state.into()]
        })
        .collect();
    let there = plan.there.as_ref().map_or(String::new(), |there| {
        format!(
            "\nsolved: {} of {}, {} of {}, {}",
            counted(there.num_units as u128, "work unit", "work units"),
            grouped(plan.units.len() as u128),
            counted(there.num_sectors as u128, "sector", "sectors"),
            grouped(plan.num_sectors as u128),
            counted(there.bytes.into(), "byte", "bytes")
        )
    });
    format!(
        "{}: {}, {}, {}{there}\n\n{}",
        plan.game,
        counted(plan.units.len() as u128, "work unit", "work units"),
        counted(plan.num_sectors as u128, "sector", "sectors"),
        counted(plan.slots.into(), "slot", "slots"),
        table(&["unit", "slots", "bytes to solve", "needs", ""], &rows)
    )
}
