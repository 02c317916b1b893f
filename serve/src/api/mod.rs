//! The requests of programs under `/api/v1`. docs/src/serving.md documents them for people, and `openapi.json` for
//! programs.

mod answer;
mod batch;
mod board;
mod choose;
mod line;
mod offers;
mod openapi;
mod positions;
mod sample;
mod search;
mod sets;
mod setup;
mod shared;
mod solutions;
mod stats;

use std::sync::Arc;

use axum::Router;
use axum::routing::get;

pub(super) use answer::answer_of;
pub(super) use choose::{Who, choice_of};
pub(super) use line::line_of;
pub(super) use sample::{Ask as SampleAsk, Category, is_played, sample_of};
pub(super) use solutions::about_of;
pub(super) use stats::stats_of;

use super::state::State;

pub(super) fn routes() -> Router<Arc<State>> {
    Router::new()
        .route("/openapi.json", get(openapi::document))
        .route("/solutions", get(solutions::list))
        .route("/offers", get(offers::list).post(offers::begin))
        .route("/offers/{id}", get(offers::progress).delete(offers::cancel))
        .route("/{id}", get(answer::get).post(batch::post))
        .route("/{id}/about", get(solutions::about))
        .route("/{id}/line", get(line::get))
        .route("/{id}/positions", get(positions::get))
        .route("/{id}/sample", get(sample::get))
        .route("/{id}/stats", get(stats::get))
        .route("/{id}/board", get(board::get))
        .route("/{id}/setup", get(setup::get))
        .route("/{id}/choose", get(choose::get))
        .route("/{id}/sets/{set}", get(sets::get))
}
