//! Checks the guarantees of the format of sector automata for states and rows.

use std::collections::HashSet;

use super::automaton::{MultiRoot, Target};
use super::spans::Span;

/// The parsed data, or a description of the error.
pub(super) type Parsed<T> = std::result::Result<T, String>;

/// Checks that pointers lead to states with earlier edges, that no two states of a stage are equal, and that no state
/// is equivalent to a single code.
pub(super) fn check_states(automaton: &MultiRoot) -> Parsed<()> {
    let shape = automaton.shape;
    let mut named = vec![0; shape.stones + 1];
    targets(automaton, &automaton.root, automaton.num_classes, &mut named[shape.stones])?;
    for points in (shape.row_points + 1..=shape.points).rev() {
        let layer = points - shape.row_points - 1;
        named.fill(0);
        for stones in 1..=shape.stones {
            let edges = automaton.num_states[layer][stones];
            let [without, with] = [0, 1].map(|stone| automaton.stages.get(layer, stones, stone));
            let zeros = targets(automaton, &without, edges, &mut named[stones])?;
            let ones = targets(automaton, &with, edges, &mut named[stones - 1])?;
            let mut seen = HashSet::with_capacity(zeros.len());
            for pair in zeros.into_iter().zip(ones) {
                let one_code = matches!(pair, (Target::Code(a), Target::Code(b)) if a == b);
                if one_code || !seen.insert(pair) {
                    return Err(format!(
                        "states with {points} points left are equal to each other or to a code"
                    ));
                }
            }
        }
    }
    Ok(())
}

/// Returns the destinations of the edges of a span. `named` of their states already have incoming edges.
fn targets(automaton: &MultiRoot, span: &Span, edges: u32, named: &mut u32) -> Parsed<Vec<Target>> {
    let target = |edge: u32| {
        let target = automaton.target(span, edge);
        if let Target::State(state) = target {
            // A first edge leads to the next state, and a pointer to a state with an earlier edge.
            let is_new = automaton.marks.is_new(u64::from(span.start) + u64::from(edge));
            if is_new && state == *named {
                *named += 1;
            } else if is_new || state >= *named {
                return Err("an edge leads to a state without a first edge".to_string());
            }
        }
        Ok(target)
    };
    (0..edges).map(target).collect()
}

/// Checks that no two rows are equal, and that no row is equivalent to a single code.
pub(super) fn check_rows(automaton: &MultiRoot) -> Parsed<()> {
    for (stones, span) in automaton.row_spans.iter().enumerate() {
        let mut seen = HashSet::new();
        for row in 0..span.count {
            let codes: Vec<u16> = (0..span.len as u8).map(|i| automaton.row_entry(stones, row, i)).collect();
            if codes.iter().any(|&code| usize::from(code) >= automaton.codes.len()) {
                return Err("a row has a code that is not listed".into());
            }
            if codes.iter().all(|code| *code == codes[0]) || !seen.insert(codes) {
                return Err("rows are equal to each other or to a code".into());
            }
        }
    }
    Ok(())
}
