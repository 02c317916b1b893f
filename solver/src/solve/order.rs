//! Letter orders compared: the states that W and L need under each, and a search for an order that needs fewer.
//!
//! Invariants: an order is measured by a whole retrograde solve in memory, and solved once however often it comes up; what is
//! found depends on neither threads nor time. Only the last W and L count, not the sets of the plies before them.

use std::collections::HashMap;
use std::sync::atomic::Ordering;

use nerode_dfa::Dfa;
use nerode_games::{Side, registry};
use serde::Serialize;

use crate::error::{Error, Result};
use crate::solve::choose::must_be_solvable;
use crate::solve::engine::Engine;
use crate::solve::method::Chains;
use crate::solve::resources::Resources;
use crate::solve::retrograde::Retrograde;

/// A number for either side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct BothSides {
    /// `P1` to move.
    #[serde(rename = "P1")]
    pub p1: u64,
    /// `P2` to move.
    #[serde(rename = "P2")]
    pub p2: u64,
}

/// States of the last W and L of both sides under one order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct States {
    /// Of the four sets together.
    pub total: u64,
    /// Of the largest of them.
    pub largest: u64,
    /// Of W.
    pub win: BothSides,
    /// Of L.
    pub loss: BothSides,
    /// Retrograde plies computed.
    pub plies: u32,
    /// Whether these reach the fixpoint.
    pub complete: bool,
}

/// A letter order and what it needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Measured {
    /// Its name, as [`registry::open_with_order`] takes it.
    pub order: String,
    /// The cell that layer 0, 1, ... holds.
    pub cells: Vec<usize>,
    /// `None` when the solve did not fit the memory cap.
    pub num_states: Option<States>,
}

impl Measured {
    /// What orders are compared by, the better one lower: states of all sets, then of the largest.
    fn rank(&self) -> (u64, u64) {
        self.num_states.map_or((u64::MAX, u64::MAX), |states| (states.total, states.largest))
    }
}

/// Where a search by sifting ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sifted {
    /// Where it began.
    pub start: Measured,
    /// The best order met; the start itself if none was better.
    pub best: Measured,
    /// Orders solved on the way.
    pub solves: u32,
    /// Times that every layer was tried in every place.
    pub passes: u32,
    /// Whether no layer of `best` has a better place, all others staying in line; else the budget was spent before.
    pub settled: bool,
}

/// Called after every solve.
pub type Watch<'a> = &'a mut dyn FnMut(&Measured);

/// The letter orders of one game, each measured when first asked for.
pub struct Orders<'a> {
    spec: &'a str,
    plies: Option<u32>,
    resources: &'a Resources,
    watch: Watch<'a>,
    measured: HashMap<Vec<usize>, Option<States>>,
    solves: u32,
}

impl<'a> Orders<'a> {
    /// Measures orders of the game that `spec` names by retrograde solves of at most `plies` plies, `None` for all, each
    /// within `resources`.
    pub fn new(spec: &'a str, plies: Option<u32>, resources: &'a Resources, watch: Watch<'a>) -> Self {
        Self { spec, plies, resources, watch, measured: HashMap::new(), solves: 0 }
    }

    /// The named orders and those of `more`, each name once, best first; of equal ones those that the game names first.
    ///
    /// Cost: a solve for each.
    ///
    /// # Errors
    /// A spec or order that does not exist; interruption; [`Error::NoOrderFits`].
    pub fn compare(&mut self, more: &[String]) -> Result<Vec<Measured>> {
        let mut all: Vec<Measured> = Vec::new();
        for order in registry::orders(self.spec)?.iter().chain(more) {
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

    /// The order called `order`, which may be a list of cells.
    ///
    /// # Errors
    /// A spec or order that does not exist; interruption. Running out of memory is a measurement without states.
    pub fn measure(&mut self, order: &str) -> Result<Measured> {
        // A small board is solved before the engine looks at the flag.
        if self.resources.interrupt.load(Ordering::Relaxed) {
            return Err(nerode_dfa::Error::Interrupted.into());
        }
        let game = registry::open_with_order(self.spec, Some(order))?;
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

    /// Sifting, as for binary decision diagrams (Rudell 1993): each layer in turn is tried in every place and left in the
    /// best, until a pass over all layers finds nothing better, or `budget` orders have been solved.
    ///
    /// Cost: for n layers n² - n solves in a pass at most.
    ///
    /// # Errors
    /// As [`Orders::measure`].
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

    /// Sifts every layer once, in the order of the cells; `false` when the budget ends before.
    fn pass(&mut self, best: &mut Measured, last: u32) -> Result<bool> {
        for cell in 0..best.cells.len() {
            if !self.place(cell, best, last)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Tries `cell` in every place of `best`; of equally good ones the first stays, `best` before all.
    fn place(&mut self, cell: usize, best: &mut Measured, last: u32) -> Result<bool> {
        let others: Vec<usize> = best.cells.iter().copied().filter(|&other| other != cell).collect();
        for place in 0..=others.len() {
            let mut cells = others.clone();
            cells.insert(place, cell);
            if self.solves >= last && !self.measured.contains_key(&cells) {
                return Ok(false);
            }
            let found = self.measure(&registry::order_of_cells(&cells))?;
            if found.rank() < best.rank() {
                *best = found;
            }
        }
        Ok(true)
    }
}

/// W and L to the fixpoint or for `plies` plies.
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
