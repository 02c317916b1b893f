//! What a search stands on: positions, their moves, and what the solution says of them.

use std::collections::HashSet;
use std::fmt::Debug;
use std::hash::Hash;

use nerode_games::explicit::apply;
use nerode_games::morris::{Rules, State};
use nerode_games::{Position, Value};

use crate::facade::Solution;
use nerode_morris::compressed::PackedSectors;
use nerode_morris::early::{EarlyBounds, Stored};
use nerode_morris::tables::{IndexMaker, Sector, SectorIndex, SectorSolution};
use nerode_solver::error::{Error, Result};

/// Positions of a game as a search moves among them, and the solution's word on them.
pub(super) trait Ground {
    /// A position, seen by the side to move.
    type At: Clone + Debug;
    /// The same for positions that have the same value.
    type Key: Copy + Eq + Hash;

    /// The position as the search has it.
    fn at(&self, position: &Position) -> Self::At;

    /// Its value, by the solution or by the rules where the game is over.
    fn known(&self, at: &Self::At) -> Result<Option<Value>>;

    /// What is stored of it from a search of so many plies, where its value is not known.
    fn stored(&self, _at: &Self::At) -> Result<Option<Stored>> {
        Ok(None)
    }

    /// Adds the position after each move, and whether the move takes nothing.
    fn after(&self, at: &Self::At, out: &mut Vec<(bool, Self::At)>);

    /// What the table finds it by.
    fn key(&self, at: &Self::At) -> Self::Key;

    /// Files that were read so far.
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
    /// What is stored of early positions.
    early: Option<&'a EarlyBounds>,
    rules: &'a Rules,
    /// Sectors in the directory: a look for a file at every position would take longer than all else.
    there: HashSet<Sector>,
    /// Any index of the board: it knows the symmetries.
    index: SectorIndex,
}

impl<'a> SectorGround<'a> {
    /// The ground of a solution by sectors; `None` for any other.
    pub(super) fn of(solution: &'a Solution) -> Result<Option<Self>> {
        if let Some(tables) = solution.as_sectors() {
            return Self::of_tables(tables, solution.early_bounds()).map(Some);
        }
        let Some(packed) = solution.as_packed() else { return Ok(None) };
        let there = packed.sectors().map(|(name, _)| name.parse()).collect::<Result<_>>()?;
        let index = IndexMaker::new(&packed.rules().board).index(0, 0);
        Ok(Some(Self { store: Store::Packed(packed), early: None, rules: packed.rules(), there, index }))
    }

    /// The ground of sectors as tables.
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
            // A packed sector may look into others.
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
            (Store::Tables(tables), Some(early)) => early.get(state, tables.maker()),
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

/// Any game, board by board.
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
        let stored = self.solution.look_up(at)?.value;
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

    /// 128 bits of a digest: boards are of any length.
    fn key(&self, at: &Position) -> u128 {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&[at.side.index() as u8]).update(&at.board);
        let mut bytes = [0; 16];
        hasher.finalize_xof().fill(&mut bytes);
        u128::from_le_bytes(bytes)
    }
}
