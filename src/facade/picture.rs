//! Drawings of positions for web pages and notebooks.

use nerode_games::{Game, Position};

use super::answer::{Answer, Reply};
use nerode_report::board::{MoveValue, draw_board};

/// Draws `position` as SVG, with the value of every move of `answer`. Returns `None` for a game without a picture.
///
/// # Examples
/// ```
/// let solution = nerode::open("tictactoe:3x3")?.solve(nerode::Options::default())?;
/// let position = solution.game().parse_position("XO./.../... X")?;
/// let answer = solution.query(&position)?;
/// let svg = nerode::picture(solution.game(), &position, "X to move", Some(&answer)).unwrap();
/// assert!(svg.starts_with("<svg") && svg.contains("X to move"));
/// # Ok::<(), nerode::Error>(())
/// ```
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
