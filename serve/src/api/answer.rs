//! The request `GET {id}?position=...`, which returns the value and depth of a position, and all its moves.

use std::sync::Arc;

use axum::extract::State as Shared;
use axum::response::Response;
use nerode_games::{Game, Position, Side, Value};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::picture::{Drawing, Places, places};
use super::search::{MOST_PLIES, Searched, search};
use super::shared::{SCHEMA_VERSION, answered, read_after};
use crate::caching::Cached;
use crate::extract::{PathParams, QueryParams};
use crate::problem::{Outcome, Problem};
use crate::state::State;
use crate::work::{Wanted, Weight};
use nerode_report::lines::{Known, MoveLine};
use nerode_solver::stored::{Answer as Found, Reply, Solution};

/// The parameters of a request about a position.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Ask {
    /// The position in any notation that the game accepts, where `_` counts as a space. `start`, which is the default, is
    /// the start position.
    position: Option<String>,
    /// Whether to answer a position that cannot occur in play. By default, it is rejected with the reason.
    #[serde(default)]
    any: bool,
    /// The moves made since the position, separated by spaces. The request is about the position after them.
    #[serde(default)]
    moves: String,
    /// Whether to include the board and the places that each move changes.
    #[serde(default)]
    picture: bool,
    /// The depth in plies of a search, for at most a few seconds, if the solution does not contain the value of the
    /// position or of a move.
    #[serde(default)]
    #[schemars(range(min = 0, max = 20))]
    search_plies: u32,
}

impl Ask {
    fn read(&self, solution: &Solution) -> Outcome<Position> {
        read_after(self.position.as_deref(), &self.moves, self.any, solution)
    }
}

/// The evaluation of a position.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Answer {
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
#[derive(Serialize, JsonSchema)]
struct Row {
    #[serde(flatten)]
    line: MoveLine,
    /// The places that it changes, if the board was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    places: Option<Places>,
}

impl Answer {
    /// Returns the answer of the solution for a position.
    fn of(solution: &Solution, position: &Position, ask: &Ask, wanted: &Wanted) -> Outcome<Self> {
        let game = solution.game();
        let problem = |error| Problem::of(&error, game);
        let found = solution.query(position).map_err(problem)?;
        let bounds = search(solution, &found, ask.search_plies, wanted).map_err(problem)?;
        let found = match &bounds {
            Some(bounds) => found.within(bounds.range, &bounds.moves),
            None => found,
        };
        let why_illegal = game.why_illegal(&position.board, position.side);
        let over = game.outcome(&position.board, position.side);
        Ok(Self {
            schema_version: SCHEMA_VERSION,
            game: game.spec(),
            known: Known::new(game, position, &found.evaluation()),
            legal: why_illegal.is_none(),
            why_illegal,
            game_over: over.is_some(),
            winner: over.and_then(|value| winner(value, position.side)).map(|side| side.to_string()),
            ply_so_far: solution.ply_so_far(),
            moves: rows(game, &found, ask.picture),
            search: bounds.as_ref().map(Searched::new),
            picture: ask.picture.then(|| Drawing::new(game, position)),
        })
    }
}

/// Returns the answer of the solution for the position after some moves from a position, which defaults to the start.
pub(crate) fn answer_of(
    solution: &Solution,
    (position, any): (Option<String>, bool),
    moves: &[String],
    search_plies: u32,
    wanted: &Wanted,
) -> Outcome<Answer> {
    must_be_short(search_plies)?;
    let ask = Ask { position, any, moves: moves.join(" "), picture: false, search_plies };
    Answer::of(solution, &ask.read(solution)?, &ask, wanted)
}

fn winner(value: Value, side: Side) -> Option<Side> {
    match value {
        Value::Win => Some(side),
        Value::Loss => Some(side.other()),
        Value::Draw => None,
    }
}

fn rows(game: &dyn Game, found: &Found, picture: bool) -> Vec<Row> {
    let before = game.picture(found.position()).filter(|_| picture);
    let row = |reply: &Reply| Row {
        line: MoveLine::new(game, reply),
        places: before.as_ref().and_then(|before| places(game, before, found.position().side, reply)),
    };
    found.moves().iter().map(row).collect()
}

fn must_be_short(search_plies: u32) -> Outcome<()> {
    if search_plies <= MOST_PLIES {
        return Ok(());
    }
    let problem = Problem::malformed(format!("a search of {search_plies} plies is too deep"));
    Err(problem.accepting(format!("at most {MOST_PLIES} plies")))
}

pub(super) async fn get(
    Shared(state): Shared<Arc<State>>,
    cached: Cached,
    PathParams(id): PathParams<String>,
    QueryParams(ask): QueryParams<Ask>,
) -> Outcome<Response> {
    must_be_short(ask.search_plies)?;
    let weight = if ask.search_plies > 0 { Weight::Heavy } else { Weight::Light };
    answered(&state, &cached, &id, weight, move |solution, wanted| {
        let position = ask.read(solution)?;
        Answer::of(solution, &position, &ask, wanted)
    })
    .await
}
