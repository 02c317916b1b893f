//! The request `{id}/sample`, which returns random positions.

use std::sync::Arc;

use axum::extract::State as Shared;
use axum::response::Response;
use nerode_games::{Game, Position, Value};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::shared::{SCHEMA_VERSION, answered};
use crate::caching::Cached;
use crate::extract::{PathParams, QueryParams};
use crate::problem::{Outcome, Problem};
use crate::state::State;
use crate::work::Weight;
use nerode_report::lines::Known;
use nerode_solver::error::Result;
use nerode_solver::stored::{Coverage, SampleFilter, Solution};

/// The maximum number of positions per request.
const MOST: usize = 1000;
/// The default number of positions.
const USUAL: usize = 10;

/// The parameters of a request for random positions.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ask {
    /// The number of positions, up to 1000. The default is 10.
    #[schemars(range(min = 0, max = 1000))]
    count: Option<usize>,
    /// The seed. Equal seeds lead to equal positions.
    #[serde(default)]
    seed: u64,
    /// Whether to return only positions that can occur in play, as far as simple rules can tell, and in which the game is
    /// not over. The response may contain fewer positions then.
    #[serde(default)]
    legal: bool,
    /// The value of the positions for the side to move.
    category: Option<Category>,
    /// The sector of the positions, for a solution of a morris game by sectors.
    sector: Option<String>,
}

/// The value of positions.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Category {
    Win,
    Draw,
    Loss,
    /// Undecided so far.
    Unknown,
}

impl Category {
    pub(super) fn value(self) -> Option<Value> {
        match self {
            Self::Win => Some(Value::Win),
            Self::Draw => Some(Value::Draw),
            Self::Loss => Some(Value::Loss),
            Self::Unknown => None,
        }
    }
}

/// Random positions.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Sample {
    schema_version: u32,
    game: String,
    /// The positions from which the sample was drawn: those that the solution covers.
    covers: Coverage,
    /// Whether the sample was restricted to positions that can occur in play and in which the game is not over.
    legal: bool,
    positions: Vec<Known>,
}

pub(super) async fn get(
    Shared(state): Shared<Arc<State>>,
    cached: Cached,
    PathParams(id): PathParams<String>,
    QueryParams(ask): QueryParams<Ask>,
) -> Outcome<Response> {
    answered(&state, &cached, &id, Weight::Heavy, move |solution, _| sample_of(solution, &ask)).await
}

impl Ask {
    /// Creates the parameters of a request over a pipe.
    pub(crate) fn new(
        count: Option<usize>,
        seed: Option<u64>,
        legal: bool,
        category: Option<Category>,
    ) -> Self {
        Self { count, seed: seed.unwrap_or(0), legal, category, sector: None }
    }

    fn count(&self) -> Outcome<usize> {
        let count = self.count.unwrap_or(USUAL);
        if count > MOST {
            let problem = Problem::malformed(format!("{count} positions are too many"));
            return Err(problem.accepting(format!("at most {MOST} positions")));
        }
        Ok(count)
    }
}

/// Draws random positions.
pub(crate) fn sample_of(solution: &Solution, ask: &Ask) -> Outcome<Sample> {
    let count = ask.count()?;
    let game = solution.game();
    let problem = |error| Problem::of(&error, game);
    let is_played = |position: &Position| is_played(game, position);
    let filter = SampleFilter {
        sector: ask.sector.as_deref(),
        value: ask.category.map(Category::value),
        accepts: ask.legal.then_some(&is_played),
    };
    let drawn = solution.sample_where(count, ask.seed, &filter).map_err(problem)?;
    let drawn = drawn.ok_or_else(|| Problem::not_found("this solution has no sector with that name"))?;
    let known = |position| Ok(Known::new(game, position, &solution.infer(position)?));
    let positions = drawn.iter().map(known).collect::<Result<_>>().map_err(problem)?;
    Ok(Sample {
        schema_version: SCHEMA_VERSION,
        game: game.spec(),
        covers: solution.coverage(),
        legal: ask.legal,
        positions,
    })
}

/// Returns `true` if a position can occur in play, as far as simple rules can tell, and the game is not over in it.
pub(crate) fn is_played(game: &dyn Game, Position { board, side }: &Position) -> bool {
    game.why_illegal(board, *side).is_none() && game.outcome(board, *side).is_none()
}

/// Returns a covered position that can occur in play and in which the game is not over, if one is found.
pub(super) fn some_position(solution: &Solution) -> Result<Option<Position>> {
    let is_played = |position: &Position| is_played(solution.game(), position);
    let filter = SampleFilter { accepts: Some(&is_played), ..SampleFilter::default() };
    Ok(solution.sample_where(1, 1, &filter)?.and_then(|mut found| found.pop()))
}
