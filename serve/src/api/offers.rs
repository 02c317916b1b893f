//! The request `offers`, about small games that the service solves on request, if its user allows it.

use std::sync::{Arc, OnceLock};

use axum::Json;
use axum::extract::State as Shared;
use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::shared::SCHEMA_VERSION;
use crate::extract::PathParams;
use crate::problem::{Outcome, Problem};
use crate::solving::{Offer, Solve, Solving};
use crate::state::State;
use nerode_report::documents::Drawing;

/// The games that can be solved, and the requested solves.
#[derive(Serialize, JsonSchema)]
pub(super) struct Offers {
    schema_version: u32,
    /// The games that can be requested. The list is empty if the service is read-only.
    offers: Vec<Offered>,
    /// The requested solves with their progress.
    solves: Vec<Solve>,
}

/// A game that can be requested, and its board.
#[derive(Clone, Serialize, JsonSchema)]
struct Offered {
    #[serde(flatten)]
    offer: Offer,
    /// The board at the start, or null if it cannot be drawn.
    picture: Option<Drawing>,
}

/// Returns the games that can be requested. Their boards are drawn once.
fn offered(state: &State) -> Vec<Offered> {
    static OFFERED: OnceLock<Vec<Offered>> = OnceLock::new();
    let drawn = |offer: Offer| {
        let game = state.shelf.registry().open(offer.game);
        Offered { picture: game.ok().map(|game| Drawing::new(&*game, &game.start_position())), offer }
    };
    OFFERED.get_or_init(|| Solving::offers().into_iter().map(drawn).collect()).clone()
}

/// The game to solve.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Wish {
    /// One of the offered games.
    game: String,
}

/// A solve that has started.
#[derive(Serialize, JsonSchema)]
pub(super) struct Begun {
    schema_version: u32,
    #[serde(flatten)]
    solve: Solve,
}

pub(super) async fn list(Shared(state): Shared<Arc<State>>) -> Json<Offers> {
    let solving = state.solving.as_ref();
    Json(Offers {
        schema_version: SCHEMA_VERSION,
        offers: solving.map_or_else(Vec::new, |_| offered(&state)),
        solves: solving.map_or_else(Vec::new, Solving::solves),
    })
}

pub(super) async fn begin(
    Shared(state): Shared<Arc<State>>,
    wish: Result<Json<Wish>, JsonRejection>,
) -> Outcome<(StatusCode, Json<Begun>)> {
    let solving = allowed(&state)?;
    let Json(wish) = wish.map_err(|refused| {
        let detail = match refused {
            JsonRejection::MissingJsonContentType(_) => "the type of the body is not application/json",
            JsonRejection::JsonSyntaxError(_) => "the body is not JSON",
            JsonRejection::JsonDataError(_) => "the body is not an object with the spec of a game",
            _ => "the body cannot be read",
        };
        Problem::malformed(detail).accepting("{\"game\": \"tictactoe:3x3\"}")
    })?;
    let solve = solving.begin(&wish.game, &state.shelf)?;
    Ok((StatusCode::ACCEPTED, Json(Begun { schema_version: SCHEMA_VERSION, solve })))
}

pub(super) async fn progress(
    Shared(state): Shared<Arc<State>>,
    PathParams(id): PathParams<String>,
) -> Outcome<Json<Begun>> {
    let solve = allowed(&state)?.get(&id)?;
    Ok(Json(Begun { schema_version: SCHEMA_VERSION, solve }))
}

pub(super) async fn cancel(
    Shared(state): Shared<Arc<State>>,
    PathParams(id): PathParams<String>,
) -> Outcome<(StatusCode, Json<Begun>)> {
    let solve = allowed(&state)?.cancel(&id)?;
    Ok((StatusCode::ACCEPTED, Json(Begun { schema_version: SCHEMA_VERSION, solve })))
}

/// Returns the solves, or the problem that this service is read-only.
fn allowed(state: &State) -> Outcome<&Solving> {
    state.solving.as_ref().ok_or_else(|| {
        Problem::new(StatusCode::FORBIDDEN, "not allowed", "this service is read-only")
            .accepting("a service that is allowed to solve games")
    })
}
