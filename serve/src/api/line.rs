//! The request `{id}/line`, which returns the principal variation from a position.

use std::sync::Arc;

use axum::extract::State as Shared;
use axum::http::StatusCode;
use axum::response::Response;

use super::shared::{PlayedPosition, answered, read_after};
use crate::caching::Cached;
use crate::extract::{PathParams, QueryParams};
use crate::problem::{Outcome, Problem};
use crate::state::State;
use crate::work::{Wanted, Weight};
use nerode_report::documents::Line;
use nerode_solver::stored::Solution;

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
    let line = Line::new(&**solution, &position, &|| !wanted.is_over()).map_err(problem)?;
    line.ok_or_else(|| {
        let detail = "this solution has no depths, so no winning move can be chosen";
        Problem::new(StatusCode::CONFLICT, "no depths", detail)
            .accepting("a drawn position, or the solution from which this one was packed")
    })
}
