//! Drawings of positions for web pages and notebooks.

use nerode_games::{Game, Position};

use super::{MoveValue, draw_board};
use nerode_solver::stored::{Answer, Reply};

/// Draws `position` as SVG, with the value of every move of `answer`. Returns `None` for a game without a picture.
pub fn picture(
    game: &dyn Game,
    position: &Position,
    caption: &str,
    answer: Option<&Answer>,
) -> Option<String> {
    let moves: Vec<MoveValue> = answer.map_or(&[][..], Answer::moves).iter().map(value_of).collect();
    draw_board(game, position, caption, &moves)
}

fn value_of(reply: &Reply) -> MoveValue {
    MoveValue { text: reply.text().into(), after: reply.position().clone(), outcome: reply.outcome() }
}
