//! Chess: endgames of a few men, represented by the squares of the men, and the game from its start position,
//! represented by the contents of the squares.
//!
//! The explicit descriptions use `play.rs`, and the symbolic descriptions use `geometry.rs`. Both use `men.rs`, which
//! defines only names.

use std::sync::Arc;

use crate::error::Result;
use crate::game::Game;
use crate::spec::{FamilyInfo, Spec};

mod endgame;
mod fen;
#[cfg(feature = "sets")]
mod geometry;
mod material;
mod men;
mod play;
mod start;

/// The registry entry of chess.
pub(crate) const FAMILY: FamilyInfo = FamilyInfo {
    family: "chess",
    parameters: "MATERIAL[,board=WxH] (two sides such as KBNvK or KPvKR, at most four pieces, pawns on one \
        side only; edges 4 to 8), or start (the whole game, for 'reach' only)",
    defaults: "board=8x8",
    example: "chess:KRvK",
    usual: "chess:start",
    in_reach: Some("chess:KRvK"),
    small: &["chess:KRvK,board=4x4", "chess:KPvK,board=4x4"],
    layers: "one per piece, letters: the squares, and one for a captured piece; one more per pawn for its \
        promotion. start: the squares of the kings, then one per square",
    note: "checkmate wins, stalemate draws; endgames include all that arise from captures and promotions",
    build,
    orders,
};

fn build(spec: &Spec<'_>, order: Option<&str>) -> Result<Arc<dyn Game>> {
    if spec.parameters() == start::NAME { start::open(spec, order) } else { endgame::open(spec, order) }
}

fn orders(spec: &Spec<'_>) -> Result<Vec<String>> {
    if spec.parameters() == start::NAME { start::orders(spec) } else { endgame::orders(spec) }
}
