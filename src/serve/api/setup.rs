//! `{id}/setup`: what a position becomes when one thing on the board is changed, for whoever sets positions up.

use std::sync::Arc;

use axum::extract::State as Shared;
use axum::http::HeaderMap;
use axum::response::Response;
use nerode_games::{Game, Position};
use serde::Serialize;
use utoipa::ToSchema;

use super::picture::Piece;
use super::shared::{AtPosition, SCHEMA_VERSION, answered};
use crate::facade::Solution;
use crate::serve::asked::{Asked, Named};
use crate::serve::problem::{Outcome, Problem};
use crate::serve::state::State;
use crate::serve::work::Weight;

/// Most changes that are listed; games with more have no set-up of this kind.
const MOST: usize = 4000;

/// Every position that differs in one thing.
#[derive(Serialize, ToSchema)]
pub(super) struct Setup {
    schema_version: u32,
    game: String,
    position: String,
    /// Why no game comes to the position.
    why_illegal: Option<String>,
    /// The same with the other side to move.
    other_side: String,
    /// What can be changed: nothing in a game with too many things.
    changes: Vec<Change>,
}

/// One thing changed.
#[derive(Serialize, ToSchema)]
struct Change {
    /// The places where something else stands then.
    places: Vec<usize>,
    /// What stands on the first of them.
    figure: Option<Piece>,
    /// What else belongs to the position then, such as the stones in hand.
    note: Option<String>,
    position: String,
}

/// What a position becomes when one thing on the board is changed.
#[utoipa::path(get, path = "/api/v1/{id}/setup", params(("id" = String, Path, description = "id of a solution"), AtPosition),
    responses((status = 200, body = Setup), (status = 304, description = "as before"), (status = "4XX", body = Problem,
    content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn get(
    Shared(state): Shared<Arc<State>>,
    headers: HeaderMap,
    Named(id): Named<String>,
    Asked(at): Asked<AtPosition>,
) -> Outcome<Response> {
    answered(&state, &headers, &id, Weight::Light, move |solution, _| setup(solution, &at)).await
}

fn setup(solution: &Solution, at: &AtPosition) -> Outcome<Setup> {
    let game = solution.game();
    let position = at.read(solution)?;
    let turned = Position { board: position.board.clone(), side: position.side.other() };
    Ok(Setup {
        schema_version: SCHEMA_VERSION,
        game: game.spec(),
        position: game.format_position(&position),
        why_illegal: game.why_illegal(&position.board, position.side),
        other_side: game.format_position(&turned),
        changes: changes(game, &position),
    })
}

fn changes(game: &dyn Game, position: &Position) -> Vec<Change> {
    let contents = game.cell_states();
    let all: usize = contents.iter().map(|&states| usize::from(states)).sum();
    if all > MOST {
        return Vec::new();
    }
    let cells = contents.iter().enumerate();
    let pairs =
        cells.flat_map(|(cell, &states)| (0..=u8::MAX).take(usize::from(states)).map(move |to| (cell, to)));
    let changed = |(cell, to): (usize, u8)| {
        let mut next = position.clone();
        let content = next.board.get_mut(cell)?;
        if *content == to {
            return None;
        }
        *content = to;
        change(game, position, &next)
    };
    pairs.filter_map(changed).collect()
}

/// What differs between two positions; `None` in a game without a picture.
fn change(game: &dyn Game, from: &Position, to: &Position) -> Option<Change> {
    let (before, after) = (game.picture(from)?, game.picture(to)?);
    let pairs = before.places.iter().zip(&after.places).enumerate();
    let places: Vec<usize> =
        pairs.filter(|(_, (was, is))| was.figure != is.figure).map(|(at, _)| at).collect();
    let figure = places.first().and_then(|&place| after.places[place].figure).map(Piece::new);
    Some(Change { places, figure, note: after.note, position: game.format_position(to) })
}
