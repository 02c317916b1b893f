//! Extractors for the parameters of requests, which are parsed strictly and rejected as a problem document.

use axum::extract::{FromRequestParts, Path, Query};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::problem::Problem;

/// Parameters of the query string. Unknown ones are rejected if the type says so.
pub(super) struct QueryParams<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for QueryParams<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match Query::<T>::from_request_parts(parts, state).await {
            Ok(Query(params)) => Ok(Self(params)),
            Err(refused) => Err(malformed("the parameters", &refused.body_text())),
        }
    }
}

/// The variable parts of the path.
pub(super) struct PathParams<T>(pub(super) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for PathParams<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match Path::<T>::from_request_parts(parts, state).await {
            Ok(Path(params)) => Ok(Self(params)),
            Err(refused) => Err(malformed("the path", &refused.body_text())),
        }
    }
}

/// Creates the problem for a part of a request that cannot be parsed. The framework prefixes the reason with a
/// description of its own work, which means nothing to a client.
fn malformed(part: &str, reason: &str) -> Problem {
    let reason = reason.split_once(": ").map_or(reason, |(_, reason)| reason);
    if let Some((parameter, reason)) = reason.split_once(": ") {
        return of_parameter(parameter, reason);
    }
    let named = |prefix| Some(reason.strip_prefix(prefix)?.trim_matches('`'));
    Problem::malformed(if let Some(parameter) = named("missing field ") {
        format!("the parameter {parameter} is missing")
    } else if let Some(parameter) = named("duplicate field ") {
        format!("the parameter {parameter} is given twice")
    } else if reason.starts_with("Invalid UTF-8") {
        format!("{part} of the request is not UTF-8")
    } else {
        format!("{part} of the request cannot be read: {reason}")
    })
}

/// Creates the problem for a parameter. The reason is that of the parser, which speaks of its own types.
fn of_parameter(parameter: &str, reason: &str) -> Problem {
    let listed = || {
        let names = reason.split_once("expected ").map(|(_, names)| names.trim_start_matches("one of "));
        names.map(|names| names.replace('`', ""))
    };
    let (detail, accepted) = if reason.starts_with("unknown field") {
        (format!("the parameter {parameter} is unknown"), listed())
    } else if reason.starts_with("unknown variant") {
        (format!("the parameter {parameter} has an unknown value"), listed())
    } else if reason.contains("`true`") {
        (format!("the parameter {parameter} is neither true nor false"), Some("true or false".into()))
    } else if ["digit", "integer", "number"].iter().any(|word| reason.contains(word)) {
        (
            format!("the parameter {parameter} is not a number in its range"),
            Some("a whole number from 0 up".into()),
        )
    } else {
        (format!("the parameter {parameter} cannot be read: {reason}"), None)
    };
    let problem = Problem::malformed(detail);
    match accepted {
        Some(accepted) => problem.accepting(accepted),
        None => problem,
    }
}
