//! Checks the guarantees of the format of sector automata for spans, states and rows.

use std::collections::HashSet;
use std::convert::Infallible;

use super::automaton::{MultiRoot, Target};
use super::blocks::Parsed;
use super::spans::Span;

/// Checks that every span has as many new edges and pointers as its header says, by which spans are laid out.
pub(super) fn check_spans(automaton: &MultiRoot, counts: &[[u32; 2]]) -> Parsed<()> {
    let marks = &automaton.edges.marks;
    for ((span, edges), [new, pointers]) in automaton.outline.spans().zip(counts) {
        let (before, after) = (marks.ranks(span.start.into()), marks.ranks(span.edge(edges)));
        if (after.0 - before.0, after.1 - before.1) != (*new, *pointers) {
            return Err("a stage has another number of first edges or pointers than the header says".into());
        }
    }
    Ok(())
}

/// Checks that pointers lead to states with earlier edges, that no two states of a stage are equal, and that no state
/// is equivalent to a single code.
pub(super) fn check_states(automaton: &MultiRoot) -> Parsed<()> {
    let shape = automaton.outline.shape;
    let mut named = vec![0; shape.stones + 1];
    targets(automaton, &automaton.outline.root, automaton.outline.num_classes, &mut named[shape.stones])?;
    for points in (shape.row_points + 1..=shape.points).rev() {
        let layer = points - shape.row_points - 1;
        named.fill(0);
        for stones in 1..=shape.stones {
            let edges = automaton.outline.num_states[layer][stones];
            let [without, with] = [0, 1].map(|stone| automaton.outline.stages.get(layer, stones, stone));
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
        let Ok(target) = automaton.target(span, edge);
        if let Target::State(state) = target {
            // A first edge leads to the next state, and a pointer to a state with an earlier edge.
            let is_new = automaton.edges.marks.is_new(span.edge(edge));
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
    for (stones, span) in automaton.outline.row_spans.iter().enumerate() {
        let mut seen = HashSet::new();
        for row in 0..span.count {
            let Ok(codes) = (0..span.len as u8)
                .map(|i| automaton.row_entry(stones, row, i))
                .collect::<std::result::Result<Vec<u16>, Infallible>>();
            if codes.iter().any(|&code| usize::from(code) >= automaton.outline.codes.len()) {
                return Err("a row has a code that is not listed".into());
            }
            if codes.iter().all(|code| *code == codes[0]) || !seen.insert(codes) {
                return Err("rows are equal to each other or to a code".into());
            }
        }
    }
    Ok(())
}
