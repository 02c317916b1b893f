//! Endgames of a few men, with one cell for the square of each man. A set of positions therefore has about as many
//! layers as men.

use std::sync::Arc;

use nerode_dfa::Shape;

use crate::error::Result;
use crate::explicit::ExplicitGame;
use crate::game::Game;
use crate::layer::LayerInfo;
use crate::layout::{Layout, Order, names};
use crate::maps::{PositionClass, Relabelling, SideSwap, Symmetry};
use crate::side::Side;
use crate::spec::Spec;

use super::material::{FORMS, Material, Slot};
use super::men::{Kind, Man, RULES_VERSION};

mod explicit;
mod orbits;
#[cfg(feature = "sets")]
mod symbolic;
mod text;

/// A list of cells, each with the contents that it may have.
type Product = Vec<(usize, Vec<u8>)>;

/// An endgame on a board.
#[derive(Debug)]
pub(super) struct Endgame {
    material: Material,
    shape: Shape,
    layout: Layout,
    start: Vec<u8>,
    orbits: orbits::Orbits,
}

fn named(material: &Material) -> Vec<Order> {
    let cells: Vec<usize> = (0..material.cell_states.len()).collect();
    let mut kings_first = cells.clone();
    kings_first.rotate_right(2);
    vec![("kings-last", cells), ("kings-first", kings_first)]
}

/// Returns the names of the letter orders of the endgame with the given spec.
pub(super) fn orders(spec: &Spec<'_>) -> Result<Vec<String>> {
    Ok(names(&named(&Material::read(spec)?)))
}

/// Opens the endgame with the given spec.
pub(super) fn open(spec: &Spec<'_>, order: Option<&str>) -> Result<Arc<dyn Game>> {
    let material = Material::read(spec)?;
    let layout = Layout::choose(named(&material), order)?;
    let shape = Shape::new(layout.cells().iter().map(|&cell| material.cell_states[cell]).collect())?;
    let orbits = orbits::Orbits::new(&material);
    let mut game = Endgame { material, shape, layout, start: Vec::new(), orbits };
    game.start = game.first_position();
    Ok(Arc::new(game))
}

impl Endgame {
    /// Returns the start position: white's king in the first corner, black's king in the last, and the other men on the first
    /// squares from `b1` on for which the game is not over. Squares are tried in order, with the first man changing slowest.
    fn first_position(&self) -> Vec<u8> {
        let squares = self.material.grid.num_cells() as u8;
        let mut board = vec![0; self.material.cell_states.len()];
        let men = self.material.slots.len() - 2;
        board[self.material.king(Side::P2).square] = squares - 1;
        let mut places: Vec<u8> = vec![1; men];
        loop {
            for (slot, &place) in self.material.slots.iter().zip(&places) {
                board[slot.square] = place;
            }
            if self.outcome(&board, Side::P1).is_none() {
                return board;
            }
            let Some(next) = places.iter().rposition(|&place| place + 1 < squares) else { return board };
            places[next] += 1;
            places[next + 1..].fill(1);
        }
    }

    /// Returns the tables of contents for a map of the squares, which moves every man with its square.
    fn of_squares(&self, image: &[usize]) -> Vec<Vec<u8>> {
        let same = |&states: &u16| (0..=u8::MAX).take(usize::from(states)).collect();
        let mut contents: Vec<Vec<u8>> = self.material.cell_states.iter().map(same).collect();
        for slot in &self.material.slots {
            for (content, &to) in contents[slot.square].iter_mut().zip(image) {
                *content = to as u8;
            }
        }
        contents
    }

    /// Returns the permutation of the cells that exchanges the two slots of each pair.
    fn exchanged(&self, pairs: &[(Slot, Slot)]) -> Vec<usize> {
        let mut image: Vec<usize> = (0..self.material.cell_states.len()).collect();
        for (one, other) in pairs {
            image.swap(one.square, other.square);
            if let (Some(one), Some(other)) = (one.form, other.form) {
                image.swap(one, other);
            }
        }
        image
    }
}

impl Game for Endgame {
    fn spec(&self) -> String {
        format!("chess:{}", self.material.spec())
    }

    fn rules(&self) -> String {
        let (width, height) = (self.material.grid.width(), self.material.grid.height());
        let double = if height > 4 { ", or two from their second rank," } else { "" };
        let pawns = if self.material.has_pawns() {
            format!(
                " Pawns move one rank forward{double} onto empty squares and capture diagonally; on the last \
                 rank they promote to a queen, rook, bishop or knight."
            )
        } else {
            String::new()
        };
        format!(
            "chess, rules version {RULES_VERSION}. The endgame {} on a board of {width} x {height} squares \
             (width x height), including all endgames that arise from captures. White (P1) moves first. Pieces \
             move and capture as in chess, without castling and en passant.{pawns} A side must not leave its \
             king in check. A side to move without a legal move has lost if its king is in check (checkmate); \
             otherwise, the game is drawn (stalemate). A side that cannot force mate may play on forever, \
             which is a draw; no rule counts moves. Words that do not represent a position are terminal and \
             drawn: two pieces on one square, a pawn on the first or last rank, a captured pawn that is marked \
             as promoted, or a check against the side that is not to move. Equal pieces of a side are \
             distinguished.",
            self.material.spec().split(',').next().unwrap_or_default()
        )
    }

    fn begins_anywhere(&self) -> bool {
        true
    }

    fn rules_version(&self) -> u32 {
        RULES_VERSION
    }

    fn options(&self) -> Vec<(&'static str, String)> {
        self.material.options()
    }

    /// Returns only the exchange of equal men. Symmetries of the board change contents, so they belong to the relabellings.
    fn symmetries(&self) -> Vec<Symmetry> {
        let twins = self.material.twins();
        let exchange = |twins| Symmetry { name: "exchange".into(), image: self.exchanged(&[twins]) };
        twins.map(exchange).into_iter().collect()
    }

    /// Returns the symmetries of the board, or only the left-right reflection if there are pawns, each with and without
    /// the exchange of equal men.
    fn relabellings(&self) -> Vec<Relabelling> {
        let grid = self.material.grid;
        let same: Vec<usize> = (0..self.material.cell_states.len()).collect();
        let identity = Symmetry { name: String::new(), image: (0..grid.num_cells()).collect() };
        let of_board = match self.material.has_pawns() {
            true => grid.mirror().into_iter().collect(),
            false => grid.symmetries(),
        };
        let mut all = Vec::new();
        for symmetry in std::iter::once(identity).chain(of_board) {
            let contents = self.of_squares(&symmetry.image);
            if !symmetry.name.is_empty() {
                let (name, contents) = (symmetry.name.clone(), contents.clone());
                all.push(Relabelling { name, image: same.clone(), contents });
            }
            for exchange in self.symmetries() {
                let name = [exchange.name.as_str(), symmetry.name.as_str()].join(" ").trim().to_string();
                all.push(Relabelling { name, image: exchange.image, contents: contents.clone() });
            }
        }
        all
    }

    /// Returns one class for each material that may remain, including the promotions of pawns.
    fn classes(&self) -> Vec<PositionClass> {
        let taken = self.material.taken();
        let mut partial: Vec<(Vec<Man>, Product)> = vec![(Vec::new(), Vec::new())];
        for slot in self.material.slots.iter().filter(|slot| slot.man.kind != Kind::King) {
            let mut next = Vec::new();
            for (men, product) in partial {
                for (kind, form) in slot.forms() {
                    let (mut men, mut product) = (men.clone(), product.clone());
                    men.push(Man { kind, ..slot.man });
                    product.push((slot.square, (0..taken).collect()));
                    product.extend(slot.form.zip(form).map(|(cell, form)| (cell, vec![form])));
                    next.push((men, product));
                }
                let mut product = product;
                product.push((slot.square, vec![taken]));
                next.push((men, product));
            }
            partial = next;
        }
        let mut classes: Vec<PositionClass> = Vec::new();
        for (men, product) in partial {
            let name = Material::name(&men);
            match classes.iter_mut().find(|class| class.name == name) {
                Some(class) => class.products.push(product),
                None => classes.push(PositionClass { name, products: vec![product] }),
            }
        }
        classes
    }

    /// Returns the map that changes the colour of the men and reflects the board from top to bottom, if both sides have
    /// the same men.
    fn side_swap(&self) -> Option<SideSwap> {
        let pairs = self.material.counterparts()?;
        let grid = self.material.grid;
        let upside_down: Vec<usize> = (0..grid.num_cells())
            .map(|cell| grid.cell(grid.file(cell), grid.height() - 1 - grid.rank(cell)))
            .collect();
        Some(SideSwap { image: self.exchanged(&pairs), contents: self.of_squares(&upside_down) })
    }

    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn layers(&self) -> Vec<LayerInfo> {
        let grid = self.material.grid;
        let info = |&cell: &usize| {
            let slots = &self.material.slots;
            let same = |slot: &&Slot| slot.square == cell || slot.form == Some(cell);
            let slot = slots.iter().find(same).copied().unwrap_or_else(|| self.material.king(Side::P1));
            let twins: Vec<&Slot> = slots.iter().filter(|other| other.man == slot.man).collect();
            let number = twins.iter().position(|other| other.square == slot.square).unwrap_or(0) + 1;
            let name = match twins.len() {
                1 => slot.man.symbol().to_string(),
                _ => format!("{}{number}", slot.man.symbol()),
            };
            if slot.form == Some(cell) {
                let letters = FORMS.iter().map(|kind| kind.symbol().to_string()).collect();
                return LayerInfo { label: format!("{name} is"), letters };
            }
            let square = |x: usize| if x < grid.num_cells() { grid.square(x) } else { "-".into() };
            LayerInfo {
                label: name,
                letters: (0..usize::from(self.material.cell_states[cell])).map(square).collect(),
            }
        };
        self.layout.cells().iter().map(info).collect()
    }

    fn cell_of_layer(&self) -> &[usize] {
        self.layout.cells()
    }

    fn order(&self) -> &str {
        self.layout.name()
    }
}

/// Returns the kind of the man of `slot` on `board`, or `None` if its form cell does not contain a valid form.
fn kind_of(slot: &Slot, board: &[u8]) -> Option<Kind> {
    match slot.form {
        None => Some(slot.man.kind),
        Some(cell) => FORMS.get(usize::from(board[cell])).copied(),
    }
}
