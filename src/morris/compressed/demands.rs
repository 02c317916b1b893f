//! What is demanded of each word of a class, in the order of words.

use super::entries::{Entries, Entry};
use super::words::Words;

/// The demands in the order of words.
pub(super) struct Demands<'a> {
    pub(super) words: &'a Words,
    pub(super) entries: &'a Entries<'a>,
}

impl Demands<'_> {
    /// Those of one class, by word.
    pub(super) fn of_class(&self, class: usize, sets: &[u32]) -> Vec<Entry> {
        let index = self.words.index();
        let root = index.classes().representative(class);
        let free = self.words.free_points(class);
        let entry = |&set: &u32| {
            let letters = points_at(set, &free);
            if index.reduced(root, letters) != (class, letters) {
                return self.entries.any();
            }
            let (own, other) = self.words.root_side().split(root, letters);
            self.entries.at(own, other)
        };
        sets.iter().map(entry).collect()
    }
}

/// The points of `free` at the places of the bits of `set`.
fn points_at(set: u32, free: &[u32]) -> u32 {
    nerode_games::morris::points(set).filter_map(|place| free.get(place)).sum()
}
