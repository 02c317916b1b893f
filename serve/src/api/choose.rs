//! The request `{id}/choose`, which returns the move of a player, so that clients can play against it.

use std::sync::Arc;

use axum::extract::State as Shared;
use axum::response::Response;
use schemars::JsonSchema;
use serde::Deserialize;

use super::shared::{answered, course, read};
use crate::caching::Cached;
use crate::extract::{PathParams, QueryParams};
use crate::problem::{Outcome, Problem};
use crate::state::State;
use crate::work::Weight;
use nerode_play::players::Named;
use nerode_report::documents::Choice;
use nerode_solver::stored::Solution;

/// The parameters of a request for a move.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Ask {
    /// The current position, or the position in which the game began if `moves` is given. The default is `start`.
    position: Option<String>,
    /// Whether to answer a position that cannot occur in play. By default, it is rejected with the reason.
    #[serde(default)]
    any: bool,
    /// The moves made so far, separated by spaces. They allow a player to avoid repeating positions.
    #[serde(default)]
    moves: String,
    /// The player.
    player: Who,
    /// The seed for random choices. Equal seeds lead to equal choices.
    #[serde(default)]
    seed: u64,
}

/// A player.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Who {
    /// The best move by value and depth.
    Perfect,
    /// The best move by value, depth and rank of draws, if the solution ranks draws.
    Ranked,
    /// The most demanding move for the other side among those that keep the value.
    Trapping,
    /// The move of a fallible player, which sees short losses and misses long ones.
    Fallible,
}

impl Who {
    fn player(self) -> Named {
        match self {
            Self::Perfect => Named::Perfect,
            Self::Ranked => Named::Ranked,
            Self::Trapping => Named::Trapping,
            Self::Fallible => Named::Fallible,
        }
    }
}

pub(super) async fn get(
    Shared(state): Shared<Arc<State>>,
    cached: Cached,
    PathParams(id): PathParams<String>,
    QueryParams(ask): QueryParams<Ask>,
) -> Outcome<Response> {
    answered(&state, &cached, &id, Weight::Light, move |solution, _| {
        let moves: Vec<&str> = ask.moves.split_whitespace().collect();
        choice_of(solution, (ask.position, ask.any), &moves, ask.player, ask.seed)
    })
    .await
}

/// Returns the move of a player after some moves from a position, which defaults to the start. The position need not
/// occur in play if `any` is set.
pub(crate) fn choice_of(
    solution: &Arc<Solution>,
    (position, any): (Option<String>, bool),
    moves: &[&str],
    who: Who,
    seed: u64,
) -> Outcome<Choice> {
    let game = solution.game();
    let position = read(position.as_deref(), any, solution)?;
    let problem = |error| Problem::of(&error, game);
    let course = course(game, position, moves)?;
    let text = game.format_position(course.position());
    match who.player().choose(solution, &course, seed).map_err(problem)? {
        Some(chosen) => Ok(Choice::new(game, text, chosen)),
        None => Err(Problem::malformed("this solution does not rank draws")
            .accepting("perfect, trapping or fallible")),
    }
}
