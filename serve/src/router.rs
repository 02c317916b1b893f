//! The routes of the service.

use std::convert::Infallible;
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::http::Uri;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use tower::{ServiceExt, service_fn};

use super::state::State;
use super::{api, assets, guard};

/// Returns the router of all requests, with the checks that apply to every request.
pub(super) fn router(state: &Arc<State>) -> Router {
    let app = Router::new()
        .nest("/api/v1", api::routes())
        .route("/healthz", get(|| async { "ok\n" }))
        .merge(assets::routes())
        .with_state(Arc::clone(state));
    guard::guarded(below_base(guard::complete(app), Arc::clone(state)), Arc::clone(state))
}

/// Serves `app` below the base path. The address of the page without its last slash redirects to the page, because
/// the page names its files and requests relative to its own address.
fn below_base(app: Router, state: Arc<State>) -> Router {
    if state.access.base_path.is_empty() {
        return app;
    }
    Router::new().fallback_service(service_fn(move |mut request: Request| {
        let (app, state) = (app.clone(), Arc::clone(&state));
        async move {
            let base = &state.access.base_path;
            let address = request.uri().path_and_query().map_or("", |address| address.as_str()).to_string();
            let inner = state.access.below(&address).and_then(|rest| rest.parse::<Uri>().ok());
            Ok::<Response, Infallible>(match inner {
                Some(inner) => {
                    *request.uri_mut() = inner;
                    app.oneshot(request).await.into_response()
                }
                None if address == *base => Redirect::permanent(&format!("{base}/")).into_response(),
                None => guard::nothing_here().await.into_response(),
            })
        }
    }))
}
