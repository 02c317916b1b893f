//! The command `nerode diff A B`, which compares two solutions for the same boards: sectors of two sets of rules sector by sector,
//! and solutions of any other form by their sets or position by position.

mod args;
pub(super) mod lines;
pub(super) mod solutions;
mod text;

use std::path::Path;
use std::time::Instant;

use anyhow::{Result, bail};
use nerode_games::{Position, Side, Value};

use super::output::{Outcome, Output};
use super::sectors::{SectorLine, sectors_or_all};
use super::solutions::solution_at;
pub(super) use args::Args;
use lines::{ChangeLine, Changed, Diff, ExampleLine, SectorRow};
use nerode_dfa::disk;
use nerode_morris::changes::{Change, Example, SectorChanges, TwoRules, first_of};
use nerode_morris::tables::{Sector, SectorSolution};
use nerode_solver::archive::{Contents, kind_of};
use nerode_solver::solve::resources::Resources;

pub(super) fn run(mut args: Args, out: &Output) -> Result<Outcome> {
    for path in [&mut args.first, &mut args.second] {
        *path = solution_at(path, out)?;
    }
    let args = &args;
    if ![&args.first, &args.second].into_iter().any(|path| Contents::Sectors.is_in(path)) {
        return solutions::run(args, out);
    }
    let began = Instant::now();
    [&args.first, &args.second].into_iter().try_for_each(|path| must_hold_sectors(path))?;
    let resources = args.resources.resolve()?;
    let rules = TwoRules::open(&args.first, &args.second, resources.memory)?;
    let found = compare(&rules, args, &resources, out)?;
    let diff = summed(&rules, &found, usize::from(args.examples))?;
    out.result(&Diff { seconds: began.elapsed().as_secs_f64(), ..diff }, text::text)?;
    Ok(Outcome::Done)
}

/// Rejects solutions in another format.
fn must_hold_sectors(path: &Path) -> Result<()> {
    match kind_of(path) {
        Some(kind) if kind != Contents::Sectors => {
            bail!("sectors can only be compared with other sectors, and {} contains {kind}", path.display())
        }
        _ => Ok(()),
    }
}

fn compare(rules: &TwoRules, args: &Args, resources: &Resources, out: &Output) -> Result<Vec<SectorChanges>> {
    let sectors = match args.sector.as_slice() {
        [] => rules.both.clone(),
        names => {
            let named = sectors_or_all(&rules.sides[0], names)?;
            named.iter().try_for_each(|&sector| rules.sides[1].must_have(sector))?;
            named
        }
    };
    let pool = resources.pool()?;
    let progress = out.progress("diff");
    let look = |(at, &sector): (usize, &Sector)| {
        progress.item(format!("sector {sector}"), at, sectors.len());
        pool.install(|| rules.changes(sector, args.examples.into(), &resources.interrupt))
    };
    let found = sectors.iter().enumerate().map(look).collect::<crate::Result<_>>();
    progress.finish();
    Ok(found?)
}

/// Returns the totals over all sectors.
fn summed(rules: &TwoRules, found: &[SectorChanges], most: usize) -> Result<Diff> {
    let orbits: u64 = found.iter().map(|sector| sector.counts[0].num_positions).sum();
    let mut changes = Vec::new();
    for (place, change) in Change::ALL.into_iter().enumerate() {
        let changed: u64 = found.iter().map(|sector| sector.changed[place]).sum();
        let all = found.iter().map(|sector| sector.examples[place].clone());
        let first = all.fold(Vec::new(), |some, others| first_of(some, others, most));
        changes.push(ChangeLine {
            from: word(change.from),
            to: word(change.to),
            orbits: changed.into(),
            percent: (changed as f64 * 1e6 / orbits.max(1) as f64).round() / 1e4,
            examples: first.iter().map(|example| line(&rules.sides[0], example)).collect::<Result<_>>()?,
        });
    }
    let names = |sectors: &[Sector]| sectors.iter().map(Sector::to_string).collect();
    Ok(Diff {
        game: rules.sides[0].game.spec(),
        second_game: rules.sides[1].game.spec(),
        orbits: orbits.into(),
        changed: found.iter().flat_map(|sector| sector.changed).sum::<u64>().into(),
        changes,
        other_dtw: found.iter().map(|sector| sector.other_depth).sum::<u64>().into(),
        sectors: found.iter().map(|sector| row(rules, sector)).collect::<Result<_>>()?,
        only_in_first: names(&rules.only[0]),
        only_in_second: names(&rules.only[1]),
        seconds: 0.0,
    })
}

fn word(value: Value) -> &'static str {
    match value {
        Value::Win => "win",
        Value::Draw => "draw",
        Value::Loss => "loss",
    }
}

fn line(solution: &SectorSolution, example: &Example) -> Result<ExampleLine> {
    let Example { sector, slot, depths, .. } = *example;
    let (own, other) = solution.maker().index(sector.own, sector.other).position(slot);
    let board = solution.rules.board_of(sector.state(own, other), Side::P1);
    let position = solution.game.format_position(&Position { board, side: Side::P1 });
    Ok(ExampleLine { sector: sector.to_string(), position, first_dtw: depths[0], second_dtw: depths[1] })
}

fn row(rules: &TwoRules, found: &SectorChanges) -> Result<SectorRow> {
    let side = |at: usize| -> Result<SectorLine> {
        let path = rules.sides[at].dir.file(found.sector);
        let bytes = disk::metadata(&path).map_err(|e| crate::Error::io(&path, e))?.len();
        Ok(SectorLine::new(found.sector, &found.counts[at], path, bytes))
    };
    Ok(SectorRow {
        sector: found.sector.to_string(),
        orbits: found.counts[0].num_positions.into(),
        changed: Changed::new(&found.changed),
        other_dtw: found.other_depth.into(),
        first: side(0)?,
        second: side(1)?,
        counts: found.changed,
    })
}
