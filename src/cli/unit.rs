//! `nerode unit GAME SECTOR`: one work unit of a morris game, from the files of those that it needs.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, bail};
use serde::Serialize;

use super::output::{Outcome, Output};
use super::resources::{ResourceArgs, peak_rss_bytes};
use super::sectors::{SectorLine, sector_table, sectors_named};
use crate::morris::tables::ask::named_game;
use crate::morris::tables::{Runner, Sector, SectorCounts, SectorDir, Unit, UnitDone};

/// Arguments of `unit`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The game, such as morris:nine
    game: String,
    /// A sector of the unit
    sector: String,
    /// The directory of sectors
    #[arg(long, value_name = "DIR")]
    run_dir: PathBuf,
    #[command(flatten)]
    resources: ResourceArgs,
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

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
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
    let runner = Runner::new(&rules, &dir, resources.memory, &resources.interrupt);
    let mut runner = runner.with_disk(resources.disk.clone());
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
