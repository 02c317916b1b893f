//! A strategy of one side, and the walk through all positions that it leads to.

use std::sync::atomic::{AtomicBool, Ordering};

use hashbrown::HashSet;
use nerode_games::explicit::apply;
use nerode_games::{Game, Move, Position, Side, Value};
use nerode_oracle::Packing;

use super::decided::Decided;
use crate::error::{Error, Result};
use crate::outcome::{Depth, Outcome};

/// The greatest number of moves between the first position and a leaf.
const LONGEST_PATH: usize = 10_000;
/// The number of positions between two looks at the interruption.
const LOOK_EVERY: u64 = 1024;
/// The size of an entry in a set of positions, while the set doubles its capacity.
const ENTRY_BYTES: u64 = 3 * size_of::<u128>() as u64;

/// What a side reaches, whatever the other side plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// A win after finitely many moves.
    Win,
    /// A win or a draw. Play that never ends is a draw.
    NoLoss,
}

/// The claim that a side reaches a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    /// The side that has a strategy.
    pub(super) holder: Side,
    pub(super) goal: Goal,
}

impl Claim {
    /// Returns the claims that together mean that a position with `side` to move has the value.
    pub(super) fn of(value: Value, side: Side) -> Vec<Self> {
        let no_loss = |holder| Self { holder, goal: Goal::NoLoss };
        match value {
            Value::Win => vec![Self { holder: side, goal: Goal::Win }],
            Value::Loss => vec![Self { holder: side.other(), goal: Goal::Win }],
            Value::Draw => vec![no_loss(side), no_loss(side.other())],
        }
    }

    /// Returns `true` if the goal is reached where the value is `value` for `side`, which is to move.
    fn is_reached(self, value: Value, side: Side) -> bool {
        let win = if side == self.holder { Value::Win } else { Value::Loss };
        value == win || self.goal == Goal::NoLoss && value == Value::Draw
    }
}

/// Returns the name of a value.
pub(super) fn name(value: Value) -> &'static str {
    Outcome::new(value, Depth::Unknown).name()
}

/// What chooses the moves of the side that has a strategy.
pub(super) trait Player {
    /// Returns the index of a board in the list of the boards after all legal moves.
    ///
    /// # Errors
    /// Returns an error if the choice cannot be read, written or found.
    fn choose(&mut self, position: &Position, replies: &[Vec<u8>]) -> Result<usize>;
}

/// The reason why a walk ended early.
#[derive(Debug)]
pub(super) enum Stop {
    /// The moves are not a strategy for the claim.
    Wrong(String),
    /// The walk could not go on.
    Failed(Error),
}

/// The result of a walk.
pub(super) type Walked = std::result::Result<(), Stop>;

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// The size of a strategy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StrategySize {
    /// The number of positions without a known value, each counted once.
    pub positions: u64,
    /// The number of positions among them in which the strategy has a move.
    pub choices: u64,
    /// The number of moves that lead to a position in the sets or to the end of the game.
    pub leaves: u64,
}

/// A walk through the positions of a strategy, in depth-first order. It uses the rules and the sets alone.
///
/// Where the holder is to move, it follows the chosen move, and otherwise every legal move. It ends at positions whose value is known,
/// and continues only once from every other position.
pub(super) struct Walk<'a> {
    game: &'a dyn Game,
    decided: &'a Decided<'a>,
    packing: Packing,
    /// The positions met so far.
    met: HashSet<u128>,
    /// The positions between the first one and the current one, if play can repeat positions.
    path: Option<HashSet<u128>>,
    /// The greatest number of positions to meet.
    most: u64,
    interrupt: &'a AtomicBool,
    moves: Vec<Move>,
    pub(super) size: StrategySize,
}

impl<'a> Walk<'a> {
    /// Creates a walk that takes at most `memory` bytes.
    ///
    /// # Errors
    /// Returns [`Error::Unrepresentable`] if a position takes more than 128 bits.
    pub(super) fn new(
        game: &'a dyn Game,
        decided: &'a Decided<'a>,
        memory: u64,
        interrupt: &'a AtomicBool,
    ) -> Result<Self> {
        let packing = Packing::new(game.cell_states(), &game.spec()).map_err(Error::Reached)?;
        if packing.num_bytes() > size_of::<u128>() {
            return Err(Error::Unrepresentable {
                what: format!("a position of {}", game.spec()),
                format: "a certificate",
                limit: "positions of at most 128 bits".into(),
            });
        }
        let path = (!game.always_ends()).then(HashSet::new);
        let (met, size) = (HashSet::new(), StrategySize::default());
        Ok(Self {
            game,
            decided,
            packing,
            met,
            path,
            most: memory / ENTRY_BYTES,
            interrupt,
            moves: Vec::new(),
            size,
        })
    }

    /// Returns the game.
    pub(super) fn game(&self) -> &'a dyn Game {
        self.game
    }

    /// Walks through the positions below `position`. If it returns without an error, the moves of `player` prove the claim.
    pub(super) fn go(&mut self, position: &Position, claim: Claim, player: &mut dyn Player) -> Walked {
        self.met.clear();
        self.visit(position, claim, player, 0)
    }

    fn visit(&mut self, position: &Position, claim: Claim, player: &mut dyn Player, plies: usize) -> Walked {
        let Position { board, side } = position;
        if let Some(value) = self.decided.value(board, *side) {
            self.size.leaves += 1;
            if claim.is_reached(value, *side) {
                return Ok(());
            }
            let reason = format!("is a {} for {side}, and {} needs more", name(value), claim.holder);
            return Err(self.wrong(position, &reason));
        }
        let key = self.key(position)?;
        if self.path.as_ref().is_some_and(|path| path.contains(&key)) {
            return match claim.goal {
                Goal::NoLoss => Ok(()),
                Goal::Win => Err(self.wrong(position, "occurs again, so play need not end")),
            };
        }
        if !self.met.insert(key) {
            return Ok(());
        }
        self.must_go_on(plies)?;
        let replies = self.replies(position);
        if let Some(path) = &mut self.path {
            path.insert(key);
        }
        let chosen = if *side == claim.holder {
            self.size.choices += 1;
            let choice = player.choose(position, &replies)?;
            match replies.into_iter().nth(choice) {
                Some(reply) => vec![reply],
                None => return Err(self.wrong(position, &format!("has no move number {choice}"))),
            }
        } else {
            replies
        };
        for board in chosen {
            self.visit(&Position { board, side: side.other() }, claim, player, plies + 1)?;
        }
        if let Some(path) = &mut self.path {
            path.remove(&key);
        }
        Ok(())
    }

    /// Returns the boards after all legal moves, in ascending order of their digits and without repetitions.
    fn replies(&mut self, position: &Position) -> Vec<Vec<u8>> {
        let Position { board, side } = position;
        self.moves.clear();
        self.game.legal_moves(board, *side, &mut self.moves);
        let mut replies: Vec<Vec<u8>> = self.moves.iter().map(|mv| apply(board, mv)).collect();
        let digit = |(cell, &content): (usize, &u8)| self.game.digit(cell, content);
        replies.sort_by(|a, b| a.iter().enumerate().map(digit).cmp(b.iter().enumerate().map(digit)));
        replies.dedup();
        replies
    }

    /// Counts a position, and returns an error if the walk must not go on.
    fn must_go_on(&mut self, plies: usize) -> Result<()> {
        self.size.positions += 1;
        if self.size.positions.is_multiple_of(LOOK_EVERY) && self.interrupt.load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }
        if plies >= LONGEST_PATH {
            return Err(Error::TooDeep { what: "a certificate".into(), most: LONGEST_PATH as u64 });
        }
        if self.met.len() as u64 > self.most {
            return Err(Error::TooLarge {
                what: "the set of positions of a strategy".into(),
                needed_bytes: 2 * u128::from(self.most) * u128::from(ENTRY_BYTES),
                limit_bytes: self.most * ENTRY_BYTES,
            });
        }
        Ok(())
    }

    fn key(&self, position: &Position) -> Result<u128> {
        let no_position = || Error::Rules {
            game: self.game.spec(),
            reason: format!("{} is not a position", self.game.format_position(position)),
        };
        let bytes = self.packing.pack(&position.board, position.side).ok_or_else(no_position)?;
        Ok(bytes.iter().fold(0, |key, &byte| key << 8 | u128::from(byte)))
    }

    fn wrong(&self, position: &Position, reason: &str) -> Stop {
        Stop::Wrong(format!("{} {reason}", self.game.format_position(position)))
    }
}
