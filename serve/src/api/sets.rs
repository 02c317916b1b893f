//! The request `{id}/sets/{set}`, which returns the automaton of a set.

use std::sync::Arc;

use axum::extract::State as Shared;
use axum::response::Response;
use nerode_dfa::{Dfa, Target};
use nerode_games::Position;
use schemars::JsonSchema;
use serde::Serialize;

use super::shared::{AtPosition, SCHEMA_VERSION, answered};
use crate::caching::Cached;
use crate::extract::{PathParams, QueryParams};
use crate::problem::{Outcome, Problem};
use crate::state::State;
use crate::work::Weight;
use nerode_solver::stored::Solution;

/// The number of states above which only the widths of the layers are shown.
const DRAWN_STATES: usize = 5000;
/// The number of states above which a set is not read for a picture.
const READ_STATES: u64 = 20_000_000;

/// A set as an automaton.
#[derive(Serialize, JsonSchema)]
pub(super) struct Automaton {
    schema_version: u32,
    game: String,
    set: String,
    num_states: u64,
    positions: String,
    /// The layers, in the order in which they are read.
    layers: Vec<Layer>,
    /// The initial target: a state of the first layer, -1 for reject, -2 for accept.
    root: Goal,
    /// The run of the position through the automaton, if a position was given.
    run: Option<Run>,
}

/// A layer.
#[derive(Serialize, JsonSchema)]
struct Layer {
    /// The meaning of the layer, such as a square.
    label: String,
    /// The names of its letters.
    letters: Vec<String>,
    /// The number of states.
    width: usize,
    /// The target of each letter from each state, if the automaton is small.
    states: Option<Vec<Vec<Goal>>>,
}

/// The target of a transition: a state of the next layer, -1 for reject, -2 for accept.
#[derive(Clone, Copy, Serialize, JsonSchema)]
struct Goal(i64);

/// The run of a position through the automaton, letter by letter.
#[derive(Serialize, JsonSchema)]
struct Run {
    position: String,
    /// Whether the position is in the set.
    accepted: bool,
    /// The letter of each layer.
    letters: Vec<usize>,
    /// The target with which each layer is entered, and the final target.
    through: Vec<Goal>,
}

impl From<Target> for Goal {
    fn from(target: Target) -> Self {
        Self(match target {
            Target::Reject => -1,
            Target::Accept => -2,
            Target::State(state) => state.into(),
        })
    }
}

pub(super) async fn get(
    Shared(state): Shared<Arc<State>>,
    cached: Cached,
    PathParams((id, set)): PathParams<(String, String)>,
    QueryParams(at): QueryParams<AtPosition>,
) -> Outcome<Response> {
    answered(&state, &cached, &id, Weight::Heavy, move |solution, _| automaton(solution, &set, &at)).await
}

fn automaton(solution: &Solution, name: &str, at: &AtPosition) -> Outcome<Automaton> {
    let game = solution.game();
    let sets = solution.sets();
    let Some(set) = sets.iter().find(|set| set.name() == name) else {
        let some: Vec<String> = sets.iter().rev().take(4).map(|set| set.name()).collect();
        let more = match sets.len() - some.len() {
            0 => String::new(),
            more => format!(", and {more} more, which 'stats' lists"),
        };
        return Err(Problem::not_found("no set has this name").accepting(some.join(", ") + &more));
    };
    if set.num_states() > READ_STATES {
        return Err(Problem::not_found("this set is too large to be shown"));
    }
    let dfa = set.read_dfa().map_err(|error| Problem::of(&error, game))?;
    let run = match at.position.is_some() || !at.moves.is_empty() {
        true => Some(run(solution, &dfa, &at.read(solution)?)),
        false => None,
    };
    let is_drawn = dfa.num_states() <= DRAWN_STATES;
    let layers = game.layers().into_iter().enumerate().map(|(layer, about)| Layer {
        width: dfa.num_states_in(layer),
        states: is_drawn.then(|| rows(&dfa, layer)),
        label: about.label,
        letters: about.letters,
    });
    Ok(Automaton {
        schema_version: SCHEMA_VERSION,
        game: game.spec(),
        set: set.name(),
        num_states: set.num_states(),
        positions: set.num_positions().to_string(),
        layers: layers.collect(),
        root: dfa.root().into(),
        run,
    })
}

fn rows(dfa: &Dfa, layer: usize) -> Vec<Vec<Goal>> {
    let letters = dfa.shape().num_letters(layer);
    let row = |state: usize| {
        let state = u32::try_from(state).unwrap_or(u32::MAX);
        (0..=u8::MAX).take(letters).map(|letter| dfa.target(layer, state, letter).into()).collect()
    };
    (0..dfa.num_states_in(layer)).map(row).collect()
}

fn run(solution: &Solution, dfa: &Dfa, position: &Position) -> Run {
    let game = solution.game();
    let word = game.word_of(&position.board);
    let mut through = vec![dfa.root()];
    for (layer, &letter) in word.iter().enumerate() {
        let Some(&Target::State(state)) = through.last() else { break };
        through.push(dfa.target(layer, state, letter));
    }
    Run {
        position: game.format_position(position),
        accepted: through.last() == Some(&Target::Accept),
        letters: word.iter().map(|&letter| usize::from(letter)).collect(),
        through: through.into_iter().map(Goal::from).collect(),
    }
}
