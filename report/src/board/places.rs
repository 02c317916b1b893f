//! The places that a move touches, for programs in which users make moves on a drawn board.

use nerode_games::{Picture, Side};

use super::marks::way;

/// The places that a move touches, by their numbers in a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovePlaces {
    /// The place that a figure leaves, unless one is put on the board.
    pub from: Option<usize>,
    /// The place at which the figure arrives. In games whose objects have no owner, this is the lowest place that the
    /// move empties.
    pub to: usize,
    /// The other places that change: figures are captured or additionally put on the board. They include the place that
    /// was left if it is occupied afterwards.
    pub others: Vec<usize>,
}

/// Returns the places of a move of `mover` between two pictures, or `None` if no place changes, as in a pass.
///
/// # Examples
/// ```
/// use nerode_report::board::places_of;
/// let game = nerode_games::registry::open("breakthrough:2x4")?;
/// let before = game.picture(&game.parse_position("2/1b/w1/2 w")?);
/// let after = game.picture(&game.parse_position("2/1w/2/2 b")?);
/// let (Some(before), Some(after)) = (before, after) else { panic!("a board without a picture") };
/// let places = places_of(&before, &after, nerode_games::Side::P1);
/// assert_eq!(places.map(|places| (places.from, places.to)), Some((Some(2), 5)));
/// # Ok::<(), nerode_games::Error>(())
/// ```
pub fn places_of(before: &Picture, after: &Picture, mover: Side) -> Option<MovePlaces> {
    let (from, to) = way(before, after, mover)?;
    let is_other = |&place: &usize| {
        let (was, is) = (before.places[place].figure, after.places[place].figure);
        was != is && place != to && (Some(place) != from || is.is_some())
    };
    let others = (0..before.places.len().min(after.places.len())).filter(is_other).collect();
    Some(MovePlaces { from, to, others })
}
