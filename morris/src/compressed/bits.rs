//! Packed numbers, and marks of two bits with ranks, which store the edges of an automaton.

/// Numbers of few bits, stored without gaps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Bits {
    pub(super) words: Vec<u64>,
    len: u64,
}

impl Bits {
    /// Returns the number of bits in use.
    #[cfg(feature = "solve")]
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// Wraps `words` with `len` bits in use. Returns `None` if the number of words is wrong or unused bits are not 0.
    pub(super) fn of_words(words: Vec<u64>, len: u64) -> Option<Self> {
        let fits = words.len() as u64 == len.div_ceil(64);
        let clean = len.is_multiple_of(64) || words.last().is_none_or(|last| last >> (len % 64) == 0);
        (fits && clean).then_some(Self { words, len })
    }

    /// Appends the low `width` bits of `number`, at most 32.
    #[cfg(feature = "solve")]
    pub(super) fn push(&mut self, number: u32, width: u32) {
        if width == 0 {
            return;
        }
        let (number, shift) = (u64::from(number) & ((1 << width) - 1), (self.len % 64) as u32);
        if shift == 0 {
            self.words.push(number);
        } else if let Some(last) = self.words.last_mut() {
            *last |= number << shift;
            if shift + width > 64 {
                self.words.push(number >> (64 - shift));
            }
        }
        self.len += u64::from(width);
    }

    /// Returns the `width` bits from position `at`. Bits past the end are 0.
    #[inline]
    pub(super) fn get(&self, at: u64, width: u32) -> u32 {
        let word = |i: usize| self.words.get(i).copied().unwrap_or(0);
        let (first, shift) = ((at / 64) as usize, (at % 64) as u32);
        let low = word(first) >> shift;
        let both = if shift + width > 64 { low | word(first + 1) << (64 - shift) } else { low };
        (both & ((1 << width) - 1)) as u32
    }
}

/// Returns the number of bits needed to distinguish numbers below `count`.
pub(super) fn width_of(count: u64) -> u32 {
    count.max(1).next_power_of_two().trailing_zeros()
}

/// The destination of an edge according to its mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// One of the two common codes.
    Common(usize),
    /// A new state, to which no earlier edge leads, with the number of such edges before this one.
    New(u32),
    /// A stored pointer, with the number of such edges before this one.
    Pointer(u32),
}

/// 64 marks, with one bit of each mark in each plane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Planes {
    high: u64,
    low: u64,
}

/// The marks of all edges, with two bits each, and the numbers of new edges and of pointers before every 256th edge.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    planes: Vec<Planes>,
    /// The number of new edges in the low half, and of pointers in the high half.
    before: Vec<u64>,
    #[cfg(feature = "solve")]
    len: u64,
}

#[cfg(feature = "solve")]
const NEW: u8 = 2;
#[cfg(feature = "solve")]
const POINTER: u8 = 3;
/// The number of words of marks between two counts.
const STRIDE: usize = 4;

impl Marks {
    #[cfg(feature = "solve")]
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// Returns the number of bytes of planes and counts.
    pub(super) fn bytes(&self) -> u64 {
        (self.planes.len() * size_of::<Planes>() + self.before.len() * 8) as u64
    }

    #[cfg(feature = "solve")]
    pub(super) fn push_common(&mut self, which: usize) {
        self.push(which as u8 & 1);
    }

    #[cfg(feature = "solve")]
    pub(super) fn push_new(&mut self) {
        self.push(NEW);
    }

    #[cfg(feature = "solve")]
    pub(super) fn push_pointer(&mut self) {
        self.push(POINTER);
    }

    #[cfg(feature = "solve")]
    fn push(&mut self, mark: u8) {
        let bit = self.len % 64;
        if bit == 0 {
            self.planes.push(Planes::default());
        }
        if let Some(last) = self.planes.last_mut() {
            last.high |= u64::from(mark >> 1) << bit;
            last.low |= u64::from(mark & 1) << bit;
        }
        self.len += 1;
    }

    /// Computes the counts after all marks have been added.
    pub(super) fn finish(&mut self) {
        let (mut new, mut pointers) = (0u64, 0u64);
        self.before.clear();
        for planes in self.planes.chunks(STRIDE) {
            self.before.push(new | pointers << 32);
            new += planes.iter().map(|p| u64::from((p.high & !p.low).count_ones())).sum::<u64>();
            pointers += planes.iter().map(|p| u64::from((p.high & p.low).count_ones())).sum::<u64>();
        }
    }

    /// Returns the marks as words for files, with the two planes alternating.
    #[cfg(feature = "solve")]
    pub(super) fn words(&self) -> impl Iterator<Item = u64> {
        self.planes.iter().flat_map(|p| [p.high, p.low])
    }

    /// Creates the marks from such words. Returns `None` if their number does not match `len` or unused bits are not 0.
    pub(super) fn of_words(words: &[u64], len: u64) -> Option<Self> {
        let planes: Vec<Planes> = words.chunks_exact(2).map(|w| Planes { high: w[0], low: w[1] }).collect();
        let fits = words.len() as u64 == 2 * len.div_ceil(64) && len <= u64::from(u32::MAX);
        let clean =
            len.is_multiple_of(64) || planes.last().is_none_or(|p| (p.high | p.low) >> (len % 64) == 0);
        let mut marks = Self {
            planes,
            before: Vec::new(),
            #[cfg(feature = "solve")]
            len,
        };
        marks.finish();
        (fits && clean).then_some(marks)
    }

    /// Returns the numbers of new edges and of pointers before `at`.
    pub(super) fn ranks(&self, at: u64) -> (u32, u32) {
        let word = (at / 64) as usize;
        let before = self.before.get(word / STRIDE).copied();
        // Only the end of all marks can lie past the last count.
        let (start, before) = match before {
            Some(before) => (word - word % STRIDE, before),
            None => match self.before.last() {
                Some(&before) => ((self.before.len() - 1) * STRIDE, before),
                None => return (0, 0),
            },
        };
        let (mut new, mut pointers) = (before as u32, (before >> 32) as u32);
        for planes in self.planes.iter().take(word).skip(start) {
            new += (planes.high & !planes.low).count_ones();
            pointers += (planes.high & planes.low).count_ones();
        }
        if let Some(planes) = self.planes.get(word) {
            let below = (1u64 << (at % 64)) - 1;
            new += (planes.high & !planes.low & below).count_ones();
            pointers += (planes.high & planes.low & below).count_ones();
        }
        (new, pointers)
    }

    /// Returns `true` if edge `at` is the first to its state.
    pub(super) fn is_new(&self, at: u64) -> bool {
        let planes = self.planes.get((at / 64) as usize).copied().unwrap_or_default();
        (planes.high & !planes.low) >> (at % 64) & 1 == 1
    }

    /// Returns the mark of edge `at`. Edges past the end are common.
    #[inline]
    pub(super) fn get(&self, at: u64) -> Mark {
        let (word, bit) = ((at / 64) as usize, at % 64);
        let Some(&planes) = self.planes.get(word) else {
            return Mark::Common(0);
        };
        let low = (planes.low >> bit & 1) as usize;
        if planes.high >> bit & 1 == 0 {
            return Mark::Common(low);
        }
        let (before, start) = (self.before[word / STRIDE], word - word % STRIDE);
        // All ones if marks of this kind have their low bit unset.
        let flip = (low as u64).wrapping_sub(1);
        let of_kind = |p: &Planes| p.high & (p.low ^ flip);
        let whole: u32 = self.planes[start..word].iter().map(|p| of_kind(p).count_ones()).sum();
        let part = (of_kind(&planes) & ((1u64 << bit) - 1)).count_ones();
        match low {
            0 => Mark::New(before as u32 + whole + part),
            _ => Mark::Pointer((before >> 32) as u32 + whole + part),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let numbers: Vec<(u32, u32)> = (0..1000u32).map(|i| (i.wrapping_mul(0x9E37_79B9), i % 33)).collect();
        let mut bits = Bits::default();
        numbers.iter().for_each(|&(number, width)| bits.push(number, width));
        let mut at = 0;
        for (number, width) in numbers {
            let expected = u64::from(number) & ((1 << width) - 1);
            assert_eq!(u64::from(bits.get(at, width)), expected);
            at += u64::from(width);
        }
        assert_eq!((bits.len(), bits.get(at + 64, 9)), (at, 0));
        assert_eq!(Bits::of_words(bits.words.clone(), at).as_ref(), Some(&bits));
        assert!(Bits::of_words(bits.words.clone(), at - 64).is_none());
        assert!(Bits::of_words(vec![4], 2).is_none());
        assert_eq!([0, 1, 2, 3, 4, 5].map(width_of), [0, 0, 1, 2, 2, 3]);
    }

    #[test]
    fn marks_count_those_before() {
        let kinds: Vec<u8> = (0..3000u32).map(|i| (i.wrapping_mul(0x9E37_79B9) >> 30) as u8).collect();
        let mut marks = Marks::default();
        kinds.iter().for_each(|&kind| marks.push(kind));
        marks.finish();
        let (mut new, mut pointers) = (0, 0);
        for (&kind, at) in kinds.iter().zip(0..) {
            assert_eq!(marks.ranks(at), (new, pointers));
            let expected = match kind {
                NEW => Mark::New(new),
                POINTER => Mark::Pointer(pointers),
                _ => Mark::Common(kind.into()),
            };
            assert_eq!(marks.get(at), expected);
            new += u32::from(kind == NEW);
            pointers += u32::from(kind == POINTER);
        }
        assert_eq!(marks.ranks(marks.len()), (new, pointers));
        let words: Vec<u64> = marks.words().collect();
        assert_eq!(Marks::of_words(&words, marks.len()).unwrap().get(2999), marks.get(2999));
        assert!(Marks::of_words(&words, marks.len() - 64).is_none());
    }
}
