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
        let entry = |stones: Option<(u32, u32)>| match stones {
            Some((own, other)) => self.entries.at(own, other),
            None => self.entries.any(),
        };
        self.words.positions(class, sets).map(entry).collect()
    }
}
