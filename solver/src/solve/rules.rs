//! The symbolic rules of a game, loaded into a store: compiled moves and terminal sets of both sides.
//!
//! Invariant: for each side, the three terminal sets are disjoint and their union is `terminal`, which includes
//! positions without a legal move except in games that can only be played forward.

use std::sync::Arc;

use nerode_dfa::{Dfa, Moves, Set, Store};
use nerode_games::{Game, Side, Terminal, Value};

use super::resources::Resources;
use crate::error::Result;

/// The moves and terminal sets of one side.
#[derive(Clone, Debug)]
pub struct SideRules {
    /// All moves of the side.
    pub moves: Moves,
    /// `W0`: terminal positions won for the side to move.
    pub win: Set,
    /// `L0`: terminal positions lost for the side to move.
    pub loss: Set,
    /// `D0`: drawn terminal positions.
    pub draw: Set,
    /// `T = W0 ∪ L0 ∪ D0`.
    pub terminal: Set,
    /// `¬T`: positions in which the game goes on.
    pub playing: Set,
    /// The set to which the moves must lead, unless every word is allowed.
    pub arrivals: Option<Set>,
    /// The positions in which the side passes, in games with passes: it has no move, the other side has one, and the
    /// game is not over.
    pub passes: Option<Set>,
}

/// The rules of a game in a store.
pub struct CompiledRules {
    /// The game.
    pub game: Arc<dyn Game>,
    /// The store that contains the sets.
    pub store: Store,
    sides: [SideRules; 2],
}

impl CompiledRules {
    /// Compiles the moves and terminal sets of both sides.
    ///
    /// # Errors
    /// Returns an error if the description of the game does not fit its own shape, or if memory is exhausted.
    pub fn new(game: Arc<dyn Game>, resources: &Resources) -> Result<Self> {
        let mut store = resources.store(game.shape())?;
        let (one, two) =
            (turns(game.as_ref(), &mut store, Side::P1)?, turns(game.as_ref(), &mut store, Side::P2)?);
        let p1 = side_rules(game.as_ref(), &mut store, Side::P1, &one, &two)?;
        let p2 = side_rules(game.as_ref(), &mut store, Side::P2, &two, &one)?;
        Ok(Self { game, store, sides: [p1, p2] })
    }

    /// Returns the rules with `side` to move.
    pub fn side(&self, side: Side) -> &SideRules {
        &self.sides[side.index()]
    }

    /// Returns the positions that `side` can reach by one move from a non-terminal position of `set`.
    ///
    /// # Errors
    /// Returns an error if memory is exhausted or the computation is interrupted.
    pub fn image(&mut self, set: &Set, side: Side) -> Result<Set> {
        let rules = self.side(side).clone();
        let playing = self.store.difference(set, &rules.terminal)?;
        let image = self.store.image(&playing, &rules.moves)?;
        let moved = within(&mut self.store, &image, &rules.arrivals)?;
        self.with_passes(moved, &playing, &rules)
    }

    /// Returns the non-terminal positions of `side` that have a move into `set`.
    ///
    /// # Errors
    /// Returns an error if memory is exhausted or the computation is interrupted.
    pub fn preimage(&mut self, set: &Set, side: Side) -> Result<Set> {
        let rules = self.side(side).clone();
        let arriving = within(&mut self.store, set, &rules.arrivals)?;
        let all = self.store.preimage(&arriving, &rules.moves)?;
        let moved = self.store.difference(&all, &rules.terminal)?;
        self.with_passes(moved, set, &rules)
    }

    /// Returns the union of `moved` and the words of `set` at which the side passes; a pass leads from a word to
    /// itself.
    fn with_passes(&mut self, moved: Set, set: &Set, rules: &SideRules) -> Result<Set> {
        let Some(passes) = &rules.passes else { return Ok(moved) };
        let stay = self.store.intersection(set, passes)?;
        Ok(self.store.union(&moved, &stay)?)
    }

    /// Returns the start position as a set, and the side to move.
    ///
    /// # Errors
    /// Returns an error if memory is exhausted.
    pub fn start(&mut self) -> Result<(Set, Side)> {
        let (board, side) = self.game.start();
        Ok((self.store.word(&self.game.word_of(&board))?, side))
    }

    /// Returns `set` as a canonical automaton.
    pub fn freeze(&self, set: &Set) -> Dfa {
        self.store.freeze(set)
    }
}

/// Returns `set ∩ arrivals`.
fn within(store: &mut Store, set: &Set, arrivals: &Option<Set>) -> Result<Set> {
    Ok(match arrivals {
        Some(arrivals) => store.intersection(set, arrivals)?,
        None => set.clone(),
    })
}

/// The moves of one side, their arrivals, and the words from which it has a move (all words in games that can only be
/// played forward).
struct Turns {
    moves: Moves,
    arrivals: Option<Set>,
    can_move: Set,
}

fn turns(game: &dyn Game, store: &mut Store, side: Side) -> Result<Turns> {
    let moves = game.moves(store, side)?;
    let moves = store.relation(&moves)?;
    let arrivals = game.arrivals(store, side)?;
    let full = store.full();
    let can_move = if game.forward_only() {
        full
    } else {
        let somewhere = within(store, &full, &arrivals)?;
        store.preimage(&somewhere, &moves)?
    };
    Ok(Turns { moves, arrivals, can_move })
}

fn side_rules(
    game: &dyn Game,
    store: &mut Store,
    side: Side,
    own: &Turns,
    other: &Turns,
) -> Result<SideRules> {
    let mut valued = game.terminal(store, side)?;
    let ended = store.union_all(&[valued.win.clone(), valued.loss.clone(), valued.draw.clone()])?;
    let settled = store.union(&own.can_move, &ended)?;
    let mut no_move = store.complement(&settled)?;
    let mut passes = None;
    if game.has_passes() {
        passes = Some(store.intersection(&no_move, &other.can_move)?);
        no_move = store.difference(&no_move, &other.can_move)?;
    }
    let terminal = store.union(&ended, &no_move)?;
    if !no_move.is_empty() {
        add_no_move(game, store, side, no_move, &mut valued)?;
    }
    let playing = store.complement(&terminal)?;
    let Terminal { win, loss, draw } = valued;
    let (moves, arrivals) = (own.moves.clone(), own.arrivals.clone());
    Ok(SideRules { moves, win, loss, draw, terminal, playing, arrivals, passes })
}

/// Adds the words of `no_move`, at which the lack of a move ends the game, to the sets of their values.
fn add_no_move(
    game: &dyn Game,
    store: &mut Store,
    side: Side,
    mut no_move: Set,
    valued: &mut Terminal,
) -> Result<()> {
    if let Some(by_value) = game.no_move(store, side)? {
        let parts = [
            (&mut valued.win, by_value.win),
            (&mut valued.loss, by_value.loss),
            (&mut valued.draw, by_value.draw),
        ];
        for (set, words) in parts {
            let part = store.intersection(&no_move, &words)?;
            *set = store.union(set, &part)?;
            no_move = store.difference(&no_move, &words)?;
        }
    }
    let usual = match game.no_move_value() {
        Value::Win => &mut valued.win,
        Value::Loss => &mut valued.loss,
        Value::Draw => &mut valued.draw,
    };
    *usual = store.union(usual, &no_move)?;
    Ok(())
}
