//! Comparison of letter orders by the number of states that W and L need under each, and a search for a better order.
//!
//! Invariants: an order is measured by a complete retrograde solve in memory, and each order is solved only once.
//! Results depend on neither threads nor time. Only the last W and L count, not the sets of earlier plies.

use std::collections::HashMap;
use std::sync::atomic::Ordering;

use nerode_dfa::Dfa;
use nerode_games::registry::order_of_cells;
use nerode_games::{Registry, Side};
use serde::Serialize;

use crate::error::{Error, Result};
use crate::solve::choose::must_be_solvable;
use crate::solve::engine::Engine;
use crate::solve::method::Chains;
use crate::solve::resources::Resources;
use crate::solve::retrograde::Retrograde;

/// A number for each side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BothSides {
    /// The number with `P1` to move.
    #[serde(rename = "P1")]
    pub p1: u64,
    /// The number with `P2` to move.
    #[serde(rename = "P2")]
    pub p2: u64,
}

/// The numbers of states of the last W and L of both sides under one order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct States {
    /// The total of the four sets.
    pub total: u64,
    /// The number of states of the largest set.
    pub largest: u64,
    /// The numbers of states of W.
    pub win: BothSides,
    /// The numbers of states of L.
    pub loss: BothSides,
    /// The number of retrograde plies computed.
    pub plies: u32,
    /// `true` if these plies reach the fixpoint.
    pub complete: bool,
}

/// A letter order and its measurement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Measured {
    /// The name of the order, as accepted by `--order` and by the registry of games.
    pub order: String,
    /// The cells of layers 0, 1, ...
    pub cells: Vec<usize>,
    /// The numbers of states, or `None` if the solve did not fit under the memory cap.
    pub num_states: Option<States>,
}

impl Measured {
    /// Returns the sort key of an order, which is lower for better orders: the total number of states, then that of the
    /// largest set.
    fn rank(&self) -> (u64, u64) {
        self.num_states.map_or((u64::MAX, u64::MAX), |states| (states.total, states.largest))
    }
}

/// The result of a search by sifting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sifted {
    /// The initial order.
    pub start: Measured,
    /// The best order found, which is the initial one if none was better.
    pub best: Measured,
    /// The number of orders solved during the search.
    pub solves: u32,
    /// The number of complete passes over all layers.
    pub passes: u32,
    /// `true` if no layer of `best` can be moved to a better place on its own; `false` if the budget was exhausted
    /// first.
    pub settled: bool,
}

/// An observer that is called after every solve.
pub type Watch<'a> = &'a mut dyn FnMut(&Measured);

/// The letter orders of a game, each of which is measured when it is first needed.
pub struct Orders<'a> {
    registry: &'a Registry,
    spec: &'a str,
    plies: Option<u32>,
    resources: &'a Resources,
    watch: Watch<'a>,
    measured: HashMap<Vec<usize>, Option<States>>,
    solves: u32,
}

impl<'a> Orders<'a> {
    /// Creates a comparison of orders of the game named by `spec` in `registry`. Orders are measured by retrograde solves of at most
    /// `plies` plies, or of all plies for `None`, each within `resources`.
    pub fn new(
        registry: &'a Registry,
        spec: &'a str,
        plies: Option<u32>,
        resources: &'a Resources,
        watch: Watch<'a>,
    ) -> Self {
        Self { registry, spec, plies, resources, watch, measured: HashMap::new(), solves: 0 }
    }

    /// Measures the named orders and those in `more`, and returns them sorted with the best first and without
    /// duplicates. Equally good orders stay in the order in which the game names them.
    ///
    /// Cost: one solve for each order.
    ///
    /// # Errors
    /// Returns an error if the spec or an order does not exist or the computation is interrupted, or
    /// [`Error::NoOrderFits`].
    pub fn compare(&mut self, more: &[String]) -> Result<Vec<Measured>> {
        let mut all: Vec<Measured> = Vec::new();
        for order in self.registry.orders(self.spec)?.iter().chain(more) {
            let one = self.measure(order)?;
            if all.iter().all(|other| other.order != one.order) {
                all.push(one);
            }
        }
        if all.iter().all(|one| one.num_states.is_none()) {
            return Err(Error::NoOrderFits { game: self.spec.into(), limit_bytes: self.resources.memory });
        }
        all.sort_by_key(Measured::rank);
        Ok(all)
    }

    /// Measures the order named `order`, which may be a list of cells.
    ///
    /// # Errors
    /// Returns an error if the spec or the order does not exist or the computation is interrupted. If memory is
    /// exhausted, the measurement has no states.
    pub fn measure(&mut self, order: &str) -> Result<Measured> {
        // The flag is checked here because a small board is solved before the engine checks it.
        if self.resources.interrupt.load(Ordering::Relaxed) {
            return Err(nerode_dfa::Error::Interrupted.into());
        }
        let game = self.registry.open_with_order(self.spec, Some(order))?;
        let (order, cells) = (game.order().to_string(), game.cell_of_layer().to_vec());
        if let Some(&states) = self.measured.get(&cells) {
            return Ok(Measured { order, cells, num_states: states });
        }
        let solved = Engine::new(game, self.resources, None).and_then(|engine| solve(engine, self.plies));
        let states = match solved {
            Ok(states) => Some(states),
            Err(Error::Dfa(nerode_dfa::Error::OutOfMemory { .. })) => None,
            Err(other) => return Err(other),
        };
        self.solves += 1;
        self.measured.insert(cells.clone(), states);
        let measured = Measured { order, cells, num_states: states };
        (self.watch)(&measured);
        Ok(measured)
    }

    /// Searches for a better order by sifting, as for binary decision diagrams (Rudell 1993): each layer in turn is
    /// tried in every place and left in the best one, until a pass over all layers finds no improvement or `budget`
    /// orders have been solved.
    ///
    /// Cost: at most n² - n solves per pass for n layers.
    ///
    /// # Errors
    /// Returns the same errors as [`Orders::measure`].
    pub fn sift(&mut self, start: &Measured, budget: u32) -> Result<Sifted> {
        let before = self.solves;
        let last = before.saturating_add(budget);
        let (mut best, mut passes) = (start.clone(), 0);
        let settled = loop {
            let rank = best.rank();
            if !self.pass(&mut best, last)? {
                break false;
            }
            passes += 1;
            if best.rank() == rank {
                break true;
            }
        };
        Ok(Sifted { start: start.clone(), best, solves: self.solves - before, passes, settled })
    }

    /// Sifts every layer once, in the order of the cells. Returns `false` if the budget is exhausted first.
    fn pass(&mut self, best: &mut Measured, last: u32) -> Result<bool> {
        for cell in 0..best.cells.len() {
            if !self.place(cell, best, last)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Tries `cell` in every place of `best`. Among equally good places, the first is chosen, with preference for the
    /// current one.
    fn place(&mut self, cell: usize, best: &mut Measured, last: u32) -> Result<bool> {
        let others: Vec<usize> = best.cells.iter().copied().filter(|&other| other != cell).collect();
        for place in 0..=others.len() {
            let mut cells = others.clone();
            cells.insert(place, cell);
            if self.solves >= last && !self.measured.contains_key(&cells) {
                return Ok(false);
            }
            let found = self.measure(&order_of_cells(&cells))?;
            if found.rank() < best.rank() {
                *best = found;
            }
        }
        Ok(true)
    }
}

/// Computes W and L up to the fixpoint or for `plies` plies.
fn solve(mut engine: Engine, plies: Option<u32>) -> Result<States> {
    must_be_solvable(engine.game.as_ref())?;
    let mut iteration = Retrograde::new(&engine, Chains::Both);
    let complete = loop {
        if plies.is_some_and(|most| iteration.ply() >= most) {
            break false;
        }
        if !iteration.step(&mut engine)? {
            break true;
        }
    };
    let states = |sets: &[Dfa; 2]| {
        let [p1, p2] = Side::BOTH.map(|side| sets[side.index()].num_states() as u64);
        BothSides { p1, p2 }
    };
    let level = iteration.level();
    let (win, loss) = (states(&level.win), states(&level.loss));
    let all = [win.p1, win.p2, loss.p1, loss.p2];
    let largest = all.into_iter().fold(0, u64::max);
    Ok(States { total: all.iter().sum(), largest, win, loss, plies: iteration.ply(), complete })
}
