//! The names of the forms.

use std::fmt;

/// A form in which a solution can be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// The files of the sets, as stored by the run.
    Automata,
    /// One automaton per side whose final states are values.
    ValueAutomaton,
    /// Two bits per position.
    TwoBits,
    /// One byte per position.
    OneByte,
    /// Lengths of runs of equal values, in Gasser's encoding.
    RunLength,
    /// Blocks of positions compressed by a general-purpose compressor.
    Zstd,
    /// Binary decision diagrams of wins and losses.
    Bdd,
}

impl Form {
    /// All forms, in the order in which they are measured.
    pub const ALL: [Self; 7] = [
        Self::Automata,
        Self::ValueAutomaton,
        Self::TwoBits,
        Self::OneByte,
        Self::RunLength,
        Self::Zstd,
        Self::Bdd,
    ];

    /// Returns the name of the form in tables and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Automata => "automata",
            Self::ValueAutomaton => "value-automaton",
            Self::TwoBits => "2-bit",
            Self::OneByte => "1-byte",
            Self::RunLength => "run-length",
            Self::Zstd => "zstd",
            Self::Bdd => "bdd",
        }
    }

    /// Returns the form with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.name() == name)
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
