//! Random positions of a solution of any format.

use chacha20::ChaCha12Rng;
use nerode_dfa::Dfa;
use nerode_games::explicit::apply;
use nerode_games::{Game, Position, Side};
use rand::RngExt;
use rand::seq::IndexedRandom;

use crate::archive::run_dir::Kind;
use crate::archive::stored_run::StoredRun;
use crate::archive::table::keyed::KeyedTable;
use crate::error::Result;
use crate::solve::method::Method;

/// The number of words drawn for each requested position before games are played instead.
pub(super) const TRIES: usize = 64;
/// The number of plies of a random game.
const PLIES: u32 = 200;

/// Draws covered words, or positions of random games if few words are covered.
pub(super) fn of_words(
    game: &dyn Game,
    is_covered: &dyn Fn(&Position) -> Result<bool>,
    n: usize,
    rng: &mut ChaCha12Rng,
) -> Result<Vec<Position>> {
    let shape = game.shape();
    let mut positions = Vec::with_capacity(n);
    for _ in 0..TRIES * n {
        if positions.len() == n {
            return Ok(positions);
        }
        let letter = |layer| rng.random_range(0..shape.num_letters(layer)) as u8;
        let word: Vec<u8> = (0..shape.num_layers()).map(letter).collect();
        let side = *Side::BOTH.choose(rng).unwrap_or(&Side::P1);
        let position = Position { board: game.board_of(&word), side };
        if is_covered(&position)? {
            positions.push(position);
        }
    }
    for _ in 0..TRIES * n {
        if positions.len() == n {
            break;
        }
        let position = of_game(game, rng);
        if is_covered(&position)? {
            positions.push(position);
        }
    }
    Ok(positions)
}

/// Draws a position of a random game, with equal probability for each of its plies.
pub(super) fn of_game(game: &dyn Game, rng: &mut ChaCha12Rng) -> Position {
    let mut course = vec![game.start_position()];
    for _ in 0..PLIES {
        let Some(at) = course.last() else { break };
        let mut moves = Vec::new();
        game.legal_moves(&at.board, at.side, &mut moves);
        let Some(mv) = moves.choose(rng) else { break };
        course.push(Position { board: apply(&at.board, mv), side: at.side.other() });
    }
    let at = rng.random_range(0..course.len());
    course.swap_remove(at)
}

/// Draws rows of a table of reached positions, uniformly.
pub(super) fn of_rows(table: &KeyedTable, n: usize, rng: &mut ChaCha12Rng) -> Result<Vec<Position>> {
    let rows = 0..table.header().num_positions;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    (0..n).map(|_| Ok(table.row(rng.random_range(rows.clone()))?.0)).collect()
}

/// Draws positions that a run covers.
pub(super) fn of_run(run: &StoredRun, n: usize, rng: &mut ChaCha12Rng) -> Result<Vec<Position>> {
    let full = Dfa::full(run.game.shape());
    let covered: Vec<(Side, &Dfa)> = match run.method() {
        Method::Retrograde => Side::BOTH.map(|side| (side, &full)).into(),
        Method::Meet => Side::BOTH
            .into_iter()
            .flat_map(|side| run.forward_plies(side).map(move |ply| (side, ply)))
            .map(|(side, ply)| Ok((side, run.set(Kind::R, side, ply)?)))
            .collect::<Result<_>>()?,
    };
    of_sets(run, &covered, n, rng)
}

/// Draws positions uniformly from the union of several sets, each with the side to move. A word counts once for every
/// set that contains it.
pub(super) fn of_sets(
    run: &StoredRun,
    sets: &[(Side, &Dfa)],
    n: usize,
    rng: &mut ChaCha12Rng,
) -> Result<Vec<Position>> {
    let rankings = sets.iter().map(|(_, set)| Ok(set.ranking()?)).collect::<Result<Vec<_>>>()?;
    let total = rankings.iter().try_fold(0u128, |sum, ranking| sum.checked_add(ranking.count()));
    let total = total.ok_or(nerode_dfa::Error::CountOverflow)?;
    if total == 0 {
        return Ok(Vec::new());
    }
    let mut positions = Vec::with_capacity(n);
    for _ in 0..n {
        let mut rank = rng.random_range(0..total);
        for ((side, _), ranking) in sets.iter().zip(&rankings) {
            if let Some(word) = ranking.unrank(rank) {
                positions.push(Position { board: run.game.board_of(&word), side: *side });
                break;
            }
            rank -= ranking.count();
        }
    }
    Ok(positions)
}
