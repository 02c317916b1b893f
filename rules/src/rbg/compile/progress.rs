//! Termination proofs for play: measures that decrease whenever play goes through a cycle, regardless of the players' choices.
//!
//! A measure assigns a number to every content of every cell, and the measure of a position is the sum. Play cannot return to a
//! position if some measure never increases and sometimes decreases, and if another measure does the same for the remaining play
//! in between.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::super::board::Shape;
use super::super::book::Rulebook;
use super::explore::Graph;
use super::ways::{Play, Way};

/// The maximum number of passes over the edges for one measure.
const PASSES: usize = 60;

/// A measure: its description in words, and its value for each content of a cell.
struct Measure<'a> {
    name: String,
    value: Box<dyn Fn(usize, u32) -> i64 + 'a>,
}

/// Returns the reasons why play ends, in words, or `None` if no proof was found, so that play may cycle.
pub(super) fn progress(book: &Rulebook, graph: &Graph, play: &Play) -> Option<Vec<String>> {
    let ways = &play.ways;
    let measures = measures(book, graph);
    let mut used = vec![false; measures.len()];
    let mut left: Vec<Vec<usize>> = circles(ways, &(0..ways.len()).collect::<Vec<_>>());
    while let Some(circle) = left.pop() {
        let found = measures.iter().enumerate().find_map(|(number, measure)| {
            let rest = those_that_keep(play, &circle, measure)?;
            (rest.len() < circle.len()).then_some((number, rest))
        });
        let (number, rest) = found?;
        used[number] = true;
        left.extend(circles(ways, &rest));
    }
    let names = measures.into_iter().zip(used).filter(|(_, used)| *used);
    Some(names.map(|(measure, _)| measure.name).collect())
}

/// Returns the candidate measures: amounts of pieces, the advance of pieces on a rectangle, and variables.
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
                add(format!("'{name}' moves {direction}"), Box::new(far));
            }
        }
    }
    found
}

/// Returns the ways of a cycle on which the measure stays equal, or `None` if it may increase.
///
/// Within a turn, the measure may increase and decrease. Every node gets an offset that compensates for this.
fn those_that_keep(play: &Play, circle: &[usize], measure: &Measure<'_>) -> Option<Vec<usize>> {
    let ways = &play.ways;
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
    let mut high = vec![0_i64; play.nodes.len()];
    // The predecessor of each node on the path that determines its offset.
    let mut before = vec![None; play.nodes.len()];
    for _ in 0..PASSES {
        let mut changed = false;
        for (&way, grown) in circle.iter().zip(&grown) {
            let Way { from, to, .. } = ways[way];
            let reached = high[from] + grown;
            if high[to] < reached {
                (high[to], before[to]) = (reached, Some(from));
                changed = true;
            }
        }
        if !changed {
            let keeps = |(&way, grown): (&usize, &i64)| high[ways[way].from] + grown == high[ways[way].to];
            return Some(
                circle.iter().zip(&grown).filter(|pair| keeps(*pair)).map(|(&way, _)| way).collect(),
            );
        }
        // A path that increases the measure and returns to its beginning can do so again.
        if goes_round(&before) {
            return None;
        }
    }
    None
}

/// Returns `true` if following the predecessors from some node leads to a cycle.
fn goes_round(before: &[Option<usize>]) -> bool {
    // For each node, 0 or the number of the walk that visited it.
    let mut seen = vec![0; before.len()];
    for start in 0..before.len() {
        let mut at = start;
        while seen[at] == 0 {
            seen[at] = start + 1;
            match before[at] {
                Some(earlier) if seen[earlier] == start + 1 => return true,
                Some(earlier) => at = earlier,
                None => break,
            }
        }
    }
    false
}

/// Returns the ways of each strongly connected component of the given ways.
fn circles(ways: &[Way], given: &[usize]) -> Vec<Vec<usize>> {
    let mut forward: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut back: HashMap<usize, Vec<usize>> = HashMap::new();
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

/// Adds the reachable nodes that have not been seen, each after its successors.
fn walk(next: &HashMap<usize, Vec<usize>>, start: usize, seen: &mut HashSet<usize>, order: &mut Vec<usize>) {
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
