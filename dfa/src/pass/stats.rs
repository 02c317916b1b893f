//! Counters of the work of passes.

/// Totals of all passes of one [`super::Passes`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PassStats {
    /// The number of passes.
    pub passes: u64,
    /// The number of expanded macrostates.
    pub macrostates: u64,
    /// The number of words of the expanded macrostates.
    pub words: u64,
    /// The number of macrostates whose residuals were represented as rows of a suffix table.
    pub suffix_rows: u64,
    /// The number of states of the results.
    pub states: u64,
    /// The number of bytes written to scratch files.
    pub spilled_bytes: u64,
    /// The maximum number of bytes that counted against the memory cap at the same time.
    pub peak_bytes: u64,
}

impl PassStats {
    pub(super) fn add(&mut self, other: &Self) {
        self.passes += other.passes;
        self.macrostates += other.macrostates;
        self.words += other.words;
        self.suffix_rows += other.suffix_rows;
        self.states += other.states;
        self.spilled_bytes += other.spilled_bytes;
    }
}
