//! The request `GET {id}?position=...`, which returns the value and depth of a position, and all its moves.

use std::sync::Arc;

use axum::extract::State as Shared;
use axum::response::Response;
use nerode_games::Position;
use schemars::JsonSchema;
use serde::Deserialize;

use super::search::{MOST_PLIES, search, searched};
use super::shared::{answered, read_after};
use crate::caching::Cached;
use crate::extract::{PathParams, QueryParams};
use crate::problem::{Outcome, Problem};
use crate::state::State;
use crate::work::{Wanted, Weight};
use nerode_report::documents::Answer;
use nerode_solver::stored::Solution;

/// The parameters of a request about a position.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Ask {
    /// The position in any notation that the game accepts, where `_` counts as a space. `start`, which is the default, is
    /// the start position.
    position: Option<String>,
    /// Whether to answer a position that cannot occur in play. By default, it is rejected with the reason.
    #[serde(default)]
    any: bool,
    /// The moves made since the position, separated by spaces. The request is about the position after them.
    #[serde(default)]
    moves: String,
    /// Whether to include the board and the places that each move changes.
    #[serde(default)]
    picture: bool,
    /// The depth in plies of a search, for at most a few seconds, if the solution does not contain the value of the
    /// position or of a move.
    #[serde(default)]
    #[schemars(range(min = 0, max = 20))]
    search_plies: u32,
}

impl Ask {
    fn read(&self, solution: &Solution) -> Outcome<Position> {
        read_after(self.position.as_deref(), &self.moves, self.any, solution)
    }
}

/// Returns the answer of the solution for a position.
fn answer(solution: &Solution, position: &Position, ask: &Ask, wanted: &Wanted) -> Outcome<Answer> {
    let problem = |error| Problem::of(&error, solution.game());
    let found = solution.query(position).map_err(problem)?;
    let bounds = search(solution, &found, ask.search_plies, wanted).map_err(problem)?;
    let found = match &bounds {
        Some(bounds) => found.within(bounds.range, &bounds.moves),
        None => found,
    };
    Ok(Answer::new(&**solution, &found, bounds.as_ref().map(searched), ask.picture))
}

/// Returns the answer of the solution for the position after some moves from a position, which defaults to the start.
pub(crate) fn answer_of(
    solution: &Solution,
    (position, any): (Option<String>, bool),
    moves: &[String],
    search_plies: u32,
    wanted: &Wanted,
) -> Outcome<Answer> {
    must_be_short(search_plies)?;
    let ask = Ask { position, any, moves: moves.join(" "), picture: false, search_plies };
    answer(solution, &ask.read(solution)?, &ask, wanted)
}

fn must_be_short(search_plies: u32) -> Outcome<()> {
    if search_plies <= MOST_PLIES {
        return Ok(());
    }
    let problem = Problem::malformed(format!("a search of {search_plies} plies is too deep"));
    Err(problem.accepting(format!("at most {MOST_PLIES} plies")))
}

pub(super) async fn get(
    Shared(state): Shared<Arc<State>>,
    cached: Cached,
    PathParams(id): PathParams<String>,
    QueryParams(ask): QueryParams<Ask>,
) -> Outcome<Response> {
    must_be_short(ask.search_plies)?;
    let weight = if ask.search_plies > 0 { Weight::Heavy } else { Weight::Light };
    answered(&state, &cached, &id, weight, move |solution, wanted| {
        let position = ask.read(solution)?;
        answer(solution, &position, &ask, wanted)
    })
    .await
}
