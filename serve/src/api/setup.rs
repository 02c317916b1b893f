//! The request `{id}/setup`, which returns the positions that result from changing one thing on the board, for
//! editors of positions.

use std::sync::Arc;

use axum::extract::State as Shared;
use axum::response::Response;

use super::shared::{AtPosition, answered};
use crate::caching::Cached;
use crate::extract::{PathParams, QueryParams};
use crate::problem::Outcome;
use crate::state::State;
use crate::work::Weight;
use nerode_report::documents::Setup;

pub(super) async fn get(
    Shared(state): Shared<Arc<State>>,
    cached: Cached,
    PathParams(id): PathParams<String>,
    QueryParams(at): QueryParams<AtPosition>,
) -> Outcome<Response> {
    answered(&state, &cached, &id, Weight::Light, move |solution, _| {
        Ok(Setup::new(solution.game(), &at.read(solution)?))
    })
    .await
}
