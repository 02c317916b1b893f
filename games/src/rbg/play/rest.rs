//! Where the next move begins, as far as that matters: two places with the same play ahead count as one.
//!
//! A spot is a place in the rules on a square. Ahead of it are the spots where something is looked at or done next. Two spots are
//! alike when they do the same on the same square and what is ahead of them is alike, as often. So the square that a turn ends on
//! counts only where play depends on it.

use std::collections::HashMap;

use super::program::{NOWHERE, Op, PlaceId, Program};

type Spot = (PlaceId, u16);

/// Most spots ahead, of all spots together, up to which likeness is looked for beyond what is next.
const AHEAD: usize = 1 << 21;

/// Most rounds of telling spots apart.
const ROUNDS: usize = 200;

/// Spots that are known, and which stands for each.
#[derive(Debug, Default)]
pub(super) struct Rests {
    /// By spot where something is done: its class. Empty before it is needed, and where there are too many.
    classes: HashMap<Spot, u32>,
    begun: bool,
    /// By spot, the first that was met with the same play ahead.
    known: HashMap<Spot, Spot>,
    /// By the classes of what is ahead, the first spot that was met with them.
    stands: HashMap<Vec<(u32, Spot)>, Spot>,
}

impl Rests {
    /// The spot that stands for `spot`.
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

/// The spots where something is looked at or done first, in order. The moves from a spot are those from them.
fn ahead(program: &Program, next: &[Vec<u16>], spot: Spot) -> Vec<Spot> {
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
            // No piece fits: the path ends here on every square.
            Op::On(pieces) if !pieces.contains(&true) => {}
            _ => found.push((at, square)),
        }
    }
    found.sort_unstable();
    found
}

/// A spot with what is ahead of it, by index.
struct Node {
    /// What is done there, and on which square if that matters.
    deed: u32,
    next: Vec<usize>,
    /// Of a pattern: what is ahead within it.
    within: Vec<usize>,
}

/// Every spot that play comes to, and what is ahead; `None` where that is too much.
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

/// The classes of all spots: the fewest such that spots of a class do the same and have the same classes ahead, as often.
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
