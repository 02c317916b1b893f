//! Compiles the moves of a side from its part of the graph.

use std::collections::{BTreeSet, HashMap};

use nerode_dfa::{Letter, MoveGraph, Result, Set, Store};

use super::action::Action;
use super::explore::Graph;
use super::graph::{Edge, NodeId, Phase, Target};
use super::keeper::{Keeper, backwards};
use super::network::{Network, SINK, SOURCE};
use super::plan::{Plan, digit};
use super::sets::{Rewriting, Sets};
use super::status::Standing;
use super::unroll::{most_taken, unrolled};

/// The layers of a plan's cells in the current letter order.
#[derive(Clone, Debug)]
pub(in super::super) struct Layers {
    /// The layer of each cell of the graph.
    pub(in super::super) cells: Vec<Option<usize>>,
    /// The layers of the digits of the status, the lowest first.
    pub(in super::super) status: Vec<usize>,
}

impl Layers {
    /// Returns the words with a letter of the status.
    ///
    /// # Errors
    /// Returns an error if `store` runs out of memory.
    pub(in super::super) fn with_status(&self, store: &mut Store, letter: usize) -> Result<Set> {
        let mut layers: Vec<(usize, Vec<Letter>)> = self
            .status
            .iter()
            .enumerate()
            .map(|(place, &layer)| (layer, vec![digit(letter, place)]))
            .collect();
        layers.sort_unstable();
        store.cube(&layers)
    }
}

/// Returns the moves of `side` (0 or 1).
///
/// # Errors
/// Returns an error if `store` runs out of memory.
pub(in super::super) fn moves(
    plan: &Plan,
    layers: &Layers,
    store: &mut Store,
    side: usize,
) -> Result<MoveGraph> {
    let (written_out, patterns) = without_chains(plan, layers, store)?;
    let graph = written_out.as_ref().unwrap_or(&plan.graph);
    let mut sets = Sets::new(store, graph, &layers.cells);
    sets.patterns = patterns;
    let nodes = backwards(&sets, &plan.status.turns[side]);
    let keeper = Keeper::new(&mut sets, &nodes)?;
    let places: HashMap<NodeId, usize> =
        nodes.iter().enumerate().map(|(at, &node)| (node, at + SINK + 1)).collect();
    let mut builder = Builder {
        plan,
        graph,
        status: &layers.status,
        side,
        places,
        network: Network::new(nodes.len() + SINK + 1),
    };
    builder.begins(&mut sets)?;
    for &node in &nodes {
        builder.leave(&mut sets, &keeper, node)?;
    }
    builder.network.shrink(&mut sets)?;
    let order: Vec<usize> = (SINK + 1..nodes.len() + SINK + 1).rev().collect();
    builder.network.moves(&sets, &order)
}

/// Returns the graph with loops unrolled, if there are any, and the patterns computed in the process.
fn without_chains(
    plan: &Plan,
    layers: &Layers,
    store: &mut Store,
) -> Result<(Option<Graph>, HashMap<NodeId, Set>)> {
    let (mut graph, mut patterns) = (None, HashMap::new());
    for chain in &plan.chains {
        let known = graph.as_ref().unwrap_or(&plan.graph);
        let mut sets = Sets::new(store, known, &layers.cells);
        sets.patterns = patterns;
        let most = most_taken(&mut sets, chain, &plan.possible)?;
        patterns = sets.patterns;
        graph = Some(unrolled(graph.unwrap_or_else(|| plan.graph.clone()), chain, most));
    }
    Ok((graph, patterns))
}

/// Returns a superset of the words of play with `side` to move. If `all` is set, it uses all known limits, and otherwise only the
/// limits in use.
///
/// # Errors
/// Returns an error if `store` runs out of memory.
pub(in super::super) fn possible(
    plan: &Plan,
    layers: &Layers,
    store: &mut Store,
    side: usize,
    all: bool,
) -> Result<Set> {
    let mut sets = Sets::new(store, &plan.graph, &layers.cells);
    let mut parts = Vec::new();
    for letter in 0..plan.status.len() {
        let with_letter = layers.with_status(sets.store, letter)?;
        match plan.standing(side, letter) {
            Standing::Turn(node) | Standing::Wait(node) => {
                let words = plan.possible.set(&mut sets, node, all)?;
                parts.push(sets.store.intersection(&with_letter, &words)?);
            }
            Standing::Over(_) => parts.push(with_letter),
            Standing::Nothing => {}
        }
    }
    sets.store.union_all(&parts)
}

struct Builder<'a> {
    plan: &'a Plan,
    graph: &'a Graph,
    /// The layers of the digits of the status, the lowest first.
    status: &'a [usize],
    side: usize,
    places: HashMap<NodeId, usize>,
    network: Network,
}

impl Builder<'_> {
    /// Returns the pairs of digits of the given pairs of letters, for each layer of the status. Of several pairs, any digits may
    /// be combined, which allows no more moves, because every path begins with one letter.
    fn status(&self, pairs: impl Iterator<Item = (usize, usize)>) -> Rewriting {
        let pairs: Vec<(usize, usize)> = pairs.collect();
        let of_layer = |(place, &layer): (usize, &usize)| {
            let digits = pairs.iter().map(|&(before, after)| (digit(before, place), digit(after, place)));
            (layer, digits.collect::<BTreeSet<(Letter, Letter)>>().into_iter().collect())
        };
        self.status.iter().enumerate().map(of_layer).collect()
    }

    /// Returns the change of the status from any running letter to the given one.
    fn stands(&self, letter: usize) -> Rewriting {
        self.status((0..self.plan.status.running()).map(|running| (running, letter)))
    }

    /// Adds ways from the source to the beginnings of turns, and ways that pass the turns of the other side. With chain captures,
    /// the ways are restricted to possible words.
    fn begins(&mut self, sets: &mut Sets<'_>) -> Result<()> {
        let status = &self.plan.status;
        for (letter, node) in status.turns[self.side].iter().enumerate() {
            let possible = match self.plan.chains.is_empty() {
                true => None,
                false => Some(self.plan.possible.set(sets, *node, false)?).filter(|set| !set.is_full()),
            };
            if possible.as_ref().is_some_and(Set::is_empty) {
                continue;
            }
            let entered = Action::new(possible, self.status(std::iter::once((letter, letter))));
            if let (Some(action), Some(&place)) = (entered, self.places.get(node)) {
                self.network.add(SOURCE, place, action);
            }
        }
        for &node in &status.waits[self.side] {
            let (from, to) =
                (status.letter(self.side, 1 - self.side, node), self.plan.letter_after_wait(self.side, node));
            let waited = from.zip(to).and_then(|pair| Action::new(None, self.status(std::iter::once(pair))));
            if let Some(action) = waited {
                self.network.add(SOURCE, SINK, action);
            }
        }
        Ok(())
    }

    /// Adds the ways that leave a node.
    fn leave(&mut self, sets: &mut Sets<'_>, keeper: &Keeper, node: NodeId) -> Result<()> {
        let graph = self.graph;
        let Some(&place) = self.places.get(&node) else { return Ok(()) };
        for (number, edge) in graph.nodes[node].edges.iter().enumerate() {
            let Some((to, stands)) = self.target(edge) else { continue };
            sets.find_patterns(&edge.effect)?;
            let mut pre = match &edge.effect.test {
                Some(test) => Some(sets.test(test)?),
                None => None,
            };
            if let Some(guard) = keeper.guard(node, number) {
                pre = Some(match pre {
                    Some(set) => sets.store.intersection(&set, guard)?,
                    None => guard.clone(),
                });
            }
            let mut letters = sets.letters(&edge.effect);
            letters.extend(stands);
            let possible = !pre.as_ref().is_some_and(Set::is_empty);
            if let Some(action) = Action::new(pre, letters).filter(|_| possible) {
                self.network.add(place, to, action);
            }
        }
        if graph.nodes[node].phase == Phase::KeeperBegins {
            let stuck = keeper.stuck(sets, node)?;
            let ended = self.plan.letter_of_end(graph.scores_at(node));
            if let Some(letter) = ended.filter(|_| !stuck.is_empty()) {
                let pre = (!stuck.is_full()).then_some(stuck);
                if let Some(action) = Action::new(pre, self.stands(letter)) {
                    self.network.add(place, SINK, action);
                }
            }
        }
        Ok(())
    }

    /// Returns the place to which an edge leads, and the change of the status on the way.
    fn target(&self, edge: &Edge) -> Option<(usize, Rewriting)> {
        match edge.to {
            Target::Node(node) | Target::Keeper(node) => {
                self.places.get(&node).map(|&place| (place, Vec::new()))
            }
            Target::Rest(node) => {
                let player = self.graph.player_at(node)?;
                let next = 1 - self.side;
                let letter = self.plan.status.letter(next, self.plan.side_of(player), node)?;
                Some((SINK, self.stands(letter)))
            }
            Target::Accept => None,
        }
    }
}
