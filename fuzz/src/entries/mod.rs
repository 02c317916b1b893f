//! The fuzz entries: every reader of external data, each behind a function that accepts arbitrary bytes. A reader must terminate
//! and return a result or an error, without a panic. Data that was read successfully is written again, and reading it must give
//! the same.
//!
//! The fuzz target `any` calls the entries; see `.ci/fuzz`. The functions add the correct digests, because digests would
//! otherwise stop the fuzzer.

pub mod folders;
mod formats;
mod malom;
mod matches;
pub mod seal;
mod talk;
mod text;
mod units;

/// A function that accepts arbitrary bytes.
pub type Entry = fn(&[u8]);
/// A function that returns initial inputs.
pub type Seeds = fn() -> Vec<Vec<u8>>;

/// All entries: name, function, seeds.
pub const ENTRIES: &[(&str, Entry, Seeds)] = &[
    ("set", formats::set, formats::set_seeds),
    ("value-map", formats::value_map, formats::value_map_seeds),
    ("packed-file", formats::packed, formats::packed_seeds),
    ("plan", units::plan, units::plan_seeds),
    ("fragment", units::fragment, units::fragment_seeds),
    ("run", folders::run, folders::run_seeds),
    ("values", folders::values, folders::values_seeds),
    ("scores", folders::scores, folders::scores_seeds),
    ("table", folders::table, folders::table_seeds),
    ("sectors", folders::sectors, folders::sectors_seeds),
    ("packed", folders::packed, folders::packed_seeds),
    ("sector-sets", folders::sector_sets, folders::sector_sets_seeds),
    ("malom", malom::malom, malom::seeds),
    ("match-log", matches::log, matches::seeds),
    ("notation", text::notation, text::notation_seeds),
    ("spec", text::spec, text::spec_seeds),
    ("record", text::record, text::record_seeds),
    ("rules", text::rules, text::rules_seeds),
    ("json-lines", talk::json_lines, talk::json_seeds),
    ("uci", talk::uci, talk::uci_seeds),
    ("http", talk::http, talk::http_seeds),
];

/// Returns the entry with the given name.
pub fn entry(name: &str) -> Option<Entry> {
    ENTRIES.iter().find(|(other, ..)| *other == name).map(|(_, entry, _)| *entry)
}
