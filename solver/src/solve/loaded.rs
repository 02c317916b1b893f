//! The data of a game in an engine: the moves in a store, and finished automata of terminal positions and of arrivals.

use nerode_dfa::{Dfa, Moves, Store};
use nerode_games::{Game, Side};

use super::recursions::Recursions;
use super::resources::Resources;
use super::rules::CompiledRules;
use super::terminal::{Over, TerminalSets};
use crate::error::Result;

/// A game in a store, with its sets as finished automata by side.
pub(super) struct Loaded {
    /// The store that contains the moves.
    pub(super) store: Store,
    /// The moves of each side.
    pub(super) moves: [Moves; 2],
    /// The terminal sets over all words; `None` if only reachable positions are needed.
    pub(super) terminal: Option<[TerminalSets; 2]>,
    /// The terminal sets for reachable positions.
    pub(super) over: [Over; 2],
    /// The set to which the moves of each side must lead, unless every word is allowed.
    pub(super) arrivals: [Option<Dfa>; 2],
}

impl Loaded {
    /// Loads the sets over all words.
    pub(super) fn whole(rules: CompiledRules) -> Self {
        let terminal = Side::BOTH.map(|side| TerminalSets::new(&rules, rules.side(side)));
        let over = terminal.each_ref().map(Over::whole);
        let arrivals = Side::BOTH.map(|side| rules.side(side).arrivals.as_ref().map(|set| rules.freeze(set)));
        let moves = Side::BOTH.map(|side| rules.side(side).moves.clone());
        Self { store: rules.store, moves, terminal: Some(terminal), over, arrivals }
    }

    /// Loads the sets needed for reachable positions. Returns `None` for a game that does not describe terminal
    /// positions by several sets.
    pub(super) fn in_play(game: &dyn Game, resources: &Resources) -> Result<Option<Self>> {
        // The positions in which a side passes are derived from the words without a move, which would form one large
        // set.
        if game.has_passes() {
            return Ok(None);
        }
        let mut store = resources.store(game.shape())?;
        let Some(one) = side_of(game, &mut store, Side::P1)? else { return Ok(None) };
        let Some(two) = side_of(game, &mut store, Side::P2)? else { return Ok(None) };
        let (moves, over) = ([one.moves, two.moves], [one.over, two.over]);
        Ok(Some(Self { store, moves, terminal: None, over, arrivals: [one.arrivals, two.arrivals] }))
    }

    /// Creates recursions in its store.
    pub(super) fn into_recursions(self) -> Recursions {
        Recursions::new(self.store, self.moves)
    }
}

/// The sets of one side needed for reachable positions.
struct OneSide {
    moves: Moves,
    over: Over,
    arrivals: Option<Dfa>,
}

fn side_of(game: &dyn Game, store: &mut Store, side: Side) -> Result<Option<OneSide>> {
    let Some(over) = game.over_in_play(store, side)? else { return Ok(None) };
    let moves = game.moves(store, side)?;
    let moves = store.relation(&moves)?;
    let arrivals = game.arrivals(store, side)?;
    let somewhere = arrivals.clone().unwrap_or_else(|| store.full());
    let can_move = store.preimage(&somewhere, &moves)?;
    let can_move = store.freeze(&can_move);
    let over = Over::in_play(game, store, side, &over, can_move)?;
    let arrivals = arrivals.map(|set| store.freeze(&set));
    Ok(Some(OneSide { moves, over, arrivals }))
}
