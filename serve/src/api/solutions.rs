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
use nerode_solver::solve::method::Method;
use nerode_solver::stored::{Coverage, DepthSource, Solution};

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

/// A solution and its game.
#[derive(Serialize, JsonSchema)]
pub(crate) struct About {
    schema_version: u32,
    game: String,
    id: String,
    fingerprint: String,
    digest: String,
    form: String,
    complete: bool,
    ply_so_far: Option<u32>,
    /// A problem that does not prevent it from answering.
    warning: Option<String>,
    /// The rules in words.
    rules: String,
    /// The notation of positions.
    position_form: String,
    /// The start position.
    start: String,
    /// The method by which positions were decided, or null if the directory does not record it.
    method: Option<Method>,
    /// The positions that the solution covers.
    covers: Coverage,
    /// Where the depths come from.
    depths: DepthSource,
    /// The method, the coverage and the source of depths in words.
    coverage_text: String,
    /// Whether the solution covers the start position.
    covers_start: bool,
    /// A position to begin with: the start position, or another one that the solution covers.
    begin: String,
    /// Whether the start position is only an example, as in endgames.
    begins_anywhere: bool,
    /// The names of P1 and P2, or null if the rules do not name them.
    sides: Option<[String; 2]>,
    /// The players that are available with this solution.
    players: Vec<&'static str>,
    /// Whether its sets can be displayed.
    has_sets: bool,
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
    let game = solution.game();
    let problem = |error| Problem::of(&error, game);
    let start = game.start_position();
    let covers_start = solution.look_up(&start).map_err(problem)?.is_covered();
    let begin = if covers_start { None } else { some_position(solution).map_err(problem)? };
    Ok(About {
        schema_version: SCHEMA_VERSION,
        game: game.spec(),
        id,
        fingerprint: game.fingerprint(),
        digest: solution.digest().into(),
        form: solution.form(),
        complete: solution.is_complete(),
        ply_so_far: solution.ply_so_far(),
        warning: solution.warning(),
        rules: game.rules(),
        position_form: game.position_form(),
        begin: game.format_position(begin.as_ref().unwrap_or(&start)),
        start: game.format_position(&start),
        method: solution.method(),
        covers: solution.coverage(),
        depths: solution.depth_source(),
        coverage_text: solution.coverage_text(),
        covers_start,
        begins_anywhere: game.begins_anywhere(),
        sides: game.side_names(),
        players: players(solution),
        has_sets: !solution.sets().is_empty(),
    })
}

/// Returns the players that are available with this solution.
fn players(solution: &Solution) -> Vec<&'static str> {
    let mut players = vec!["perfect", "trapping"];
    if solution.ranks_draws() {
        players.insert(1, "ranked");
    }
    // The player that only sees short losses needs depths.
    if solution.has_depths() {
        players.push("fallible");
    }
    players
}
