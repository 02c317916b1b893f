//! The cycles of a graph: its strongly connected components.

use super::explore::Graph;
use super::graph::{NodeId, Target};

/// Returns the node within the same turn to which an edge leads.
pub(super) fn onward(target: Target) -> Option<NodeId> {
    match target {
        Target::Node(node) | Target::Keeper(node) => Some(node),
        Target::Rest(_) | Target::Accept => None,
    }
}

/// Returns the nodes of each cycle of the edges that `counts` accepts, given by node and number.
pub(super) fn circles(graph: &Graph, counts: &dyn Fn(NodeId, usize) -> bool) -> Vec<Vec<NodeId>> {
    let mut search = Search::new(graph, counts);
    for node in 0..graph.nodes.len() {
        if search.numbers[node].is_none() {
            search.from(node);
        }
    }
    search.found
}

/// Tarjan's algorithm for strongly connected components, without recursion.
struct Search<'a> {
    graph: &'a Graph,
    counts: &'a dyn Fn(NodeId, usize) -> bool,
    numbers: Vec<Option<usize>>,
    low: Vec<usize>,
    open: Vec<bool>,
    stack: Vec<NodeId>,
    count: usize,
    found: Vec<Vec<NodeId>>,
}

impl<'a> Search<'a> {
    fn new(graph: &'a Graph, counts: &'a dyn Fn(NodeId, usize) -> bool) -> Self {
        let nodes = graph.nodes.len();
        Self {
            graph,
            counts,
            numbers: vec![None; nodes],
            low: vec![0; nodes],
            open: vec![false; nodes],
            stack: Vec::new(),
            count: 0,
            found: Vec::new(),
        }
    }

    fn enter(&mut self, node: NodeId) {
        self.numbers[node] = Some(self.count);
        self.low[node] = self.count;
        self.count += 1;
        self.stack.push(node);
        self.open[node] = true;
    }

    fn from(&mut self, start: NodeId) {
        let graph = self.graph;
        self.enter(start);
        let mut path = vec![(start, 0)];
        while let Some((node, at)) = path.last_mut() {
            let (node, number) = (*node, *at);
            let Some(edge) = graph.nodes[node].edges.get(number) else {
                path.pop();
                if let Some(&(before, _)) = path.last() {
                    self.low[before] = self.low[before].min(self.low[node]);
                }
                self.close(node);
                continue;
            };
            *at += 1;
            match onward(edge.to).filter(|_| (self.counts)(node, number)) {
                Some(next) if self.numbers[next].is_none() => {
                    self.enter(next);
                    path.push((next, 0));
                }
                Some(next) if self.open[next] => {
                    self.low[node] = self.low[node].min(self.numbers[next].unwrap_or_default());
                }
                _ => {}
            }
        }
    }

    /// Finishes a node. If it reaches no earlier node, it forms a component with the nodes that were entered after it.
    fn close(&mut self, node: NodeId) {
        if self.numbers[node] != Some(self.low[node]) {
            return;
        }
        let mut component = Vec::new();
        while let Some(last) = self.stack.pop() {
            self.open[last] = false;
            component.push(last);
            if last == node {
                break;
            }
        }
        let edges = self.graph.nodes[node].edges.iter().enumerate();
        let mut own =
            edges.filter(|(number, edge)| onward(edge.to) == Some(node) && (self.counts)(node, *number));
        if component.len() > 1 || own.next().is_some() {
            component.sort_unstable();
            self.found.push(component);
        }
    }
}
