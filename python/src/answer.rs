//! `nerode.Answer` and `nerode.Reply`: the evaluation of a position and of its moves by a solution.

use std::sync::Arc;

use nerode::{RankedDraw, Value, games};
use pyo3::prelude::*;

use crate::position::Position;

/// Returns `win`, `draw` or `loss`.
pub fn text_of(value: Option<Value>) -> Option<String> {
    value.map(|value| value.to_string())
}

/// The evaluation of a position: its value for the side to move, and its moves, best first.
#[pyclass(frozen, module = "nerode")]
pub struct Answer {
    pub inner: nerode::Answer,
    pub game: Arc<dyn games::Game>,
}

#[pymethods]
impl Answer {
    /// The position that was queried.
    #[getter]
    fn position(&self) -> Position {
        Position { inner: self.inner.position().clone(), game: Arc::clone(&self.game) }
    }

    /// `win`, `draw` or `loss` for the side to move, or None if it is unknown.
    #[getter]
    fn value(&self) -> Option<String> {
        text_of(self.inner.value())
    }

    /// The number of plies to the end of the game; None for draws, and if it is not known exactly.
    #[getter]
    fn depth(&self) -> Option<u32> {
        self.inner.depth()
    }

    /// An upper bound of that number if it is not known exactly.
    #[getter]
    fn depth_bound(&self) -> Option<u32> {
        self.inner.depth_bound()
    }

    /// The score for P1, if the solution has scores.
    #[getter]
    fn score(&self) -> Option<i32> {
        self.inner.score()
    }

    /// The rank of a draw, if draws are ranked: the value of the sector in which best play ends, for the side to move. Higher is
    /// better. See `ranked` of `Game.solve`.
    #[getter]
    fn rank(&self) -> Option<i32> {
        self.inner.draw().map(|draw| draw.rank)
    }

    /// The number of plies until best play reaches that sector, or None if it can stay in the current one.
    #[getter]
    fn distance(&self) -> Option<i32> {
        self.inner.draw().and_then(|draw| draw.distance)
    }

    /// True if the solution covers the position.
    #[getter]
    fn is_covered(&self) -> bool {
        self.inner.is_covered()
    }

    /// All legal moves, best first.
    #[getter]
    fn moves(&self) -> Vec<Reply> {
        replies(self.inner.moves(), &self.game)
    }

    fn __repr__(&self) -> String {
        let position = self.game.format_position(self.inner.position());
        format!(
            "<{position}: {}>",
            said(self.inner.value(), [self.inner.depth(), self.inner.depth_bound()], self.inner.draw())
        )
    }

    /// Draws the board with the value of every move, for notebooks.
    fn _repr_svg_(&self) -> Option<String> {
        let said =
            said(self.inner.value(), [self.inner.depth(), self.inner.depth_bound()], self.inner.draw());
        let caption = format!("{} to move: {said}", self.inner.position().side);
        nerode::picture(self.game.as_ref(), self.inner.position(), &caption, Some(&self.inner))
    }
}

/// A move with its value for the side that makes it, so that the best move has the value of the position.
#[pyclass(frozen, module = "nerode")]
pub struct Reply {
    inner: nerode::Reply,
    game: Arc<dyn games::Game>,
}

/// Converts moves to Python objects.
pub fn replies(moves: &[nerode::Reply], game: &Arc<dyn games::Game>) -> Vec<Reply> {
    moves.iter().map(|reply| Reply { inner: reply.clone(), game: Arc::clone(game) }).collect()
}

fn said(value: Option<Value>, [depth, bound]: [Option<u32>; 2], draw: Option<RankedDraw>) -> String {
    let value = text_of(value).unwrap_or_else(|| "unknown".into());
    match (depth, bound, draw) {
        (Some(depth), ..) => format!("{value} in {depth}"),
        (None, Some(bound), _) => format!("{value} in at most {bound}"),
        (None, None, Some(draw)) => format!("{value} {draw}"),
        (None, None, None) => value,
    }
}

#[pymethods]
impl Reply {
    /// The move in the notation of the game.
    #[getter]
    fn text(&self) -> &str {
        self.inner.text()
    }

    /// The position after the move.
    #[getter]
    fn position(&self) -> Position {
        Position { inner: self.inner.position().clone(), game: Arc::clone(&self.game) }
    }

    /// `win`, `draw` or `loss` for the side that makes the move, or None if it is unknown.
    #[getter]
    fn value(&self) -> Option<String> {
        text_of(self.inner.value())
    }

    /// The number of plies to the end of the game, including this move; None for draws, and if it is not known exactly.
    #[getter]
    fn depth(&self) -> Option<u32> {
        self.inner.depth()
    }

    /// An upper bound of that number if it is not known exactly.
    #[getter]
    fn depth_bound(&self) -> Option<u32> {
        self.inner.depth_bound()
    }

    /// The score for P1, if the solution has scores.
    #[getter]
    fn score(&self) -> Option<i32> {
        self.inner.score()
    }

    /// The rank of a draw, if draws are ranked: the value of the sector in which best play ends, for the side that makes the move.
    /// Higher is better. See `ranked` of `Game.solve`.
    #[getter]
    fn rank(&self) -> Option<i32> {
        self.inner.draw().map(|draw| draw.rank)
    }

    /// The number of plies until best play reaches that sector, or None if it can stay in the current one.
    #[getter]
    fn distance(&self) -> Option<i32> {
        self.inner.draw().and_then(|draw| draw.distance)
    }

    fn __str__(&self) -> &str {
        self.inner.text()
    }

    fn __repr__(&self) -> String {
        format!(
            "<{}: {}>",
            self.inner.text(),
            said(self.inner.value(), [self.inner.depth(), self.inner.depth_bound()], self.inner.draw())
        )
    }
}
