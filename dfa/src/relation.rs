//! Relations between words: layered minimal automata over letter pairs (before, after).
//!
//! A side's moves are one relation; its inverse swaps the letters of every pair, so nothing is written twice; relations
//! compose. States: 0 relates nothing, 1 is the identity on the remaining layers, others are rows of
//! (before, after, target) in ascending order, hash-consed per layer. Relations have thousands of states where sets have
//! millions, so plain maps serve here.

use hashbrown::HashMap;

use crate::automaton::Dfa;
use crate::condition::Product;
use crate::error::Result;
use crate::moves::{Change, MoveGraph, Step};
use crate::shape::{Letter, Shape};
use crate::unique::{ACCEPT, FIRST, REJECT};

/// Relates nothing.
pub(crate) const NOTHING: u32 = 0;
/// The identity on the layers that remain.
pub(crate) const IDENTITY: u32 = 1;

type Row = Vec<(Letter, Letter, u32)>;

/// States of a union at which a new cluster is begun.
const MAX_CLUSTER_STATES: usize = 1 << 14;

/// A relation `{ (before, after) }` between words of one shape, ready for image computation.
#[derive(Clone, Debug)]
pub struct Relation {
    pub(crate) root: u32,
    pub(crate) layers: Vec<Layer>,
}

/// Rows of one layer, grouped by the letter that an image gets.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layer {
    letters: usize,
    /// Start of the group of (state, after) at `(state - 2) * letters + after`; one more entry closes the last group.
    starts: Vec<u32>,
    /// (before, target) of every pair.
    pairs: Vec<(Letter, u32)>,
}

impl Layer {
    /// Number of states of the layer, the constants not counted.
    pub(crate) fn num_states(&self) -> u32 {
        ((self.starts.len() - 1) / self.letters) as u32
    }

    /// (before, target) of every pair of `state` whose second letter is `after`.
    #[inline]
    pub(crate) fn group(&self, state: u32, after: usize) -> &[(Letter, u32)] {
        let at = (state as usize - 2) * self.letters + after;
        &self.pairs[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

impl Relation {
    /// Number of states, the constants not counted.
    pub fn num_states(&self) -> usize {
        self.layers.iter().map(|l| l.num_states() as usize).sum()
    }
}

/// Compiles a move graph: the union over its paths of the composition of their steps, as one relation, or as several
/// clusters where the union would exceed [`MAX_CLUSTER_STATES`]; each as (forward, inverse).
pub(crate) fn compile(graph: &MoveGraph) -> Result<Vec<(Relation, Relation)>> {
    let mut arena = Arena::new(graph.shape());
    let mut after_node: Vec<Vec<u32>> = Vec::with_capacity(graph.num_nodes());
    let mut finished = Vec::new();
    for node in 0..graph.num_nodes() {
        let step = arena.step(graph.step(node))?;
        let mut before: Vec<u32> = Vec::new();
        let mut is_source = true;
        for p in graph.predecessors(node) {
            is_source = false;
            before.extend(&after_node[p]);
        }
        let here = if is_source {
            vec![step]
        } else {
            let clusters = arena.cluster(&before);
            clusters.into_iter().map(|r| arena.compose(0, r, step)).collect()
        };
        if graph.is_sink(node) {
            finished.extend(&here);
        }
        after_node.push(here);
    }
    finished.retain(|&r| r != NOTHING);
    let clusters = arena.cluster(&finished);
    Ok(clusters
        .into_iter()
        .map(|r| {
            let inverse = arena.inverse(0, r);
            (arena.extract(r), arena.extract(inverse))
        })
        .collect())
}

/// A step whose conditions are compiled.
struct Compiled<'a> {
    pre: Product,
    post: Product,
    changes: &'a [Change],
}

/// Hash-consed rows of relations under construction, with the memo tables of the operations on them.
struct Arena<'a> {
    shape: &'a Shape,
    rows: Vec<Vec<Row>>,
    numbers: Vec<HashMap<Row, u32>>,
    unions: HashMap<(usize, u32, u32), u32>,
    compositions: HashMap<(usize, u32, u32), u32>,
    inverses: HashMap<(usize, u32), u32>,
}

impl<'a> Arena<'a> {
    fn new(shape: &'a Shape) -> Self {
        let n = shape.num_layers();
        Self {
            shape,
            rows: vec![Vec::new(); n],
            numbers: vec![HashMap::new(); n],
            unions: HashMap::new(),
            compositions: HashMap::new(),
            inverses: HashMap::new(),
        }
    }

    fn state(&mut self, layer: usize, row: Row) -> u32 {
        let is_identity = row.len() == self.shape.num_letters(layer)
            && row.iter().all(|&(before, after, target)| before == after && target == IDENTITY);
        if row.is_empty() {
            return NOTHING;
        }
        if is_identity {
            return IDENTITY;
        }
        let rows = &mut self.rows[layer];
        *self.numbers[layer].entry(row).or_insert_with_key(|row| {
            rows.push(row.clone());
            rows.len() as u32 + 1
        })
    }

    fn row(&self, layer: usize, state: u32) -> Row {
        match state {
            NOTHING => Row::new(),
            IDENTITY => {
                (0..self.shape.num_letters(layer)).map(|a| (a as Letter, a as Letter, IDENTITY)).collect()
            }
            s => self.rows[layer][s as usize - 2].clone(),
        }
    }

    /// `{ (x, y) : x ∈ pre, y ∈ post, y is x changed }`.
    fn step(&mut self, step: &Step) -> Result<u32> {
        let (pre, post) = (step.pre.product(self.shape)?, step.post.product(self.shape)?);
        let start = |set: Option<&Dfa>| set.map_or(ACCEPT, Dfa::raw_root);
        let roots = (start(pre.automaton()), start(post.automaton()));
        let step = Compiled { pre, post, changes: &step.changes };
        Ok(self.step_at(&step, 0, roots, &mut HashMap::new()))
    }

    fn step_at(
        &mut self,
        step: &Compiled<'_>,
        layer: usize,
        (pre, post): (u32, u32),
        memo: &mut HashMap<(usize, u32, u32), u32>,
    ) -> u32 {
        if pre == REJECT || post == REJECT {
            return NOTHING;
        }
        if layer == self.shape.num_layers() {
            return IDENTITY;
        }
        if let Some(&known) = memo.get(&(layer, pre, post)) {
            return known;
        }
        let follow = |set: Option<&Dfa>, state: u32, letter: Letter| match set {
            Some(dfa) if state >= FIRST => dfa.raw_target(layer, state, letter),
            _ => state,
        };
        let pairs: Vec<(Letter, Letter)> = match step.changes.iter().find(|c| c.layer == layer) {
            Some(change) => change.pairs.clone(),
            None => (0..self.shape.num_letters(layer)).map(|a| (a as Letter, a as Letter)).collect(),
        };
        let mut row = Row::new();
        for (before, after) in pairs {
            if !step.pre.allows(layer, before) || !step.post.allows(layer, after) {
                continue;
            }
            let (p, q) =
                (follow(step.pre.automaton(), pre, before), follow(step.post.automaton(), post, after));
            let target = self.step_at(step, layer + 1, (p, q), memo);
            if target != NOTHING {
                row.push((before, after, target));
            }
        }
        row.sort_unstable();
        row.dedup();
        let state = self.state(layer, row);
        memo.insert((layer, pre, post), state);
        state
    }

    fn union(&mut self, layer: usize, r: u32, s: u32) -> u32 {
        if r == s || s == NOTHING {
            return r;
        }
        if r == NOTHING {
            return s;
        }
        let key = (layer, r.min(s), r.max(s));
        if let Some(&known) = self.unions.get(&key) {
            return known;
        }
        let mut all: Row = self.row(layer, r);
        all.extend(self.row(layer, s));
        let merged = self.merge(layer, all);
        self.unions.insert(key, merged);
        merged
    }

    /// The state whose row has these pairs, targets of equal pairs united.
    fn merge(&mut self, layer: usize, mut pairs: Row) -> u32 {
        pairs.sort_unstable();
        let mut row = Row::with_capacity(pairs.len());
        for (before, after, target) in pairs {
            match row.last().copied() {
                Some((b, a, t)) if (b, a) == (before, after) => {
                    let joined = self.union(layer + 1, t, target);
                    row.pop();
                    row.push((b, a, joined));
                }
                _ => row.push((before, after, target)),
            }
        }
        self.state(layer, row)
    }

    /// `{ (x, z) : (x, y) ∈ r and (y, z) ∈ s for some y }`.
    fn compose(&mut self, layer: usize, r: u32, s: u32) -> u32 {
        if r == NOTHING || s == NOTHING {
            return NOTHING;
        }
        if r == IDENTITY {
            return s;
        }
        if s == IDENTITY {
            return r;
        }
        if let Some(&known) = self.compositions.get(&(layer, r, s)) {
            return known;
        }
        let (first, second) = (self.row(layer, r), self.row(layer, s));
        let mut pairs = Row::new();
        for &(x, y, t) in &first {
            for &(_, z, u) in second.iter().filter(|p| p.0 == y) {
                let target = self.compose(layer + 1, t, u);
                if target != NOTHING {
                    pairs.push((x, z, target));
                }
            }
        }
        let state = self.merge(layer, pairs);
        self.compositions.insert((layer, r, s), state);
        state
    }

    /// `{ (y, x) : (x, y) ∈ r }`.
    fn inverse(&mut self, layer: usize, r: u32) -> u32 {
        if r == NOTHING || r == IDENTITY {
            return r;
        }
        if let Some(&known) = self.inverses.get(&(layer, r)) {
            return known;
        }
        let mut row = self.row(layer, r);
        for entry in &mut row {
            *entry = (entry.1, entry.0, self.inverse(layer + 1, entry.2));
        }
        row.sort_unstable();
        let state = self.state(layer, row);
        self.inverses.insert((layer, r), state);
        state
    }

    /// Unites neighbours of the list while the union stays under [`MAX_CLUSTER_STATES`].
    fn cluster(&mut self, relations: &[u32]) -> Vec<u32> {
        // Each with a number that its states do not exceed: a union has states of its operands and new ones. They are counted
        // only where that does not settle it.
        let mut clusters: Vec<(u32, usize)> = Vec::new();
        for &relation in relations {
            let states = self.num_states(relation);
            if let Some(&(last, most)) = clusters.last() {
                let rows = self.num_rows();
                let joined = self.union(0, last, relation);
                let mut most = most + states + self.num_rows() - rows;
                if most > MAX_CLUSTER_STATES {
                    most = self.num_states(joined);
                }
                if most <= MAX_CLUSTER_STATES {
                    clusters.pop();
                    clusters.push((joined, most));
                    continue;
                }
            }
            clusters.push((relation, states));
        }
        clusters.into_iter().map(|(relation, _)| relation).collect()
    }

    fn num_rows(&self) -> usize {
        self.rows.iter().map(Vec::len).sum()
    }

    /// States of each layer that `root` reaches, ascending.
    fn reachable(&self, root: u32) -> Vec<Vec<u32>> {
        let mut layers = vec![if root > IDENTITY { vec![root] } else { Vec::new() }];
        for layer in 0..self.shape.num_layers() - 1 {
            let mut next: Vec<u32> = layers[layer]
                .iter()
                .flat_map(|&s| self.rows[layer][s as usize - 2].iter().map(|e| e.2))
                .filter(|&t| t > IDENTITY)
                .collect();
            next.sort_unstable();
            next.dedup();
            layers.push(next);
        }
        layers
    }

    fn num_states(&self, root: u32) -> usize {
        self.reachable(root).iter().map(Vec::len).sum()
    }

    fn extract(&self, root: u32) -> Relation {
        let reachable = self.reachable(root);
        let number = |layer: usize, state: u32| -> u32 {
            match reachable.get(layer) {
                Some(states) if state > IDENTITY => states.binary_search(&state).map_or(0, |i| i as u32 + 2),
                _ => state,
            }
        };
        let layers = reachable
            .iter()
            .enumerate()
            .map(|(l, states)| {
                let letters = self.shape.num_letters(l);
                let mut layer = Layer { letters, starts: vec![0], pairs: Vec::new() };
                for &state in states {
                    let row = &self.rows[l][state as usize - 2];
                    for after in 0..letters {
                        let group = row.iter().filter(|e| usize::from(e.1) == after);
                        layer.pairs.extend(group.map(|&(before, _, t)| (before, number(l + 1, t))));
                        layer.starts.push(layer.pairs.len() as u32);
                    }
                }
                layer
            })
            .collect();
        Relation { root: number(0, root), layers }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::condition::Condition;

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
}
