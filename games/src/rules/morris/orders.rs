//! Named letter orders of the boards of the morris family.

use crate::layout::Order;
use crate::morris::Board;

/// The orders of `board`, its two hands included, the usual one first.
pub(super) fn named(board: &Board) -> Vec<Order> {
    let num_points = board.num_points();
    let hands = [num_points, num_points + 1];
    let rings: Vec<usize> = (0..num_points).collect();
    let mut orders =
        vec![("rings", [&rings[..], &hands].concat()), ("hands-rings", [&hands, &rings[..]].concat())];
    if num_points < 16 {
        return orders;
    }
    let spokes: Vec<usize> = (0..8).flat_map(|k| (0..num_points / 8).map(move |ring| 8 * ring + k)).collect();
    let centre: Vec<usize> = (num_points / 8 * 8..num_points).collect();
    orders.push(("hands-spokes", [&hands, &spokes[..], &centre].concat()));
    orders
}
