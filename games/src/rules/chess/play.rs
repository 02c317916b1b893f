//! Chess as plain rules on a single board: attacks, the moves of a side, and the board after a move.
//!
//! The explicit descriptions of all chess games use this module, which does not use automata. It decides every board,
//! including boards that cannot occur in play: pawns on the first and last rank cannot move, only the designated king
//! of a side moves, and kings are never captured.

use super::men::{Kind, Man};
use crate::grid::Grid;
use crate::side::Side;

/// The largest number of squares of a board.
const MOST_SQUARES: usize = 64;

/// The possible promotions of a pawn.
const PROMOTIONS: [Kind; 4] = [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight];

/// The two wings on which a king may castle, in the order of [`Board::rights`]: the files of the rook, of the king's
/// destination, and of the squares that must be empty.
const WINGS: [(i32, i32, &[i32]); 2] = [(7, 6, &[5, 6]), (0, 2, &[1, 2, 3])];
/// The file of a king that may castle.
const KINGS_FILE: i32 = 4;

/// A board with everything that determines the legal moves, except for the side to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Board {
    pub(super) grid: Grid,
    men: [Option<Man>; MOST_SQUARES],
    /// The squares of the men of each side, as bits, so that only these squares are visited.
    of: [u64; 2],
    /// The square of the designated king of each side.
    pub(super) kings: [usize; 2],
    /// Whether each side may still castle on the king's wing and on the queen's wing.
    pub(super) rights: [[bool; 2]; 2],
    /// The set of squares, as bits, of pawns that have just advanced two ranks and now stand beside a pawn of the opponent.
    pub(super) passed: u64,
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ply {
    pub(super) from: usize,
    pub(super) to: usize,
    /// The promotion of a pawn that reaches the last rank.
    pub(super) promotion: Option<Kind>,
    /// The square of the captured man.
    pub(super) taken: Option<usize>,
    /// The origin and destination of the rook in castling.
    pub(super) rook: Option<(usize, usize)>,
    /// Whether a pawn advances two ranks.
    pub(super) double: bool,
}

impl Ply {
    fn plain(from: usize, to: usize, taken: Option<usize>) -> Self {
        Self { from, to, promotion: None, taken, rook: None, double: false }
    }
}

const STRAIGHT: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const ASLANT: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const LEAPS: [(i32, i32); 8] = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];

fn forward(side: Side) -> i32 {
    match side {
        Side::P1 => 1,
        Side::P2 => -1,
    }
}

/// The longest edge of a board.
const LONGEST: usize = 8;

/// The file and the rank of each square, by the width of the board. Divisions would take much of the time.
static PLACES: [[(i32, i32); MOST_SQUARES]; LONGEST + 1] = {
    let mut places = [[(0, 0); MOST_SQUARES]; LONGEST + 1];
    let mut width = 1;
    while width <= LONGEST {
        let mut square = 0;
        while square < MOST_SQUARES {
            places[width][square] = ((square % width) as i32, (square / width) as i32);
            square += 1;
        }
        width += 1;
    }
    places
};

/// Returns the squares of a set of bits in ascending order.
fn squares(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let square = (bits != 0).then(|| bits.trailing_zeros() as usize);
        bits &= bits.wrapping_sub(1);
        square
    })
}

/// The squares in one direction, up to the edge of the board.
struct Ray {
    file: i32,
    rank: i32,
    way: (i32, i32),
    width: i32,
    height: i32,
}

impl Ray {
    fn new(grid: Grid, (file, rank): (i32, i32), way: (i32, i32)) -> Self {
        Self { file, rank, way, width: grid.width() as i32, height: grid.height() as i32 }
    }
}

impl Iterator for Ray {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        self.file += self.way.0;
        self.rank += self.way.1;
        let inside = (0..self.width).contains(&self.file) && (0..self.height).contains(&self.rank);
        inside.then(|| (self.rank * self.width + self.file) as usize)
    }
}

impl Board {
    /// Creates an empty board.
    pub(super) fn without_men(grid: Grid) -> Self {
        let (men, of) = ([None; MOST_SQUARES], [0; 2]);
        Self { grid, men, of, kings: [0; 2], rights: [[false; 2]; 2], passed: 0 }
    }

    /// Returns the man on each square, followed by `None` for squares that the board does not have.
    pub(super) fn men(&self) -> &[Option<Man>; MOST_SQUARES] {
        &self.men
    }

    /// Replaces the content of a square.
    pub(super) fn put(&mut self, square: usize, man: Option<Man>) {
        let bit = 1 << square;
        self.of = self.of.map(|squares| squares & !bit);
        if let Some(man) = man {
            self.of[man.side.index()] |= bit;
        }
        self.men[square] = man;
    }

    fn at(&self, square: usize, way: (i32, i32)) -> Option<usize> {
        Ray::new(self.grid, self.place(square), way).next()
    }

    /// Returns the file and the rank of a square.
    fn place(&self, square: usize) -> (i32, i32) {
        PLACES[self.grid.width()][square]
    }

    /// Returns `true` if a man of `by` attacks `square`.
    pub(super) fn attacked(&self, square: usize, by: Side) -> bool {
        self.attacked_from(self.of[by.index()], by, square, self.of[0] | self.of[1])
    }

    /// Returns `true` if a man of `by` on one of the squares `origins` attacks `square`, where only the squares `occupied` obstruct
    /// lines. Both are sets of bits.
    fn attacked_from(&self, origins: u64, by: Side, square: usize, occupied: u64) -> bool {
        let (file, rank) = self.place(square);
        squares(origins).any(|from| {
            let Some(man) = self.men[from] else { return false };
            let at = self.place(from);
            let (files, ranks) = (file - at.0, rank - at.1);
            let straight = (files == 0) != (ranks == 0);
            let aslant = files != 0 && files.abs() == ranks.abs();
            let in_line = match man.kind {
                Kind::King => return files.abs().max(ranks.abs()) == 1,
                Kind::Knight => return (files * ranks).abs() == 2,
                Kind::Pawn => return files.abs() == 1 && ranks == forward(by),
                Kind::Queen => straight || aslant,
                Kind::Rook => straight,
                Kind::Bishop => aslant,
            };
            in_line && self.is_free_between(from, (files, ranks), occupied)
        })
    }

    /// Returns `true` if no square between `from` and the square that is `files` and `ranks` further on a line is `occupied`.
    fn is_free_between(&self, from: usize, (files, ranks): (i32, i32), occupied: u64) -> bool {
        let step = files.signum() + ranks.signum() * self.grid.width() as i32;
        let steps = files.abs().max(ranks.abs());
        (1..steps).all(|i| occupied >> (from as i32 + i * step) & 1 == 0)
    }

    /// Returns `true` if the king of `side` is attacked.
    pub(super) fn in_check(&self, side: Side) -> bool {
        self.attacked(self.kings[side.index()], side.other())
    }

    /// Returns the reason why the board cannot occur with `side` to move: the kings touch, or the other king is attacked.
    pub(super) fn why_illegal(&self, side: Side) -> Option<String> {
        let [one, other] = self.kings;
        let apart = |of: fn(Grid, usize) -> usize| of(self.grid, one).abs_diff(of(self.grid, other));
        if apart(Grid::file).max(apart(Grid::rank)) <= 1 {
            return Some("the kings are on adjacent squares".to_string());
        }
        self.in_check(side.other()).then(|| {
            let [own, other] = [side, side.other()].map(|side| ["white", "black"][side.index()]);
            format!("{own} is to move and {other} is in check")
        })
    }

    /// Calls `take` with every legal move of `side` until it returns `true`. Returns `true` if it did.
    pub(super) fn find_move(&self, side: Side, mut take: impl FnMut(Ply) -> bool) -> bool {
        // No move brings a king to the designated square, and none captures it there.
        if self.men[self.kings[side.index()]] != Some(Man { side, kind: Kind::King }) {
            return false;
        }
        let mut legal = |ply: Ply| self.is_safe_after(ply, side) && take(ply);
        squares(self.of[side.index()])
            .any(|from| self.men[from].is_some_and(|man| self.moves_of(from, man, &mut legal)))
    }

    /// Returns `true` if the king of `side` is not attacked after its move `ply`.
    fn is_safe_after(&self, ply: Ply, side: Side) -> bool {
        if ply.rook.is_some() {
            return !self.after(ply, side).in_check(side);
        }
        // The men of the opponent stay where they are, except for one that is captured, so the board need not be copied.
        let bit = |square: usize| 1_u64 << square;
        let own = self.of[side.index()] & !bit(ply.from) | bit(ply.to);
        let others = self.of[side.other().index()] & !ply.taken.map_or(0, bit);
        let king = self.kings[side.index()];
        let king = if ply.from == king { ply.to } else { king };
        !self.attacked_from(others, side.other(), king, own | others)
    }

    fn moves_of(&self, from: usize, man: Man, take: &mut impl FnMut(Ply) -> bool) -> bool {
        match man.kind {
            Kind::Pawn => self.pawn_moves(from, man.side, take),
            Kind::Queen => {
                self.runs(from, man.side, &STRAIGHT, true, take)
                    || self.runs(from, man.side, &ASLANT, true, take)
            }
            Kind::Rook => self.runs(from, man.side, &STRAIGHT, true, take),
            Kind::Bishop => self.runs(from, man.side, &ASLANT, true, take),
            Kind::Knight => self.runs(from, man.side, &LEAPS, false, take),
            Kind::King if self.kings[man.side.index()] != from => false,
            Kind::King => {
                self.runs(from, man.side, &STRAIGHT, false, take)
                    || self.runs(from, man.side, &ASLANT, false, take)
                    || self.castling(from, man.side, take)
            }
        }
    }

    fn runs(
        &self,
        from: usize,
        side: Side,
        ways: &[(i32, i32)],
        far: bool,
        take: &mut impl FnMut(Ply) -> bool,
    ) -> bool {
        let place = self.place(from);
        ways.iter().any(|&way| {
            for to in Ray::new(self.grid, place, way) {
                match self.men[to] {
                    None if take(Ply::plain(from, to, None)) => return true,
                    None if far => {}
                    None => return false,
                    Some(man) => return self.takes(man, side) && take(Ply::plain(from, to, Some(to))),
                }
            }
            false
        })
    }

    fn takes(&self, man: Man, side: Side) -> bool {
        man.side != side && man.kind != Kind::King
    }

    fn pawn_moves(&self, from: usize, side: Side, take: &mut impl FnMut(Ply) -> bool) -> bool {
        let (rank, last) = (self.grid.rank(from), self.grid.height() - 1);
        if rank == 0 || rank == last {
            return false;
        }
        let up = forward(side);
        if let Some(to) = self.at(from, (0, up)).filter(|&to| self.men[to].is_none()) {
            if self.arrivals(Ply::plain(from, to, None), take) {
                return true;
            }
            let home = if side == Side::P1 { 1 } else { last - 1 };
            let further = self.at(to, (0, up)).filter(|&to| self.men[to].is_none());
            let further = further.filter(|&to| rank == home && (1..last).contains(&self.grid.rank(to)));
            if further.is_some_and(|to| take(Ply { double: true, ..Ply::plain(from, to, None) })) {
                return true;
            }
        }
        [-1, 1].iter().any(|&file| {
            let Some(to) = self.at(from, (file, up)) else { return false };
            match self.men[to] {
                Some(man) => self.takes(man, side) && self.arrivals(Ply::plain(from, to, Some(to)), take),
                None => {
                    let beside = self.at(from, (file, 0)).filter(|&at| self.has_passed(at, side.other()));
                    beside.is_some() && take(Ply::plain(from, to, beside))
                }
            }
        })
    }

    fn has_passed(&self, square: usize, side: Side) -> bool {
        self.passed >> square & 1 == 1 && self.men[square] == Some(Man { side, kind: Kind::Pawn })
    }

    /// Generates the moves for one step of a pawn. On the last rank, there is one move for each promotion.
    fn arrivals(&self, ply: Ply, take: &mut impl FnMut(Ply) -> bool) -> bool {
        match self.grid.rank(ply.to) {
            rank if rank == 0 || rank + 1 == self.grid.height() => {
                PROMOTIONS.iter().any(|&kind| take(Ply { promotion: Some(kind), ..ply }))
            }
            _ => take(ply),
        }
    }

    fn castling(&self, from: usize, side: Side, take: &mut impl FnMut(Ply) -> bool) -> bool {
        let rank = if side == Side::P1 { 0 } else { self.grid.height() - 1 };
        let rights = self.rights[side.index()];
        if rights == [false; 2] || from != self.grid.cell(KINGS_FILE as usize, rank) || self.in_check(side) {
            return false;
        }
        let at = |file: i32| self.grid.cell(file as usize, rank);
        WINGS.iter().zip(rights).any(|(&(corner, goal, between), right)| {
            let through = at((KINGS_FILE + goal) / 2);
            let free = between.iter().all(|&file| self.men[at(file)].is_none());
            let ply = Ply { rook: Some((at(corner), through)), ..Ply::plain(from, at(goal), None) };
            right && free && !self.attacked(through, side.other()) && take(ply)
        })
    }

    /// Returns the board after the move `ply` of `side`.
    pub(super) fn after(&self, ply: Ply, side: Side) -> Self {
        let mut next = *self;
        let mut passed = self.passed;
        while passed != 0 {
            let square = passed.trailing_zeros();
            passed &= passed - 1;
            if self.men[square as usize].is_some_and(|man| man.side != side) {
                next.passed &= !(1 << square);
            }
        }
        for square in [Some(ply.from), ply.taken].into_iter().flatten() {
            next.put(square, None);
            next.passed &= !(1 << square);
        }
        next.put(
            ply.to,
            self.men[ply.from].map(|man| Man { kind: ply.promotion.unwrap_or(man.kind), ..man }),
        );
        if ply.from == self.kings[side.index()] {
            next.kings[side.index()] = ply.to;
            next.rights[side.index()] = [false; 2];
        }
        if let Some((corner, through)) = ply.rook {
            next.put(through, next.men[corner]);
            next.put(corner, None);
        }
        if self.rights != [[false; 2]; 2] {
            for square in [ply.from, ply.to] {
                next.lose_right(square);
            }
        }
        let opposing = Some(Man { side: side.other(), kind: Kind::Pawn });
        if ply.double
            && [-1, 1]
                .iter()
                .any(|&file| self.at(ply.to, (file, 0)).is_some_and(|at| self.men[at] == opposing))
        {
            next.passed |= 1 << ply.to;
        }
        next
    }

    /// Removes the right to castle with the rook of a corner, after a move that leaves or enters that corner.
    fn lose_right(&mut self, square: usize) {
        for side in Side::BOTH {
            let rank = if side == Side::P1 { 0 } else { self.grid.height() - 1 };
            for (wing, &(corner, ..)) in WINGS.iter().enumerate() {
                if self.grid.rank(square) == rank && self.grid.file(square) as i32 == corner {
                    self.rights[side.index()][wing] = false;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Puts a rook and a king of the first side and a pawn and a king of the other on all squares, and compares the test of moves
    /// with the board after them.
    #[test]
    fn moves_are_legal_if_the_board_after_them_is() {
        let grid = Grid::new(4, 4);
        let men =
            [(Kind::King, Side::P1), (Kind::King, Side::P2), (Kind::Rook, Side::P1), (Kind::Pawn, Side::P2)];
        let (mut legal, mut illegal) = (0, 0);
        for places in
            (0..1 << 16).map(|number: usize| [number & 15, number >> 4 & 15, number >> 8 & 15, number >> 12])
        {
            let mut board = Board::without_men(grid);
            for (&(kind, side), &place) in men.iter().zip(&places) {
                board.put(place, Some(Man { kind, side }));
            }
            board.kings = [places[0], places[1]];
            for side in Side::BOTH {
                let mut found = Vec::new();
                board.find_move(side, |ply| {
                    found.push(ply);
                    false
                });
                let mut expected = Vec::new();
                let mut tried = |ply: Ply| {
                    let after = board.after(ply, side);
                    let king = after.men[after.kings[side.index()]];
                    if king == Some(Man { side, kind: Kind::King }) && !after.in_check(side) {
                        expected.push(ply);
                    } else {
                        illegal += 1;
                    }
                    false
                };
                for (from, man) in squares(board.of[side.index()])
                    .zip(board.men.iter().flatten().filter(|man| man.side == side))
                {
                    assert!(!board.moves_of(from, *man, &mut tried));
                }
                assert_eq!(found, expected, "{places:?}, {side} to move");
                legal += found.len();
            }
        }
        assert!(legal > 100_000 && illegal > 10_000, "{legal} legal and {illegal} illegal moves");
    }
}
