//! Comparison of compiled rules with the interpreter on every word.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use nerode_dfa::Store;
use nerode_games::{Game, Side, explicit};

use crate::common::{Symbolic, boards, successors};

/// The numbers of compared words, outcomes and moves.
#[derive(Debug, Default, PartialEq)]
pub struct Seen {
    pub words: usize,
    pub ended: usize,
    pub moves: usize,
    /// The number of words that cannot occur in play and from which the compiled moves differ, because the compiler
    /// does not count captures in a chain of more men than there are.
    pub elsewhere: usize,
    /// The number of words that cannot occur in play according to the compiler.
    pub impossible: usize,
}

/// Compares outcome and moves of every `stride`-th board, for both sides. If they differ, returns where.
pub fn compare(game: &Arc<dyn Game>, stride: usize) -> Result<Seen, String> {
    compare_on(game, |_| boards(&**game).step_by(stride))
}

/// Compares positions of games with random moves, and random boards.
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

/// Returns a reachable position that the compiler calls impossible, if there is one among the first `most`.
pub fn comes_to_the_impossible(game: &Arc<dyn Game>, most: usize) -> Option<(Vec<u8>, Side)> {
    let possible = Side::BOTH.map(|side| {
        let mut store = Store::unbounded(game.shape().clone());
        let set = game.admissible(&mut store, side).unwrap().unwrap_or_else(|| store.full());
        store.freeze(&set)
    });
    let (mut seen, mut left) = (BTreeSet::from([game.start()]), VecDeque::from([game.start()]));
    while let Some((board, side)) = left.pop_front() {
        if !possible[side.index()].contains(&game.word_of(&board)) {
            return Some((board, side));
        }
        let next = successors(&**game, &board, side).into_iter().map(|board| (board, side.other()));
        left.extend(next.filter(|next| seen.len() < most && seen.insert(next.clone())));
    }
    None
}

/// Returns a position that can be repeated in a game from the start, if there is one.
pub fn comes_back(game: &dyn Game) -> Option<(Vec<u8>, Side)> {
    let after = |board: &[u8], side: Side| {
        let over = game.outcome(board, side).is_some();
        let next = if over { BTreeSet::new() } else { successors(game, board, side) };
        next.into_iter().collect::<Vec<_>>()
    };
    let (board, side) = game.start();
    // The value says whether a position is still on the current path.
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

/// Random numbers that are the same in every run.
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
        let possible = game.admissible(&mut symbolic.store, side).map_err(|error| error.to_string())?;
        let possible = possible.unwrap_or_else(|| symbolic.store.full());
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
            let after: BTreeSet<Vec<u8>> =
                successors(&**game, &board, side).iter().map(|board| game.word_of(board)).collect();
            let image = symbolic.neighbours(&word, true);
            let is_possible = symbolic.store.contains(&possible, &word);
            seen.impossible += usize::from(!is_possible);
            if !is_possible && after != image {
                seen.elsewhere += 1;
            } else if after != image {
                return Err(format!(
                    "{word:?} {side}: the interpreter goes to {after:?}, the compiler to {image:?}"
                ));
            }
            seen.moves += after.len();
        }
    }
    Ok(seen)
}
