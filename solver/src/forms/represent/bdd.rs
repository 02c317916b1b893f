//! The won and the lost positions of a side as two binary decision diagrams in one manager, by the crate `oxidd`.
//!
//! Each cell is written in binary: a layer with k letters has ceil(log2 k) variables, the most significant bit first, and
//! layers keep their order. A bit that can only be 0 after the bits before it, because 1 would make it no letter, is not
//! looked at: bit patterns that are no letter never cost a node.
//!
//! The diagrams are built from the last layer up, one state at a time, so no node is made that is not kept. Both sets
//! share nodes. Invariant: after [`Bdd::build`] the manager holds the nodes of the two sets and nothing else.

use nerode_dfa::{Dfa, Target};
use oxidd::bdd::{BDDFunction, BDDManagerRef};
use oxidd::{BooleanFunction, Function, Manager, ManagerRef};

use super::form::too_large;
use super::{LOSS, WIN};
use crate::error::{Error, Result};

/// Bytes of an inner node in oxidd's index-based manager: reference count, level and two edges, four bytes each. The
/// manager's hash tables, and the room it has reserved beyond the nodes, are not counted.
pub const NODE_BYTES: u64 = 16;

/// Most nodes that an index of the manager can name.
const MAX_NODES: u64 = (1 << 32) - 3;

/// States between two questions whether to go on.
const STATES_AT_ONCE: u32 = 4096;

/// Two sets of words as binary decision diagrams.
pub struct Bdd {
    manager: BDDManagerRef,
    layers: Vec<Cell>,
    win: BDDFunction,
    loss: BDDFunction,
    num_nodes: u64,
}

/// The variables of a layer.
#[derive(Clone, Copy, Debug)]
struct Cell {
    letters: usize,
    first_var: u32,
    bits: u32,
}

impl Bdd {
    /// The diagrams of the won and of the lost positions.
    ///
    /// *Cost*: at most k - 1 nodes for each state of a layer with k letters; time in proportion. Reserves, without
    /// touching it, room for that many nodes or for `limit_bytes`, whichever is less.
    ///
    /// # Errors
    /// [`Error::TooLarge`] when the nodes would take more than `limit_bytes`, [`NODE_BYTES`] each;
    /// [`Error::Dfa`] when the sets have different letters; [`Error::Unrepresentable`] for too many letters or layers.
    pub fn build(win: &Dfa, loss: &Dfa, limit_bytes: u64) -> Result<Self> {
        Self::build_while(win, loss, limit_bytes, &|| Ok(()))
    }

    /// The same, with `go_on` asked now and then whether to.
    ///
    /// # Errors
    /// As for [`Bdd::build`]; the error of `go_on`.
    pub fn build_while(
        win: &Dfa,
        loss: &Dfa,
        limit_bytes: u64,
        go_on: &dyn Fn() -> Result<()>,
    ) -> Result<Self> {
        let layers = cells(win)?;
        let same = loss.shape() == win.shape();
        if !same {
            let reason = "won and lost positions are sets over different letters";
            return Err(nerode_dfa::Error::ShapeMismatch(reason.into()).into());
        }
        let num_vars = layers.last().map_or(0, |cell| cell.first_var + cell.bits);
        // The variables themselves are nodes while the diagrams are built.
        let most = most_nodes(win).saturating_add(most_nodes(loss)).saturating_add(u64::from(num_vars));
        let capacity = most.min(limit_bytes / NODE_BYTES).min(MAX_NODES);
        let full = || {
            let needed = u128::from(NODE_BYTES) * u128::from(capacity + 1);
            too_large("the binary decision diagram, up to where it stopped,", needed, limit_bytes)
        };
        let manager = oxidd::bdd::new_manager(usize::try_from(capacity).map_err(|_| full())?, 0, 1);
        let builder = Builder::new(&manager, &layers, num_vars, &full)?;
        let win = builder.function(win, go_on)?;
        let loss = builder.function(loss, go_on)?;
        drop(builder);
        let num_nodes = manager.with_manager_shared(|m| {
            m.gc();
            m.num_inner_nodes() as u64
        });
        Ok(Self { manager, layers, win, loss, num_nodes })
    }

    /// Inner nodes of both diagrams together, shared ones counted once.
    pub fn num_nodes(&self) -> u64 {
        self.num_nodes
    }

    /// Inner nodes of the diagram of the won positions, and of that of the lost ones, each by itself.
    ///
    /// *Cost*: a walk over the nodes.
    pub fn num_nodes_of_sets(&self) -> (u64, u64) {
        // oxidd counts the constants as nodes too.
        let inner = |set: &BDDFunction| {
            let constants =
                self.manager.with_manager_shared(|m| [BDDFunction::t(m), BDDFunction::f(m)].contains(set));
            let terminals = if constants { 1 } else { 2 };
            (set.node_count() as u64).saturating_sub(terminals)
        };
        (inner(&self.win), inner(&self.loss))
    }

    /// Bytes of the nodes: [`NODE_BYTES`] times [`Bdd::num_nodes`].
    pub fn bytes(&self) -> u64 {
        self.num_nodes * NODE_BYTES
    }

    /// [`WIN`] or [`LOSS`] for a word of the won or lost positions, else `rest`, which the caller knows to mean draw or
    /// unknown.
    ///
    /// *Cost*: one step a variable, in each diagram.
    ///
    /// # Errors
    /// [`Error::Dfa`] when it is not a word over the sets' letters.
    pub fn get(&self, word: &[u8], rest: u8) -> Result<u8> {
        let fits = word.len() == self.layers.len()
            && self.layers.iter().zip(word).all(|(cell, &letter)| usize::from(letter) < cell.letters);
        if !fits {
            return Err(nerode_dfa::Error::Word(format!("{word:?}")).into());
        }
        let bits = || {
            self.layers.iter().zip(word).flat_map(|(cell, &letter)| {
                (0..cell.bits)
                    .map(move |bit| (cell.first_var + bit, letter >> (cell.bits - 1 - bit) & 1 == 1))
            })
        };
        Ok(if self.win.eval(bits()) {
            WIN
        } else if self.loss.eval(bits()) {
            LOSS
        } else {
            rest
        })
    }
}

/// The variables of each layer.
fn cells(rows: &Dfa) -> Result<Vec<Cell>> {
    let mut first_var = 0_u32;
    let mut cells = Vec::with_capacity(rows.shape().num_layers());
    for layer in 0..rows.shape().num_layers() {
        let letters = rows.shape().num_letters(layer);
        if letters == 0 || letters > 256 {
            let what = format!("layer {layer} with {letters} letters");
            return Err(unrepresentable(what, "1 to 256 letters a layer"));
        }
        let bits = letters.next_power_of_two().trailing_zeros();
        cells.push(Cell { letters, first_var, bits });
        first_var = first_var
            .checked_add(bits)
            .ok_or_else(|| unrepresentable(format!("layer {layer}"), "2^32 variables"))?;
    }
    Ok(cells)
}

/// The error for letters that diagrams cannot be made of.
fn unrepresentable(what: String, limit: &str) -> Error {
    Error::Unrepresentable { what, format: "a decision diagram", limit: limit.into() }
}

/// A bound on the nodes of a set.
fn most_nodes(rows: &Dfa) -> u64 {
    (0..rows.shape().num_layers()).fold(0_u64, |sum, layer| {
        let each = rows.shape().num_letters(layer).saturating_sub(1) as u64;
        sum.saturating_add((rows.num_states_in(layer) as u64).saturating_mul(each))
    })
}

/// What building needs beside the states.
struct Builder<'a> {
    layers: &'a [Cell],
    vars: Vec<BDDFunction>,
    reject: BDDFunction,
    accept: BDDFunction,
    full: &'a dyn Fn() -> Error,
}

impl<'a> Builder<'a> {
    fn new(
        manager: &BDDManagerRef,
        layers: &'a [Cell],
        num_vars: u32,
        full: &'a dyn Fn() -> Error,
    ) -> Result<Self> {
        let range = manager.with_manager_exclusive(|m| m.add_vars(num_vars));
        manager.with_manager_shared(|m| {
            let vars: std::result::Result<Vec<_>, _> = range.map(|var| BDDFunction::var(m, var)).collect();
            let vars = vars.map_err(|_| full())?;
            Ok(Self { layers, vars, reject: BDDFunction::f(m), accept: BDDFunction::t(m), full })
        })
    }

    /// The diagram of a set, from the last layer up; two layers of states are held at a time.
    fn function(&self, rows: &Dfa, go_on: &dyn Fn() -> Result<()>) -> Result<BDDFunction> {
        let mut below: Vec<BDDFunction> = Vec::new();
        for (layer, cell) in self.layers.iter().enumerate().rev() {
            let mut here = Vec::with_capacity(rows.num_states_in(layer));
            let mut targets = Vec::with_capacity(cell.letters);
            for state in (0..=u32::MAX).take(rows.num_states_in(layer)) {
                if state.is_multiple_of(STATES_AT_ONCE) {
                    go_on()?;
                }
                targets.clear();
                for letter in 0..cell.letters {
                    targets.push(self.resolve(rows.target(layer, state, letter as u8), &below)?);
                }
                here.push(self.choose(cell.first_var, cell.bits, &targets)?);
            }
            below = here;
        }
        self.resolve(rows.root(), &below).cloned()
    }

    /// The diagram that a target stands for, given those of the next layer's states.
    fn resolve<'b>(&'b self, target: Target, below: &'b [BDDFunction]) -> Result<&'b BDDFunction> {
        match target {
            Target::Reject => Ok(&self.reject),
            Target::Accept => Ok(&self.accept),
            Target::State(state) => {
                let found = usize::try_from(state).ok().and_then(|state| below.get(state));
                found.ok_or_else(|| Error::Mismatch {
                    what: "an automaton".into(),
                    found: format!("a letter that leads to state {state}"),
                    expected: "a state of the next layer".into(),
                })
            }
        }
    }

    /// The diagram that reads `bits` variables from `var` on as a number and goes on with that target.
    fn choose(&self, var: u32, bits: u32, targets: &[&BDDFunction]) -> Result<BDDFunction> {
        let Some(rest) = bits.checked_sub(1) else {
            return Ok(targets.first().copied().unwrap_or(&self.reject).clone());
        };
        let (zero, one) = targets.split_at(targets.len().min(1 << rest));
        let without = self.choose(var + 1, rest, zero)?;
        if one.is_empty() {
            return Ok(without);
        }
        let with = self.choose(var + 1, rest, one)?;
        let top = usize::try_from(var).ok().and_then(|var| self.vars.get(var)).ok_or_else(self.full)?;
        // The variable is above both, so this makes one node at most and looks at no other.
        top.ite(&with, &without).map_err(|_| (self.full)())
    }
}
