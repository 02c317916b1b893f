//! The complete interface of a game: both descriptions, the notation, and the data that identify the game.

use std::fmt;

use nerode_dfa::Shape;

use crate::error::{Error, Result};
use crate::explicit::{ExplicitGame, Move};
use crate::layer::LayerInfo;
use crate::maps::{PositionClass, Relabelling, SideSwap, Symmetry};
use crate::morris::Rules;
use crate::picture::Picture;
use crate::side::Side;
#[cfg(feature = "sets")]
use crate::symbolic::SymbolicGame;

/// A board, in the order of cells of the explicit description, and the side to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The content of every cell.
    pub board: Vec<u8>,
    /// The side to move.
    pub side: Side,
}

/// The text forms of positions and moves.
pub trait Notation: ExplicitGame {
    /// Describes in words how a position is written.
    fn position_form(&self) -> String;

    /// Reads a position.
    ///
    /// # Errors
    /// Returns [`crate::Error::Position`] if the text is not a position.
    fn parse_position(&self, text: &str) -> Result<Position>;

    /// Prints a position so that [`Notation::parse_position`] reads it back.
    fn format_position(&self, position: &Position) -> String;

    /// Creates an [`Error::Position`] with the reason why `text` is not a position, and with the start position as an example.
    fn position_error(&self, text: &str, reason: String) -> Error {
        let (board, side) = self.start();
        let example = self.format_position(&Position { board, side });
        Error::Position { text: text.to_string(), reason, example }
    }

    /// Draws the board with labels on several lines.
    fn draw(&self, position: &Position) -> String;

    /// Draws the board on several lines, with one of `texts` in every cell.
    ///
    /// The default implementation suits a game without a drawing of its board: it prints one line for each cell, with
    /// the number of the cell and its text.
    fn draw_texts(&self, texts: &[String]) -> String {
        texts.iter().enumerate().map(|(cell, text)| format!("{cell:>3}  {text}\n")).collect()
    }

    /// Returns a picture of the board. The default implementation returns `None`, for a game without a picture.
    fn picture(&self, _position: &Position) -> Option<Picture> {
        None
    }

    /// Returns the names of P1 and P2 if the rules name the sides, such as `red` and `blue`. The default implementation
    /// returns `None`.
    fn side_names(&self) -> Option<[String; 2]> {
        None
    }

    /// Prints a legal move from `position`. Different legal moves have different texts.
    fn format_move(&self, position: &Position, mv: &Move) -> String;

    /// Reads a legal move from `position`. The default implementation is [`find_move`].
    ///
    /// # Errors
    /// Returns [`crate::Error::Move`], which lists the legal moves.
    fn parse_move(&self, position: &Position, text: &str) -> Result<Move> {
        find_move(self, position, text)
    }
}

/// The largest number of legal moves that an error message lists.
const LISTED_MOVES: usize = 60;

/// Returns the legal move from `position` that [`Notation::format_move`] prints as `text`. If there is none, returns the only
/// legal move whose text differs from it in case, separators (`-`, `x`, `:`, `/` and spaces) and annotations (`!`, `?`, `+`
/// and `#` at the end) at most.
///
/// Cost: formatting every legal move once.
///
/// # Errors
/// Returns [`Error::Move`], which lists the legal moves.
///
/// # Examples
/// ```
/// use nerode_games::{find_move, registry::open};
/// let game = open("breakthrough:4x5").unwrap();
/// let start = game.start_position();
/// let mv = find_move(game.as_ref(), &start, "b2b3").unwrap();
/// assert_eq!(find_move(game.as_ref(), &start, "B2-b3!?").unwrap(), mv);
/// assert!(find_move(game.as_ref(), &start, "b3").is_err());
/// ```
pub fn find_move<G: Notation + ?Sized>(game: &G, position: &Position, text: &str) -> Result<Move> {
    let text = text.trim();
    let mut moves = Vec::new();
    game.legal_moves(&position.board, position.side, &mut moves);
    let texts: Vec<String> = moves.iter().map(|mv| game.format_move(position, mv)).collect();
    if let Some(at) = texts.iter().position(|known| known == text).or_else(|| only_like(&texts, text)) {
        return Ok(moves.swap_remove(at));
    }
    let listed: Vec<&str> = texts.iter().take(LISTED_MOVES).map(String::as_str).collect();
    let reason = match moves.len() {
        0 => "the game is over: the position has no legal moves".to_string(),
        n if n > listed.len() => {
            format!("not a legal move; legal moves: {} and {} more", listed.join(" "), n - listed.len())
        }
        _ => format!("not a legal move; legal moves: {}", listed.join(" ")),
    };
    Err(Error::Move { text: text.to_string(), reason })
}

/// Returns the index of the only one of `texts` that is essentially `text`.
fn only_like(texts: &[String], text: &str) -> Option<usize> {
    let wanted = essence(text);
    let mut like = (0..texts.len()).filter(|&at| !wanted.is_empty() && essence(&texts[at]) == wanted);
    like.next().filter(|_| like.next().is_none())
}

/// Returns the text of a move without annotations and separators, in lower case.
fn essence(text: &str) -> String {
    let text = text.trim_end_matches(['!', '?', '+', '#']);
    let is_essential = |c: &char| !c.is_whitespace() && !"-\u{2013}xX\u{d7}:/".contains(*c);
    text.chars().filter(is_essential).flat_map(char::to_lowercase).collect()
}

/// The engine that solves a game.
#[derive(Clone, Copy, Debug)]
pub enum SolvedBy<'a> {
    /// Sets of positions, from the symbolic description alone.
    Sets,
    /// Sectors of the morris family, by these rules. Boards that are small enough may also be solved by sets.
    Sectors(&'a Rules),
}

/// What the features of the crate add to a [`Game`]: with `sets`, its description as a [`SymbolicGame`].
#[cfg(feature = "sets")]
pub trait Described: SymbolicGame {}
#[cfg(feature = "sets")]
impl<T: SymbolicGame + ?Sized> Described for T {}

/// What the features of the crate add to a [`Game`]: nothing, without `sets`.
#[cfg(not(feature = "sets"))]
pub trait Described {}
#[cfg(not(feature = "sets"))]
impl<T: ?Sized> Described for T {}

/// A game with all its parameters fixed.
pub trait Game: Described + ExplicitGame + Notation + Send + Sync {
    /// Returns the canonical spec, such as `breakthrough:4x5`. Equal games have equal specs.
    fn spec(&self) -> String;

    /// Describes the rules in words, with every option. The text is meant for people only: rewording it does not make a
    /// different game.
    fn rules(&self) -> String;

    /// Returns the version of the rules. Raise it with every change of the moves that are legal or the boards that are
    /// won, drawn or lost.
    fn rules_version(&self) -> u32;

    /// Returns the name and the value of every option, including options that the spec omits because they have their
    /// default values.
    ///
    /// The default implementation suits a game whose spec contains everything.
    fn options(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Returns the fingerprint of the rules: 16 hexadecimal digits, computed as a hash of [`Game::spec`],
    /// [`Game::rules_version`] and [`Game::options`].
    ///
    /// A file is rejected if its fingerprint differs from that of the game. The fingerprint depends neither on
    /// [`Game::rules`] nor on the letter order. A game that is read from a text may hash that text instead.
    fn fingerprint(&self) -> String {
        let mut text = format!("{}\nrules version {}\n", self.spec(), self.rules_version());
        for (name, value) in self.options() {
            text += &format!("{name}={value}\n");
        }
        blake3::hash(text.as_bytes()).to_hex()[..16].to_string()
    }

    /// Returns the text of the rules if the game is read from one. This text is sufficient to open the game on another machine.
    fn rules_text(&self) -> Option<String> {
        None
    }

    /// Returns the engine that solves the game. The default implementation suits all games without sectors.
    fn solved_by(&self) -> SolvedBy<'_> {
        SolvedBy::Sets
    }

    /// Returns the rules of a game with sectors.
    ///
    /// # Errors
    /// Returns [`Error::NoSectors`] for other games.
    ///
    /// # Examples
    /// ```
    /// use nerode_games::registry::open;
    /// assert_eq!(open("morris:six").unwrap().sector_rules().unwrap().stones, [6, 6]);
    /// assert!(open("nim:3x7").unwrap().sector_rules().is_err());
    /// ```
    fn sector_rules(&self) -> Result<&Rules> {
        match self.solved_by() {
            SolvedBy::Sectors(rules) => Ok(rules),
            SolvedBy::Sets => Err(Error::NoSectors { spec: self.spec() }),
        }
    }

    /// Returns the symmetries of the board without the identity.
    fn symmetries(&self) -> Vec<Symmetry>;

    /// Returns generators of the group of relabellings, without the identity. All other relabellings are products of these.
    ///
    /// The default implementation returns [`Game::symmetries`]. A game whose cell contents change with the board, for
    /// example because they name squares, must override it.
    fn relabellings(&self) -> Vec<Relabelling> {
        let same = |&states: &u16| (0..=u8::MAX).take(usize::from(states)).collect();
        let contents: Vec<Vec<u8>> = self.cell_states().iter().map(same).collect();
        let of = |s: Symmetry| Relabelling { name: s.name, image: s.image, contents: contents.clone() };
        self.symmetries().into_iter().map(of).collect()
    }

    /// Returns `true` if `map`, one of [`Game::relabellings`], takes admissible positions to admissible positions.
    ///
    /// Statistics count admissible positions up to such maps.
    fn keeps_admissible(&self, _map: &Relabelling) -> bool {
        true
    }

    /// Returns the classes by which statistics are split. If there are none, all positions belong to a single class.
    fn classes(&self) -> Vec<PositionClass> {
        Vec::new()
    }

    /// Returns the map that exchanges the sides, if there is one. In that case, the wins of P1 and the losses of P2
    /// form a complete solution.
    fn side_swap(&self) -> Option<SideSwap> {
        None
    }

    /// Returns `true` if play may begin from any position, as in endgames. [`Game::start_position`] is then only an example.
    fn begins_anywhere(&self) -> bool {
        false
    }

    /// Returns the start position of the game.
    fn start_position(&self) -> Position {
        let (board, side) = self.start();
        Position { board, side }
    }

    /// Rejects a position that certainly cannot occur in play; see [`ExplicitGame::why_illegal`].
    ///
    /// # Errors
    /// Returns [`Error::Illegal`] with the reason.
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

    /// Returns the number of letters of each layer in the current letter order.
    fn shape(&self) -> &Shape;

    /// Returns the labels of the layers in the current letter order.
    fn layers(&self) -> Vec<LayerInfo>;

    /// Returns the map from layers to cells: `cell_of_layer()[l]` is the cell of the explicit board that layer `l`
    /// represents. The map is a permutation of the cells.
    fn cell_of_layer(&self) -> &[usize];

    /// Returns the inverse of [`cell_of_layer`](Self::cell_of_layer): the layer of each cell.
    fn layer_of_cell(&self) -> Vec<usize> {
        let mut layers = vec![0; self.cell_of_layer().len()];
        self.cell_of_layer().iter().enumerate().for_each(|(layer, &cell)| layers[cell] = layer);
        layers
    }

    /// Returns the name of the current letter order.
    fn order(&self) -> &str;

    /// Converts a board to its word in the current letter order.
    fn word_of(&self, board: &[u8]) -> Vec<u8> {
        self.cell_of_layer().iter().map(|&cell| board[cell]).collect()
    }

    /// Converts a word in the current letter order to its board.
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
