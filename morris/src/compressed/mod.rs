//! Solved sectors of morris games in less memory: automata, which a search of one ply completes, and the usual
//! representations for comparison.
//!
//! Every form is built from a [`crate::tables::SectorTable`] and returns the value of every position. [`MultiRoot`] is
//! an automaton with one root for each class of one side's stones, which reads the other side's stones on the remaining
//! points. [`Forms`] holds the automata of several sectors and searches one ply ahead for values that the automata
//! leave open.
//!
//! Invariant: [`SectorForm::bytes`] includes everything that a look-up needs, except for tables that follow from the
//! rules alone: the classes and symmetries of sets of points, and their ranks. Every form needs these to find a
//! position.

mod automaton;
mod bits;
mod candidates;
mod database;
mod directory;
mod entries;
mod file;
mod form;
mod forms;
mod header;
mod listed;
mod measure;
mod pack;
mod parse;
mod plain;
mod plan;
mod probe;
mod promises;
mod rows;
mod sector_demands;
mod shape;
mod spans;
mod states;
mod trial;
mod words;
mod worth;

pub use automaton::MultiRoot;
pub use candidates::{Candidate, Keep, candidates, choose};
pub use database::{LookAhead, PackedSector, PackedSectors, Packing, Progress, pack_directory};
pub use directory::compare_directory;
pub use file::FORMAT_VERSION;
pub use form::SectorForm;
pub use forms::Forms;
pub use header::{Header, Probe, rules_digest};
pub use listed::{ByteTable, Listed, ListedKind};
pub use measure::{Row, compare_sector};
#[cfg(feature = "bdd")]
pub use plain::PlainBdd;
pub use plain::{PlainAutomaton, PlainForms, plain_forms};
pub use plan::{Plan, build};
pub use trial::{check, mean_lookup_ns, sample};
pub use words::{PointOrder, RootSide, Words};
pub use worth::{Detail, Worth};
