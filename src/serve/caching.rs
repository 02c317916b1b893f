//! Answers that a client may keep for as long as the solution is the same.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::facade::Solution;

/// The tag of everything that is answered from a solution. Another version of the program may answer in other words.
pub(super) fn tag_of(solution: &Solution) -> String {
    format!("W/\"{}-{}\"", solution.digest(), env!("CARGO_PKG_VERSION"))
}

/// Whether the client has what is tagged so.
pub(super) fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let known = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let mut tags = known.flat_map(|list| list.split(',')).map(str::trim);
    tags.any(|known| known == "*" || known.trim_start_matches("W/") == tag.trim_start_matches("W/"))
}

/// The word that what the client has is still right.
pub(super) fn unchanged(tag: &str) -> Response {
    tagged(StatusCode::NOT_MODIFIED.into_response(), tag)
}

/// A document with its tag.
pub(super) fn document<T: Serialize>(body: &T, tag: &str) -> Response {
    tagged(axum::Json(body).into_response(), tag)
}

/// The same answer with a tag.
pub(super) fn tagged(mut response: Response, tag: &str) -> Response {
    let headers = response.headers_mut();
    if let Ok(value) = HeaderValue::from_str(tag) {
        headers.insert(header::ETAG, value);
    }
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}
