//! The symbolic description.

use nerode::dfa::{MoveGraph, Result, Store};
use nerode::games::{Side, SymbolicGame, Terminal, Value};

use super::OwnGame;

impl SymbolicGame for OwnGame {
    fn terminal(&self, store: &mut Store, side: Side) -> Result<Terminal> {
        let ended = &self.ended[side.index()];
        Ok(Terminal {
            win: store.import(&ended.win)?,
            loss: store.import(&ended.loss)?,
            draw: store.import(&ended.draw)?,
        })
    }

    fn no_move_value(&self) -> Value {
        self.no_move
    }

    /// A custom game is solved backwards unless it is declared to end.
    fn may_cycle(&self) -> bool {
        !self.always_ends
    }

    fn moves(&self, _store: &mut Store, side: Side) -> Result<MoveGraph> {
        Ok(self.moves[side.index()].graph.clone())
    }
}
