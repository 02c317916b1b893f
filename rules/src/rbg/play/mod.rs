//! The interpreter: plays by the rules of a file, one position at a time.
//!
//! A path is walked as the language defines it, by backtracking over places of the rules and squares of the board. The
//! interpreter has no notion of sets of positions, and it shares only the reader with the compiler.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::book::{First, Mover, Rulebook, Stage};
use super::fault::{Error, Fault, Result};
use known::Known;
use program::{NOWHERE, Op, PlaceId, Program};
use rest::Rests;
use walker::Walker;

mod begin;
mod known;
mod marks;
mod perft;
mod program;
mod rest;
mod state;
mod turns;
mod values;
mod walker;

pub use begin::Successor;
pub(super) use known::{NarrowTurn, PossibleTurn};
pub use perft::{Perft, Ply};
pub use state::{Begin, Change, State, Turn};

/// The maximum number of consecutive keeper paths before a player moves.
const KEEPER_TURNS: usize = 100_000;

/// The maximum number of moves in a position.
const MOVES: usize = 1 << 22;

/// An interpreter for the rules of a book.
///
/// # Examples
/// ```
/// use nerode_rules::rbg::{Interpreter, bundled, read};
/// let game = bundled().iter().find(|game| game.name == "tictactoe").unwrap();
/// let book = read(game.name, game.text).unwrap();
/// let game = Interpreter::new(&book);
/// let start = game.start().unwrap();
/// assert_eq!(game.moves(&start).unwrap().len(), 9);
/// ```
#[derive(Debug)]
pub struct Interpreter {
    book: Arc<Rulebook>,
    program: Program,
    next: Vec<Vec<u16>>,
    rests: Mutex<Rests>,
    turns: OnceLock<Option<Known>>,
}

impl Interpreter {
    /// Creates an interpreter.
    #[must_use]
    pub fn new(book: &Rulebook) -> Self {
        let squares = &book.board().squares;
        let to = |direction: usize| {
            squares.iter().map(|s| s.next[direction].map_or(NOWHERE, |to| to as u16)).collect()
        };
        let next = (0..book.board().directions.len()).map(to).collect();
        let book = Arc::new(book.clone());
        Self { program: Program::new(&book), book, next, rests: Mutex::default(), turns: OnceLock::new() }
    }

    /// Returns the rules.
    #[must_use]
    pub fn book(&self) -> &Rulebook {
        &self.book
    }

    /// Returns the position in which the first player moves.
    ///
    /// # Errors
    /// Returns an error if the rules run forever before a player can move.
    pub fn start(&self) -> Result<State> {
        let (state, switch) = self.before_start();
        self.after_keeper(&mut self.walker(), state, switch)
    }

    /// Returns the position in which the game begins, with the place of the switch that leads to it. Usually the keeper begins,
    /// without a switch.
    fn before_start(&self) -> (State, PlaceId) {
        let board: Vec<u8> = self.book.board().squares.iter().map(|square| square.piece as u8).collect();
        if let Some(First { stage: Stage::Over { winner, .. }, registers }) = &self.book.first {
            let mut registers = registers.clone();
            let scores = &mut registers[self.book.variables().len()..];
            // The winner has the higher score, and under misère the lower one.
            let is_higher =
                |player: usize| winner.is_some_and(|winner| (winner == player) != self.book.misere);
            scores.iter_mut().enumerate().for_each(|(player, score)| *score = u32::from(is_higher(player)));
            let (place, mover) = (self.program.start, Mover::Keeper);
            return (State { board, registers, mover, place, square: 0, over: true }, 0);
        }
        if let Some(first) = &self.book.first
            && let Some((switch, square)) = self.book.first_turn()
        {
            let switch = self.program.switches.get(switch as usize).copied();
            let place = switch.map(|switch| (switch, &self.program.places[switch as usize]));
            if let Some((switch, place)) = place
                && let Op::Switch(mover) = place.op
            {
                let (registers, square) = (first.registers.clone(), square as u16);
                return (State { board, registers, mover, place: place.next, square, over: false }, switch);
            }
        }
        let registers = vec![0; self.book.variables().len() + self.book.players().len()];
        let place = self.program.start;
        (State { board, registers, mover: Mover::Keeper, place, square: 0, over: false }, 0)
    }

    /// Returns the player who is to move in the first position, or `None` if the game is over there by the rules. The player may
    /// pass there because the other one moves again.
    ///
    /// # Errors
    /// Returns the same errors as [`Interpreter::start`].
    pub fn first_player(&self) -> Result<Option<usize>> {
        let stage = self.book.first.as_ref().map(|first| first.stage);
        if let Some(Stage::Over { player, .. }) = stage {
            return Ok(Some(player));
        }
        let Mover::Player(player) = self.start()?.mover else { return Ok(None) };
        let passes = matches!(stage, Some(Stage::Turn { passes: true, .. }));
        Ok(Some(if passes { 1 - player.min(1) } else { player }))
    }

    /// Returns every legal move with the position to which it leads.
    ///
    /// # Errors
    /// Returns an error if the rules run forever, because a move never stops making changes or the keeper never passes the turn
    /// to a player.
    pub fn moves(&self, state: &State) -> Result<Vec<(Turn, State)>> {
        let mut walker = self.walker();
        let mut found = Vec::new();
        self.each(&mut walker, state, &mut |turn, next, switch| found.push((turn.to_vec(), next, switch)))?;
        let kept = |(turn, next, switch)| Ok((turn, self.after_keeper(&mut walker, next, switch)?));
        found.into_iter().map(kept).collect()
    }

    /// Returns the distinct positions after one move, with the number of moves to each. If there are none, the game is over.
    ///
    /// # Errors
    /// Returns the same errors as [`Interpreter::moves`].
    pub fn results(&self, state: &State) -> Result<Vec<(State, u64)>> {
        self.results_by(&mut self.walker(), state)
    }

    fn results_by(&self, walker: &mut Walker<'_>, state: &State) -> Result<Vec<(State, u64)>> {
        let mut reached = Vec::new();
        self.each(walker, state, &mut |_, next, switch| reached.push((next, switch)))?;
        let mut index: HashMap<State, usize> = HashMap::with_capacity(reached.len());
        let mut counts: Vec<u64> = Vec::new();
        for (next, switch) in reached {
            let next = self.after_keeper(walker, next, switch)?;
            let new = counts.len();
            let at = *index.entry(next).or_insert(new);
            if at == new {
                counts.push(0);
            }
            counts[at] += 1;
        }
        Ok(index.into_iter().map(|(state, at)| (state, counts[at])).collect())
    }

    /// Visits every move, with the position before the keeper continues and the place of the switch that ended the move.
    fn each(
        &self,
        walker: &mut Walker<'_>,
        state: &State,
        told: &mut dyn FnMut(&[Change], State, PlaceId),
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
            told(reached.changes, next, reached.switch);
            count += 1;
            count < MOVES
        })?;
        if all { Ok(()) } else { Err(self.too_many_moves(state.place)) }
    }

    /// Lets the keeper continue from `state` until a player moves or the keeper is stuck. The beginning of the next turn is
    /// normalised, so that equivalent beginnings are equal.
    fn after_keeper(&self, walker: &mut Walker<'_>, state: State, switch: PlaceId) -> Result<State> {
        let (mut state, _) = self.continue_keeper(walker, state, switch)?;
        if state.over {
            (state.place, state.square) = (0, 0);
        } else {
            let spot = (state.place, state.square);
            let mut rests = self.rests.lock().unwrap_or_else(PoisonError::into_inner);
            (state.place, state.square) = rests.of(&self.program, &self.next, spot);
        }
        Ok(state)
    }

    /// Lets the keeper continue from `state`, and returns the resulting position with the place of the last switch.
    fn continue_keeper(
        &self,
        walker: &mut Walker<'_>,
        mut state: State,
        mut last: PlaceId,
    ) -> Result<(State, PlaceId)> {
        if state.mover != Mover::Keeper || state.over {
            return Ok((state, last));
        }
        walker.load(&state);
        for _ in 0..KEEPER_TURNS {
            let Some((mover, switch, square)) = walker.first((state.place, state.square))? else {
                state.over = true;
                break;
            };
            (state.mover, state.place, state.square) =
                (mover, self.program.places[switch as usize].next, square);
            last = switch;
            if mover != Mover::Keeper {
                break;
            }
        }
        if state.mover == Mover::Keeper && !state.over {
            return Err(self.endless_keeper(state.place));
        }
        state.board.clone_from(&walker.board);
        state.registers.clone_from(&walker.registers);
        Ok((state, last))
    }

    fn too_many_moves(&self, place: PlaceId) -> Error {
        let at = self.program.places[place as usize].at;
        self.book.error(Fault::new(
            at,
            format!("more than {MOVES} moves in one position"),
            "the moves begin here",
        ))
    }

    fn endless_keeper(&self, place: PlaceId) -> Error {
        let at = self.program.places[place as usize].at;
        let message =
            format!("the keeper continues {KEEPER_TURNS} times without giving the turn to a player");
        self.book.error(Fault::new(at, message, "continues here"))
    }

    fn walker(&self) -> Walker<'_> {
        Walker::new(&self.book, &self.program, &self.next)
    }
}
