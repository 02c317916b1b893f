//! The interface between a search and the solution: positions, their moves and their known values.

use std::collections::HashSet;
use std::fmt::Debug;
use std::hash::Hash;

use nerode_games::explicit::apply;
use nerode_games::morris::{Rules, State};
use nerode_games::{Position, Value};

use nerode_morris::compressed::PackedSectors;
use nerode_morris::early::{EarlyBounds, Stored};
use nerode_morris::stored::StoredSectors;
use nerode_morris::tables::{IndexMaker, Sector, SectorIndex, SectorSolution};
use nerode_solver::error::{Error, Result};
use nerode_solver::stored::Solution;

/// The positions of a game as a search visits them, and their values in the solution.
pub(super) trait Ground {
    /// A position from the point of view of the side to move.
    type At: Clone + Debug;
    /// A key that is shared only by positions with the same value.
    type Key: Copy + Eq + Hash;

    /// Converts a position to the representation of the search.
    fn at(&self, position: &Position) -> Self::At;

    /// Returns its value, from the solution or, if the game is over, from the rules.
    fn known(&self, at: &Self::At) -> Result<Option<Value>>;

    /// Returns the stored result of an earlier search, if its value is unknown.
    fn stored(&self, _at: &Self::At) -> Result<Option<Stored>> {
        Ok(None)
    }

    /// Appends the position after each move, and whether the move captures nothing.
    fn after(&self, at: &Self::At, out: &mut Vec<(bool, Self::At)>);

    /// Returns its key in the table.
    fn key(&self, at: &Self::At) -> Self::Key;

    /// Returns the number of files read so far.
    fn loads(&self) -> u64 {
        0
    }
}

/// Sectors as tables or packed.
enum Store<'a> {
    Tables(&'a SectorSolution),
    Packed(&'a PackedSectors),
}

/// A morris game whose directory lacks sectors.
pub(super) struct SectorGround<'a> {
    store: Store<'a>,
    /// The stored ranges of early positions.
    early: Option<&'a EarlyBounds>,
    rules: &'a Rules,
    /// The sectors in the directory. Checking for a file at every position would dominate the running time.
    there: HashSet<Sector>,
    /// An index of any sector of the board, which is used for its symmetries.
    index: SectorIndex,
}

impl<'a> SectorGround<'a> {
    /// Returns the ground of a solution by sectors, or `None` for any other solution.
    pub(super) fn of(solution: &'a Solution) -> Result<Option<Self>> {
        if let Some(stored) = solution.downcast_ref::<StoredSectors>() {
            return Self::of_tables(stored.tables(), stored.early_bounds()).map(Some);
        }
        let Some(packed) = solution.downcast_ref::<PackedSectors>() else { return Ok(None) };
        let there = packed.sectors().map(|(name, _)| name.parse()).collect::<Result<_>>()?;
        let index = IndexMaker::new(&packed.rules().board).index(0, 0);
        Ok(Some(Self { store: Store::Packed(packed), early: None, rules: packed.rules(), there, index }))
    }

    /// Returns the ground of sectors as tables.
    pub(super) fn of_tables(tables: &'a SectorSolution, early: Option<&'a EarlyBounds>) -> Result<Self> {
        let there = tables.dir.sectors()?.into_iter().map(|file| file.sector).collect();
        let index = tables.maker().index(0, 0);
        Ok(Self { store: Store::Tables(tables), early, rules: &tables.rules, there, index })
    }

    fn looked_up(&self, state: State) -> Result<Option<Value>> {
        let value = match &self.store {
            Store::Tables(tables) => tables.get(state).map(|(value, _)| value),
            Store::Packed(packed) => packed.get(state).map(|(value, _)| value),
        };
        match value {
            Ok(value) => Ok(Some(value)),
            // A packed sector may require others.
            Err(Error::MissingSector { .. }) => Ok(None),
            Err(other) => Err(other),
        }
    }
}

impl Ground for SectorGround<'_> {
    type At = State;
    type Key = State;

    fn at(&self, Position { board, side }: &Position) -> State {
        self.rules.state_of(board, *side)
    }

    fn known(&self, &state: &State) -> Result<Option<Value>> {
        if let Some(value) = state.decided_by_stones() {
            return Ok(Some(value));
        }
        let stored = if self.there.contains(&Sector::of(state)) { self.looked_up(state)? } else { None };
        Ok(stored.or_else(|| self.rules.outcome(state)))
    }

    fn stored(&self, &state: &State) -> Result<Option<Stored>> {
        match (&self.store, self.early) {
            (Store::Tables(tables), Some(early)) => Ok(early.find(state, tables.maker())),
            _ => Ok(None),
        }
    }

    fn after(&self, &state: &State, out: &mut Vec<(bool, State)>) {
        self.rules.turns(state, |turn| out.push((turn.taken == 0, state.after(turn))));
    }

    fn key(&self, &state: &State) -> State {
        let symmetries = self.index.symmetries();
        let images = (0..symmetries.len()).map(|op| {
            let [own, other] = [state.own, state.other].map(|stones| symmetries.apply(op as u8, stones));
            State { own, other, ..state }
        });
        images.min().unwrap_or(state)
    }

    fn loads(&self) -> u64 {
        match &self.store {
            Store::Tables(tables) => tables.loads(),
            Store::Packed(_) => 0,
        }
    }
}

/// An arbitrary game, board by board.
pub(super) struct AnyGround<'a> {
    pub(super) solution: &'a Solution,
}

impl Ground for AnyGround<'_> {
    type At = Position;
    type Key = u128;

    fn at(&self, position: &Position) -> Position {
        position.clone()
    }

    fn known(&self, at: &Position) -> Result<Option<Value>> {
        let stored = self.solution.look_up(at)?.value();
        Ok(stored.or_else(|| self.solution.game().outcome(&at.board, at.side)))
    }

    fn after(&self, at: &Position, out: &mut Vec<(bool, Position)>) {
        let mut moves = Vec::new();
        self.solution.game().legal_moves(&at.board, at.side, &mut moves);
        let stones = |board: &[u8]| board.iter().filter(|&&cell| cell != 0).count();
        let before = stones(&at.board);
        out.extend(moves.iter().map(|mv| {
            let board = apply(&at.board, mv);
            (stones(&board) >= before, Position { board, side: at.side.other() })
        }));
    }

    /// Returns 128 bits of a digest, because boards can have any length.
    fn key(&self, at: &Position) -> u128 {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&[at.side.index() as u8]).update(&at.board);
        let mut bytes = [0; 16];
        hasher.finalize_xof().fill(&mut bytes);
        u128::from_le_bytes(bytes)
    }
}
