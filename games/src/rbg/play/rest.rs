//! Where the next move begins, as far as that matters: two places with the same paths ahead count as one.

use std::collections::HashMap;

use super::program::{NOWHERE, Op, PlaceId, Program};

type Spot = (PlaceId, u16);

/// Spots that are known, and which stands for each.
#[derive(Debug, Default)]
pub(super) struct Rests {
    /// By spot, the first that was met with the same paths ahead.
    known: HashMap<Spot, Spot>,
    /// By what is ahead, the first spot that was met with it.
    ahead: HashMap<Vec<Spot>, Spot>,
}

impl Rests {
    /// The spot that stands for `spot`.
    pub(super) fn of(&mut self, program: &Program, next: &[Vec<u16>], spot: Spot) -> Spot {
        if let Some(&known) = self.known.get(&spot) {
            return known;
        }
        let stands = *self.ahead.entry(ahead(program, next, spot)).or_insert(spot);
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
            _ => found.push((at, square)),
        }
    }
    found.sort_unstable();
    found
}
