//! Where a game is over, as finished automata.

use nerode_dfa::Dfa;

use super::rules::{CompiledRules, SideRules};

/// Where the game of one side is over.
#[derive(Clone, Debug)]
pub struct Ended {
    /// `W0`: terminal and won for the side to move.
    pub win: Dfa,
    /// `L0`: terminal and lost.
    pub loss: Dfa,
    /// `D0`: terminal and drawn.
    pub draw: Dfa,
    /// `T = W0 ∪ L0 ∪ D0`.
    pub all: Dfa,
    /// `¬T`: the game goes on.
    pub playing: Dfa,
    /// Where the side passes, in games with passes.
    pub passes: Option<Dfa>,
}

impl Ended {
    /// What `rules` say of one side.
    pub(super) fn new(rules: &CompiledRules, side: &SideRules) -> Self {
        let of = |set| rules.freeze(set);
        Self {
            win: of(&side.win),
            loss: of(&side.loss),
            draw: of(&side.draw),
            all: of(&side.terminal),
            playing: of(&side.playing),
            passes: side.passes.as_ref().map(of),
        }
    }
}
