//! Tests of relations, expanded to pairs of words.

use super::*;
use crate::condition::Condition;
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
    let compiled = compile(&graph)?;
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

#[test]
fn a_graph_without_moves_compiles_to_nothing() -> Result<()> {
    let graph = MoveGraph::new(Shape::uniform(2, 2)?);
    assert!(compile(&graph)?.is_empty());
    Ok(())
}
