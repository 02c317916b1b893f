//! Boards: squares, and the square to which each direction leads.

/// A square: its name, the piece on it at the start, and its neighbour in each direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Square {
    /// The name. For a board given by a shape, it is derived from column and row.
    pub name: String,
    /// The index of the piece at the start.
    pub piece: usize,
    /// The square to which each direction leads, by direction.
    pub next: Vec<Option<usize>>,
}

/// The notation of a board. Rows contain the indices of squares, or holes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Rows of equal length. Directions: up, down, left, right.
    Rectangle(Vec<Vec<Option<usize>>>),
    /// Rows whose length grows by one square up to the longest row, and then shrinks by one. Directions: north-west, north-east,
    /// east, south-east, south-west, west.
    Hexagon(Vec<Vec<Option<usize>>>),
    /// Rectangles of equal size, back to front. Directions: up, down, left, right, front, back.
    Cuboid(Vec<Vec<Vec<Option<usize>>>>),
    /// A list of squares with their edges.
    Graph,
}

/// A board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// The names of the directions.
    pub directions: Vec<String>,
    /// The squares. The path through the rules begins on the first one.
    pub squares: Vec<Square>,
    /// The notation of the board.
    pub shape: Shape,
}

type Row<T> = Vec<Option<T>>;
type Cell = (usize, usize, usize);

/// The cells of a board given by a shape: layers of rows of pieces or holes.
struct Cells<'a> {
    layers: &'a [Vec<Row<usize>>],
    prefix: &'static str,
    deep: bool,
}

impl Cells<'_> {
    fn piece(&self, (layer, row, column): Cell) -> Option<usize> {
        self.layers.get(layer)?.get(row)?.get(column).copied().flatten()
    }

    fn name(&self, (layer, row, column): Cell) -> String {
        let depth = if self.deep { format!("z{layer}") } else { String::new() };
        format!("{}x{column}y{row}{depth}", self.prefix)
    }

    /// Returns the squares row by row, without holes. `next` returns the neighbouring cell in a direction, which may be off the
    /// board.
    fn squares(&self, num_directions: usize, next: impl Fn(Cell, usize) -> Option<Cell>) -> Squares {
        let mut index = std::collections::HashMap::new();
        let mut cells = Vec::new();
        let mut made = Squares { squares: Vec::new(), rows: Vec::new() };
        for (l, layer) in self.layers.iter().enumerate() {
            let mut rows = Vec::new();
            for (r, row) in layer.iter().enumerate() {
                let at = |c: usize| (l, r, c);
                let mut here = Vec::new();
                for c in 0..row.len() {
                    here.push(self.piece(at(c)).map(|piece| {
                        index.insert(at(c), cells.len());
                        cells.push((at(c), piece));
                        cells.len() - 1
                    }));
                }
                rows.push(here);
            }
            made.rows.push(rows);
        }
        for (cell, piece) in cells {
            let next = (0..num_directions).map(|d| next(cell, d).and_then(|to| index.get(&to).copied()));
            made.squares.push(Square { name: self.name(cell), piece, next: next.collect() });
        }
        made
    }
}

struct Squares {
    squares: Vec<Square>,
    rows: Vec<Vec<Row<usize>>>,
}

/// Returns a cell shifted by an offset, or `None` if a coordinate would be negative.
fn neighbour((layer, row, column): Cell, by: (isize, isize, isize)) -> Option<Cell> {
    let add = |a: usize, b: isize| a.checked_add_signed(b);
    Some((add(layer, by.0)?, add(row, by.1)?, add(column, by.2)?))
}

impl Board {
    /// Creates a rectangle from rows of pieces and holes. `directions`: up, down, left, right.
    pub(super) fn rectangle(directions: Vec<String>, rows: Vec<Row<usize>>) -> Self {
        const BY: [(isize, isize, isize); 4] = [(0, -1, 0), (0, 1, 0), (0, 0, -1), (0, 0, 1)];
        let layers = [rows];
        let cells = Cells { layers: &layers, prefix: "r", deep: false };
        let mut made = cells.squares(directions.len(), |cell, d| neighbour(cell, *BY.get(d)?));
        let rows = made.rows.pop().unwrap_or_default();
        Self { directions, squares: made.squares, shape: Shape::Rectangle(rows) }
    }

    /// Creates a cuboid from layers. `directions`: up, down, left, right, front, back.
    pub(super) fn cuboid(directions: Vec<String>, layers: &[Vec<Row<usize>>]) -> Self {
        const BY: [(isize, isize, isize); 6] =
            [(0, -1, 0), (0, 1, 0), (0, 0, -1), (0, 0, 1), (1, 0, 0), (-1, 0, 0)];
        let cells = Cells { layers, prefix: "c", deep: true };
        let made = cells.squares(directions.len(), |cell, d| neighbour(cell, *BY.get(d)?));
        Self { directions, squares: made.squares, shape: Shape::Cuboid(made.rows) }
    }

    /// Creates a hexagon. `directions`: north-west, north-east, east, south-east, south-west, west.
    pub(super) fn hexagon(directions: Vec<String>, rows: Vec<Row<usize>>) -> Self {
        let longest = (0..rows.len()).max_by_key(|&row| rows[row].len()).unwrap_or_default();
        let layers = [rows];
        let cells = Cells { layers: &layers, prefix: "h", deep: false };
        let mut made = cells.squares(directions.len(), |cell, direction| {
            // A row has one square fewer than the next row towards the longest, so its columns are shifted by half a square.
            let (up, down) = (isize::from(cell.1 > longest), isize::from(cell.1 < longest));
            let by = match direction {
                0 => (0, -1, up - 1),
                1 => (0, -1, up),
                2 => (0, 0, 1),
                3 => (0, 1, down),
                4 => (0, 1, down - 1),
                _ => (0, 0, -1),
            };
            neighbour(cell, by)
        });
        let rows = made.rows.pop().unwrap_or_default();
        Self { directions, squares: made.squares, shape: Shape::Hexagon(rows) }
    }
}
