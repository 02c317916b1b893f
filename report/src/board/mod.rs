//! A board as an SVG drawing: the figures on it, and the value of every move at its destination.
//!
//! Wins, draws and losses differ in letter, fill and line as well as in colour. The drawing has a light background of
//! its own, so that it is legible on any page.

mod answer;
mod arrows;
mod figures;
mod geometry;
mod marks;
mod page;
mod panel;
mod places;
mod style;
#[cfg(test)]
mod tests;

use nerode_games::{Game, Position};

use marks::Marks;
use page::Page;

pub use answer::picture;
pub use marks::MoveValue;
pub use places::{MovePlaces, places_of};

/// Draws `position` with its moves, best first, where `caption` describes its value. Returns `None` for a game without
/// a picture.
///
/// If several moves share both places, the first is shown. Moves without a place, such as a pass, are listed below the board.
/// If arrows would cross values, as with flying stones, each moving figure has a small board of its own without arrows.
///
/// # Examples
/// ```
/// use nerode_report::board::draw_board;
/// let game = nerode_games::registry::open("tictactoe:3x3")?;
/// let svg = draw_board(game.as_ref(), &game.start_position(), "P1 to move: draw", &[]).unwrap();
/// assert!(svg.starts_with("<svg") && svg.contains("P1 to move: draw"));
/// # Ok::<(), nerode_games::Error>(())
/// ```
pub fn draw_board(
    game: &dyn Game,
    position: &Position,
    caption: &str,
    moves: &[MoveValue],
) -> Option<String> {
    let picture = game.picture(position)?;
    let marks = Marks::new(game, &picture, position.side, moves);
    Some(Page::new(&picture, &marks).draw(&game.spec(), caption))
}
