//! The symbolic description, derived from the compiled rules.

use nerode_dfa::{MoveGraph, Result, Set, Store};
use nerode_games::{Side, SymbolicGame, Terminal, Value};

use super::super::compile::{Layers, Part, Standing, moves, possible};
use super::RuleGame;
use super::explicit::value;

impl RuleGame {
    /// Returns the layer of a part of the position, if it has one.
    fn layer(&self, part: Part) -> Option<usize> {
        self.cells.cell(part).map(|cell| self.layout.layer(cell))
    }

    fn layers_in_force(&self) -> Layers {
        let squares = (0..self.book.board().squares.len()).map(Part::Square);
        let variables = (0..self.book.variables().len()).map(Part::Variable);
        let cells = squares.chain(variables).map(|part| self.layer(part)).collect();
        Layers { cells, status: (0..2).map_while(|digit| self.layer(Part::Status(digit))).collect() }
    }

    /// Returns a superset of the words of play. If `all` is set, it uses all known limits, and otherwise only the limits in use.
    fn possible(&self, store: &mut Store, side: Side, all: bool) -> Result<Set> {
        possible(&self.plan, &self.layers_in_force(), store, side.index(), all)
    }

    /// Returns the words whose letter of the status has a value according to `value_of`, grouped by value.
    fn by_status(
        &self,
        store: &mut Store,
        value_of: impl Fn(Standing) -> Option<Value>,
        side: Side,
    ) -> Result<Terminal> {
        let (mut win, mut loss, mut draw) = (store.empty(), store.empty(), store.empty());
        let layers = self.layers_in_force();
        for letter in 0..self.cells.num_letters() {
            let Some(value) = value_of(self.plan.standing(side.index(), letter)) else { continue };
            let words = layers.with_status(store, letter)?;
            let of = match value {
                Value::Win => &mut win,
                Value::Loss => &mut loss,
                Value::Draw => &mut draw,
            };
            *of = store.union(of, &words)?;
        }
        Ok(Terminal { win, loss, draw })
    }
}

impl SymbolicGame for RuleGame {
    fn terminal(&self, store: &mut Store, side: Side) -> Result<Terminal> {
        let over = |standing| match standing {
            Standing::Over(outcome) => Some(value(outcome, side)),
            Standing::Nothing => Some(Value::Draw),
            Standing::Turn(_) | Standing::Wait(_) => None,
        };
        let ended = self.by_status(store, over, side)?;
        let impossible = self.possible(store, side, false)?;
        let impossible = store.complement(&impossible)?;
        Ok(Terminal { draw: store.union(&ended.draw, &impossible)?, ..ended })
    }

    fn admissible(&self, store: &mut Store, side: Side) -> Result<Option<Set>> {
        self.possible(store, side, true).map(Some)
    }

    fn no_move_value(&self) -> Value {
        Value::Loss
    }

    /// The value depends on the scores at the beginning of the turn.
    fn no_move(&self, store: &mut Store, side: Side) -> Result<Option<Terminal>> {
        let stuck = |standing| match standing {
            Standing::Turn(node) => Some(value(self.plan.end_at(node), side)),
            _ => None,
        };
        self.by_status(store, stuck, side).map(Some)
    }

    fn may_cycle(&self) -> bool {
        self.plan.progress.is_none()
    }

    fn moves(&self, store: &mut Store, side: Side) -> Result<MoveGraph> {
        moves(&self.plan, &self.layers_in_force(), store, side.index())
    }

    fn arrivals(&self, _store: &mut Store, _side: Side) -> Result<Option<Set>> {
        Ok(None)
    }
}
