//! Values of single positions, read from a directory of sectors solved as sets.
//!
//! Invariant: the sets of a sector are read at most once, when one of its positions is first looked up.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use nerode_dfa::{Dfa, Letter};
use nerode_games::morris::Rules;
use nerode_games::{Game, Side, Value};

use super::folder::{ListedSet, SetsDir};
use super::sector_sets::Stones;
use crate::tables::Sector;
use nerode_solver::archive::slot::Slot;
use nerode_solver::error::Result;
use nerode_solver::outcome::{Depth, Outcome};

/// A directory of sectors as sets, opened for look-ups from any number of threads.
pub struct SectorSetsSolution {
    /// The game, in the letter order of the directory.
    pub game: Arc<dyn Game>,
    rules: Rules,
    dir: SetsDir,
    /// The sets by depth of the sectors in the directory, each read when it is first needed.
    sectors: BTreeMap<Stones, Slot<Vec<Dfa>>>,
}

/// The description of a sector in a directory, obtained without reading its sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectorSummary {
    /// The stones of the side to move and of the other side.
    pub stones: Stones,
    /// The number of all positions with these stones.
    pub num_positions: u128,
    /// The sets by depth.
    pub by_depth: Vec<ListedSet>,
}

impl SectorSetsSolution {
    /// Opens a directory. The sectors are read on demand.
    ///
    /// # Errors
    /// Returns the errors of [`SetsDir::open`].
    pub fn open(path: &Path) -> Result<Self> {
        let (dir, game) = SetsDir::open(path)?;
        let rules = game.sector_rules()?.clone();
        let sectors = dir.sectors()?.into_iter().map(|stones| (stones, Slot::default())).collect();
        Ok(Self { game, rules, dir, sectors })
    }

    /// Looks up a board with `side` to move. Returns `None` if its sector is not in the directory, as for every board
    /// with stones in hand.
    ///
    /// *Cost*: one look-up for each depth up to that of the position. The first look-up reads the files of the sector.
    ///
    /// # Errors
    /// Returns the errors of [`SetsDir::read`].
    pub fn get(&self, board: &[u8], side: Side) -> Result<Option<Outcome>> {
        let state = self.rules.state_of(board, side);
        if let Some(value) = state.decided_by_stones() {
            return Ok(Some(Outcome::new(value, Depth::Exact(0))));
        }
        let stones = [state.own_stones(), state.other_stones()];
        let Some(slot) = self.sectors.get(&stones).filter(|_| state.own_hand + state.other_hand == 0) else {
            return Ok(None);
        };
        let by_depth = self.read(stones, slot)?;
        let word = self.word(board, side);
        let depth = (0u32..).zip(by_depth).find(|(_, set)| set.contains(&word)).map(|(depth, _)| depth);
        Ok(Some(match depth {
            None => Outcome::DRAW,
            Some(plies) => Outcome::new(value_at(plies), Depth::Exact(plies)),
        }))
    }

    fn read<'a>(&self, stones: Stones, slot: &'a Slot<Vec<Dfa>>) -> Result<&'a Vec<Dfa>> {
        slot.get_or_read(|| Ok(self.dir.read(stones)?.unwrap_or_default()))
    }

    /// Returns the set of the positions of a sector that end in exactly `depth` plies, or `None` if the directory has no such
    /// sector or depth.
    ///
    /// *Cost*: the first call reads the files of the sector.
    ///
    /// # Errors
    /// Returns the errors of [`SetsDir::read`].
    pub fn set(&self, sector: Sector, depth: usize) -> Result<Option<&Dfa>> {
        let stones = [sector.own, sector.other];
        let Some(slot) = self.sectors.get(&stones) else { return Ok(None) };
        Ok(self.read(stones, slot)?.get(depth))
    }

    /// Returns the word by which the sets know a board with `side` to move.
    pub fn word(&self, board: &[u8], side: Side) -> Vec<Letter> {
        self.game.word_of(&seen_by_first(board, side))
    }

    /// Returns the sector of a board with `side` to move.
    pub fn sector_of(&self, board: &[u8], side: Side) -> Sector {
        Sector::of(self.rules.state_of(board, side))
    }

    /// Returns the rules of the game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the sectors in the directory. All their stones are placed.
    pub fn sectors(&self) -> Vec<Sector> {
        self.sectors.keys().map(placed).collect()
    }

    /// Describes the sectors in the directory without reading their sets.
    ///
    /// # Errors
    /// Returns the errors of [`SetsDir::listed`].
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

impl SectorSummary {
    /// Returns the sector.
    pub fn sector(&self) -> Sector {
        placed(&self.stones)
    }
}

/// Returns the value of the positions that end in exactly `depth` plies: the side that makes the last move wins.
#[must_use]
pub fn value_at(depth: u32) -> Value {
    if depth % 2 == 1 { Value::Win } else { Value::Loss }
}

/// Returns the sector with these stones, all of them placed.
fn placed(&[own, other]: &Stones) -> Sector {
    Sector { own, other, own_hand: 0, other_hand: 0 }
}

/// Returns the board with the sides exchanged if P2 is to move, because P1 is to move in all sets.
fn seen_by_first(board: &[u8], side: Side) -> Vec<u8> {
    // The hands are empty.
    let exchanged = |&content: &u8| if content == 0 { 0 } else { 3 - content };
    match side {
        Side::P1 => board.to_vec(),
        Side::P2 => board.iter().map(exchanged).collect(),
    }
}
