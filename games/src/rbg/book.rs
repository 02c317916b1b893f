//! Rules as they are read: everything that a file says once macros are replaced, and nothing else.

use super::board::Board;
use super::fault::{At, Error, Fault, Origin};

/// A name with the largest value that it takes: a player with scores, or a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounded {
    /// The name.
    pub name: String,
    /// The largest value; the smallest is 0.
    pub bound: u32,
}

/// What numbers are kept in: a variable or the score of a player, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Register {
    /// A variable.
    Variable(usize),
    /// The score of a player.
    Score(usize),
}

/// Whom a switch gives the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mover {
    /// The keeper, who does what follows from the rules.
    Keeper,
    /// A player, by index.
    Player(usize),
}

/// What joins values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// Sum.
    Plus,
    /// Difference.
    Minus,
    /// Product.
    Times,
    /// Quotient, towards zero.
    Over,
}

/// A number that depends on the position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// Always the same.
    Number(u32),
    /// What a register holds.
    Register(Register),
    /// How often a piece stands on the board.
    Count(usize),
    /// Two values or more, joined from the left.
    Joined(Arithmetic, Vec<Value>),
}

/// How values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `>=`
    AtLeast,
}

/// One step of a path through the rules.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Goes in a direction, by index.
    Shift(usize),
    /// Goes on where one of the pieces stands; in ascending order.
    On(Vec<usize>),
    /// Puts a piece.
    Put(usize),
    /// Gives a register a value; not where the value is out of its bounds.
    Assign(Register, Value),
    /// Goes on where the comparison holds.
    Compare(Value, Comparison, Value),
    /// Ends the move.
    Switch(Mover),
    /// Goes on where a path through the pattern exists, or where none does.
    Pattern {
        /// Whether none may exist.
        negated: bool,
        /// What the path goes through.
        path: Box<Rules>,
    },
    /// Nothing.
    Skip,
}

/// A regular expression over actions. Groups of one part and groups within groups of the same kind do not occur.
#[derive(Clone, Debug, PartialEq)]
pub enum Rules {
    /// One action, and where the file has it.
    Action(Action, At),
    /// One after the other; at least two.
    Sequence(Vec<Rules>),
    /// One of several; at least two.
    Choice(Vec<Rules>),
    /// Any number of times.
    Repeated(Box<Rules>),
}

impl Rules {
    /// Parts one after the other.
    #[must_use]
    pub fn sequence(parts: Vec<Rules>) -> Self {
        Self::group(parts, Self::Sequence, |part| match part {
            Self::Sequence(inner) => Ok(inner),
            other => Err(other),
        })
    }

    /// One of the parts.
    #[must_use]
    pub fn choice(parts: Vec<Rules>) -> Self {
        Self::group(parts, Self::Choice, |part| match part {
            Self::Choice(inner) => Ok(inner),
            other => Err(other),
        })
    }

    fn group(
        parts: Vec<Rules>,
        make: impl Fn(Vec<Rules>) -> Self,
        inner: impl Fn(Rules) -> Result<Vec<Rules>, Rules>,
    ) -> Self {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match inner(part) {
                Ok(mut more) => flat.append(&mut more),
                Err(one) => flat.push(one),
            }
        }
        match (flat.pop(), flat.is_empty()) {
            (Some(only), true) => only,
            (Some(last), false) => {
                flat.push(last);
                make(flat)
            }
            (None, _) => Self::Action(Action::Skip, At::default()),
        }
    }

    /// Number of switches.
    #[must_use]
    pub fn num_switches(&self) -> u32 {
        match self {
            Self::Action(action, _) => u32::from(matches!(action, Action::Switch(_))),
            Self::Sequence(parts) | Self::Choice(parts) => parts.iter().map(Self::num_switches).sum(),
            Self::Repeated(part) => part.num_switches(),
        }
    }

    /// Number of actions, those of patterns with them.
    #[must_use]
    pub fn size(&self) -> usize {
        match self {
            Self::Action(Action::Pattern { path, .. }, _) => 1 + path.size(),
            Self::Action(..) => 1,
            Self::Sequence(parts) | Self::Choice(parts) => parts.iter().map(Self::size).sum(),
            Self::Repeated(part) => part.size(),
        }
    }
}

/// The rules of a game, as a file gives them.
#[derive(Clone, Debug, PartialEq)]
pub struct Rulebook {
    pub(super) players: Vec<Bounded>,
    pub(super) pieces: Vec<String>,
    pub(super) variables: Vec<Bounded>,
    pub(super) board: Board,
    pub(super) rules: Rules,
    pub(super) origin: Origin,
}

impl Rulebook {
    /// The players, with their largest scores.
    #[must_use]
    pub fn players(&self) -> &[Bounded] {
        &self.players
    }

    /// The pieces.
    #[must_use]
    pub fn pieces(&self) -> &[String] {
        &self.pieces
    }

    /// The variables, with their bounds.
    #[must_use]
    pub fn variables(&self) -> &[Bounded] {
        &self.variables
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// For each square of a board that is written square by square, how far to the right and how far up it is drawn; `None`
    /// where no comment says so of all squares.
    #[must_use]
    pub fn points(&self) -> Option<&[(usize, usize)]> {
        self.origin.drawing.points.as_deref()
    }

    /// Name and bound of a register.
    #[must_use]
    pub fn register(&self, register: Register) -> &Bounded {
        match register {
            Register::Variable(index) => &self.variables[index],
            Register::Score(index) => &self.players[index],
        }
    }

    /// An error at a place of the file.
    pub(super) fn error(&self, fault: Fault) -> Error {
        self.origin.error(fault)
    }
}
