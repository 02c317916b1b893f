//! The values that a search asks: the sets of a run, or packed values.

use nerode_dfa::Letter;
use nerode_games::{Game, Side, Value};

use crate::archive::packed::Packed;
use crate::archive::stored_run::StoredRun;
use crate::error::Result;
use crate::solve::method::Method;

/// The values of the reached positions of a run.
#[derive(Clone, Copy)]
pub enum Source<'a> {
    /// Its sets, or its packed values if there are any.
    Run(&'a StoredRun),
    /// Packed values without the run, and the number of bytes of memory for a search; `None` means no limit.
    Packed(&'a Packed, Option<u64>),
}

impl<'a> Source<'a> {
    pub(super) fn game(self) -> &'a dyn Game {
        match self {
            Self::Run(run) => run.game.as_ref(),
            Self::Packed(packed, _) => packed.game().as_ref(),
        }
    }

    /// Returns `true` if the values are those of reached positions, and have no depths.
    pub(super) fn is_of_reached(self) -> bool {
        match self {
            Self::Run(run) => run.method() == Method::Meet,
            Self::Packed(..) => true,
        }
    }

    /// Returns the packed values, if there are any.
    pub(super) fn packed(self) -> Option<&'a Packed> {
        match self {
            Self::Run(run) => run.packed(),
            Self::Packed(packed, _) => Some(packed),
        }
    }

    /// Returns the last ply of the forward search, and the number of retrograde plies from it.
    pub(super) fn last_plies(self) -> (u32, u32) {
        match self {
            Self::Run(run) => (run.run.progress().forward.unwrap_or(0), run.last_ply()),
            Self::Packed(packed, _) => (packed.last_ply(), packed.header().retrograde_plies),
        }
    }

    /// Returns the number of bytes of memory; `None` means no limit.
    pub(super) fn memory(self) -> Option<u64> {
        match self {
            Self::Run(run) => run.memory(),
            Self::Packed(_, memory) => memory,
        }
    }

    /// Returns the first ply at which a word is reached and decided, with its value; see [`Packed::reached`].
    pub(super) fn reached(self, word: &[Letter], side: Side) -> Result<Option<(u32, Option<Value>)>> {
        match self {
            Self::Run(run) => run.reached(word, side),
            Self::Packed(packed, _) => packed.reached(word, side),
        }
    }
}
