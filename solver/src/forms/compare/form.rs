//! The forms by name.

use std::fmt;

/// A form that a solution can be kept in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// The files of the sets, as the run has them.
    Automata,
    /// One automaton a side that ends in a value.
    ValueAutomaton,
    /// Two bits a position.
    TwoBits,
    /// One byte a position.
    OneByte,
    /// Lengths of runs of equal values, by Gasser's code.
    RunLength,
    /// Blocks of positions, compressed by a general program.
    Zstd,
    /// Binary decision diagrams of wins and losses.
    Bdd,
}

impl Form {
    /// Every form, in the order in which they are measured.
    pub const ALL: [Self; 7] = [
        Self::Automata,
        Self::ValueAutomaton,
        Self::TwoBits,
        Self::OneByte,
        Self::RunLength,
        Self::Zstd,
        Self::Bdd,
    ];

    /// Its name in tables and on the command line.
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

    /// The form of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.name() == name)
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
