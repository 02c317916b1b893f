//! The won and the lost positions of a side as two binary decision diagrams in one manager of the crate `oxidd`.
//!
//! Each cell is encoded in binary: a layer with k letters has ceil(log2 k) variables, with the most significant bit
//! first, and layers keep their order. A bit that can only be 0 given the preceding bits, because 1 would not yield a
//! letter, is skipped, so bit patterns that are not letters never cost a node.
//!
//! The diagrams are built from the last layer upward, one state at a time, so that no temporary nodes are created. The
//! two sets share nodes. Invariant: after [`Bdd::build`], the manager contains the nodes of the two sets and nothing
//! else.

use nerode_dfa::{Dfa, Target};
use oxidd::bdd::{BDDFunction, BDDManagerRef};
use oxidd::{BooleanFunction, Function, Manager, ManagerRef};

use super::form::too_large;
use super::{LOSS, WIN};
use crate::error::{Error, Result};

/// The size in bytes of an inner node in oxidd's index-based manager: reference count, level and two edges, with four
/// bytes each. The hash tables of the manager and the memory it has reserved for further nodes are not counted.
pub const NODE_BYTES: u64 = 16;

/// The maximum number of nodes that the manager can index.
const MAX_NODES: u64 = (1 << 32) - 3;

/// The number of states between two checks for an interruption.
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
    /// Builds the diagrams of the won and of the lost positions.
    ///
    /// *Cost*: at most k - 1 nodes for each state of a layer with k letters, with time in proportion. Reserves memory
    /// for that many nodes or `limit_bytes`, whichever is less, without touching it.
    ///
    /// # Errors
    /// Returns [`Error::TooLarge`] if the nodes would need more than `limit_bytes`, with [`NODE_BYTES`] each;
    /// [`Error::Dfa`] if the sets have different letters; or [`Error::Unrepresentable`] if there are too many letters
    /// or layers.
    pub fn build(win: &Dfa, loss: &Dfa, limit_bytes: u64) -> Result<Self> {
        Self::build_while(win, loss, limit_bytes, &|| Ok(()))
    }

    /// Builds the diagrams as [`Bdd::build`] does, and calls `go_on` from time to time. An error of `go_on` ends the
    /// computation.
    ///
    /// # Errors
    /// Returns the same errors as [`Bdd::build`], or the error of `go_on`.
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
        // The variables themselves occupy nodes while the diagrams are built.
        let most = most_nodes(win).saturating_add(most_nodes(loss)).saturating_add(u64::from(num_vars));
        let capacity = most.min(limit_bytes / NODE_BYTES).min(MAX_NODES);
        let full = || {
            let needed = u128::from(NODE_BYTES) * u128::from(capacity + 1);
            too_large("the part of the binary decision diagram built so far", needed, limit_bytes)
        };
        let manager = oxidd::bdd::new_manager(usize::try_from(capacity).map_err(|_| full())?, 0, 1);
        let builder = Builder::new(&manager, &layers, num_vars, &full)?;
        let win = builder.function(win, go_on)?;
        let loss = builder.function(loss, go_on)?;
        drop(builder);
        // The manager's own thread collects garbage under the shared lock, and `gc` does nothing in the meantime.
        let num_nodes = manager.with_manager_exclusive(|m| {
            m.gc();
            m.num_inner_nodes() as u64
        });
        Ok(Self { manager, layers, win, loss, num_nodes })
    }

    /// Returns the number of inner nodes of both diagrams together, counting shared ones once.
    pub fn num_nodes(&self) -> u64 {
        self.num_nodes
    }

    /// Returns the numbers of inner nodes of the two diagrams separately, first that of the won positions.
    ///
    /// *Cost*: a traversal of the nodes.
    pub fn num_nodes_of_sets(&self) -> (u64, u64) {
        // oxidd also counts the constants as nodes.
        let inner = |set: &BDDFunction| {
            let constants =
                self.manager.with_manager_shared(|m| [BDDFunction::t(m), BDDFunction::f(m)].contains(set));
            let terminals = if constants { 1 } else { 2 };
            (set.node_count() as u64).saturating_sub(terminals)
        };
        (inner(&self.win), inner(&self.loss))
    }

    /// Returns the size of the nodes in bytes: [`NODE_BYTES`] times [`Bdd::num_nodes`].
    pub fn bytes(&self) -> u64 {
        self.num_nodes * NODE_BYTES
    }

    /// Returns [`WIN`] or [`LOSS`] for a word of the won or lost positions, and otherwise `rest`, which the caller
    /// knows to be draw or unknown.
    ///
    /// *Cost*: one step per variable in each diagram.
    ///
    /// # Errors
    /// Returns [`Error::Dfa`] if `word` is not a word over the letters of the sets.
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

/// Returns the variables of each layer.
fn cells(rows: &Dfa) -> Result<Vec<Cell>> {
    let mut first_var = 0_u32;
    let mut cells = Vec::with_capacity(rows.shape().num_layers());
    for layer in 0..rows.shape().num_layers() {
        let letters = rows.shape().num_letters(layer);
        if letters == 0 || letters > 256 {
            let what = format!("layer {layer} with {letters} letters");
            return Err(unrepresentable(what, "1 to 256 letters per layer"));
        }
        let bits = letters.next_power_of_two().trailing_zeros();
        cells.push(Cell { letters, first_var, bits });
        first_var = first_var
            .checked_add(bits)
            .ok_or_else(|| unrepresentable(format!("layer {layer}"), "2^32 variables"))?;
    }
    Ok(cells)
}

/// Returns the error for letters that a diagram cannot represent.
fn unrepresentable(what: String, limit: &str) -> Error {
    Error::Unrepresentable { what, format: "a decision diagram", limit: limit.into() }
}

/// Returns an upper bound for the number of nodes of a set.
fn most_nodes(rows: &Dfa) -> u64 {
    (0..rows.shape().num_layers()).fold(0_u64, |sum, layer| {
        let each = rows.shape().num_letters(layer).saturating_sub(1) as u64;
        sum.saturating_add((rows.num_states_in(layer) as u64).saturating_mul(each))
    })
}

/// The context for building a diagram.
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

    /// Builds the diagram of a set from the last layer upward, holding two layers of states at a time.
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

    /// Returns the diagram of a target, given those of the states of the next layer.
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

    /// Returns the diagram that reads `bits` variables from `var` on as a number, and continues with the target of that
    /// number.
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
        // The variable is above both operands, so this creates at most one node and visits no other.
        top.ite(&with, &without).map_err(|_| (self.full)())
    }
}
