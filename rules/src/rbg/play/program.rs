//! The rules as a program: places that a path passes through.

use super::super::book::{Action, Comparison, Mover, Register, Rulebook, Rules, Value};
use super::super::fault::At;

/// The number of a place.
pub(super) type PlaceId = u32;

/// The target of a direction that leads off the board.
pub(super) const NOWHERE: u16 = u16::MAX;

/// The operation at a place.
#[derive(Debug)]
pub(super) enum Op {
    /// Continues at one of several places, which are tried in order.
    Split(Vec<PlaceId>),
    Shift(usize),
    /// Continues if the entry of the piece on the square is `true`.
    On(Box<[bool]>),
    Put(u8),
    Assign(usize, Value),
    Compare(Value, Comparison, Value),
    Switch(Mover),
    /// Checks whether a path from `start` to [`Op::Accept`] exists.
    Pattern {
        negated: bool,
        start: PlaceId,
    },
    /// The end of a pattern.
    Accept,
    /// The end of the rules, at which no move ends.
    End,
}

/// A place of the rules.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) op: Op,
    /// The place at which the path continues.
    pub(super) next: PlaceId,
    /// The position of the operation in the file.
    pub(super) at: At,
    /// The index among the joins, which are the places with several incoming paths.
    pub(super) join: Option<u32>,
}

/// The rules as a list of places.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) places: Vec<Place>,
    pub(super) start: PlaceId,
    pub(super) num_joins: usize,
    /// The switches, in reading order.
    pub(super) switches: Vec<PlaceId>,
    num_pieces: usize,
    num_variables: usize,
}

/// Returns the index of a register. Variables come first, then scores.
pub(super) fn register_index(num_variables: usize, register: Register) -> usize {
    match register {
        Register::Variable(index) => index,
        Register::Score(index) => num_variables + index,
    }
}

impl Program {
    pub(super) fn new(book: &Rulebook) -> Self {
        let (num_pieces, num_variables) = (book.pieces().len(), book.variables().len());
        let switches = vec![0; book.rules().num_switches() as usize];
        let mut program =
            Self { places: Vec::new(), start: 0, num_joins: 0, switches, num_pieces, num_variables };
        let end = program.add(Op::End, 0, At::default());
        program.start = program.part(book.rules(), end, 0);
        program.number_joins();
        program
    }

    fn add(&mut self, op: Op, next: PlaceId, at: At) -> PlaceId {
        let id = self.places.len() as PlaceId;
        self.places.push(Place { op, next, at, join: None });
        id
    }

    /// Adds the places of `rules` before `next`, and returns the first of them. `switch` is the number of the first switch in
    /// `rules`.
    fn part(&mut self, rules: &Rules, next: PlaceId, mut switch: u32) -> PlaceId {
        match rules {
            Rules::Sequence(parts) => {
                switch += rules.num_switches();
                parts.iter().rev().fold(next, |next, part| {
                    switch -= part.num_switches();
                    self.part(part, next, switch)
                })
            }
            Rules::Choice(parts) => {
                let mut starts = Vec::with_capacity(parts.len());
                for part in parts {
                    starts.push(self.part(part, next, switch));
                    switch += part.num_switches();
                }
                self.add(Op::Split(starts), next, At::default())
            }
            Rules::Repeated(part) => {
                let split = self.add(Op::Split(Vec::new()), next, At::default());
                let body = self.part(part, split, switch);
                self.places[split as usize].op = Op::Split(vec![body, next]);
                split
            }
            Rules::Action(Action::Skip, _) => next,
            Rules::Action(action, at) => {
                let op = self.op(action);
                let is_switch = matches!(op, Op::Switch(_));
                let place = self.add(op, next, *at);
                if is_switch {
                    self.switches[switch as usize] = place;
                }
                place
            }
        }
    }

    fn op(&mut self, action: &Action) -> Op {
        match action {
            Action::Shift(direction) => Op::Shift(*direction),
            Action::On(pieces) => Op::On((0..self.num_pieces).map(|piece| pieces.contains(&piece)).collect()),
            Action::Put(piece) => Op::Put(*piece as u8),
            Action::Assign(register, value) => {
                Op::Assign(register_index(self.num_variables, *register), value.clone())
            }
            Action::Compare(left, comparison, right) => Op::Compare(left.clone(), *comparison, right.clone()),
            Action::Switch(mover) => Op::Switch(*mover),
            Action::Pattern { negated, path } => {
                let accept = self.add(Op::Accept, 0, At::default());
                Op::Pattern { negated: *negated, start: self.part(path, accept, 0) }
            }
            Action::Skip => Op::Split(Vec::new()),
        }
    }

    /// Numbers the joins, which are the places with several incoming paths. Every cycle passes through one.
    fn number_joins(&mut self) {
        let mut ways = vec![0_u32; self.places.len()];
        ways[self.start as usize] += 1;
        for place in &self.places {
            match &place.op {
                Op::Split(starts) => starts.iter().for_each(|&start| ways[start as usize] += 1),
                Op::Pattern { start, .. } => {
                    ways[*start as usize] += 1;
                    ways[place.next as usize] += 1;
                }
                Op::End | Op::Accept => {}
                _ => ways[place.next as usize] += 1,
            }
        }
        for (place, ways) in self.places.iter_mut().zip(ways) {
            if ways > 1 {
                place.join = Some(self.num_joins as u32);
                self.num_joins += 1;
            }
        }
    }
}
