//! The request `solutions`, which lists the served solutions.

use std::sync::Arc;

use axum::Json;
use axum::extract::State as Shared;
use axum::response::Response;
use schemars::JsonSchema;
use serde::Serialize;

use super::sample::some_position;
use super::shared::{SCHEMA_VERSION, answered};
use crate::caching::Cached;
use crate::extract::PathParams;
use crate::problem::{Outcome, Problem};
use crate::shelf::Shown;
use crate::state::State;
use crate::work::Weight;
use nerode_play::players::Named;
use nerode_report::documents::About;
use nerode_solver::stored::Solution;

/// The served solutions.
#[derive(Serialize, JsonSchema)]
pub(super) struct Solutions {
    schema_version: u32,
    solutions: Vec<SolutionLine>,
}

/// A solution in the list.
#[derive(Serialize, JsonSchema)]
struct SolutionLine {
    /// The id that requests use.
    id: String,
    /// The spec of the game, or null if the directory cannot be queried yet.
    game: Option<String>,
    /// The form in which it is stored.
    form: Option<String>,
    /// Whether all positions that it covers have proved values.
    complete: bool,
    /// The last computed ply of an unfinished run.
    ply_so_far: Option<u32>,
    /// The reason why it cannot be queried, or not yet.
    not_yet: Option<String>,
}

fn line((id, shown): (String, Shown)) -> SolutionLine {
    match shown {
        Shown::NotYet(_) | Shown::Broken => {
            let why = match shown {
                Shown::NotYet(why) => why,
                _ => "the directory is damaged; the log of the service contains the reason".into(),
            };
            SolutionLine { id, game: None, form: None, complete: false, ply_so_far: None, not_yet: Some(why) }
        }
        Shown::Open(solution) => SolutionLine {
            id,
            game: Some(solution.game().spec()),
            form: Some(solution.form()),
            complete: solution.is_complete(),
            ply_so_far: solution.ply_so_far(),
            not_yet: None,
        },
    }
}

pub(super) async fn list(Shared(state): Shared<Arc<State>>) -> Json<Solutions> {
    Json(Solutions {
        schema_version: SCHEMA_VERSION,
        solutions: state.shelf.all().into_iter().map(line).collect(),
    })
}

pub(super) async fn about(
    Shared(state): Shared<Arc<State>>,
    cached: Cached,
    PathParams(id): PathParams<String>,
) -> Outcome<Response> {
    let of = id.clone();
    answered(&state, &cached, &id, Weight::Light, move |solution, _| about_of(of, solution)).await
}

/// Describes a solution and its game.
pub(crate) fn about_of(id: String, solution: &Solution) -> Outcome<About> {
    let problem = |error| Problem::of(&error, solution.game());
    let mut about = About::new(id, solution).map_err(problem)?;
    about.players = Named::available(&**solution).into_iter().map(Named::name).collect();
    about.has_sets = !solution.automata().map_err(problem)?.is_empty();
    if !about.covers_start
        && let Some(begin) = some_position(solution).map_err(problem)?
    {
        about.begin = solution.game().format_position(&begin);
    }
    Ok(about)
}
