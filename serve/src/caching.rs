//! Answers that a client may cache as long as the solution does not change.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use nerode_solver::stored::Solution;

/// The parts of a request that decide whether its client has cached the answer.
pub(super) struct Cached {
    headers: HeaderMap,
    /// The path and the query of the request.
    address: String,
}

impl<S: Send + Sync> FromRequestParts<S> for Cached {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self { headers: parts.headers.clone(), address: parts.uri.to_string() })
    }
}

impl Cached {
    /// Returns the entity tag of the answer of a solution to this request. It includes the address, because the same
    /// solution answers other requests differently, and the version of the program, because another version may too.
    pub(super) fn tag_of(&self, solution: &Solution) -> String {
        let address = &blake3::hash(self.address.as_bytes()).to_hex()[..16];
        format!("W/\"{}-{}-{address}\"", solution.digest(), env!("CARGO_PKG_VERSION"))
    }

    /// Returns `true` if the client has cached the answer with this tag.
    pub(super) fn is_known(&self, tag: &str) -> bool {
        is_known(&self.headers, tag)
    }
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
