//! States by layer of the largest sets.

use std::collections::BTreeMap;

use anyhow::Result;
use schemars::JsonSchema;
use serde::Serialize;

use super::set_lines::SetLine;
use crate::cli::output::{grouped, table};
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::solve::method::Method;

/// The states of a layer, in the largest set of each kind and side.
#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct LayerLine {
    /// The number of the layer.
    pub(in crate::cli) layer: usize,
    /// What the layer represents.
    pub(in crate::cli) label: String,
    /// The number of states of each set.
    pub(in crate::cli) num_states: BTreeMap<String, usize>,
}

/// Returns the states by layer of the largest set, by number of states, of each series.
pub(in crate::cli) fn layer_lines(solution: &StoredRun, plies: &[SetLine]) -> Result<Vec<LayerLine>> {
    let mut largest: BTreeMap<String, (u64, String)> = BTreeMap::new();
    for line in plies {
        let side = if solution.method() == Method::Meet {
            format!("{}-{}", line.set, solution.side_at(line.ply))
        } else {
            line.set.clone()
        };
        let name = format!("{side}-{:03}", line.ply);
        let slot = largest.entry(line.set.clone()).or_insert((line.num_states, name.clone()));
        if line.num_states > slot.0 {
            *slot = (line.num_states, name);
        }
    }
    let mut sets = Vec::new();
    for (_, name) in largest.values() {
        // The states of a mirror image are not known.
        if let Some(entry) = solution.run.entry_named(name).filter(|entry| !entry.is_mirror()) {
            sets.push((name.clone(), solution.read_entry(entry)?));
        }
    }
    let layers = solution.game.layers();
    Ok(layers
        .into_iter()
        .enumerate()
        .map(|(layer, info)| LayerLine {
            layer,
            label: info.label,
            num_states: sets.iter().map(|(name, dfa)| (name.clone(), dfa.num_states_in(layer))).collect(),
        })
        .collect())
}

pub(super) fn layers_text(layers: &[LayerLine]) -> String {
    let names: Vec<&str> =
        layers.first().map_or_else(Vec::new, |line| line.num_states.keys().map(String::as_str).collect());
    let header: Vec<&str> = [&["layer"], &names[..]].concat();
    let row = |line: &LayerLine| {
        let mut row = vec![format!("{} {}", line.layer, line.label)];
        row.extend(line.num_states.values().map(|&n| grouped(n as u128)));
        row
    };
    let rows: Vec<Vec<String>> = layers.iter().map(row).collect();
    format!("\nstates by layer, for the largest set of each series\n{}", table(&header, &rows))
}
