//! Compression of sets to the points that another set leaves free, and the reverse.

/// Removes and inserts the points of a mask, one byte at a time.
#[derive(Debug)]
pub(super) struct Gaps {
    remove: Vec<u8>,
    insert: Vec<u8>,
}

impl Gaps {
    pub(super) fn new() -> Self {
        let (mut remove, mut insert) = (vec![0; 1 << 16], vec![0; 1 << 16]);
        for gaps in 0..256usize {
            let kept: Vec<usize> = (0..8).filter(|p| gaps >> p & 1 == 0).collect();
            for value in 0..256usize {
                let entry = gaps << 8 | value;
                let removed = |(i, &p): (usize, &usize)| (value >> p & 1) << i;
                let inserted = |(i, &p): (usize, &usize)| (value >> i & 1) << p;
                remove[entry] = kept.iter().enumerate().map(removed).sum::<usize>() as u8;
                insert[entry] = kept.iter().enumerate().map(inserted).sum::<usize>() as u8;
            }
        }
        Self { remove, insert }
    }

    #[inline]
    fn entry(gaps: u32, value: u32) -> usize {
        ((gaps & 255) << 8 | value & 255) as usize
    }

    /// Returns `set`, which is disjoint from `gaps`, with the points of `gaps` removed and the remaining bits moved
    /// together.
    #[inline]
    pub(super) fn remove(&self, gaps: u32, set: u32) -> u32 {
        let (first, second) = (8 - (gaps & 255).count_ones(), 16 - (gaps & 0xffff).count_ones());
        u32::from(self.remove[Self::entry(gaps, set)])
            | u32::from(self.remove[Self::entry(gaps >> 8, set >> 8)]) << first
            | u32::from(self.remove[Self::entry(gaps >> 16, set >> 16)]) << second
    }

    /// Returns `set` with its points moved apart to leave out `gaps`. This is the inverse of [`Gaps::remove`].
    #[inline]
    pub(super) fn insert(&self, gaps: u32, set: u32) -> u32 {
        let (first, second) = (8 - (gaps & 255).count_ones(), 16 - (gaps & 0xffff).count_ones());
        u32::from(self.insert[Self::entry(gaps, set)])
            | u32::from(self.insert[Self::entry(gaps >> 8, set >> first)]) << 8
            | u32::from(self.insert[Self::entry(gaps >> 16, set >> second)]) << 16
    }
}
