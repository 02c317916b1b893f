//! The request `{id}/positions`, which lists all positions of a value and depth, page by page.

use std::sync::Arc;

use axum::extract::State as Shared;
use axum::response::Response;
use nerode_games::{Position, Side};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::sample::Category;
use super::shared::{SCHEMA_VERSION, answered};
use super::stats::{MEMORY, SEARCHED_STATES};
use crate::caching::Cached;
use crate::extract::{PathParams, QueryParams};
use crate::problem::{Outcome, Problem};
use crate::state::State;
use crate::work::{Wanted, Weight};
use nerode_report::lines::Known;
use nerode_solver::error::Result;
use nerode_solver::solve::resources::Resources;
use nerode_solver::stored::Solution;

/// The maximum number of positions of a page.
const MOST: usize = 1000;
/// The default number of positions of a page.
const USUAL: usize = 20;

/// The parameters of a request for all positions of a value and depth.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ask {
    /// The side to move.
    side: SideToMove,
    /// The value for the side to move: `win`, `draw` or `loss`.
    category: Category,
    /// The number of plies to the end under best play. Without it, positions of every depth are listed.
    dtw: Option<u32>,
    /// The number of positions before the page. The default is 0.
    #[serde(default)]
    from: u64,
    /// The maximum number of positions of the page, up to 1000. The default is 20.
    #[schemars(range(min = 1, max = 1000))]
    count: Option<usize>,
}

/// A side to move.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
enum SideToMove {
    P1,
    P2,
}

/// A page of the positions of a value and depth, in the order of their words.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Page {
    schema_version: u32,
    game: String,
    /// The number of positions of all pages.
    total: String,
    /// The number of positions before this page.
    from: u64,
    positions: Vec<Known>,
}

pub(super) async fn get(
    Shared(state): Shared<Arc<State>>,
    cached: Cached,
    PathParams(id): PathParams<String>,
    QueryParams(ask): QueryParams<Ask>,
) -> Outcome<Response> {
    answered(&state, &cached, &id, Weight::Heavy, move |solution, wanted| page(solution, &ask, wanted)).await
}

fn page(solution: &Solution, ask: &Ask, wanted: &Wanted) -> Outcome<Page> {
    let game = solution.game();
    let problem = |error| Problem::of(&error, game);
    let count = ask.count.unwrap_or(USUAL);
    if !(1..=MOST).contains(&count) {
        let problem = Problem::malformed(format!("a page cannot have {count} positions"));
        return Err(problem.accepting(format!("1 to {MOST} positions")));
    }
    let Some(value) = ask.category.value() else {
        return Err(Problem::malformed("undecided positions are not listed").accepting("win, draw or loss"));
    };
    if solution.automata().map_err(problem)?.iter().any(|listed| listed.num_states > SEARCHED_STATES) {
        return Err(Problem::not_found("the sets of this solution are too large to be listed"));
    }
    let side = match ask.side {
        SideToMove::P1 => Side::P1,
        SideToMove::P2 => Side::P2,
    };
    let resources =
        Resources { memory: MEMORY, threads: 1, interrupt: wanted.flag(), ..Resources::default() };
    let found = solution.positions_of(side, value, ask.dtw, &resources).map_err(problem)?;
    let found = found.ok_or_else(|| {
        Problem::not_found("this solution does not contain the sets of positions by value and depth")
            .accepting("a run that keeps the sets of all plies, or packed values of all boards with depths")
    })?;
    let ranking = found.ranking().map_err(|error| problem(error.into()))?;
    let ranks = (u128::from(ask.from)..ranking.count()).take(count);
    let known = |word: Vec<u8>| {
        let position = Position { board: game.board_of(&word), side };
        Ok(Known::new(game, &position, &solution.infer(&position)?))
    };
    Ok(Page {
        schema_version: SCHEMA_VERSION,
        game: game.spec(),
        total: ranking.count().to_string(),
        from: ask.from,
        positions: ranks
            .filter_map(|rank| ranking.unrank(rank))
            .map(known)
            .collect::<Result<_>>()
            .map_err(problem)?,
    })
}
