//! Evaluations of positions and moves: the fields that answers, lines of a batch and lines of play have in common.

use nerode_games::{Game, Position, Value};
use serde::Serialize;

use nerode_solver::outcome::{Evaluation, RankedDraw, ValueRange};
use nerode_solver::stored::Reply;

/// The meaning of a draw's rank, for texts that contain one.
pub const RANKS_IN_WORDS: &str = "\
a draw with a rank, such as 'draw +2 in 5': best play ends up in a sector that is worth +2 to the side that moves (0 is neutral, and
more is better); 'in 5' is the distance in plies, in which plies through sectors on the other side of the rank count negatively
";

/// The evaluation of a position.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Known {
    /// The position.
    pub position: String,
    /// The side to move.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["P1", "P2"])))]
    pub side: String,
    /// The value for the side to move: `unknown` if the solution has not decided the position, and `not covered` if it
    /// contains no information about it.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["win", "draw", "loss", "unknown", "not covered"])))]
    pub category: &'static str,
    /// The number of plies to the end under best play, or null for draws and if it is not known.
    pub dtw: Option<u32>,
    /// An upper bound of that number if it is not known exactly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dtw_at_most: Option<u32>,
    /// The score of P1 at the end under best play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    #[serde(flatten)]
    draw: Option<DrawLine>,
    #[serde(flatten)]
    range: Option<RangeLine>,
}

/// The range of a value that the solution does not contain, as far as other positions or a search have narrowed it.
#[derive(Clone, Copy, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RangeLine {
    /// The least possible value.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["win", "draw", "loss"])))]
    lower: &'static str,
    /// The greatest possible value.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["win", "draw", "loss"])))]
    upper: &'static str,
    #[serde(skip)]
    range: ValueRange,
}

impl RangeLine {
    /// Returns the range of a value that is not proved.
    fn of(value: Option<Value>, range: ValueRange) -> Option<Self> {
        if value.is_some() { None } else { Self::new(range) }
    }

    /// Returns `None` if the range excludes no value.
    fn new(range: ValueRange) -> Option<Self> {
        let word = |value| category(Some(value), true);
        let line = Self { lower: word(range.least()), upper: word(range.most()), range };
        (range != ValueRange::UNKNOWN).then_some(line)
    }
}

/// The rank of a draw, if draws are ranked.
#[derive(Clone, Copy, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DrawLine {
    /// The value of the sector in which best play ends up, for the side for which the category is. 0 is neutral, and
    /// more is better.
    rank: i32,
    /// The number of plies in sectors on this side of the rank, minus those on the other side, or null if play can stay
    /// in the sector.
    distance: Option<i32>,
    #[serde(skip)]
    draw: RankedDraw,
}

impl DrawLine {
    fn new(draw: RankedDraw) -> Self {
        Self { rank: draw.rank, distance: draw.distance, draw }
    }
}

impl Known {
    /// Describes a position.
    pub fn new(game: &dyn Game, position: &Position, evaluation: &Evaluation) -> Self {
        Self {
            position: game.format_position(position),
            side: position.side.to_string(),
            category: category(evaluation.value(), evaluation.is_covered()),
            dtw: evaluation.depth(),
            dtw_at_most: evaluation.depth_bound(),
            score: evaluation.score(),
            draw: evaluation.draw().map(DrawLine::new),
            range: RangeLine::of(evaluation.value(), evaluation.range()),
        }
    }

    /// Returns `true` if the value is a draw with a rank, as [`RANKS_IN_WORDS`] explains.
    pub fn is_ranked_draw(&self) -> bool {
        self.draw.is_some()
    }

    /// Returns the value as text, such as `win in 7`, `draw +46 in 20` or `at least a draw`, with the score if there
    /// is one.
    pub fn value_text(&self) -> String {
        if let Some(line) = &self.range {
            return line.range.to_string();
        }
        let depth = depth_text(self.dtw, self.dtw_at_most);
        value_text(self.category, &depth, self.score, self.draw.map(|line| line.draw))
    }
}

/// A move. The category is that of the side that moves next, so that the best move comes with the worst category.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MoveLine {
    /// The move.
    pub r#move: String,
    /// The position that it leads to.
    position: String,
    /// The value for the side that moves next, as in Lichess' tablebase: a loss is good for the side that makes the
    /// move.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["win", "draw", "loss", "unknown", "not covered"])))]
    category: &'static str,
    /// The number of plies to the end from the position that the move leads to, or null for draws and if it is not
    /// known.
    dtw: Option<u32>,
    /// An upper bound of that number if it is not known exactly.
    #[serde(skip_serializing_if = "Option::is_none")]
    dtw_at_most: Option<u32>,
    /// The score of P1 at the end under best play.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<i32>,
    /// Seen by the side that moves next, as the category is.
    #[serde(flatten)]
    draw: Option<DrawLine>,
    #[serde(skip)]
    draw_by_mover: Option<RankedDraw>,
    /// Seen by the side that moves next, too.
    #[serde(flatten)]
    range: Option<RangeLine>,
}

impl MoveLine {
    /// Describes a move.
    pub fn new(game: &dyn Game, reply: &Reply) -> Self {
        Self {
            r#move: reply.text().into(),
            position: game.format_position(reply.position()),
            category: category(reply.value().map(Value::negated), reply.is_covered()),
            dtw: reply.depth().map(|depth| depth - 1),
            dtw_at_most: reply.depth_bound().map(|depth| depth.saturating_sub(1)),
            score: reply.score(),
            draw: reply.draw_after().map(DrawLine::new),
            draw_by_mover: reply.draw(),
            range: RangeLine::of(reply.value(), reply.range().negated()),
        }
    }

    /// Returns `true` if the value is a draw with a rank, as [`RANKS_IN_WORDS`] explains.
    pub fn is_ranked_draw(&self) -> bool {
        self.draw.is_some()
    }

    /// Returns the value of the move, as text, for the side that makes it.
    pub fn seen_by_mover(&self) -> String {
        if let Some(line) = &self.range {
            return line.range.negated().to_string();
        }
        let category = match self.category {
            "loss" => "win",
            "win" => "loss",
            other => other,
        };
        let [exact, most] = [self.dtw, self.dtw_at_most].map(|plies| plies.map(|plies| plies + 1));
        value_text(category, &depth_text(exact, most), self.score, self.draw_by_mover)
    }
}

/// Returns the category of an evaluation in one word.
pub fn category(value: Option<Value>, covered: bool) -> &'static str {
    match value {
        Some(Value::Win) => "win",
        Some(Value::Draw) => "draw",
        Some(Value::Loss) => "loss",
        None if covered => "unknown",
        None => "not covered",
    }
}

/// Returns a depth as it follows a value: ` in 7`, ` in at most 7`, or nothing if nothing is known.
pub fn depth_text(exact: Option<u32>, most: Option<u32>) -> String {
    let exact = exact.map(|plies| format!(" in {plies}"));
    exact.or(most.map(|plies| format!(" in at most {plies}"))).unwrap_or_default()
}

fn value_text(category: &str, depth: &str, score: Option<i32>, draw: Option<RankedDraw>) -> String {
    let depth = draw.map_or_else(|| depth.into(), |draw| format!(" {draw}"));
    let score = score.map_or(String::new(), |score| format!(", {score:+} for P1"));
    format!("{category}{depth}{score}")
}

#[cfg(test)]
mod tests {
    use nerode_games::Side;
    use nerode_games::registry::open;

    use super::*;

    #[test]
    fn a_range_is_said_in_words_unless_it_is_a_value() {
        let game = open("tictactoe:3x3").unwrap();
        let start = game.start_position();
        let of = |range| Known::new(&*game, &start, &Evaluation::of(None).within(range));
        let at_least = of(ValueRange::at_least(Value::Draw));
        let line = at_least.range.unwrap();
        assert_eq!((line.lower, line.upper), ("draw", "win"));
        assert_eq!((at_least.category, at_least.value_text().as_str()), ("not covered", "at least a draw"));
        let proved = of(ValueRange::exact(Value::Loss));
        assert!(proved.range.is_none());
        assert_eq!((proved.category, proved.value_text().as_str()), ("loss", "loss"));
        assert!(of(ValueRange::UNKNOWN).range.is_none());
        assert_eq!(proved.side, Side::P1.to_string());
    }
}
