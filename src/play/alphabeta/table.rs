//! The hash table of a search: what was found of positions, the last one of those that share a place.

/// Worth of a win at once. A win in n plies is worth n less.
pub(super) const WIN: i32 = 1_000_000;
/// Worth from which on a position is won for certain.
pub(super) const WON: i32 = WIN - 10_000;
/// Fewest and most places.
const PLACES: (u64, u64) = (1 << 10, 1 << 20);

/// What a worth says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// It is exactly that.
    Exact,
    /// It is that or more.
    AtLeast,
    /// It is that or less.
    AtMost,
}

/// What was found of a position.
#[derive(Clone, Debug)]
pub(super) struct Entry<S> {
    key: u64,
    /// The best move.
    pub(super) step: S,
    depth: u8,
    bound: Bound,
    /// Seen from the position itself: a win in n plies from here is worth n less than one at once.
    worth: i32,
}

impl<S> Entry<S> {
    /// What is worth `worth` as seen from `ply` plies before.
    pub(super) fn new(key: u64, step: S, depth: u8, bound: Bound, worth: i32, ply: i32) -> Self {
        Self { key, step, depth, bound, worth: shifted(worth, ply) }
    }

    /// What the position is worth as seen from `ply` plies before, where that is known well enough.
    pub(super) fn decides(&self, depth: u8, ply: i32, alpha: i32, beta: i32) -> Option<i32> {
        let worth = shifted(self.worth, -ply);
        let enough = match self.bound {
            Bound::Exact => true,
            Bound::AtLeast => worth >= beta,
            Bound::AtMost => worth <= alpha,
        };
        (self.depth >= depth && enough).then_some(worth)
    }
}

/// A worth seen from `plies` plies later.
fn shifted(worth: i32, plies: i32) -> i32 {
    match worth {
        worth if worth >= WON => worth + plies,
        worth if worth <= -WON => worth - plies,
        worth => worth,
    }
}

/// A table of so many places.
pub(super) struct Table<S> {
    places: Vec<Option<Entry<S>>>,
}

impl<S: Clone> Table<S> {
    /// A table for a search of so many positions.
    pub(super) fn new(nodes: u64) -> Self {
        let wanted = nodes.clamp(PLACES.0, PLACES.1).next_power_of_two();
        Self { places: vec![None; wanted as usize] }
    }

    fn place(&self, key: u64) -> usize {
        // The upper bits of a product depend on all bits of the key.
        let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 32) as usize & (self.places.len() - 1)
    }

    pub(super) fn get(&self, key: u64) -> Option<Entry<S>> {
        self.places[self.place(key)].clone().filter(|entry| entry.key == key)
    }

    pub(super) fn put(&mut self, entry: Entry<S>) {
        let place = self.place(entry.key);
        self.places[place] = Some(entry);
    }
}
