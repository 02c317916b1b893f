//! What a book is compiled to: a graph, what cells can hold, and how play can stand.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use super::super::book::Rulebook;
use super::super::fault::{At, Fault, Result};
use super::chains::Chain;
use super::explore::Graph;
use super::graph::{NodeId, Target, Test};
use super::loops::settle_loops;
use super::merge::representatives;
use super::possible::{From, Possible};
use super::progress::progress;
use super::status::{Standing, Status, compared, standings};
use super::symmetry::{Alike, Names};
use super::ways::Play;

/// Where a player's turn begins.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in super::super) struct Begin {
    /// The number of the switch that gave the turn, in the order in which the rules are read.
    pub(in super::super) switch: u32,
    /// The square where the path begins.
    pub(in super::super) square: u16,
    /// The scores, by player.
    pub(in super::super) scores: Vec<u32>,
}

/// How a game starts.
#[derive(Clone, Debug)]
pub(in super::super) struct Start {
    /// Who moves first.
    pub(in super::super) player: usize,
    pub(in super::super) begin: Begin,
    pub(in super::super) can_move: bool,
    /// What squares hold, then variables.
    pub(in super::super) held: Vec<u32>,
}

/// What a cell of a position stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Part {
    /// How play stands.
    Status,
    /// A square.
    Square(usize),
    /// A variable.
    Variable(usize),
}

/// The compiled rules.
#[derive(Debug)]
pub(in super::super) struct Plan {
    pub(super) graph: Graph,
    /// Loops that moves write out.
    pub(super) chains: Vec<Chain>,
    pub(super) status: Status,
    /// By side, the player.
    pub(in super::super) players: [usize; 2],
    /// Where each turn begins that is one in the rules, and the node that it has become.
    nodes: HashMap<Begin, NodeId>,
    /// For each node where a turn begins, one that the rules know.
    begins: HashMap<NodeId, Begin>,
    start: NodeId,
    /// What makes play end, in words, if anything was found.
    pub(in super::super) progress: Option<Vec<String>>,
    pub(super) possible: Possible,
}

impl Plan {
    /// Compiles a book.
    ///
    /// # Errors
    /// What is not supported, with its place.
    pub(in super::super) fn new(book: &Rulebook, start: &Start) -> Result<Self> {
        let places = &book.origin.places;
        let refused = |at: At, message: String, label: &str| Err(book.error(Fault::new(at, message, label)));
        if book.players().len() != 2 {
            let (number, at) = (book.players().len(), book.place_of(&book.players()[0].name));
            let noun = if number == 1 { "player" } else { "players" };
            let message = format!("a game of {number} {noun}: only games of two are solved");
            return refused(at, message, "the first of them");
        }
        let players = [start.player, 1 - start.player];
        let mut graph = Graph::new(book)?;
        let order = |graph: &Graph, node| compared(graph.scores_at(node), players);
        let begin = |graph: &Graph| {
            let scores = graph.scores.iter().position(|scores| *scores == start.begin.scores)?;
            graph.begins.get(&(start.begin.switch, start.begin.square, scores as u32)).copied()
        };
        let Some(first) = begin(&graph) else {
            return refused(places.rules, "play does not begin as these rules say".into(), "these rules");
        };
        let mut names = representatives(&graph, |node| order(&graph, node));
        if start.can_move
            && let Some(other) = stands_for_start(&graph, first, |node| order(&graph, node))
        {
            names = other;
        }
        rename(&mut graph, &names);
        let begins_of = |graph: &Graph| {
            let begin = |(&(switch, square, scores), &node): (&(u32, u16, u32), &NodeId)| {
                (Begin { switch, square, scores: graph.scores_of(scores).to_vec() }, names[node])
            };
            graph.begins.iter().map(begin).collect::<HashMap<Begin, NodeId>>()
        };
        let nodes = begins_of(&graph);
        let begins = known_begins(&graph, &nodes);
        let held = &start.held;
        let start = names[first];
        let status = standings(&graph, start, players);
        let chains = settle_loops(book, &mut graph)?;
        let play = Play::new(&graph, start);
        let progress = play.as_ref().and_then(|play| progress(book, &graph, play));
        let turns: Vec<NodeId> = status.turns.concat();
        let possible = play.map(|mut play| {
            play.begin_anywhere(&graph, &turns);
            Possible::new(&graph, book.board(), &play, &From { held, begins: &turns }, !chains.is_empty())
        });
        let possible = possible.unwrap_or_default();
        Ok(Self { graph, chains, status, players, nodes, begins, start, progress, possible })
    }

    /// The parts of a position that are not the same everywhere, with the number of their letters.
    pub(in super::super) fn parts(&self) -> Vec<(Part, usize)> {
        let squares = self.graph.contents.num_squares();
        let part =
            |cell: usize| if cell < squares { Part::Square(cell) } else { Part::Variable(cell - squares) };
        let cells = (0..self.graph.contents.num_cells())
            .map(|cell| (part(cell), self.graph.contents.number_of(cell)));
        let all = std::iter::once((Part::Status, self.status.len())).chain(cells);
        all.filter(|(_, letters)| *letters > 1).collect()
    }

    /// What a square or a variable can hold, by letter.
    pub(in super::super) fn contents(&self, part: Part) -> Vec<u32> {
        match self.cell(part) {
            Some(cell) => self.graph.contents.of(cell).collect(),
            None => (0..self.status.len() as u32).collect(),
        }
    }

    /// The cell of a square or a variable.
    fn cell(&self, part: Part) -> Option<usize> {
        match part {
            Part::Status => None,
            Part::Square(square) => Some(square),
            Part::Variable(variable) => Some(self.graph.contents.variable(variable)),
        }
    }

    /// How play stands with `side` to move and a letter of the status.
    pub(in super::super) fn standing(&self, side: usize, letter: usize) -> Standing {
        self.status.standing(side, letter)
    }

    /// Where a turn begins at a node.
    pub(in super::super) fn begin_at(&self, node: NodeId) -> Option<&Begin> {
        self.begins.get(&node)
    }

    /// The letter of the status with which `side` is to move where a player's turn begins.
    pub(in super::super) fn letter_of(&self, side: usize, begin: &Begin) -> Option<usize> {
        let node = *self.nodes.get(begin)?;
        let player = self.graph.player_at(node)?;
        self.status.letter(side, self.side_of(player), node)
    }

    /// The letter of the status for the game that is over with these scores.
    pub(in super::super) fn letter_of_end(&self, scores: &[u32]) -> Option<usize> {
        self.status.outcome(compared(scores, self.players))
    }

    /// How the game ends at a node where a turn begins, if nothing can be done.
    pub(in super::super) fn end_at(&self, node: NodeId) -> Ordering {
        compared(self.graph.scores_at(node), self.players)
    }

    /// The letter of the status at the start.
    pub(in super::super) fn start_letter(&self) -> Option<usize> {
        self.status.letter(0, 0, self.start)
    }

    /// The letter of the status with which the side that a wait gives the turn to is to move.
    pub(in super::super) fn letter_after_wait(&self, side: usize, node: NodeId) -> Option<usize> {
        self.status.letter(1 - side, 1 - side, node)
    }

    /// Whether a position with `side` to move keeps to the limits of play in use; `held`: what squares hold, then variables.
    pub(in super::super) fn is_possible(&self, side: usize, letter: usize, held: &[u32]) -> bool {
        match self.standing(side, letter) {
            Standing::Turn(node) | Standing::Wait(node) => {
                self.possible.holds(node, self.graph.contents.num_squares(), held)
            }
            Standing::Over(_) => true,
            Standing::Nothing => false,
        }
    }

    /// Whether play stays as it is with other `names` for squares.
    pub(in super::super) fn keeps_play(&self, names: &Names<'_>) -> bool {
        if !self.possible.is_kept_by(names) {
            return false;
        }
        let Some(alike) = self.alike(names) else { return false };
        let mut begins = self.status.turns.iter().chain(&self.status.waits).flatten();
        begins.all(|&node| alike.is(node, node))
    }

    /// By letter of the status, what it becomes if squares, pieces and players get other `names`; `None` where the sides then
    /// play in another way.
    pub(in super::super) fn exchanged(&self, names: &Names<'_>) -> Option<Vec<usize>> {
        let alike = self.alike(names)?;
        let is_image = |from: NodeId, to: NodeId| alike.is(from, to) && self.possible.takes(from, to, names);
        self.status.exchanged(is_image)
    }

    fn alike(&self, names: &Names<'_>) -> Option<Alike> {
        Alike::new(&self.graph, names, |graph, node| compared(graph.scores_at(node), self.players))
    }

    pub(super) fn side_of(&self, player: usize) -> usize {
        usize::from(player != self.players[0])
    }
}

/// One begin for each node, the first in order.
fn known_begins(graph: &Graph, nodes: &HashMap<Begin, NodeId>) -> HashMap<NodeId, Begin> {
    let mut known: HashMap<NodeId, Begin> = HashMap::new();
    for (begin, &node) in nodes {
        // The scores of the node are those that count if the player is stuck.
        if begin.scores != graph.scores_at(node) {
            continue;
        }
        let old = known.entry(node).or_insert_with(|| begin.clone());
        if (begin.switch, begin.square) < (old.switch, old.square) {
            *old = begin.clone();
        }
    }
    known
}

/// Names under which the start is another turn, which differs in nothing but the scores of a player who is stuck: at the start
/// nobody is. `None` where there is none, and where play comes back to the start.
fn stands_for_start(graph: &Graph, first: NodeId, order: impl Fn(NodeId) -> Ordering) -> Option<Vec<NodeId>> {
    let player = graph.player_at(first)?;
    let later = reached(graph, first);
    let targets: HashSet<NodeId> = later
        .iter()
        .flat_map(|&node| &graph.nodes[node].edges)
        .filter_map(|edge| if let Target::Rest(node) = edge.to { Some(node) } else { None })
        .collect();
    if targets.contains(&first) {
        return None;
    }
    let mut others: Vec<NodeId> =
        targets.into_iter().filter(|&node| graph.player_at(node) == Some(player)).collect();
    others.sort_unstable();
    let mut tried = HashSet::from([order(first)]);
    for other in others {
        let outcome = order(other);
        if !tried.insert(outcome) {
            continue;
        }
        let mut names = representatives(graph, |node| if node == first { outcome } else { order(node) });
        let like = |&node: &NodeId| node != first && names[node] == names[first];
        let Some(alike) = (0..graph.nodes.len()).find(like) else { continue };
        // The scores of the one that stands for both must not be those of the start.
        if names[first] == first {
            names.iter_mut().filter(|name| **name == first).for_each(|name| *name = alike);
        }
        return Some(names);
    }
    None
}

/// Every node that paths come to from a node.
fn reached(graph: &Graph, from: NodeId) -> Vec<NodeId> {
    let (mut seen, mut left) = (HashSet::from([from]), vec![from]);
    let mut found = Vec::new();
    while let Some(node) = left.pop() {
        found.push(node);
        let targets = graph.nodes[node].edges.iter().filter_map(|edge| edge.to.node());
        left.extend(targets.filter(|&next| seen.insert(next)));
    }
    found
}

fn rename(graph: &mut Graph, names: &[NodeId]) {
    for edge in graph.nodes.iter_mut().flat_map(|node| &mut node.edges) {
        edge.to = edge.to.renamed(names);
        if let Some(Test::Pattern { start, .. }) = &mut edge.effect.test {
            *start = names[*start];
        }
    }
}
