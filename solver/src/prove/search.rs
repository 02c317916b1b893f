//! The search with one goal, by one or several threads that share a table.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use nerode_games::explicit::apply;
use nerode_games::{Game, Move, Position, Side, Value};

use super::decided::Decided;
use super::evaluation::Evaluation;
use super::kept::Kept;
use super::stack::with_deep_stacks;
use crate::depth::Deadline;
use crate::depth::keys::{KeySet, Keys};
use crate::error::{Error, Result};
use crate::numbers::table::{Known, Table};
use crate::numbers::{LARGEST, Numbers, limits_below, two_least};

/// The number of positions between two looks at the clock.
const LOOK_EVERY: u64 = 1024;
/// The number of moves after which a position counts as repeated, in games without an end.
const LONGEST_PATH: usize = 10_000;
/// The number of searches for a proof that other entries replace in the table.
const MOST_SEARCHES: u32 = 4;
/// The part of its number by which a position counts as worse while another thread searches below it.
const SHARE_OF_OTHERS: u32 = 2;
/// The number of moves from the first position on at which threads see each other.
const SEEN: usize = 256;

/// What a search is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sought {
    /// The number of positions visited, each time that the search enters one.
    pub nodes: u64,
    /// The numbers of positions that the table contains and can contain.
    pub table: (usize, usize),
    /// The numbers of positions that have to be decided, as far as is known, to prove that the side to move reaches the current goal,
    /// and to prove that it does not.
    pub open: (u32, u32),
    /// The number of moves in the certificate so far: 0 until the value is proved.
    pub choices: u64,
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
    shared: Shared<'a>,
    num_threads: usize,
    /// The file in which the search is kept.
    kept: Option<Kept<'a>>,
}

/// What all threads of a search share.
struct Shared<'a> {
    game: &'a dyn Game,
    decided: &'a Decided<'a>,
    keys: Keys,
    table: Table,
    /// The side whose win is to be proved; the other side has to avoid it.
    attacker: Side,
    /// Whether a draw has decided a position in the search for the win of each side.
    met_draw: [AtomicBool; 2],
    /// What each thread has learned about the current goal.
    evaluations: Vec<Mutex<Evaluation>>,
    nodes: AtomicU64,
    /// The number of moves that [`Search::move_that_proves`] has returned.
    choices: AtomicU64,
    deadline: Deadline,
    interrupt: &'a AtomicBool,
    is_stopped: AtomicBool,
    /// The time for the next write of the file in which the search is kept.
    keep_at: Option<Instant>,
    /// `true` if all threads must return to the first position: it is decided, the table must grow, or the file must be written.
    must_return: AtomicBool,
    /// The keys of the positions on the way of each thread, by the number of moves from the first one; 0 for none.
    ways: Vec<Vec<AtomicU64>>,
    /// The numbers of the first position.
    open: [AtomicU32; 2],
    watch: Mutex<&'a mut (dyn FnMut(Sought) + Send)>,
}

impl<'a> Search<'a> {
    /// Creates a search with a table of at most the given number of bytes, which continues the one in the file `kept`.
    ///
    /// # Errors
    /// Returns the errors of [`Kept::read`].
    pub(super) fn new(
        decided: &'a Decided<'a>,
        game: &'a dyn Game,
        (table_bytes, num_threads, kept): (u64, usize, Option<&Path>),
        (deadline, interrupt): (Deadline, &'a AtomicBool),
        watch: &'a mut (dyn FnMut(Sought) + Send),
    ) -> Result<Self> {
        let mut table = Table::new(table_bytes);
        let kept = kept.map(|path| Kept::read(path, game, &mut table)).transpose()?;
        let evaluation = Evaluation::new(game);
        let way = || (0..SEEN).map(|_| AtomicU64::new(0)).collect();
        let shared = Shared {
            game,
            decided,
            keys: Keys::new(game),
            table,
            attacker: Side::P1,
            met_draw: kept.as_ref().map_or([false; 2], |kept| kept.met_draw).map(AtomicBool::new),
            evaluations: (0..num_threads).map(|_| Mutex::new(evaluation.clone())).collect(),
            nodes: AtomicU64::new(0),
            choices: AtomicU64::new(0),
            deadline,
            interrupt,
            is_stopped: AtomicBool::new(false),
            keep_at: None,
            must_return: AtomicBool::new(false),
            ways: (0..num_threads).map(|_| way()).collect(),
            open: [AtomicU32::new(1), AtomicU32::new(1)],
            watch: Mutex::new(watch),
        };
        Ok(Self { shared, num_threads, kept })
    }

    /// Returns the number of positions visited.
    pub(super) fn nodes(&self) -> u64 {
        self.shared.nodes.load(Ordering::Relaxed)
    }

    /// Returns `true` if the search ended because of the time or an interruption.
    pub(super) fn is_stopped(&self) -> bool {
        self.shared.is_stopped.load(Ordering::Relaxed)
    }

    /// Determines the value of a position for the side to move, or returns `None` if the time does not suffice or if the proof would
    /// have to repeat positions.
    ///
    /// # Errors
    /// Returns an error if the operating system cannot start the threads.
    pub(super) fn value(&mut self, position: &Position) -> Result<Option<Value>> {
        let (own, other) = ((position.side, Value::Win), (position.side.other(), Value::Loss));
        // The goal of which the table knows more comes first, since either may decide the value.
        let is_other_known = self.work(position, other.0) > self.work(position, own.0);
        let [first, second] = if is_other_known { [other, own] } else { [own, other] };
        for ((attacker, reached), (_, missed)) in [(first, second), (second, first)] {
            let Some(wins) = self.wins(position, attacker)? else { return Ok(None) };
            if wins {
                return Ok(Some(reached));
            }
            // Without draws, the other side wins by the same proof.
            if !self.shared.met_draw[attacker.index()].load(Ordering::Relaxed) {
                return Ok(Some(missed));
            }
        }
        Ok(Some(Value::Draw))
    }

    /// Returns the number of positions that the table has for the question whether `attacker` wins from a position, rounded down.
    fn work(&mut self, position: &Position, attacker: Side) -> u32 {
        self.set_attacker(attacker);
        let node = self.shared.node(position);
        self.shared.table.get(self.shared.key(&node.keys)).map_or(0, |known| known.work)
    }

    /// Chooses the side whose win [`Search::move_that_proves`] is about.
    pub(super) fn set_attacker(&mut self, attacker: Side) {
        if self.shared.attacker != attacker {
            for evaluation in &mut self.shared.evaluations {
                evaluation.get_mut().unwrap_or_else(PoisonError::into_inner).forget();
            }
        }
        self.shared.attacker = attacker;
    }

    /// Returns the attacker of the last proof.
    pub(super) fn attacker(&self) -> Side {
        self.shared.attacker
    }

    /// Returns a move after which the side to move reaches its goal, or `None` if none is proved: because the time does not suffice,
    /// because the table is too small to keep the proof, or because there is none.
    pub(super) fn move_that_proves(&mut self, position: &Position) -> Result<Option<Move>> {
        let node = self.shared.node(position);
        for _ in 0..MOST_SEARCHES {
            let children = Worker::new(&self.shared, 0).children(&node);
            if let Some(child) = children.into_iter().find(|child| child.numbers.disproof == 0) {
                let choices = self.shared.choices.get_mut();
                *choices += 1;
                if choices.is_multiple_of(LOOK_EVERY) {
                    self.shared.report(self.nodes());
                }
                return Ok(Some(child.mv));
            }
            if self.numbers(&node)?.proof != 0 {
                break;
            }
        }
        Ok(None)
    }

    /// Determines whether `attacker` wins from `position`; see [`Search::value`].
    fn wins(&mut self, position: &Position, attacker: Side) -> Result<Option<bool>> {
        self.set_attacker(attacker);
        let node = self.shared.node(position);
        let shared = &self.shared;
        let decided = shared.decided.value(&node.board, node.side);
        let known = || shared.table.get(shared.key(&node.keys)).map(|known| known.numbers);
        let found = decided.map(|value| shared.by_value(value, node.side)).or_else(known);
        let numbers = match found.filter(|numbers| numbers.are_final()) {
            Some(numbers) => numbers,
            None => self.numbers(&node)?,
        };
        let reaches_goal = numbers.proof == 0;
        Ok(numbers.are_final().then_some(reaches_goal == (position.side == attacker)))
    }

    /// Searches below an open position with all threads, until it is decided, if time and the rules allow it.
    fn numbers(&mut self, node: &Node) -> Result<Numbers> {
        loop {
            *self.shared.must_return.get_mut() = false;
            self.shared.table.grow();
            self.shared.keep_at = self.kept.as_ref().map(Kept::next_write);
            let shared = &self.shared;
            let found =
                with_deep_stacks(self.num_threads, |number| Worker::new(shared, number).search(node))?;
            let last = found.iter().copied().find(|numbers| numbers.are_final()).unwrap_or(found[0]);
            let is_kept = self.shared.must_be_kept();
            if last.are_final() || self.is_stopped() || !(is_kept || self.shared.table.needs_room()) {
                return Ok(last);
            }
            if is_kept {
                self.keep()?;
            }
        }
    }

    /// Writes the file in which the search is kept, if there is one.
    ///
    /// # Errors
    /// Returns the errors of [`Kept::write`].
    pub(super) fn keep(&mut self) -> Result<()> {
        let Some(kept) = &mut self.kept else { return Ok(()) };
        kept.met_draw = self.shared.met_draw.each_ref().map(|met| met.load(Ordering::Relaxed));
        kept.write(&self.shared.table)
    }

    /// Returns the reason why [`Search::move_that_proves`] found no move.
    pub(super) fn why_unproved(&self) -> Error {
        if self.shared.interrupt.load(Ordering::Relaxed) {
            return Error::Interrupted;
        }
        let reason = if self.is_stopped() {
            "the time was over before a move was chosen in every position"
        } else {
            "the table does not keep the whole proof"
        };
        Error::NoStrategy { reason: reason.into() }
    }
}

impl Shared<'_> {
    fn node(&self, position: &Position) -> Node {
        let keys = self.keys.of(&position.board, position.side);
        Node { board: position.board.clone(), side: position.side, keys }
    }

    /// Tells what the search is doing after `nodes` positions, unless another thread is just doing so.
    fn report(&self, nodes: u64) {
        if let Ok(mut watch) = self.watch.try_lock() {
            let [proof, disproof] = self.open.each_ref().map(|number| number.load(Ordering::Relaxed));
            let choices = self.choices.load(Ordering::Relaxed);
            watch(Sought { nodes, table: self.table.fill(), open: (proof, disproof), choices });
        }
    }

    fn meet_draw(&self) {
        self.met_draw[self.attacker.index()].store(true, Ordering::Relaxed);
    }

    /// Returns the numbers of a decided position with `side` to move.
    fn by_value(&self, value: Value, side: Side) -> Numbers {
        if value == Value::Draw {
            self.meet_draw();
        }
        let reaches_goal = if side == self.attacker { value == Value::Win } else { value != Value::Loss };
        if reaches_goal { Numbers::PROVED } else { Numbers::DISPROVED }
    }

    /// Returns the key of a position with the current goal.
    fn key(&self, keys: &KeySet) -> u128 {
        self.keys.of_question(keys, self.attacker == Side::P1)
    }

    /// Returns `true` if it is time to write the file of the search.
    fn must_be_kept(&self) -> bool {
        self.keep_at.is_some_and(|at| Instant::now() >= at)
    }

    fn must_end(&self) -> bool {
        self.must_return.load(Ordering::Relaxed) || self.is_stopped.load(Ordering::Relaxed)
    }
}

/// One thread of a search.
struct Worker<'s, 'a> {
    shared: &'s Shared<'a>,
    number: usize,
    evaluation: MutexGuard<'s, Evaluation>,
    /// The keys of the positions on the way to the current one, if play can repeat positions.
    path: Option<HashSet<u128>>,
    /// The number of positions visited that the other threads do not know of.
    nodes: u64,
    moves: Vec<Move>,
}

impl<'s, 'a> Worker<'s, 'a> {
    fn new(shared: &'s Shared<'a>, number: usize) -> Self {
        let path = (!shared.game.always_ends()).then(HashSet::new);
        let evaluation = shared.evaluations[number].lock().unwrap_or_else(PoisonError::into_inner);
        Self { shared, number, evaluation, path, nodes: 0, moves: Vec::new() }
    }

    /// Searches below the first position until it is decided, or until all threads must return.
    fn search(mut self, node: &Node) -> Numbers {
        let (numbers, _) = self.visit(node, 0, Numbers { proof: LARGEST, disproof: LARGEST });
        // Without this thread, the others would go on until they find the same.
        self.shared.must_return.store(true, Ordering::Relaxed);
        self.shared.nodes.fetch_add(self.nodes, Ordering::Relaxed);
        numbers
    }

    /// Counts a position, and looks from time to time whether the search must end.
    fn count(&mut self) {
        self.nodes += 1;
        if self.nodes < LOOK_EVERY {
            return;
        }
        let shared = self.shared;
        let nodes = shared.nodes.fetch_add(self.nodes, Ordering::Relaxed) + self.nodes;
        self.nodes = 0;
        if shared.interrupt.load(Ordering::Relaxed) || shared.deadline.has_passed() {
            shared.is_stopped.store(true, Ordering::Relaxed);
        }
        if shared.table.needs_room() || shared.must_be_kept() {
            shared.must_return.store(true, Ordering::Relaxed);
        }
        shared.report(nodes);
    }

    /// Searches below an open position, `plies` moves after the first one, until one of its numbers reaches a limit. Returns the
    /// numbers, and the work.
    fn visit(&mut self, node: &Node, plies: usize, limits: Numbers) -> (Numbers, u32) {
        self.count();
        let shared = self.shared;
        let key = shared.key(&node.keys);
        if let Some(path) = &mut self.path {
            path.insert(key);
        }
        self.show(plies, key);
        let mut children = self.children(node);
        let mut work = 1u32;
        let numbers = loop {
            let numbers = Numbers::of_moves(children.iter().map(|child| child.numbers));
            if plies == 0 {
                let [proof, disproof] = &shared.open;
                proof.store(numbers.proof, Ordering::Relaxed);
                disproof.store(numbers.disproof, Ordering::Relaxed);
            }
            if shared.must_end() || numbers.proof >= limits.proof || numbers.disproof >= limits.disproof {
                break numbers;
            }
            let Some((best, second)) =
                two_least(children.iter().map(|child| self.disproof(child, plies + 1)))
            else {
                break numbers;
            };
            let below = limits_below(limits, numbers, children[best].numbers, second);
            let child = &children[best];
            let next =
                Node { board: apply(&node.board, &child.mv), side: node.side.other(), keys: child.keys };
            let (found, more) = self.visit(&next, plies + 1, below);
            work = work.saturating_add(more);
            children[best].numbers = found;
            for child in children.iter_mut().filter(|child| !child.numbers.are_final()) {
                if let Some(known) = shared.table.get(child.key) {
                    child.numbers = known.numbers;
                }
            }
        };
        self.show(plies, 0);
        if let Some(path) = &mut self.path {
            path.remove(&key);
        }
        shared.table.put(key, Known { numbers, work });
        if numbers.are_final() {
            self.evaluation.learn(&node.board, node.side, numbers.proof == 0);
        }
        (numbers, work)
    }

    /// Shows the other threads the key of the position `plies` moves after the first one.
    fn show(&self, plies: usize, key: u128) {
        if let Some(shown) = self.shared.ways[self.number].get(plies) {
            shown.store(key as u64, Ordering::Relaxed);
        }
    }

    /// Returns `true` if another thread searches below the position with this key, `plies` moves after the first one.
    fn is_on_the_way(&self, plies: usize, key: u128) -> bool {
        let others = self.shared.ways.iter().enumerate().filter(|&(number, _)| number != self.number);
        let mut shown = others.filter_map(|(_, way)| way.get(plies));
        shown.any(|shown| shown.load(Ordering::Relaxed) == key as u64)
    }

    /// Returns the disproof number of an open move to a position `plies` moves after the first one, which counts as larger than it is
    /// if another thread searches below the position. Returns `None` if a search is of no use.
    fn disproof(&self, child: &Child, plies: usize) -> Option<u32> {
        let disproof = child.numbers.disproof;
        if child.numbers.are_final() || disproof >= LARGEST {
            return None;
        }
        let is_elsewhere = self.is_on_the_way(plies, child.key);
        Some(if is_elsewhere { disproof + disproof / SHARE_OF_OTHERS + 1 } else { disproof })
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
        self.shared.game.legal_moves(&node.board, node.side, &mut moves);
        let mut children: Vec<Child> = Vec::with_capacity(moves.len());
        for mv in moves.drain(..) {
            let keys = self.shared.keys.after(node.keys, &node.board, &mv);
            let key = self.shared.key(&keys);
            if children.iter().all(|child| child.key != key) {
                children.push(Child { mv, keys, key, numbers: Numbers::open(1) });
            }
        }
        let (mut new, mut boards) = (Vec::new(), Vec::new());
        for (at, child) in children.iter_mut().enumerate() {
            if self.repeats(child.key) {
                self.shared.meet_draw();
                child.numbers = Numbers::REPEATED;
            } else if let Some(known) = self.shared.table.get(child.key) {
                child.numbers = known.numbers;
            } else {
                new.push(at);
                let start = boards.len();
                boards.extend_from_slice(&node.board);
                let changed = &mut boards[start..];
                child.mv.iter().for_each(|change| changed[usize::from(change.cell)] = change.after);
            }
        }
        self.moves = moves;
        if children.iter().all(|child| child.numbers != Numbers::DISPROVED) {
            self.look_up(&mut children, &new, &boards, node);
        }
        match children.iter().position(|child| child.numbers == Numbers::DISPROVED) {
            Some(enough) => vec![children.swap_remove(enough)],
            None => children,
        }
    }

    /// Sets the numbers of the `new` ones of `children`, which have not been visited. `boards` contains the boards after these moves.
    fn look_up(&mut self, children: &mut [Child], new: &[usize], boards: &[u8], node: &Node) {
        let side = node.side.other();
        let values = self.shared.decided.values(boards, side);
        if values.contains(&None) {
            self.evaluation.read(&node.board, side);
        }
        let num_moves = children.len();
        for (&at, value) in new.iter().zip(values) {
            let child = &mut children[at];
            child.numbers = match value {
                Some(value) => self.shared.by_value(value, side),
                None => Numbers::estimated(
                    num_moves,
                    self.evaluation.log_odds_after(&node.board, &child.mv, side),
                ),
            };
            self.shared.table.put(child.key, Known { numbers: child.numbers, work: 1 });
        }
    }
}
