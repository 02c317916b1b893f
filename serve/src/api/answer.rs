//! The request `GET {id}?position=...`, which returns the value and depth of a position, and all its moves.

use std::sync::Arc;

use axum::extract::State as Shared;
use axum::http::HeaderMap;
use axum::response::Response;
use nerode_games::{Game, Position, Side, Value};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::picture::{Drawing, Places, places};
use super::search::{MOST_PLIES, Searched, in_order, search};
use super::shared::{SCHEMA_VERSION, answered, read};
use crate::asked::{Asked, Named};
use crate::problem::{Outcome, Problem};
use crate::state::State;
use crate::work::{Wanted, Weight};
use nerode_play::bounds::Bounds;
use nerode_report::lines::{Known, MoveLine};
use nerode_solver::outcome::ValueRange;
use nerode_solver::stored::{Answer as Found, Reply, Solution};

/// What is asked.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Ask {
    /// The position in any notation that the game reads; `_` counts as a blank. `start`, which is also meant where it is left
    /// out, is the start position.
    position: Option<String>,
    /// Whether the board is described too, and which places each move touches.
    #[serde(default)]
    picture: bool,
    /// Where the solution leaves the position or a move open: search so many plies into what it says, for a few seconds at most.
    #[serde(default)]
    #[param(minimum = 0, maximum = 20)]
    search_plies: u32,
}

/// What is known of a position.
#[derive(Serialize, ToSchema)]
pub(crate) struct Answer {
    schema_version: u32,
    game: String,
    #[serde(flatten)]
    known: Known,
    /// Whether a game may come to the position, as far as simple rules say.
    legal: bool,
    /// Why no game comes to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    why_illegal: Option<String>,
    game_over: bool,
    /// Who has won, where the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<String>,
    /// The last ply of a run that is not finished.
    #[serde(skip_serializing_if = "Option::is_none")]
    ply_so_far: Option<u32>,
    /// What a search has come to, where one was asked for and something was open.
    #[serde(skip_serializing_if = "Option::is_none")]
    search: Option<Searched>,
    /// Every legal move, best first. Category and dtw are those of the side that moves next.
    moves: Vec<Row>,
    #[serde(skip_serializing_if = "Option::is_none")]
    picture: Option<Drawing>,
}

/// A move.
#[derive(Serialize, ToSchema)]
struct Row {
    #[serde(flatten)]
    line: MoveLine,
    /// The places that it touches, where the board is asked for.
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
        let known = Known::new(game, position, &found.evaluation());
        let why_illegal = game.why_illegal(&position.board, position.side);
        let over = game.outcome(&position.board, position.side);
        Ok(Self {
            schema_version: SCHEMA_VERSION,
            game: game.spec(),
            known: match &bounds {
                Some(bounds) if found.value().is_none() => known.within(bounds.range),
                _ => known,
            },
            legal: why_illegal.is_none(),
            why_illegal,
            game_over: over.is_some(),
            winner: over.and_then(|value| winner(value, position.side)).map(|side| side.to_string()),
            ply_so_far: solution.ply_so_far(),
            moves: rows(game, &found, bounds.as_ref(), ask.picture),
            search: bounds.as_ref().map(Searched::new),
            picture: ask.picture.then(|| Drawing::new(game, position)),
        })
    }
}

/// Returns the answer of the solution for a position, which defaults to the start.
pub(crate) fn answer_of(
    solution: &Solution,
    position: Option<String>,
    search_plies: u32,
    wanted: &Wanted,
) -> Outcome<Answer> {
    must_be_short(search_plies)?;
    let ask = Ask { position: None, picture: false, search_plies };
    Answer::of(solution, &read(position.as_deref(), solution)?, &ask, wanted)
}

fn winner(value: Value, side: Side) -> Option<Side> {
    match value {
        Value::Win => Some(side),
        Value::Loss => Some(side.other()),
        Value::Draw => None,
    }
}

fn rows(game: &dyn Game, found: &Found, bounds: Option<&Bounds>, picture: bool) -> Vec<Row> {
    let before = game.picture(found.position()).filter(|_| picture);
    let row = |(reply, range): (&Reply, Option<ValueRange>)| {
        let line = MoveLine::new(game, reply);
        let range = range.filter(|_| reply.value().is_none());
        let places = before.as_ref().and_then(|before| places(game, before, found.position().side, reply));
        Row { line: if let Some(range) = range { line.within(range) } else { line }, places }
    };
    match bounds {
        Some(bounds) => {
            in_order(found, bounds).into_iter().map(|(reply, range)| row((reply, Some(range)))).collect()
        }
        None => found.moves().iter().map(|reply| row((reply, None))).collect(),
    }
}

fn must_be_short(search_plies: u32) -> Outcome<()> {
    if search_plies <= MOST_PLIES {
        return Ok(());
    }
    let problem = Problem::malformed(format!("a search of {search_plies} plies is too long"));
    Err(problem.accepting(format!("at most {MOST_PLIES} plies")))
}

/// Value, depth and every move of a position.
#[utoipa::path(get, path = "/api/v1/{id}", params(("id" = String, Path, description = "id of a solution"), Ask),
    responses((status = 200, body = Answer), (status = 304, description = "as before"), (status = "4XX", body = Problem,
    content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn get(
    Shared(state): Shared<Arc<State>>,
    headers: HeaderMap,
    Named(id): Named<String>,
    Asked(ask): Asked<Ask>,
) -> Outcome<Response> {
    must_be_short(ask.search_plies)?;
    let weight = if ask.search_plies > 0 { Weight::Heavy } else { Weight::Light };
    answered(&state, &headers, &id, weight, move |solution, wanted| {
        let position = read(ask.position.as_deref(), solution)?;
        Answer::of(solution, &position, &ask, wanted)
    })
    .await
}
