//! Persistent data: run directories, solutions, values, tables and scores, and the files of which they consist.

pub mod claim;
pub mod codec;
pub mod compact;
pub mod contents;
pub mod decimal;
pub mod draft;
pub mod files;
pub mod packed;
pub mod packing;
pub mod place;
pub mod resolver;
pub mod run_dir;
pub mod scores;
pub mod slot;
pub mod stored;
pub mod stored_run;
pub mod table;
pub mod values;

/// File operations, for crates that must not name the automata.
pub use nerode_dfa::disk;

pub use contents::{Contents, kind_of, must_be_directory};
