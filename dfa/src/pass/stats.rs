//! Counters of what passes did.

/// What the passes did so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PassStats {
    /// Passes run.
    pub passes: u64,
    /// Macrostates expanded.
    pub macrostates: u64,
    /// Words of the macrostates expanded.
    pub words: u64,
    /// Macrostates whose residuals were written out as rows of a suffix table.
    pub suffix_rows: u64,
    /// States of the results.
    pub states: u64,
    /// Bytes written to scratch files.
    pub spilled_bytes: u64,
    /// Most bytes that counted against the memory cap at once.
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
