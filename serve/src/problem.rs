//! Error responses in the format `application/problem+json` (RFC 9457), with a description of what would be accepted.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use nerode_games::Game;
use schemars::JsonSchema;
use serde::Serialize;

use nerode_report::documents::Problem as Document;
use nerode_solver::error::Error;

/// The reason why a request has no answer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(transparent)]
pub(super) struct Problem(Document);

/// An answer or a problem.
pub(super) type Outcome<T> = Result<T, Problem>;

impl Problem {
    pub(super) fn new(status: StatusCode, title: &'static str, detail: impl Into<String>) -> Self {
        Self(Document::new(status.as_u16(), title, detail))
    }

    /// Creates the problem for a malformed request.
    pub(super) fn malformed(detail: impl Into<String>) -> Self {
        Self(Document::malformed(detail))
    }

    pub(super) fn not_found(detail: impl Into<String>) -> Self {
        Self(Document::not_found(detail))
    }

    /// Creates the problem for a blank line of a batch.
    pub(super) fn blank_line() -> Self {
        Self(Document::blank_line())
    }

    /// Creates the problem for more work than the service accepts at the same time.
    pub(super) fn busy() -> Self {
        let detail = "the service is processing as many requests as it can; try again in a moment";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", detail)
    }

    /// Creates the problem for a run that has no results yet.
    pub(super) fn not_yet(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "not yet", detail)
    }

    /// Creates the problem for an internal error.
    pub(super) fn internal(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal error", detail)
    }

    /// Returns the description of the problem.
    pub(super) fn into_detail(self) -> String {
        self.0.detail
    }

    #[must_use]
    pub(super) fn accepting(self, accepted: impl Into<String>) -> Self {
        Self(self.0.accepting(accepted))
    }

    /// Converts an error of the library about a request for a position of `game`.
    pub(super) fn of(error: &Error, game: &dyn Game) -> Self {
        match error {
            Error::Game(error) => Self(Document::of_game(error, game, "any=true")),
            Error::NoSets { .. } => Self::not_found("this solution contains values but no sets")
                .accepting("a solution that is stored as a run"),
            Error::MirrorImage { .. } => {
                Self::not_found("this set is the mirror image of the other side's set and is not stored")
                    .accepting("the set of the other side")
            }
            Error::NotFinished { .. } => Self::not_yet("the run is not finished"),
            Error::Play(_) => Self::malformed(error.to_string()),
            error if error.is_interruption() => Self::busy(),
            _ => {
                tracing::error!(%error, "a solution cannot be read");
                Self::internal("the solution cannot be read; the log of the service contains the reason")
            }
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.0.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let body = serde_json::to_vec(&self).unwrap_or_default();
        let mut response = (status, body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if status == StatusCode::SERVICE_UNAVAILABLE {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}
