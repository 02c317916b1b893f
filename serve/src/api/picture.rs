//! Boards as data that the page draws, for all games.

use nerode_games::{Figure, Game, Ground, Look, Picture, Position, Side};
use serde::Serialize;
use utoipa::ToSchema;

use nerode_report::board::places_of;
use nerode_solver::stored::Reply;

/// A board with what stands on it.
#[derive(Serialize, ToSchema)]
pub(super) struct Drawing {
    /// The board in signs, for games without a picture and for whoever cannot see one.
    text: String,
    #[serde(flatten)]
    board: Option<Board>,
}

/// Where places lie, and what joins them.
#[derive(Serialize, ToSchema)]
struct Board {
    /// Names of the files, from the left.
    #[schema(required = false)]
    files: Vec<String>,
    /// Names of the ranks, from below.
    #[schema(required = false)]
    ranks: Vec<String>,
    /// Names of the places, where those are not file and rank.
    #[schema(required = false)]
    names: Vec<String>,
    /// `squares`, `chequered`, `lines`, or `hexagons`: there a place takes two files, its own and the next.
    #[schema(required = false)]
    ground: &'static str,
    /// Pairs of places that a line joins.
    #[schema(required = false)]
    lines: Vec<(usize, usize)>,
    #[schema(required = false)]
    places: Vec<Place>,
    /// What else belongs to the position, such as the stones in hand.
    note: Option<String>,
}

/// A place: file and rank from 0, the lowest rank at the bottom, and what stands there.
#[derive(Serialize, ToSchema)]
struct Place {
    file: usize,
    rank: usize,
    figure: Option<Piece>,
}

/// What stands on a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(super) struct Piece {
    /// `disc`, `cross`, `ring`, `pawn`, `amazon`, `block`, `thing`, or a chess man by its letter.
    look: String,
    /// Whose it is; null for what is nobody's.
    owner: Option<String>,
    light: bool,
}

/// The places that a move touches, by their numbers.
#[derive(Serialize, ToSchema)]
pub(super) struct Places {
    /// Where a figure leaves; null where one is put on the board.
    from: Option<usize>,
    /// Where it arrives.
    to: usize,
    /// What else changes.
    others: Vec<usize>,
}

impl Drawing {
    pub(super) fn new(game: &dyn Game, position: &Position) -> Self {
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
    pub(super) fn new(figure: Figure) -> Self {
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
pub(super) fn places(game: &dyn Game, before: &Picture, mover: Side, reply: &Reply) -> Option<Places> {
    let found = places_of(before, &game.picture(reply.position())?, mover)?;
    Some(Places { from: found.from, to: found.to, others: found.others })
}
