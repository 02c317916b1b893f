//! What the compiler makes of rules against the interpreter, on every word.

use std::collections::BTreeSet;
use std::sync::Arc;

use nerode_games::{Game, Side};

use crate::common::{Symbolic, boards, successors};

/// What was compared.
#[derive(Debug, Default, PartialEq)]
pub struct Seen {
    pub words: usize,
    pub ended: usize,
    pub moves: usize,
}

/// Compares outcome and moves of every `stride`-th board, for both sides. `Err` says where the two differ.
pub fn compare(game: &Arc<dyn Game>, stride: usize) -> Result<Seen, String> {
    let mut seen = Seen::default();
    for side in Side::BOTH {
        let mut symbolic = Symbolic::new(game, side);
        for board in boards(&**game).step_by(stride) {
            let word = game.word_of(&board);
            let (outcome, said) = (game.outcome(&board, side), symbolic.outcome(&**game, &word));
            if outcome != said {
                return Err(format!(
                    "{board:?} {side}: the interpreter says {outcome:?}, the compiler {said:?}"
                ));
            }
            seen.words += 1;
            seen.ended += usize::from(outcome.is_some());
            if symbolic.store.contains(&symbolic.ended, &word) {
                continue;
            }
            let after: BTreeSet<Vec<u8>> =
                successors(&**game, &board, side).iter().map(|board| game.word_of(board)).collect();
            let image = symbolic.neighbours(&word, true);
            if after != image {
                return Err(format!(
                    "{word:?} {side}: the interpreter goes to {after:?}, the compiler to {image:?}"
                ));
            }
            seen.moves += after.len();
        }
    }
    Ok(seen)
}
