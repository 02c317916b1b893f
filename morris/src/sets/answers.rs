//! Values of single positions from a directory of sectors solved as sets.
//!
//! Invariant: the sets of a sector are read at most once, when a position of it is asked for.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use nerode_dfa::Dfa;
use nerode_games::morris::{Rules, rules_of};
use nerode_games::{Game, Side};

use super::folder::{ListedSet, SetsDir};
use super::sector_sets::Stones;
use crate::tables::Sector;
use nerode_solver::archive::slot::Slot;
use nerode_solver::error::Result;
use nerode_solver::outcome::{Depth, Outcome};

/// A directory of sectors as sets that answers. Many threads may ask at once.
pub struct SectorSetsSolution {
    /// The game, in the letter order of the directory.
    pub game: Arc<dyn Game>,
    rules: Rules,
    dir: SetsDir,
    /// Sets by depth of the sectors that are there, each read when it is first needed.
    sectors: BTreeMap<Stones, Slot<Vec<Dfa>>>,
}

/// What a directory says of a sector, without reading its sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectorSummary {
    /// Stones of the side to move and of the other.
    pub stones: Stones,
    /// All positions with such stones.
    pub num_positions: u128,
    /// The sets by depth.
    pub by_depth: Vec<ListedSet>,
}

impl SectorSetsSolution {
    /// Opens a directory; sectors are read when they are asked for.
    ///
    /// # Errors
    /// Those of [`SetsDir::open`].
    pub fn open(path: &Path) -> Result<Self> {
        let (dir, game) = SetsDir::open(path)?;
        let (_, rules) = rules_of(&game.spec())?;
        let sectors = dir.sectors()?.into_iter().map(|stones| (stones, Slot::default())).collect();
        Ok(Self { game, rules, dir, sectors })
    }

    /// What is known of a board with `side` to move. `None`: its sector is not there, as of no board with stones in hand.
    ///
    /// *Cost*: one look-up for each depth up to that of the position; the files of its sector at the first call.
    ///
    /// # Errors
    /// Those of [`SetsDir::read`].
    pub fn get(&self, board: &[u8], side: Side) -> Result<Option<Outcome>> {
        let state = self.rules.state_of(board, side);
        if let Some(value) = state.decided_by_stones() {
            return Ok(Some(Outcome::new(value, Depth::Exact(0))));
        }
        let stones = [state.own_stones(), state.other_stones()];
        let Some(slot) = self.sectors.get(&stones).filter(|_| state.own_hand + state.other_hand == 0) else {
            return Ok(None);
        };
        let by_depth = slot.get_or_read(|| Ok(self.dir.read(stones)?.unwrap_or_default()))?;
        let word = self.game.word_of(&seen_by_first(board, side));
        let depth = (0u32..).zip(by_depth).find(|(_, set)| set.contains(&word)).map(|(depth, _)| depth);
        Ok(Some(match depth {
            None => Outcome::DRAW,
            Some(plies) if plies % 2 == 1 => Outcome::win_in(plies),
            Some(plies) => Outcome::loss_in(plies),
        }))
    }

    /// The sector of a board with `side` to move.
    pub fn sector_of(&self, board: &[u8], side: Side) -> Sector {
        Sector::of(self.rules.state_of(board, side))
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The sectors that are there. Their stones are all placed.
    pub fn sectors(&self) -> Vec<Sector> {
        self.sectors.keys().map(placed).collect()
    }

    /// The sectors that are there, without reading their sets.
    ///
    /// # Errors
    /// Those of [`SetsDir::listed`].
    pub fn summaries(&self) -> Result<Vec<SectorSummary>> {
        let num_points = self.rules.board.num_points();
        let of = |&[own, other]: &Stones| {
            Ok(SectorSummary {
                stones: [own, other],
                num_positions: placed(&[own, other]).num_boards(num_points),
                by_depth: self.dir.listed([own, other])?,
            })
        };
        self.sectors.keys().map(of).collect()
    }
}

/// The sector with these stones, all placed.
fn placed(&[own, other]: &Stones) -> Sector {
    Sector { own, other, own_hand: 0, other_hand: 0 }
}

/// The board with the sides exchanged where P2 moves: in sets P1 is to move everywhere.
fn seen_by_first(board: &[u8], side: Side) -> Vec<u8> {
    // Hands are empty.
    let exchanged = |&content: &u8| if content == 0 { 0 } else { 3 - content };
    match side {
        Side::P1 => board.to_vec(),
        Side::P2 => board.iter().map(exchanged).collect(),
    }
}
