//! `nerode import GAME FILE...`: databases of others into a directory of sectors.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, bail};
use serde::Serialize;

use super::output::{Outcome, Output};
use super::resources::ResourceArgs;
use super::sectors::{SectorLine, sector_table};
use crate::archive::contents::{Contents, must_be_free_for};
use crate::morris::malom;
use crate::morris::tables::ask::named_game;
use crate::morris::tables::{IndexMaker, SectorDir, SectorTable};

/// Arguments of `import`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The game, such as morris:nine
    game: String,
    /// Malom's files, strong (.sec) or ultra-strong (.sec2, with its .secval beside it), under the names that Malom gives them
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Directory of sectors to add to
    #[arg(long)]
    run_dir: PathBuf,
    /// Replace sectors that are there
    #[arg(long)]
    overwrite: bool,
    #[command(flatten)]
    resources: ResourceArgs,
}

#[derive(Serialize)]
struct Imported {
    game: String,
    fingerprint: String,
    sectors: Vec<SectorLine>,
    seconds: f64,
    run_dir: PathBuf,
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    let began = Instant::now();
    let (game, rules, name) = named_game(&args.game)?;
    let resources = args.resources.resolve()?;
    let maker = IndexMaker::new(&rules.board);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(resources.threads).build()?;
    // Every file is read and checked before anything is written.
    must_be_free_for(&args.run_dir, Contents::Sectors)?;
    let make = || SectorDir::create(&args.run_dir, name.clone(), &game.rules());
    let there = SectorDir::exists(&args.run_dir).then(make).transpose()?;
    let progress = out.progress("import");
    let mut tables: Vec<SectorTable> = Vec::new();
    for file in &args.files {
        progress.item(file.display().to_string(), tables.len(), args.files.len());
        let foreign = malom::open(file, &rules, &maker)?;
        let sector = foreign.sector();
        if tables.iter().any(|table| table.sector == sector) {
            bail!("{}: sector {sector} is in a file named before this one", file.display());
        }
        let is_there = there.as_ref().is_some_and(|dir| dir.file(sector).exists());
        if is_there && !args.overwrite {
            bail!("{}: sector {sector} is there already; --overwrite replaces it", args.run_dir.display());
        }
        tables.push(pool.install(|| malom::import(&foreign, &resources.interrupt))?);
    }
    let dir = make()?;
    let mut sectors = Vec::new();
    for table in &tables {
        let bytes = dir.store(table)?;
        sectors.push(SectorLine::new(table.sector, &table.counts(), dir.file(table.sector), bytes));
    }
    progress.finish();
    let imported = Imported {
        game: name.spec,
        fingerprint: name.fingerprint,
        sectors,
        seconds: began.elapsed().as_secs_f64(),
        run_dir: args.run_dir.clone(),
    };
    out.result(&imported, |i| format!("{}\n\n{}", i.game, sector_table(&i.sectors)))?;
    Ok(Outcome::Done)
}
