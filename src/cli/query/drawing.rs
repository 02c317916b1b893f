//! `nerode query DIR POSITION --plot FILE.svg`.

use std::path::Path;

use anyhow::{Result, bail};
use nerode_games::Game;

use super::{category, value_text};
use crate::archive::files::write_bytes_atomic;
use crate::archive::place::must_be_writable;
use crate::facade::{Answer, Found, Reply};
use crate::report::board::{MoveValue, draw_board};

/// Draws the position and its moves to `file`.
pub(super) fn draw(game: &dyn Game, answer: &Answer, file: &Path, overwrite: bool) -> Result<()> {
    must_be_writable(file, overwrite)?;
    let known = value_text(category(answer.value, answer.covered), answer.depth, answer.score);
    let caption = format!("{} to move: {known}", answer.position.side);
    let moves: Vec<MoveValue> = answer.moves.iter().map(value_of).collect();
    match draw_board(game, &answer.position, &caption, &moves) {
        Some(svg) => Ok(write_bytes_atomic(file, svg.as_bytes())?),
        None => bail!("{} has no board that could be drawn", game.spec()),
    }
}

fn value_of(reply: &Reply) -> MoveValue {
    let found = Found { value: reply.value, depth: reply.depth, score: reply.score, covered: reply.covered };
    MoveValue { text: reply.text.clone(), after: reply.position.clone(), outcome: found.outcome() }
}
