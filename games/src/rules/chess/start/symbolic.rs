//! The game from its start position as sets: terminal positions, arrivals, and the words to count.
//!
//! Steps do not check whether the king is attacked. Instead, words in which the side that has moved leaves its king
//! attacked are excluded from the arrivals.

use nerode_dfa::{Dfa, Letter, MoveGraph, Result, Set, Store};

use super::letters::PIECES;
use super::{SPECIAL, SQUARES, Start, letter};
use crate::rules::chess::men::{Kind, Man};
use crate::side::{Side, Value};
use crate::symbolic::{SymbolicGame, Terminal};

impl SymbolicGame for Start {
    /// Returns empty sets, because the game ends only when the side to move has no legal move.
    fn terminal(&self, store: &mut Store, _side: Side) -> Result<Terminal> {
        Ok(Terminal { win: store.empty(), loss: store.empty(), draw: store.empty() })
    }

    fn no_move_value(&self) -> Value {
        Value::Draw
    }

    /// Returns the positions in check as lost, because the lack of a legal move is then checkmate.
    fn no_move(&self, store: &mut Store, side: Side) -> Result<Option<Terminal>> {
        let mut checks = Vec::new();
        for square in 0..SQUARES {
            let here = store.fixed(self.layout.layer(side.index()), square as Letter)?;
            let attacked = self.attacks(store, side.other(), square)?;
            checks.push(store.intersection(&here, &attacked)?);
        }
        let loss = store.union_all(&checks)?;
        Ok(Some(Terminal { win: store.empty(), loss, draw: store.empty() }))
    }

    /// Returns the words in which the king of the side that has moved is on the square that its cell names and is not attacked.
    fn arrivals(&self, store: &mut Store, side: Side) -> Result<Option<Set>> {
        let king = letter(Man { side, kind: Kind::King });
        let mut safe = Vec::new();
        for square in 0..SQUARES {
            let cell = self.layout.layer(side.index());
            let here = store.cube(&[(cell, vec![square as Letter]), (self.layer(square), vec![king])])?;
            let attacked = self.attacks(store, side.other(), square)?;
            safe.push(store.difference(&here, &attacked)?);
        }
        store.union_all(&safe).map(Some)
    }

    fn forward_only(&self) -> bool {
        true
    }

    /// Removes marks "may be taken en passant" that no legal move uses.
    fn canonical_for_counting(&self, store: &mut Store, side: Side, set: &Dfa) -> Result<Option<Set>> {
        let mut marked = Vec::new();
        for square in self.passing(side.other()) {
            marked.push(store.fixed(self.layer(square), SPECIAL)?);
        }
        let any = store.union_all(&marked)?;
        let set = store.import(set)?;
        let marked = store.intersection(&set, &any)?;
        let mut captures = MoveGraph::new(self.shape.clone());
        self.passing_steps(&mut captures, side)?;
        let captures = store.relation(&captures)?;
        let mut forget = MoveGraph::new(self.shape.clone());
        self.add(&mut forget, side, self.draft(side))?;
        let forget = store.relation(&forget)?;
        let arrivals = self.arrivals(store, side)?.unwrap_or_else(|| store.full());
        let taken = store.image(&marked, &captures)?;
        let legal = store.intersection(&taken, &arrivals)?;
        let before = store.preimage(&legal, &captures)?;
        let rest = store.difference(&marked, &before)?;
        let forgotten = store.image(&rest, &forget)?;
        let kept = store.difference(&set, &rest)?;
        store.union(&kept, &forgotten).map(Some)
    }

    fn moves(&self, store: &mut Store, side: Side) -> Result<MoveGraph> {
        let mut graph = MoveGraph::new(self.shape.clone());
        self.pawn_steps(&mut graph, side)?;
        for kind in PIECES {
            self.piece_steps(&mut graph, Man { side, kind })?;
        }
        self.castling_steps(&mut graph, store, side)?;
        Ok(graph)
    }
}
