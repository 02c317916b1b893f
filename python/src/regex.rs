//! Regular expressions over letters.

use nerode::dfa;
use pyo3::prelude::*;
use regex_automata::dfa::{Automaton, dense};
use regex_automata::nfa::thompson;
use regex_automata::util::primitives::StateID;
use regex_automata::util::{start, syntax};
use regex_automata::{Anchored, MatchKind};
use regex_syntax::hir::{Class, Hir, HirKind};

use crate::errors::{named, raised};
use crate::shape::Shape;

/// The maximum number of bytes of the automaton of an expression, before it is restricted to the shape.
const MOST_BYTES: usize = 64 << 20;

/// Returns the words of `shape` that match `pattern` completely.
pub fn of_regex(py: Python<'_>, shape: &Shape, pattern: &str) -> PyResult<dfa::Dfa> {
    if shape.names.iter().flatten().any(|name| name.chars().count() != 1) {
        return Err(named(py, "BadShape", "regular expressions need letters of one character"));
    }
    let bad = |reason: String| named(py, "BadPattern", format!("'{pattern}': {reason}"));
    let parsed = syntax::parse(pattern).map_err(|error| bad(reason_of(&error)))?;
    must_use_letters(&parsed, shape).map_err(bad)?;
    let config = dense::Config::new()
        .match_kind(MatchKind::All)
        .start_kind(regex_automata::dfa::StartKind::Anchored)
        .dfa_size_limit(Some(MOST_BYTES))
        .determinize_size_limit(Some(MOST_BYTES));
    let limits = thompson::Config::new().nfa_size_limit(Some(MOST_BYTES));
    let automaton = py.detach(|| {
        let built = dense::Builder::new().configure(config).thompson(limits).build(pattern);
        built.map_err(|error| reason_of(&error))
    });
    let automaton = automaton.map_err(bad)?;
    let start = automaton.start_state(&start::Config::new().anchored(Anchored::Yes));
    let start = start.map_err(|error| bad(error.to_string()))?;
    let step = |layer: usize, state: &StateID, letter: u8| {
        let name = &shape.names[layer][usize::from(letter)];
        let next = name.bytes().fold(*state, |state, byte| automaton.next_state(state, byte));
        (!automaton.is_dead_state(next)).then_some(next)
    };
    let accepts = |state: &StateID| automaton.is_match_state(automaton.next_eoi_state(*state));
    let made = py.detach(|| dfa::Dfa::from_step(&shape.inner, start, step, accepts));
    made.map_err(|error| raised(py, error))
}

/// Returns an error if a character of an expression is not a letter of the shape, so that nothing matches there. A class of
/// characters must contain at least one letter.
fn must_use_letters(hir: &Hir, shape: &Shape) -> std::result::Result<(), String> {
    let is_letter = |wanted: &dyn Fn(char) -> bool| {
        shape.names.iter().flatten().any(|name| name.chars().next().is_some_and(wanted))
    };
    let known = || {
        let mut names: Vec<&str> = shape.names.iter().flatten().map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        names.join(" ")
    };
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Ok(()),
        HirKind::Literal(literal) => {
            let text = String::from_utf8_lossy(&literal.0);
            match text.chars().find(|&c| !is_letter(&|letter| letter == c)) {
                Some(c) => Err(format!("'{c}' is not a letter of the shape; the letters are {}", known())),
                None => Ok(()),
            }
        }
        HirKind::Class(Class::Unicode(class)) => {
            let contains = |letter| class.ranges().iter().any(|r| r.start() <= letter && letter <= r.end());
            match is_letter(&contains) || class.ranges().is_empty() {
                true => Ok(()),
                false => {
                    Err(format!("a class of characters contains no letter; the letters are {}", known()))
                }
            }
        }
        HirKind::Class(Class::Bytes(_)) => Ok(()),
        HirKind::Repetition(part) => must_use_letters(&part.sub, shape),
        HirKind::Capture(part) => must_use_letters(&part.sub, shape),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            parts.iter().try_for_each(|part| must_use_letters(part, shape))
        }
    }
}

/// Returns the innermost cause of an error, because the outer errors only say that something went wrong.
fn reason_of(error: &dyn std::error::Error) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    error.to_string()
}
