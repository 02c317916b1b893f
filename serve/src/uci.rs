//! The dialect of UCI that programs for morris games use.
//!
//! In this dialect, removing a stone is a separate move: `d6-d5`, followed by `xb4` of the same side. Here both are
//! one move, `d6-d5xb4`, so input has to be joined and output has to be split.

use std::sync::Arc;

use nerode_games::explicit::apply;
use nerode_games::{Game, Position};

use nerode_report::position::position_of;
use nerode_solver::outcome::Outcome;
use nerode_solver::stored::{Reply, Solution};

/// The maximum number of moves that a client may request with `MultiPV`.
const MOST_LINES: usize = 500;
/// The maximum number of moves of a principal variation.
const LINE_MOVES: usize = 60;
/// The score of a win whose depth is not stored, in hundredths of a piece.
const WIN: i32 = 10_000;

/// The state of a game: a position, and the beginning of a move whose captures have not been received yet.
struct Place {
    position: Position,
    begun: Option<String>,
}

/// A line-based conversation about a game.
pub struct Talk {
    solution: Arc<Solution>,
    /// Whether positions that cannot occur in play are answered.
    any: bool,
    /// The number of moves to report, each with its score and its principal variation.
    lines: usize,
    place: Result<Place, String>,
}

/// The answer to a line.
#[derive(Debug, PartialEq, Eq)]
pub enum Word {
    /// These lines.
    Say(Vec<String>),
    /// The end of the conversation.
    End,
}

impl Talk {
    /// Starts at the start position of the solution's game. Unless `any` is set, positions that cannot occur in play are
    /// rejected.
    pub fn new(solution: Arc<Solution>, any: bool) -> Self {
        let place = Ok(Place { position: solution.game().start_position(), begun: None });
        Self { solution, any, lines: 1, place }
    }

    /// Processes a line. Unknown words are skipped, as the protocol requires.
    pub fn hear(&mut self, line: &str) -> Word {
        let mut words = line.split_whitespace();
        let said = match words.next().unwrap_or_default() {
            "uci" => self.names(),
            "isready" => vec!["readyok".into()],
            "ucinewgame" => {
                *self = Self { lines: self.lines, ..Self::new(Arc::clone(&self.solution), self.any) };
                Vec::new()
            }
            "setoption" => {
                let words: Vec<String> = words.map(str::to_lowercase).collect();
                if let [_, name, _, number] = &words[..]
                    && name == "multipv"
                {
                    self.lines = number.parse().map_or(1, |number: usize| number.clamp(1, MOST_LINES));
                }
                Vec::new()
            }
            "position" => {
                let words: Vec<&str> = words.collect();
                self.place = place(self.solution.game(), &words, self.any);
                self.place.as_ref().err().map(|why| format!("info string {why}")).into_iter().collect()
            }
            "go" => self.go(),
            "quit" => return Word::End,
            _ => Vec::new(),
        };
        Word::Say(said)
    }

    fn names(&self) -> Vec<String> {
        let game = self.solution.game().spec();
        let name = format!("id name nerode {} ({game})", env!("CARGO_PKG_VERSION"));
        let option = format!("option name MultiPV type spin default 1 min 1 max {MOST_LINES}");
        vec![name, "id author the authors of nerode".into(), option, "uciok".into()]
    }

    /// Returns the best moves with their scores and principal variations, and then the best move, or the part of it that
    /// has not been sent yet.
    fn go(&self) -> Vec<String> {
        let none = || "bestmove (none)".to_string();
        let place = match &self.place {
            Ok(place) => place,
            Err(why) => return vec![format!("info string {why}"), none()],
        };
        let answer = match self.solution.query(&place.position) {
            Ok(answer) => answer,
            Err(error) => return vec![format!("info string {error}"), none()],
        };
        let begun = place.begun.as_deref().unwrap_or_default();
        let moves = answer.moves().iter();
        let mut moves = moves.filter_map(|reply| Some((reply, left_of(reply.text(), begun)?))).peekable();
        let Some(next) = moves.peek().map(|&(_, rest)| part_of(rest).to_string()) else {
            return vec![none()];
        };
        let mut said: Vec<String> =
            moves.take(self.lines).zip(1..).map(|((reply, rest), n)| self.info(reply, rest, n)).collect();
        said.push(format!("bestmove {next}"));
        said
    }

    /// Returns the score of a move, and the principal variation that begins with `rest` of it.
    fn info(&self, reply: &Reply, rest: &str, n: usize) -> String {
        let value = reply.outcome().map_or("not covered", |outcome| outcome.name());
        let Some(score) = score(reply) else { return format!("info string {value}") };
        let goes_on = |line: &[Reply]| line.len() < LINE_MOVES;
        let later = self.solution.best_line_while(reply.position(), &goes_on).unwrap_or_default();
        let texts = std::iter::once(rest).chain(later.iter().map(Reply::text));
        let line: Vec<&str> = texts.flat_map(parts_of).collect();
        let depth = reply.depth().unwrap_or(1).max(1);
        format!("info depth {depth} multipv {n} score {score} pv {}", line.join(" "))
    }
}

/// Returns the score of a move for the side that makes it: the number of its moves to the end of the game, which is
/// negative for a loss; or the rank of a draw. Returns `None` if the value is unknown.
fn score(reply: &Reply) -> Option<String> {
    Some(match (reply.outcome()?, reply.depth()) {
        (Outcome::Win(_), Some(plies)) => format!("mate {}", plies.div_ceil(2)),
        (Outcome::Loss(_), Some(plies)) => format!("mate -{}", plies / 2),
        (Outcome::Win(_), None) => format!("cp {WIN}"),
        (Outcome::Loss(_), None) => format!("cp -{WIN}"),
        (Outcome::Draw { rank }, _) => format!("cp {rank}"),
        (Outcome::Unknown, _) => return None,
    })
}

/// Divides a move into the parts that the dialect sends one by one.
fn parts_of(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let part = part_of(rest);
        rest = &rest[part.len()..];
        (!part.is_empty()).then_some(part)
    })
}

/// Returns the remainder of a move after `begun`.
fn left_of<'a>(text: &'a str, begun: &str) -> Option<&'a str> {
    text.strip_prefix(begun).filter(|rest| begun.is_empty() || rest.starts_with('x'))
}

/// Returns the first part of a move: the text before a captured stone, or one captured stone.
fn part_of(text: &str) -> &str {
    let end = text.match_indices('x').map(|(at, _)| at).find(|&at| at > 0);
    end.map_or(text, |end| &text[..end])
}

/// Parses the arguments of `position`: `startpos` or `fen` with a position, optionally followed by `moves`.
fn place(game: &dyn Game, words: &[&str], any: bool) -> Result<Place, String> {
    let end = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let read = |text: String| position_of(game, &text, any).map_err(|error| error.to_string());
    let position = match words[..end].split_first() {
        None | Some((&"startpos", [])) => game.start_position(),
        Some((&"fen", rest)) => read(rest.join(" "))?,
        Some(_) => read(words[..end].join(" "))?,
    };
    let mut place = Place { position, begun: None };
    for word in words.iter().skip(end + 1) {
        go_on(game, &mut place, word)?;
    }
    Ok(place)
}

/// Makes a move, or stores it if a capture has to follow.
fn go_on(game: &dyn Game, place: &mut Place, word: &str) -> Result<(), String> {
    let text = place.begun.take().unwrap_or_default() + word;
    let Place { position, begun } = place;
    match game.parse_move(position, &text) {
        Ok(mv) => {
            *position = Position { board: apply(&position.board, &mv), side: position.side.other() };
            Ok(())
        }
        Err(error) => {
            let mut moves = Vec::new();
            game.legal_moves(&position.board, position.side, &mut moves);
            let with_more = format!("{text}x");
            let takes = moves.iter().any(|mv| game.format_move(position, mv).starts_with(&with_more));
            *begun = takes.then_some(text);
            if takes { Ok(()) } else { Err(error.to_string()) }
        }
    }
}
