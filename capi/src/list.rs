//! Lists of moves and drawings, whose texts stay in memory until the list is freed.

use nerode_probe::{Evaluation, Game, Ground, Picture, Reply};

/// A move with the position after it, as texts.
pub(crate) struct Line {
    pub(crate) text: String,
    pub(crate) position: String,
    /// The evaluation for the side that makes the move.
    pub(crate) evaluation: Evaluation,
}

/// A list of moves.
pub(crate) struct Moves {
    pub(crate) lines: Vec<Line>,
}

impl Moves {
    /// Creates the list of some moves of a game.
    pub(crate) fn of(game: &dyn Game, replies: &[Reply]) -> Self {
        let line = |reply: &Reply| Line {
            text: reply.text().into(),
            position: game.format_position(reply.position()),
            evaluation: reply.evaluation(),
        };
        Self { lines: replies.iter().map(line).collect() }
    }
}

/// The data of a drawing of a board.
pub(crate) struct Drawing {
    pub(crate) picture: Picture,
    /// The name of each place.
    pub(crate) names: Vec<String>,
}

impl Drawing {
    /// Creates the data of a picture.
    pub(crate) fn of(picture: Picture) -> Self {
        let names = (0..picture.places.len()).map(|place| picture.name_of(place)).collect();
        Self { picture, names }
    }

    /// Returns the pairs of places that lines connect.
    pub(crate) fn lines(&self) -> &[(usize, usize)] {
        match &self.picture.ground {
            Ground::Lines(lines) => lines,
            Ground::Squares { .. } | Ground::Hexagons => &[],
        }
    }
}
