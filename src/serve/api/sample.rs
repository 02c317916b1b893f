//! `{id}/sample`: random positions.

use std::sync::Arc;

use axum::extract::State as Shared;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::shared::{SCHEMA_VERSION, answered};
use crate::error::Result;
use crate::facade::{Known, Solution};
use crate::serve::asked::{Asked, Named};
use crate::serve::problem::{Outcome, Problem};
use crate::serve::state::State;
use crate::serve::work::Weight;

/// Most positions at once.
const MOST: usize = 1000;
/// Positions where nothing is said.
const USUAL: usize = 10;

/// Which positions.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Ask {
    /// How many, up to 1000; 10 where it is left out.
    #[param(minimum = 0, maximum = 1000)]
    count: Option<usize>,
    /// The same seed draws the same positions.
    #[serde(default)]
    seed: u64,
}

/// Positions drawn at random.
#[derive(Serialize, ToSchema)]
pub(in crate::serve) struct Sample {
    schema_version: u32,
    game: String,
    positions: Vec<Known>,
}

/// Positions that the solution covers, drawn uniformly. Some may be such that no game comes to them.
#[utoipa::path(get, path = "/api/v1/{id}/sample", params(("id" = String, Path, description = "id of a solution"), Ask),
    responses((status = 200, body = Sample), (status = 304, description = "as before"), (status = "4XX", body = Problem,
    content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn get(
    Shared(state): Shared<Arc<State>>,
    headers: HeaderMap,
    Named(id): Named<String>,
    Asked(ask): Asked<Ask>,
) -> Outcome<Response> {
    answered(&state, &headers, &id, Weight::Heavy, move |solution, _| {
        sample_of(solution, ask.count, ask.seed)
    })
    .await
}

/// Positions drawn at random.
pub(in crate::serve) fn sample_of(solution: &Solution, count: Option<usize>, seed: u64) -> Outcome<Sample> {
    let count = count.unwrap_or(USUAL);
    if count > MOST {
        let problem = Problem::malformed(format!("{count} positions are too many"));
        return Err(problem.accepting(format!("at most {MOST} positions")));
    }
    let game = solution.game();
    let problem = |error| Problem::of(&error, game);
    let drawn = solution.sample(count, seed).map_err(problem)?;
    let known = |position| Ok(Known::new(game, position, &solution.look_up(position)?));
    let positions = drawn.iter().map(known).collect::<Result<_>>().map_err(problem)?;
    Ok(Sample { schema_version: SCHEMA_VERSION, game: game.spec(), positions })
}
