//! The answers of the service over a pair of pipes, with one JSON line for each JSON line.

use std::sync::Arc;

use nerode_games::grouped;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::error::Category;

use super::api;
use super::problem::{Outcome, Problem};
use super::work::Wanted;
use nerode_solver::stored::Solution;

/// The version of the requests and answers.
pub const VERSION: u32 = 1;

/// A request. Unknown fields are rejected.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    /// The version that the client uses.
    schema_version: u32,
    /// An identifier that is returned with the answer.
    #[serde(default)]
    id: Value,
    ask: Ask,
}

/// The query.
#[derive(Debug, Deserialize)]
#[serde(tag = "what", rename_all = "lowercase", deny_unknown_fields)]
enum Ask {
    /// The game and the solution.
    About {},
    /// The value, the depth and all moves of a position.
    Position {
        position: Option<String>,
        /// Whether to answer a position that cannot occur in play.
        #[serde(default)]
        any: bool,
        #[serde(default)]
        moves: Vec<String>,
        #[serde(default)]
        search_plies: u32,
    },
    /// The principal variation from a position.
    Line {
        position: Option<String>,
        #[serde(default)]
        any: bool,
        #[serde(default)]
        moves: Vec<String>,
    },
    /// The move of a player.
    Choose {
        position: Option<String>,
        #[serde(default)]
        any: bool,
        #[serde(default)]
        moves: Vec<String>,
        player: api::Who,
        seed: Option<u64>,
    },
    /// Random positions.
    Sample {
        count: Option<usize>,
        seed: Option<u64>,
        #[serde(default)]
        legal: bool,
        category: Option<api::Category>,
    },
    /// The statistics of the solution.
    Stats {},
}

/// An answer, or the reason why there is none.
#[derive(Serialize)]
struct Reply {
    id: Value,
    #[serde(flatten)]
    said: Said,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Said {
    Answer(Value),
    Error(Problem),
}

/// Answers one line with one line.
pub fn answer_line(solution: &Arc<Solution>, line: &str) -> String {
    let (id, said) = match serde_json::from_str::<Request>(line) {
        Ok(request) if request.schema_version != VERSION => {
            let detail = format!(
                "this program supports version {VERSION} of the protocol, not {}",
                request.schema_version
            );
            (request.id, Err(Problem::malformed(detail)))
        }
        Ok(request) => (request.id, answer(solution, request.ask)),
        Err(error) => (id_in(line), Err(malformed(&error))),
    };
    let said = said.map_or_else(Said::Error, Said::Answer);
    serde_json::to_string(&Reply { id, said }).unwrap_or_default()
}

/// Returns the answer to a line of more than `most` bytes, which has not been read.
pub fn too_long_line(most: u64) -> String {
    let problem = Problem::malformed(format!(
        "the line has more than {} bytes, the limit for a request",
        grouped(most.into())
    ));
    serde_json::to_string(&Reply { id: Value::Null, said: Said::Error(problem) }).unwrap_or_default()
}

/// Returns the identifier of a line that is not a request, if it can be read.
fn id_in(line: &str) -> Value {
    serde_json::from_str::<Value>(line)
        .ok()
        .and_then(|mut said| said.get_mut("id").map(Value::take))
        .unwrap_or_default()
}

fn malformed(error: &serde_json::Error) -> Problem {
    let detail = match error.classify() {
        Category::Data => format!("the line is not a request: {error}"),
        _ => format!("the line is not a JSON object, as far as column {}", error.column()),
    };
    Problem::malformed(detail)
        .accepting(r#"{"schema_version": 1, "ask": {"what": "position", "position": "start"}}"#)
}

fn answer(solution: &Arc<Solution>, ask: Ask) -> Outcome<Value> {
    let wanted = Wanted::default();
    match ask {
        Ask::About {} => value(&api::about_of("solution".into(), solution)?),
        Ask::Position { position, any, moves, search_plies } => {
            value(&api::answer_of(solution, (position, any), &moves, search_plies, &wanted)?)
        }
        Ask::Line { position, any, moves } => {
            value(&api::line_of(solution, (position, any), &moves.join(" "), &wanted)?)
        }
        Ask::Choose { position, any, moves, player, seed } => {
            let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
            value(&api::choice_of(solution, (position, any), &moves, player, seed.unwrap_or(0))?)
        }
        Ask::Sample { count, seed, legal, category } => {
            value(&api::sample_of(solution, &api::SampleAsk::new(count, seed, legal, category))?)
        }
        Ask::Stats {} => value(&api::stats_of(solution, &wanted)?),
    }
}

fn value<T: Serialize>(answer: &T) -> Outcome<Value> {
    serde_json::to_value(answer).map_err(|error| Problem::internal(error.to_string()))
}
