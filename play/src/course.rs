//! A game in progress: the moves made so far, and how it ends.

use std::fmt;

use nerode_games::explicit::apply;
use nerode_games::{Game, Move, Position, Side, Value};

/// The limits after which a game is declared a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The number of consecutive plies without a placement or capture, in games that may go on for ever.
    pub quiet_plies: u32,
    /// The total number of plies.
    pub plies: u32,
}

impl Default for Limits {
    /// Returns 50 plies without a placement or capture, as in Gévay and Danner's matches, and 1000 plies in total.
    fn default() -> Self {
        Self { quiet_plies: 50, plies: 1000 }
    }
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// A side has won by the rules.
    Won(Side),
    /// A draw by the rules.
    Drawn,
    /// A draw because of too many plies without a placement or capture.
    Quiet,
    /// A draw because the game became too long.
    Long,
}

impl End {
    /// Returns the winner, or `None` for a draw.
    pub fn winner(self) -> Option<Side> {
        match self {
            Self::Won(side) => Some(side),
            Self::Drawn | Self::Quiet | Self::Long => None,
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Won(side) => write!(f, "{side} has won"),
            Self::Drawn => f.write_str("a draw"),
            Self::Quiet => f.write_str("a draw: too many plies without a placement or capture"),
            Self::Long => f.write_str("a draw: the game became too long"),
        }
    }
}

/// A move that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// The move in the notation of the game.
    pub text: String,
    /// The position after the move.
    pub after: Position,
}

/// A game in progress.
///
/// # Examples
/// ```
/// use nerode_play::course::Course;
/// let game = nerode_games::registry::open("tictactoe:3x3")?;
/// let mut course = Course::new(game.as_ref(), game.start_position());
/// course.play(&game.parse_move(course.position(), "b2")?);
/// assert_eq!(course.plies()[0].text, "b2");
/// assert!(course.end(Default::default()).is_none());
/// # Ok::<(), nerode_solver::error::Error>(())
/// ```
#[derive(Clone)]
pub struct Course<'g> {
    game: &'g dyn Game,
    start: Position,
    plies: Vec<Ply>,
}

impl<'g> Course<'g> {
    /// Creates a game without moves that starts at `start`.
    pub fn new(game: &'g dyn Game, start: Position) -> Self {
        Self { game, start, plies: Vec::new() }
    }

    /// Returns the game.
    pub fn game(&self) -> &'g dyn Game {
        self.game
    }

    /// Returns the start position.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// Returns the moves made so far.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// Returns the current position.
    pub fn position(&self) -> &Position {
        self.plies.last().map_or(&self.start, |ply| &ply.after)
    }

    /// Returns an iterator over all positions from the start.
    pub fn positions(&self) -> impl DoubleEndedIterator<Item = &Position> {
        std::iter::once(&self.start).chain(self.plies.iter().map(|ply| &ply.after))
    }

    /// Makes a legal move.
    pub fn play(&mut self, mv: &Move) {
        let at = self.position();
        let text = self.game.format_move(at, mv);
        let after = Position { board: apply(&at.board, mv), side: at.side.other() };
        self.plies.push(Ply { mv: mv.clone(), text, after });
    }

    /// Takes back the last move. Returns `false` if there was none.
    pub fn take_back(&mut self) -> bool {
        self.plies.pop().is_some()
    }

    /// Returns how the game has ended, by the rules or by `limits`, or `None` if it is not over.
    pub fn end(&self, limits: Limits) -> Option<End> {
        let at = self.position();
        if let Some(value) = self.game.outcome(&at.board, at.side) {
            return Some(match value {
                Value::Win => End::Won(at.side),
                Value::Loss => End::Won(at.side.other()),
                Value::Draw => End::Drawn,
            });
        }
        if self.plies.len() >= limits.plies as usize {
            return Some(End::Long);
        }
        let quiet = limits.quiet_plies as usize;
        (!self.game.always_ends() && self.plies.len() >= quiet && self.quiet_plies(quiet) >= quiet)
            .then_some(End::Quiet)
    }

    /// Returns the number of final plies without a placement or capture, counted up to `most`.
    fn quiet_plies(&self, most: usize) -> usize {
        let now = pieces(self.game, self.position());
        let before = self.positions().rev().skip(1).take(most);
        before.take_while(|position| pieces(self.game, position) == now).count()
    }
}

/// Counts the pieces of each side on the board, or the occurrences of each letter if the game has no board.
fn pieces(game: &dyn Game, position: &Position) -> Vec<usize> {
    if let Some(picture) = game.picture(position) {
        let owned = |by| picture.places.iter().filter(|p| p.figure.is_some_and(|f| f.owner == by)).count();
        return [Some(Side::P1), Some(Side::P2), None].map(owned).to_vec();
    }
    let mut counts = vec![0; usize::from(u8::MAX) + 1];
    position.board.iter().for_each(|&content| counts[usize::from(content)] += 1);
    counts
}
