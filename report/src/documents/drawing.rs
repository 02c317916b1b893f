//! Boards as data that the page draws, for all games.

use nerode_games::{Figure, Game, Ground, Look, Picture, Position, Side};
use serde::Serialize;

use crate::board::places_of;
use nerode_solver::stored::Reply;

/// A board and the pieces on it.
#[derive(Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Drawing {
    /// The board as text, for games without a picture and for users who cannot see one.
    text: String,
    #[serde(flatten)]
    board: Option<Board>,
}

/// The places of a board and the lines between them.
#[derive(Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Board {
    /// The names of the files, from left to right.
    files: Vec<String>,
    /// The names of the ranks, from bottom to top.
    ranks: Vec<String>,
    /// The names of the places, if they do not consist of file and rank.
    names: Vec<String>,
    /// The appearance of the board: `squares`, `chequered`, `lines`, or `hexagons`. A hexagon occupies two files, its own
    /// and the next.
    ground: &'static str,
    /// The pairs of places that are connected by a line.
    lines: Vec<(usize, usize)>,
    places: Vec<Place>,
    /// Other parts of the position, such as the stones in hand.
    note: Option<String>,
}

/// A place: its file and rank, counted from 0 with the lowest rank at the bottom, and the piece on it.
#[derive(Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Place {
    file: usize,
    rank: usize,
    figure: Option<Piece>,
}

/// A piece on a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Piece {
    /// `disc`, `cross`, `ring`, `pawn`, `amazon`, `block`, `thing`, or the letter of a chess piece.
    look: String,
    /// The owner, or null if it belongs to neither side.
    owner: Option<String>,
    light: bool,
}

/// The places that a move changes, by number.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Places {
    /// The place that a piece leaves, or null if it is placed on the board.
    from: Option<usize>,
    /// The place that it reaches.
    to: usize,
    /// The other places that change.
    others: Vec<usize>,
}

impl Drawing {
    /// Returns the drawing of a position.
    pub fn new(game: &dyn Game, position: &Position) -> Self {
        Self { text: game.draw(position), board: game.picture(position).map(Board::new) }
    }
}

impl Board {
    fn new(picture: Picture) -> Self {
        let (ground, lines) = match picture.ground {
            Ground::Squares { chequered: false } => ("squares", Vec::new()),
            Ground::Squares { chequered: true } => ("chequered", Vec::new()),
            Ground::Lines(lines) => ("lines", lines),
            Ground::Hexagons => ("hexagons", Vec::new()),
        };
        let place = |place: nerode_games::Place| Place {
            file: place.at.0,
            rank: place.at.1,
            figure: place.figure.map(Piece::new),
        };
        Self {
            files: picture.files,
            ranks: picture.ranks,
            ground,
            lines,
            places: picture.places.into_iter().map(place).collect(),
            names: picture.names,
            note: picture.note,
        }
    }
}

impl Piece {
    /// Describes a figure.
    pub fn new(figure: Figure) -> Self {
        let look = match figure.look {
            Look::Disc => "disc".into(),
            Look::Cross => "cross".into(),
            Look::Ring => "ring".into(),
            Look::Pawn => "pawn".into(),
            Look::Amazon => "amazon".into(),
            Look::Block => "block".into(),
            Look::Thing => "thing".into(),
            Look::Man(letter) => letter.to_string(),
        };
        Self { look, owner: figure.owner.map(|side| side.to_string()), light: figure.light }
    }
}

/// Returns the places of a move, or `None` if it changes none.
pub fn places(game: &dyn Game, before: &Picture, mover: Side, reply: &Reply) -> Option<Places> {
    let found = places_of(before, &game.picture(reply.position())?, mover)?;
    Some(Places { from: found.from, to: found.to, others: found.others })
}
