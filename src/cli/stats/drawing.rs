//! `nerode stats RUN_DIR --plot FILE`: positions and states by ply as a drawing.

use std::path::Path;

use anyhow::Result;

use super::set_lines::SetLine;
use crate::archive::stored_run::StoredRun;

/// Draws the lines of `plies` to the file.
#[cfg(feature = "plots")]
pub(super) fn plot(solution: &StoredRun, plies: &[SetLine], file: &Path) -> Result<()> {
    use std::collections::BTreeMap;

    use crate::report::plot::{Series, plot_series};

    let mut series: BTreeMap<String, Series> = BTreeMap::new();
    for line in plies {
        let mut add = |what: &str, n: u128| {
            let name = format!("{} {what}", line.set);
            let entry = series.entry(name.clone()).or_insert_with(|| Series { name, points: Vec::new() });
            entry.points.push((line.ply, n));
        };
        add("positions", line.positions.parse().unwrap_or(0));
        add("states", u128::from(line.states));
    }
    let series: Vec<Series> = series.into_values().collect();
    let title = format!("{}: positions and states by ply", solution.game.spec());
    Ok(plot_series(file, &title, "ply", &series)?)
}

/// Says how to get a program that draws.
#[cfg(not(feature = "plots"))]
pub(super) fn plot(_solution: &StoredRun, _plies: &[SetLine], _file: &Path) -> Result<()> {
    anyhow::bail!(
        "this program was built without drawings; build it with: cargo build --release --features plots"
    )
}
