//! Answers that a client may cache as long as the solution does not change.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use nerode_solver::stored::Solution;

/// Returns the entity tag of all answers from a solution. It includes the version of the program, because another
/// version may answer differently.
pub(super) fn tag_of(solution: &Solution) -> String {
    format!("W/\"{}-{}\"", solution.digest(), env!("CARGO_PKG_VERSION"))
}

/// Returns `true` if the client has cached the answer with this tag.
pub(super) fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let known = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let mut tags = known.flat_map(|list| list.split(',')).map(str::trim);
    tags.any(|known| known == "*" || known.trim_start_matches("W/") == tag.trim_start_matches("W/"))
}

/// Returns the response that the cached answer is still valid.
pub(super) fn unchanged(tag: &str) -> Response {
    tagged(StatusCode::NOT_MODIFIED.into_response(), tag)
}

/// Creates a response from a document and its tag.
pub(super) fn document<T: Serialize>(body: &T, tag: &str) -> Response {
    tagged(axum::Json(body).into_response(), tag)
}

/// Adds a tag to a response.
pub(super) fn tagged(mut response: Response, tag: &str) -> Response {
    let headers = response.headers_mut();
    if let Ok(value) = HeaderValue::from_str(tag) {
        headers.insert(header::ETAG, value);
    }
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}
