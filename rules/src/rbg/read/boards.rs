//! Reads the board section.

use std::collections::HashMap;
use std::sync::Arc;

use super::super::board::{Board, Shape, Square};
use super::super::fault::{At, Fault};
use super::super::limits;
use super::cursor::Cursor;
use super::lex::Kind;
use super::names::Names;

type Row = Vec<Option<usize>>;

/// Reads the board.
pub(super) fn board(cursor: &mut Cursor, names: &mut Names) -> Result<Board, Fault> {
    let word = match cursor.peek().map(|token| &token.kind) {
        Some(Kind::Name(name)) => name.to_string(),
        _ => return Err(cursor.expected("rectangle, hexagon, cuboid or the name of a square")),
    };
    let start = cursor.here();
    let mut reader = Reader { cursor, names, squares: 0 };
    let board = match word.as_str() {
        "rectangle" => {
            let directions = reader.head(4)?;
            let rows = reader.rows(|previous, row| previous == row)?;
            reader.cursor.expect(")")?;
            Board::rectangle(directions, rows)
        }
        "hexagon" => {
            let directions = reader.head(6)?;
            let mut shrinks = false;
            let rows = reader.rows(|previous, row| {
                let fits = row + 1 == previous || !shrinks && previous + 1 == row;
                shrinks |= row < previous;
                fits
            })?;
            reader.cursor.expect(")")?;
            Board::hexagon(directions, rows)
        }
        "cuboid" => {
            let directions = reader.head(6)?;
            let layers = reader.layers()?;
            reader.cursor.expect(")")?;
            Board::cuboid(directions, &layers)
        }
        _ => reader.graph()?,
    };
    cursor.end()?;
    if board.squares.is_empty() {
        return Err(Fault::new(start, "the board has no squares", "only holes"));
    }
    Ok(board)
}

struct Reader<'a> {
    cursor: &'a mut Cursor,
    names: &'a mut Names,
    squares: usize,
}

impl Reader<'_> {
    /// Reads `shape(direction,direction,...,`.
    fn head(&mut self, num_directions: usize) -> Result<Vec<String>, Fault> {
        self.cursor.advance();
        self.cursor.expect("(")?;
        let first = self.cursor.here();
        let mut named = 0;
        while !self.cursor.sees("[") {
            let (name, at) = self.cursor.new_name("a direction")?;
            self.names.add_direction(&name, at)?;
            named += 1;
            if !self.cursor.take(",") {
                return Err(self.cursor.expected("',' or, after the directions, '['"));
            }
        }
        if named != num_directions {
            let message = format!("this board has {num_directions} directions, not {named}");
            let at = if named == 0 { first } else { first.to(self.cursor.before()) };
            return Err(Fault::new(at, message, format!("expected {num_directions} names of directions")));
        }
        Ok(self.names.directions.clone())
    }

    /// Reads all rows. `fits` decides whether a row of one length may follow a row of another.
    fn rows(&mut self, mut fits: impl FnMut(usize, usize) -> bool) -> Result<Vec<Row>, Fault> {
        let mut rows: Vec<Row> = Vec::new();
        while rows.is_empty() || self.cursor.sees("[") {
            let start = self.cursor.here();
            let row = self.row()?;
            if let Some(previous) = rows.last().map(Vec::len)
                && !fits(previous, row.len())
            {
                let message = format!("a row of length {} after a row of length {previous}", row.len());
                let at = start.to(self.cursor.before());
                return Err(Fault::new(at, message, "does not fit the previous row").help(
                    "rows of a rectangle have the same length; rows of a hexagon grow by one, then shrink by \
                     one",
                ));
            }
            rows.push(row);
        }
        Ok(rows)
    }

    /// Reads `[piece,piece,,piece]`. An empty item between two commas is a hole.
    fn row(&mut self) -> Result<Row, Fault> {
        let open = self.cursor.here();
        self.cursor.expect("[")?;
        let mut row = Vec::new();
        loop {
            if matches!(self.cursor.peek().map(|token| &token.kind), Some(Kind::Name(_))) {
                let (name, at) = self.cursor.name("a piece")?;
                self.count(at)?;
                row.push(Some(self.names.piece(&name, at)?));
            } else {
                let at = self.cursor.here();
                self.count(at)?;
                row.push(None);
            }
            if !self.cursor.take(",") {
                self.cursor.close("]", open, "','")?;
                return Ok(row);
            }
        }
    }

    /// Counts a square or a hole towards the limit.
    fn count(&mut self, at: At) -> Result<(), Fault> {
        self.squares += 1;
        if self.squares <= limits::SQUARES {
            return Ok(());
        }
        let message = format!("a board with more than {} squares", limits::SQUARES);
        Err(Fault::new(at, message, "one too many"))
    }

    fn layers(&mut self) -> Result<Vec<Vec<Row>>, Fault> {
        let mut layers: Vec<Vec<Row>> = Vec::new();
        while layers.is_empty() || self.cursor.sees("[") {
            let start = self.cursor.here();
            self.cursor.expect("[")?;
            let layer = self.rows(|previous, row| previous == row)?;
            self.cursor.expect("]")?;
            let size = |layer: &[Row]| (layer.len(), layer.first().map_or(0, Vec::len));
            if let Some(first) = layers.first()
                && size(first) != size(&layer)
            {
                let at = start.to(self.cursor.before());
                let (rows, columns) = size(first);
                let label = format!("the first layer has {rows} rows of {columns}");
                return Err(Fault::new(at, "layers of a cuboid must have the same size", label));
            }
            layers.push(layer);
        }
        Ok(layers)
    }

    /// Reads `square[piece]{direction:square,...} ...`.
    fn graph(&mut self) -> Result<Board, Fault> {
        let mut index: HashMap<Arc<str>, usize> = HashMap::new();
        let mut squares: Vec<(String, usize)> = Vec::new();
        let mut edges: Vec<Vec<(usize, Arc<str>, At)>> = Vec::new();
        while self.cursor.peek().is_some() {
            let (name, at) = self.cursor.new_name("the name of a square")?;
            self.count(at)?;
            if index.insert(Arc::clone(&name), squares.len()).is_some() {
                return Err(Fault::new(at, format!("duplicate square '{name}'"), "the second definition"));
            }
            self.cursor.expect("[")?;
            let (piece, at) = self.cursor.name("a piece")?;
            squares.push((name.to_string(), self.names.piece(&piece, at)?));
            self.cursor.expect("]")?;
            edges.push(self.edges()?);
        }
        let directions = self.names.directions.clone();
        let mut made = Vec::with_capacity(squares.len());
        for ((name, piece), edges) in squares.into_iter().zip(edges) {
            let mut next = vec![None; directions.len()];
            for (direction, target, at) in edges {
                let Some(&to) = index.get(&target) else {
                    return Err(Fault::new(at, format!("unknown square '{target}'"), "expected a square"));
                };
                next[direction] = Some(to);
            }
            made.push(Square { name, piece, next });
        }
        Ok(Board { directions, squares: made, shape: Shape::Graph })
    }

    /// Reads `{direction:square,...}`, which may be empty.
    fn edges(&mut self) -> Result<Vec<(usize, Arc<str>, At)>, Fault> {
        let open = self.cursor.here();
        self.cursor.expect("{")?;
        let mut edges: Vec<(usize, Arc<str>, At)> = Vec::new();
        if self.cursor.take("}") {
            return Ok(edges);
        }
        loop {
            let (name, at) = self.cursor.new_name("a direction")?;
            let direction = self.names.direction(&name, at)?;
            if edges.iter().any(|(other, ..)| *other == direction) {
                let message = format!("duplicate direction '{name}'");
                return Err(Fault::new(at, message, "leads to two squares"));
            }
            self.cursor.expect(":")?;
            let (target, at) = self.cursor.name("the name of a square")?;
            edges.push((direction, target, at));
            if !self.cursor.take(",") {
                self.cursor.close("}", open, "','")?;
                return Ok(edges);
            }
        }
    }
}
