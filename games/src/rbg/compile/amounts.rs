//! How many pieces of a kind there can be: what play begins with, and what paths add to that at most.

use std::collections::{BTreeSet, VecDeque};

use super::explore::Graph;
use super::ways::{Play, Way};

/// Most kinds of pieces of which every selection is counted; of more, every kind alone.
const KINDS: usize = 6;

/// Most edges that are looked at for all selections together.
const LOOKS: usize = 1 << 22;

/// Pieces that are counted together.
#[derive(Clone, Debug)]
pub(super) struct Amount {
    pub(super) pieces: BTreeSet<u32>,
    /// By number of a node, how many there can be at most; `None` where there can be as many as there are squares for them.
    pub(super) most: Vec<Option<usize>>,
}

/// What is known of amounts; `held` are the contents of cells at the start.
pub(super) fn amounts(graph: &Graph, play: &Play, held: &[u32]) -> Vec<Amount> {
    let squares = graph.contents.num_squares();
    let kinds: BTreeSet<u32> = (0..squares).flat_map(|square| graph.contents.of(square)).collect();
    let kinds: Vec<u32> = kinds.into_iter().collect();
    let selections: Vec<BTreeSet<u32>> = match kinds.len() <= KINDS {
        true => (1..(1_usize << kinds.len()) - 1)
            .map(|chosen| (0..kinds.len()).filter(|at| chosen >> at & 1 == 1).map(|at| kinds[at]).collect())
            .collect(),
        false => kinds.iter().map(|&kind| BTreeSet::from([kind])).collect(),
    };
    if selections.len().saturating_mul(play.ways.len()) > LOOKS {
        return Vec::new();
    }
    let leaving = play.leaving();
    let amount = |pieces: BTreeSet<u32>| {
        let room =
            (0..squares).filter(|&s| graph.contents.of(s).any(|piece| pieces.contains(&piece))).count();
        let count = held[..squares].iter().filter(|piece| pieces.contains(piece)).count();
        let gains: Vec<isize> = play.ways.iter().map(|way| gain(way, squares, &pieces)).collect();
        let most = most(play, &leaving, &gains, count, room);
        Amount { pieces, most: most.into_iter().map(|most| most.filter(|most| *most < room)).collect() }
    };
    let mut found: Vec<Amount> = selections.into_iter().map(amount).collect();
    found.retain(|amount| amount.most.iter().any(Option::is_some));
    found
}

/// How many more there are after an edge, at most.
fn gain(way: &Way, squares: usize, pieces: &BTreeSet<u32>) -> isize {
    let counts = |content: u32| isize::from(pieces.contains(&content));
    let of = |pairs: &[(u32, u32)]| pairs.iter().map(|&(a, b)| counts(b) - counts(a)).max().unwrap_or(0);
    way.changes.iter().filter(|(cell, _)| *cell < squares).map(|(_, pairs)| of(pairs)).sum()
}

/// By number of a node, the most that any path brings there; never more than there is room for. Ways have `gains`.
fn most(
    play: &Play,
    leaving: &[Vec<usize>],
    gains: &[isize],
    count: usize,
    room: usize,
) -> Vec<Option<usize>> {
    let mut most = vec![None; play.nodes.len()];
    let mut waits = vec![false; play.nodes.len()];
    most[play.start] = Some(count);
    let mut left = VecDeque::from([play.start]);
    while let Some(node) = left.pop_front() {
        waits[node] = false;
        let Some(from) = most[node] else { continue };
        for &way in &leaving[node] {
            let (to, after) = (play.ways[way].to, from.saturating_add_signed(gains[way]).min(room));
            if most[to].is_none_or(|known| known < after) {
                most[to] = Some(after);
                if !std::mem::replace(&mut waits[to], true) {
                    left.push_back(to);
                }
            }
        }
    }
    most
}
