//! Whether play ends: what becomes less with every round of play, whatever the players do.
//!
//! A measure gives every content of every cell a number; that of a position is the sum. Play cannot come back to a position if some
//! measure never grows and becomes less now and then, and another one does the same for what play is left between those times.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::super::board::Shape;
use super::super::book::Rulebook;
use super::chains::{Known, after, joined};
use super::explore::Graph;
use super::graph::{NodeId, Target};

/// Most nodes that are looked at, and most passes over edges for a measure.
const NODES: usize = 20_000;
const PASSES: usize = 60;

/// What is counted, in words, and what a content of a cell counts.
struct Measure<'a> {
    name: String,
    value: Box<dyn Fn(usize, u32) -> i64 + 'a>,
}

/// An edge of play with the pairs of contents that it can change, by cell.
struct Way {
    from: NodeId,
    to: NodeId,
    changes: Vec<(usize, Vec<(u32, u32)>)>,
}

/// What makes play end, in words; `None` where nothing is found, and play may go in circles.
pub(super) fn progress(book: &Rulebook, graph: &Graph, start: NodeId) -> Option<Vec<String>> {
    let ways = ways(graph, start)?;
    let measures = measures(book, graph);
    let mut used = vec![false; measures.len()];
    let mut left: Vec<Vec<usize>> = circles(&ways, &(0..ways.len()).collect::<Vec<_>>());
    while let Some(circle) = left.pop() {
        let found = measures.iter().enumerate().find_map(|(number, measure)| {
            let rest = those_that_keep(&ways, &circle, measure)?;
            (rest.len() < circle.len()).then_some((number, rest))
        });
        let (number, rest) = found?;
        used[number] = true;
        left.extend(circles(&ways, &rest));
    }
    let names = measures.into_iter().zip(used).filter(|(_, used)| *used);
    Some(names.map(|(measure, _)| measure.name).collect())
}

/// Everything that can be done in play from a node on; `None` where that is too much to look at.
fn ways(graph: &Graph, start: NodeId) -> Option<Vec<Way>> {
    let mut known: HashMap<NodeId, Known> = HashMap::from([(start, Known::new())]);
    let mut left = vec![start];
    while let Some(node) = left.pop() {
        if known.len() > NODES {
            return None;
        }
        for edge in &graph.nodes[node].edges {
            let Some(next) = edge.to.node() else { continue };
            let Some(mut found) = after(graph, &known[&node], edge) else { continue };
            if matches!(edge.to, Target::Rest(_)) {
                found.clear();
            }
            let both = match known.get(&next) {
                None => found,
                Some(before) => joined(before, &found),
            };
            if known.get(&next) != Some(&both) {
                known.insert(next, both);
                left.push(next);
            }
        }
    }
    let mut ways = Vec::new();
    let nodes: BTreeMap<NodeId, Known> = known.into_iter().collect();
    for (&node, known) in &nodes {
        for edge in &graph.nodes[node].edges {
            let Some(to) = edge.to.node().filter(|_| after(graph, known, edge).is_some()) else { continue };
            let possible =
                |cell: usize, before: u32| known.get(&cell).is_none_or(|held| held.contains(&before));
            let change = |(cell, pairs): &(usize, Vec<(u32, u32)>)| {
                let pairs = pairs.iter().copied().filter(|&(before, _)| possible(*cell, before)).collect();
                (*cell, pairs)
            };
            ways.push(Way { from: node, to, changes: edge.effect.cells.iter().map(change).collect() });
        }
    }
    Some(ways)
}

/// What is tried: numbers of pieces, how far they have gone on a rectangle, and variables.
fn measures<'a>(book: &'a Rulebook, graph: &Graph) -> Vec<Measure<'a>> {
    let squares = graph.contents.num_squares();
    let mut found: Vec<Measure<'a>> = Vec::new();
    let mut add =
        |name: String, value: Box<dyn Fn(usize, u32) -> i64 + 'a>| found.push(Measure { name, value });
    for (piece, name) in book.pieces().iter().enumerate() {
        let one = move |cell: usize, content: u32| i64::from(cell < squares && content as usize == piece);
        add(format!("there are fewer '{name}'"), Box::new(one));
        add(format!("there are more '{name}'"), Box::new(move |cell, content| -one(cell, content)));
    }
    for (variable, bounded) in book.variables().iter().enumerate() {
        let cell_of = graph.contents.variable(variable);
        let number = move |cell: usize, content: u32| if cell == cell_of { i64::from(content) } else { 0 };
        add(format!("'{}' grows", bounded.name), Box::new(move |cell, content| -number(cell, content)));
        add(format!("'{}' shrinks", bounded.name), Box::new(number));
    }
    if let Shape::Rectangle(rows) = &book.board().shape {
        let mut places = vec![(0_i64, 0_i64); squares];
        for (row, squares) in rows.iter().enumerate() {
            for (column, square) in squares.iter().enumerate() {
                if let Some(square) = square {
                    places[*square] = (row as i64, column as i64);
                }
            }
        }
        let most = (rows.len() + rows.first().map_or(0, Vec::len)) as i64;
        for (piece, name) in book.pieces().iter().enumerate() {
            for (to, direction) in book.board().directions.iter().enumerate().take(4) {
                let places = places.clone();
                let far = move |cell: usize, content: u32| {
                    let Some(&(row, column)) = places.get(cell).filter(|_| content as usize == piece) else {
                        return 0;
                    };
                    [row, most - row, column, most - column][to]
                };
                add(format!("'{name}' goes {direction}"), Box::new(far));
            }
        }
    }
    found
}

/// Those of the ways of a circle on which the measure stays as it is; `None` where it may grow.
///
/// Within a turn it may grow and shrink: every node gets a number that makes up for that.
fn those_that_keep(ways: &[Way], circle: &[usize], measure: &Measure<'_>) -> Option<Vec<usize>> {
    let most = |pairs: &[(u32, u32)], cell: usize| {
        let change =
            |&(before, after): &(u32, u32)| (measure.value)(cell, after) - (measure.value)(cell, before);
        pairs.iter().map(change).max().unwrap_or_default()
    };
    let grown = |way: &Way| way.changes.iter().map(|(cell, pairs)| most(pairs, *cell)).sum::<i64>();
    let grown: Vec<i64> = circle.iter().map(|&way| grown(&ways[way])).collect();
    if grown.iter().all(|&grown| grown == 0) {
        return None;
    }
    let mut high: HashMap<NodeId, i64> = circle.iter().map(|&way| (ways[way].from, 0)).collect();
    for _ in 0..PASSES {
        let mut changed = false;
        for (&way, grown) in circle.iter().zip(&grown) {
            let reached = high[&ways[way].from] + grown;
            if let Some(known) = high.get_mut(&ways[way].to).filter(|known| **known < reached) {
                *known = reached;
                changed = true;
            }
        }
        if !changed {
            let keeps = |(&way, grown): (&usize, &i64)| high[&ways[way].from] + grown == high[&ways[way].to];
            return Some(
                circle.iter().zip(&grown).filter(|pair| keeps(*pair)).map(|(&way, _)| way).collect(),
            );
        }
    }
    None
}

/// The ways of each strong component, of those that are given.
fn circles(ways: &[Way], given: &[usize]) -> Vec<Vec<usize>> {
    let mut forward: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
    let mut back: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
    for &way in given {
        forward.entry(ways[way].from).or_default().push(ways[way].to);
        back.entry(ways[way].to).or_default().push(ways[way].from);
    }
    let mut seen = HashSet::new();
    let mut order = Vec::new();
    for &way in given {
        walk(&forward, ways[way].from, &mut seen, &mut order);
    }
    let (mut seen, mut component) = (HashSet::new(), HashMap::new());
    for (number, &node) in order.iter().rev().enumerate() {
        let mut found = Vec::new();
        walk(&back, node, &mut seen, &mut found);
        component.extend(found.into_iter().map(|node| (node, number)));
    }
    let mut inner: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for &way in given {
        let (from, to) = (component[&ways[way].from], component[&ways[way].to]);
        if from == to {
            inner.entry(from).or_default().push(way);
        }
    }
    inner.into_values().collect()
}

/// Adds the nodes that are reached and not seen yet, each after those that it leads to.
fn walk(
    next: &HashMap<NodeId, Vec<NodeId>>,
    start: NodeId,
    seen: &mut HashSet<NodeId>,
    order: &mut Vec<NodeId>,
) {
    if !seen.insert(start) {
        return;
    }
    let mut path = vec![(start, 0)];
    while let Some((node, at)) = path.last_mut() {
        let Some(&to) = next.get(node).and_then(|next| next.get(*at)) else {
            order.push(*node);
            path.pop();
            continue;
        };
        *at += 1;
        if seen.insert(to) {
            path.push((to, 0));
        }
    }
}
