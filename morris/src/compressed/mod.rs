//! Solved sectors of morris games in less memory: automata, which a search of one ply completes, and the usual
//! representations for comparison.
//!
//! Every form is built from a `crate::tables::SectorTable` and returns the value of every position. [`MultiRoot`] is
//! an automaton with one root for each class of one side's stones, which reads the other side's stones on the remaining
//! points. [`Forms`] holds the automata of several sectors and searches one ply ahead for values that the automata
//! leave open.
//!
//! Invariant: `SectorForm::bytes` includes everything that a look-up needs, except for tables that follow from the
//! rules alone: the classes and symmetries of sets of points, and their ranks. Every form needs these to find a
//! position.

mod automaton;
mod bits;
mod blocks;
#[cfg(feature = "solve")]
mod candidates;
mod database;
#[cfg(feature = "solve")]
mod directory;
#[cfg(feature = "solve")]
mod entries;
mod file;
#[cfg(feature = "solve")]
mod form;
mod forms;
mod header;
#[cfg(feature = "solve")]
mod listed;
#[cfg(feature = "solve")]
mod measure;
#[cfg(feature = "solve")]
mod pack;
mod parse;
#[cfg(feature = "solve")]
mod plain;
#[cfg(feature = "solve")]
mod plan;
mod probe;
#[cfg(feature = "solve")]
mod promises;
#[cfg(feature = "solve")]
mod rows;
#[cfg(feature = "solve")]
mod sector_demands;
mod shape;
mod spans;
#[cfg(feature = "solve")]
mod states;
#[cfg(feature = "solve")]
mod trial;
mod words;
mod worth;

pub use automaton::Automaton;
#[cfg(feature = "solve")]
pub use automaton::{Arrays, MultiRoot};
#[cfg(feature = "solve")]
pub use candidates::{Candidate, Keep, candidates, choose};
pub use database::{LookAhead, PackedSectors};
#[cfg(feature = "solve")]
pub use database::{PackedSector, Packing, Progress, pack_directory};
#[cfg(feature = "solve")]
pub use directory::compare_directory;
pub use file::FORMAT_VERSION;
#[cfg(feature = "solve")]
pub use form::SectorForm;
pub use forms::Forms;
pub use header::{Header, Probe, rules_digest};
#[cfg(feature = "solve")]
pub use listed::{ByteTable, Listed, ListedKind};
#[cfg(feature = "solve")]
pub use measure::{FormKind, Row, compare_sector};
#[cfg(feature = "bdd")]
pub use plain::PlainBdd;
#[cfg(feature = "solve")]
pub use plain::{PlainAutomaton, PlainForms, plain_forms};
#[cfg(feature = "solve")]
pub use plan::{Plan, build};
#[cfg(feature = "solve")]
pub use trial::{check, mean_lookup_ns, sample};
pub use words::{PointOrder, RootSide, Words};
pub use worth::{Detail, Worth};
