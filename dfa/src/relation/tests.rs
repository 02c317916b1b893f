//! Tests of relations, expanded to pairs of words.

use std::sync::atomic::AtomicBool;

use super::*;
use crate::condition::Condition;
use crate::error::Error;
use crate::moves::Step;
use crate::shape::Shape;

fn pairs_of(relation: &Relation, shape: &Shape) -> Vec<(Vec<Letter>, Vec<Letter>)> {
    fn walk(
        r: &Relation,
        shape: &Shape,
        state: u32,
        x: &mut Vec<Letter>,
        y: &mut Vec<Letter>,
        out: &mut Vec<(Vec<Letter>, Vec<Letter>)>,
    ) {
        let layer = x.len();
        if state == NOTHING {
            return;
        }
        if layer == shape.num_layers() {
            return out.push((x.clone(), y.clone()));
        }
        for after in 0..shape.num_letters(layer) {
            let group: Vec<(Letter, u32)> = if state == IDENTITY {
                vec![(after as Letter, IDENTITY)]
            } else {
                r.layers[layer].group(state, after).to_vec()
            };
            for (before, target) in group {
                x.push(before);
                y.push(after as Letter);
                walk(r, shape, target, x, y, out);
                x.pop();
                y.pop();
            }
        }
    }
    let mut out = Vec::new();
    walk(relation, shape, relation.root, &mut Vec::new(), &mut Vec::new(), &mut out);
    out.sort();
    out
}

#[test]
fn a_path_of_steps_relates_what_the_steps_in_turn_relate() -> Result<()> {
    let shape = Shape::uniform(3, 3)?;
    let mut graph = MoveGraph::new(shape.clone());
    let a = graph.add(Step::identity().change(0, 1, 0))?;
    let b = graph
        .add(Step::identity().change_any(2, &[(0, 2), (1, 2)]).when(Condition::any().with(1, &[0, 1])))?;
    graph.connect(a, b)?;
    let compiled = compile(&graph, Limits::NONE)?;
    assert_eq!(compiled.len(), 1);
    let mut expected = Vec::new();
    for mid in 0..2 {
        for last in 0..2 {
            expected.push((vec![1, mid, last], vec![0, mid, 2]));
        }
    }
    assert_eq!(pairs_of(&compiled[0].0, &shape), expected);
    let mut swapped: Vec<_> = expected.into_iter().map(|(x, y)| (y, x)).collect();
    swapped.sort();
    assert_eq!(pairs_of(&compiled[0].1, &shape), swapped);
    Ok(())
}

/// A turn that may change every other cell in any way, cell by cell.
#[test]
fn moves_that_take_too_much_memory_are_refused() -> Result<()> {
    let mut graph = MoveGraph::new(Shape::uniform(12, 3)?);
    let mut last = None;
    for layer in (0..12).step_by(2) {
        let step = graph.add(Step::identity().change_any(layer, &[(0, 1), (1, 2), (2, 0), (0, 0)]))?;
        if let Some(last) = last {
            graph.connect(last, step)?;
        }
        last = Some(step);
    }
    let least = 4096;
    let refused = compile(&graph, Limits { memory: least, interrupt: None });
    assert!(
        matches!(refused, Err(Error::OutOfMemory { limit_bytes, .. }) if limit_bytes == least),
        "{refused:?}"
    );
    assert_eq!(compile(&graph, Limits { memory: 1 << 20, interrupt: None })?.len(), 1);
    let stop = AtomicBool::new(true);
    let stopped = compile(&graph, Limits { memory: u64::MAX, interrupt: Some(&stop) });
    assert!(matches!(stopped, Err(Error::Interrupted)), "{stopped:?}");
    Ok(())
}

#[test]
fn a_graph_without_moves_compiles_to_nothing() -> Result<()> {
    let graph = MoveGraph::new(Shape::uniform(2, 2)?);
    assert!(compile(&graph, Limits::NONE)?.is_empty());
    Ok(())
}
