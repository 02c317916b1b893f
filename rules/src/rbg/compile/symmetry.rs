//! Determines which permutations of squares, and of pieces with the players, preserve the rules.
//!
//! A permutation preserves the rules if the renamed graph plays like the original wherever a turn begins. To check this without
//! assumptions about the rules, both graphs are combined into one, and equivalent nodes are computed as in the merging of nodes.

use std::cmp::Ordering;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::super::book::{Register, Value};
use super::explore::Graph;
use super::graph::{Effect, NodeId, Phase, Target, Test};
use super::merge::representatives;

/// The maximum number of edges of an examined graph.
const EDGES: usize = 50_000;

/// The maximum number of edges followed on the paths through a pattern, and on a single path.
const LOOKS: usize = 4096;
const LENGTH: usize = 64;

/// A renaming of squares, pieces, variables and players.
#[derive(Clone, Copy)]
pub(in super::super) struct Names<'a> {
    /// The new name of each square.
    pub(in super::super) squares: &'a [usize],
    /// The new names of pieces and of variables, or empty to keep them.
    pub(in super::super) pieces: &'a [usize],
    pub(in super::super) variables: &'a [usize],
    /// If `true`, the players are exchanged.
    pub(in super::super) exchanges: bool,
}

impl Names<'_> {
    pub(in super::super) fn piece(&self, piece: u32) -> u32 {
        self.pieces.get(piece as usize).map_or(piece, |&piece| piece as u32)
    }

    pub(in super::super) fn variable(&self, variable: usize) -> usize {
        self.variables.get(variable).copied().unwrap_or(variable)
    }

    /// Returns the new name of a cell. Variables come after the squares.
    fn cell(&self, cell: usize) -> usize {
        let squares = self.squares.len();
        self.squares.get(cell).copied().unwrap_or_else(|| squares + self.variable(cell - squares))
    }

    /// Returns the new name of the content of a cell.
    fn content(&self, cell: usize, content: u32) -> u32 {
        if cell < self.squares.len() { self.piece(content) } else { content }
    }

    fn effect(&self, effect: &mut Effect) {
        for (cell, pairs) in &mut effect.cells {
            for (before, after) in pairs {
                (*before, *after) = (self.content(*cell, *before), self.content(*cell, *after));
            }
            *cell = self.cell(*cell);
        }
        if let Some(Test::Compare(comparing)) = &mut effect.test {
            self.value(&mut comparing.left);
            self.value(&mut comparing.right);
        }
    }

    fn value(&self, value: &mut Value) {
        match value {
            Value::Count(piece) => *piece = self.piece(*piece as u32) as usize,
            Value::Register(Register::Variable(variable)) => *variable = self.variable(*variable),
            Value::Joined(_, parts) => parts.iter_mut().for_each(|part| self.value(part)),
            Value::Number(_) | Value::Register(Register::Score(_)) => {}
        }
    }
}

/// The equivalence between the nodes of a graph and of the renamed graph.
pub(super) struct Alike {
    classes: Vec<usize>,
    /// The number of nodes.
    moved: usize,
}

impl Alike {
    /// Compares the graph with its image under a renaming. Returns `None` if the renaming does not preserve the contents of
    /// cells, and for large graphs. `order` compares the scores at a node.
    pub(super) fn new(
        graph: &Graph,
        names: &Names<'_>,
        order: impl Fn(&Graph, NodeId) -> Ordering,
    ) -> Option<Self> {
        let contents = &graph.contents;
        let alike = |cell: usize| {
            let renamed: BTreeSet<u32> = contents.of(cell).map(|held| names.content(cell, held)).collect();
            renamed.into_iter().eq(contents.of(names.cell(cell)))
        };
        let edges: usize = graph.nodes.iter().map(|node| node.edges.len()).sum();
        if edges > EDGES || !(0..contents.num_cells()).all(alike) {
            return None;
        }
        let moved = graph.nodes.len();
        let both = beside_its_image(graph, names);
        let classes = representatives(&both, |node| match names.exchanges && node >= moved {
            true => order(&both, node).reverse(),
            false => order(&both, node),
        });
        Some(Self { classes, moved })
    }

    /// Returns `true` if a node plays like another node after renaming.
    pub(super) fn is(&self, node: NodeId, renamed: NodeId) -> bool {
        self.classes[node] == self.classes[renamed + self.moved]
    }
}

/// Returns the disjoint union of the graph and the renamed graph.
fn beside_its_image(graph: &Graph, names: &Names<'_>) -> Graph {
    let moved = graph.nodes.len();
    let later: Vec<NodeId> = (0..moved).map(|node| node + moved).collect();
    let mut both = graph.clone();
    for node in &graph.nodes {
        let mut copy = node.clone();
        if let (Phase::Turn(player), true) = (&mut copy.phase, names.exchanges) {
            *player = 1 - *player;
        }
        for edge in &mut copy.edges {
            edge.to = match edge.to {
                Target::Accept => Target::Accept,
                other => other.renamed(&later),
            };
            if let Some(Test::Pattern { start, .. }) = &mut edge.effect.test {
                *start = later[*start];
            }
            names.effect(&mut edge.effect);
        }
        both.nodes.push(copy);
    }
    for edge in both.nodes.iter_mut().flat_map(|node| &mut node.edges) {
        edge.effect.cells.sort_by_key(|(cell, _)| *cell);
        edge.effect.cells.iter_mut().for_each(|(_, pairs)| pairs.sort_unstable());
    }
    with_equal_patterns(both)
}

/// Returns the graph with equivalent patterns merged, which test the same cells in a different order.
fn with_equal_patterns(mut graph: Graph) -> Graph {
    let mut first: HashMap<BTreeSet<Look>, NodeId> = HashMap::new();
    let mut stands: HashMap<NodeId, NodeId> = HashMap::new();
    for edge in graph.nodes.iter().flat_map(|node| &node.edges) {
        let Some(Test::Pattern { start, .. }) = edge.effect.test else { continue };
        if let Entry::Vacant(entry) = stands.entry(start) {
            let same = looks(&graph, start).map(|looks| *first.entry(looks).or_insert(start));
            entry.insert(same.unwrap_or(start));
        }
    }
    for edge in graph.nodes.iter_mut().flat_map(|node| &mut node.edges) {
        if let Some(Test::Pattern { start, .. }) = &mut edge.effect.test {
            *start = stands[start];
        }
    }
    graph
}

/// The tests on a path through a pattern: cells with their allowed contents.
type Look = BTreeMap<usize, BTreeSet<u32>>;

/// Returns the tests on every path through a pattern, one of which must hold, or `None` for patterns with many paths and for
/// those that do more than test cells.
fn looks(graph: &Graph, start: NodeId) -> Option<BTreeSet<Look>> {
    let mut found = BTreeSet::new();
    let mut left = vec![(start, Look::new(), 0)];
    let mut steps = 0;
    while let Some((node, look, length)) = left.pop() {
        for edge in &graph.nodes[node].edges {
            steps += 1;
            if steps > LOOKS || length > LENGTH || edge.effect.test.is_some() {
                return None;
            }
            let mut look = look.clone();
            for (cell, pairs) in &edge.effect.cells {
                if pairs.iter().any(|(before, after)| before != after) {
                    return None;
                }
                let held: BTreeSet<u32> = pairs.iter().map(|&(held, _)| held).collect();
                let known = look.entry(*cell).or_insert_with(|| held.clone());
                *known = known.intersection(&held).copied().collect();
            }
            match edge.to {
                Target::Node(next) => left.push((next, look, length + 1)),
                Target::Accept => _ = found.insert(look),
                Target::Keeper(_) | Target::Rest(_) => return None,
            }
        }
    }
    Some(found)
}
