//! Morris games for the search: sets of points, and an evaluation by stones and mobility.

use std::ops::ControlFlow;

use nerode_games::morris::{Rules, State, Turn, points};
use nerode_games::{Position, Side, Value};

use super::field::Field;

/// The weight of a stone. An empty neighbour has weight 1.
const STONE: i32 = 20;
/// The mobility of a side that flies, which is larger than slides would give.
const FLIES: i32 = 16;

/// A morris game.
pub struct MorrisField {
    rules: Rules,
}

impl MorrisField {
    /// Creates a field with these rules.
    pub fn new(rules: Rules) -> Self {
        Self { rules }
    }

    /// Counts the empty neighbours of all stones, once for each stone.
    fn mobility(&self, stones: u32, empty: u32, hand: u8) -> i32 {
        if self.rules.flies(stones.count_ones() as u8, hand) {
            return FLIES;
        }
        points(stones).map(|point| (self.rules.board.neighbours(point) & empty).count_ones() as i32).sum()
    }
}

impl Field for MorrisField {
    type Node = State;
    type Step = Turn;

    fn node(&self, position: &Position) -> State {
        self.rules.state_of(&position.board, position.side)
    }

    fn position(&self, node: &State, side: Side) -> Position {
        Position { board: self.rules.board_of(*node, side), side }
    }

    /// The key is exact: two sets of 24 points and two hands of four bits.
    fn key(&self, node: &State) -> u64 {
        let hands = u64::from(node.own_hand) << 4 | u64::from(node.other_hand);
        u64::from(node.own) | u64::from(node.other) << 24 | hands << 48
    }

    fn over(&self, node: &State) -> Option<Value> {
        self.rules.outcome(*node)
    }

    fn steps(&self, node: &State, steps: &mut Vec<Turn>) {
        if node.decided_by_stones().is_none() {
            let _: ControlFlow<()> = self.rules.try_turns(*node, |turn| {
                steps.push(turn);
                ControlFlow::Continue(())
            });
        }
    }

    fn after(&self, node: &State, step: &Turn) -> State {
        node.after(*step)
    }

    fn takes(&self, step: &Turn) -> bool {
        step.taken != 0
    }

    fn judge(&self, node: &State) -> i32 {
        let empty = self.rules.board.all() & !(node.own | node.other);
        let worth = |stones: u32, hand: u8| {
            (stones.count_ones() as i32 + i32::from(hand)) * STONE + self.mobility(stones, empty, hand)
        };
        worth(node.own, node.own_hand) - worth(node.other, node.other_hand)
    }
}
