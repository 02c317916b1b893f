//! `nerode stats DIR --plot FILE`: positions and states by ply, and states by layer, as a drawing.

use anyhow::Result;

use super::layers::LayerLine;
use super::set_lines::SetLine;
use crate::archive::stored_run::StoredRun;

/// The sets by ply and by layer, as the text of an SVG file.
#[cfg(feature = "plots")]
pub(super) fn draw(solution: &StoredRun, plies: &[SetLine], layers: &[LayerLine]) -> Result<String> {
    Ok(crate::report::plot::draw(&solution.game.spec(), &[by_ply(plies), by_layer(layers)])?)
}

/// Positions, dashed, and states of every series of sets that is stored.
#[cfg(feature = "plots")]
fn by_ply(plies: &[SetLine]) -> crate::report::plot::Panel {
    use std::collections::BTreeMap;

    use crate::report::plot::{Panel, Series};

    let mut sets: BTreeMap<&str, Vec<&SetLine>> = BTreeMap::new();
    for line in plies.iter().filter(|line| !line.mirror) {
        sets.entry(&line.set).or_default().push(line);
    }
    let series = |(group, (set, lines)): (usize, (&str, Vec<&SetLine>))| {
        let points =
            |number: fn(&SetLine) -> u128| lines.iter().map(|line| (line.ply, number(line))).collect();
        let line =
            |what: &str, dashed, points| Series { name: format!("{set} {what}"), group, dashed, points };
        [
            line("positions", true, points(|line| line.positions.parse().unwrap_or(0))),
            line("states", false, points(|line| line.num_states.into())),
        ]
    };
    Panel {
        title: "Positions and states by ply".into(),
        x_label: "ply".into(),
        y_label: "number (logarithmic)".into(),
        series: sets.into_iter().enumerate().flat_map(series).collect(),
    }
}

/// States of the largest set of each series.
#[cfg(feature = "plots")]
fn by_layer(layers: &[LayerLine]) -> crate::report::plot::Panel {
    use crate::report::plot::{Panel, Series};

    let names = layers.first().map_or_else(Vec::new, |line| line.num_states.keys().collect());
    let series = |(group, name): (usize, &String)| {
        let point = |(x, line): (u32, &LayerLine)| (x, line.num_states.get(name).map_or(0, |&n| n as u128));
        Series { name: name.clone(), group, dashed: false, points: (0..).zip(layers).map(point).collect() }
    };
    Panel {
        title: "States by layer, of each set when it had most".into(),
        x_label: "layer".into(),
        y_label: "states (logarithmic)".into(),
        series: names.into_iter().enumerate().map(series).collect(),
    }
}

/// Says how to get a program that draws.
#[cfg(not(feature = "plots"))]
pub(super) fn draw(_: &StoredRun, _: &[SetLine], _: &[LayerLine]) -> Result<String> {
    anyhow::bail!(
        "this program was built without drawings; build it with: cargo build --release --features plots"
    )
}
