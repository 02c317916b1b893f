//! Terminal positions of a game, as finished automata.

use nerode_dfa::{Dfa, Store};
use nerode_games::{Game, OverInPlay, Side, Value};

use super::rules::{CompiledRules, SideRules};
use crate::error::Result;

/// The terminal sets with one side to move.
#[derive(Clone, Debug)]
pub struct TerminalSets {
    /// `W0`: terminal positions won for the side to move.
    pub win: Dfa,
    /// `L0`: terminal positions lost for the side to move.
    pub loss: Dfa,
    /// `D0`: drawn terminal positions.
    pub draw: Dfa,
    /// `T = W0 ∪ L0 ∪ D0`.
    pub all: Dfa,
    /// `¬T`: positions in which the game goes on.
    pub playing: Dfa,
    /// The positions in which the side passes, in games with passes.
    pub passes: Option<Dfa>,
}

impl TerminalSets {
    /// Converts the terminal sets of one side from `rules`.
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

/// The terminal positions of one side among the reachable positions, described by sets that need not be correct
/// elsewhere.
#[derive(Clone, Debug)]
pub(super) struct Over {
    /// The sets whose union is the set of terminal positions, including lost ones.
    pub(super) all: Vec<Dfa>,
    /// The sets of positions won for the side to move.
    pub(super) win: Vec<Dfa>,
    /// The sets of drawn positions.
    pub(super) draw: Vec<Dfa>,
    /// The positions without a move; `None` if the sets above already contain them.
    pub(super) stuck: Option<Stuck>,
}

/// The values of positions in which one side has no move.
#[derive(Clone, Debug)]
pub(super) struct Stuck {
    /// `preimage(arrivals)`: the words from which the side has a move.
    pub(super) can_move: Dfa,
    /// The positions that are won if there is no move.
    pub(super) win: Dfa,
    /// The positions that are drawn if there is no move. All other positions are then lost.
    pub(super) draw: Dfa,
}

impl Over {
    /// Converts terminal sets that are correct for all words.
    pub(super) fn whole(terminal: &TerminalSets) -> Self {
        let TerminalSets { win, draw, all, .. } = terminal.clone();
        Self { all: vec![all], win: vec![win], draw: vec![draw], stuck: None }
    }

    /// Converts the terminal sets that `game` defines for reachable positions with `side` to move, which has a move
    /// from the words of `can_move`.
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
