//! Tic-tac-toe on any small board: a mark on an empty cell each turn, and `k` own marks in a row win.
//!
//! Letters: 0 empty, 1 `X` (P1), 2 `O` (P2). Every board is a position for either side, whatever the numbers of marks.
//! A board on which both sides have a row, which no game reaches, is won by the side to move.

use std::sync::Arc;

use nerode_dfa::{Dfa, MoveGraph, Set, Shape, Step, Store};

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

/// Tic-tac-toe in the registry.
pub(crate) const FAMILY: FamilyInfo = FamilyInfo {
    family: "tictactoe",
    parameters: "WxH[,k=K] (width x height, at most 36 cells; K in a row win, 1 to the longer edge)",
    defaults: "k=3",
    example: "tictactoe:3x3",
    layers: "one per cell; letters: empty, X (P1), O (P2)",
    note: "put a mark on an empty cell; K own marks in a row, upright or aslant, win, a full board is a draw",
    build: |spec, order| Ok(Arc::new(TicTacToe::new(spec, order)?)),
    orders: |spec| Ok(names(&read(spec)?.0.orders())),
};

const EMPTY: u8 = 0;
const MOST_CELLS: usize = 36;
const USUAL_ROW: usize = 3;

#[derive(Debug)]
struct TicTacToe {
    grid: Grid,
    notation: GridNotation,
    row: usize,
    shape: Shape,
    layout: Layout,
    /// For the explicit rules: bit of each cell on a board with a free column, and the bit distances along the four lines.
    bits: Vec<u64>,
    strides: [usize; 4],
}

fn read(spec: &Spec<'_>) -> Result<(Grid, usize)> {
    let [width, height] = spec.numbers([("width", 1..=MOST_CELLS), ("height", 1..=MOST_CELLS)])?;
    if width * height > MOST_CELLS {
        return Err(spec.error(format!("{} cells, at most {MOST_CELLS} are possible", width * height)));
    }
    spec.only_options(&["k"])?;
    let longest = width.max(height);
    let row = spec.number_option("k", USUAL_ROW, 1..=longest)?;
    if row > longest {
        return Err(spec.error(format!("k is {row} if not given, and no {row} in a row fit; give k")));
    }
    Ok((Grid::new(width, height), row))
}

/// The letter that `side` places.
fn mark(side: Side) -> u8 {
    match side {
        Side::P1 => 1,
        Side::P2 => 2,
    }
}

impl TicTacToe {
    fn new(spec: &Spec<'_>, order: Option<&str>) -> Result<Self> {
        let (grid, row) = read(spec)?;
        // Counted along the longer edge, so that cells and the free column after each line fit 64 bits.
        let (long, turned) = (grid.width().max(grid.height()), grid.height() > grid.width());
        let bit = |cell| {
            let (along, across) = (grid.file(cell), grid.rank(cell));
            let (along, across) = if turned { (across, along) } else { (along, across) };
            1u64 << (across * (long + 1) + along)
        };
        Ok(Self {
            grid,
            notation: GridNotation { grid, symbols: &['.', 'X', 'O'], sides: ["X", "O"] },
            row,
            shape: Shape::uniform(grid.num_cells(), 3)?,
            layout: Layout::choose(grid.orders(), order)?,
            bits: (0..grid.num_cells()).map(bit).collect(),
            strides: [1, long, long + 1, long + 2],
        })
    }

    /// Layers of every line of `row` cells, for the symbolic rules.
    fn lines(&self) -> Vec<Vec<usize>> {
        let (grid, reach) = (self.grid, self.row - 1);
        let mut lines = Vec::new();
        for cell in 0..grid.num_cells() {
            let (file, rank) = (grid.file(cell), grid.rank(cell));
            let (right, up) = (file + reach < grid.width(), rank + reach < grid.height());
            let mut line = |fits: bool, at: &dyn Fn(usize) -> (usize, usize)| {
                if fits {
                    let layer = |(file, rank)| self.layout.layer(grid.cell(file, rank));
                    lines.push((0..self.row).map(|i| layer(at(i))).collect());
                }
            };
            line(right, &|i| (file + i, rank));
            line(up, &|i| (file, rank + i));
            line(right && up, &|i| (file + i, rank + i));
            line(file >= reach && up, &|i| (file - i, rank + i));
        }
        lines
    }

    /// `{ w : some line of w holds only the mark of side }`
    fn rows_of(&self, store: &mut Store, side: Side) -> nerode_dfa::Result<Set> {
        let mut rows = Vec::new();
        for line in self.lines() {
            let cube: Vec<(usize, Vec<u8>)> =
                line.into_iter().map(|layer| (layer, vec![mark(side)])).collect();
            rows.push(store.cube(&cube)?);
        }
        store.union_all(&rows)
    }

    /// Bit sets of the cells of `side` and of its opponent.
    fn bit_sets(&self, board: &[u8], side: Side) -> (u64, u64) {
        let own = mark(side);
        let (mut mine, mut theirs) = (0, 0);
        for (&content, &bit) in board.iter().zip(&self.bits) {
            if content == own {
                mine |= bit;
            } else if content != EMPTY {
                theirs |= bit;
            }
        }
        (mine, theirs)
    }

    /// Whether `set` holds `row` cells in a row: a bit survives `row - 1` intersections with the set moved by one cell.
    fn in_a_row(&self, set: u64) -> bool {
        self.strides.iter().any(|stride| {
            let mut left = set;
            for _ in 1..self.row {
                left &= left >> stride;
            }
            left != 0
        })
    }
}

impl SymbolicGame for TicTacToe {
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
        let win = self.rows_of(store, side)?;
        let theirs = self.rows_of(store, side.other())?;
        let layers: Vec<usize> = (0..self.grid.num_cells()).collect();
        let full = store.letter_count(EMPTY, &layers, 0..=0)?;
        let rows = store.union(&win, &theirs)?;
        Ok(Terminal { loss: store.difference(&theirs, &win)?, draw: store.difference(&full, &rows)?, win })
    }

    fn no_move_value(&self) -> Value {
        Value::Draw
    }

    /// As many marks of both sides where P1 is to move, one more of P1 where P2 is.
    fn admissible(&self, store: &mut Store, side: Side) -> nerode_dfa::Result<Option<Set>> {
        let ahead = match side {
            Side::P1 => 0,
            Side::P2 => 1,
        };
        let step = |_: usize, lead: &i32, letter: u8| Some(lead + [0, 1, -1][usize::from(letter)]);
        store.import(&Dfa::from_step(&self.shape, 0, step, |lead| *lead == ahead)?).map(Some)
    }

    /// As many marks as plies, P1's first.
    fn admissible_at(&self, store: &mut Store, ply: u32) -> nerode_dfa::Result<Option<Set>> {
        let step = |_: usize, &[mut x, mut o]: &[u32; 2], letter: u8| {
            x += u32::from(letter == mark(Side::P1));
            o += u32::from(letter == mark(Side::P2));
            (x <= ply.div_ceil(2) && o <= ply / 2).then_some([x, o])
        };
        let set = Dfa::from_step(&self.shape, [0; 2], step, |&marks| marks == [ply.div_ceil(2), ply / 2])?;
        store.import(&set).map(Some)
    }

    /// Every move adds a mark.
    fn plies_are_disjoint(&self) -> bool {
        true
    }

    fn moves(&self, side: Side) -> nerode_dfa::Result<MoveGraph> {
        let mut graph = MoveGraph::new(self.shape.clone());
        for layer in 0..self.grid.num_cells() {
            graph.add(Step::identity().change(layer, EMPTY, mark(side)))?;
        }
        Ok(graph)
    }
}

impl ExplicitGame for TicTacToe {
    fn cell_states(&self) -> &[u16] {
        self.shape.alphabets()
    }

    fn start(&self) -> (Vec<u8>, Side) {
        (vec![EMPTY; self.grid.num_cells()], Side::P1)
    }

    fn outcome(&self, board: &[u8], side: Side) -> Option<Value> {
        let (mine, theirs) = self.bit_sets(board, side);
        if self.in_a_row(mine) {
            Some(Value::Win)
        } else if self.in_a_row(theirs) {
            Some(Value::Loss)
        } else {
            (!board.contains(&EMPTY)).then_some(Value::Draw)
        }
    }

    fn legal_moves(&self, board: &[u8], side: Side, out: &mut Vec<Move>) {
        let (mine, theirs) = self.bit_sets(board, side);
        if self.in_a_row(mine) || self.in_a_row(theirs) {
            return;
        }
        let after = mark(side);
        for (cell, &content) in (0u16..).zip(board) {
            if content == EMPTY {
                out.push(Move::from_slice(&[CellChange { cell, after }]));
            }
        }
    }

    /// Empty cells are the highest digit, so that marks lower the index.
    fn digit(&self, _cell: usize, content: u8) -> u8 {
        [2, 1, 0][usize::from(content)]
    }

    fn moves_lower_index(&self) -> bool {
        true
    }
}

impl Notation for TicTacToe {
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

    /// `b2`: the cell that gets the mark.
    fn format_move(&self, _position: &Position, mv: &Move) -> String {
        mv.iter().map(|change| self.grid.square(usize::from(change.cell))).collect()
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<Move> {
        find_move(self, position, text)
    }
}

impl Game for TicTacToe {
    fn spec(&self) -> String {
        let board = format!("tictactoe:{}x{}", self.grid.width(), self.grid.height());
        if self.row == USUAL_ROW { board } else { format!("{board},k={}", self.row) }
    }

    fn rules(&self) -> String {
        format!(
            "tictactoe, rules version 1. Board of {} x {} cells (width x height), empty at the start; X is P1 and moves \
             first, O is P2. A move puts the mover's mark on an empty cell. With {row} own marks in a row (horizontal, \
             vertical or diagonal) the side to move has won; else with {row} marks of the opponent in a row it has lost; else \
             a full board is a draw.",
            self.grid.width(),
            self.grid.height(),
            row = self.row
        )
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        self.grid.symmetries()
    }

    /// Stones in the other colour.
    fn side_swap(&self) -> Option<SideSwap> {
        Some(SideSwap::uniform((0..self.grid.num_cells()).collect(), &[0, 2, 1]))
    }

    fn order(&self) -> &str {
        self.layout.name()
    }
}
