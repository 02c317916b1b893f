//! Code that all requests share: how they name solutions and positions, and how documents are created.

use std::sync::Arc;

use axum::response::Response;
use nerode_games::{Game, Position};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::caching::{Cached, document, unchanged};
use crate::problem::{Outcome, Problem};
use crate::shelf::Shown;
use crate::state::State;
use crate::work::{Wanted, Weight};
use nerode_play::course::Course;
use nerode_report::position::position_of;
use nerode_solver::stored::Solution;

pub(super) use nerode_report::documents::SCHEMA_VERSION;

/// The maximum number of letters of a position, which keeps error messages short.
const POSITION_LETTERS: usize = 1000;
/// The maximum number of moves in a request.
const MOST_MOVES: usize = 1000;

/// The parameters of requests for the evaluation of a position.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PlayedPosition {
    /// The position in any notation that the game accepts, where `_` counts as a space. `start`, which is the default, is
    /// the start position.
    pub(super) position: Option<String>,
    /// Whether to answer a position that cannot occur in play. By default, it is rejected with the reason.
    #[serde(default)]
    pub(super) any: bool,
    /// The moves made since the position, separated by spaces. The request is about the position after them.
    #[serde(default)]
    pub(super) moves: String,
}

/// The parameter of requests that do not evaluate the position, so that it need not occur in play.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AtPosition {
    /// The position in any notation that the game accepts, where `_` counts as a space. `start`, which is the default, is
    /// the start position.
    pub(super) position: Option<String>,
    /// The moves made since the position, separated by spaces. The request is about the position after them.
    #[serde(default)]
    pub(super) moves: String,
}

impl AtPosition {
    pub(super) fn read(&self, solution: &Solution) -> Outcome<Position> {
        read_after(self.position.as_deref(), &self.moves, true, solution)
    }
}

/// Parses a position, which defaults to the start. Unless `any` is set, rejects a position that cannot occur in play.
pub(super) fn read(text: Option<&str>, any: bool, solution: &Solution) -> Outcome<Position> {
    let (game, text) = (solution.game(), text.unwrap_or("start"));
    if text.chars().nth(POSITION_LETTERS).is_some() {
        let problem = Problem::malformed(format!("the position has more than {POSITION_LETTERS} characters"));
        return Err(problem.accepting(game.position_form()));
    }
    position_of(game, text, any).map_err(|error| Problem::of(&error, game))
}

/// Parses a position like [`read`], and makes moves from it.
pub(super) fn read_after(
    text: Option<&str>,
    moves: &str,
    any: bool,
    solution: &Solution,
) -> Outcome<Position> {
    let position = read(text, any, solution)?;
    let moves: Vec<&str> = moves.split_whitespace().collect();
    Ok(course(solution.game(), position, &moves)?.position().clone())
}

/// Creates a game with these moves.
pub(super) fn course<'g>(game: &'g dyn Game, start: Position, moves: &[&str]) -> Outcome<Course<'g>> {
    if moves.len() > MOST_MOVES {
        let problem = Problem::malformed(format!("{} moves are too many", moves.len()));
        return Err(problem.accepting(format!("at most {MOST_MOVES} moves; begin at a later position")));
    }
    let mut course = Course::new(game, start);
    for text in moves {
        let mv =
            game.parse_move(course.position(), text).map_err(|error| Problem::of(&error.into(), game))?;
        course.play(&mv);
    }
    Ok(course)
}

/// Returns the solution with that id.
pub(super) fn solution(state: &State, id: &str) -> Outcome<Arc<Solution>> {
    match state.shelf.get(id) {
        Some(Shown::Open(solution)) => Ok(solution),
        Some(Shown::NotYet(why)) => Err(Problem::not_yet(why)),
        Some(Shown::Broken) => Err(Problem::internal(
            "the solution cannot be opened; the log of the service contains the reason",
        )),
        None => {
            let ids: Vec<String> = state.shelf.all().into_iter().map(|(id, _)| id).collect();
            Err(Problem::not_found("there is no solution with that id").accepting(ids.join(", ")))
        }
    }
}

/// Responds with a document about a solution, which is computed on a separate thread unless the client has cached it.
pub(super) async fn answered<T: Serialize + Send + 'static>(
    state: &State,
    cached: &Cached,
    id: &str,
    weight: Weight,
    make: impl FnOnce(&Arc<Solution>, &Wanted) -> Outcome<T> + Send + 'static,
) -> Outcome<Response> {
    let solution = solution(state, id)?;
    let tag = cached.tag_of(&solution);
    if cached.is_known(&tag) {
        return Ok(unchanged(&tag));
    }
    let body = state.workers.run(weight, move |wanted| make(&solution, wanted)).await?;
    Ok(document(&body, &tag))
}
