//! The hash table of a search, in which a new entry replaces an older one in the same slot.

/// The evaluation of an immediate win. A win in n plies is worth n less.
pub(super) const WIN: i32 = 1_000_000;
/// The evaluation above which a position is certainly won.
pub(super) const WON: i32 = WIN - 10_000;
/// The minimum and maximum number of slots.
const PLACES: (u64, u64) = (1 << 10, 1 << 20);

/// The meaning of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// The evaluation is exact.
    Exact,
    /// The evaluation is a lower bound.
    AtLeast,
    /// The evaluation is an upper bound.
    AtMost,
}

/// The stored result for a position.
#[derive(Clone, Debug)]
pub(super) struct Entry<S> {
    key: u64,
    /// The best move.
    pub(super) step: S,
    depth: u8,
    bound: Bound,
    /// The evaluation relative to the position itself: a win in n plies from here is worth n less than an immediate
    /// win.
    worth: i32,
}

impl<S> Entry<S> {
    /// Creates an entry from an evaluation `worth` relative to a position `ply` plies earlier.
    pub(super) fn new(key: u64, step: S, depth: u8, bound: Bound, worth: i32, ply: i32) -> Self {
        Self { key, step, depth, bound, worth: shifted(worth, ply) }
    }

    /// Returns the evaluation relative to a position `ply` plies earlier, if the entry is deep enough to decide it.
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

/// Converts an evaluation to one relative to a position `plies` plies later.
fn shifted(worth: i32, plies: i32) -> i32 {
    match worth {
        worth if worth >= WON => worth + plies,
        worth if worth <= -WON => worth - plies,
        worth => worth,
    }
}

/// A table with a fixed number of slots.
pub(super) struct Table<S> {
    places: Vec<Option<Entry<S>>>,
}

impl<S: Clone> Table<S> {
    /// Creates a table for a search of `nodes` positions.
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
