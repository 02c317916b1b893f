//! Facts about the places at which turns may begin.

use std::collections::BTreeMap;

use super::super::fault::At;
use super::super::turns::TurnKey;
use super::program::PlaceId;
use super::state::Begin;

/// A turn that may occur: all of its beginnings have the same continuations.
#[derive(Clone, Debug)]
pub(in super::super) struct PossibleTurn {
    pub(in super::super) player: usize,
    /// The beginnings with their keys, in ascending order of the keys.
    pub(in super::super) begins: BTreeMap<TurnKey, Begin>,
    /// If `true`, the turn occurs only as the first turn of a game.
    pub(in super::super) only_first: bool,
}

/// A switch after which the tested squares depend strongly on the square on which the turn begins.
pub(in super::super) struct NarrowTurn {
    pub(in super::super) at: At,
    /// The square from which the fewest squares are tested.
    pub(in super::super) square: usize,
    /// The number of squares tested from there, and the maximum number from any square.
    pub(in super::super) few: usize,
    pub(in super::super) most: usize,
}

/// The turns that may occur, and the spots of the keeper's paths at which the position was last changed before a turn.
#[derive(Debug, Default)]
pub(super) struct Known {
    pub(super) turns: Vec<PossibleTurn>,
    pub(super) entries: Vec<(PlaceId, u16, Vec<u32>)>,
}
