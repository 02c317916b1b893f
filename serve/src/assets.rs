//! The files of the page, which are embedded in the program.

use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::caching::{is_known, tagged, unchanged};
use super::state::State;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

/// Every file of the page: its address, its media type and its contents.
const FILES: [(&str, &str, &str); 20] = [
    ("/", HTML, include_str!("page/index.html")),
    ("/style.css", CSS, include_str!("page/style.css")),
    ("/icon.svg", SVG, include_str!("page/icon.svg")),
    ("/api.js", SCRIPT, include_str!("page/api.js")),
    ("/automaton.js", SCRIPT, include_str!("page/automaton.js")),
    ("/board.js", SCRIPT, include_str!("page/board.js")),
    ("/clicks.js", SCRIPT, include_str!("page/clicks.js")),
    ("/dom.js", SCRIPT, include_str!("page/dom.js")),
    ("/figures.js", SCRIPT, include_str!("page/figures.js")),
    ("/game.js", SCRIPT, include_str!("page/game.js")),
    ("/link.js", SCRIPT, include_str!("page/link.js")),
    ("/lists.js", SCRIPT, include_str!("page/lists.js")),
    ("/main.js", SCRIPT, include_str!("page/main.js")),
    ("/offers.js", SCRIPT, include_str!("page/offers.js")),
    ("/quiz.js", SCRIPT, include_str!("page/quiz.js")),
    ("/sectors.js", SCRIPT, include_str!("page/sectors.js")),
    ("/setup.js", SCRIPT, include_str!("page/setup.js")),
    ("/solution.js", SCRIPT, include_str!("page/solution.js")),
    ("/values.js", SCRIPT, include_str!("page/values.js")),
    ("/why.js", SCRIPT, include_str!("page/why.js")),
];

pub(super) fn routes() -> Router<Arc<State>> {
    FILES.into_iter().fold(Router::new(), |router, (address, kind, text)| {
        router.route(address, get(move |headers: HeaderMap| async move { file(&headers, kind, text) }))
    })
}

fn file(headers: &HeaderMap, kind: &'static str, text: &'static str) -> Response {
    let tag = format!("\"{}\"", &blake3::hash(text.as_bytes()).to_hex()[..16]);
    if is_known(headers, &tag) {
        return unchanged(&tag);
    }
    let mut response = text.into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    tagged(response, &tag)
}
