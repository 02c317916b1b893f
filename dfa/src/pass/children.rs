//! The children of one key: what its members become under each letter.

use smallvec::SmallVec;

use crate::formula::MAX_SIDES;
use crate::unique::{ACCEPT, FIRST, REJECT};

use super::steps::{DONE, StepLayer};
use super::touch::touch;

/// Stands for "the image is full here" in a key whose formula waits for the side sets.
pub(super) const FULL: u32 = u32::MAX;

/// How a member is packed into 32 bits in one layer: relation state above (0 for done), state of the set below.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packing {
    pub(super) bits: u32,
}

impl Packing {
    #[inline]
    pub(super) fn pack(self, m: u32, q: u32) -> u32 {
        m << self.bits | q
    }

    /// (relation state, state of the set).
    #[inline]
    pub(super) fn unpack(self, member: u32) -> (u32, u32) {
        (member >> self.bits, member & ((1 << self.bits) - 1))
    }
}

/// A state of a set whose constants are swapped if `flip` is 1.
#[inline]
pub(super) fn flipped(state: u32, flip: u32) -> u32 {
    state ^ (flip & u32::from(state < FIRST))
}

/// What expansion reads of one layer, at hand.
pub(super) struct View<'a> {
    pub(super) letters: usize,
    pub(super) flip: u32,
    pub(super) rows: &'a [u32],
    pub(super) steps: &'a StepLayer,
    pub(super) here: Packing,
    pub(super) next: Packing,
    /// Rows of the side sets.
    pub(super) sides: SmallVec<[&'a [u32]; MAX_SIDES]>,
}

impl View<'_> {
    /// Reads of each part of `key` what it will need.
    #[inline]
    pub(super) fn touch(&self, key: &[u32]) {
        let (sides, members) = key.split_at(self.sides.len());
        let row = |state: u32| state.wrapping_sub(FIRST) as usize * self.letters;
        for &member in members {
            touch(self.rows, row(self.here.unpack(member).1));
        }
        for (&state, rows) in sides.iter().zip(&self.sides) {
            touch(rows, row(state));
        }
    }

    /// What a member becomes: calls `emit` with each letter and a member of the next layer, or [`REJECT`] for nothing, or
    /// [`ACCEPT`] where everything follows.
    #[inline(always)]
    pub(super) fn advance(&self, member: u32, mut emit: impl FnMut(usize, u32)) {
        let (m, q) = self.here.unpack(member);
        if m == DONE {
            let start = (q - FIRST) as usize * self.letters;
            for (letter, &t) in self.rows[start..start + self.letters].iter().enumerate() {
                emit(letter, flipped(t, self.flip));
            }
            return;
        }
        let row = match q {
            ACCEPT => None,
            _ => self.rows.get((q - FIRST) as usize * self.letters..),
        };
        for letter in 0..self.letters {
            for &(before, target) in self.steps.group(m, letter) {
                let t = row.map_or(ACCEPT, |row| flipped(row[usize::from(before)], self.flip));
                emit(letter, if t == REJECT || target == DONE { t } else { self.next.pack(target, t) });
            }
        }
    }
}

/// The children of one key before they are settled: for each letter the side sets' states, then members.
pub(super) struct Lists {
    letters: usize,
    /// One list after the other, `stride` words each.
    words: Vec<u32>,
    stride: usize,
    lens: Vec<usize>,
    full: Vec<bool>,
}

impl Lists {
    pub(super) fn new(letters: usize) -> Self {
        Self { letters, words: Vec::new(), stride: 0, lens: vec![0; letters], full: vec![false; letters] }
    }

    #[inline]
    pub(super) fn get(&mut self, letter: usize) -> (&mut [u32], usize, bool) {
        let start = letter * self.stride;
        (&mut self.words[start..start + self.stride], self.lens[letter], self.full[letter])
    }

    /// Takes the children of `key`.
    #[inline]
    pub(super) fn fill(&mut self, view: &View<'_>, key: &[u32]) {
        let (sides, members) = key.split_at(view.sides.len());
        // One word more: every target is written, and then counted if it is a member.
        let needed = sides.len() + members.len() * view.steps.max_group() + 1;
        if needed > self.stride {
            self.stride = needed;
            self.words.resize(needed * self.letters, 0);
        }
        self.full.fill(false);
        self.lens.fill(sides.len());
        for (j, (&state, rows)) in sides.iter().zip(&view.sides).enumerate() {
            for letter in 0..self.letters {
                self.words[letter * self.stride + j] = match state {
                    REJECT | ACCEPT => state,
                    state => rows[(state - FIRST) as usize * self.letters + letter],
                };
            }
        }
        if members.first() == Some(&FULL) {
            return self.full.fill(true);
        }
        for &member in members {
            view.advance(member, |letter, t| {
                let len = &mut self.lens[letter];
                self.words[letter * self.stride + *len] = t;
                *len += usize::from(t >= FIRST);
                self.full[letter] |= t == ACCEPT;
            });
        }
    }
}

/// Sorts members, or numbers of rows, below 2^31 and drops repeated ones; returns how many stay.
#[inline]
pub(super) fn sort(members: &mut [u32]) -> usize {
    match members.len() {
        0 | 1 => members.len(),
        2..=8 => sort_by_rank::<8>(members),
        9..=16 => sort_by_rank::<16>(members),
        17..=32 => sort_by_rank::<32>(members),
        _ => {
            members.sort_unstable();
            let mut kept = 1;
            for i in 1..members.len() {
                members[kept] = members[i];
                kept += usize::from(members[i] != members[kept - 1]);
            }
            kept
        }
    }
}

/// Puts each of at most `N` members where the number of lesser ones says: no branch to predict. Equal ones fall together
/// and leave holes.
#[inline]
fn sort_by_rank<const N: usize>(members: &mut [u32]) -> usize {
    const HOLE: i32 = i32::MAX;
    let mut padded = [HOLE; N];
    for (slot, &x) in padded.iter_mut().zip(members.iter()) {
        *slot = x as i32;
    }
    let mut ranks = [0i32; N];
    // All ranks at once for each member: what a compiler makes vectors of.
    for &y in &padded[..members.len()] {
        for (rank, &x) in ranks.iter_mut().zip(&padded) {
            *rank += i32::from(y < x);
        }
    }
    let mut placed = [HOLE; N];
    for (&rank, &x) in ranks.iter().zip(&padded[..members.len()]) {
        placed[rank as usize % N] = x;
    }
    let mut kept = 0;
    for &x in &placed[..members.len()] {
        members[kept] = x as u32;
        kept += usize::from(x != HOLE);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorting_orders_members_drops_repeated_ones_and_leaves_sides_alone() {
        let mut x = 12345u32;
        for len in 0..70usize {
            for range in [2, 5, 100, 1 << 30] {
                let mut key = vec![9, 7];
                for _ in 0..len {
                    x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    key.push((x >> 1) % range);
                }
                let mut expected: Vec<u32> = key[2..].to_vec();
                expected.sort_unstable();
                expected.dedup();
                let kept = sort(&mut key[2..]);
                assert_eq!(key[..2], [9, 7]);
                assert_eq!(key[2..2 + kept], expected, "{len} members");
            }
        }
    }
}
