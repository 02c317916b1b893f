//! A board as an SVG drawing: what stands on it, and the value of every move on the place where the move ends.
//!
//! Wins, draws and losses differ in letter, fill and line as well as in colour. The drawing has its own light ground, so that it
//! can be read on any page.

mod figures;
mod layout;
mod marks;
mod style;

use nerode_games::{Game, Position};

use layout::Layout;
use marks::Marks;

pub use marks::MoveValue;

/// Draws `position` with its moves, best first; `caption` says what is known of it. `None` for a game without a picture.
///
/// Of several moves between the same two places the first is shown. Moves without a place, such as a pass, stand below the board.
///
/// # Examples
/// ```
/// use nerode::report::board::draw_board;
/// let game = nerode::games::registry::open("tictactoe:3x3")?;
/// let svg = draw_board(game.as_ref(), &game.start_position(), "P1 to move: draw", &[]).unwrap();
/// assert!(svg.starts_with("<svg") && svg.contains("P1 to move: draw"));
/// # Ok::<(), nerode::Error>(())
/// ```
pub fn draw_board(
    game: &dyn Game,
    position: &Position,
    caption: &str,
    moves: &[MoveValue],
) -> Option<String> {
    let picture = game.picture(position)?;
    let marks = Marks::new(game, &picture, position.side, moves);
    let layout = Layout::new(&picture, &marks);
    let mut parts = vec![layout.head(&game.spec(), caption)];
    parts.push(layout.ground(&picture));
    for (place, figure) in picture.places.iter().zip(0..).filter_map(|(place, at)| Some((at, place.figure?)))
    {
        parts.push(figures::figure(figure, layout.centre(place), layout.cell()));
    }
    parts.push(layout.moves(&picture, &marks));
    parts.push(layout.foot(&picture, &marks));
    parts.push("</svg>".to_string());
    Some(parts.concat())
}
