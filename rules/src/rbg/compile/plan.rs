//! The result of compiling a book: a graph, the possible contents of cells, and the letters of the status.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use super::super::book::Rulebook;
use super::super::fault::{At, Fault, Result};
use super::cases::{Forgets, by_cases};
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

/// The beginning of a player's turn.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in super::super) struct Begin {
    /// The number of the switch that passed the turn, counted in reading order.
    pub(in super::super) switch: u32,
    /// The square on which the path begins.
    pub(in super::super) square: u16,
    /// The scores by player.
    pub(in super::super) scores: Vec<u32>,
}

/// The start of a game.
#[derive(Clone, Debug)]
pub(in super::super) struct Start {
    /// The player who is to move first.
    pub(in super::super) player: usize,
    /// The first turn, which belongs to the other player if the player to move passes. If the game is over at the start, this is the
    /// turn with which it would begin.
    pub(in super::super) begin: Begin,
    /// The scores of a game that is over at the start.
    pub(in super::super) over: Option<Vec<u32>>,
    pub(in super::super) can_move: bool,
    /// The contents of squares, followed by those of variables.
    pub(in super::super) held: Vec<u32>,
}

/// The maximum number of letters of a layer.
pub(in super::super) const LETTERS: usize = 256;

/// Returns a digit of a letter of the status.
pub(in super::super) fn digit(letter: usize, digit: usize) -> u8 {
    // The remainder fits into 8 bits.
    (letter / LETTERS.pow(digit as u32) % LETTERS) as u8
}

/// The part of a position that a cell represents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Part {
    /// A digit of the status of play to the base [`LETTERS`], where 0 is the lowest one.
    Status(usize),
    /// A square.
    Square(usize),
    /// A variable.
    Variable(usize),
}

/// The compiled rules.
#[derive(Debug)]
pub(in super::super) struct Plan {
    pub(super) graph: Graph,
    /// The loops that moves unroll.
    #[cfg_attr(not(feature = "sets"), expect(dead_code, reason = "only moves on sets need it"))]
    pub(super) chains: Vec<Chain>,
    pub(super) status: Status,
    /// The player of each side.
    pub(in super::super) players: [usize; 2],
    /// The players in the order in which their scores are compared: the lower score wins under misère.
    ranked: [usize; 2],
    /// The node of each beginning of a turn in the rules, after merging.
    nodes: HashMap<Begin, NodeId>,
    /// A beginning of a turn in the rules for each node where a turn begins.
    begins: HashMap<NodeId, Begin>,
    start: NodeId,
    /// The side whose turn begins at the node of the start.
    first_side: usize,
    /// The outcome of a game that is over at the start.
    over: Option<Ordering>,
    /// The contents of squares at the start, followed by those of variables.
    held: Vec<u32>,
    /// If `true`, play does not return to the turn with which it starts.
    starts_once: bool,
    /// The reasons why every game ends, in words, or `None` if no reason was found.
    pub(in super::super) progress: Option<Vec<String>>,
    pub(super) possible: Possible,
}

impl Plan {
    /// Compiles a book.
    ///
    /// # Errors
    /// Returns an error with its location in the file if the rules are unsupported.
    pub(in super::super) fn new(book: &Rulebook, start: &Start) -> Result<Self> {
        let places = &book.origin.places;
        let refused = |at: At, message: String, label: &str| Err(book.error(Fault::new(at, message, label)));
        if book.players().len() != 2 {
            let (number, at) = (book.players().len(), book.place_of(&book.players()[0].name));
            let noun = if number == 1 { "player" } else { "players" };
            let message = format!("a game for {number} {noun}: only games for two players can be solved");
            return refused(at, message, "the first player");
        }
        let players = [start.player, 1 - start.player];
        let ranked = if book.is_misere() { [players[1], players[0]] } else { players };
        let mut graph = Graph::new(book)?;
        let order = |graph: &Graph, node| compared(graph.scores_at(node), ranked);
        let begin = |graph: &Graph| {
            let scores = graph.scores.iter().position(|scores| *scores == start.begin.scores)?;
            graph.begins.get(&(start.begin.switch, start.begin.square, scores as u32)).copied()
        };
        let Some(first) = begin(&graph) else {
            return refused(places.rules, "play does not begin as these rules specify".into(), "these rules");
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
        let over = start.over.as_ref().map(|scores| compared(scores, ranked));
        let start = names[first];
        let mut status = standings(&graph, start, players, ranked);
        let first_side = usize::from(graph.player_at(start) != Some(players[0]));
        match over {
            Some(outcome) => status.add_outcome(outcome),
            None if first_side != 0 => status.add_wait(0, start),
            None => {}
        }
        let starts_once = !returns(&graph, start);
        let chains = settle_loops(book, &mut graph, start)?;
        let play = Play::new(&graph, start);
        let progress = play.as_ref().and_then(|play| {
            let by_case = |forgets| progress(book, &graph, &by_cases(&graph, play, forgets)?);
            let ends = progress(book, &graph, play).or_else(|| by_case(Forgets::AtEverySwitch));
            ends.or_else(|| by_case(Forgets::AtTurns))
        });
        let turns: Vec<NodeId> = status.turns.concat();
        let possible = play.map(|mut play| {
            play.begin_anywhere(&graph, &turns);
            Possible::new(&graph, book.board(), &play, &From { held, begins: &turns }, !chains.is_empty())
        });
        let possible = possible.unwrap_or_default();
        let held = held.clone();
        Ok(Self {
            graph,
            chains,
            status,
            players,
            ranked,
            nodes,
            begins,
            start,
            first_side,
            over,
            held,
            starts_once,
            progress,
            possible,
        })
    }

    /// Returns the parts of a position that are not constant, with the number of their letters.
    pub(in super::super) fn parts(&self) -> Vec<(Part, usize)> {
        let squares = self.graph.contents.num_squares();
        let part =
            |cell: usize| if cell < squares { Part::Square(cell) } else { Part::Variable(cell - squares) };
        let cells = (0..self.graph.contents.num_cells())
            .map(|cell| (part(cell), self.graph.contents.number_of(cell)));
        self.digits().into_iter().chain(cells).filter(|(_, letters)| *letters > 1).collect()
    }

    /// Returns the number of letters of the status.
    pub(in super::super) fn num_letters(&self) -> usize {
        self.status.len()
    }

    /// Returns the digits of the status, with the number of their letters.
    fn digits(&self) -> Vec<(Part, usize)> {
        match self.status.len() {
            letters if letters <= LETTERS => vec![(Part::Status(0), letters)],
            letters => vec![(Part::Status(1), letters.div_ceil(LETTERS)), (Part::Status(0), LETTERS)],
        }
    }

    /// Returns the possible contents of a square or a variable, by letter.
    pub(in super::super) fn contents(&self, part: Part) -> Vec<u32> {
        match self.cell(part) {
            Some(cell) => self.graph.contents.of(cell).collect(),
            None => {
                let letters = self.digits().into_iter().find(|(digit, _)| *digit == part);
                (0..letters.map_or(1, |(_, letters)| letters as u32)).collect()
            }
        }
    }

    /// Returns the cell of a square or a variable.
    fn cell(&self, part: Part) -> Option<usize> {
        match part {
            Part::Status(_) => None,
            Part::Square(square) => Some(square),
            Part::Variable(variable) => Some(self.graph.contents.variable(variable)),
        }
    }

    /// Returns the status of play with `side` to move and a letter of the status.
    pub(in super::super) fn standing(&self, side: usize, letter: usize) -> Standing {
        self.status.standing(side, letter)
    }

    /// Returns the beginning of a turn for a node.
    pub(in super::super) fn begin_at(&self, node: NodeId) -> Option<&Begin> {
        self.begins.get(&node)
    }

    /// Returns the letter of the status with which `side` is to move when a player's turn begins.
    pub(in super::super) fn letter_of(&self, side: usize, begin: &Begin) -> Option<usize> {
        let node = *self.nodes.get(begin)?;
        let player = self.graph.player_at(node)?;
        self.status.letter(side, self.side_of(player), node)
    }

    /// Returns the letter of the status with which `side` is to move when a turn of `mover` begins at a node.
    pub(in super::super) fn letter_at(&self, side: usize, mover: usize, node: NodeId) -> Option<usize> {
        self.status.letter(side, mover, node)
    }

    /// Returns the turns of a side: their nodes, the beginning that represents each of them, and all its beginnings.
    pub(in super::super) fn turns(&self, side: usize) -> Vec<(NodeId, &Begin, Vec<&Begin>)> {
        let turn = |&node: &NodeId| {
            let all = self.nodes.iter().filter(|(_, at)| **at == node).map(|(begin, _)| begin);
            Some((node, self.begin_at(node)?, all.collect()))
        };
        self.status.turns[side].iter().filter_map(turn).collect()
    }

    /// Returns `true` if the turn of `side` that begins at a node occurs only at the start of a game.
    pub(in super::super) fn begins_only_games(&self, side: usize, node: NodeId) -> bool {
        self.starts_once && side == self.first_side && node == self.start
    }

    /// Returns `true` if these are the contents of squares and variables at the start.
    pub(in super::super) fn is_start(&self, held: &[u32]) -> bool {
        self.held == held
    }

    /// Returns the letter of the status for a game that is over with these scores.
    pub(in super::super) fn letter_of_end(&self, scores: &[u32]) -> Option<usize> {
        self.status.outcome(compared(scores, self.ranked))
    }

    /// Returns the outcome at a node where a turn begins, if the player is stuck.
    pub(in super::super) fn end_at(&self, node: NodeId) -> Ordering {
        compared(self.graph.scores_at(node), self.ranked)
    }

    /// Returns the letter of the status at the start.
    pub(in super::super) fn start_letter(&self) -> Option<usize> {
        match self.over {
            Some(outcome) => self.status.outcome(outcome),
            None => self.status.letter(0, self.first_side, self.start),
        }
    }

    /// Returns the letter of the status with which the other side is to move after a wait.
    pub(in super::super) fn letter_after_wait(&self, side: usize, node: NodeId) -> Option<usize> {
        self.status.letter(1 - side, 1 - side, node)
    }

    /// Returns `true` if a position with `side` to move satisfies the limits in use. `held` contains the contents of squares,
    /// followed by those of variables.
    pub(in super::super) fn is_possible(&self, side: usize, letter: usize, held: &[u32]) -> bool {
        match self.standing(side, letter) {
            Standing::Turn(node) | Standing::Wait(node) => {
                self.possible.holds(node, self.graph.contents.num_squares(), held)
            }
            Standing::Over(_) => true,
            Standing::Nothing => false,
        }
    }

    /// Returns `true` unless a known limit excludes a position. `held` contains the contents of squares, followed by those of
    /// variables.
    pub(in super::super) fn may_occur(&self, side: usize, letter: usize, held: &[u32]) -> bool {
        match self.standing(side, letter) {
            Standing::Turn(node) | Standing::Wait(node) => {
                self.possible.admits(node, self.graph.contents.num_squares(), held)
            }
            Standing::Over(_) | Standing::Nothing => false,
        }
    }

    /// Returns `true` if the renaming of squares preserves play.
    pub(in super::super) fn keeps_play(&self, names: &Names<'_>) -> bool {
        if !self.possible.is_invariant_under(names) {
            return false;
        }
        let Some(alike) = self.alike(names) else { return false };
        let mut begins = self.status.turns.iter().chain(&self.status.waits).flatten();
        begins.all(|&node| alike.is(node, node))
    }

    /// Returns the new letter for each letter of the status under a renaming of squares, pieces and players, or `None` if the
    /// renaming does not preserve play.
    pub(in super::super) fn exchanged(&self, names: &Names<'_>) -> Option<Vec<usize>> {
        let alike = self.alike(names)?;
        let is_image = |from: NodeId, to: NodeId| alike.is(from, to) && self.possible.takes(from, to, names);
        self.status.exchanged(is_image)
    }

    fn alike(&self, names: &Names<'_>) -> Option<Alike> {
        Alike::new(&self.graph, names, |graph, node| compared(graph.scores_at(node), self.ranked))
    }

    pub(super) fn side_of(&self, player: usize) -> usize {
        usize::from(player != self.players[0])
    }
}

/// Returns one beginning for each node, the first in order.
fn known_begins(graph: &Graph, nodes: &HashMap<Begin, NodeId>) -> HashMap<NodeId, Begin> {
    let mut known: HashMap<NodeId, Begin> = HashMap::new();
    for (begin, &node) in nodes {
        // The scores of the node determine the outcome if the player is stuck.
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

/// Returns representatives of nodes that merge the start with another turn which differs only in the outcome if the player is
/// stuck. This is allowed because the player is not stuck at the start. Returns `None` if there is no such turn or if play can
/// return to the start.
fn stands_for_start(graph: &Graph, first: NodeId, order: impl Fn(NodeId) -> Ordering) -> Option<Vec<NodeId>> {
    let player = graph.player_at(first)?;
    let later = graph.reached(first);
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
        // The representative must not be the start itself, because its scores would be wrong.
        if names[first] == first {
            names.iter_mut().filter(|name| **name == first).for_each(|name| *name = alike);
        }
        return Some(names);
    }
    None
}

/// Returns `true` if a turn can begin again at the node where play starts.
fn returns(graph: &Graph, start: NodeId) -> bool {
    let nodes = graph.reached(start);
    nodes.iter().flat_map(|&node| &graph.nodes[node].edges).any(|edge| edge.to == Target::Rest(start))
}

fn rename(graph: &mut Graph, names: &[NodeId]) {
    for edge in graph.nodes.iter_mut().flat_map(|node| &mut node.edges) {
        edge.to = edge.to.renamed(names);
        if let Some(Test::Pattern { start, .. }) = &mut edge.effect.test {
            *start = names[*start];
        }
    }
}
