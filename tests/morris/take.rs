//! Two stones for two mills: a second solver, written independently from the rules in words, plays on three by three
//! points from the start.

use std::collections::HashMap;

use nerode_games::morris::{State, rules_of};
use nerode_morris::tables::Sector;

use crate::common::malom::Solved;

/// The cells in the order of the game (the ring from the middle of the left side, then the centre), from the point of
/// view of the side to move: empty, its own stone, or a stone of the other side. Then the stones in hand of both sides.
type Seen = ([u8; 9], [u8; 2]);

const OWN: u8 = 1;
const OTHER: u8 = 2;

fn lines() -> Vec<[usize; 3]> {
    let sides = (0..4).map(|side| [2 * side + 1, (2 * side + 2) % 8, (2 * side + 3) % 8]);
    sides.chain((0..4).map(|k| [k, 8, k + 4])).collect()
}

fn are_next(a: usize, b: usize) -> bool {
    a == 8 || b == 8 || (a + 1) % 8 == b || (b + 1) % 8 == a
}

fn in_mill(cells: &[u8; 9], at: usize) -> bool {
    lines().iter().any(|line| line.contains(&at) && line.iter().all(|&point| cells[point] == cells[at]))
}

/// Returns the boards after taking a stone, of which there are none if there is nothing to take.
fn taken(cells: &[u8; 9]) -> Vec<[u8; 9]> {
    let stones: Vec<usize> = (0..9).filter(|&at| cells[at] == OTHER).collect();
    let free: Vec<usize> = stones.iter().copied().filter(|&at| !in_mill(cells, at)).collect();
    let without = |at: usize| {
        let mut after = *cells;
        after[at] = 0;
        after
    };
    (if free.is_empty() { stones } else { free }).into_iter().map(without).collect()
}

/// Returns the boards after a stone has come to `to`, with all possible captures.
fn finished(cells: [u8; 9], to: usize, most: usize) -> Vec<[u8; 9]> {
    let closed =
        lines().iter().filter(|line| line.contains(&to) && line.iter().all(|&at| cells[at] == OWN)).count();
    if closed == 0 {
        return vec![cells];
    }
    let once = taken(&cells);
    if closed < 2 || most < 2 {
        return once;
    }
    let twice = |after: [u8; 9]| match taken(&after) {
        none if none.is_empty() => vec![after],
        more => more,
    };
    once.into_iter().flat_map(twice).collect()
}

/// Returns the positions after each turn, from the point of view of the side that moves next.
fn turns((cells, hands): &Seen, take: usize) -> Vec<Seen> {
    let mut boards = Vec::new();
    let (places, empty) = (hands[0] > 0, (0..9).filter(|&at| cells[at] == 0));
    for to in empty {
        let mut after = *cells;
        after[to] = OWN;
        if places {
            boards.extend(finished(after, to, take));
            continue;
        }
        for from in (0..9).filter(|&from| cells[from] == OWN && are_next(from, to)) {
            let mut after = after;
            after[from] = 0;
            boards.extend(finished(after, to, 1));
        }
    }
    let hands = [hands[1], hands[0] - u8::from(places)];
    boards.into_iter().map(|board| (board.map(|cell| [0, OTHER, OWN][usize::from(cell)]), hands)).collect()
}

fn stones(cells: &[u8; 9], of: u8) -> u8 {
    cells.iter().filter(|&&cell| cell == of).count() as u8
}

/// Returns the plies to the end of every position reached from the start, with `None` for a draw.
fn solved(hands: [u8; 2], take: usize) -> HashMap<Seen, Option<u16>> {
    let mut numbers = HashMap::from([(([0; 9], hands), 0)]);
    let (mut found, mut children, mut at) = (vec![([0; 9], hands)], Vec::new(), 0);
    while let Some(position) = found.get(at).copied() {
        let is_lost = stones(&position.0, OWN) + position.1[0] < 3;
        let after = if is_lost { Vec::new() } else { turns(&position, take) };
        let number = |child: Seen| {
            *numbers.entry(child).or_insert_with(|| {
                found.push(child);
                found.len() - 1
            })
        };
        children.push(after.into_iter().map(number).collect::<Vec<usize>>());
        at += 1;
    }
    let mut depths: Vec<Option<u16>> = children.iter().map(|after| after.is_empty().then_some(0)).collect();
    for depth in 1.. {
        let decided = |(at, after): (usize, &Vec<usize>)| {
            let replies = after.iter().map(|&child| depths[child]);
            let is_decided = match depth % 2 {
                1 => replies.clone().any(|reply| reply == Some(depth - 1)),
                _ => replies.clone().all(|reply| reply.is_some_and(|plies| plies % 2 == 1)),
            };
            (depths[at].is_none() && is_decided).then_some(at)
        };
        let new: Vec<usize> = children.iter().enumerate().filter_map(decided).collect();
        if new.is_empty() {
            break;
        }
        new.into_iter().for_each(|at| depths[at] = Some(depth));
    }
    found.into_iter().zip(depths).collect()
}

#[test]
fn every_position_from_small_starts_has_the_value_of_a_second_solver() {
    let mut starts = Vec::new();
    for (own, other) in [(5, 4), (4, 5)] {
        for take in [1, 2] {
            let spec = format!("morris:three,stones={own}-{other},take={take}");
            let rules = rules_of(&spec).unwrap().1;
            let sectors = Solved::new(rules, &[format!("0-0-{own}-{other}").as_str()]);
            let naive = solved([own, other], take);
            for (position, depth) in &naive {
                let state = state_of(position);
                if state.decided_by_stones().is_none() {
                    let table = &sectors.known[&Sector::of(state)];
                    assert_eq!(table.depth(state), *depth, "{spec}: {position:?}");
                }
            }
            starts.push(naive);
        }
    }
    // The option must change values; otherwise the test shows nothing.
    let differs = |pair: &[HashMap<Seen, Option<u16>>]| {
        pair[0].iter().any(|(position, depth)| pair[1].get(position).is_some_and(|other| other != depth))
    };
    assert!(starts.chunks(2).all(differs));
}

fn state_of((cells, hands): &Seen) -> State {
    let set = |of| (0..9).filter(|&at| cells[at] == of).fold(0, |set, at| set | 1 << at);
    State { own: set(OWN), other: set(OTHER), own_hand: hands[0], other_hand: hands[1] }
}
