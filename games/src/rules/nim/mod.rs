//! Nim under normal play: a move takes any number of objects from one heap, and a player who cannot move loses.
//!
//! Each layer is a heap, and its letter is the number of objects in it. Both sides have the same moves, so every set of
//! positions is the same for both. All results can be checked against a closed form (Bouton: a position is lost exactly
//! when the exclusive or of the heaps is 0).

mod explicit;
#[cfg(feature = "sets")]
mod symbolic;

use std::sync::Arc;

use nerode_dfa::Shape;

use crate::error::Result;
use crate::explicit::{CellChange, Move};
use crate::game::{Game, Notation, Position};
use crate::grid::{Grid, letters_of, lines_of_drawing};
use crate::layer::LayerInfo;
use crate::layout::{Layout, Order, names};
use crate::maps::{SideSwap, Symmetry};
use crate::notation::{counted, side_of};
use crate::picture::{Figure, Look, Picture};
use crate::spec::{FamilyInfo, Spec, digits};

/// The registry entry of Nim.
pub(crate) const FAMILY: FamilyInfo = FamilyInfo {
    family: "nim",
    parameters: "HxN (H heaps, 1 to 64, of at most N objects, 1 to 255)",
    defaults: "",
    example: "nim:3x7",
    usual: "nim:3x7",
    in_reach: None,
    small: &["nim:3x3", "nim:1x9", "nim:2x9", "nim:5x2", "nim:3x3,misere"],
    layers: "one per heap; letter = number of objects in it",
    note: "take any number of objects from one heap; a player who cannot move loses",
    build: |spec, order| Ok(Arc::new(Nim::new(spec, order)?)),
    orders: |spec| Ok(names(&orders(read(spec)?.0))),
};

/// The version of the rules, incremented with every change of the rules; see [`Game::rules_version`].
const RULES_VERSION: u32 = 1;
/// The largest heap that is drawn with one mark per object.
const DRAWN_MARKS: u8 = 60;
/// The largest number of heaps in a picture, and the largest number of objects in each heap.
const DRAWN_EDGE: usize = 20;

#[derive(Debug)]
struct Nim {
    heaps: usize,
    most: u8,
    shape: Shape,
    layout: Layout,
}

fn read(spec: &Spec<'_>) -> Result<(usize, u8)> {
    let [heaps, most] = spec.numbers([("number of heaps", 1..=64), ("heap height", 1..=255)])?;
    spec.only_options(&[])?;
    Ok((heaps, u8::try_from(most).unwrap_or(u8::MAX)))
}

fn orders(heaps: usize) -> Vec<Order> {
    vec![("heaps", (0..heaps).collect())]
}

impl Nim {
    fn new(spec: &Spec<'_>, order: Option<&str>) -> Result<Self> {
        let (heaps, most) = read(spec)?;
        let shape = Shape::uniform(heaps, u16::from(most) + 1)?;
        Ok(Self { heaps, most, shape, layout: Layout::choose(orders(heaps), order)? })
    }

    /// Converts a drawing to a line, or returns `None` if `text` is not a drawing. A drawing has one line for each
    /// heap, with or without its letter, and its marks are ignored.
    fn line_of_drawing(&self, text: &str) -> Option<String> {
        let mut lines = lines_of_drawing(text)?.into_iter();
        let mut heights = Vec::with_capacity(self.heaps);
        for heap in 0..self.heaps {
            let words = lines.next()?;
            let is_named = words.first().is_some_and(|word| *word == letters_of(heap));
            heights.push(words.get(usize::from(is_named)).filter(|height| !height.contains('/')).copied()?);
        }
        let side = lines.next().and_then(|words| words.first().copied()).unwrap_or_default();
        Some(format!("{} {side}", heights.join("/")))
    }

    fn parse(&self, text: &str) -> std::result::Result<Position, String> {
        let drawn = self.line_of_drawing(text);
        let mut parts = drawn.as_deref().unwrap_or(text).split_whitespace();
        let heaps = parts.next().ok_or("the text is empty")?;
        let num_heaps = heaps.split('/').count();
        if num_heaps != self.heaps {
            let expected = counted(self.heaps, "heap");
            return Err(format!("expected {expected} separated by '/', found {num_heaps}"));
        }
        let board = heaps.split('/').enumerate().map(|(at, heap)| match digits(heap).map(u8::try_from) {
            Some(Ok(height)) if height <= self.most => Ok(height),
            _ => Err(format!("heap {} is '{heap}', not a number from 0 to {}", letters_of(at), self.most)),
        });
        let board: Vec<u8> = board.collect::<std::result::Result<_, String>>()?;
        let side = side_of(parts.next().unwrap_or("P1"), ["P1", "P2"])?;
        match parts.next() {
            None => Ok(Position { board, side }),
            Some(more) => Err(format!("unexpected '{more}' after the side to move")),
        }
    }
}

impl Notation for Nim {
    fn position_form(&self) -> String {
        format!(
            "{} heap heights from 0 to {} separated by '/', then P1|P2 (default: P1)",
            self.heaps, self.most
        )
    }

    fn parse_position(&self, text: &str) -> Result<Position> {
        self.parse(text).map_err(|reason| self.position_error(text, reason))
    }

    fn format_position(&self, position: &Position) -> String {
        let heaps: Vec<String> = position.board.iter().map(u8::to_string).collect();
        format!("{} {}", heaps.join("/"), position.side)
    }

    fn draw(&self, position: &Position) -> String {
        let mut text = String::new();
        for (heap, &height) in position.board.iter().enumerate() {
            let marks =
                if self.most <= DRAWN_MARKS { "|".repeat(usize::from(height)) } else { String::new() };
            text.push_str(format!("{:>2}  {height:>3}  {marks}", letters_of(heap)).trim_end());
            text.push('\n');
        }
        text + &format!("{} to move\n", position.side)
    }

    /// Returns a picture of the heaps as columns of objects, unless there are too many heaps or too many objects.
    fn picture(&self, position: &Position) -> Option<Picture> {
        let most = usize::from(self.most);
        if self.heaps.max(most) > DRAWN_EDGE {
            return None;
        }
        let grid = Grid::new(self.heaps, most);
        let thing = |cell: usize| {
            let height = position.board.get(grid.file(cell)).copied().map_or(0, usize::from);
            (grid.rank(cell) < height).then_some(Figure { look: Look::Thing, owner: None, light: true })
        };
        Some(Picture::of_grid(grid, thing))
    }

    /// Formats a move such as `b-3`, which takes three objects from heap `b`.
    fn format_move(&self, position: &Position, mv: &Move) -> String {
        let one = |change: &CellChange| {
            let before = position.board.get(usize::from(change.cell)).copied().unwrap_or_default();
            format!("{}-{}", letters_of(usize::from(change.cell)), before.saturating_sub(change.after))
        };
        mv.iter().map(one).collect()
    }
}

impl Game for Nim {
    fn spec(&self) -> String {
        format!("nim:{}x{}", self.heaps, self.most)
    }

    fn rules(&self) -> String {
        format!(
            "nim, rules version {RULES_VERSION}. {} heaps of at most {most} objects; at the start all have \
             {most}, and P1 moves first. A move takes one or more objects from one heap. A side without a move \
             loses (normal play).",
            self.heaps,
            most = self.most
        )
    }

    fn rules_version(&self) -> u32 {
        RULES_VERSION
    }

    fn options(&self) -> Vec<(&'static str, String)> {
        vec![("heaps", self.heaps.to_string()), ("most", self.most.to_string())]
    }

    /// Returns the exchanges of neighbouring heaps, which generate all symmetries.
    fn symmetries(&self) -> Vec<Symmetry> {
        let exchange = |heap: usize| {
            let mut image: Vec<usize> = (0..self.heaps).collect();
            image.swap(heap, heap + 1);
            Symmetry { name: format!("exchange-{}-{}", letters_of(heap), letters_of(heap + 1)), image }
        };
        (0..self.heaps - 1).map(exchange).collect()
    }

    /// Returns the identity, because both sides have the same moves.
    fn side_swap(&self) -> Option<SideSwap> {
        let contents: Vec<u8> = (0..=self.most).collect();
        Some(SideSwap::uniform((0..self.heaps).collect(), &contents))
    }

    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn layers(&self) -> Vec<LayerInfo> {
        let letters: Vec<String> = (0..=self.most).map(|height| height.to_string()).collect();
        let label = |&heap: &usize| LayerInfo { label: letters_of(heap), letters: letters.clone() };
        self.layout.cells().iter().map(label).collect()
    }

    fn cell_of_layer(&self) -> &[usize] {
        self.layout.cells()
    }

    fn order(&self) -> &str {
        self.layout.name()
    }
}
