//! The request `{id}/sample`, which returns random positions.

use std::sync::Arc;

use axum::extract::State as Shared;
use axum::http::HeaderMap;
use axum::response::Response;
use nerode_games::{Game, Position};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::shared::{SCHEMA_VERSION, answered};
use crate::extract::{PathParams, QueryParams};
use crate::problem::{Outcome, Problem};
use crate::state::State;
use crate::work::Weight;
use nerode_report::lines::Known;
use nerode_solver::error::Result;
use nerode_solver::stored::Solution;

/// The maximum number of positions per request.
const MOST: usize = 1000;
/// The default number of positions.
const USUAL: usize = 10;
/// The number of positions drawn initially for each legal one that is requested.
const DRAWS: usize = 40;
/// The number of draws after which the search for legal positions stops, for games in which hardly any word is a
/// legal position.
const MOST_DRAWS: usize = 40_000;

/// The parameters of a request for random positions.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Ask {
    /// The number of positions, up to 1000. The default is 10.
    #[param(minimum = 0, maximum = 1000)]
    count: Option<usize>,
    /// The seed. Equal seeds lead to equal positions.
    #[serde(default)]
    seed: u64,
    /// Whether to return only positions that can occur in play, as far as simple rules can tell, and in which the game is
    /// not over. The response may contain fewer positions then.
    #[serde(default)]
    legal: bool,
    /// The sector of the positions, for a solution of a morris game by sectors.
    sector: Option<String>,
}

/// Random positions.
#[derive(Serialize, ToSchema)]
pub(crate) struct Sample {
    schema_version: u32,
    game: String,
    positions: Vec<Known>,
}

/// Returns random positions that the solution covers, with equal probabilities. Some of them may not occur in play.
#[utoipa::path(get, path = "/api/v1/{id}/sample", params(("id" = String, Path, description = "id of a solution"), Ask),
    responses((status = 200, body = Sample), (status = 304, description = "not modified"), (status = "4XX", body = Problem,
    content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn get(
    Shared(state): Shared<Arc<State>>,
    headers: HeaderMap,
    PathParams(id): PathParams<String>,
    QueryParams(ask): QueryParams<Ask>,
) -> Outcome<Response> {
    answered(&state, &headers, &id, Weight::Heavy, move |solution, _| sample_of(solution, &ask)).await
}

impl Ask {
    /// Creates the parameters of a request over a pipe.
    pub(crate) fn new(count: Option<usize>, seed: Option<u64>) -> Self {
        Self { count, seed: seed.unwrap_or(0), legal: false, sector: None }
    }

    fn count(&self) -> Outcome<usize> {
        let count = self.count.unwrap_or(USUAL);
        if count > MOST {
            let problem = Problem::malformed(format!("{count} positions are too many"));
            return Err(problem.accepting(format!("at most {MOST} positions")));
        }
        Ok(count)
    }
}

/// Draws random positions.
pub(crate) fn sample_of(solution: &Solution, ask: &Ask) -> Outcome<Sample> {
    let count = ask.count()?;
    let game = solution.game();
    let problem = |error| Problem::of(&error, game);
    let drawn = match (&ask.sector, ask.legal) {
        (None, false) => solution.sample(count, ask.seed).map_err(problem)?,
        (None, true) => legal_sample(solution, count, ask.seed).map_err(problem)?,
        (Some(sector), legal) => {
            let at_once = if legal { 0 } else { count };
            let drawn = solution.sample_in(sector, at_once, ask.seed).map_err(problem)?;
            let drawn =
                drawn.ok_or_else(|| Problem::not_found("this solution has no sector with that name"))?;
            let draw = |count, seed| Ok(solution.sample_in(sector, count, seed)?.unwrap_or_default());
            if legal { legal_of(game, count, ask.seed, draw).map_err(problem)? } else { drawn }
        }
    };
    let known = |position| Ok(Known::new(game, position, &solution.look_up(position)?));
    let positions = drawn.iter().map(known).collect::<Result<_>>().map_err(problem)?;
    Ok(Sample { schema_version: SCHEMA_VERSION, game: game.spec(), positions })
}

/// Returns positions that can occur in play and in which the game is not over. The result has fewer positions if they
/// are hard to find.
pub(super) fn legal_sample(solution: &Solution, count: usize, seed: u64) -> Result<Vec<Position>> {
    legal_of(solution.game(), count, seed, |count, seed| solution.sample(count, seed))
}

/// Filters the positions that `draw` returns for a number and a seed. Each call requests twice as many.
fn legal_of(
    game: &dyn Game,
    count: usize,
    seed: u64,
    draw: impl Fn(usize, u64) -> Result<Vec<Position>>,
) -> Result<Vec<Position>> {
    let is_played = |Position { board, side }: &Position| {
        game.why_illegal(board, *side).is_none() && game.outcome(board, *side).is_none()
    };
    let (mut found, mut draws, mut seed) = (Vec::new(), DRAWS * count, seed);
    while found.len() < count {
        let left = count - found.len();
        found.extend(draw(draws, seed)?.into_iter().filter(is_played).take(left));
        if draws > MOST_DRAWS {
            break;
        }
        draws *= 2;
        seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    }
    Ok(found)
}
