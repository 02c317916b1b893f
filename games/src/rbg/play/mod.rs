//! Playing by rules from a file: the plain description, one position at a time.
//!
//! A path is walked as the language says, by backtracking over places of the rules and squares of the board. It knows no sets of
//! positions, and shares with whatever compiles rules nothing but the reader.

use std::cell::RefCell;
use std::collections::HashMap;

use super::book::{Mover, Rulebook};
use super::fault::{Error, Fault, Result};
use program::{NOWHERE, PlaceId, Program};
use rest::Rests;
use walker::Walker;

mod marks;
mod perft;
mod program;
mod rest;
mod state;
mod values;
mod walker;

pub use perft::{Perft, Ply};
pub use state::{Change, State, Turn};

/// Most times in turn that the keeper goes on before a player moves.
const KEEPER_TURNS: usize = 100_000;

/// Most moves in a position.
const MOVES: usize = 1 << 22;

/// Plays by the rules of a book.
///
/// # Examples
/// ```
/// use nerode_games::rbg::{Interpreter, bundled, read};
/// let game = bundled().iter().find(|game| game.name == "tictactoe").unwrap();
/// let book = read(game.name, game.text).unwrap();
/// let game = Interpreter::new(&book);
/// let start = game.start().unwrap();
/// assert_eq!(game.moves(&start).unwrap().len(), 9);
/// ```
#[derive(Debug)]
pub struct Interpreter<'a> {
    book: &'a Rulebook,
    program: Program,
    next: Vec<Vec<u16>>,
    rests: RefCell<Rests>,
}

impl<'a> Interpreter<'a> {
    /// Prepares to play.
    #[must_use]
    pub fn new(book: &'a Rulebook) -> Self {
        let squares = &book.board().squares;
        let to = |direction: usize| {
            squares.iter().map(|s| s.next[direction].map_or(NOWHERE, |to| to as u16)).collect()
        };
        let next = (0..book.board().directions.len()).map(to).collect();
        Self { book, program: Program::new(book), next, rests: RefCell::default() }
    }

    /// The rules.
    #[must_use]
    pub fn book(&self) -> &Rulebook {
        self.book
    }

    /// The position in which the first player moves.
    ///
    /// # Errors
    /// Rules that go on for ever before anybody moves.
    pub fn start(&self) -> Result<State> {
        let state = State {
            board: self.book.board().squares.iter().map(|square| square.piece as u8).collect(),
            registers: vec![0; self.book.variables().len() + self.book.players().len()],
            mover: Mover::Keeper,
            place: self.program.start,
            square: 0,
            over: false,
        };
        self.kept(&mut self.walker(), state)
    }

    /// Every legal move, with the position that it leads to.
    ///
    /// # Errors
    /// Rules that go on for ever: a move that changes more and more, or a keeper who never gives the turn to a player.
    pub fn moves(&self, state: &State) -> Result<Vec<(Turn, State)>> {
        let mut walker = self.walker();
        let mut found = Vec::new();
        self.each(&mut walker, state, &mut |turn, next| found.push((turn.to_vec(), next)))?;
        for (_, next) in &mut found {
            let reached = std::mem::replace(next, state.clone());
            *next = self.kept(&mut walker, reached)?;
        }
        Ok(found)
    }

    /// The distinct positions that moves lead to, with how many moves lead to each. None: the game is over.
    ///
    /// # Errors
    /// As [`Interpreter::moves`].
    pub fn results(&self, state: &State) -> Result<Vec<(State, u64)>> {
        self.results_by(&mut self.walker(), state)
    }

    fn results_by(&self, walker: &mut Walker<'_>, state: &State) -> Result<Vec<(State, u64)>> {
        let mut reached = Vec::new();
        self.each(walker, state, &mut |_, next| reached.push(next))?;
        let mut index: HashMap<State, usize> = HashMap::with_capacity(reached.len());
        let mut counts: Vec<u64> = Vec::new();
        for next in reached {
            let next = self.kept(walker, next)?;
            let new = counts.len();
            let at = *index.entry(next).or_insert(new);
            if at == new {
                counts.push(0);
            }
            counts[at] += 1;
        }
        Ok(index.into_iter().map(|(state, at)| (state, counts[at])).collect())
    }

    /// Tells of every move and the position before the keeper goes on.
    fn each(
        &self,
        walker: &mut Walker<'_>,
        state: &State,
        told: &mut dyn FnMut(&[Change], State),
    ) -> Result<()> {
        if state.over {
            return Ok(());
        }
        walker.load(state);
        let mut count = 0;
        let all = walker.moves((state.place, state.square), &mut |reached| {
            let next = State {
                board: reached.board.to_vec(),
                registers: reached.registers.to_vec(),
                mover: reached.mover,
                place: reached.place,
                square: reached.square,
                over: false,
            };
            told(reached.changes, next);
            count += 1;
            count < MOVES
        })?;
        if all { Ok(()) } else { Err(self.too_many_moves(state.place)) }
    }

    /// `state` once the keeper has gone on until a player moves, or can go on no more.
    fn kept(&self, walker: &mut Walker<'_>, mut state: State) -> Result<State> {
        if state.mover == Mover::Keeper {
            walker.load(&state);
            for _ in 0..KEEPER_TURNS {
                let Some((mover, place, square)) = walker.first((state.place, state.square))? else {
                    state.over = true;
                    break;
                };
                (state.mover, state.place, state.square) = (mover, place, square);
                if mover != Mover::Keeper {
                    break;
                }
            }
            if state.mover == Mover::Keeper && !state.over {
                return Err(self.endless_keeper(state.place));
            }
            state.board.clone_from(&walker.board);
            state.registers.clone_from(&walker.registers);
        }
        if state.over {
            (state.place, state.square) = (0, 0);
        } else {
            let spot = (state.place, state.square);
            (state.place, state.square) = self.rests.borrow_mut().of(&self.program, &self.next, spot);
        }
        Ok(state)
    }

    fn too_many_moves(&self, place: PlaceId) -> Error {
        let at = self.program.places[place as usize].at;
        self.book.error(Fault::new(
            at,
            format!("more than {MOVES} moves in one position"),
            "moves begin here",
        ))
    }

    fn endless_keeper(&self, place: PlaceId) -> Error {
        let at = self.program.places[place as usize].at;
        let message = format!("the keeper goes on {KEEPER_TURNS} times and gives the turn to no player");
        self.book.error(Fault::new(at, message, "and goes on here"))
    }

    fn walker(&self) -> Walker<'_> {
        Walker::new(self.book, &self.program, &self.next)
    }
}
