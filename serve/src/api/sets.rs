//! The request `{id}/sets/{set}`, which returns the automaton of a set.

use std::sync::Arc;

use axum::extract::State as Shared;
use axum::response::Response;
use nerode_dfa::Letter;
use nerode_games::{LayerInfo, Position};
use schemars::JsonSchema;
use serde::Serialize;

use super::shared::{AtPosition, SCHEMA_VERSION, answered};
use crate::caching::Cached;
use crate::extract::{PathParams, QueryParams};
use crate::problem::{Outcome, Problem};
use crate::state::State;
use crate::work::Weight;
use nerode_report::lines::category;
use nerode_solver::error::Result;
use nerode_solver::stored::{self, OutcomeTarget, Solution};

/// The number of states above which only the widths of the layers are shown.
const DRAWN_STATES: usize = 5000;
/// The number of states above which a set is not read for a picture.
const READ_STATES: u64 = 20_000_000;
/// The targets of transitions that decide a word, as numbers. Those of values begin at the last one and go down.
const REJECT: i64 = -1;
const ACCEPT: i64 = -2;
const FIRST_END: i64 = -3;

/// A set as an automaton.
#[derive(Serialize, JsonSchema)]
pub(super) struct Automaton {
    schema_version: u32,
    game: String,
    set: String,
    num_states: u64,
    /// The number of accepted positions, or null if it is not stored.
    positions: Option<String>,
    /// The layers, in the order in which they are read.
    layers: Vec<Layer>,
    /// The initial target: a state of the first layer, -1 for reject, -2 for accept, or a value of the list `ends`.
    root: i64,
    /// The values that the automaton returns instead of accepting: target -3 is the first one, -4 the second one, and so on.
    ends: Vec<End>,
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
    states: Option<Vec<Vec<i64>>>,
}

/// A value that an automaton returns.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
struct End {
    category: &'static str,
    dtw: Option<u32>,
}

/// The run of a position through the automaton, letter by letter.
#[derive(Serialize, JsonSchema)]
struct Run {
    position: String,
    /// Whether the position is in the set, or null for an automaton that returns values.
    accepted: Option<bool>,
    /// The letter of each layer.
    letters: Vec<usize>,
    /// The target with which each layer is entered, and the final target.
    through: Vec<i64>,
}

/// The values that an automaton returns, in the order in which they have been found.
#[derive(Default)]
struct Ends(Vec<End>);

impl Ends {
    /// Returns the number of a target.
    fn number(&mut self, target: OutcomeTarget) -> i64 {
        let end = match target {
            OutcomeTarget::State(state) => return state.into(),
            OutcomeTarget::Reject => return REJECT,
            OutcomeTarget::Accept => return ACCEPT,
            OutcomeTarget::Outcome(outcome) => {
                End { category: category(outcome.value(), true), dtw: outcome.depth() }
            }
        };
        let known = self.0.iter().position(|other| *other == end);
        let at = known.unwrap_or_else(|| {
            self.0.push(end);
            self.0.len() - 1
        });
        FIRST_END - at as i64
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
    let problem = |error| Problem::of(&error, game);
    let all = solution.automata().map_err(problem)?;
    let Some(listed) = all.iter().find(|one| one.name == name) else {
        let some: Vec<&str> = all.iter().rev().take(4).map(|one| one.name.as_str()).collect();
        let more = match all.len() - some.len() {
            0 => String::new(),
            more => format!(", and {more} more, which 'stats' lists"),
        };
        return Err(Problem::not_found("no set has this name").accepting(some.join(", ") + &more));
    };
    if listed.num_states > READ_STATES {
        return Err(Problem::not_found("this set is too large to be shown"));
    }
    let read = solution.automaton(name).map_err(problem)?;
    let read = read.ok_or_else(|| Problem::not_found("no set has this name"))?;
    let mut ends = Ends::default();
    let run = match at.position.is_some() || !at.moves.is_empty() {
        true => Some(run(solution, &read, &at.read(solution)?, &mut ends).map_err(problem)?),
        false => None,
    };
    let is_drawn = listed.num_states <= DRAWN_STATES as u64;
    let layer = |(layer, about): (usize, LayerInfo)| {
        let states = is_drawn.then(|| rows(&read, layer, about.letters.len(), &mut ends)).transpose()?;
        let width = usize::try_from(read.num_states_in(layer)).unwrap_or(usize::MAX);
        Ok(Layer { label: about.label, letters: about.letters, width, states })
    };
    let layers = game.layers().into_iter().enumerate().map(layer).collect::<Result<_>>().map_err(problem)?;
    Ok(Automaton {
        schema_version: SCHEMA_VERSION,
        game: game.spec(),
        set: listed.name.clone(),
        num_states: listed.num_states,
        positions: listed.num_positions.map(|positions| positions.to_string()),
        layers,
        root: ends.number(read.root().map_err(problem)?),
        run,
        ends: ends.0,
    })
}

fn rows(
    read: &stored::Automaton<'_>,
    layer: usize,
    letters: usize,
    ends: &mut Ends,
) -> Result<Vec<Vec<i64>>> {
    let mut row = |state: u64| {
        let state = u32::try_from(state).unwrap_or(u32::MAX);
        let targets =
            (0..=Letter::MAX).take(letters).map(|letter| Ok(ends.number(read.target(layer, state, letter)?)));
        targets.collect()
    };
    (0..read.num_states_in(layer)).map(&mut row).collect()
}

fn run(
    solution: &Solution,
    read: &stored::Automaton<'_>,
    position: &Position,
    ends: &mut Ends,
) -> Result<Run> {
    let word = solution.automaton_word(position);
    let mut targets = vec![read.root()?];
    for (layer, &letter) in word.iter().enumerate() {
        let Some(&OutcomeTarget::State(state)) = targets.last() else { break };
        targets.push(read.target(layer, state, letter)?);
    }
    Ok(Run {
        position: solution.game().format_position(position),
        accepted: match targets.last() {
            Some(OutcomeTarget::Outcome(_)) => None,
            end => Some(end == Some(&OutcomeTarget::Accept)),
        },
        letters: word.iter().map(|&letter| usize::from(letter)).collect(),
        through: targets.into_iter().map(|target| ends.number(target)).collect(),
    })
}
