//! Solved sectors of morris games in less memory: automata that a look one ply ahead completes, and what others use.
//!
//! Every form is built from a [`crate::morris::tables::SectorTable`] and gives back the value of every position. [`MultiRoot`] has one
//! root for each class of one side's stones and reads the other side's stones on the points left over; [`Forms`] keeps the
//! automata of several sectors and looks ahead where they leave something open.
//!
//! Invariant: [`SectorForm::bytes`] counts all that a look-up needs but for tables that follow from the rules alone (classes and
//! symmetries of sets of points, ranks), which every form alike needs to find a position.

mod automaton;
mod bits;
mod build;
mod directory;
mod entries;
mod file;
mod listed;
mod measure;
mod pack;
mod plain;
mod probe;
mod spans;
mod words;
mod worth;

use nerode_games::Value;
use nerode_games::morris::{Rules, State};

use crate::error::Result;
use crate::morris::tables::{IndexMaker, Known, SectorTable};

pub use automaton::{Header, MultiRoot};
pub use directory::compare_directory;
pub use file::FORMAT_VERSION;
pub use listed::{ByteTable, Listed, ListedKind};
pub use measure::{Candidate, Keep, Row, candidates, check, choose, compare_sector, mean_lookup_ns, sample};
#[cfg(feature = "bdd")]
pub use plain::PlainBdd;
pub use plain::{PlainAutomaton, PlainForms, plain_forms};
pub use probe::{Forms, Probe};
pub use words::{PointOrder, RootSide, Words};
pub use worth::{Detail, Worth};

/// A stored sector.
pub trait SectorForm {
    /// What it is called in comparisons.
    fn name(&self) -> String;

    /// Bytes that look-ups need; see the invariant of the module.
    fn bytes(&self) -> u64;

    /// The value of a position of the sector. May keep what it decoded for the next call.
    ///
    /// # Errors
    /// [`crate::error::Error::Unsupported`] when the position is not in the sector, or a sector that must be looked at is missing.
    fn value(&mut self, state: State) -> Result<Value>;

    /// Plies to the end, `None` for draws; `None` altogether where the form does not keep them.
    ///
    /// # Errors
    /// As for [`SectorForm::value`].
    fn depth(&mut self, state: State) -> Result<Option<Option<u16>>> {
        let _ = state;
        Ok(None)
    }
}

/// How an automaton is to be made.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Whose stones choose the root.
    pub root_side: RootSide,
    /// What a look-up may look at: with [`Probe::Captures`] the automaton may say anything up to the worth that captures reach.
    pub probe: Probe,
    /// Whether to keep depths.
    pub detail: Detail,
    /// The order in which points are read.
    pub order: PointOrder,
}

/// The automaton of a sector, and the tables to look it up with.
///
/// *Cost*: a walk over all words, classes times ways to place the other side's stones, with a hash look-up for each row and
/// state; two bytes a slot and four a state and stage of a prefix are held.
///
/// # Errors
/// [`crate::error::Error::Unsupported`] when a capture leads to a sector that is not in `known`, or the plan is to store nothing;
/// [`crate::error::Error::TooLarge`].
pub fn build(
    rules: &Rules,
    maker: &IndexMaker,
    table: &SectorTable,
    known: &Known,
    plan: &Plan,
) -> Result<(Words, MultiRoot)> {
    if plan.probe == Probe::Turns {
        let reason =
            "an automaton from which all turns are looked at would be empty; derive the sector instead";
        return Err(crate::error::Error::Unsupported(reason.into()));
    }
    let words = Words::new(maker, table.sector, plan.root_side, plan.order.clone());
    let entries = entries::Entries::new(rules, table, known, plan.probe, plan.detail)?;
    let built = build::build(&words, &table.index, &entries);
    let header = Header {
        rules: rules_digest(rules),
        sector: table.sector,
        root_side: plan.root_side,
        detail: plan.detail,
        probe: plan.probe,
        order: plan.order.clone(),
    };
    let automaton = pack::pack(header, entries.codes, &built)?;
    Ok((words, automaton))
}

/// Digest of all options that values of sectors depend on; not of the number of stones at the start.
pub fn rules_digest(rules: &Rules) -> [u8; 32] {
    let text = format!(
        "{:?} {:?} take {} {:?} fly {} full board {:?}",
        rules.board.kind(),
        rules.capture,
        rules.take,
        rules.phases,
        rules.fly,
        rules.full_board
    );
    *blake3::hash(text.as_bytes()).as_bytes()
}

/// A digest as text.
fn hex(digest: &[u8; 32]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
