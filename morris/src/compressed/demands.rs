//! The demands on the words of a class, in the order of words.

use super::asked::Asked;
use super::entries::Entry;
use super::header::Probe;
use super::words::Words;

/// The demands in the order of words.
pub(super) struct Demands<'a> {
    pub(super) words: &'a Words,
    pub(super) asked: &'a Asked,
    pub(super) probe: Probe,
}

impl Demands<'_> {
    /// Returns the demands of one class, by word.
    pub(super) fn of_class(&self, class: usize, sets: &[u32]) -> Vec<Entry> {
        self.asked.of_positions(self.words.positions(class, sets), self.probe)
    }
}
