//! Upper bounds on the number of pieces of a kind, derived from the start and from the gains along paths.

use std::collections::{BTreeSet, VecDeque};

use super::explore::Graph;
use super::ways::{Play, Way};

/// The maximum number of kinds of pieces for which all subsets are counted. If there are more kinds, each is counted separately.
const KINDS: usize = 6;

/// The maximum number of edges examined for all subsets together.
const LOOKS: usize = 1 << 22;

/// A set of pieces that are counted together.
#[derive(Clone, Debug)]
pub(super) struct Amount {
    pub(super) pieces: BTreeSet<u32>,
    /// The maximum number of pieces by number of a node, or `None` if it is only limited by the number of squares.
    pub(super) most: Vec<Option<usize>>,
}

/// Returns the known amounts. `held` contains the contents of cells at the start.
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

/// Returns the maximum gain in pieces along an edge.
fn gain(way: &Way, squares: usize, pieces: &BTreeSet<u32>) -> isize {
    let counts = |content: u32| isize::from(pieces.contains(&content));
    let of = |pairs: &[(u32, u32)]| pairs.iter().map(|&(a, b)| counts(b) - counts(a)).max().unwrap_or(0);
    way.changes.iter().filter(|(cell, _)| *cell < squares).map(|(_, pairs)| of(pairs)).sum()
}

/// Returns the maximum number of pieces by number of a node, limited by the number of squares. `gains` contains the gains of
/// ways.
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
