//! What the compiler makes of rules against the interpreter, on every word.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use nerode_games::{Game, Side, explicit};

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
    compare_on(game, |_| boards(&**game).step_by(stride))
}

/// Compares positions of games in which moves are chosen by chance, and boards by chance.
pub fn sampled(game: &Arc<dyn Game>, games: usize) -> Result<Seen, String> {
    let mut chance = Chance(1);
    let mut found = [Vec::new(), Vec::new()];
    for _ in 0..games {
        let (mut board, mut side) = game.start();
        for _ in 0..60 {
            found[side.index()].push(board.clone());
            let mut moves = Vec::new();
            if game.outcome(&board, side).is_some() {
                break;
            }
            game.legal_moves(&board, side, &mut moves);
            let Some(mv) = moves.get(chance.below(moves.len())) else { break };
            (board, side) = (explicit::apply(&board, mv), side.other());
        }
        for side in Side::BOTH {
            let cells = game.cell_states().iter();
            found[side.index()].push(cells.map(|&states| chance.below(states.into()) as u8).collect());
        }
    }
    compare_on(game, |side| found[side.index()].clone().into_iter())
}

/// A position that play from the start comes back to, if there is one.
pub fn comes_back(game: &dyn Game) -> Option<(Vec<u8>, Side)> {
    let after = |board: &[u8], side: Side| {
        let over = game.outcome(board, side).is_some();
        let next = if over { BTreeSet::new() } else { successors(game, board, side) };
        next.into_iter().collect::<Vec<_>>()
    };
    let (board, side) = game.start();
    // Whether a position is still on the path.
    let mut seen = HashMap::from([((board.clone(), side), true)]);
    let mut path = vec![(after(&board, side), board, side)];
    while let Some((left, board, side)) = path.last_mut() {
        let Some(next) = left.pop() else {
            seen.insert((board.clone(), *side), false);
            path.pop();
            continue;
        };
        let position = (next, side.other());
        match seen.get(&position) {
            Some(true) => return Some(position),
            Some(false) => {}
            None => {
                seen.insert(position.clone(), true);
                path.push((after(&position.0, position.1), position.0, position.1));
            }
        }
    }
    None
}

/// Numbers by chance, the same in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

fn compare_on<B: Iterator<Item = Vec<u8>>>(
    game: &Arc<dyn Game>,
    boards: impl Fn(Side) -> B,
) -> Result<Seen, String> {
    let mut seen = Seen::default();
    for side in Side::BOTH {
        let mut symbolic = Symbolic::new(game, side);
        for board in boards(side) {
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
