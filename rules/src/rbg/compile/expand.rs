//! Expands nodes to their edges, following the rules.

use std::collections::{BTreeSet, HashMap};

use super::super::book::{First, Mover, Rulebook};
use super::super::fault::{At, Error, Fault, Result};
use super::closures::{ClosureId, Closures};
use super::contents::Contents;
use super::graph::{Edge, Effect, Node, NodeId, Phase, ScoresId, Target, Test};
use super::nfa::{Label, Nfa, StateId};

/// The maximum numbers of nodes and edges of a graph, and of edges in all graphs until the contents reach a fixpoint.
const NODES: usize = 1 << 18;
const EDGES: usize = 1 << 20;
const ALL_EDGES: usize = 1 << 22;

type Key = (ClosureId, ScoresId, Phase);

/// The statically known result of a pattern at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Always,
    Never,
    Depends,
}

/// The beginning of a player's turn: the number of the switch that passed the turn, the square, and the scores.
pub(super) type Begin = (u32, u16, ScoresId);

/// A graph under construction, for assumed contents of cells.
pub(super) struct Expander<'a> {
    pub(super) book: &'a Rulebook,
    nfa: &'a Nfa,
    pub(super) contents: &'a mut Contents,
    closures: Closures,
    index: HashMap<Key, NodeId>,
    keys: Vec<Key>,
    pub(super) edges: Vec<Option<Vec<Edge>>>,
    verdicts: HashMap<NodeId, Verdict>,
    pub(super) scores: Vec<Vec<u32>>,
    /// The node of each beginning of a turn.
    pub(super) begins: HashMap<Begin, NodeId>,
    num_edges: usize,
    /// The number of edges of previous graphs.
    pub(super) edges_before: usize,
}

impl<'a> Expander<'a> {
    pub(super) fn new(book: &'a Rulebook, nfa: &'a Nfa, contents: &'a mut Contents) -> Self {
        Self {
            book,
            nfa,
            contents,
            closures: Closures::default(),
            index: HashMap::new(),
            keys: Vec::new(),
            edges: Vec::new(),
            verdicts: HashMap::new(),
            scores: vec![vec![0; book.players().len()]],
            begins: HashMap::new(),
            num_edges: 0,
            edges_before: 0,
        }
    }

    /// Returns the node where the game begins: that of the keeper at the beginning of the rules, or that of the first turn.
    pub(super) fn start(&mut self) -> NodeId {
        let turn = |first: &First| {
            let (switch, square) = self.book.first_turn()?;
            Some((first.clone(), switch, square as u16, self.nfa.player_switch(switch)?))
        };
        let Some((first, switch, square, (player, state))) = self.book.first.as_ref().and_then(turn) else {
            return self.node(0, 0, 0, Phase::KeeperBegins);
        };
        let scores = self.scores_id(first.registers[self.book.variables().len()..].to_vec());
        let node = self.node(state, square, scores, Phase::Turn(player));
        self.begins.insert((switch, square, scores), node);
        node
    }

    /// Returns the number of edges of this graph and previous ones.
    pub(super) fn all_edges(&self) -> usize {
        self.edges_before + self.num_edges
    }

    /// Returns all nodes and all lists of scores.
    pub(super) fn finish(self) -> (Vec<Node>, Vec<Vec<u32>>) {
        let node = |((_, scores, phase), edges): (Key, Option<Vec<Edge>>)| Node {
            phase,
            scores,
            edges: edges.unwrap_or_default(),
        };
        (self.keys.into_iter().zip(self.edges).map(node).collect(), self.scores)
    }

    fn node(&mut self, state: StateId, square: u16, scores: ScoresId, phase: Phase) -> NodeId {
        let ordered = phase.is_keepers();
        let closure = self.closures.of(self.nfa, self.book.board(), state, square, ordered);
        let key = (closure, scores, phase);
        let new = self.keys.len();
        let id = *self.index.entry(key).or_insert(new);
        if id == new {
            self.keys.push(key);
            self.edges.push(None);
        }
        id
    }

    /// Computes the edges of a node.
    pub(super) fn expand(&mut self, node: NodeId) -> Result<()> {
        if self.edges[node].is_some() {
            return Ok(());
        }
        let (closure, scores, phase) = self.keys[node];
        let deeds = self.closures.deeds(closure).to_vec();
        let mut found = Vec::new();
        for (edge, square) in deeds {
            let at = self.nfa.edge(edge).at;
            let writes = matches!(self.nfa.edge(edge).label, Label::Put(_) | Label::Assign(..));
            let from = Place { edge, square, scores, phase };
            self.follow(from, &mut |effect, to| found.push(Edge { effect, to, writes, at }))?;
            if self.keys.len() > NODES || self.num_edges + found.len() > EDGES || self.all_edges() > ALL_EDGES
            {
                let message = "these rules have too many places on this board to be compiled";
                return Err(self.refused(at, message, "stopped here"));
            }
        }
        self.num_edges += found.len();
        self.edges[node] = Some(found);
        Ok(())
    }

    pub(super) fn refused(&self, at: At, message: impl Into<String>, label: &str) -> Error {
        self.book.error(Fault::new(at, message, label))
    }

    /// Computes the possible effects of a path at a place, each with its target.
    fn follow(&mut self, place: Place, found: &mut dyn FnMut(Effect, Target)) -> Result<()> {
        let Place { edge, square, scores, phase } = place;
        let nfa = self.nfa;
        let edge = nfa.edge(edge);
        let cell = usize::from(square);
        match &edge.label {
            Label::On(pieces) => {
                let kept: Vec<u32> =
                    self.contents.of(cell).filter(|&piece| pieces.contains(&(piece as usize))).collect();
                if !kept.is_empty() {
                    let effect = self.keeping(cell, &kept);
                    found(effect, self.continuation(place, scores));
                }
            }
            Label::Put(piece) => {
                let effect = self.setting(cell, *piece as u32);
                found(effect, self.continuation(place, scores));
            }
            Label::Compare(left, comparison, right) => {
                if let Some(effect) = self.compared(left, *comparison, right, scores) {
                    found(effect, self.continuation(place, scores));
                }
            }
            Label::Assign(register, value) => {
                for (effect, scores) in self.assigned(*register, value, scores, edge.at)? {
                    found(effect, self.continuation(place, scores));
                }
            }
            Label::Pattern { negated, start } => {
                let start = self.node(*start, square, scores, Phase::Pattern);
                let verdict = self.verdict(start)?;
                let wanted = if *negated { Verdict::Never } else { Verdict::Always };
                if verdict == wanted {
                    found(Effect::default(), self.continuation(place, scores));
                } else if verdict == Verdict::Depends
                    && let Some((cell, held)) = self.one_look(start)
                {
                    let kept: Vec<u32> =
                        self.contents.of(cell).filter(|content| held.contains(content) != *negated).collect();
                    if !kept.is_empty() {
                        found(self.keeping(cell, &kept), self.continuation(place, scores));
                    }
                } else if verdict == Verdict::Depends {
                    let test = Some(Test::Pattern { start, negated: *negated });
                    found(Effect { test, cells: Vec::new() }, self.continuation(place, scores));
                }
            }
            Label::Switch { mover: Mover::Keeper, .. } => {
                let begins = self.node(edge.to, square, scores, Phase::KeeperBegins);
                found(Effect::default(), Target::Keeper(begins));
            }
            Label::Switch { mover: Mover::Player(player), number } => {
                let begins = self.node(edge.to, square, scores, Phase::Turn(*player));
                self.begins.entry((*number, square, scores)).or_insert(begins);
                found(Effect::default(), Target::Rest(begins));
            }
            Label::Accept => found(Effect::default(), Target::Accept),
            Label::Nothing | Label::Shift(_) => {}
        }
        debug_assert!(phase != Phase::Pattern || !matches!(edge.label, Label::Switch { .. }));
        Ok(())
    }

    /// Returns the node after the edge.
    fn continuation(&mut self, place: Place, scores: ScoresId) -> Target {
        let phase = if place.phase == Phase::KeeperBegins { Phase::Keeper } else { place.phase };
        Target::Node(self.node(self.nfa.edge(place.edge).to, place.square, scores, phase))
    }

    /// Returns the effect that continues if the content of the cell is in `kept`.
    pub(super) fn keeping(&self, cell: usize, kept: &[u32]) -> Effect {
        if kept.len() == self.contents.number_of(cell) {
            return Effect::default();
        }
        Effect { test: None, cells: vec![(cell, kept.iter().map(|&content| (content, content)).collect())] }
    }

    /// Returns the effect that overwrites the content of a cell.
    pub(super) fn setting(&mut self, cell: usize, content: u32) -> Effect {
        self.contents.add(cell, content);
        if self.contents.number_of(cell) == 1 {
            return Effect::default();
        }
        Effect { test: None, cells: vec![(cell, self.contents.of(cell).map(|old| (old, content)).collect())] }
    }

    /// Returns the single cell that a pattern tests and its required contents, if its paths test nothing else.
    fn one_look(&self, start: NodeId) -> Option<(usize, BTreeSet<u32>)> {
        let mut found: Option<(usize, BTreeSet<u32>)> = None;
        for edge in self.edges[start].iter().flatten() {
            let [(cell, pairs)] = edge.effect.cells.as_slice() else { return None };
            let ends = |next: NodeId| {
                self.edges[next].as_ref().is_some_and(|edges| {
                    let accepts = |edge: &Edge| edge.effect.is_free() && edge.to == Target::Accept;
                    !edges.is_empty() && edges.iter().all(accepts)
                })
            };
            let is_look = edge.effect.test.is_none() && pairs.iter().all(|(before, after)| before == after);
            if !is_look || !edge.to.node().is_some_and(ends) {
                return None;
            }
            let (known, kept) = found.get_or_insert_with(|| (*cell, BTreeSet::new()));
            if known != cell {
                return None;
            }
            kept.extend(pairs.iter().map(|&(content, _)| content));
        }
        found
    }

    /// Determines whether a pattern always has a path, never has one, or depends on the position.
    fn verdict(&mut self, start: NodeId) -> Result<Verdict> {
        if let Some(&known) = self.verdicts.get(&start) {
            return Ok(known);
        }
        let always = self.reaches(start, true)?;
        let sometimes = self.reaches(start, false)?;
        let verdict = match (always, sometimes) {
            (true, _) => Verdict::Always,
            (false, true) => Verdict::Depends,
            (false, false) => Verdict::Never,
        };
        self.verdicts.insert(start, verdict);
        Ok(verdict)
    }

    /// Returns `true` if the end of a pattern is reachable by edges without tests, or by any edges. Expands nodes as needed.
    fn reaches(&mut self, start: NodeId, by_free_edges: bool) -> Result<bool> {
        let (mut seen, mut left) = (std::collections::HashSet::from([start]), vec![start]);
        while let Some(node) = left.pop() {
            self.expand(node)?;
            let Some(edges) = &self.edges[node] else { continue };
            for edge in edges.iter().filter(|edge| !by_free_edges || edge.effect.is_free()) {
                match edge.to.node() {
                    None => return Ok(true),
                    Some(next) if seen.insert(next) => left.push(next),
                    Some(_) => {}
                }
            }
        }
        Ok(false)
    }
}

/// A place at which a path performs an operation.
#[derive(Clone, Copy, Debug)]
struct Place {
    edge: super::nfa::EdgeId,
    square: u16,
    scores: ScoresId,
    phase: Phase,
}
