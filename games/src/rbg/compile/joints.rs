//! What neighbouring squares hold together: what play begins with, and what paths make of it.

use std::collections::VecDeque;

use super::super::board::Board;
use super::explore::Graph;
use super::ways::{Play, Way};

/// Most pairs of squares on edges that are looked at.
const LOOKS: usize = 1 << 25;

/// Most pairs of contents of two squares: a bit each.
const PAIRS: usize = u64::BITS as usize;

/// Two squares, and by number of a node which pairs of letters they can hold together, a bit each.
#[derive(Debug)]
pub(super) struct Joints {
    pub(super) squares: Vec<[usize; 2]>,
    held: Vec<Option<Vec<u64>>>,
}

/// What an edge does to a pair of squares: the pair, which of the two changes, and letters before and after.
type Deed = (usize, usize, Vec<(usize, usize)>);

impl Joints {
    /// What is known of neighbours; `held` are the contents of cells at the start.
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

    /// The pairs of contents that two squares, by number, can hold at a node; `None` where no path comes to it.
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

    /// What squares can hold after an edge; `None` where no path goes.
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

/// Adds bits; says whether some were new.
fn grow(known: &mut [u64], more: &[u64]) -> bool {
    let mut grew = false;
    for (known, more) in known.iter_mut().zip(more) {
        grew |= *known | more != *known;
        *known |= more;
    }
    grew
}

/// That many low bits.
fn low(bits: usize) -> u64 {
    u64::MAX >> (PAIRS - bits)
}

/// Pairs of squares beside each other that change.
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
