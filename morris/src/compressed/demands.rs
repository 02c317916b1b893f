//! The demands on the words of a class, in the order of words.

use super::entries::Entry;
use super::header::Probe;
use super::sector_demands::SectorDemands;
use super::words::Words;

/// The demands in the order of words.
pub(super) struct Demands<'a> {
    pub(super) words: &'a Words,
    pub(super) of_sector: &'a SectorDemands,
    pub(super) probe: Probe,
}

impl Demands<'_> {
    /// Returns the demands of one class, by word.
    pub(super) fn of_class(&self, class: usize, sets: &[u32]) -> Vec<Entry> {
        self.of_sector.of_positions(self.words.positions(class, sets), self.probe)
    }
}
