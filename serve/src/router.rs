//! The routes of the service.

use std::sync::Arc;

use axum::Router;
use axum::routing::get;

use super::state::State;
use super::{api, assets, guard};

/// Returns the router of all requests, with the checks that apply to every request.
pub(super) fn router(state: &Arc<State>) -> Router {
    let app = Router::new()
        .nest("/api/v1", api::routes())
        .route("/healthz", get(|| async { "ok\n" }))
        .merge(assets::routes())
        .with_state(Arc::clone(state));
    guard::guarded(app, Arc::clone(state))
}
