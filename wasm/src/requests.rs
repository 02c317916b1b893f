//! Requests and their answers, as JSON.

use nerode_games::{Error as GameError, Game};
use nerode_play::course::Course;
use nerode_play::players::Named;
use nerode_probe::{Error, Position, Probe};
use nerode_report::board::picture;
use nerode_report::documents::{About, Answer, Choice, Found, Line, Setup};
use nerode_report::lines::Known;
use nerode_report::position::position_of;
use serde::{Deserialize, Serialize};

/// The words that the answers to several requests depend on: a position, and the moves made since.
#[derive(Deserialize)]
struct At {
    /// The position in any notation that the game accepts; the default is the start position.
    position: Option<String>,
    /// The moves made since, separated by spaces.
    #[serde(default)]
    moves: String,
    /// Whether the position need not occur in play.
    #[serde(default)]
    any: bool,
}

impl At {
    fn course<'g>(&self, game: &'g dyn Game) -> Result<Course<'g>, Error> {
        let start = position_of(game, self.position.as_deref().unwrap_or("start"), self.any)?;
        let mut course = Course::new(game, start);
        for text in self.moves.split_whitespace() {
            let mv = game.parse_move(course.position(), text)?;
            course.play(&mv);
        }
        Ok(course)
    }

    fn read(&self, game: &dyn Game) -> Result<Position, Error> {
        Ok(self.course(game)?.position().clone())
    }
}

/// A request.
#[derive(Deserialize)]
#[serde(tag = "request", rename_all = "lowercase")]
enum Request {
    /// The solution and its game.
    About,
    /// The value of a position and of its moves, with the board if `picture` is set.
    Position {
        #[serde(flatten)]
        at: At,
        #[serde(default)]
        picture: bool,
    },
    /// The values of many positions, with their moves if `moves` is set.
    Positions {
        positions: Vec<String>,
        #[serde(default)]
        moves: bool,
        #[serde(default)]
        any: bool,
    },
    /// Best play.
    Line(At),
    /// The move of a player.
    Choose {
        #[serde(flatten)]
        at: At,
        player: String,
        #[serde(default)]
        seed: u64,
    },
    /// The positions that differ by one change.
    Setup(At),
    /// A drawing of the board with the values of the moves, as SVG.
    Board(At),
    /// The contents of the cells.
    Cells(At),
}

/// The reason why a request has no answer.
#[derive(Debug, Serialize)]
pub struct Failure {
    /// What is wrong.
    detail: String,
    /// What would be accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted: Option<String>,
}

impl Failure {
    /// Creates a failure without a description of what would be accepted.
    pub fn new(detail: impl ToString) -> Self {
        Self { detail: detail.to_string(), accepted: None }
    }

    fn of(error: &Error, game: &dyn Game) -> Self {
        let is_notation = matches!(error, Error::Game(GameError::Position { .. }));
        Self { detail: error.to_string(), accepted: is_notation.then(|| game.position_form()) }
    }

    /// Returns the failure as JSON.
    pub fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// The answer to one of many positions.
#[derive(Serialize)]
#[serde(untagged)]
enum Said {
    Found(Found),
    Failed { error: Failure },
}

/// The contents of the cells of a position, in the order in which they are looked up.
#[derive(Serialize)]
struct Cells {
    cells: Vec<u8>,
    side: String,
}

/// A drawing.
#[derive(Serialize)]
struct Drawn {
    svg: String,
}

/// Answers a request, which is a JSON object, with a JSON document.
///
/// # Errors
/// Returns a failure if the request is malformed or a file is damaged.
pub fn answer(probe: &Probe, request: &[u8]) -> Result<String, Failure> {
    let request =
        serde_json::from_slice(request).map_err(|e| Failure::new(format!("malformed request: {e}")))?;
    let (solution, game) = (probe.solution(), probe.game());
    let failed = |error: Error| Failure::of(&error, game);
    match request {
        Request::About => {
            let mut about = About::new(String::new(), solution).map_err(failed)?;
            about.players = Named::available(&***solution).into_iter().map(Named::name).collect();
            written(&about)
        }
        Request::Position { at, picture } => {
            let found = probe.query(&at.read(game).map_err(failed)?).map_err(failed)?;
            written(&Answer::new(&***solution, &found, None, picture))
        }
        Request::Positions { positions, moves, any } => {
            let one = |text: &String| {
                found(probe, text, moves, any)
                    .map_or_else(|e| Said::Failed { error: Failure::of(&e, game) }, Said::Found)
            };
            written(&positions.iter().map(one).collect::<Vec<_>>())
        }
        Request::Line(at) => {
            let position = at.read(game).map_err(failed)?;
            match Line::new(&***solution, &position, &|| true).map_err(failed)? {
                Some(line) => written(&line),
                None => Err(Failure::new("this solution has no depths, so no winning move can be chosen")),
            }
        }
        Request::Choose { at, player, seed } => {
            let named = Named::ALL.into_iter().find(|named| named.name() == player);
            let named = named.ok_or_else(|| Failure {
                detail: format!("unknown player '{player}'"),
                accepted: Some(
                    Named::available(&***solution)
                        .into_iter()
                        .map(Named::name)
                        .collect::<Vec<_>>()
                        .join(", "),
                ),
            })?;
            let course = at.course(game).map_err(failed)?;
            let text = game.format_position(course.position());
            match named.choose(solution, &course, seed).map_err(failed)? {
                Some(chosen) => written(&Choice::new(game, text, chosen)),
                None => Err(Failure::new("this solution does not rank draws")),
            }
        }
        Request::Setup(at) => written(&Setup::new(game, &at.read(game).map_err(failed)?)),
        Request::Board(at) => {
            let position = at.read(game).map_err(failed)?;
            let answer = probe.query(&position).map_err(failed)?;
            let known = Known::new(game, &position, &answer.evaluation());
            let caption = format!("{} to move: {}", known.side, known.value_text());
            let svg = picture(game, &position, &caption, Some(&answer))
                .ok_or_else(|| Failure::new("this game has no board to draw"))?;
            written(&Drawn { svg })
        }
        Request::Cells(at) => {
            let position = at.read(game).map_err(failed)?;
            written(&Cells { cells: position.board, side: position.side.to_string() })
        }
    }
}

fn found(probe: &Probe, text: &str, moves: bool, any: bool) -> Result<Found, Error> {
    let game = probe.game();
    let position = position_of(game, text, any)?;
    Ok(match moves {
        true => Found::with_moves(game, &probe.query(&position)?),
        false => Found::new(Known::new(game, &position, &probe.evaluate(&position)?)),
    })
}

fn written<T: Serialize>(document: &T) -> Result<String, Failure> {
    serde_json::to_string(document).map_err(Failure::new)
}
