//! A game's symbolic rules, loaded into a store: compiled moves and terminal sets of both sides.
//!
//! Invariant: for each side the three terminal sets are disjoint and their union is `terminal`, "no legal move" included.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use nerode_dfa::{Dfa, Moves, Set, Store};
use nerode_games::{Game, Side, Terminal, Value};

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
    /// Where the side passes, in games with passes: it has no move, the other side has one, and the game is not over.
    pub passes: Option<Set>,
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
        let (one, two) =
            (turns(game.as_ref(), &mut store, Side::P1)?, turns(game.as_ref(), &mut store, Side::P2)?);
        let p1 = side_rules(game.as_ref(), &mut store, Side::P1, &one, &two)?;
        let p2 = side_rules(game.as_ref(), &mut store, Side::P2, &two, &one)?;
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
        let moved = self.store.image(&playing, &rules.moves)?;
        self.with_passes(moved, &playing, &rules)
    }

    /// Positions where the game of `side` is not over and some move leads into `set`.
    ///
    /// # Errors
    /// Running out of memory; interruption.
    pub fn preimage(&mut self, set: &Set, side: Side) -> Result<Set> {
        let rules = self.side(side).clone();
        let all = self.store.preimage(set, &rules.moves)?;
        let moved = self.store.difference(&all, &rules.terminal)?;
        self.with_passes(moved, set, &rules)
    }

    /// `moved`, and the words of `set` that a pass leads from and to.
    fn with_passes(&mut self, moved: Set, set: &Set, rules: &SideRules) -> Result<Set> {
        let Some(passes) = &rules.passes else { return Ok(moved) };
        let stay = self.store.intersection(set, passes)?;
        Ok(self.store.union(&moved, &stay)?)
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

/// The moves of one side and the words that it has one from.
struct Turns {
    moves: Moves,
    can_move: Set,
}

fn turns(game: &dyn Game, store: &mut Store, side: Side) -> Result<Turns> {
    let moves = store.relation(&game.moves(side)?)?;
    let full = store.full();
    let can_move = store.preimage(&full, &moves)?;
    Ok(Turns { moves, can_move })
}

fn side_rules(
    game: &dyn Game,
    store: &mut Store,
    side: Side,
    own: &Turns,
    other: &Turns,
) -> Result<SideRules> {
    let Terminal { win, loss, draw } = game.terminal(store, side)?;
    let ended = store.union_all(&[win.clone(), loss.clone(), draw.clone()])?;
    let settled = store.union(&own.can_move, &ended)?;
    let mut stuck = store.complement(&settled)?;
    let (full, none) = (store.full(), store.empty());
    let (by_value, passes) = match game.both_stuck(store, side)? {
        Some(values) => {
            let passes = store.intersection(&stuck, &other.can_move)?;
            stuck = store.difference(&stuck, &passes)?;
            (values, Some(passes))
        }
        None => {
            let all_if = |value| if game.stuck_value() == value { full.clone() } else { none.clone() };
            let (win, loss, draw) = (all_if(Value::Win), all_if(Value::Loss), all_if(Value::Draw));
            (Terminal { win, loss, draw }, None)
        }
    };
    let mut add = |set: &Set, valued: &Set| -> Result<Set> {
        let stuck = store.intersection(&stuck, valued)?;
        Ok(store.union(set, &stuck)?)
    };
    let (win, loss, draw) =
        (add(&win, &by_value.win)?, add(&loss, &by_value.loss)?, add(&draw, &by_value.draw)?);
    let terminal = store.union(&ended, &stuck)?;
    let playing = store.complement(&terminal)?;
    Ok(SideRules { moves: own.moves.clone(), win, loss, draw, terminal, playing, passes })
}
