//! Walks paths through the rules by backtracking over places and squares.

use super::super::book::{Mover, Rulebook, Value};
use super::super::fault::{Error, Fault, Result};
use super::marks::Marks;
use super::program::{NOWHERE, Op, PlaceId, Program};
use super::state::{Change, State};
use super::values::Numbers;

/// The maximum number of steps from one position.
const STEPS: u64 = 1 << 28;

/// A pending task.
#[derive(Debug)]
enum Task {
    /// Continues at a place.
    Visit(PlaceId, u16),
    /// Restores a piece.
    Piece(u16, u8),
    /// Restores a register.
    Register(usize, u32),
}

/// The purpose of a walk.
enum Goal<'a> {
    /// Visits every move. The callback returns `false` to stop the walk.
    Moves(&'a mut dyn FnMut(&Arrival<'_>) -> bool),
    /// Finds the first move, and keeps its changes.
    First,
    /// Determines whether the end of a pattern is reachable.
    Pattern,
}

/// A move, with the position after it before the keeper continues.
pub(super) struct Arrival<'a> {
    pub(super) changes: &'a [Change],
    pub(super) board: &'a [u8],
    pub(super) registers: &'a [u32],
    pub(super) mover: Mover,
    /// The place of the switch that ended the move.
    pub(super) switch: PlaceId,
    pub(super) place: PlaceId,
    pub(super) square: u16,
}

/// The outcome of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WalkEnd {
    /// Every path was tried.
    Exhausted,
    /// The end of a pattern, or a first move, was reached.
    Accepted,
    /// The callback stopped the walk.
    Stopped,
}

/// The state of walks: a program on a board, with a position that is changed and restored.
pub(super) struct Walker<'a> {
    book: &'a Rulebook,
    program: &'a Program,
    /// The square to which each direction leads, by direction and by square.
    next: &'a [Vec<u16>],
    num_squares: usize,
    pub(super) board: Vec<u8>,
    pub(super) registers: Vec<u32>,
    counts: Vec<u32>,
    changes: Vec<Change>,
    marks: Marks,
    tasks: Vec<Task>,
    /// The number of steps since the last position was loaded.
    steps: u64,
    /// The result of the first move.
    first: Option<(Mover, PlaceId, u16)>,
}

impl<'a> Walker<'a> {
    pub(super) fn new(book: &'a Rulebook, program: &'a Program, next: &'a [Vec<u16>]) -> Self {
        let num_squares = book.board().squares.len();
        Self {
            book,
            program,
            next,
            num_squares,
            board: Vec::new(),
            registers: Vec::new(),
            counts: vec![0; book.pieces().len()],
            changes: Vec::new(),
            marks: Marks::new(program.num_joins * num_squares),
            tasks: Vec::new(),
            steps: 0,
            first: None,
        }
    }

    /// Loads a position.
    pub(super) fn load(&mut self, state: &State) {
        self.board.clone_from(&state.board);
        self.registers.clone_from(&state.registers);
        self.counts.fill(0);
        for &piece in &state.board {
            self.counts[usize::from(piece)] += 1;
        }
        self.changes.clear();
        self.steps = 0;
    }

    /// Visits every move from the position, which is restored afterwards. Returns `true` if all moves were visited.
    pub(super) fn moves(
        &mut self,
        from: (PlaceId, u16),
        told: &mut dyn FnMut(&Arrival<'_>) -> bool,
    ) -> Result<bool> {
        self.walk(from, &mut Goal::Moves(told)).map(|ended| ended == WalkEnd::Exhausted)
    }

    /// Makes the first move, if there is one. Returns the next side to move, the place of the switch that ended the move, and the
    /// square.
    pub(super) fn first(&mut self, from: (PlaceId, u16)) -> Result<Option<(Mover, PlaceId, u16)>> {
        self.first = None;
        self.changes.clear();
        self.walk(from, &mut Goal::First)?;
        Ok(self.first)
    }

    /// Walks every path from a place until the goal is reached.
    fn walk(&mut self, (place, square): (PlaceId, u16), goal: &mut Goal<'_>) -> Result<WalkEnd> {
        let (base, depth) = (self.tasks.len(), self.marks.depth());
        self.open(place)?;
        self.tasks.push(Task::Visit(place, square));
        let mut ended = WalkEnd::Exhausted;
        while self.tasks.len() > base {
            match self.tasks.pop() {
                Some(Task::Visit(place, square)) if ended == WalkEnd::Exhausted => {
                    ended = self.path(place, square, goal)?;
                }
                Some(Task::Piece(square, old))
                    if ended == WalkEnd::Exhausted || !matches!(goal, Goal::First) =>
                {
                    self.put(square, old);
                    self.close();
                }
                Some(Task::Register(index, old))
                    if ended == WalkEnd::Exhausted || !matches!(goal, Goal::First) =>
                {
                    self.registers[index] = old;
                    self.close();
                }
                _ => {}
            }
        }
        self.marks.close_to(depth);
        Ok(ended)
    }

    /// Follows one path to its end, and pushes its branches onto the tasks.
    fn path(&mut self, mut at: PlaceId, mut square: u16, goal: &mut Goal<'_>) -> Result<WalkEnd> {
        let program = self.program;
        loop {
            self.steps += 1;
            if self.steps > STEPS {
                return Err(self.too_long(at));
            }
            let place = &program.places[at as usize];
            if let Some(join) = place.join
                && !self.marks.mark(join as usize * self.num_squares + usize::from(square))
            {
                return Ok(WalkEnd::Exhausted);
            }
            let goes_on = match &place.op {
                Op::Split(starts) => {
                    let Some((&first, others)) = starts.split_first() else { return Ok(WalkEnd::Exhausted) };
                    self.tasks.extend(others.iter().rev().map(|&other| Task::Visit(other, square)));
                    at = first;
                    continue;
                }
                Op::Shift(direction) => {
                    square = self.next[*direction][usize::from(square)];
                    square != NOWHERE
                }
                Op::On(pieces) => pieces[usize::from(self.board[usize::from(square)])],
                Op::Compare(left, comparison, right) => self.numbers().holds(left, *comparison, right),
                Op::Pattern { negated, start } => {
                    let found = self.walk((*start, square), &mut Goal::Pattern)? == WalkEnd::Accepted;
                    found != *negated
                }
                Op::Put(piece) => {
                    let old = self.board[usize::from(square)];
                    self.change(at, square, Task::Piece(square, old))?;
                    self.put(square, *piece);
                    true
                }
                Op::Assign(register, value) => self.assign(at, square, *register, value)?,
                Op::Switch(mover) => return Ok(self.arrive(*mover, at, square, goal)),
                Op::Accept => return Ok(WalkEnd::Accepted),
                Op::End => false,
            };
            if !goes_on {
                return Ok(WalkEnd::Exhausted);
            }
            at = place.next;
        }
    }

    /// Handles a move that has reached its end.
    fn arrive(&mut self, mover: Mover, at: PlaceId, square: u16, goal: &mut Goal<'_>) -> WalkEnd {
        let place = self.program.places[at as usize].next;
        match goal {
            Goal::Moves(told) => {
                self.changes.push(Change { place: at, square });
                let reached = Arrival {
                    changes: &self.changes,
                    board: &self.board,
                    registers: &self.registers,
                    mover,
                    switch: at,
                    place,
                    square,
                };
                let goes_on = told(&reached);
                self.changes.pop();
                if goes_on { WalkEnd::Exhausted } else { WalkEnd::Stopped }
            }
            Goal::First => {
                self.first = Some((mover, at, square));
                WalkEnd::Accepted
            }
            Goal::Pattern => WalkEnd::Exhausted,
        }
    }

    fn assign(&mut self, at: PlaceId, square: u16, register: usize, value: &Value) -> Result<bool> {
        let variables = self.book.variables();
        let bound = match register.checked_sub(variables.len()) {
            None => variables[register].bound,
            Some(player) => self.book.players()[player].bound,
        };
        let value = self.numbers().value(value).and_then(|value| u32::try_from(value).ok());
        let Some(value) = value.filter(|&value| value <= bound) else { return Ok(false) };
        self.change(at, square, Task::Register(register, self.registers[register]))?;
        self.registers[register] = value;
        Ok(true)
    }

    fn numbers(&self) -> Numbers<'_> {
        Numbers {
            registers: &self.registers,
            counts: &self.counts,
            num_variables: self.book.variables().len(),
        }
    }

    fn put(&mut self, square: u16, piece: u8) {
        let here = &mut self.board[usize::from(square)];
        self.counts[usize::from(*here)] -= 1;
        self.counts[usize::from(piece)] += 1;
        *here = piece;
    }

    /// Begins a change, which `undo` reverts.
    fn change(&mut self, at: PlaceId, square: u16, undo: Task) -> Result<()> {
        self.tasks.push(undo);
        self.changes.push(Change { place: at, square });
        self.open(at)
    }

    fn too_long(&self, at: PlaceId) -> Error {
        let at = self.program.places[at as usize].at;
        let message = format!("finding the moves of a position takes more than {STEPS} steps");
        self.book.error(Fault::new(at, message, "stopped here"))
    }

    fn open(&mut self, at: PlaceId) -> Result<()> {
        if self.marks.open() {
            return Ok(());
        }
        let at = self.program.places[at as usize].at;
        let message = format!("a move with more than {} changes in sequence", self.marks.most());
        let fault = Fault::new(at, message, "repeated here");
        Err(self.book.error(fault.help("a loop that changes the board, as in ([x])*, may never end")))
    }

    fn close(&mut self) {
        self.changes.pop();
        self.marks.close();
    }
}
