//! Normalises the beginning of the next move: two beginnings with the same continuations count as one.
//!
//! A spot is a place in the rules on a square. Its successors are the spots at which the next test or change happens. Two spots
//! are equivalent if they perform the same operation on the same square and have equivalent successors with equal multiplicities.
//! As a result, the square on which a turn ends counts only if play depends on it.

use std::collections::HashMap;

use super::program::{NOWHERE, Op, PlaceId, Program};

type Spot = (PlaceId, u16);

/// The maximum total number of successors up to which equivalence is computed beyond the immediate successors.
const AHEAD: usize = 1 << 21;

/// The maximum number of refinement rounds.
const ROUNDS: usize = 200;

/// The known spots with their representatives.
#[derive(Debug, Default)]
pub(super) struct Rests {
    /// The class of each spot that performs an operation. Empty until it is needed, and if there are too many spots.
    classes: HashMap<Spot, u32>,
    begun: bool,
    /// The representative of each known spot: the first known spot with the same continuations.
    known: HashMap<Spot, Spot>,
    /// The first known spot for each multiset of successor classes.
    stands: HashMap<Vec<(u32, Spot)>, Spot>,
}

impl Rests {
    /// Returns the representative of `spot`.
    pub(super) fn of(&mut self, program: &Program, next: &[Vec<u16>], spot: Spot) -> Spot {
        if let Some(&known) = self.known.get(&spot) {
            return known;
        }
        if !self.begun {
            self.classes = classes(program, next).unwrap_or_default();
            self.begun = true;
        }
        let class = |spot: Spot| match self.classes.get(&spot) {
            Some(&class) => (class, (0, 0)),
            None => (u32::MAX, spot),
        };
        let mut found: Vec<(u32, Spot)> = ahead(program, next, spot).into_iter().map(class).collect();
        found.sort_unstable();
        let stands = *self.stands.entry(found).or_insert(spot);
        self.known.insert(spot, stands);
        stands
    }
}

/// Returns the spots of the first tests or changes, sorted. A spot and its successors have the same moves.
pub(super) fn ahead(program: &Program, next: &[Vec<u16>], spot: Spot) -> Vec<Spot> {
    let (mut seen, mut left) = (std::collections::HashSet::from([spot]), vec![spot]);
    let mut found = Vec::new();
    while let Some((at, square)) = left.pop() {
        let place = &program.places[at as usize];
        let mut go = |to: Spot| {
            if seen.insert(to) {
                left.push(to);
            }
        };
        match &place.op {
            Op::Split(starts) => starts.iter().for_each(|&start| go((start, square))),
            Op::Shift(direction) => match next[*direction][usize::from(square)] {
                NOWHERE => {}
                square => go((place.next, square)),
            },
            Op::End => {}
            // The path ends here on every square, because no piece matches.
            Op::On(pieces) if !pieces.contains(&true) => {}
            _ => found.push((at, square)),
        }
    }
    found.sort_unstable();
    found
}

/// A spot with the indices of its successors.
struct Node {
    /// The operation, together with the square if it matters.
    deed: u32,
    next: Vec<usize>,
    /// For a pattern, the successors within it.
    within: Vec<usize>,
}

/// Returns every spot that occurs in play with its successors, or `None` if there are too many.
fn nodes(program: &Program, next: &[Vec<u16>]) -> Option<(HashMap<Spot, usize>, Vec<Node>)> {
    let num_squares = next.first().map_or(1, Vec::len) as u16;
    let (mut index, mut spots) = (HashMap::new(), Vec::new());
    let (mut deeds, mut nodes): (HashMap<(String, u16), u32>, Vec<Node>) = (HashMap::new(), Vec::new());
    let mut total = 0;
    let mut indices = |found: Vec<Spot>, spots: &mut Vec<Spot>| -> Vec<usize> {
        let mut of = |spot: Spot| {
            *index.entry(spot).or_insert_with(|| {
                spots.push(spot);
                spots.len() - 1
            })
        };
        found.into_iter().map(&mut of).collect()
    };
    for place in &program.places {
        if let Op::Switch(_) = place.op {
            for square in 0..num_squares {
                let found = ahead(program, next, (place.next, square));
                total += found.len();
                indices(found, &mut spots);
            }
            if total > AHEAD {
                return None;
            }
        }
    }
    while let Some(&(at, square)) = spots.get(nodes.len()) {
        let place = &program.places[at as usize];
        let (name, within) = match &place.op {
            Op::Pattern { negated, start } => {
                (format!("pattern {negated}"), ahead(program, next, (*start, square)))
            }
            op => (format!("{op:?}"), Vec::new()),
        };
        let on_square = matches!(place.op, Op::On(_) | Op::Put(_));
        let new = deeds.len() as u32;
        let deed = *deeds.entry((name, if on_square { square } else { NOWHERE })).or_insert(new);
        let found = match place.op {
            Op::Accept => Vec::new(),
            _ => ahead(program, next, (place.next, square)),
        };
        total += found.len() + within.len();
        if total > AHEAD {
            return None;
        }
        let node = Node { deed, next: indices(found, &mut spots), within: indices(within, &mut spots) };
        nodes.push(node);
    }
    Some((index, nodes))
}

/// Returns the classes of all spots. The partition is the coarsest one in which spots of a class perform the same operation and
/// have successors of the same classes with equal multiplicities.
fn classes(program: &Program, next: &[Vec<u16>]) -> Option<HashMap<Spot, u32>> {
    let (index, nodes) = nodes(program, next)?;
    let mut classes: Vec<u32> = nodes.iter().map(|node| node.deed).collect();
    let mut count = 0;
    for _ in 0..ROUNDS {
        let mut signs: HashMap<Vec<u32>, u32> = HashMap::new();
        let mut finer = Vec::with_capacity(nodes.len());
        for (node, class) in nodes.iter().zip(&classes) {
            let sorted = |list: &[usize]| {
                let mut found: Vec<u32> = list.iter().map(|&to| classes[to]).collect();
                found.sort_unstable();
                found
            };
            let mut sign = vec![*class, node.next.len() as u32];
            sign.extend(sorted(&node.next));
            sign.extend(sorted(&node.within));
            let new = signs.len() as u32;
            finer.push(*signs.entry(sign).or_insert(new));
        }
        classes = finer;
        if signs.len() == count {
            return Some(index.into_iter().map(|(spot, at)| (spot, classes[at])).collect());
        }
        count = signs.len();
    }
    None
}
