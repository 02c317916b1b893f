//! The files of single sets of a run.

use nerode_dfa::{Dfa, Passes};
use nerode_games::Side;

use crate::archive::run_dir::{Kind, RunDir, SetName};
use crate::error::Result;
use crate::solve::disk::{Disk, file_bytes};

/// Returns the name of the set of a kind of positions, with `side` to move, at a ply.
pub(super) fn name(kind: Kind, side: Side, ply: u32) -> SetName {
    SetName { kind, side, ply }
}

/// Writes a set to `run` without committing it, and returns the numbers of its states and positions.
pub(super) fn put(
    run: &mut RunDir,
    name: SetName,
    set: &Dfa,
    passes: &Passes,
    disk: &Disk,
) -> Result<(u64, u128)> {
    disk.must_hold(run.path(), file_bytes(set))?;
    let _held = passes.hold(bytes_to_write(set, passes.num_threads()));
    let entry = run.put(name, set)?;
    Ok((entry.num_states, entry.num_positions))
}

/// Returns the number of additional bytes needed while a set is written: for as many layers as there are threads, the
/// symbols and low bits, the resulting block, and the data that predicts them.
pub(super) fn bytes_to_write(set: &Dfa, threads: usize) -> u64 {
    let shape = set.shape();
    let transitions =
        (0..shape.num_layers()).map(|layer| set.num_states_in(layer) * shape.num_letters(layer));
    12 * (threads * transitions.max().unwrap_or(0)) as u64
}
