//! A game's symbolic rules, loaded into a store: compiled moves and terminal sets of both sides.
//!
//! Invariant: for each side the three terminal sets are disjoint and their union is `terminal`, "no legal move" included, but for
//! games that are played forward only.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use nerode_dfa::{Dfa, Moves, Set, Store};
use nerode_games::{Game, Side, Value};

use crate::error::Result;

/// Limits and means of a computation.
#[derive(Clone, Debug)]
pub struct Resources {
    /// Cap on the engine's tables, in bytes.
    pub memory: u64,
    /// Threads to use; results do not depend on it.
    pub threads: usize,
    /// Set by the user to stop at the next safe point.
    pub interrupt: Arc<AtomicBool>,
    /// How sets are moved; results do not depend on it.
    pub backend: Backend,
}

/// How sets are moved and combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// Recursions while sets are small, passes from then on.
    #[default]
    Auto,
    /// Recursions that remember results.
    Recursion,
    /// Passes a layer at a time.
    Passes,
}

impl Default for Resources {
    /// One thread, no cap, nobody to interrupt, whichever way suits.
    fn default() -> Self {
        Self {
            memory: u64::MAX,
            threads: 1,
            interrupt: Arc::new(AtomicBool::new(false)),
            backend: Backend::Auto,
        }
    }
}

/// What one side can do and where its game is over.
#[derive(Clone, Debug)]
pub struct SideRules {
    /// All moves of the side.
    pub moves: Moves,
    /// `W0`: terminal and won for the side to move.
    pub win: Set,
    /// `L0`: terminal and lost.
    pub loss: Set,
    /// `D0`: terminal and drawn.
    pub draw: Set,
    /// `T = W0 ∪ L0 ∪ D0`.
    pub terminal: Set,
    /// `¬T`: the game goes on.
    pub playing: Set,
    /// What the moves must lead to, if not every word will do.
    pub arrivals: Option<Set>,
}

/// A game in a store.
pub struct Rules {
    /// The game.
    pub game: Arc<dyn Game>,
    /// Where its sets live.
    pub store: Store,
    sides: [SideRules; 2],
}

impl Rules {
    /// Compiles the moves and terminal sets of both sides.
    ///
    /// # Errors
    /// A description that does not fit its own shape; running out of memory.
    pub fn new(game: Arc<dyn Game>, resources: &Resources) -> Result<Self> {
        let mut store = Store::new(game.shape().clone(), resources.memory)?;
        store.set_threads(resources.threads)?;
        store.set_interrupt(Arc::clone(&resources.interrupt));
        let p1 = side_rules(game.as_ref(), &mut store, Side::P1)?;
        let p2 = side_rules(game.as_ref(), &mut store, Side::P2)?;
        Ok(Self { game, store, sides: [p1, p2] })
    }

    /// The rules for `side` to move.
    pub fn side(&self, side: Side) -> &SideRules {
        &self.sides[side.index()]
    }

    /// Positions that `side` can reach by one move from a position of `set` where its game is not over.
    ///
    /// # Errors
    /// Running out of memory; interruption.
    pub fn image(&mut self, set: &Set, side: Side) -> Result<Set> {
        let rules = self.side(side).clone();
        let playing = self.store.difference(set, &rules.terminal)?;
        let image = self.store.image(&playing, &rules.moves)?;
        within(&mut self.store, &image, &rules.arrivals)
    }

    /// Positions where the game of `side` is not over and some move leads into `set`.
    ///
    /// # Errors
    /// Running out of memory; interruption.
    pub fn preimage(&mut self, set: &Set, side: Side) -> Result<Set> {
        let rules = self.side(side).clone();
        let set = within(&mut self.store, set, &rules.arrivals)?;
        let all = self.store.preimage(&set, &rules.moves)?;
        Ok(self.store.difference(&all, &rules.terminal)?)
    }

    /// The start position as a set, and the side to move.
    ///
    /// # Errors
    /// Running out of memory.
    pub fn start(&mut self) -> Result<(Set, Side)> {
        let (board, side) = self.game.start();
        Ok((self.store.word(&self.game.word_of(&board))?, side))
    }

    /// `set` as a canonical automaton.
    pub fn freeze(&self, set: &Set) -> Dfa {
        self.store.freeze(set)
    }
}

/// `set ∩ arrivals`.
fn within(store: &mut Store, set: &Set, arrivals: &Option<Set>) -> Result<Set> {
    Ok(match arrivals {
        Some(arrivals) => store.intersection(set, arrivals)?,
        None => set.clone(),
    })
}

fn side_rules(game: &dyn Game, store: &mut Store, side: Side) -> Result<SideRules> {
    let moves = store.relation(&game.moves(side)?)?;
    let ended = game.terminal(store, side)?;
    let ended_all = store.union_all(&[ended.win.clone(), ended.loss.clone(), ended.draw.clone()])?;
    let arrivals = game.arrivals(store, side)?;
    let stuck = if game.forward_only() {
        store.empty()
    } else {
        let full = store.full();
        let somewhere = within(store, &full, &arrivals)?;
        let can_move = store.preimage(&somewhere, &moves)?;
        let settled = store.union(&can_move, &ended_all)?;
        store.complement(&settled)?
    };
    let (mut usual, mut otherwise) = (stuck.clone(), None);
    if !stuck.is_empty()
        && let Some((words, value)) = game.stuck_otherwise(store, side)?
    {
        otherwise = Some((store.intersection(&stuck, &words)?, value));
        usual = store.difference(&stuck, &words)?;
    }
    let mut add = |set: &Set, value: Value| -> Result<Set> {
        let mut all = set.clone();
        let parts = [Some((usual.clone(), game.stuck_value())), otherwise.clone()];
        for (part, _) in parts.into_iter().flatten().filter(|(_, of)| *of == value) {
            all = store.union(&all, &part)?;
        }
        Ok(all)
    };
    let win = add(&ended.win, Value::Win)?;
    let loss = add(&ended.loss, Value::Loss)?;
    let draw = add(&ended.draw, Value::Draw)?;
    let terminal = store.union(&ended_all, &stuck)?;
    let playing = store.complement(&terminal)?;
    Ok(SideRules { moves, win, loss, draw, terminal, playing, arrivals })
}
