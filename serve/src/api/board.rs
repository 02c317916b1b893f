//! The request `{id}/board`, which draws a position with the values of its moves as SVG.

use std::sync::Arc;

use axum::extract::State as Shared;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

use super::shared::{PlayedPosition, read_after, solution};
use crate::caching::{Cached, tagged, unchanged};
use crate::extract::{PathParams, QueryParams};
use crate::problem::{Outcome, Problem};
use crate::state::State;
use crate::work::Weight;
use nerode_report::board::picture;
use nerode_report::lines::Known;
use nerode_solver::stored::Solution;

pub(super) async fn get(
    Shared(state): Shared<Arc<State>>,
    cached: Cached,
    PathParams(id): PathParams<String>,
    QueryParams(at): QueryParams<PlayedPosition>,
) -> Outcome<Response> {
    let solution = solution(&state, &id)?;
    let tag = cached.tag_of(&solution);
    if cached.is_known(&tag) {
        return Ok(unchanged(&tag));
    }
    let svg = state.workers.run(Weight::Light, move |_| draw(&solution, &at)).await?;
    let mut response = svg.into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("image/svg+xml"));
    Ok(tagged(response, &tag))
}

fn draw(solution: &Solution, at: &PlayedPosition) -> Outcome<String> {
    let game = solution.game();
    let position = read_after(at.position.as_deref(), &at.moves, true, solution)?;
    let none = || Problem::not_found("this game has no board to draw");
    if !at.any && game.why_illegal(&position.board, position.side).is_some() {
        let caption = format!("{} to move: cannot occur in play", position.side);
        return picture(game, &position, &caption, None).ok_or_else(none);
    }
    let answer = solution.query(&position).map_err(|error| Problem::of(&error, game))?;
    let known = Known::new(game, &position, &answer.evaluation());
    let caption = format!("{} to move: {}", known.side, known.value_text());
    picture(game, &position, &caption, Some(&answer)).ok_or_else(none)
}
