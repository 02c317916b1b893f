//! The solve of more reached positions than fit into memory: their keys, moves and codes are in scratch files.
//!
//! As in memory, positions are divided into shards by the hash of their key. The file of a shard contains the positions of each level
//! in ascending order. Moves are collected, sorted by the position to which they lead, and then merged with the positions of the
//! shard, so that files are read from front to back.
//!
//! - The *search* writes the positions to which the moves from a level lead, and drops those of earlier levels.
//! - If all moves lead from a level to the next one, *levels are decided* from the last to the first, with two bytes of memory for
//!   each position of a part of a level.
//! - Otherwise, positions are decided *in the order of their depths*, by predecessors in files. Codes and numbers of moves are
//!   in memory, at four bytes a position.

mod by_depth;
mod by_level;
mod records;
mod rows;
mod search;
mod sort;

use nerode_games::{ExplicitGame, Side};

pub use records::{Scratch, ScratchFile};

use super::control::{ReachedControl, Step};
use super::rows::ReachedRows;
use super::search::Reached;
use crate::error::Result;
use search::DiskReached;

/// Continues a solve that exceeded memory, with the starts that the search has not taken yet.
pub(super) fn solve<G: ExplicitGame + Sync + ?Sized, const N: usize>(
    reached: Reached<'_, G, N>,
    starts: &mut dyn Iterator<Item = (Vec<u8>, Side)>,
    is_complete: bool,
    scratch: &dyn Scratch,
    control: &mut ReachedControl<'_>,
) -> Result<ReachedRows> {
    (control.progress)(Step::OnDisk);
    let start = reached.rules.game.start();
    let mut reached = DiskReached::spill(reached, starts, scratch, control)?;
    if !is_complete {
        reached.search(control)?;
    }
    let num_plies = reached.levels.len() as u32;
    let packing = reached.rules.packing.clone();
    let decided = match reached.is_layered {
        true => by_level::decide(reached, control)?,
        false => by_depth::decide(reached, control)?,
    };
    ReachedRows::on_disk(Box::new(decided), packing, num_plies, start)
}
