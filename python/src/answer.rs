//! `nerode.Answer` and `nerode.Reply`: the evaluation of a position and of its moves by a solution.

use nerode::{RankedDraw, Value, games};
use pyo3::prelude::*;

use crate::Reduced;
use crate::game::{Game, Handle};
use crate::position::{Position, side_named};

/// Returns `win`, `draw` or `loss`.
pub fn text_of(value: Option<Value>) -> Option<String> {
    value.map(|value| value.to_string())
}

/// The evaluation of a position or of a move.
#[derive(Clone)]
struct Facts {
    value: Option<String>,
    depth: Option<u32>,
    depth_bound: Option<u32>,
    score: Option<i32>,
    draw: Option<RankedDraw>,
    is_covered: bool,
}

/// The same as Python pickles it. A ranked draw is its rank, its distance, and the value of its sector.
type Pickled = (Option<String>, Option<u32>, Option<u32>, Option<i32>, Option<(i32, Option<i32>, i32)>, bool);

impl Facts {
    fn pickled(&self) -> Pickled {
        let draw = self.draw.map(|draw| (draw.rank, draw.distance, draw.value));
        (self.value.clone(), self.depth, self.depth_bound, self.score, draw, self.is_covered)
    }

    fn of((value, depth, depth_bound, score, draw, is_covered): Pickled) -> Self {
        let draw = draw.map(|(rank, distance, value)| RankedDraw { rank, distance, value });
        Self { value, depth, depth_bound, score, draw, is_covered }
    }

    fn text(&self) -> String {
        let value = self.value.as_deref().unwrap_or("unknown");
        match (self.depth, self.depth_bound, self.draw) {
            (Some(depth), ..) => format!("{value} in {depth}"),
            (None, Some(bound), _) => format!("{value} in at most {bound}"),
            (None, None, Some(draw)) => format!("{value} {draw}"),
            (None, None, None) => value.into(),
        }
    }
}

/// The drawing of an answer.
enum Picture {
    /// Drawn when it is needed.
    Of(Box<nerode::Answer>),
    /// Drawn before the answer was pickled, if the game has drawings.
    Drawn(Option<String>),
}

/// The evaluation of a position: its value for the side to move, and its moves, best first.
///
/// >>> import nerode
/// >>> answer = nerode.open("breakthrough:3x4").solve().query()
/// >>> answer
/// <bbb/bbb/www/www w: loss in 12>
#[pyclass(frozen, module = "nerode")]
pub struct Answer {
    position: games::Position,
    facts: Facts,
    moves: Vec<Reply>,
    game: Handle,
    picture: Picture,
}

impl Answer {
    pub fn new(inner: nerode::Answer, game: Handle) -> Self {
        let facts = Facts {
            value: text_of(inner.value()),
            depth: inner.depth(),
            depth_bound: inner.depth_bound(),
            score: inner.score(),
            draw: inner.draw(),
            is_covered: inner.is_covered(),
        };
        let (position, moves) = (inner.position().clone(), replies(inner.moves(), &game));
        Self { position, facts, moves, game, picture: Picture::Of(Box::new(inner)) }
    }

    /// Draws the board with the value of every move.
    pub fn svg(&self) -> Option<String> {
        let inner = match &self.picture {
            Picture::Of(inner) => inner,
            Picture::Drawn(drawn) => return drawn.clone(),
        };
        let caption = format!("{} to move: {}", self.position.side, self.facts.text());
        nerode::picture(&*self.game, &self.position, &caption, Some(inner))
    }

    /// Returns the moves, best first.
    pub fn replies(&self) -> &[Reply] {
        &self.moves
    }
}

#[pymethods]
impl Answer {
    /// The position that was queried.
    ///
    /// >>> import nerode
    /// >>> nerode.open("nim:2x3").solve().query().position
    /// <Position 3/3 P1 of nim:2x3>
    #[getter]
    fn position(&self) -> Position {
        Position { inner: self.position.clone(), game: self.game.clone() }
    }

    /// `win`, `draw` or `loss` for the side to move, or None if it is unknown.
    ///
    /// >>> import nerode
    /// >>> nerode.open("nim:2x3").solve().query("3/1 P1").value
    /// 'win'
    #[getter]
    fn value(&self) -> Option<&str> {
        self.facts.value.as_deref()
    }

    /// The number of plies to the end of the game if the winner plays for the shortest win and the loser for the longest loss; None
    /// for draws, and if it is not known exactly.
    ///
    /// >>> import nerode
    /// >>> nerode.open("nim:2x3").solve("retrograde").query("3/1 P1").depth
    /// 3
    #[getter]
    fn depth(&self) -> Option<u32> {
        self.facts.depth
    }

    /// An upper bound of that number, in plies, if it is not known exactly.
    ///
    /// >>> import nerode
    /// >>> last = nerode.open("breakthrough:3x4").solve("retrograde", keep="last")
    /// >>> any(last.query(position, any=True).depth_bound for position in last.sample(50))
    /// True
    #[getter]
    fn depth_bound(&self) -> Option<u32> {
        self.facts.depth_bound
    }

    /// The score for P1, if the solution has scores.
    ///
    /// >>> import nerode
    /// >>> nerode.open("nim:2x3").solve().query().score is None
    /// True
    #[getter]
    fn score(&self) -> Option<i32> {
        self.facts.score
    }

    /// The rank of a draw, if draws are ranked: the value of the sector in which best play ends, for the side to move. 0 is neutral,
    /// and higher is better. See `ranked` of `Game.solve`.
    ///
    /// >>> import nerode
    /// >>> ending = nerode.open("morris:three").solve(sectors=["3-3-0-0"], ranked=True)
    /// >>> ending.query(ending.sample(1, value="draw")[0], any=True).rank is not None
    /// True
    #[getter]
    fn rank(&self) -> Option<i32> {
        self.facts.draw.map(|draw| draw.rank)
    }

    /// The number of plies until best play reaches that sector, or None if it can stay in the current one.
    ///
    /// >>> import nerode
    /// >>> nerode.open("tictactoe:3x3").solve().query().distance is None
    /// True
    #[getter]
    fn distance(&self) -> Option<i32> {
        self.facts.draw.and_then(|draw| draw.distance)
    }

    /// True if the solution covers the position. The value of any other position is only known if it follows from its moves.
    ///
    /// >>> import nerode
    /// >>> nerode.open("nim:2x3").solve().query().is_covered
    /// True
    #[getter]
    fn is_covered(&self) -> bool {
        self.facts.is_covered
    }

    /// All legal moves, best first. The list is empty if the game is over.
    ///
    /// >>> import nerode
    /// >>> nerode.open("nim:2x3").solve("retrograde").query("1/0 P1").moves
    /// [<a-1: win in 1>]
    #[getter]
    fn moves(&self) -> Vec<Reply> {
        self.moves.clone()
    }

    fn __repr__(&self) -> String {
        format!("<{}: {}>", self.game.format_position(&self.position), self.facts.text())
    }

    /// Draws the board with the value of every move, for notebooks.
    fn _repr_svg_(&self) -> Option<String> {
        self.svg()
    }

    #[allow(clippy::type_complexity, reason = "the parts of a pickled answer")]
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> Reduced<'py, (Game, Vec<u8>, String, Pickled, Vec<(String, Vec<u8>, Pickled)>, Option<String>)> {
        let move_of =
            |reply: &Reply| (reply.text.clone(), reply.position.board.clone(), reply.facts.pickled());
        let parts = (
            self.game.to_game(py)?,
            self.position.board.clone(),
            self.position.side.to_string(),
            self.facts.pickled(),
            self.moves.iter().map(move_of).collect(),
            self.svg(),
        );
        Ok((py.get_type::<Self>().getattr("_restored")?, parts))
    }

    #[staticmethod]
    fn _restored(
        game: &Bound<'_, Game>,
        board: Vec<u8>,
        side: &str,
        facts: Pickled,
        moves: Vec<(String, Vec<u8>, Pickled)>,
        svg: Option<String>,
    ) -> PyResult<Self> {
        let (side, game) = (side_named(game.py(), side)?, game.get().handle());
        let reply = |(text, board, facts)| Reply {
            text,
            position: games::Position { board, side: side.other() },
            facts: Facts::of(facts),
            game: game.clone(),
        };
        let moves = moves.into_iter().map(reply).collect();
        let position = games::Position { board, side };
        Ok(Self { position, facts: Facts::of(facts), moves, game, picture: Picture::Drawn(svg) })
    }
}

/// A move with its value for the side that makes it, so that the best move has the value of the position.
///
/// >>> import nerode
/// >>> nerode.open("breakthrough:3x4").solve().best_move()
/// <a2xb3: loss in 12>
#[pyclass(frozen, module = "nerode")]
#[derive(Clone)]
pub struct Reply {
    text: String,
    position: games::Position,
    facts: Facts,
    game: Handle,
}

/// Converts moves to Python objects.
pub fn replies(moves: &[nerode::Reply], game: &Handle) -> Vec<Reply> {
    let reply = |reply: &nerode::Reply| Reply {
        text: reply.text().into(),
        position: reply.position().clone(),
        facts: Facts {
            value: text_of(reply.value()),
            depth: reply.depth(),
            depth_bound: reply.depth_bound(),
            score: reply.score(),
            draw: reply.draw(),
            is_covered: reply.is_covered(),
        },
        game: game.clone(),
    };
    moves.iter().map(reply).collect()
}

#[pymethods]
impl Reply {
    /// The move in the notation of the game.
    ///
    /// >>> import nerode
    /// >>> nerode.open("breakthrough:3x4").solve().best_move().text
    /// 'a2xb3'
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    /// The position after the move.
    ///
    /// >>> import nerode
    /// >>> print(nerode.open("nim:2x3").solve().best_move("3/1 P1").position)
    /// 1/1 P2
    #[getter]
    fn position(&self) -> Position {
        Position { inner: self.position.clone(), game: self.game.clone() }
    }

    /// `win`, `draw` or `loss` for the side that makes the move, or None if it is unknown.
    ///
    /// >>> import nerode
    /// >>> nerode.open("nim:2x3").solve().best_move("3/1 P1").value
    /// 'win'
    #[getter]
    fn value(&self) -> Option<&str> {
        self.facts.value.as_deref()
    }

    /// The number of plies to the end of the game, including this move; None for draws, and if it is not known exactly.
    ///
    /// >>> import nerode
    /// >>> nerode.open("breakthrough:3x4").solve("retrograde").best_move().depth
    /// 12
    #[getter]
    fn depth(&self) -> Option<u32> {
        self.facts.depth
    }

    /// An upper bound of that number, in plies, if it is not known exactly.
    ///
    /// >>> import nerode
    /// >>> nerode.open("breakthrough:3x4").solve("retrograde").best_move().depth_bound is None
    /// True
    #[getter]
    fn depth_bound(&self) -> Option<u32> {
        self.facts.depth_bound
    }

    /// The score for P1, if the solution has scores.
    ///
    /// >>> import nerode
    /// >>> nerode.open("nim:2x3").solve().best_move().score is None
    /// True
    #[getter]
    fn score(&self) -> Option<i32> {
        self.facts.score
    }

    /// The rank of a draw, if draws are ranked: the value of the sector in which best play ends, for the side that makes the move.
    /// 0 is neutral, and higher is better. See `ranked` of `Game.solve`.
    ///
    /// >>> import nerode
    /// >>> nerode.open("tictactoe:3x3").solve().best_move().rank is None
    /// True
    #[getter]
    fn rank(&self) -> Option<i32> {
        self.facts.draw.map(|draw| draw.rank)
    }

    /// The number of plies until best play reaches that sector, or None if it can stay in the current one.
    ///
    /// >>> import nerode
    /// >>> nerode.open("tictactoe:3x3").solve().best_move().distance is None
    /// True
    #[getter]
    fn distance(&self) -> Option<i32> {
        self.facts.draw.and_then(|draw| draw.distance)
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<{}: {}>", self.text, self.facts.text())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (Game, String, Vec<u8>, String, Pickled)> {
        let side = self.position.side.to_string();
        let parts = (
            self.game.to_game(py)?,
            self.text.clone(),
            self.position.board.clone(),
            side,
            self.facts.pickled(),
        );
        Ok((py.get_type::<Self>().getattr("_restored")?, parts))
    }

    #[staticmethod]
    fn _restored(
        game: &Bound<'_, Game>,
        text: String,
        board: Vec<u8>,
        side: &str,
        facts: Pickled,
    ) -> PyResult<Self> {
        let position = games::Position { board, side: side_named(game.py(), side)? };
        Ok(Self { text, position, facts: Facts::of(facts), game: game.get().handle() })
    }
}
