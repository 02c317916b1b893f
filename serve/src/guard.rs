//! The checks that apply to every request: its host, a time limit, and response headers that restrict browsers.
//!
//! A foreign page could make its own host name resolve to the address of this machine (DNS rebinding). In that case
//! the `Host` header does not name this service.

use std::net::IpAddr;
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

/// Wraps the application in all checks.
pub(super) fn guarded(app: Router, state: Arc<State>) -> Router {
    app.fallback(|| async {
        Problem::not_found("there is nothing at this address")
            .accepting("the addresses listed in /api/v1/openapi.json")
    })
    .method_not_allowed_fallback(|| async {
        Problem::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "method not allowed",
            "the service is read-only: use GET, or POST for a batch",
        )
    })
    .layer(DefaultBodyLimit::max(BODY_BYTES))
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
    if !is_ours(host, &state.hosts) {
        let detail =
            format!("'{}' is not a name of this service", host.chars().take(100).collect::<String>());
        return Problem::new(StatusCode::MISDIRECTED_REQUEST, "unknown host", detail)
            .accepting("localhost, a numeric address, or a name with which the service was started")
            .into_response();
    }
    if is_too_large(&request) {
        return too_large("the body is too large").into_response();
    }
    let origin = request.headers().get(header::ORIGIN).map(|origin| origin.to_str().unwrap_or_default());
    let is_foreign =
        origin.is_some_and(|origin| origin.split_once("://").map(|(_, from)| from) != Some(host));
    if is_foreign && request.method() != Method::GET {
        let detail = "requests from pages of other origins are not allowed";
        return Problem::new(StatusCode::FORBIDDEN, "foreign origin", detail).into_response();
    }
    next.run(request).await
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

/// Returns `true` if the host in a `Host` header is this service, and not a name that others may control.
fn is_ours(host: &str, names: &[String]) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    let name = name.to_ascii_lowercase();
    name == "localhost"
        || name.parse::<IpAddr>().is_ok()
        || names.iter().any(|known| known.eq_ignore_ascii_case(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_service_are_answered() {
        let names = ["board.example".to_string()];
        for host in [
            "localhost",
            "LOCALHOST:80",
            "127.0.0.1:7878",
            "[::1]:7878",
            "[::1]",
            "192.168.1.7",
            "Board.Example:1",
        ] {
            assert!(is_ours(host, &names), "{host}");
        }
        for host in [
            "",
            ":",
            "evil.example",
            "localhost.evil.example:80",
            "127.0.0.1.evil.example",
            "[evil]:1",
            "1.2.3",
        ] {
            assert!(!is_ours(host, &names), "{host}");
        }
    }
}
