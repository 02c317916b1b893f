//! The symmetries of a game from a file: the symmetries of its board that preserve the rules.

use std::collections::VecDeque;

use nerode_games::Symmetry;
use nerode_games::grid::Grid;

use super::super::board::{Board, Shape};
use super::super::compile::{Names, Part};
use super::RuleGame;

/// The maximum number of squares for which symmetries are searched, of candidates, and of search steps.
const SQUARES: usize = 128;
const CANDIDATES: usize = 64;
const STEPS: usize = 1 << 18;

/// A permutation of squares: the target of the content of each square.
pub(super) type Image = Vec<usize>;

impl RuleGame {
    /// Returns the symmetries of the board that preserve the rules.
    pub(super) fn preserved_by_rules(&self) -> Vec<Symmetry> {
        let kept = candidates(self.book.board()).into_iter().filter_map(|(name, image)| {
            let names = Names { squares: &image, pieces: &[], variables: &[], exchanges: false };
            let cells = self.image_of_cells(&names)?;
            self.plan.keeps_play(&names).then_some(Symmetry { name, image: cells })
        });
        kept.collect()
    }

    /// Returns the permutation of cells under a renaming, or `None` if a square has a cell and its image has none.
    pub(super) fn image_of_cells(&self, names: &Names<'_>) -> Option<Vec<usize>> {
        let of = |(cell, part): (usize, &Part)| match *part {
            Part::Square(square) => self.cells.cell(Part::Square(names.squares[square])),
            Part::Variable(variable) => self.cells.cell(Part::Variable(names.variable(variable))),
            Part::Status(_) => Some(cell),
        };
        self.cells.parts.iter().enumerate().map(of).collect()
    }
}

/// Returns the symmetries of a board, without the identity. For rectangles, these are the named symmetries, and otherwise all
/// permutations that preserve adjacency.
pub(super) fn candidates(board: &Board) -> Vec<(String, Image)> {
    match &board.shape {
        Shape::Rectangle(rows) => of_rectangle(rows),
        _ if board.squares.len() > SQUARES => Vec::new(),
        _ => {
            let found = Search::new(board).images();
            let named = |(number, image)| (format!("symmetry-{}", number + 1), image);
            found.into_iter().enumerate().map(named).collect()
        }
    }
}

fn of_rectangle(rows: &[Vec<Option<usize>>]) -> Vec<(String, Image)> {
    let width = rows.first().map_or(0, Vec::len);
    if width == 0 {
        return Vec::new();
    }
    let grid = Grid::new(width, rows.len());
    let square = |cell: usize| rows[rows.len() - 1 - grid.rank(cell)][grid.file(cell)];
    let squares = (0..grid.num_cells()).filter_map(square).count();
    let of = |symmetry: Symmetry| {
        let mut image = vec![0; squares];
        for (cell, &to) in symmetry.image.iter().enumerate() {
            match (square(cell), square(to)) {
                (Some(from), Some(to)) => image[from] = to,
                (None, None) => {}
                _ => return None,
            }
        }
        Some((symmetry.name, image))
    };
    grid.symmetries().into_iter().filter_map(of).collect()
}

/// A search for the permutations of squares that preserve adjacency.
struct Search {
    beside: Vec<Vec<bool>>,
    /// The squares in search order, each after an adjacent square if possible.
    order: Vec<usize>,
    image: Vec<Option<usize>>,
    taken: Vec<bool>,
    steps: usize,
    found: Vec<Image>,
}

impl Search {
    fn new(board: &Board) -> Self {
        let squares = board.squares.len();
        let mut beside = vec![vec![false; squares]; squares];
        for (from, square) in board.squares.iter().enumerate() {
            for &to in square.next.iter().flatten() {
                beside[from][to] = true;
            }
        }
        let order = in_order(&beside);
        let (image, taken) = (vec![None; squares], vec![false; squares]);
        Self { beside, order, image, taken, steps: 0, found: Vec::new() }
    }

    fn images(mut self) -> Vec<Image> {
        self.place(0);
        let is_identity = |image: &Image| image.iter().enumerate().all(|(from, &to)| from == to);
        self.found.retain(|image| !is_identity(image));
        self.found
    }

    /// Assigns images to the squares from index `at` of the order.
    fn place(&mut self, at: usize) {
        let Some(&square) = self.order.get(at) else {
            self.found.push(self.image.iter().flatten().copied().collect());
            return;
        };
        for to in 0..self.taken.len() {
            self.steps += 1;
            if self.steps > STEPS || self.found.len() >= CANDIDATES {
                return;
            }
            if self.taken[to] || !self.fits(at, square, to) {
                continue;
            }
            (self.image[square], self.taken[to]) = (Some(to), true);
            self.place(at + 1);
            (self.image[square], self.taken[to]) = (None, false);
        }
    }

    fn fits(&self, at: usize, square: usize, to: usize) -> bool {
        let same = |&earlier: &usize| {
            let Some(image) = self.image[earlier] else { return true };
            self.beside[square][earlier] == self.beside[to][image]
                && self.beside[earlier][square] == self.beside[image][to]
        };
        self.beside[square][square] == self.beside[to][to] && self.order[..at].iter().all(same)
    }
}

fn in_order(beside: &[Vec<bool>]) -> Vec<usize> {
    let mut seen = vec![false; beside.len()];
    let mut order = Vec::with_capacity(beside.len());
    for start in 0..beside.len() {
        let mut left = VecDeque::from([start]);
        while let Some(square) = left.pop_front() {
            if std::mem::replace(&mut seen[square], true) {
                continue;
            }
            order.push(square);
            left.extend((0..beside.len()).filter(|&next| beside[square][next] || beside[next][square]));
        }
    }
    order
}
