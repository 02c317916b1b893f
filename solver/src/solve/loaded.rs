//! A game as an engine keeps it: moves in a store, and finished automata of where its game is over and where moves lead.

use nerode_dfa::{Dfa, Moves, Store};
use nerode_games::{Game, Side};

use super::ended::{Ended, Over};
use super::recursions::Recursions;
use super::resources::Resources;
use super::rules::CompiledRules;
use crate::error::Result;

/// A game in a store, and its sets as finished automata, by side.
pub(super) struct Loaded {
    /// Where the moves are.
    pub(super) store: Store,
    /// The moves of each side.
    pub(super) moves: [Moves; 2],
    /// Where the game is over among all words; `None` where only positions of play are asked about.
    pub(super) ended: Option<[Ended; 2]>,
    /// Where it is over among positions of play.
    pub(super) over: [Over; 2],
    /// What the moves must lead to, if not every word will do.
    pub(super) arrivals: [Option<Dfa>; 2],
}

impl Loaded {
    /// All of it.
    pub(super) fn whole(rules: CompiledRules) -> Self {
        let ended = Side::BOTH.map(|side| Ended::new(&rules, rules.side(side)));
        let over = ended.each_ref().map(Over::whole);
        let arrivals = Side::BOTH.map(|side| rules.side(side).arrivals.as_ref().map(|set| rules.freeze(set)));
        let moves = Side::BOTH.map(|side| rules.side(side).moves.clone());
        Self { store: rules.store, moves, ended: Some(ended), over, arrivals }
    }

    /// What the positions of play need. `None` for a game that does not state where play is over in several sets.
    pub(super) fn in_play(game: &dyn Game, resources: &Resources) -> Result<Option<Self>> {
        // Where a side passes follows from the words without a move, of which there would be one large set.
        if game.has_passes() {
            return Ok(None);
        }
        let mut store = resources.store(game.shape())?;
        let Some(one) = side_of(game, &mut store, Side::P1)? else { return Ok(None) };
        let Some(two) = side_of(game, &mut store, Side::P2)? else { return Ok(None) };
        let (moves, over) = ([one.moves, two.moves], [one.over, two.over]);
        Ok(Some(Self { store, moves, ended: None, over, arrivals: [one.arrivals, two.arrivals] }))
    }

    /// Recursions in its store.
    pub(super) fn into_recursions(self) -> Recursions {
        Recursions::new(self.store, self.moves)
    }
}

/// What the positions of play need of one side.
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
