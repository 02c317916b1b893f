//! `nerode plan GAME`: work units of a morris game, for a scheduler to hand out.

use std::path::PathBuf;

use anyhow::Result;
use serde::Serialize;

use super::output::{Outcome, Output, grouped, table};
use super::sectors::sectors_named;
use crate::morris::tables::ask::named_game;
use crate::morris::tables::{IndexMaker, Sector, SectorDir, Unit, bytes_to_solve, num_slots, plan};

/// Arguments of `plan`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The game, such as morris:nine
    game: String,
    /// Sectors wanted, such as 4-3-0-0 (stones on the board of the side to move, of the other, in hand of both), or start
    #[arg(long, value_delimiter = ',', value_name = "SECTOR", default_value = "start")]
    sector: Vec<String>,
    /// Say of each unit whether it is solved in this directory
    #[arg(long, value_name = "DIR")]
    run_dir: Option<PathBuf>,
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

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
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
            bytes: bytes_to_solve(&maker, &rules, unit),
            solved: args.run_dir.as_ref().map(|_| dir.as_ref().is_some_and(|dir| dir.has(unit))),
        }
    };
    let units: Vec<UnitLine> =
        plan(&rules, &sectors_named(&rules, &args.sector)?)?.iter().map(line).collect();
    let slots = units.iter().map(|unit| unit.slots).sum();
    out.result(&Plan { game: name.spec, fingerprint: name.fingerprint, units, slots }, text)?;
    Ok(Outcome::Done)
}

fn text(plan: &Plan) -> String {
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
