//! A board as an SVG drawing: the figures on it, and the value of every move at its destination.
//!
//! Wins, draws and losses differ in letter, fill and line as well as in colour. The drawing has a light background of
//! its own, so that it is legible on any page.

mod arrows;
mod figures;
mod geometry;
mod marks;
mod page;
mod panel;
mod places;
mod style;
#[cfg(feature = "engine")]
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use nerode_games::{Game, Position, Side};
use nerode_solver::stored::{Answer, Reply};

use marks::Marks;
use page::Page;

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
    Some(Page::new(&picture, &marks, &names_of_sides(game)).draw(&game.spec(), caption))
}

/// Returns the names of the sides as the rules or the notation of positions have them, such as `blue (P1)`, `White (P1)`
/// or `X (P1)`.
fn names_of_sides(game: &dyn Game) -> [String; 2] {
    if let Some([first, second]) = game.side_names() {
        return [format!("{first} ({})", Side::P1), format!("{second} ({})", Side::P2)];
    }
    Side::BOTH.map(|side| {
        let text = game.format_position(&Position { side, ..game.start_position() });
        let name = match text.split_whitespace().nth(1).unwrap_or_default() {
            "w" => "White",
            "b" => "Black",
            name => name,
        };
        let is_own = !name.is_empty() && name != side.to_string();
        if is_own { format!("{name} ({side})") } else { side.to_string() }
    })
}

/// Returns the letters by which a drawing in text shows the figures of the sides, such as `w White (P1), b Black (P2)`. Returns `None` for
/// a game without a picture or a position without such figures.
pub fn key(game: &dyn Game, position: &Position) -> Option<String> {
    let picture = game.picture(position)?;
    let (layers, word) = (game.layers(), game.word_of(&position.board));
    let letter_at = |name: &str| {
        let layer = layers.iter().position(|layer| layer.label == name)?;
        layers[layer].letters.get(usize::from(word[layer])).map(String::as_str)
    };
    let of_side = |(side, name): (Side, String)| {
        let places = picture.places.iter().enumerate();
        let own = places.filter(|(_, place)| place.figure.is_some_and(|figure| figure.owner == Some(side)));
        let letters: BTreeSet<&str> = own.filter_map(|(at, _)| letter_at(&picture.name_of(at))).collect();
        let letters: Vec<&str> = letters.into_iter().collect();
        (!letters.is_empty()).then(|| format!("{} {name}", letters.join(" ")))
    };
    let sides: Vec<String> = Side::BOTH.into_iter().zip(names_of_sides(game)).filter_map(of_side).collect();
    (!sides.is_empty()).then(|| sides.join(", "))
}

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
