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
const FILES: [(&str, &str, &str); 25] = [
    ("/", HTML, include_str!("page/index.html")),
    ("/style.css", CSS, include_str!("page/style.css")),
    ("/icon.svg", SVG, include_str!("page/icon.svg")),
    ("/automaton.js", SCRIPT, include_str!("page/automaton.js")),
    ("/board.js", SCRIPT, include_str!("page/board.js")),
    ("/clicks.js", SCRIPT, include_str!("page/clicks.js")),
    ("/depths.js", SCRIPT, include_str!("page/depths.js")),
    ("/dom.js", SCRIPT, include_str!("page/dom.js")),
    ("/figures.js", SCRIPT, include_str!("page/figures.js")),
    ("/gallery.js", SCRIPT, include_str!("page/gallery.js")),
    ("/game.js", SCRIPT, include_str!("page/game.js")),
    ("/help.js", SCRIPT, include_str!("page/help.js")),
    ("/link.js", SCRIPT, include_str!("page/link.js")),
    ("/lists.js", SCRIPT, include_str!("page/lists.js")),
    ("/main.js", SCRIPT, include_str!("page/main.js")),
    ("/names.js", SCRIPT, include_str!("page/names.js")),
    ("/quiz.js", SCRIPT, include_str!("page/quiz.js")),
    ("/record.js", SCRIPT, include_str!("page/record.js")),
    ("/sectors.js", SCRIPT, include_str!("page/sectors.js")),
    ("/service.js", SCRIPT, include_str!("page/service.js")),
    ("/setup.js", SCRIPT, include_str!("page/setup.js")),
    ("/solution.js", SCRIPT, include_str!("page/solution.js")),
    ("/story.js", SCRIPT, include_str!("page/story.js")),
    ("/values.js", SCRIPT, include_str!("page/values.js")),
    ("/why.js", SCRIPT, include_str!("page/why.js")),
];

/// Returns the files of the page by name.
pub(super) fn files() -> impl Iterator<Item = (&'static str, &'static str)> {
    let name = |address: &'static str| match address.trim_start_matches('/') {
        "" => "index.html",
        name => name,
    };
    FILES.into_iter().map(move |(address, _, text)| (name(address), text))
}

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

#[cfg(test)]
mod tests {
    use super::*;

    /// The page has no build step, so the modules that it names are files, and it loads them all at once.
    #[test]
    fn modules_are_embedded_named_in_advance_and_small() {
        let scripts: Vec<_> = FILES.iter().filter(|(_, kind, _)| *kind == SCRIPT).collect();
        let bytes: usize = scripts.iter().map(|(.., text)| text.len()).sum();
        assert!(bytes <= 150 << 10, "{bytes} bytes of JavaScript");
        let html = FILES[0].2;
        for (address, _, text) in scripts {
            assert!(html.contains(&format!("=\"{}\"", address.trim_start_matches('/'))), "{address}");
            for module in text.split("from \"./").skip(1).filter_map(|rest| rest.split('"').next()) {
                assert!(
                    FILES.iter().any(|file| file.0.trim_start_matches('/') == module),
                    "{address}: {module}"
                );
            }
            // Requests are made in one place, so that another source of answers can take the place of the service.
            assert!(*address == "/service.js" || !text.contains("fetch("), "{address}");
        }
    }
}
