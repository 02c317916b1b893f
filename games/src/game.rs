//! A game as users meet it: name, rules, notation; with both descriptions behind it.

use std::fmt;

use crate::error::Result;
use crate::explicit::{ExplicitGame, Move};
use crate::side::Side;
use crate::symbolic::SymbolicGame;

/// A board with the side to move, in explicit cell order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Content of every cell.
    pub board: Vec<u8>,
    /// Who moves.
    pub side: Side,
}

/// A board symmetry: position-value preserving map on boards with the same side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// What it is called, such as `mirror`.
    pub name: String,
    /// `image[cell]`: the cell where the content of `cell` goes.
    pub image: Vec<usize>,
}

/// A map of boards that keeps values, cells moved and contents rewritten: a [`Symmetry`] where contents stand for themselves,
/// more where a content is a place, such as the square of a man.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relabelling {
    /// What it is called, such as `mirror`.
    pub name: String,
    /// `image[cell]`: the cell where the content of `cell` goes.
    pub image: Vec<usize>,
    /// `contents[cell][x]`: what the content `x` of `cell` becomes.
    pub contents: Vec<Vec<u8>>,
}

impl Relabelling {
    /// This map, then `next`.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        let onward = |(&to, contents): (&usize, &Vec<u8>)| {
            contents.iter().map(|&content| next.contents[to][usize::from(content)]).collect()
        };
        Self {
            name: format!("{} {}", self.name, next.name),
            image: self.image.iter().map(|&to| next.image[to]).collect(),
            contents: self.image.iter().zip(&self.contents).map(onward).collect(),
        }
    }

    /// The board with cells moved and contents rewritten.
    pub fn apply(&self, board: &[u8]) -> Vec<u8> {
        rewritten(&self.image, &self.contents, board)
    }
}

fn rewritten(image: &[usize], contents: &[Vec<u8>], board: &[u8]) -> Vec<u8> {
    let mut after = vec![0; board.len()];
    for ((&to, contents), &content) in image.iter().zip(contents).zip(board) {
        after[to] = contents[usize::from(content)];
    }
    after
}

/// Positions of one kind, such as one material in chess, by which statistics are told apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionClass {
    /// What they are called.
    pub name: String,
    /// They are the union of these products: cells, each with the contents that it may have.
    pub products: Vec<Vec<(usize, Vec<u8>)>>,
}

/// A map of boards that swaps the sides: it takes the positions of one side to move to those of the other, moves to moves and
/// values to values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideSwap {
    /// `image[cell]`: the cell where the content of `cell` goes.
    pub image: Vec<usize>,
    /// `contents[cell][x]`: what the content `x` of `cell` becomes.
    pub contents: Vec<Vec<u8>>,
}

impl SideSwap {
    /// Cells that go where `image` says, all with the same change of `contents`.
    pub fn uniform(image: Vec<usize>, contents: &[u8]) -> Self {
        Self { contents: vec![contents.to_vec(); image.len()], image }
    }

    /// The board with the sides swapped.
    pub fn apply(&self, board: &[u8]) -> Vec<u8> {
        rewritten(&self.image, &self.contents, board)
    }
}

/// Text forms of positions and moves.
pub trait Notation {
    /// The form of a position, for error messages, such as `ROW/ROW/... w|b`.
    fn position_form(&self) -> String;

    /// Reads a position.
    ///
    /// # Errors
    /// [`crate::Error::Position`].
    fn parse_position(&self, text: &str) -> Result<Position>;

    /// Prints a position so that [`Notation::parse_position`] reads it back.
    fn format_position(&self, position: &Position) -> String;

    /// Draws the board with labels, several lines.
    fn draw(&self, position: &Position) -> String;

    /// Draws the board with one of `texts` in every cell, several lines. Unless the game has a board to draw: one line for
    /// each cell, its number and its text.
    fn draw_texts(&self, texts: &[String]) -> String {
        texts.iter().enumerate().map(|(cell, text)| format!("{cell:>3}  {text}\n")).collect()
    }

    /// Prints a legal move from `position`.
    fn format_move(&self, position: &Position, mv: &Move) -> String;

    /// Reads a move that is legal in `position`, by comparing with the text of every legal move.
    ///
    /// # Errors
    /// [`crate::Error::Move`] listing what would be legal.
    fn parse_move(&self, position: &Position, text: &str) -> Result<Move>;
}

/// A game of a family with its parameters fixed.
pub trait Game: SymbolicGame + ExplicitGame + Notation + Send + Sync {
    /// Canonical spec, such as `breakthrough:4x5`: the same string everywhere.
    fn spec(&self) -> String;

    /// The rules in force, every option written out, with a version of the rules' text.
    fn rules(&self) -> String;

    /// Symmetries of the board that keep values, the identity left out.
    fn symmetries(&self) -> Vec<Symmetry>;

    /// Maps of boards that keep values, the identity left out; all others are some of these done in turn. Those of
    /// [`Game::symmetries`], unless contents change with the board.
    fn relabellings(&self) -> Vec<Relabelling> {
        let same = |&states: &u16| (0..=u8::MAX).take(usize::from(states)).collect();
        let contents: Vec<Vec<u8>> = self.cell_states().iter().map(same).collect();
        let of = |s: Symmetry| Relabelling { name: s.name, image: s.image, contents: contents.clone() };
        self.symmetries().into_iter().map(of).collect()
    }

    /// Whether `map`, one of [`Game::relabellings`], leads from legal positions to legal ones: statistics are of those, up to the
    /// maps that do.
    fn keeps_admissible(&self, _map: &Relabelling) -> bool {
        true
    }

    /// Classes of positions by which statistics are told apart; none where all positions are of one kind.
    fn classes(&self) -> Vec<PositionClass> {
        Vec::new()
    }

    /// The map that swaps the sides, where there is one: then a solution of the positions that P1 wins and P2 loses is one of all.
    fn side_swap(&self) -> Option<SideSwap> {
        None
    }

    /// The position that the game starts from.
    fn start_position(&self) -> Position {
        let (board, side) = self.start();
        Position { board, side }
    }

    /// Name of the letter order in force.
    fn order(&self) -> &str;

    /// Fingerprint of the rules and the spec: 16 hexadecimal digits, different for different rules.
    fn fingerprint(&self) -> String {
        blake3::hash(format!("{}\n{}", self.spec(), self.rules()).as_bytes()).to_hex()[..16].to_string()
    }

    /// The word of a board in the letter order in force.
    fn word_of(&self, board: &[u8]) -> Vec<u8> {
        self.cell_of_layer().iter().map(|&cell| board[cell]).collect()
    }

    /// The board of a word in the letter order in force.
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
