//! `nerode stats RUN_DIR`.

mod drawing;
mod set_lines;

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Result;
use serde::Serialize;

use set_lines::{SetLine, set_lines};

use super::output::{Outcome, Output, grouped, table};
use super::resources::ResourceArgs;
use super::sectors::sector_stats;
use crate::archive::stored_run::StoredRun;
use crate::morris::tables::SectorDir;
use crate::report::census::{Census, Counted, Longest, census};
use crate::solve::method::Method;

/// Arguments of `stats`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The run directory
    run_dir: PathBuf,
    /// Draw states and positions by ply to an SVG file
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// Count admissible positions and orbits under the symmetries by class and value, with the longest wins and losses
    #[arg(long)]
    orbits: bool,
    #[command(flatten)]
    resources: ResourceArgs,
}

#[derive(Serialize)]
struct LayerLine {
    layer: usize,
    label: String,
    /// States of each final set.
    states: BTreeMap<String, usize>,
}

#[derive(Serialize)]
struct Stats {
    game: String,
    plies: Vec<SetLine>,
    layers: Vec<LayerLine>,
    plot: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    census: Option<Census>,
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    if SectorDir::exists(&args.run_dir) {
        if args.orbits || args.plot.is_some() {
            anyhow::bail!(
                "--orbits and --plot are for runs of sets; {} holds sectors",
                args.run_dir.display()
            );
        }
        return sector_stats(&args.run_dir, out);
    }
    let solution = StoredRun::open(&args.run_dir)?;
    let plies = set_lines(&solution)?;
    if let Some(file) = &args.plot {
        drawing::plot(&solution, &plies, file)?;
    }
    let stats = Stats {
        game: solution.game.spec(),
        layers: layer_lines(&solution, &plies)?,
        plies,
        plot: args.plot.clone(),
        census: match args.orbits {
            true => Some(census(&solution, &args.resources.resolve()?)?),
            false => None,
        },
    };
    out.result(&stats, text)?;
    Ok(Outcome::Done)
}

/// States by layer of the sets with the most states of each series.
fn layer_lines(solution: &StoredRun, plies: &[SetLine]) -> Result<Vec<LayerLine>> {
    let mut largest: BTreeMap<String, (u64, String)> = BTreeMap::new();
    for line in plies {
        let side = if solution.method() == Method::Meet {
            format!("{}-{}", line.set, solution.side_at(line.ply))
        } else {
            line.set.clone()
        };
        let name = format!("{side}-{:03}", line.ply);
        let slot = largest.entry(line.set.clone()).or_insert((line.states, name.clone()));
        if line.states > slot.0 {
            *slot = (line.states, name);
        }
    }
    let mut sets = Vec::new();
    for (_, name) in largest.values() {
        // The states of a mirror image are not known.
        if let Some(entry) = solution.run.manifest.sets.get(name).filter(|entry| !entry.mirror) {
            sets.push((name.clone(), solution.run.read(entry)?));
        }
    }
    let layers = solution.game.layers();
    Ok(layers
        .into_iter()
        .enumerate()
        .map(|(layer, info)| LayerLine {
            layer,
            label: info.label,
            states: sets.iter().map(|(name, dfa)| (name.clone(), dfa.num_states_in(layer))).collect(),
        })
        .collect())
}

fn text(stats: &Stats) -> String {
    let number = |text: &str| text.parse().map_or_else(|_| text.to_string(), grouped);
    let rows: Vec<Vec<String>> = stats
        .plies
        .iter()
        .map(|l| {
            vec![
                l.set.clone(),
                l.ply.to_string(),
                number(&l.positions),
                grouped(u128::from(l.states)),
                grouped(u128::from(l.bytes)),
            ]
        })
        .collect();
    let mut text =
        format!("{}\n{}", stats.game, table(&["set", "ply", "positions", "states", "bytes"], &rows));
    let names: Vec<String> =
        stats.layers.first().map_or_else(Vec::new, |l| l.states.keys().cloned().collect());
    let mut header = vec!["layer"];
    header.extend(names.iter().map(String::as_str));
    let rows: Vec<Vec<String>> = stats
        .layers
        .iter()
        .map(|l| {
            let mut row = vec![format!("{} {}", l.layer, l.label)];
            row.extend(l.states.values().map(|&n| grouped(n as u128)));
            row
        })
        .collect();
    text += &format!("\nstates by layer, of each set when it had most states\n{}", table(&header, &rows));
    if let Some(census) = &stats.census {
        text += &census_text(census);
    }
    if let Some(plot) = &stats.plot {
        text += &format!("\nplot: {}\n", plot.display());
    }
    text
}

fn census_text(census: &Census) -> String {
    let number = |text: &str| text.parse().map_or_else(|_| text.to_string(), grouped);
    let counted = |c: &Counted| format!("{} / {}", number(&c.positions), number(&c.orbits));
    let longest = |l: &Option<Longest>| {
        l.as_ref().map_or_else(|| "-".to_string(), |l| format!("{}: {}", l.plies, counted(&l.count)))
    };
    let row = |r: &crate::report::census::Row| {
        let mut row = vec![r.class.clone(), r.side.clone()];
        row.extend([&r.win, &r.draw, &r.loss].map(counted));
        row.extend([&r.longest_win, &r.longest_loss].map(longest));
        row
    };
    let rows: Vec<Vec<String>> = census.rows.iter().map(row).collect();
    format!(
        "\n{} positions / orbits under {} symmetries; longest in plies\n{}",
        census.counted,
        census.symmetries,
        table(&["class", "to move", "win", "draw", "loss", "longest win", "longest loss"], &rows)
    )
}
