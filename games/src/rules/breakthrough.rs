//! Breakthrough (Dan Troyka, 2000): pawns step forward, straight or aslant, capture aslant, and win on the far rank.
//!
//! Letters: 0 empty, 1 white pawn (P1, moves up), 2 black pawn (P2, moves down). Every board is a position for either
//! side, so the rules must decide boards that no game reaches; in this order, for the side to move: an own pawn on its
//! goal rank wins; an opponent's pawn on the opponent's goal rank loses; no legal move loses. On boards of two files or
//! more the last means exactly "no pawn left", as the pawn furthest ahead can always step aslant. That the *opponent* has
//! no pawn left does not end the game yet: the side to move moves, and then the opponent is stuck.

use std::sync::Arc;

use nerode_dfa::{MoveGraph, Set, Shape, Step, Store};

use crate::error::Result;
use crate::explicit::{CellChange, ExplicitGame, Move};
use crate::game::{Game, Notation, Position, SideSwap, Symmetry};
use crate::grid::Grid;
use crate::layout::{Layout, names};
use crate::notation::{GridNotation, find_move};
use crate::registry::FamilyInfo;
use crate::side::{Side, Value};
use crate::spec::Spec;
use crate::symbolic::{LayerInfo, SymbolicGame, Terminal};

/// Breakthrough in the registry.
pub(crate) const FAMILY: FamilyInfo = FamilyInfo {
    family: "breakthrough",
    parameters: "WxH (width 2 or more, height 4 or more, at most 80 cells)",
    defaults: "",
    example: "breakthrough:5x6",
    layers: "one per cell; letters: empty, white pawn (P1, moves up), black pawn (P2, moves down)",
    note: "pawns step forward, straight or diagonally, and capture diagonally; reaching the far rank or taking all wins",
    build: |spec, order| Ok(Arc::new(Breakthrough::new(spec, order)?)),
    orders: |spec| Ok(names(&read(spec)?.orders())),
};

const EMPTY: u8 = 0;
const WHITE: u8 = 1;
const BLACK: u8 = 2;
/// 3^80 is the last power of 3 with which all counts fit 128 bits.
const MOST_CELLS: usize = 80;

#[derive(Debug)]
struct Breakthrough {
    grid: Grid,
    notation: GridNotation,
    shape: Shape,
    layout: Layout,
}

fn read(spec: &Spec<'_>) -> Result<Grid> {
    let [width, height] = spec.numbers([("width", 2..=MOST_CELLS / 4), ("height", 4..=MOST_CELLS / 2)])?;
    spec.only_options(&[])?;
    if width * height > MOST_CELLS {
        return Err(spec.error(format!("{} cells, at most {MOST_CELLS} are possible", width * height)));
    }
    Ok(Grid::new(width, height))
}

impl Breakthrough {
    fn new(spec: &Spec<'_>, order: Option<&str>) -> Result<Self> {
        let grid = read(spec)?;
        Ok(Self {
            grid,
            notation: GridNotation { grid, symbols: &['.', 'w', 'b'], sides: ["w", "b"] },
            shape: Shape::uniform(grid.num_cells(), 3)?,
            layout: Layout::choose(grid.orders(), order)?,
        })
    }

    /// Shows `take` every (from, to) that a pawn of `side` may step, cell by cell, until it returns `true`; gives whether
    /// it did. For the explicit rules only.
    fn find_step(&self, board: &[u8], side: Side, mut take: impl FnMut(usize, usize) -> bool) -> bool {
        let width = self.grid.width();
        // Pawns on the goal rank have nowhere to go; both ranges start on file a.
        let (own, first) = if side == Side::P1 { (WHITE, 0) } else { (BLACK, width) };
        let mut file = 0;
        for from in first..first + board.len() - width {
            if board[from] == own {
                let ahead = if side == Side::P1 { from + width } else { from - width };
                if file > 0 && board[ahead - 1] != own && take(from, ahead - 1)
                    || board[ahead] == EMPTY && take(from, ahead)
                    || file + 1 < width && board[ahead + 1] != own && take(from, ahead + 1)
                {
                    return true;
                }
            }
            file = if file + 1 == width { 0 } else { file + 1 };
        }
        false
    }

    /// Value for `side` if a pawn stands on its goal rank. For the explicit rules only.
    fn broken_through(&self, board: &[u8], side: Side) -> Option<Value> {
        let width = self.grid.width();
        let white = board[board.len() - width..].contains(&WHITE);
        let black = board[..width].contains(&BLACK);
        let (mine, theirs) = if side == Side::P1 { (white, black) } else { (black, white) };
        if mine { Some(Value::Win) } else { theirs.then_some(Value::Loss) }
    }

    /// Letters of `side` and of its opponent, the goal rank of `side` and that of its opponent. For the symbolic rules only.
    fn colours(&self, side: Side) -> ([u8; 2], [usize; 2]) {
        let top = self.grid.height() - 1;
        match side {
            Side::P1 => ([WHITE, BLACK], [top, 0]),
            Side::P2 => ([BLACK, WHITE], [0, top]),
        }
    }

    fn layers_of_rank(&self, rank: usize) -> Vec<usize> {
        (0..self.grid.width()).map(|file| self.layout.layer(self.grid.cell(file, rank))).collect()
    }
}

impl SymbolicGame for Breakthrough {
    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn layers(&self) -> Vec<LayerInfo> {
        self.notation.layers(self.layout.cells())
    }

    fn cell_of_layer(&self) -> &[usize] {
        self.layout.cells()
    }

    fn terminal(&self, store: &mut Store, side: Side) -> nerode_dfa::Result<Terminal> {
        let ([own, other], [goal, their_goal]) = self.colours(side);
        let some = 1..=self.grid.width();
        let win = store.letter_count(own, &self.layers_of_rank(goal), some.clone())?;
        let through = store.letter_count(other, &self.layers_of_rank(their_goal), some)?;
        Ok(Terminal { loss: store.difference(&through, &win)?, draw: store.empty(), win })
    }

    fn no_move_value(&self) -> Value {
        Value::Loss
    }

    /// At most the two ranks of pawns that each side begins with.
    fn admissible(&self, store: &mut Store, _side: Side) -> nerode_dfa::Result<Option<Set>> {
        let (all, most): (Vec<usize>, usize) = ((0..self.grid.num_cells()).collect(), 2 * self.grid.width());
        let white = store.letter_count(WHITE, &all, 0..=most)?;
        let black = store.letter_count(BLACK, &all, 0..=most)?;
        store.intersection(&white, &black).map(Some)
    }

    fn moves(&self, side: Side) -> nerode_dfa::Result<MoveGraph> {
        let ([own, other], [goal, home]) = self.colours(side);
        let straight = [(EMPTY, own)];
        let aslant = [(EMPTY, own), (other, own)];
        let mut graph = MoveGraph::new(self.shape.clone());
        let mut rank = home;
        while rank != goal {
            let next = if goal > home { rank + 1 } else { rank - 1 };
            for file in 0..self.grid.width() {
                for target in file.saturating_sub(1)..=(file + 1).min(self.grid.width() - 1) {
                    let from = self.layout.layer(self.grid.cell(file, rank));
                    let to = self.layout.layer(self.grid.cell(target, next));
                    let arrivals: &[(u8, u8)] = if target == file { &straight } else { &aslant };
                    graph.add(Step::identity().change(from, own, EMPTY).change_any(to, arrivals))?;
                }
            }
            rank = next;
        }
        Ok(graph)
    }
}

impl ExplicitGame for Breakthrough {
    fn cell_states(&self) -> &[u16] {
        self.shape.alphabets()
    }

    fn start(&self) -> (Vec<u8>, Side) {
        let (cells, home) = (self.grid.num_cells(), 2 * self.grid.width());
        let mut board = vec![EMPTY; cells];
        board[..home].fill(WHITE);
        board[cells - home..].fill(BLACK);
        (board, Side::P1)
    }

    fn outcome(&self, board: &[u8], side: Side) -> Option<Value> {
        self.broken_through(board, side)
            .or_else(|| (!self.find_step(board, side, |_, _| true)).then_some(Value::Loss))
    }

    fn legal_moves(&self, board: &[u8], side: Side, out: &mut Vec<Move>) {
        if self.broken_through(board, side).is_some() {
            return;
        }
        let own = if side == Side::P1 { WHITE } else { BLACK };
        self.find_step(board, side, |from, to| {
            out.push(Move::from_slice(&[
                CellChange { cell: from as u16, after: EMPTY },
                CellChange { cell: to as u16, after: own },
            ]));
            false
        });
    }

    /// Black below empty below white. A white pawn's cell comes before the one it steps to and goes from white to empty; a
    /// black pawn's target comes before its cell and turns black: either way the first digit that changes gets lower.
    fn digit(&self, _cell: usize, content: u8) -> u8 {
        [1, 2, 0][usize::from(content)]
    }

    fn moves_lower_index(&self) -> bool {
        true
    }
}

impl Notation for Breakthrough {
    fn position_form(&self) -> String {
        self.notation.form()
    }

    fn parse_position(&self, text: &str) -> Result<Position> {
        self.notation.parse(text)
    }

    fn format_position(&self, position: &Position) -> String {
        self.notation.format(position)
    }

    fn draw(&self, position: &Position) -> String {
        self.notation.draw(position)
    }

    fn draw_texts(&self, texts: &[String]) -> String {
        self.grid.draw_texts(texts)
    }

    /// `c7d6`, with `x` between the squares of a capture.
    fn format_move(&self, position: &Position, mv: &Move) -> String {
        let square = |leaving: bool| {
            let change = mv.iter().find(|change| (change.after == EMPTY) == leaving);
            change.map(|change| usize::from(change.cell))
        };
        let name = |cell: Option<usize>| cell.map(|cell| self.grid.square(cell)).unwrap_or_default();
        let captured =
            square(false).and_then(|cell| position.board.get(cell)).is_some_and(|&was| was != EMPTY);
        format!("{}{}{}", name(square(true)), if captured { "x" } else { "" }, name(square(false)))
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<Move> {
        find_move(self, position, text)
    }
}

impl Game for Breakthrough {
    fn spec(&self) -> String {
        format!("breakthrough:{}x{}", self.grid.width(), self.grid.height())
    }

    fn rules(&self) -> String {
        format!(
            "breakthrough, rules version 1. Board of {} x {} cells (width x height). White (P1, moves first) starts on the \
             two lowest ranks and moves up, black (P2) on the two highest and moves down. A pawn steps one rank forward: \
             straight onto an empty cell, or diagonally onto an empty cell or one with an opponent's pawn, which is captured. \
             With an own pawn on the farthest rank the side to move has won; else with an opponent's pawn on the opponent's \
             farthest rank it has lost; else without a legal move, that is without pawns, it has lost. No draws.",
            self.grid.width(),
            self.grid.height()
        )
    }

    /// The left-right mirror image.
    fn symmetries(&self) -> Vec<Symmetry> {
        self.grid.mirror().into_iter().collect()
    }

    /// The board turned by half, pieces in the other colour.
    fn side_swap(&self) -> Option<SideSwap> {
        Some(SideSwap::uniform(self.grid.half_turn(), &[0, 2, 1]))
    }

    fn order(&self) -> &str {
        self.layout.name()
    }
}
