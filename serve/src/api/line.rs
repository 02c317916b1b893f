//! The request `{id}/line`, which returns the principal variation from a position.

use std::sync::Arc;

use axum::extract::State as Shared;
use axum::http::StatusCode;
use axum::response::Response;
use schemars::JsonSchema;
use serde::Serialize;

use super::shared::{PlayedPosition, SCHEMA_VERSION, answered, read_after};
use crate::caching::Cached;
use crate::extract::{PathParams, QueryParams};
use crate::problem::{Outcome, Problem};
use crate::state::State;
use crate::work::{Wanted, Weight};
use nerode_report::line::{LineEnd, leads_on, line_end};
use nerode_report::lines::{Known, MoveLine};
use nerode_solver::stored::{Reply, Solution};

/// The maximum number of moves of a line.
const MOVES: usize = 2000;

/// Best play from a position.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Line {
    schema_version: u32,
    game: String,
    #[serde(flatten)]
    known: Known,
    /// The best move in each position. `category` and `dtw` are from the point of view of the side that moves next.
    line: Vec<MoveLine>,
    end: LineEnd,
    /// The final position.
    last: String,
}

pub(super) async fn get(
    Shared(state): Shared<Arc<State>>,
    cached: Cached,
    PathParams(id): PathParams<String>,
    QueryParams(at): QueryParams<PlayedPosition>,
) -> Outcome<Response> {
    answered(&state, &cached, &id, Weight::Light, move |solution, wanted| {
        line_of(solution, (at.position, at.any), &at.moves, wanted)
    })
    .await
}

/// Returns the principal variation after some moves from a position, which defaults to the start.
pub(crate) fn line_of(
    solution: &Solution,
    (position, any): (Option<String>, bool),
    moves: &str,
    wanted: &Wanted,
) -> Outcome<Line> {
    let game = solution.game();
    let position = read_after(position.as_deref(), moves, any, solution)?;
    let problem = |error| Problem::of(&error, game);
    let found = solution.look_up(&position).map_err(problem)?;
    if !leads_on(game, &position, &found) {
        let detail = "this solution has no depths, so no winning move can be chosen";
        return Err(Problem::new(StatusCode::CONFLICT, "no depths", detail)
            .accepting("a drawn position, or the solution from which this one was packed"));
    }
    let found = solution.evaluate(&position).map_err(problem)?;
    let goes_on = |so_far: &[Reply]| so_far.len() < MOVES && !wanted.is_over();
    let moves = solution.best_line_while(&position, &goes_on).map_err(problem)?;
    let last = moves.last().map_or(&position, Reply::position);
    Ok(Line {
        schema_version: SCHEMA_VERSION,
        game: game.spec(),
        known: Known::new(game, &position, &found),
        line: moves.iter().map(|reply| MoveLine::new(game, reply)).collect(),
        end: line_end(game, &position, &moves),
        last: game.format_position(last),
    })
}
