//! Operations on the layers of words: projection, cofactors and renaming.

use std::collections::BTreeSet;

use nerode::dfa::{self, Target};
use pyo3::prelude::*;

use crate::dfa::Dfa;
use crate::errors::{named, raised};
use crate::shape::Shape;

/// A state of an automaton, or a constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum At {
    Every,
    State(u32),
}

/// Returns the target of a letter, or `None` if no word follows.
fn next(set: &dfa::Dfa, layer: usize, at: At, letter: u8) -> Option<At> {
    match at {
        At::Every => Some(At::Every),
        At::State(state) => found(set.target(layer, state, letter)),
    }
}

fn found(target: Target) -> Option<At> {
    match target {
        Target::Reject => None,
        Target::Accept => Some(At::Every),
        Target::State(state) => Some(At::State(state)),
    }
}

/// The states that the words read so far may have reached. If one of them accepts every continuation, it is the only one.
type States = BTreeSet<At>;

fn states_of(all: impl Iterator<Item = At>) -> States {
    let all: States = all.collect();
    if all.contains(&At::Every) { States::from([At::Every]) } else { all }
}

/// Returns the states after any letter in each of `layers`.
fn skipped(set: &dfa::Dfa, mut states: States, layers: std::ops::Range<usize>) -> States {
    for layer in layers {
        let letters = 0..set.shape().num_letters(layer);
        let after = letters
            .flat_map(|letter| states.iter().filter_map(move |&at| next(set, layer, at, letter as u8)));
        states = states_of(after);
    }
    states
}

/// Returns the words of `set` restricted to the layers `kept`, which ascend: `{ u : some w in the set has the letters u there }`.
///
/// Cost: that of a subset construction, which may be exponential in the number of states.
pub fn project(py: Python<'_>, set: &Dfa, kept: &[usize]) -> PyResult<Dfa> {
    let names: Vec<Vec<String>> = kept.iter().map(|&layer| set.shape.names[layer].clone()).collect();
    let shape = Shape::named(py, names, set.shape.is_text)?;
    let inner = &set.inner;
    let end = |index: usize| kept.get(index).copied().unwrap_or(set.shape.names.len());
    let start = skipped(inner, states_of(found(inner.root()).into_iter()), 0..end(0));
    let step = |index: usize, states: &States, letter: u8| {
        let layer = kept[index];
        let after = states_of(states.iter().filter_map(|&at| next(inner, layer, at, letter)));
        let after = skipped(inner, after, layer + 1..end(index + 1));
        (!after.is_empty()).then_some(after)
    };
    let made = py.detach(|| dfa::Dfa::from_step(&shape.inner, start, step, |states| !states.is_empty()));
    Ok(Dfa { inner: made.map_err(|error| raised(py, error))?, shape })
}

/// A state while two adjacent layers are exchanged: the letter of the first of them is held until the second one is read.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Swapping {
    At(At),
    Holding(At, u8),
}

/// Returns the words with the letters of `layer` and of the next layer exchanged.
fn swapped(py: Python<'_>, set: &Dfa, layer: usize) -> PyResult<Dfa> {
    let mut names = set.shape.names.clone();
    names.swap(layer, layer + 1);
    let shape = Shape::named(py, names, set.shape.is_text)?;
    let inner = &set.inner;
    let Some(root) = found(inner.root()) else {
        return Ok(Dfa { inner: dfa::Dfa::empty(&shape.inner), shape });
    };
    let step = |at_layer: usize, state: &Swapping, letter: u8| match *state {
        Swapping::At(at) if at_layer == layer => Some(Swapping::Holding(at, letter)),
        Swapping::At(at) => next(inner, at_layer, at, letter).map(Swapping::At),
        Swapping::Holding(at, held) => {
            let first = next(inner, layer, at, letter)?;
            next(inner, layer + 1, first, held).map(Swapping::At)
        }
    };
    let made = py.detach(|| dfa::Dfa::from_step(&shape.inner, Swapping::At(root), step, |_| true));
    Ok(Dfa { inner: made.map_err(|error| raised(py, error))?, shape })
}

/// Returns the words whose letter `i` is letter `order[i]` of a word of the set.
///
/// Cost: one pass over the automaton for each exchange of adjacent layers.
pub fn permute(py: Python<'_>, set: &Dfa, order: &[usize]) -> PyResult<Dfa> {
    let count = set.shape.names.len();
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    if !sorted.iter().copied().eq(0..count) {
        let text = format!("the order must contain each of the {count} layers once");
        return Err(named(py, "BadWord", text));
    }
    let mut current: Vec<usize> = (0..count).collect();
    let mut set = set.clone();
    for (to, wanted) in order.iter().enumerate() {
        let from = current.iter().position(|layer| layer == wanted).unwrap_or(to);
        for layer in (to..from).rev() {
            set = swapped(py, &set, layer)?;
            current.swap(layer, layer + 1);
        }
    }
    Ok(set)
}
