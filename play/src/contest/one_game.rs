//! One game of a match.

use std::time::{Duration, Instant};

use nerode_games::{Game, Position, Side};
use serde::{Deserialize, Serialize};

use crate::course::{Course, End, Limits};
use crate::players::{Chosen, Player, PlayerKind};
use nerode_solver::error::Result;

/// How a game of a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GameEnd {
    /// A win by the rules.
    Won,
    /// A draw by the rules.
    Drawn,
    /// A draw because of too many plies without a placement or capture.
    Quiet,
    /// A draw because the game became too long.
    Long,
    /// A loss of the side that failed to move, because of no answer in time, an illegal move, or a program that
    /// ended.
    Failed,
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// Its number in the match, starting from 0. In even games the first player is P1.
    pub number: usize,
    /// The position at the end of the opening.
    pub opening: String,
    /// Whether the first player makes the first move after the opening.
    pub first_player_begins: bool,
    /// The moves after the opening.
    pub moves: Vec<String>,
    /// The winner, or `None` in a draw.
    pub winner: Option<String>,
    /// How the game ended.
    pub end: GameEnd,
    /// The reason why a side failed to move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The time that the first and the second player took, in seconds.
    pub seconds: [f64; 2],
}

impl Played {
    /// Returns the side of the first player.
    pub fn side_of_first(&self) -> Side {
        Side::BOTH[self.number % 2]
    }

    /// Returns the score of the first player: 1, 0.5 or 0.
    pub fn score_of_first(&self) -> f64 {
        match &self.winner {
            None => 0.5,
            Some(side) if *side == self.side_of_first().to_string() => 1.0,
            Some(_) => 0.0,
        }
    }
}

/// Plays a game from `opening`. `kinds` are the players of P1 and P2.
pub(super) fn play(
    game: &dyn Game,
    kinds: [&PlayerKind; 2],
    opening: Position,
    number: usize,
    seed: u64,
    limits: Limits,
) -> Result<Played> {
    // Two players of the same kind have different seeds.
    let seed_of = |side: u64| seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (2 * number as u64 + side);
    let mut players: [Box<dyn Player>; 2] =
        [kinds[0].start(game, seed_of(0))?, kinds[1].start(game, seed_of(1))?];
    let mut course = Course::new(game, opening);
    let mut took = [Duration::ZERO; 2];
    let (winner, end, failure) = loop {
        if let Some(end) = course.end(limits) {
            break (end.winner(), kind_of(end), None);
        }
        let side = course.position().side;
        let began = Instant::now();
        let chosen = players[side.index()].choose(&course)?;
        took[side.index()] += began.elapsed();
        match chosen {
            Chosen::Move(mv) => course.play(&mv),
            Chosen::Fails(failure) => break (Some(side.other()), GameEnd::Failed, Some(failure.to_string())),
        }
    };
    let first = number % 2;
    Ok(Played {
        number,
        opening: game.format_position(course.start()),
        first_player_begins: course.start().side.index() == first,
        moves: course.plies().iter().map(|ply| ply.text.clone()).collect(),
        winner: winner.map(|side| side.to_string()),
        end,
        failure,
        seconds: [took[first], took[1 - first]].map(|took| took.as_secs_f64()),
    })
}

fn kind_of(end: End) -> GameEnd {
    match end {
        End::Won(_) => GameEnd::Won,
        End::Drawn => GameEnd::Drawn,
        End::Quiet => GameEnd::Quiet,
        End::Long => GameEnd::Long,
    }
}
