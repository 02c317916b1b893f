//! `solutions`: what is served.

use std::sync::Arc;

use axum::Json;
use axum::extract::State as Shared;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::shared::{SCHEMA_VERSION, answered};
use crate::facade::Solution;
use crate::serve::asked::Named;
use crate::serve::problem::{Outcome, Problem};
use crate::serve::shelf::Shown;
use crate::serve::state::State;
use crate::serve::work::Weight;

/// What is served.
#[derive(Serialize, ToSchema)]
pub(super) struct Solutions {
    schema_version: u32,
    solutions: Vec<Line>,
}

/// A solution, in a list.
#[derive(Serialize, ToSchema)]
struct Line {
    /// What requests call it.
    id: String,
    /// The game's spec; null where the directory cannot be asked so far.
    game: Option<String>,
    /// What it is kept as.
    kept_as: Option<String>,
    /// Whether every position that it covers has a proved value.
    complete: bool,
    /// The last ply of a run that is not finished.
    ply_so_far: Option<u32>,
    /// Why it cannot be asked so far.
    not_yet: Option<String>,
}

/// A solution and its game.
#[derive(Serialize, ToSchema)]
pub(in crate::serve) struct About {
    schema_version: u32,
    game: String,
    id: String,
    fingerprint: String,
    digest: String,
    kept_as: String,
    complete: bool,
    ply_so_far: Option<u32>,
    /// Something that does not keep it from answering.
    warning: Option<String>,
    /// The rules in words.
    rules: String,
    /// How a position is written.
    position_form: String,
    /// The start position.
    start: String,
    /// Whether the start is only an example, as in endgames.
    begins_anywhere: bool,
    /// Who can play against somebody with this solution.
    players: Vec<&'static str>,
    /// Whether sets can be looked at.
    has_sets: bool,
}

fn line((id, shown): (&str, Shown)) -> Line {
    let id = id.to_string();
    match shown {
        Shown::NotYet(why) => {
            Line { id, game: None, kept_as: None, complete: false, ply_so_far: None, not_yet: Some(why) }
        }
        Shown::Open(solution) => Line {
            id,
            game: Some(solution.game().spec()),
            kept_as: Some(solution.kept_as()),
            complete: solution.is_complete(),
            ply_so_far: solution.ply_so_far(),
            not_yet: None,
        },
    }
}

/// What is served, with the ids that other requests name.
#[utoipa::path(get, path = "/api/v1/solutions", responses((status = 200, body = Solutions)))]
pub(super) async fn list(Shared(state): Shared<Arc<State>>) -> Json<Solutions> {
    Json(Solutions { schema_version: SCHEMA_VERSION, solutions: state.shelf.all().map(line).collect() })
}

/// A solution and its game.
#[utoipa::path(get, path = "/api/v1/{id}/about", params(("id" = String, Path, description = "id of a solution")),
    responses((status = 200, body = About), (status = 304, description = "as before"), (status = "4XX", body = Problem,
    content_type = "application/problem+json"), (status = 503, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn about(
    Shared(state): Shared<Arc<State>>,
    headers: HeaderMap,
    Named(id): Named<String>,
) -> Outcome<Response> {
    let of = id.clone();
    answered(&state, &headers, &id, Weight::Light, move |solution, _| Ok(about_of(of, solution))).await
}

/// A solution and its game.
pub(in crate::serve) fn about_of(id: String, solution: &Solution) -> About {
    let game = solution.game();
    let mut players = vec!["perfect", "trapping", "fallible"];
    if solution.ranks_draws() {
        players.insert(1, "ranked");
    }
    About {
        schema_version: SCHEMA_VERSION,
        game: game.spec(),
        id,
        fingerprint: game.fingerprint(),
        digest: solution.digest().into(),
        kept_as: solution.kept_as(),
        complete: solution.is_complete(),
        ply_so_far: solution.ply_so_far(),
        warning: solution.warning(),
        rules: game.rules(),
        position_form: game.position_form(),
        start: game.format_position(&game.start_position()),
        begins_anywhere: game.begins_anywhere(),
        players,
        has_sets: !solution.sets().is_empty(),
    }
}
