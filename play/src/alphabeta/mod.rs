//! A simple search player: alpha-beta with iterative deepening, a hash table and killer moves.
//! It knows the rules but no solution, so it serves as an opponent for solutions.

mod field;
mod morris;
mod plain;
mod table;

use std::time::{Duration, Instant};

use chacha20::ChaCha12Rng;
use nerode_games::Value;
use rand::SeedableRng;
use rand::seq::SliceRandom;

pub use field::Field;
pub use morris::MorrisField;
pub use plain::PlainField;
use table::{Bound, Entry, Table, WIN, WON};

/// The maximum depth of a search in plies.
const MOST_PLIES: u8 = 64;
/// The number of positions of the game that are remembered. It is sufficient because games are drawn after fewer
/// plies without a placement or capture.
const MOST_PAST: usize = 100;

/// The limits of a search, which ends at the first one it reaches. The first ply is always searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The number of positions.
    pub nodes: u64,
    /// The depth in plies.
    pub plies: u8,
    /// The time for a move. With this limit, the choice depends on the machine.
    pub time: Option<Duration>,
}

/// The number of positions between two checks of the clock.
const LOOK_EVERY: u64 = 1024;

impl Budget {
    /// Creates a budget of `nodes` positions, without other limits.
    pub fn of_nodes(nodes: u64) -> Self {
        Self { nodes, plies: MOST_PLIES, time: None }
    }
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<S> {
    /// The best move.
    pub step: S,
    /// Its evaluation for the side that makes it.
    pub worth: i32,
    /// The depth of the search in plies. The last ply may not have been searched for every move.
    pub plies: u8,
    /// The number of positions visited.
    pub nodes: u64,
}

/// A search on a field. Its tables are kept from move to move.
pub struct Search<F: Field> {
    field: F,
    budget: Budget,
    table: Table<F::Step>,
    killers: Vec<[Option<F::Step>; 2]>,
    /// The keys of the positions before the current one, in the game and in the search.
    path: Vec<u64>,
    nodes: u64,
    /// Whether the budget applies, which is the case after the first ply.
    limited: bool,
    /// The time at which the search for a move must end.
    deadline: Option<Instant>,
}

impl<F: Field> Search<F> {
    /// Creates a search with empty tables.
    pub fn new(field: F, budget: Budget) -> Self {
        Self {
            field,
            budget,
            table: Table::new(budget.nodes),
            killers: Vec::new(),
            path: Vec::new(),
            nodes: 0,
            limited: false,
            deadline: None,
        }
    }

    /// Returns the field.
    pub fn field(&self) -> &F {
        &self.field
    }

    /// Returns the best move of `node`, or `None` if there is none. `past` contains the keys of the positions of the
    /// game so far, whose repetition counts as a draw. `seed` chooses among moves with equal evaluations.
    pub fn best(&mut self, node: &F::Node, past: &[u64], seed: u64) -> Option<Found<F::Step>> {
        (self.nodes, self.limited) = (0, false);
        self.deadline = self.budget.time.and_then(|time| Instant::now().checked_add(time));
        self.path = past[past.len().saturating_sub(MOST_PAST)..].to_vec();
        self.path.push(self.field.key(node));
        self.killers = vec![[None, None]; usize::from(MOST_PLIES) + 2];
        let mut steps = Vec::new();
        self.field.steps(node, &mut steps);
        steps.shuffle(&mut ChaCha12Rng::seed_from_u64(seed));
        steps.sort_by_key(|step| !self.field.takes(step));
        let mut found = Found { step: steps.first()?.clone(), worth: 0, plies: 0, nodes: 0 };
        for plies in 1..=self.budget.plies.clamp(1, MOST_PLIES) {
            let whole = self.of_root(node, &steps, plies, &mut found);
            self.limited = true;
            if !whole || found.worth.abs() >= WON || steps.len() == 1 {
                break;
            }
            // The next iteration searches the best move first.
            if let Some(at) = steps.iter().position(|step| *step == found.step) {
                steps[..=at].rotate_right(1);
            }
        }
        found.nodes = self.nodes;
        Some(found)
    }

    /// Searches every move of the root and records the best one. Returns whether the budget sufficed.
    fn of_root(&mut self, node: &F::Node, steps: &[F::Step], plies: u8, found: &mut Found<F::Step>) -> bool {
        let mut best = -WIN;
        for step in steps {
            let next = self.field.after(node, step);
            let Some(worth) = self.look(&next, plies - 1, 1, -WIN, -best) else { return false };
            if -worth > best || best == -WIN {
                best = -worth;
                *found = Found { step: step.clone(), worth: best, plies, nodes: self.nodes };
            }
        }
        true
    }

    /// Returns `true` if the number of positions or the time is exhausted.
    fn is_spent(&self) -> bool {
        let is_late = || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.nodes > self.budget.nodes || self.nodes.is_multiple_of(LOOK_EVERY) && is_late()
    }

    /// Returns the evaluation of `node` for the side to move, within the bounds, or `None` if the budget is
    /// exhausted. `depth` is the number of plies to search, and `ply` the number of plies from the root.
    fn look(&mut self, node: &F::Node, depth: u8, ply: i32, alpha: i32, beta: i32) -> Option<i32> {
        self.nodes += 1;
        if self.limited && self.is_spent() {
            return None;
        }
        let key = self.field.key(node);
        if self.path.contains(&key) {
            return Some(0);
        }
        match self.field.over(node) {
            Some(Value::Win) => return Some(WIN - ply),
            Some(Value::Loss) => return Some(ply - WIN),
            Some(Value::Draw) => return Some(0),
            None if depth == 0 => return Some(self.field.judge(node)),
            None => {}
        }
        let known = self.table.get(key);
        if let Some(worth) = known.as_ref().and_then(|entry| entry.decides(depth, ply, alpha, beta)) {
            return Some(worth);
        }
        self.path.push(key);
        let best = self.of_moves(node, depth, ply, (alpha, beta), known.map(|entry| entry.step));
        self.path.pop();
        let (worth, step) = best?;
        let bound = match worth {
            worth if worth <= alpha => Bound::AtMost,
            worth if worth >= beta => Bound::AtLeast,
            _ => Bound::Exact,
        };
        self.table.put(Entry::new(key, step, depth, bound, worth, ply));
        Some(worth)
    }

    /// Returns the best of the moves of `node`, and its evaluation.
    fn of_moves(
        &mut self,
        node: &F::Node,
        depth: u8,
        ply: i32,
        (alpha, beta): (i32, i32),
        first: Option<F::Step>,
    ) -> Option<(i32, F::Step)> {
        let level = ply as usize;
        let mut steps = Vec::new();
        self.field.steps(node, &mut steps);
        let killers = self.killers.get(level).cloned().unwrap_or_default();
        steps.sort_by_cached_key(|step| {
            let killer = killers.iter().position(|killer| killer.as_ref() == Some(step));
            (first.as_ref() != Some(step), !self.field.takes(step), killer.unwrap_or(killers.len()))
        });
        let (mut best, mut alpha) = (None::<(i32, F::Step)>, alpha);
        for step in steps {
            let next = self.field.after(node, &step);
            let worth = -self.look(&next, depth - 1, ply + 1, -beta, -alpha)?;
            if best.as_ref().is_none_or(|(most, _)| worth > *most) {
                best = Some((worth, step.clone()));
            }
            alpha = alpha.max(worth);
            if alpha >= beta {
                self.remember(level, step);
                break;
            }
        }
        best
    }

    /// Records a move that refuted a position, for other positions of the same level.
    fn remember(&mut self, level: usize, step: F::Step) {
        if self.field.takes(&step) {
            return;
        }
        if let Some(killers) = self.killers.get_mut(level)
            && killers[0].as_ref() != Some(&step)
        {
            killers.swap(0, 1);
            killers[0] = Some(step);
        }
    }
}
