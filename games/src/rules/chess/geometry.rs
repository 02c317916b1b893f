//! Movements of men over the squares of a board, for the symbolic descriptions: the two ends and the squares between them.

use crate::grid::Grid;
use crate::side::Side;

use super::men::Kind;

/// A movement of a man that is possible if the squares `over` are empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Way {
    pub(super) from: usize,
    pub(super) to: usize,
    /// The squares in between, in ascending order.
    pub(super) over: Vec<usize>,
}

/// Returns all movements on an empty board of a man that is not a pawn.
pub(super) fn ways(grid: Grid, kind: Kind) -> Vec<Way> {
    let squares = grid.num_cells();
    let pairs = (0..squares).flat_map(|from| (0..squares).map(move |to| (from, to)));
    pairs.filter_map(|(from, to)| way(grid, kind, from, to)).collect()
}

fn way(grid: Grid, kind: Kind, from: usize, to: usize) -> Option<Way> {
    let files = grid.file(from).abs_diff(grid.file(to));
    let ranks = grid.rank(from).abs_diff(grid.rank(to));
    let straight = (files == 0) != (ranks == 0);
    let aslant = files == ranks && files > 0;
    let goes = match kind {
        Kind::King => files.max(ranks) == 1,
        Kind::Knight => files.min(ranks) == 1 && files.max(ranks) == 2,
        Kind::Rook => straight,
        Kind::Bishop => aslant,
        Kind::Queen => straight || aslant,
        Kind::Pawn => false,
    };
    goes.then(|| Way {
        from,
        to,
        over: between(from, to, if kind == Kind::Knight { 1 } else { files.max(ranks) }),
    })
}

/// Returns the squares between two squares on a line of `steps` equal steps.
fn between(from: usize, to: usize, steps: usize) -> Vec<usize> {
    let low = from.min(to);
    (1..steps).map(|i| low + from.abs_diff(to) / steps * i).collect()
}

/// The movements of the pawns of one side.
#[derive(Clone, Debug, Default)]
pub(super) struct PawnWays {
    /// Advances by one rank.
    pub(super) single: Vec<Way>,
    /// Advances by two ranks from the second rank, unless they end on the last rank.
    pub(super) double: Vec<Way>,
    /// Diagonal captures.
    pub(super) captures: Vec<Way>,
}

/// Returns the movements of pawns of `side`, which stand on all ranks except the first and the last.
pub(super) fn pawn_ways(grid: Grid, side: Side) -> PawnWays {
    let (width, last) = (grid.width(), grid.height() - 1);
    let mut ways = PawnWays::default();
    for from in width..last * width {
        let ahead = |square: usize| if side == Side::P1 { square + width } else { square - width };
        let to = ahead(from);
        let way = |to: usize, over: &[usize]| Way { from, to, over: over.to_vec() };
        ways.single.push(way(to, &[]));
        let gone = if side == Side::P1 { grid.rank(from) } else { last - grid.rank(from) };
        if gone == 1 && last > 3 {
            ways.double.push(way(ahead(to), &[to]));
        }
        if grid.file(to) > 0 {
            ways.captures.push(way(to - 1, &[]));
        }
        if grid.file(to) + 1 < width {
            ways.captures.push(way(to + 1, &[]));
        }
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_lead_over_the_squares_between() {
        let grid = Grid::new(8, 8);
        let number = |kind| ways(grid, kind).len();
        assert_eq!(
            [Kind::King, Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight].map(number),
            [420, 1456, 896, 560, 336]
        );
        let queen = ways(grid, Kind::Queen);
        let over = |from: usize, to: usize| {
            queen.iter().find(|way| (way.from, way.to) == (from, to)).map(|way| way.over.clone())
        };
        assert_eq!(over(0, 27), Some(vec![9, 18]));
        assert_eq!(over(63, 56), Some(vec![57, 58, 59, 60, 61, 62]));
        assert_eq!(over(7, 28), Some(vec![14, 21]));
        assert_eq!(over(0, 10), None);
        assert!(ways(grid, Kind::Knight).iter().all(|way| way.over.is_empty()));
    }

    #[test]
    fn pawns_go_ahead() {
        let white = pawn_ways(Grid::new(8, 8), Side::P1);
        assert_eq!((white.single.len(), white.double.len(), white.captures.len()), (48, 8, 84));
        assert!(white.double.contains(&Way { from: 12, to: 28, over: vec![20] }));
        let black = pawn_ways(Grid::new(8, 8), Side::P2);
        assert!(black.double.contains(&Way { from: 52, to: 36, over: vec![44] }));
        assert!(pawn_ways(Grid::new(4, 4), Side::P1).double.is_empty());
        assert_eq!(pawn_ways(Grid::new(4, 5), Side::P2).double.len(), 4);
    }
}
