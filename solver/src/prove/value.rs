//! The value of a position, by searches with the two goals.

use std::thread;

use nerode_games::{Position, Value};

use super::decided::Decided;
use super::numbers::Known;
use super::search::Search;
pub use super::search::Sought;
use crate::archive::stored_run::StoredRun;
use crate::depth::Deadline;
use crate::depth::keys::Keys;
use crate::depth::table::Table;
use crate::error::{Error, Result, RunNeeds};
use crate::solve::method::Method;
use crate::solve::resources::Resources;

/// What a search may use.
#[derive(Clone, Copy, Debug)]
pub struct Proving<'a> {
    /// The memory for the sets and the table, and the interruption.
    pub resources: &'a Resources,
    /// The end of the time.
    pub deadline: Deadline,
}

/// What a search has shown about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proved {
    /// The value for the side to move, or `None` if it is not proved.
    pub value: Option<Value>,
    /// The number of positions that the search entered.
    pub nodes: u64,
    /// The ply of the sets in which the search ended.
    pub ply: u32,
    /// The size of these sets in memory.
    pub set_bytes: u64,
}

/// Proves the value of a position by df-pn search that ends at terminal positions and in `W_i` and `L_i` of the last ply i of a
/// retrograde run, which need not be finished. Calls `watch` from time to time.
///
/// A first search shows whether the side to move wins. If it does not, and draws have occurred in the proof, a second one shows
/// whether the other side wins.
///
/// *Cost*: depends on the game and on i. The sets are read into memory, and the table takes what remains of it.
///
/// # Errors
/// Returns [`Error::WrongRun`] for a run that is not retrograde, [`Error::Interrupted`], or an error if a file is missing or
/// damaged.
pub fn prove(
    run: &StoredRun,
    position: &Position,
    proving: Proving<'_>,
    watch: &mut (dyn FnMut(Sought) + Send),
) -> Result<Proved> {
    if run.method() != Method::Retrograde {
        return Err(Error::WrongRun { wanted: "proofs by search", needs: RunNeeds::Retrograde });
    }
    let Proving { resources, deadline } = proving;
    let decided = Decided::of(run)?;
    let mut table = Table::<Known>::default();
    table.limit_bytes(resources.memory.saturating_sub(decided.bytes()) / 3 * 2);
    let keys = Keys::new(run.game.as_ref());
    let limits = (deadline, resources.interrupt.as_ref());
    let mut search = Search::new(&decided, run.game.as_ref(), &keys, &mut table, limits, watch);
    let value = with_deep_stack(|| search.value(position))?;
    let nodes = search.nodes();
    resources.must_go_on()?;
    Ok(Proved { value, nodes, ply: run.last_ply(), set_bytes: decided.bytes() })
}

/// The number of bytes for the stack, of which a search takes less than one kilobyte a move.
const STACK: usize = 1 << 28;

/// Calls `search` in a thread whose stack is large enough for the longest path.
fn with_deep_stack<T: Send>(search: impl FnOnce() -> T + Send) -> Result<T> {
    let too_large = |e| Error::io(std::path::Path::new("a thread"), e);
    thread::scope(|scope| {
        let thread =
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, search).map_err(too_large)?;
        thread.join().map_err(|panic| std::panic::resume_unwind(panic))
    })
}
