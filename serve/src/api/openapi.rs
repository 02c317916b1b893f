//! The document `openapi.json`, which describes all requests and answers for programs.

use axum::Json;
use utoipa::OpenApi;

use super::{answer, batch, board, choose, line, offers, sample, sets, setup, solutions, stats};

/// All requests.
#[derive(OpenApi)]
#[openapi(
    info(title = "nerode", description = "Solved board games: value, depth and every move of any position."),
    paths(
        solutions::list,
        solutions::about,
        offers::list,
        offers::begin,
        offers::progress,
        offers::cancel,
        answer::get,
        batch::post,
        line::get,
        sample::get,
        stats::get,
        board::get,
        setup::get,
        choose::get,
        sets::get
    ),
    components(schemas(choose::Who, sample::Category))
)]
struct Document;

pub(super) async fn document() -> Json<utoipa::openapi::OpenApi> {
    Json(Document::openapi())
}
