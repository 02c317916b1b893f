//! The children of one macrostate: the macrostates to which each letter leads.

use smallvec::SmallVec;

use crate::formula::MAX_SIDES;
use crate::unique::{ACCEPT, FIRST, REJECT};

use super::steps::{DONE, StepLayer};
use super::touch::touch;

/// Represents a full image in a macrostate whose value still depends on the side sets.
pub(super) const FULL: u32 = u32::MAX;

/// The packing of image pairs into 32 bits in one layer: the state of the relation in the upper bits (0 if the move is
/// complete), and the state of the set in the lower bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packing {
    pub(super) bits: u32,
}

impl Packing {
    #[inline]
    pub(super) fn pack(self, m: u32, q: u32) -> u32 {
        m << self.bits | q
    }

    /// Returns the state of the relation and the state of the set.
    #[inline]
    pub(super) fn unpack(self, pair: u32) -> (u32, u32) {
        (pair >> self.bits, pair & ((1 << self.bits) - 1))
    }
}

/// Returns a state of a set, with the constants swapped if `flip` is 1.
#[inline]
pub(super) fn flipped(state: u32, flip: u32) -> u32 {
    state ^ (flip & u32::from(state < FIRST))
}

/// The data of one layer that expansion reads.
pub(super) struct View<'a> {
    pub(super) letters: usize,
    pub(super) flip: u32,
    pub(super) rows: &'a [u32],
    pub(super) steps: &'a StepLayer,
    pub(super) here: Packing,
    pub(super) next: Packing,
    /// The rows of the side sets.
    pub(super) sides: SmallVec<[&'a [u32]; MAX_SIDES]>,
}

impl View<'_> {
    /// Touches the rows that the expansion of `macrostate` will read, so that they are loaded from memory in advance.
    #[inline]
    pub(super) fn touch(&self, macrostate: &[u32]) {
        let (sides, pairs) = macrostate.split_at(self.sides.len());
        let row = |state: u32| state.wrapping_sub(FIRST) as usize * self.letters;
        for &pair in pairs {
            touch(self.rows, row(self.here.unpack(pair).1));
        }
        for (&state, rows) in sides.iter().zip(&self.sides) {
            touch(rows, row(state));
        }
    }

    /// Calls `emit` for each transition of an image pair, with the letter and an image pair of the next layer,
    /// [`REJECT`] or [`ACCEPT`].
    #[inline(always)]
    pub(super) fn advance(&self, pair: u32, mut emit: impl FnMut(usize, u32)) {
        let (m, q) = self.here.unpack(pair);
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

/// The children of one macrostate before they are settled: for each letter, the states of the side sets followed by
/// image pairs.
pub(super) struct Lists {
    letters: usize,
    /// The concatenated lists, which have `stride` words each.
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

    /// Computes the children of `macrostate`.
    #[inline]
    pub(super) fn fill(&mut self, view: &View<'_>, macrostate: &[u32]) {
        let (sides, pairs) = macrostate.split_at(view.sides.len());
        // One extra word is needed because every target is written first, and only then counted if it is an image pair.
        let needed = sides.len() + pairs.len() * view.steps.max_group() + 1;
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
        if pairs.first() == Some(&FULL) {
            return self.full.fill(true);
        }
        for &pair in pairs {
            view.advance(pair, |letter, t| {
                let len = &mut self.lens[letter];
                self.words[letter * self.stride + *len] = t;
                *len += usize::from(t >= FIRST);
                self.full[letter] |= t == ACCEPT;
            });
        }
    }
}

/// Sorts numbers below 2^31 and removes duplicates. Returns the number of remaining numbers.
#[inline]
pub(super) fn sort(pairs: &mut [u32]) -> usize {
    match pairs.len() {
        0 | 1 => pairs.len(),
        2..=8 => sort_by_rank::<8>(pairs),
        9..=16 => sort_by_rank::<16>(pairs),
        17..=32 => sort_by_rank::<32>(pairs),
        _ => {
            pairs.sort_unstable();
            let mut kept = 1;
            for i in 1..pairs.len() {
                pairs[kept] = pairs[i];
                kept += usize::from(pairs[i] != pairs[kept - 1]);
            }
            kept
        }
    }
}

/// Places each of at most `N` numbers at the index given by the count of smaller ones, which avoids unpredictable
/// branches. Equal numbers are placed at the same index and leave holes.
#[inline]
fn sort_by_rank<const N: usize>(pairs: &mut [u32]) -> usize {
    const HOLE: i32 = i32::MAX;
    let mut padded = [HOLE; N];
    for (slot, &x) in padded.iter_mut().zip(pairs.iter()) {
        *slot = x as i32;
    }
    let mut ranks = [0i32; N];
    // For each number, all ranks are updated at once, which the compiler translates to vector instructions.
    for &y in &padded[..pairs.len()] {
        for (rank, &x) in ranks.iter_mut().zip(&padded) {
            *rank += i32::from(y < x);
        }
    }
    let mut placed = [HOLE; N];
    for (&rank, &x) in ranks.iter().zip(&padded[..pairs.len()]) {
        placed[rank as usize % N] = x;
    }
    let mut kept = 0;
    for &x in &placed[..pairs.len()] {
        pairs[kept] = x as u32;
        kept += usize::from(x != HOLE);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorting_orders_numbers_drops_repeated_ones_and_leaves_sides_alone() {
        let mut x = 12345u32;
        for len in 0..70usize {
            for range in [2, 5, 100, 1 << 30] {
                let mut macrostate = vec![9, 7];
                for _ in 0..len {
                    x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    macrostate.push((x >> 1) % range);
                }
                let mut expected: Vec<u32> = macrostate[2..].to_vec();
                expected.sort_unstable();
                expected.dedup();
                let kept = sort(&mut macrostate[2..]);
                assert_eq!(macrostate[..2], [9, 7]);
                assert_eq!(macrostate[2..2 + kept], expected, "{len} numbers");
            }
        }
    }
}
