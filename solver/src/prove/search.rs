//! The search with one goal.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use nerode_games::explicit::apply;
use nerode_games::{Game, Move, Position, Side, Value};

use super::decided::Decided;
use super::numbers::{Known, LARGEST, Numbers};
use crate::depth::Deadline;
use crate::depth::keys::{KeySet, Keys};
use crate::depth::table::Table;
use crate::error::Error;

/// The number of positions between two looks at the clock.
const LOOK_EVERY: u64 = 1024;
/// The number of moves after which a position counts as repeated, in games without an end.
const LONGEST_PATH: usize = 10_000;
/// The number of searches for a proof that other entries replace in the table.
const MOST_SEARCHES: u32 = 4;
/// A position is left only when its number exceeds the second best by a quarter, so that the search does not change to and fro
/// between two positions.
const SLACK: u32 = 4;

/// What a search is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sought {
    /// The number of positions visited, each time that the search enters one.
    pub nodes: u64,
    /// The numbers of positions that the table contains and can contain.
    pub table: (usize, usize),
}

/// A position of the tree.
struct Node {
    board: Vec<u8>,
    side: Side,
    keys: KeySet,
}

/// A move, with the keys and the numbers of the position after it.
struct Child {
    mv: Move,
    keys: KeySet,
    /// The key with the current goal.
    key: u128,
    numbers: Numbers,
}

/// A search for the proof that a side wins, or that it does not.
pub(super) struct Search<'a> {
    game: &'a dyn Game,
    decided: &'a Decided<'a>,
    keys: &'a Keys,
    table: &'a mut Table<Known>,
    /// The side whose win is to be proved; the other side has to avoid it.
    attacker: Side,
    /// The keys of the positions on the way to the current one, if play can repeat positions.
    path: Option<HashSet<u128>>,
    /// `true` if a draw decided a position.
    met_draw: bool,
    nodes: u64,
    deadline: Deadline,
    interrupt: &'a AtomicBool,
    is_stopped: bool,
    watch: &'a mut (dyn FnMut(Sought) + Send),
    moves: Vec<Move>,
    after: Vec<Move>,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        decided: &'a Decided<'a>,
        game: &'a dyn Game,
        keys: &'a Keys,
        table: &'a mut Table<Known>,
        (deadline, interrupt): (Deadline, &'a AtomicBool),
        watch: &'a mut (dyn FnMut(Sought) + Send),
    ) -> Self {
        let path = (!game.always_ends()).then(HashSet::new);
        Self {
            game,
            decided,
            keys,
            table,
            attacker: Side::P1,
            path,
            met_draw: false,
            nodes: 0,
            deadline,
            interrupt,
            is_stopped: false,
            watch,
            moves: Vec::new(),
            after: Vec::new(),
        }
    }

    /// Returns the number of positions visited.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns `true` if the search ended because of the time or an interruption.
    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// Determines the value of a position for the side to move; see [`Search::wins`].
    pub(super) fn value(&mut self, position: &Position) -> Option<Value> {
        if self.wins(position, position.side)? {
            return Some(Value::Win);
        }
        // Without draws, the other side wins by the same proof.
        if !self.met_draw || self.wins(position, position.side.other())? {
            return Some(Value::Loss);
        }
        Some(Value::Draw)
    }

    /// Chooses the side whose win [`Search::move_that_proves`] is about.
    pub(super) fn set_attacker(&mut self, attacker: Side) {
        self.attacker = attacker;
    }

    /// Returns the attacker of the last proof.
    pub(super) fn attacker(&self) -> Side {
        self.attacker
    }

    /// Returns a move after which the side to move reaches its goal, or `None` if none is proved: because the time does not suffice,
    /// because the table is too small to keep the proof, or because there is none.
    pub(super) fn move_that_proves(&mut self, position: &Position) -> Option<Move> {
        let keys = self.keys.of(&position.board, position.side);
        let node = Node { board: position.board.clone(), side: position.side, keys };
        for _ in 0..MOST_SEARCHES {
            let children = self.children(&node);
            if let Some(child) = children.into_iter().find(|child| child.numbers.disproof == 0) {
                return Some(child.mv);
            }
            let (numbers, _) = self.visit(&node, Numbers { proof: LARGEST, disproof: LARGEST });
            if numbers.proof != 0 {
                return None;
            }
        }
        None
    }

    /// Determines whether `attacker` wins from `position`, or returns `None` if the time does not suffice or if the proof would
    /// have to repeat positions.
    fn wins(&mut self, position: &Position, attacker: Side) -> Option<bool> {
        (self.attacker, self.met_draw) = (attacker, false);
        let keys = self.keys.of(&position.board, position.side);
        let node = Node { board: position.board.clone(), side: position.side, keys };
        let numbers = match self.decided.value(&node.board, node.side) {
            Some(value) => self.by_value(value, node.side),
            None => self.visit(&node, Numbers { proof: LARGEST, disproof: LARGEST }).0,
        };
        let reaches_goal = numbers.proof == 0;
        numbers.are_final().then_some(reaches_goal == (position.side == attacker))
    }

    /// Returns the numbers of a decided position with `side` to move.
    fn by_value(&mut self, value: Value, side: Side) -> Numbers {
        self.met_draw |= value == Value::Draw;
        let reaches_goal = if side == self.attacker { value == Value::Win } else { value != Value::Loss };
        if reaches_goal { Numbers::PROVED } else { Numbers::DISPROVED }
    }

    /// Returns the key of a position with the current goal.
    fn key(&self, keys: &KeySet) -> u128 {
        self.keys.of_question(keys, self.attacker == Side::P1)
    }

    /// Returns the reason why [`Search::move_that_proves`] found no move.
    pub(super) fn why_unproved(&self) -> Error {
        if self.interrupt.load(Ordering::Relaxed) {
            return Error::Interrupted;
        }
        let reason = if self.is_stopped {
            "the time was over before a move was chosen in every position"
        } else {
            "the table does not keep the whole proof"
        };
        Error::NoStrategy { reason: reason.into() }
    }

    /// Searches below an open position until one of its numbers reaches a limit. Returns the numbers, and the work.
    fn visit(&mut self, node: &Node, limits: Numbers) -> (Numbers, u32) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(LOOK_EVERY) {
            self.is_stopped |= self.interrupt.load(Ordering::Relaxed) || self.deadline.has_passed();
            (self.watch)(Sought { nodes: self.nodes, table: self.table.fill() });
        }
        let key = self.key(&node.keys);
        if let Some(path) = &mut self.path {
            path.insert(key);
        }
        let mut children = self.children(node);
        let mut work = 1u32;
        let numbers = loop {
            let numbers = Numbers::of_moves(children.iter().map(|child| child.numbers));
            if self.is_stopped || numbers.proof >= limits.proof || numbers.disproof >= limits.disproof {
                break numbers;
            }
            let Some((best, second)) = two_best(&children) else { break numbers };
            let below = Numbers {
                proof: limits
                    .disproof
                    .saturating_sub(numbers.disproof)
                    .saturating_add(children[best].numbers.proof),
                disproof: limits.proof.min(second.saturating_add(second / SLACK + 1)),
            };
            let child = &children[best];
            let next =
                Node { board: apply(&node.board, &child.mv), side: node.side.other(), keys: child.keys };
            let (found, more) = self.visit(&next, below);
            work = work.saturating_add(more);
            children[best].numbers = found;
            for child in children.iter_mut().filter(|child| !child.numbers.are_final()) {
                if let Some(known) = self.table.get(child.key) {
                    child.numbers = known.numbers;
                }
            }
        };
        if let Some(path) = &mut self.path {
            path.remove(&key);
        }
        self.table.put(key, Known { numbers, work });
        (numbers, work)
    }

    /// Returns `true` if a position with this key is on the path, or if the path is too long to go on.
    fn repeats(&self, key: u128) -> bool {
        self.path.as_ref().is_some_and(|path| path.len() >= LONGEST_PATH || path.contains(&key))
    }

    /// Lists the moves of a position, or only one that proves the goal. Positions that are not in the table are looked up in the sets,
    /// all together, and put into the table.
    fn children(&mut self, node: &Node) -> Vec<Child> {
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        self.game.legal_moves(&node.board, node.side, &mut moves);
        let mut children: Vec<Child> = Vec::with_capacity(moves.len());
        let (mut new, mut boards) = (Vec::new(), Vec::new());
        for mv in moves.drain(..) {
            let keys = self.keys.after(node.keys, &node.board, &mv);
            let key = self.key(&keys);
            if children.iter().any(|child| child.key == key) {
                continue;
            }
            let numbers = if self.repeats(key) {
                self.met_draw = true;
                Numbers::REPEATED
            } else if let Some(known) = self.table.get(key) {
                known.numbers
            } else {
                new.push(children.len());
                let start = boards.len();
                boards.extend_from_slice(&node.board);
                mv.iter().for_each(|change| boards[start + usize::from(change.cell)] = change.after);
                Numbers::open(1)
            };
            children.push(Child { mv, keys, key, numbers });
            if numbers == Numbers::DISPROVED {
                break;
            }
        }
        self.moves = moves;
        if children.last().is_none_or(|child| child.numbers != Numbers::DISPROVED) {
            self.look_up(&mut children, &new, &boards, node.side.other());
        }
        match children.iter().position(|child| child.numbers == Numbers::DISPROVED) {
            Some(enough) => vec![children.swap_remove(enough)],
            None => children,
        }
    }

    /// Sets the numbers of the `new` ones of `children`, which have not been visited. `boards` contains their boards, with `side` to
    /// move.
    fn look_up(&mut self, children: &mut [Child], new: &[usize], boards: &[u8], side: Side) {
        let values = self.decided.values(boards, side);
        let cells = self.game.cell_states().len();
        for ((&at, value), board) in new.iter().zip(values).zip(boards.chunks_exact(cells)) {
            let numbers = match value {
                Some(value) => self.by_value(value, side),
                None => {
                    self.after.clear();
                    self.game.legal_moves(board, side, &mut self.after);
                    Numbers::open(self.after.len())
                }
            };
            children[at].numbers = numbers;
            self.table.put(children[at].key, Known { numbers, work: 1 });
        }
    }
}

/// Returns the index of the open move with the least disproof number, and the least number of the others.
fn two_best(children: &[Child]) -> Option<(usize, u32)> {
    let mut best: Option<(usize, u32)> = None;
    let mut second = LARGEST;
    for (at, child) in children.iter().enumerate() {
        if child.numbers.are_final() || child.numbers.disproof >= LARGEST {
            continue;
        }
        match best {
            Some((_, least)) if child.numbers.disproof >= least => {
                second = second.min(child.numbers.disproof)
            }
            _ => {
                second = best.map_or(second, |(_, least)| second.min(least));
                best = Some((at, child.numbers.disproof));
            }
        }
    }
    best.map(|(at, _)| (at, second))
}
