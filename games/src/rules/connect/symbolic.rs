//! Connect Four as sets of words and moves that rewrite letters.

use nerode_dfa::{Condition, Dfa, MoveGraph, Result, Set, Step, Store};

use super::{Connect, EMPTY, Encoding};
use crate::side::{Side, Value};
use crate::symbolic::{OverInPlay, SymbolicGame, Terminal};

/// The offsets (columns, rows) from a square of a line to the next one.
const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Returns the content of a square with a stone of `side`.
fn stone(side: Side) -> u8 {
    match side {
        Side::P1 => 1,
        Side::P2 => 2,
    }
}

impl SymbolicGame for Connect {
    fn terminal(&self, store: &mut Store, side: Side) -> Result<Terminal> {
        let rows = self.rows_of(store, side.other())?;
        let boards = self.boards(store, side)?;
        let loss = store.intersection(&rows, &boards)?;
        Ok(Terminal { win: store.empty(), loss, draw: store.complement(&boards)? })
    }

    /// Returns the lines of the opponent, who has just moved, split by direction. All of them are lost for the side to
    /// move. A single automaton for all lines would have to remember nearly every stone of the last columns.
    fn over_in_play(&self, store: &mut Store, side: Side) -> Result<Option<OverInPlay>> {
        let [level, upright, rising, falling] = DIRECTIONS;
        let parts: [&[_]; 3] = [&[level, upright], &[rising], &[falling]];
        let loss =
            parts.iter().map(|steps| self.rows_along(store, side.other(), steps)).collect::<Result<_>>()?;
        Ok(Some(OverInPlay { loss, ..OverInPlay::default() }))
    }

    /// Returns a draw, because every column is full.
    fn no_move_value(&self) -> Value {
        Value::Draw
    }

    /// Returns the boards without a stone above an empty cell, with a marker in every column, and with the right
    /// numbers of stones: equal numbers with P1 to move, and one more stone of P1 with P2 to move. The rules define all
    /// other boards as drawn.
    fn admissible(&self, store: &mut Store, side: Side) -> Result<Option<Set>> {
        self.boards(store, side).map(Some)
    }

    fn moves(&self, _store: &mut Store, side: Side) -> Result<MoveGraph> {
        let mut graph = MoveGraph::new(self.shape.clone());
        for file in 0..self.options.squares.width() {
            for rank in 0..self.options.squares.height() {
                graph.add(match self.options.encoding {
                    Encoding::Cells => self.drop_in_cells(file, rank, side),
                    Encoding::Columns => self.drop_in_bits(file, rank, side),
                })?;
            }
        }
        Ok(graph)
    }
}

impl Connect {
    /// Returns the layer of a level of a column.
    fn layer(&self, file: usize, level: usize) -> usize {
        self.layout.layer(self.options.cell(file, level))
    }

    /// Returns the step that drops a stone onto an empty square above a stone or the floor. The step need not check the
    /// squares above, because boards with a stone there are terminal.
    fn drop_in_cells(&self, file: usize, rank: usize, side: Side) -> Step {
        let mut supported = Condition::any();
        if rank > 0 {
            supported = supported.with(self.layer(file, rank - 1), &[stone(Side::P1), stone(Side::P2)]);
        }
        Step::identity().change(self.layer(file, rank), EMPTY, stone(side)).when(supported)
    }

    /// Returns the step that moves the marker up by one and sets its former bit to the colour of the stone.
    fn drop_in_bits(&self, file: usize, rank: usize, side: Side) -> Step {
        let mut highest = Condition::any();
        for above in rank + 2..self.options.levels() {
            highest = highest.with(self.layer(file, above), &[0]);
        }
        let stone = u8::from(side == Side::P2);
        let marker = self.layer(file, rank + 1);
        Step::identity().change(self.layer(file, rank), 1, stone).change(marker, 0, 1).when(highest)
    }

    /// Returns the squares (column, row) of every winning line, where consecutive squares differ by `step` (columns, rows).
    fn lines(&self, step: (i32, i32)) -> Vec<Vec<(usize, usize)>> {
        let squares = self.options.squares;
        let place = |cell: usize, steps: usize| {
            let along = |from: usize, by: i32, size: usize| {
                let at = from as i32 + by * steps as i32;
                usize::try_from(at).ok().filter(|at| *at < size)
            };
            let file = along(squares.file(cell), step.0, squares.width())?;
            Some((file, along(squares.rank(cell), step.1, squares.height())?))
        };
        let line = |cell| (0..self.options.row).map(|steps| place(cell, steps)).collect::<Option<Vec<_>>>();
        (0..squares.num_cells()).filter_map(line).collect()
    }

    /// Returns the set `{ w : some line of w holds only stones of side }`.
    fn rows_of(&self, store: &mut Store, side: Side) -> Result<Set> {
        self.rows_along(store, side, &DIRECTIONS)
    }

    /// Returns the same set for lines along `steps` only.
    fn rows_along(&self, store: &mut Store, side: Side, steps: &[(i32, i32)]) -> Result<Set> {
        let mut lines: Vec<_> = steps.iter().flat_map(|&step| self.lines(step)).collect();
        let layers = |line: &Vec<(usize, usize)>| {
            let mut layers: Vec<usize> = line.iter().map(|&(file, rank)| self.layer(file, rank)).collect();
            layers.sort_unstable();
            layers
        };
        // Lines that end near each other have the most structure in common.
        lines.sort_by_key(|line| layers(line).into_iter().rev().collect::<Vec<_>>());
        let sets = lines.iter().map(|line| self.line_of(store, line, side)).collect::<Result<Vec<_>>>()?;
        store.union_all(&sets)
    }

    fn line_of(&self, store: &mut Store, line: &[(usize, usize)], side: Side) -> Result<Set> {
        match self.options.encoding {
            Encoding::Cells => {
                let cube: Vec<(usize, Vec<u8>)> =
                    line.iter().map(|&(file, rank)| (self.layer(file, rank), vec![stone(side)])).collect();
                store.cube(&cube)
            }
            Encoding::Columns => {
                let stones = line.iter().map(|&(file, rank)| self.stone_in_bits(store, file, rank, side));
                let stones = stones.collect::<Result<Vec<_>>>()?;
                store.intersection_all(&stones)
            }
        }
    }

    /// Returns the set `{ w : the bit of the square is that of a stone of side, and some bit above it is 1 }`.
    fn stone_in_bits(&self, store: &mut Store, file: usize, rank: usize, side: Side) -> Result<Set> {
        let colour = store.fixed(self.layer(file, rank), u8::from(side == Side::P2))?;
        let above: Vec<usize> =
            (rank + 1..self.options.levels()).map(|level| self.layer(file, level)).collect();
        let marked = store.letter_count(1, &above, 1..=above.len())?;
        store.intersection(&colour, &marked)
    }

    /// Returns the set of [`SymbolicGame::admissible`].
    fn boards(&self, store: &mut Store, side: Side) -> Result<Set> {
        match self.options.encoding {
            Encoding::Cells => self.boards_of_cells(store, side),
            Encoding::Columns => self.boards_of_bits(store, side),
        }
    }

    fn boards_of_cells(&self, store: &mut Store, side: Side) -> Result<Set> {
        let ahead = side.index() as i32;
        let step = |_: usize, lead: &i32, letter: u8| Some(lead + [0, 1, -1][usize::from(letter)]);
        let mut sets = vec![store.import(&Dfa::from_step(&self.shape, 0, step, |lead| *lead == ahead)?)?];
        let squares = self.options.squares;
        for (file, rank) in (0..squares.width()).flat_map(|f| (1..squares.height()).map(move |r| (f, r))) {
            let empty = store.fixed(self.layer(file, rank), EMPTY)?;
            let below = store.fixed(self.layer(file, rank - 1), EMPTY)?;
            let supported = store.complement(&below)?;
            sets.push(store.union(&empty, &supported)?);
        }
        store.intersection_all(&sets)
    }

    /// Builds the set as a union over the number n of stones: P2 has half of them, rounded down, and each of these is a
    /// bit 1 in addition to the markers.
    fn boards_of_bits(&self, store: &mut Store, side: Side) -> Result<Set> {
        let squares = self.options.squares;
        let layers: Vec<usize> = (0..self.shape.num_layers()).collect();
        let mut all = store.empty();
        for (n, heights) in self.heights_that_sum(store)?.into_iter().enumerate() {
            if n % 2 == side.index() {
                let ones = squares.width() + n / 2;
                let colours = store.letter_count(1, &layers, ones..=ones)?;
                let boards = store.intersection(&heights, &colours)?;
                all = store.union(&all, &boards)?;
            }
        }
        Ok(all)
    }

    /// Returns, for every n up to a full board, the set `{ w : every column has a marker, and their levels are n together }`.
    fn heights_that_sum(&self, store: &mut Store) -> Result<Vec<Set>> {
        let squares = self.options.squares;
        let mut sums = vec![store.full()];
        for file in 0..squares.width() {
            let mut next = vec![store.empty(); sums.len() + squares.height()];
            for height in 0..=squares.height() {
                let above =
                    (height + 1..self.options.levels()).map(|level| (self.layer(file, level), vec![0]));
                let marked = std::iter::once((self.layer(file, height), vec![1]));
                let column = store.cube(&marked.chain(above).collect::<Vec<_>>())?;
                for (sum, set) in sums.iter().enumerate() {
                    let both = store.intersection(set, &column)?;
                    next[sum + height] = store.union(&next[sum + height], &both)?;
                }
            }
            sums = next;
        }
        Ok(sums)
    }
}
