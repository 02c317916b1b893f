//! Packed numbers, and marks of two bits with ranks, which store the edges of an automaton.

/// Numbers of few bits, stored without gaps.
#[cfg(feature = "solve")]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Bits {
    pub(super) words: Vec<u64>,
    len: u64,
}

#[cfg(feature = "solve")]
impl Bits {
    /// Returns the number of bits in use.
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

    /// Appends the bits of `words` from position `start` up to `end`. Bits past the end are 0.
    pub(super) fn extend(&mut self, words: &[u64], start: u64, end: u64) {
        for at in (start..end).step_by(32) {
            let width = (end - at).min(32) as u32;
            self.push(bits_at(words, at, width), width);
        }
    }

    /// Returns the `width` bits from position `at`. Bits past the end are 0.
    #[inline]
    pub(super) fn get(&self, at: u64, width: u32) -> u32 {
        bits_at(&self.words, at, width)
    }
}

/// Returns the `width` bits, at most 32, from position `at` of `words`. Bits past the end are 0.
#[inline]
pub(super) fn bits_at(words: &[u64], at: u64, width: u32) -> u32 {
    let word = |i: usize| words.get(i).copied().unwrap_or(0);
    let first = usize::try_from(at / 64).unwrap_or(usize::MAX);
    bits_of([word(first), word(first.saturating_add(1))], at, width)
}

/// Returns the `width` bits from position `at`, given the word that contains this position and the next one.
#[inline]
pub(super) fn bits_of(words: [u64; 2], at: u64, width: u32) -> u32 {
    let shift = (at % 64) as u32;
    let low = words[0] >> shift;
    let both = if shift + width > 64 { low | words[1] << (64 - shift) } else { low };
    (both & ((1 << width) - 1)) as u32
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

/// 64 marks: their high bits, and their low bits.
pub(super) type Planes = [u64; 2];

/// Returns the numbers of new edges and of pointers among marks.
pub(super) fn counts(planes: &[Planes]) -> (u32, u32) {
    let count = |kind: fn(&Planes) -> u64| planes.iter().map(|p| kind(p).count_ones()).sum();
    (count(|[high, low]| high & !low), count(|[high, low]| high & low))
}

/// Returns the mark of number `bit` in the last of `planes`. `before` are the numbers of new edges, in the low half, and of
/// pointers, in the high half, before the first of `planes`.
#[inline]
pub(super) fn mark_in(planes: &[Planes], bit: u64, before: u64) -> Mark {
    let Some((here, whole)) = planes.split_last() else {
        return Mark::Common(0);
    };
    let low = (here[1] >> bit & 1) as usize;
    if here[0] >> bit & 1 == 0 {
        return Mark::Common(low);
    }
    // All ones if marks of this kind have their low bit unset.
    let flip = (low as u64).wrapping_sub(1);
    let of_kind = |p: &Planes| p[0] & (p[1] ^ flip);
    let whole: u32 = whole.iter().map(|p| of_kind(p).count_ones()).sum();
    let part = whole + (of_kind(here) & ((1u64 << bit) - 1)).count_ones();
    match low {
        0 => Mark::New((before as u32).wrapping_add(part)),
        _ => Mark::Pointer(((before >> 32) as u32).wrapping_add(part)),
    }
}

/// The marks of all edges, with two bits each, and the numbers of new edges and of pointers before every 256th edge.
#[cfg(feature = "solve")]
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    planes: Vec<Planes>,
    /// The number of new edges in the low half, and of pointers in the high half.
    before: Vec<u64>,
    len: u64,
}

#[cfg(feature = "solve")]
const NEW: u8 = 2;
#[cfg(feature = "solve")]
const POINTER: u8 = 3;
/// The number of words of marks between two counts.
#[cfg(feature = "solve")]
const STRIDE: usize = 4;

#[cfg(feature = "solve")]
impl Marks {
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// Returns the number of bytes of planes and counts.
    pub(super) fn bytes(&self) -> u64 {
        (self.planes.len() * size_of::<Planes>() + self.before.len() * 8) as u64
    }

    pub(super) fn push_common(&mut self, which: usize) {
        self.push(which as u8 & 1);
    }

    pub(super) fn push_new(&mut self) {
        self.push(NEW);
    }

    pub(super) fn push_pointer(&mut self) {
        self.push(POINTER);
    }

    fn push(&mut self, mark: u8) {
        let bit = self.len % 64;
        if bit == 0 {
            self.planes.push(Planes::default());
        }
        if let Some([high, low]) = self.planes.last_mut() {
            *high |= u64::from(mark >> 1) << bit;
            *low |= u64::from(mark & 1) << bit;
        }
        self.len += 1;
    }

    /// Computes the counts after all marks have been added.
    pub(super) fn finish(&mut self) {
        let (mut new, mut pointers) = (0u64, 0u64);
        self.before.clear();
        for planes in self.planes.chunks(STRIDE) {
            self.before.push(new | pointers << 32);
            let here = counts(planes);
            new += u64::from(here.0);
            pointers += u64::from(here.1);
        }
    }

    /// Returns the marks, 64 at a time.
    pub(super) fn planes(&self) -> &[Planes] {
        &self.planes
    }

    /// Creates the marks of `len` edges, at most 2^32, from their planes.
    pub(super) fn of_planes(planes: Vec<Planes>, len: u64) -> Self {
        let mut marks = Self { planes, before: Vec::new(), len };
        marks.finish();
        marks
    }

    /// Returns the numbers of new edges and of pointers before `at`.
    pub(super) fn ranks(&self, at: u64) -> (u32, u32) {
        let word = (at / 64) as usize;
        // Only the end of all marks can lie past the last count.
        let stride = (word / STRIDE).min(self.before.len().saturating_sub(1));
        let before = self.before.get(stride).copied().unwrap_or(0);
        let (mut new, mut pointers) = (before as u32, (before >> 32) as u32);
        let mut add = |planes: &[Planes]| {
            let here = counts(planes);
            new += here.0;
            pointers += here.1;
        };
        add(self.planes.get(stride * STRIDE..word).unwrap_or_default());
        let below = (1u64 << (at % 64)) - 1;
        if let Some([high, low]) = self.planes.get(word) {
            add(&[[high & below, low & below]]);
        }
        (new, pointers)
    }

    /// Returns `true` if edge `at` is the first to its state.
    pub(super) fn is_new(&self, at: u64) -> bool {
        let [high, low] = self.planes.get((at / 64) as usize).copied().unwrap_or_default();
        (high & !low) >> (at % 64) & 1 == 1
    }

    /// Returns the mark of edge `at`. Edges past the end are common.
    #[inline]
    pub(super) fn get(&self, at: u64) -> Mark {
        let word = (at / 64) as usize;
        match self.planes.get(word - word % STRIDE..=word) {
            Some(planes) => mark_in(planes, at % 64, self.before[word / STRIDE]),
            None => Mark::Common(0),
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
        let mut again = Bits::default();
        again.push(5, 7);
        again.extend(&bits.words, 0, 999);
        again.extend(&bits.words, 999, at);
        assert!((0..at).step_by(11).all(|place| again.get(place + 7, 11) == bits.get(place, 11)));
        assert_eq!(again.len(), at + 7);
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
        let again = Marks::of_planes(marks.planes().to_vec(), marks.len());
        assert_eq!((again.get(2999), again.get(3000)), (marks.get(2999), Mark::Common(0)));
        // Part of the marks, with the numbers before that part.
        let (new, pointers) = marks.ranks(640);
        let before = u64::from(new) | u64::from(pointers) << 32;
        assert_eq!(mark_in(&marks.planes()[10..=20], 17, before), marks.get(20 * 64 + 17));
    }
}
