//! Misère play as sets: the sets of won and of lost terminal positions change places.

use std::ops::RangeInclusive;

use nerode_dfa::{Dfa, MoveGraph, Result, Set, Store};

use super::Misere;
use crate::side::{Side, Value};
use crate::symbolic::{OverInPlay, SymbolicGame, Terminal};

/// Exchanges the won and the lost positions.
fn exchanged(Terminal { win, loss, draw }: Terminal) -> Terminal {
    Terminal { win: loss, loss: win, draw }
}

impl SymbolicGame for Misere {
    fn terminal(&self, store: &mut Store, side: Side) -> Result<Terminal> {
        self.game.terminal(store, side).map(exchanged)
    }

    fn over_in_play(&self, store: &mut Store, side: Side) -> Result<Option<OverInPlay>> {
        let exchanged = |OverInPlay { win, loss, draw }| OverInPlay { win: loss, loss: win, draw };
        Ok(self.game.over_in_play(store, side)?.map(exchanged))
    }

    fn no_move_value(&self) -> Value {
        self.game.no_move_value().negated()
    }

    fn no_move(&self, store: &mut Store, side: Side) -> Result<Option<Terminal>> {
        Ok(self.game.no_move(store, side)?.map(exchanged))
    }

    fn has_passes(&self) -> bool {
        self.game.has_passes()
    }

    fn admissible(&self, store: &mut Store, side: Side) -> Result<Option<Set>> {
        self.game.admissible(store, side)
    }

    fn admissible_at(&self, store: &mut Store, ply: u32) -> Result<Option<Set>> {
        self.game.admissible_at(store, ply)
    }

    fn arrivals(&self, store: &mut Store, side: Side) -> Result<Option<Set>> {
        self.game.arrivals(store, side)
    }

    fn forward_only(&self) -> bool {
        self.game.forward_only()
    }

    fn may_cycle(&self) -> bool {
        self.game.may_cycle()
    }

    fn canonical_for_counting(&self, store: &mut Store, side: Side, set: &Dfa) -> Result<Option<Set>> {
        self.game.canonical_for_counting(store, side, set)
    }

    fn moves(&self, store: &mut Store, side: Side) -> Result<MoveGraph> {
        self.game.moves(store, side)
    }

    fn scores(&self) -> Option<RangeInclusive<i32>> {
        self.game.scores().map(|scores| -scores.end()..=-scores.start())
    }

    /// The score is at least `least` unless that of the usual game is more than its negative.
    fn score_at_least(&self, store: &mut Store, least: i32) -> Result<Set> {
        let more = self.game.score_at_least(store, 1 - least)?;
        store.complement(&more)
    }
}
