//! Persistent data: run directories, solutions, values, tables and scores, and the files of which they consist.
//!
//! Without the feature `engine`, the module reads values and packed values, from files that a [`folder::Folder`] provides.

#[cfg(feature = "engine")]
pub mod claim;
pub mod codec;
#[cfg(feature = "engine")]
pub mod compact;
pub mod contents;
#[cfg(feature = "engine")]
pub mod decimal;
#[cfg(feature = "engine")]
pub mod draft;
#[cfg(feature = "engine")]
pub mod files;
pub mod folder;
pub mod packed;
#[cfg(feature = "engine")]
pub mod packing;
#[cfg(feature = "engine")]
pub mod place;
pub mod request;
pub mod resolver;
#[cfg(feature = "engine")]
pub mod run_dir;
#[cfg(feature = "engine")]
pub mod scores;
pub mod slot;
pub mod stored;
#[cfg(feature = "engine")]
pub mod stored_run;
#[cfg(feature = "engine")]
pub mod table;
pub mod values;

/// File operations, for crates that must not name the automata.
#[cfg(feature = "engine")]
pub use nerode_dfa::disk;

pub use contents::Contents;
#[cfg(feature = "engine")]
pub use contents::{kind_of, must_be_directory};
