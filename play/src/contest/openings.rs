//! Openings: all positions after a few plies in which the game is not over, one for each class of symmetric
//! positions.

use std::collections::HashSet;

use chacha20::ChaCha12Rng;
use nerode_games::explicit::apply;
use nerode_games::{Game, Position, Symmetry, grouped};
use rand::SeedableRng;
use rand::seq::SliceRandom;

use super::terms::Terms;
use nerode_solver::error::{Error, PlayError, Result};

/// The maximum number of positions per ply.
const MOST: usize = 1_000_000;

/// Returns the openings to play, and the number of existing openings.
///
/// # Errors
/// Returns [`PlayError::Openings`] if there are none, or too many to choose from.
pub(super) fn openings(game: &dyn Game, terms: &Terms) -> Result<(Vec<Position>, usize)> {
    let symmetries = game.symmetries();
    let mut ply = vec![game.start_position()];
    for _ in 0..terms.opening_plies {
        ply = next_ply(game, &symmetries, &ply, terms.opening_plies)?;
    }
    ply.retain(|at| game.outcome(&at.board, at.side).is_none());
    if ply.is_empty() {
        return Err(wrong(
            game,
            terms.opening_plies,
            "there are no openings, because every game is over by then".into(),
        ));
    }
    let known = ply.len();
    // Sorting makes the result independent of the order in which the positions were found.
    ply.sort_by(|a, b| a.board.cmp(&b.board));
    ply.shuffle(&mut ChaCha12Rng::seed_from_u64(terms.seed));
    ply.truncate(terms.openings);
    Ok((ply, known))
}

fn wrong(game: &dyn Game, plies: u32, reason: String) -> Error {
    PlayError::Openings { game: game.spec(), plies, reason }.into()
}

fn next_ply(game: &dyn Game, symmetries: &[Symmetry], ply: &[Position], plies: u32) -> Result<Vec<Position>> {
    let mut seen = HashSet::new();
    let mut next = Vec::new();
    let mut moves = Vec::new();
    for at in ply {
        moves.clear();
        game.legal_moves(&at.board, at.side, &mut moves);
        for mv in &moves {
            let after = Position { board: apply(&at.board, mv), side: at.side.other() };
            let least = least_image(symmetries, &after);
            if seen.insert(least.clone()) {
                next.push(least);
            }
            if next.len() > MOST {
                let reason = format!(
                    "there are more than {} positions, too many to choose openings from",
                    grouped(MOST as u128)
                );
                return Err(wrong(game, plies, reason));
            }
        }
    }
    Ok(next)
}

/// Returns the least of a position and its symmetric images.
fn least_image(symmetries: &[Symmetry], at: &Position) -> Position {
    let image = |symmetry: &Symmetry| {
        let mut board = at.board.clone();
        for (cell, &to) in symmetry.image.iter().enumerate() {
            board[to] = at.board[cell];
        }
        board
    };
    let board = symmetries.iter().map(image).chain([at.board.clone()]).min();
    Position { board: board.unwrap_or_else(|| at.board.clone()), side: at.side }
}
