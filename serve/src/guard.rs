//! The checks that apply to every request: its host, a time limit, and response headers that restrict browsers.
//!
//! A foreign page could make its own host name resolve to the address of this machine (DNS rebinding). In that case
//! the `Host` header does not name this service.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State as Shared};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use tower_http::compression::CompressionLayer;
use tower_http::trace::{DefaultOnFailure, TraceLayer};

use super::problem::Problem;
use super::state::State;

/// The maximum size of a request body in bytes.
pub(super) const BODY_BYTES: usize = 4 << 20;
/// The maximum time from receiving the head of a request to sending the head of its answer.
const TIME: Duration = Duration::from_secs(30);

/// The policy under which browsers only load scripts, styles and data from this service.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Adds the answers to addresses that do not exist and to methods that an address does not support.
pub(super) fn complete(app: Router) -> Router {
    app.fallback(nothing_here).method_not_allowed_fallback(|| async {
        Problem::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "method not allowed",
            "the service is read-only: use GET, or POST for a batch",
        )
    })
}

/// Returns the problem for an address that does not exist.
pub(super) async fn nothing_here() -> Problem {
    Problem::not_found("there is nothing at this address")
        .accepting("the addresses listed in api/v1/openapi.json below the address of the page")
}

/// Wraps the application in all checks.
pub(super) fn guarded(app: Router, state: Arc<State>) -> Router {
    app.layer(DefaultBodyLimit::max(BODY_BYTES))
        .layer(from_fn(in_time))
        .layer(from_fn_with_state(state, known_host))
        .layer(CompressionLayer::new())
        .layer(from_fn(strict))
        // Internal errors are logged where they occur, and a busy service is not an error.
        .layer(TraceLayer::new_for_http().on_failure(DefaultOnFailure::new().level(tracing::Level::DEBUG)))
}

async fn in_time(request: Request, next: Next) -> Response {
    match tokio::time::timeout(TIME, next.run(request)).await {
        Ok(response) => response,
        Err(_) => {
            Problem::new(StatusCode::REQUEST_TIMEOUT, "timeout", "the request took too long").into_response()
        }
    }
}

/// Adds the headers that restrict browsers.
async fn strict(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let mut set =
        |name: HeaderName, value: &'static str| headers.insert(name, HeaderValue::from_static(value));
    set(header::CONTENT_SECURITY_POLICY, POLICY);
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::REFERRER_POLICY, "no-referrer");
    set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    response
}

/// Rejects requests whose host is not this service, and requests sent by foreign pages.
async fn known_host(Shared(state): Shared<Arc<State>>, request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    if !state.access.is_ours(host) {
        let detail =
            format!("'{}' is not a name of this service", host.chars().take(100).collect::<String>());
        return Problem::new(StatusCode::MISDIRECTED_REQUEST, "unknown host", detail)
            .accepting(format!(
                "localhost, a numeric address, or a name given to the service{}",
                state.access.host_advice
            ))
            .into_response();
    }
    if is_too_large(&request) {
        return too_large("the body is too large").into_response();
    }
    let origin = request.headers().get(header::ORIGIN).map(|origin| origin.to_str().unwrap_or_default());
    let foreign = origin.filter(|origin| origin.split_once("://").map(|(_, from)| from) != Some(host));
    let Some(foreign) = foreign.map(String::from) else { return next.run(request).await };
    let is_allowed = state.access.is_allowed(&foreign);
    // Pages of other origins query solutions, but never start or cancel solves.
    let is_query = [Method::GET, Method::HEAD].contains(request.method())
        || is_allowed && request.method() == Method::POST && !request.uri().path().contains("/offers");
    match () {
        () if is_allowed && request.method() == Method::OPTIONS => {
            shared(StatusCode::NO_CONTENT.into_response(), &foreign)
        }
        () if !is_query => {
            let detail = "requests from pages of other origins are not allowed";
            Problem::new(StatusCode::FORBIDDEN, "foreign origin", detail).into_response()
        }
        () if is_allowed => shared(next.run(request).await, &foreign),
        () => next.run(request).await,
    }
}

/// Allows pages of an origin to read a response, and to send batches.
fn shared(mut response: Response, origin: &str) -> Response {
    let headers = response.headers_mut();
    if let Ok(origin) = HeaderValue::from_str(origin) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    }
    headers.insert(header::VARY, HeaderValue::from_static("Origin"));
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST"));
    headers.insert(
        header::ACCESS_CONTROL_ALLOW_HEADERS,
        HeaderValue::from_static("Content-Type, If-None-Match"),
    );
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("ETag, Retry-After"));
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("3600"));
    response
}

/// Returns `true` if a request announces a body that is too large, so that it can be rejected before it is sent.
fn is_too_large(request: &Request) -> bool {
    let length = request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok());
    length.and_then(|length| length.parse::<u64>().ok()).is_some_and(|length| length > BODY_BYTES as u64)
}

/// Returns the problem for a body that is too large.
pub(super) fn too_large(detail: impl Into<String>) -> Problem {
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "request too large", detail)
        .accepting(format!("at most {BODY_BYTES} bytes per request"))
}
