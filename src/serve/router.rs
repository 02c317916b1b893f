//! Which request is answered where.

use std::sync::Arc;

use axum::Router;
use axum::routing::get;

use super::state::State;
use super::{api, assets, guard};

/// All that is served, with the checks that every request passes.
pub(super) fn router(state: &Arc<State>) -> Router {
    let app = Router::new()
        .nest("/api/v1", api::routes())
        .route("/healthz", get(|| async { "ok\n" }))
        .merge(assets::routes())
        .with_state(Arc::clone(state));
    guard::guarded(app, Arc::clone(state))
}
