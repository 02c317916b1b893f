//! The contents of a rules file after macro expansion.

use super::board::Board;
use super::fault::{At, Error, Fault, Origin};

/// A name with its largest value: a player with scores, or a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounded {
    /// The name.
    pub name: String,
    /// The largest value. The smallest is 0.
    pub bound: u32,
}

/// A storage place for numbers: a variable or the score of a player, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Register {
    /// A variable.
    Variable(usize),
    /// The score of a player.
    Score(usize),
}

/// The recipient of the turn in a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mover {
    /// The keeper, who carries out the consequences that the rules prescribe.
    Keeper,
    /// A player, by index.
    Player(usize),
}

/// An operator that joins values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// Sum.
    Plus,
    /// Difference.
    Minus,
    /// Product.
    Times,
    /// Quotient, rounded towards zero.
    Over,
}

/// A number that depends on the position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// A constant.
    Number(u32),
    /// The content of a register.
    Register(Register),
    /// The number of pieces of a kind on the board.
    Count(usize),
    /// Two or more values, joined from the left.
    Joined(Arithmetic, Vec<Value>),
}

impl Value {
    /// Returns `true` if the value or any part of it satisfies a condition.
    pub(super) fn any(&self, condition: &dyn Fn(&Value) -> bool) -> bool {
        condition(self)
            || matches!(self, Self::Joined(_, parts) if parts.iter().any(|part| part.any(condition)))
    }
}

/// A comparison operator.
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
    /// Moves in a direction, given by index.
    Shift(usize),
    /// Continues if one of the pieces is on the square. The pieces are in ascending order.
    On(Vec<usize>),
    /// Places a piece.
    Put(usize),
    /// Assigns a value to a register, and fails if the value is out of bounds.
    Assign(Register, Value),
    /// Continues if the comparison holds.
    Compare(Value, Comparison, Value),
    /// Ends the move and passes the turn.
    Switch(Mover),
    /// Continues if a path through the pattern exists, or if none exists.
    Pattern {
        /// If `true`, no path may exist.
        negated: bool,
        /// The rules that the path follows.
        path: Box<Rules>,
    },
    /// Does nothing.
    Skip,
}

/// A regular expression over actions. Groups with a single part and nested groups of the same kind do not occur.
#[derive(Clone, Debug, PartialEq)]
pub enum Rules {
    /// A single action, with its position in the file.
    Action(Action, At),
    /// A sequence of at least two parts.
    Sequence(Vec<Rules>),
    /// A choice between at least two parts.
    Choice(Vec<Rules>),
    /// A repetition, zero or more times.
    Repeated(Box<Rules>),
}

impl Rules {
    /// Creates a sequence of parts.
    #[must_use]
    pub fn sequence(parts: Vec<Rules>) -> Self {
        Self::group(parts, Self::Sequence, |part| match part {
            Self::Sequence(inner) => Ok(inner),
            other => Err(other),
        })
    }

    /// Creates a choice between parts.
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

    /// Returns the number of switches.
    #[must_use]
    pub fn num_switches(&self) -> u32 {
        match self {
            Self::Action(action, _) => u32::from(matches!(action, Action::Switch(_))),
            Self::Sequence(parts) | Self::Choice(parts) => parts.iter().map(Self::num_switches).sum(),
            Self::Repeated(part) => part.num_switches(),
        }
    }

    /// Returns the recipients of all switches, in reading order.
    pub(super) fn movers(&self) -> Vec<Mover> {
        let mut found = Vec::new();
        self.add_movers(&mut found);
        found
    }

    fn add_movers(&self, found: &mut Vec<Mover>) {
        match self {
            Self::Action(Action::Switch(mover), _) => found.push(*mover),
            Self::Action(..) => {}
            Self::Sequence(parts) | Self::Choice(parts) => {
                parts.iter().for_each(|part| part.add_movers(found));
            }
            Self::Repeated(part) => part.add_movers(found),
        }
    }

    /// Returns the number of actions, including those of patterns.
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

/// The position with which play begins, if it is not the one to which the keeper leads from the beginning of the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct First {
    pub(super) stage: Stage,
    /// The values of all variables, followed by the scores of all players.
    pub(super) registers: Vec<u32>,
}

/// The stage of the game in its first position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// A turn begins.
    Turn {
        /// The number of the switch that passes the turn, counted in reading order.
        switch: u32,
        /// The square on which the path begins.
        square: usize,
        /// If `true`, the other player is to move first, and passes.
        passes: bool,
    },
    /// The game is over.
    Over {
        /// The player to move.
        player: usize,
        /// The winner, or `None` for a draw.
        winner: Option<usize>,
    },
}

/// The rules of a game, as given by a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Rulebook {
    pub(super) players: Vec<Bounded>,
    pub(super) pieces: Vec<String>,
    pub(super) variables: Vec<Bounded>,
    pub(super) board: Board,
    pub(super) rules: Rules,
    pub(super) first: Option<First>,
    pub(super) misere: bool,
    pub(super) origin: Origin,
}

impl Rulebook {
    /// Returns the players with their largest scores.
    #[must_use]
    pub fn players(&self) -> &[Bounded] {
        &self.players
    }

    /// Returns the pieces.
    #[must_use]
    pub fn pieces(&self) -> &[String] {
        &self.pieces
    }

    /// Returns the variables with their bounds.
    #[must_use]
    pub fn variables(&self) -> &[Bounded] {
        &self.variables
    }

    /// Returns the board.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the rules.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns `true` if the player who would have won has lost, and the other way round.
    #[must_use]
    pub fn is_misere(&self) -> bool {
        self.misere
    }

    /// Returns the drawing position of each square (to the right, upwards) of a board that is written square by square, or `None`
    /// unless a comment gives the position of every square.
    #[must_use]
    pub fn points(&self) -> Option<&[(usize, usize)]> {
        self.origin.drawing.points.as_deref()
    }

    /// Returns the name and bound of a register.
    #[must_use]
    pub fn register(&self, register: Register) -> &Bounded {
        match register {
            Register::Variable(index) => &self.variables[index],
            Register::Score(index) => &self.players[index],
        }
    }

    /// Returns the value of a register in the first turn, if the rules do not begin with the keeper.
    pub(super) fn start_value(&self, register: Register) -> Option<u32> {
        let index = match register {
            Register::Variable(index) => index,
            Register::Score(index) => self.variables.len() + index,
        };
        self.first.as_ref()?.registers.get(index).copied()
    }

    /// Returns the switch and the square of the turn that [`Rulebook::first`] gives. If the game is over there, returns the first turn
    /// of a player in the rules, because play never leaves the start.
    pub(super) fn first_turn(&self) -> Option<(u32, usize)> {
        match self.first.as_ref()?.stage {
            Stage::Turn { switch, square, .. } => Some((switch, square)),
            Stage::Over { .. } => {
                let mut movers = self.rules.movers().into_iter();
                let switch = movers.position(|mover| matches!(mover, Mover::Player(_)))?;
                Some((switch as u32, 0))
            }
        }
    }

    /// Creates an error from a fault in the file.
    pub(super) fn error(&self, fault: Fault) -> Error {
        self.origin.error(fault)
    }
}
