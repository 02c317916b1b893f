//! The value of a position, by searches with the two goals.

use std::path::Path;

use nerode_games::{Position, Value};

use super::decided::Decided;
use super::maker::{Target, write_certificate};
use super::search::Search;
pub use super::search::Sought;
use super::stack::with_deep_stack;
use super::strategy::{StrategySize, Walk};
use crate::archive::stored_run::StoredRun;
use crate::depth::Deadline;
use crate::error::{Error, Result, RunNeeds};
use crate::solve::method::Method;
use crate::solve::resources::Resources;

/// The part of the memory for the positions of a certificate, as a divisor.
const SHARE_OF_WALK: u64 = 4;

/// What a search may use.
#[derive(Clone, Copy, Debug)]
pub struct Proving<'a> {
    /// The memory for the sets and the table, and the interruption.
    pub resources: &'a Resources,
    /// The end of the time.
    pub deadline: Deadline,
    /// The file to which a strategy is written if the value is proved.
    pub certificate: Option<Target<'a>>,
    /// The file in which the search is kept: it continues the one in this file, if there is one, and is written there every ten
    /// minutes and at the end.
    pub kept: Option<&'a Path>,
}

/// What a search has shown about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proved {
    /// The value for the side to move, or `None` if it is not proved.
    pub value: Option<Value>,
    /// `true` if the time was over before the value was proved. Otherwise, a value that is not proved would need play that repeats
    /// positions.
    pub is_out_of_time: bool,
    /// The number of positions that the search entered.
    pub nodes: u64,
    /// The ply of the sets in which the search ended.
    pub ply: u32,
    /// The size of the tables of these sets in bytes.
    pub set_bytes: u64,
    /// The size of the strategy in the certificate, if one was written.
    pub strategy: Option<StrategySize>,
}

/// Proves the value of a position by df-pn search that ends at terminal positions and in `W_i` and `L_i` of the last ply i of a
/// retrograde run, which need not be finished. Calls `watch` from time to time.
///
/// A first search shows whether the side to move wins. If it does not, and draws have occurred in the proof, a second one shows
/// whether the other side wins. If the value is proved, the certificate contains a strategy that
/// [`check_certificate`](super::check_certificate) accepts.
///
/// *Cost*: depends on the game and on i. The sets are read into memory, and the table takes what remains of it.
///
/// # Errors
/// Returns [`Error::WrongRun`] for a run that is not retrograde, [`Error::Interrupted`], or an error if a file is missing or
/// damaged. For a certificate, also returns [`Error::TooLarge`] if its positions do not fit into memory, [`Error::NoStrategy`] if the
/// search cannot name a move everywhere, or [`Error::Io`]. For a search that is kept, returns [`Error::OtherContents`],
/// [`Error::Mismatch`] or [`Error::Corrupt`] for a file with something else, or [`Error::Io`].
pub fn prove(
    run: &StoredRun,
    position: &Position,
    proving: Proving<'_>,
    watch: &mut (dyn FnMut(Sought) + Send),
) -> Result<Proved> {
    if run.method() != Method::Retrograde {
        return Err(Error::WrongRun { wanted: "proofs by search", needs: RunNeeds::Retrograde });
    }
    let Proving { resources, deadline, certificate, kept } = proving;
    let (game, ply) = (run.game.as_ref(), run.last_ply());
    let decided = Decided::at(run, ply, resources)?;
    let memory = resources.memory.saturating_sub(decided.bytes_in_memory());
    let for_walk = if certificate.is_some() { memory / SHARE_OF_WALK } else { 0 };
    let walk = certificate.map(|_| Walk::new(game, &decided, for_walk, &resources.interrupt)).transpose()?;
    let table = (memory - for_walk, resources.threads, kept);
    let mut search = Search::new(&decided, game, table, (deadline, resources.interrupt.as_ref()), watch)?;
    let value = search.value(position)?;
    search.keep()?;
    let strategy = match (value, certificate, walk) {
        (Some(value), Some(target), Some(walk)) => {
            let made =
                with_deep_stack(|| write_certificate(&mut search, walk, (position, value, ply), target));
            Some(made??)
        }
        _ => None,
    };
    let (nodes, is_out_of_time) = (search.nodes(), search.is_stopped());
    resources.must_go_on()?;
    Ok(Proved { value, is_out_of_time, nodes, ply, set_bytes: decided.bytes(), strategy })
}
