//! A game as a whole: both descriptions, the notation, and what identifies it.

use std::fmt;

use crate::error::{Error, Result};
use crate::explicit::{ExplicitGame, Move};
use crate::maps::{PositionClass, Relabelling, SideSwap, Symmetry};
use crate::picture::Picture;
use crate::side::Side;
use crate::symbolic::SymbolicGame;

/// A board, in the order of the explicit description's cells, with the side to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Content of every cell.
    pub board: Vec<u8>,
    /// Who moves.
    pub side: Side,
}

/// Text forms of positions and moves.
pub trait Notation: ExplicitGame {
    /// How a position is written, in words.
    fn position_form(&self) -> String;

    /// Reads a position.
    ///
    /// # Errors
    /// [`crate::Error::Position`].
    fn parse_position(&self, text: &str) -> Result<Position>;

    /// Prints a position so that [`Notation::parse_position`] reads it back.
    fn format_position(&self, position: &Position) -> String;

    /// An [`Error::Position`]: why `text` is no position, with the start as an example of one.
    fn position_error(&self, text: &str, reason: String) -> Error {
        let (board, side) = self.start();
        let example = self.format_position(&Position { board, side });
        Error::Position { text: text.to_string(), reason, example }
    }

    /// Draws the board with labels, on several lines.
    fn draw(&self, position: &Position) -> String;

    /// Draws the board with one of `texts` in every cell, on several lines.
    ///
    /// The default is for a game without a board to draw: one line for each cell, with its number and its text.
    fn draw_texts(&self, texts: &[String]) -> String {
        texts.iter().enumerate().map(|(cell, text)| format!("{cell:>3}  {text}\n")).collect()
    }

    /// The board as a picture. The default is for a game without one.
    fn picture(&self, _position: &Position) -> Option<Picture> {
        None
    }

    /// Prints a legal move from `position`. Two legal moves have two texts.
    fn format_move(&self, position: &Position, mv: &Move) -> String;

    /// Reads a legal move from `position`. The default is [`find_move`].
    ///
    /// # Errors
    /// [`crate::Error::Move`], which lists the legal moves.
    fn parse_move(&self, position: &Position, text: &str) -> Result<Move> {
        find_move(self, position, text)
    }
}

/// Most legal moves that an error message lists.
const LISTED_MOVES: usize = 60;

/// The legal move of `position` that [`Notation::format_move`] prints as `text`.
///
/// Cost: one text for every legal move.
///
/// # Errors
/// [`Error::Move`], which lists the legal moves.
pub fn find_move<G: Notation + ?Sized>(game: &G, position: &Position, text: &str) -> Result<Move> {
    let text = text.trim();
    let mut moves = Vec::new();
    game.legal_moves(&position.board, position.side, &mut moves);
    if let Some(found) = moves.iter().find(|mv| game.format_move(position, mv) == text) {
        return Ok(found.clone());
    }
    let listed: Vec<String> =
        moves.iter().take(LISTED_MOVES).map(|mv| game.format_move(position, mv)).collect();
    let reason = match moves.len() {
        0 => "there is no legal move in this position".to_string(),
        n if n > listed.len() => {
            format!("not a legal move; legal are {} and {} more", listed.join(" "), n - listed.len())
        }
        _ => format!("not a legal move; legal are {}", listed.join(" ")),
    };
    Err(Error::Move { text: text.to_string(), reason })
}

/// A game with all its parameters fixed.
pub trait Game: SymbolicGame + ExplicitGame + Notation + Send + Sync {
    /// The canonical spec, such as `breakthrough:4x5`: equal for equal games.
    fn spec(&self) -> String;

    /// The rules in words, with every option. For people only: rewording them does not make another game.
    fn rules(&self) -> String;

    /// Version of the rules. Raise it with every change of what is legal, won, drawn or lost on some board.
    fn rules_version(&self) -> u32;

    /// Every option by name, with the value in force, also where the spec leaves it out because it is the usual one.
    ///
    /// The default suits a game whose spec says everything.
    fn options(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Fingerprint of the rules: 16 hexadecimal digits, a hash of [`Game::spec`], [`Game::rules_version`] and
    /// [`Game::options`].
    ///
    /// Files are refused when their fingerprint is not that of the game. Neither [`Game::rules`] nor the letter order is part
    /// of it. A game that is read from a text may hash the text instead.
    fn fingerprint(&self) -> String {
        let mut text = format!("{}\nrules version {}\n", self.spec(), self.rules_version());
        for (name, value) in self.options() {
            text += &format!("{name}={value}\n");
        }
        blake3::hash(text.as_bytes()).to_hex()[..16].to_string()
    }

    /// The text of the rules, where the game is read from one: with it the game can be opened anywhere.
    fn rules_text(&self) -> Option<String> {
        None
    }

    /// Symmetries of the board, without the identity.
    fn symmetries(&self) -> Vec<Symmetry>;

    /// Generators of the group of relabellings, without the identity: every other one is a product of these.
    ///
    /// The default is [`Game::symmetries`]. A game whose contents change with the board states its own.
    fn relabellings(&self) -> Vec<Relabelling> {
        let same = |&states: &u16| (0..=u8::MAX).take(usize::from(states)).collect();
        let contents: Vec<Vec<u8>> = self.cell_states().iter().map(same).collect();
        let of = |s: Symmetry| Relabelling { name: s.name, image: s.image, contents: contents.clone() };
        self.symmetries().into_iter().map(of).collect()
    }

    /// Whether `map`, one of [`Game::relabellings`], takes admissible positions to admissible ones.
    ///
    /// Statistics count admissible positions up to the maps that do.
    fn keeps_admissible(&self, _map: &Relabelling) -> bool {
        true
    }

    /// Classes by which statistics are split. Empty: all positions are of one class.
    fn classes(&self) -> Vec<PositionClass> {
        Vec::new()
    }

    /// The map that exchanges the sides, if there is one. The wins of P1 and the losses of P2 are then a whole solution.
    fn side_swap(&self) -> Option<SideSwap> {
        None
    }

    /// Whether play begins anywhere, as in endgames: then [`Game::start_position`] is an example and no more.
    fn begins_anywhere(&self) -> bool {
        false
    }

    /// The position that the game starts from.
    fn start_position(&self) -> Position {
        let (board, side) = self.start();
        Position { board, side }
    }

    /// Refuses a position that certainly no game comes to; see [`ExplicitGame::why_illegal`].
    ///
    /// # Errors
    /// [`Error::Illegal`].
    ///
    /// # Examples
    /// ```
    /// let game = nerode_games::registry::open("tictactoe:3x3").unwrap();
    /// let position = game.parse_position("XXX/XXX/XXX O").unwrap();
    /// let error = game.check_legal(&position).unwrap_err().to_string();
    /// assert!(error.starts_with("illegal position 'XXX/XXX/XXX O': X has 9 marks"), "{error}");
    /// ```
    fn check_legal(&self, position: &Position) -> Result<()> {
        match self.why_illegal(&position.board, position.side) {
            None => Ok(()),
            Some(reason) => Err(Error::Illegal { text: self.format_position(position), reason }),
        }
    }

    /// Name of the letter order in force.
    fn order(&self) -> &str;

    /// The word of a board, in the letter order in force.
    fn word_of(&self, board: &[u8]) -> Vec<u8> {
        self.cell_of_layer().iter().map(|&cell| board[cell]).collect()
    }

    /// The board of a word, in the letter order in force.
    fn board_of(&self, word: &[u8]) -> Vec<u8> {
        let mut board = vec![0; word.len()];
        for (&cell, &letter) in self.cell_of_layer().iter().zip(word) {
            board[cell] = letter;
        }
        board
    }
}

impl fmt::Debug for dyn Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Game").field(&self.spec()).field(&self.order()).finish()
    }
}
