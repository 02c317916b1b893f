//! The value and depth of a position, and all its moves.

use nerode_games::{Game, Side, Value};
use serde::Serialize;

use super::SCHEMA_VERSION;
use super::drawing::{Drawing, Places, places};
use crate::lines::{Known, MoveLine};
use nerode_solver::stored::{Answer as Query, Reply, Stored};

/// The evaluation of a position.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Answer {
    schema_version: u32,
    game: String,
    #[serde(flatten)]
    known: Known,
    /// Whether the position can occur in play, as far as simple rules can tell.
    legal: bool,
    /// The reason why the position cannot occur in play.
    #[serde(skip_serializing_if = "Option::is_none")]
    why_illegal: Option<String>,
    game_over: bool,
    /// The winner, if the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<String>,
    /// The last computed ply of an unfinished run.
    #[serde(skip_serializing_if = "Option::is_none")]
    ply_so_far: Option<u32>,
    /// The result of the search, if one was requested and a value was unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    search: Option<Searched>,
    /// All legal moves, the best one first. `category` and `dtw` are from the point of view of the side that moves next.
    moves: Vec<Row>,
    #[serde(skip_serializing_if = "Option::is_none")]
    picture: Option<Drawing>,
}

/// A move.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Row {
    #[serde(flatten)]
    line: MoveLine,
    /// The places that it changes, if the board was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    places: Option<Places>,
}

/// The result of the search, and the moves that lead to it.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Searched {
    /// The depth in plies that was searched completely.
    pub plies: u32,
    /// Whether a deeper search would show nothing new.
    pub complete: bool,
    /// The number of positions visited.
    pub nodes: u64,
    /// Best play of both sides, as far as the search knows, up to a position that the solution covers.
    pub line: Vec<String>,
}

impl Answer {
    /// Describes what is `found` about a position, with its board if `picture` is set.
    pub fn new(solution: &dyn Stored, found: &Query, search: Option<Searched>, picture: bool) -> Self {
        let (game, position) = (solution.game(), found.position());
        let why_illegal = game.why_illegal(&position.board, position.side);
        let over = game.outcome(&position.board, position.side);
        Self {
            schema_version: SCHEMA_VERSION,
            game: game.spec(),
            known: Known::new(game, position, &found.evaluation()),
            legal: why_illegal.is_none(),
            why_illegal,
            game_over: over.is_some(),
            winner: over.and_then(|value| winner(value, position.side)).map(|side| side.to_string()),
            ply_so_far: solution.ply_so_far(),
            moves: rows(game, found, picture),
            search,
            picture: picture.then(|| Drawing::new(game, position)),
        }
    }
}

fn winner(value: Value, side: Side) -> Option<Side> {
    match value {
        Value::Win => Some(side),
        Value::Loss => Some(side.other()),
        Value::Draw => None,
    }
}

fn rows(game: &dyn Game, found: &Query, picture: bool) -> Vec<Row> {
    let before = game.picture(found.position()).filter(|_| picture);
    let row = |reply: &Reply| Row {
        line: MoveLine::new(game, reply),
        places: before.as_ref().and_then(|before| places(game, before, found.position().side, reply)),
    };
    found.moves().iter().map(row).collect()
}

/// The evaluation of a position, with its moves if they were requested.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Found {
    #[serde(flatten)]
    known: Known,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<MoveLine>>,
}

impl Found {
    /// Describes a position without its moves.
    pub fn new(known: Known) -> Self {
        Self { known, moves: None }
    }

    /// Describes what is `found` about a position, with its moves.
    pub fn with_moves(game: &dyn Game, found: &Query) -> Self {
        let moves = found.moves().iter().map(|reply| MoveLine::new(game, reply)).collect();
        Self { known: Known::new(game, found.position(), &found.evaluation()), moves: Some(moves) }
    }
}

/// The move of a player.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Choice {
    schema_version: u32,
    game: String,
    /// The position in which the move is made.
    position: String,
    /// The move, or null if the game is over.
    r#move: Option<String>,
}

impl Choice {
    /// Describes the move that a player chose in a position.
    pub fn new(game: &dyn Game, position: String, chosen: Option<String>) -> Self {
        Self { schema_version: SCHEMA_VERSION, game: game.spec(), position, r#move: chosen }
    }
}
