//! Defines a game that the library does not contain, and solves, stores, reopens, verifies and queries it.
//!
//! The game is toads and frogs on a strip. Toads (`T`) move right and frogs (`F`) move left, either one cell or over
//! one opponent, and a player who cannot move loses.

use std::sync::Arc;

use nerode::dfa::{MoveGraph, Shape, Step, Store};
use nerode::games::{
    CellChange, ExplicitGame, Game, LayerInfo, Move, Notation, Position, Side, SymbolicGame, Symmetry,
    Terminal, Value,
};
use nerode::{Method, Options};

const EMPTY: u8 = 0;
const SYMBOLS: [char; 3] = ['.', 'T', 'F'];

struct ToadsAndFrogs {
    shape: Shape,
    cells: Vec<usize>,
}

impl ToadsAndFrogs {
    fn new(length: usize) -> nerode::Result<Self> {
        Ok(Self { shape: Shape::uniform(length, 3)?, cells: (0..length).collect() })
    }

    /// Returns the cells to which a piece on `cell` may move: the next cell, and the cell after it for a jump.
    fn ahead(&self, cell: usize, side: Side) -> [Option<usize>; 2] {
        let step = |from: usize| match side {
            Side::P1 => Some(from + 1).filter(|&to| to < self.cells.len()),
            Side::P2 => from.checked_sub(1),
        };
        [step(cell), step(cell).and_then(step)]
    }
}

fn piece(side: Side) -> u8 {
    if side == Side::P1 { 1 } else { 2 }
}

/// The rules for sets of positions, with one step for each kind of move.
impl SymbolicGame for ToadsAndFrogs {
    fn terminal(&self, store: &mut Store, _side: Side) -> nerode::dfa::Result<Terminal> {
        let none = store.empty();
        Ok(Terminal { win: none.clone(), loss: none.clone(), draw: none })
    }

    fn no_move_value(&self) -> Value {
        Value::Loss
    }

    fn moves(&self, _store: &mut Store, side: Side) -> nerode::dfa::Result<MoveGraph> {
        let (own, other) = (piece(side), piece(side.other()));
        let mut graph = MoveGraph::new(self.shape.clone());
        for &cell in &self.cells {
            let [next, beyond] = self.ahead(cell, side);
            if let Some(to) = next {
                graph.add(Step::identity().change(cell, own, EMPTY).change(to, EMPTY, own))?;
            }
            if let (Some(over), Some(to)) = (next, beyond) {
                let jump = Step::identity().change(cell, own, EMPTY).change(to, EMPTY, own);
                graph.add(jump.change(over, other, other))?;
            }
        }
        Ok(graph)
    }
}

/// The rules for a single position, written independently of the others so that each can be checked against the other.
impl ExplicitGame for ToadsAndFrogs {
    fn cell_states(&self) -> &[u16] {
        self.shape.alphabets()
    }

    fn start(&self) -> (Vec<u8>, Side) {
        let pieces = (self.cells.len() - 1) / 2;
        let mut board = vec![EMPTY; self.cells.len()];
        board[..pieces].fill(1);
        let first_frog = board.len() - pieces;
        board[first_frog..].fill(2);
        (board, Side::P1)
    }

    fn outcome(&self, board: &[u8], side: Side) -> Option<Value> {
        let mut moves = Vec::new();
        self.legal_moves(board, side, &mut moves);
        moves.is_empty().then_some(Value::Loss)
    }

    fn legal_moves(&self, board: &[u8], side: Side, out: &mut Vec<Move>) {
        let (own, way) = if side == Side::P1 { (1, 1) } else { (2, -1) };
        for from in (0..board.len()).filter(|&cell| board[cell] == own) {
            let at = |distance: isize| {
                let cell = from.checked_add_signed(way * distance)?;
                board.get(cell).map(|&content| (cell, content))
            };
            let to = match (at(1), at(2)) {
                (Some((cell, EMPTY)), _) => cell,
                (Some((_, over)), Some((cell, EMPTY))) if over != own => cell,
                _ => continue,
            };
            let change = |cell: usize, after| CellChange { cell: cell as u16, after };
            out.push(Move::from_slice(&[change(from, EMPTY), change(to, own)]));
        }
    }

    fn always_ends(&self) -> bool {
        true
    }
}

/// A position is written as `TT.FF P1`, and a move as the cells that it leaves and enters.
impl Notation for ToadsAndFrogs {
    fn position_form(&self) -> String {
        format!("{} of the symbols . T F, a blank, and P1 or P2", self.cells.len())
    }

    fn parse_position(&self, text: &str) -> nerode::games::Result<Position> {
        let read = || {
            let (cells, side) = text.trim().split_once(' ')?;
            let symbol = |c: char| SYMBOLS.iter().position(|&known| known == c).map(|at| at as u8);
            let board: Vec<u8> = cells.chars().map(symbol).collect::<Option<_>>()?;
            let side = Side::BOTH.into_iter().find(|known| known.to_string() == side.trim())?;
            (board.len() == self.cells.len()).then_some(Position { board, side })
        };
        read().ok_or_else(|| {
            let reason = format!("it is not {}", self.position_form());
            self.position_error(text, reason)
        })
    }

    fn format_position(&self, position: &Position) -> String {
        let cells: String = position.board.iter().map(|&x| SYMBOLS[usize::from(x)]).collect();
        format!("{cells} {}", position.side)
    }

    fn draw(&self, position: &Position) -> String {
        self.format_position(position) + "\n"
    }

    fn format_move(&self, _position: &Position, mv: &Move) -> String {
        let cells: Vec<String> = mv.iter().map(|change| change.cell.to_string()).collect();
        cells.join("-")
    }
}

impl Game for ToadsAndFrogs {
    fn spec(&self) -> String {
        format!("toads:{}", self.cells.len())
    }

    fn rules(&self) -> String {
        "toads and frogs: step or jump over one opponent; who cannot move loses".into()
    }

    fn rules_version(&self) -> u32 {
        1
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        Vec::new()
    }

    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn layers(&self) -> Vec<LayerInfo> {
        let letters: Vec<String> = SYMBOLS.iter().map(char::to_string).collect();
        self.cells
            .iter()
            .map(|cell| LayerInfo { label: cell.to_string(), letters: letters.clone() })
            .collect()
    }

    fn cell_of_layer(&self) -> &[usize] {
        &self.cells
    }

    fn order(&self) -> &str {
        "cells"
    }
}

fn main() -> nerode::Result<()> {
    let game: Arc<dyn Game> = Arc::new(ToadsAndFrogs::new(9)?);
    let folder = std::env::temp_dir().join(format!("toads-{}", std::process::id()));
    // Retrograde analysis computes the value and the depth of every position, reachable or not.
    let options = Options::default().method(Method::Retrograde).directory(&folder);
    nerode::open_game(Arc::clone(&game)).solve(options)?;

    // The directory records which game it contains, and the closure opens that game.
    let solution = nerode::open_solution_with(&folder, &|_: &str, _: &str| Ok(Arc::clone(&game)))?;
    let report = solution.verify(Options::default().resources())?;
    println!("{} positions checked, {} wrong", report.checked, report.mismatches);
    assert_eq!(report.mismatches, 0, "{:?}", report.first_mismatch);
    for text in ["TTTT.FFFF P1", "TTT..FFFF P1"] {
        let answer = solution.query(&game.parse_position(text)?)?;
        println!("{text}: {:?} in {:?} plies", answer.value(), answer.depth());
    }
    std::fs::remove_dir_all(&folder).map_err(|source| nerode::Error::Io { path: folder, source })
}
