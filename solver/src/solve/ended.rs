//! Where a game is over, as finished automata.

use nerode_dfa::{Dfa, Store};
use nerode_games::{Game, OverInPlay, Side, Value};

use super::rules::{CompiledRules, SideRules};
use crate::error::Result;

/// Where the game of one side is over.
#[derive(Clone, Debug)]
pub struct Ended {
    /// `W0`: terminal and won for the side to move.
    pub win: Dfa,
    /// `L0`: terminal and lost.
    pub loss: Dfa,
    /// `D0`: terminal and drawn.
    pub draw: Dfa,
    /// `T = W0 ∪ L0 ∪ D0`.
    pub all: Dfa,
    /// `¬T`: the game goes on.
    pub playing: Dfa,
    /// Where the side passes, in games with passes.
    pub passes: Option<Dfa>,
}

impl Ended {
    /// What `rules` say of one side.
    pub(super) fn new(rules: &CompiledRules, side: &SideRules) -> Self {
        let of = |set| rules.freeze(set);
        Self {
            win: of(&side.win),
            loss: of(&side.loss),
            draw: of(&side.draw),
            all: of(&side.terminal),
            playing: of(&side.playing),
            passes: side.passes.as_ref().map(of),
        }
    }
}

/// Where the game of one side is over among the positions that play reaches, in sets that need not be right elsewhere.
#[derive(Clone, Debug)]
pub(super) struct Over {
    /// The union of these is where the game is over, lost positions included.
    pub(super) all: Vec<Dfa>,
    /// Won for the side to move.
    pub(super) win: Vec<Dfa>,
    /// Drawn.
    pub(super) draw: Vec<Dfa>,
    /// The positions without a move; `None` where the sets above hold them.
    pub(super) stuck: Option<Stuck>,
}

/// What the lack of a move means for one side.
#[derive(Clone, Debug)]
pub(super) struct Stuck {
    /// `preimage(arrivals)`: the words that the side has a move from.
    pub(super) can_move: Dfa,
    /// A position without a move is won in here,
    pub(super) win: Dfa,
    /// drawn in here, and lost elsewhere.
    pub(super) draw: Dfa,
}

impl Over {
    /// The same of all words.
    pub(super) fn whole(ended: &Ended) -> Self {
        let Ended { win, draw, all, .. } = ended.clone();
        Self { all: vec![all], win: vec![win], draw: vec![draw], stuck: None }
    }

    /// What `game` states of the positions of play with `side` to move, which can move from the words of `can_move`.
    pub(super) fn in_play(
        game: &dyn Game,
        store: &mut Store,
        side: Side,
        over: &OverInPlay,
        can_move: Dfa,
    ) -> Result<Self> {
        let freeze = |store: &Store, sets: &[_]| sets.iter().map(|set| store.freeze(set)).collect::<Vec<_>>();
        let (win, draw) = (freeze(store, &over.win), freeze(store, &over.draw));
        let all = [win.clone(), freeze(store, &over.loss), draw.clone()].concat();
        let usual = game.no_move_value();
        let (stuck_win, stuck_draw) = match game.no_move(store, side)? {
            Some(by_value) => {
                let valued =
                    store.union_all(&[by_value.win.clone(), by_value.loss, by_value.draw.clone()])?;
                let rest = store.complement(&valued)?;
                let with_rest = |store: &mut Store, set, value| {
                    if usual == value { store.union(&set, &rest) } else { Ok(set) }
                };
                (with_rest(store, by_value.win, Value::Win)?, with_rest(store, by_value.draw, Value::Draw)?)
            }
            None => {
                let mut whole = |value| if usual == value { store.full() } else { store.empty() };
                (whole(Value::Win), whole(Value::Draw))
            }
        };
        let stuck = Stuck { can_move, win: store.freeze(&stuck_win), draw: store.freeze(&stuck_draw) };
        Ok(Self { all, win, draw, stuck: Some(stuck) })
    }
}
