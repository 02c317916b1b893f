//! The morris family as sets of words and moves that rewrite letters. It shares the board and the options with plain
//! play, but none of the rules.

use nerode_dfa::{Dfa, Letter, MoveGraph, Result, Set, Store};

use super::turns::Turns;
use super::view::{FEW, View};
use super::{EMPTY, Morris};
use crate::morris::{FullBoard, Phases};
use crate::side::{Side, Value};
use crate::symbolic::{SymbolicGame, Terminal};

impl SymbolicGame for Morris {
    fn terminal(&self, store: &mut Store, side: Side) -> Result<Terminal> {
        let possible = store.import(&self.possible(side)?)?;
        let few = |side: Side| View::new(self, side).stones_up_to(FEW - 1);
        let own = store.import(&few(side)?)?;
        let other = store.import(&few(side.other())?)?;
        let other = store.difference(&other, &own)?;
        let loss = store.intersection(&own, &possible)?;
        let win = store.intersection(&other, &possible)?;
        let mut draw = store.complement(&possible)?;
        if self.rules.full_board == FullBoard::Draw {
            let full = store.letter_count(EMPTY, &self.point_layers(), 0..=0)?;
            let decided = store.union(&own, &other)?;
            let undecided = store.difference(&full, &decided)?;
            draw = store.union(&draw, &undecided)?;
        }
        Ok(Terminal { win, loss, draw })
    }

    fn may_cycle(&self) -> bool {
        true
    }

    fn no_move_value(&self) -> Value {
        Value::Loss
    }

    /// Returns the positions in which no side has more stones than in the game. If the sides place all stones before
    /// they move, the hands must also fit the turn order, for either starting side.
    fn admissible(&self, store: &mut Store, side: Side) -> Result<Option<Set>> {
        store.import(&self.possible(side)?).map(Some)
    }

    fn moves(&self, _store: &mut Store, side: Side) -> Result<MoveGraph> {
        let mut turns = Turns::new(self, side);
        turns.add_all()?;
        Ok(turns.graph)
    }
}

impl Morris {
    /// Returns the set of [`SymbolicGame::admissible`]. The rules define all other positions as drawn.
    fn possible(&self, side: Side) -> Result<Dfa> {
        let most = self.rules.stones.map(usize::from);
        let num_points = self.num_points();
        // The counts are the stones of each side so far, on points and in hand.
        let step = |layer: usize, counts: &[[usize; 2]; 2], letter: Letter| {
            let ([mut on_board, mut in_hand], letter) = (*counts, usize::from(letter));
            match self.layout.cells()[layer].checked_sub(num_points) {
                Some(player) => in_hand[player] = letter,
                None if letter > 0 => on_board[letter - 1] += 1,
                None => {}
            }
            let fits = (0..2).all(|player| on_board[player] + in_hand[player] <= most[player]);
            fits.then_some([on_board, in_hand])
        };
        let in_step = |[_, in_hand]: &[[usize; 2]; 2]| {
            self.rules.phases == Phases::Mixed || turns_fit(most, *in_hand, side.index())
        };
        Dfa::from_step(&self.shape, [[0; 2]; 2], step, in_step)
    }
}

/// Returns `true` if the hands fit the turn order: both sides have had equally many turns, or the side not to move has
/// had one more because it started. A side with stones in hand has had one turn for each stone placed, and a side
/// without has had at least as many.
fn turns_fit(stones: [usize; 2], in_hand: [usize; 2], to_move: usize) -> bool {
    let turns = |player: usize| {
        let placed = stones[player] - in_hand[player];
        placed..=if in_hand[player] > 0 { placed } else { stones[0] + stones[1] }
    };
    turns(to_move).any(|n| turns(1 - to_move).contains(&n) || turns(1 - to_move).contains(&(n + 1)))
}
