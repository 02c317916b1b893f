//! `nerode morris plan` and `nerode morris unit`: work units for a scheduler to hand out.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, bail};
use serde::Serialize;

use super::output::{Outcome, Output, grouped, table};
use super::resources::{ResourceArgs, peak_rss_bytes};
use super::sectors::{SectorLine, sector_table, sectors_named};
use crate::morris::tables::ask::named_game;
use crate::morris::tables::run::num_slots;
use crate::morris::tables::{IndexMaker, Runner, Sector, SectorCounts, SectorDir, Unit, UnitDone, plan};

/// Arguments of `morris`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// List the work units that a sector depends on, each after those that it needs itself
    Plan(PlanArgs),
    /// Solve one work unit from the files of those that it needs
    Unit(UnitArgs),
}

#[derive(Debug, clap::Args)]
struct PlanArgs {
    /// The game, such as morris:nine
    game: String,
    /// Sectors wanted, such as 4-3-0-0 (stones on the board of the side to move, of the other, in hand of both), or start
    #[arg(long, value_delimiter = ',', default_value = "start")]
    sector: Vec<String>,
    /// Say of each unit whether it is solved in this directory
    #[arg(long)]
    run_dir: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
struct UnitArgs {
    /// The game, such as morris:nine
    game: String,
    /// A sector of the unit
    sector: String,
    /// The directory of sectors
    #[arg(long)]
    run_dir: PathBuf,
    #[command(flatten)]
    resources: ResourceArgs,
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    match &args.command {
        Command::Plan(args) => print_plan(args, out),
        Command::Unit(args) => solve_unit(args, out),
    }
}

#[derive(Serialize)]
struct UnitLine {
    unit: String,
    sectors: Vec<String>,
    /// Units that must be solved before.
    needs: Vec<String>,
    slots: u64,
    /// Bytes of memory that solving takes, with what the unit leads to.
    bytes: u64,
    solved: Option<bool>,
}

#[derive(Serialize)]
struct Plan {
    game: String,
    fingerprint: String,
    units: Vec<UnitLine>,
    slots: u64,
}

fn print_plan(args: &PlanArgs, out: &Output) -> Result<Outcome> {
    let (_, rules, name) = named_game(&args.game)?;
    let dir = match &args.run_dir {
        Some(path) if SectorDir::exists(path) => Some(SectorDir::create(path, name.clone(), "")?),
        _ => None,
    };
    let maker = IndexMaker::new(&rules.board);
    let slots_of = |sector: &Sector| num_slots(&maker, &rules, *sector);
    let line = |unit: &Unit| {
        let secondary = unit.secondary(&rules);
        let slots: u64 = unit.sectors().iter().map(slots_of).sum();
        let mut needs: Vec<String> =
            secondary.iter().map(|&sector| Unit::of(&rules, sector).first().to_string()).collect();
        needs.dedup();
        UnitLine {
            unit: unit.first().to_string(),
            sectors: unit.sectors().iter().map(Sector::to_string).collect(),
            needs,
            slots,
            bytes: slots + slots / 8 + secondary.iter().map(slots_of).sum::<u64>(),
            solved: args.run_dir.as_ref().map(|_| dir.as_ref().is_some_and(|dir| dir.has(unit))),
        }
    };
    let units: Vec<UnitLine> =
        plan(&rules, &sectors_named(&rules, &args.sector)?)?.iter().map(line).collect();
    let slots = units.iter().map(|unit| unit.slots).sum();
    out.result(&Plan { game: name.spec, fingerprint: name.fingerprint, units, slots }, plan_text)?;
    Ok(Outcome::Done)
}

fn plan_text(plan: &Plan) -> String {
    let rows: Vec<Vec<String>> = plan
        .units
        .iter()
        .map(|unit| {
            let state = match unit.solved {
                Some(true) => "solved",
                Some(false) => "open",
                None => "",
            };
            let bytes = grouped(unit.bytes.into());
            vec![unit.unit.clone(), grouped(unit.slots.into()), bytes, unit.needs.join(" "), state.into()]
        })
        .collect();
    format!(
        "{}: {} work units, {} slots\n\n{}",
        plan.game,
        plan.units.len(),
        grouped(plan.slots.into()),
        table(&["unit", "slots", "bytes to solve", "needs", ""], &rows)
    )
}

#[derive(Serialize)]
struct UnitSolved {
    game: String,
    fingerprint: String,
    unit: String,
    sectors: Vec<SectorLine>,
    /// Reading what the unit leads to, solving, writing.
    seconds_read: f64,
    seconds_solve: f64,
    seconds_write: f64,
    seconds: f64,
    peak_rss_bytes: Option<u64>,
}

fn solve_unit(args: &UnitArgs, out: &Output) -> Result<Outcome> {
    let began = Instant::now();
    let (game, rules, name) = named_game(&args.game)?;
    let [sector] = sectors_named(&rules, std::slice::from_ref(&args.sector))?[..] else {
        bail!("one sector is needed");
    };
    if !sector.is_played(&rules) {
        bail!("sector {sector} does not exist in {}", name.spec);
    }
    let resources = args.resources.resolve()?;
    let dir = SectorDir::create(&args.run_dir, name.clone(), &game.rules())?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(resources.threads).build()?;
    let mut runner = Runner::new(&rules, &dir, resources.memory, &resources.interrupt);
    let done = pool.install(|| runner.solve(&Unit::of(&rules, sector)))?;
    let solved = UnitSolved {
        game: name.spec,
        fingerprint: name.fingerprint,
        unit: done.unit.first().to_string(),
        sectors: unit_lines(&dir, &done)?,
        seconds_read: done.seconds[0],
        seconds_solve: done.seconds[1],
        seconds_write: done.seconds[2],
        seconds: began.elapsed().as_secs_f64(),
        peak_rss_bytes: peak_rss_bytes(),
    };
    out.result(&solved, |s| {
        format!(
            "{}, unit {}\n\n{}\nread {:.2} s, solved {:.2} s, written {:.2} s\n",
            s.game,
            s.unit,
            sector_table(&s.sectors),
            s.seconds_read,
            s.seconds_solve,
            s.seconds_write
        )
    })?;
    Ok(Outcome::Done)
}

/// The sectors of a unit that was solved just now.
fn unit_lines(dir: &SectorDir, done: &UnitDone) -> Result<Vec<SectorLine>> {
    let line = |(sector, counts): &(Sector, SectorCounts)| {
        let file = dir.file(*sector);
        let bytes = std::fs::metadata(&file)?.len();
        Ok(SectorLine::new(*sector, counts, file, bytes))
    };
    done.counts.iter().map(line).collect()
}
