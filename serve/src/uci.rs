//! The dialect of UCI that programs for morris games use.
//!
//! In this dialect, removing a stone is a separate move: `d6-d5`, followed by `xb4` of the same side. Here both are
//! one move, `d6-d5xb4`, so input has to be joined and output has to be split.

use std::sync::Arc;

use nerode_games::explicit::apply;
use nerode_games::{Game, Position};

use nerode_report::position::position_of;
use nerode_solver::stored::Solution;

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
        Self { solution, any, place }
    }

    /// Processes a line. Unknown words are skipped, as the protocol requires.
    pub fn hear(&mut self, line: &str) -> Word {
        let mut words = line.split_whitespace();
        let said = match words.next().unwrap_or_default() {
            "uci" => self.names(),
            "isready" => vec!["readyok".into()],
            "ucinewgame" => {
                *self = Self::new(Arc::clone(&self.solution), self.any);
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
        vec![name, "id author the authors of nerode".into(), "uciok".into()]
    }

    /// Returns the best move, or the part of it that has not been sent yet.
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
        let Some(best) = answer.moves().iter().find(|reply| left_of(reply.text(), begun).is_some()) else {
            return vec![none()];
        };
        let depth = best.depth().map_or_else(String::new, |plies| format!(" in {plies} plies"));
        let value = best.outcome().map_or("not covered", |outcome| outcome.name());
        let rest = left_of(best.text(), begun).unwrap_or_default();
        let next = part_of(rest);
        vec![format!("info string {value}{depth}"), format!("bestmove {next}")]
    }
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
