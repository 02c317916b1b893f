//! The named letter orders of the boards of the morris family.
//!
//! Five men's morris needs 14 % fewer states with the hands before the points than after them, but three men's morris
//! needs 8 % more.

use crate::layout::Order;
use crate::morris::Board;

/// The best known order for positions of 24 points without stones in hand. For each ring, it lists the places `k`,
/// which are counted clockwise from the middle of the left side.
const TUNED: [[usize; 8]; 3] = [[1, 2, 3, 5, 7, 6, 4, 0], [2, 6, 4, 3, 5, 1, 7, 0], [2, 6, 4, 0, 3, 1, 5, 7]];

/// Returns the orders of `board`, including its two hands, starting with the usual one.
pub(super) fn named(board: &Board) -> Vec<Order> {
    let num_points = board.num_points();
    let hands = [num_points, num_points + 1];
    let (rings, centre) = (num_points / 8, num_points / 8 * 8..num_points);
    let in_rings: Vec<usize> = (0..num_points).collect();
    let after_hands = |points: Vec<usize>| [&hands[..], &points].concat();
    let mut orders = vec![("rings-hands-last", [&in_rings[..], &hands].concat())];
    orders.insert(0, ("rings", after_hands(in_rings)));
    if rings > 1 {
        let spokes = (0..8).flat_map(|k| (0..rings).map(move |ring| 8 * ring + k));
        orders.push(("spokes", after_hands(spokes.chain(centre).collect())));
    }
    if rings == TUNED.len() {
        let places = TUNED.iter().zip((0..).step_by(8));
        let tuned = places.flat_map(|(ring, first)| ring.iter().map(move |k| first + k));
        orders.push(("rings-tuned", after_hands(tuned.collect())));
    }
    orders
}
