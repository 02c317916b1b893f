//! Misère play: the same positions and moves with the opposite result. The player who would have won has lost.
//!
//! The explicit and the symbolic description exchange wins and losses separately, so that each can check the other.

mod explicit;
#[cfg(feature = "sets")]
mod symbolic;

use std::sync::Arc;

use nerode_dfa::Shape;

use crate::error::Result;
use crate::explicit::Move;
use crate::game::{Game, Notation, Position};
use crate::layer::LayerInfo;
use crate::maps::{PositionClass, Relabelling, SideSwap, Symmetry};
use crate::picture::Picture;

/// The option in specs.
pub(crate) const MISERE: &str = "misere";

/// A game under misère play.
#[derive(Debug)]
pub(crate) struct Misere {
    game: Arc<dyn Game>,
}

impl Misere {
    /// Creates the misère form of a game.
    pub(crate) fn new(game: Arc<dyn Game>) -> Self {
        Self { game }
    }
}

impl Notation for Misere {
    fn position_form(&self) -> String {
        self.game.position_form()
    }

    fn parse_position(&self, text: &str) -> Result<Position> {
        self.game.parse_position(text)
    }

    fn format_position(&self, position: &Position) -> String {
        self.game.format_position(position)
    }

    fn draw(&self, position: &Position) -> String {
        self.game.draw(position)
    }

    fn draw_texts(&self, texts: &[String]) -> String {
        self.game.draw_texts(texts)
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        self.game.picture(position)
    }

    fn format_move(&self, position: &Position, mv: &Move) -> String {
        self.game.format_move(position, mv)
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<Move> {
        self.game.parse_move(position, text)
    }
}

/// Sectors of the morris family are solved by the usual rules only, so that [`Game::solved_by`] keeps its default.
impl Game for Misere {
    fn spec(&self) -> String {
        format!("{},{MISERE}", self.game.spec())
    }

    fn rules(&self) -> String {
        format!(
            "{} Misère: a player who would have won has lost, and the other way round.",
            self.game.rules()
        )
    }

    fn rules_version(&self) -> u32 {
        self.game.rules_version()
    }

    fn options(&self) -> Vec<(&'static str, String)> {
        [self.game.options(), vec![(MISERE, "yes".into())]].concat()
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        self.game.symmetries()
    }

    fn relabellings(&self) -> Vec<Relabelling> {
        self.game.relabellings()
    }

    fn keeps_admissible(&self, map: &Relabelling) -> bool {
        self.game.keeps_admissible(map)
    }

    fn classes(&self) -> Vec<PositionClass> {
        self.game.classes()
    }

    fn side_swap(&self) -> Option<SideSwap> {
        self.game.side_swap()
    }

    fn begins_anywhere(&self) -> bool {
        self.game.begins_anywhere()
    }

    fn shape(&self) -> &Shape {
        self.game.shape()
    }

    fn layers(&self) -> Vec<LayerInfo> {
        self.game.layers()
    }

    fn cell_of_layer(&self) -> &[usize] {
        self.game.cell_of_layer()
    }

    fn order(&self) -> &str {
        self.game.order()
    }

    fn word_of(&self, board: &[u8]) -> Vec<u8> {
        self.game.word_of(board)
    }

    fn board_of(&self, word: &[u8]) -> Vec<u8> {
        self.game.board_of(word)
    }
}
