//! [`Row`]: the slots of one class, for callers that look up many of them.

use super::slots::SlotsOf;

/// The number of bits of a set of points that one look-up covers.
const BYTE: usize = 8;

/// The slots of the positions in which the side to move has the same stones. Gives the same slots as [`SlotsOf`] with
/// fewer look-ups.
#[derive(Debug)]
pub struct Row<'a> {
    slots: SlotsOf<'a>,
    /// By byte of the other side's stones: their places among the remaining points, after the symmetry. `None` if the
    /// class has symmetries of its own.
    places: Option<Box<[[u32; 1 << BYTE]; 3]>>,
}

impl<'a> Row<'a> {
    /// Creates a row. *Cost*: fills a table of 768 entries, unless the class has symmetries of its own.
    pub fn new(slots: SlotsOf<'a>) -> Self {
        if !slots.is_whole() {
            return Self { slots, places: None };
        }
        let mut places = Box::new([[0; 1 << BYTE]; 3]);
        for (byte, places) in places.iter_mut().enumerate() {
            for set in 1..places.len() {
                let point = BYTE * byte + set.trailing_zeros() as usize;
                places[set] = places[set & (set - 1)] | slots.place(1 << point);
            }
        }
        Self { slots, places: Some(places) }
    }

    /// Creates a row without tables in constant time.
    pub fn plain(slots: SlotsOf<'a>) -> Self {
        Self { slots, places: None }
    }

    /// Returns the slot of the position with the other side's stones on `other`.
    #[inline]
    pub fn slot(&self, other: u32) -> u64 {
        let Some(places) = &self.places else { return self.slots.slot(other) };
        let byte = |i: usize| (other >> (BYTE * i)) as usize & ((1 << BYTE) - 1);
        self.slots.slot_at(places[0][byte(0)] | places[1][byte(1)] | places[2][byte(2)])
    }

    /// Returns the number of symmetries that fix the position with the other side's stones on `other`.
    #[inline]
    pub fn num_stabilisers(&self, other: u32) -> u32 {
        self.slots.num_stabilisers(other)
    }
}
