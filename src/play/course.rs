//! A game in progress: the moves made so far, and how it ends.

use std::fmt;

use nerode_games::explicit::apply;
use nerode_games::{Game, Move, Position, Side, Value};

/// When a game is broken off as drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// So many plies in a row without placing or taking, in games that need not end by themselves.
    pub quiet_plies: u32,
    /// So many plies in all.
    pub plies: u32,
}

impl Default for Limits {
    /// 50 plies without placing or taking, as in Gévay and Danner's matches, and 1000 in all.
    fn default() -> Self {
        Self { quiet_plies: 50, plies: 1000 }
    }
}

/// How a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// A side has won by the rules.
    Won(Side),
    /// A draw by the rules.
    Drawn,
    /// A draw because nothing was placed or taken for long.
    Quiet,
    /// A draw because the game became too long.
    Long,
}

impl End {
    /// Who has won; `None` for a draw.
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
            Self::Quiet => f.write_str("a draw: nothing was placed or taken for long"),
            Self::Long => f.write_str("a draw: the game became too long"),
        }
    }
}

/// A move that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// The move as the game writes it.
    pub text: String,
    /// The position after it.
    pub after: Position,
}

/// A game in progress.
///
/// # Examples
/// ```
/// use nerode::play::course::Course;
/// let game = nerode::games::registry::open("tictactoe:3x3")?;
/// let mut course = Course::new(game.as_ref(), game.start_position());
/// course.play(&game.parse_move(course.position(), "b2")?);
/// assert_eq!(course.plies()[0].text, "b2");
/// assert!(course.end(Default::default()).is_none());
/// # Ok::<(), nerode::Error>(())
/// ```
#[derive(Clone)]
pub struct Course<'g> {
    game: &'g dyn Game,
    start: Position,
    plies: Vec<Ply>,
}

impl<'g> Course<'g> {
    /// No move made, from `start` on.
    pub fn new(game: &'g dyn Game, start: Position) -> Self {
        Self { game, start, plies: Vec::new() }
    }

    /// The game.
    pub fn game(&self) -> &'g dyn Game {
        self.game
    }

    /// Where it began.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The moves made.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// Where it is.
    pub fn position(&self) -> &Position {
        self.plies.last().map_or(&self.start, |ply| &ply.after)
    }

    /// Every position from the start on.
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

    /// Takes the last move back. Whether there was one.
    pub fn take_back(&mut self) -> bool {
        self.plies.pop().is_some()
    }

    /// How the game has ended, by the rules or by `limits`; `None` where it goes on.
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

    /// Plies in a row without placing or taking at the end, counted up to `most`.
    fn quiet_plies(&self, most: usize) -> usize {
        let now = pieces(self.game, self.position());
        let before = self.positions().rev().skip(1).take(most);
        before.take_while(|position| pieces(self.game, position) == now).count()
    }
}

/// How many pieces each side has on the board, or how often each content of a cell occurs where a game has no board to look at.
fn pieces(game: &dyn Game, position: &Position) -> Vec<usize> {
    if let Some(picture) = game.picture(position) {
        let owned = |by| picture.places.iter().filter(|p| p.figure.is_some_and(|f| f.owner == by)).count();
        return [Some(Side::P1), Some(Side::P2), None].map(owned).to_vec();
    }
    let mut counts = vec![0; usize::from(u8::MAX) + 1];
    position.board.iter().for_each(|&content| counts[usize::from(content)] += 1);
    counts
}
