//! What is kept on disk: run directories, solutions, values, tables, scores, and the files they are made of.

pub mod claim;
pub mod codec;
pub mod compact;
pub mod contents;
pub mod decimal;
pub mod draft;
pub mod files;
pub mod place;
pub mod resolver;
pub mod run_dir;
pub mod scores;
pub mod stored_run;
pub mod table;
pub mod values;

pub mod slot;
pub mod stored;

pub use nerode_dfa::disk;

pub use contents::{Contents, kind_of, must_be_directory};
