//! The possible joint contents of neighbouring squares, derived from the start and from the effects along paths.

use std::collections::VecDeque;

use super::super::board::Board;
use super::explore::Graph;
use super::ways::{Play, Way};

/// The maximum number of pairs of squares on edges that are examined.
const LOOKS: usize = 1 << 25;

/// The maximum number of pairs of contents of two squares, one bit for each.
const PAIRS: usize = u64::BITS as usize;

/// Pairs of squares, with a bit set of the joint contents that they can have at each node, by number of the node.
#[derive(Debug)]
pub(super) struct Joints {
    pub(super) squares: Vec<[usize; 2]>,
    held: Vec<Option<Vec<u64>>>,
}

/// The effect of an edge on a pair of squares: the pair, the index of the changed square, and the letters before and after.
type Deed = (usize, usize, Vec<(usize, usize)>);

impl Joints {
    /// Computes the joint contents of neighbours. `held` contains the contents of cells at the start.
    pub(super) fn new(graph: &Graph, board: &Board, play: &Play, held: &[u32]) -> Self {
        let mut squares = neighbours(graph, board);
        if squares.len().saturating_mul(play.ways.len()) > LOOKS {
            squares.clear();
        }
        let mut joints = Self { squares, held: vec![None; play.nodes.len()] };
        let letter = |cell: usize, content: u32| graph.contents.of(cell).position(|held| held == content);
        let bit = |&[a, b]: &[usize; 2]| {
            let (of_a, of_b) = (letter(a, held[a])?, letter(b, held[b])?);
            Some(1 << (of_a * graph.contents.number_of(b) + of_b))
        };
        match joints.squares.iter().map(bit).collect() {
            Some(bits) => joints.flow(graph, play, bits),
            None => joints.squares.clear(),
        }
        joints
    }

    /// Returns the possible joint contents of a pair of squares, given by number, at a node, or `None` if no path reaches the
    /// node.
    pub(super) fn at(&self, graph: &Graph, node: usize, number: usize) -> Option<Vec<(u32, u32)>> {
        let held = *self.held[node].as_ref()?.get(number)?;
        let [a, b] = self.squares[number];
        let all = graph.contents.of(a).flat_map(|one| graph.contents.of(b).map(move |other| (one, other)));
        Some(all.enumerate().filter(|(bit, _)| held >> bit & 1 == 1).map(|(_, pair)| pair).collect())
    }

    fn flow(&mut self, graph: &Graph, play: &Play, bits: Vec<u64>) {
        let deeds: Vec<Vec<Deed>> = play.ways.iter().map(|way| self.deeds(graph, way)).collect();
        let leaving = play.leaving();
        let mut waits = vec![false; play.nodes.len()];
        self.held[play.start] = Some(bits);
        let mut left = VecDeque::from([play.start]);
        while let Some(node) = left.pop_front() {
            waits[node] = false;
            let Some(held) = self.held[node].clone() else { continue };
            for &way in &leaving[node] {
                let Some(after) = self.after(graph, &held, &deeds[way]) else { continue };
                let to = play.ways[way].to;
                let grew = match &mut self.held[to] {
                    Some(known) => grow(known, &after),
                    unknown => {
                        *unknown = Some(after);
                        true
                    }
                };
                if grew && !std::mem::replace(&mut waits[to], true) {
                    left.push_back(to);
                }
            }
        }
    }

    fn deeds(&self, graph: &Graph, way: &Way) -> Vec<Deed> {
        let mut deeds = Vec::new();
        for (cell, pairs) in &way.changes {
            let letter = |content: u32| graph.contents.of(*cell).position(|held| held == content);
            let letters: Vec<(usize, usize)> =
                pairs.iter().filter_map(|&(a, b)| letter(a).zip(letter(b))).collect();
            for (number, squares) in self.squares.iter().enumerate() {
                if let Some(which) = squares.iter().position(|square| square == cell) {
                    deeds.push((number, which, letters.clone()));
                }
            }
        }
        deeds
    }

    /// Returns the possible joint contents after an edge, or `None` if no path uses the edge.
    fn after(&self, graph: &Graph, held: &[u64], deeds: &[Deed]) -> Option<Vec<u64>> {
        let mut held = held.to_vec();
        for (number, which, letters) in deeds {
            let [a, b] = self.squares[*number].map(|square| graph.contents.number_of(square));
            let (before, mut after) = (held[*number], 0);
            for &(old, new) in letters {
                after |= match which {
                    0 => (before >> (old * b) & low(b)) << (new * b),
                    _ => (0..a)
                        .filter(|one| before >> (one * b + old) & 1 == 1)
                        .map(|one| 1 << (one * b + new))
                        .sum(),
                };
            }
            if after == 0 {
                return None;
            }
            held[*number] = after;
        }
        Some(held)
    }
}

/// Adds bits, and returns `true` if some of them are new.
fn grow(known: &mut [u64], more: &[u64]) -> bool {
    let mut grew = false;
    for (known, more) in known.iter_mut().zip(more) {
        grew |= *known | more != *known;
        *known |= more;
    }
    grew
}

/// Returns a mask of the given number of low bits.
fn low(bits: usize) -> u64 {
    u64::MAX >> (PAIRS - bits)
}

/// Returns the pairs of adjacent squares whose contents change.
fn neighbours(graph: &Graph, board: &Board) -> Vec<[usize; 2]> {
    let number = |square: usize| graph.contents.number_of(square);
    let mut found = Vec::new();
    for (from, square) in board.squares.iter().enumerate() {
        found.extend(square.next.iter().flatten().map(|&to| [from.min(to), from.max(to)]));
    }
    found.sort_unstable();
    found.dedup();
    found.retain(|&[a, b]| a != b && number(a) > 1 && number(b) > 1 && number(a) * number(b) <= PAIRS);
    found
}
