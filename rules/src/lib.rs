//! Board games whose rules are read from a text.
//!
//! | module | language |
//! |---|---|
//! | [`rbg`] | Regular Boardgames: rules as regular expressions over walks on the board |
//!
//! Each language offers a [`nerode_games::registry::Language`], with which a registry opens its games by name:
//! ```
//! use nerode_games::Registry;
//! let registry = Registry::new(nerode_games::registry::families(), &[nerode_rules::rbg::LANGUAGE]);
//! assert_eq!(registry.open("rbg:hex").unwrap().spec(), "rbg:hex");
//! assert_eq!(registry.open("nim:3x7").unwrap().spec(), "nim:3x7");
//! ```
//!
//! # Features
//! The default feature `sets` adds the moves of whole sets of positions. Without it, the crate opens a rules text as a
//! [`nerode_games::Game`] with notation and plain rules, and depends on no automata.
//!
//! # Stability
//! The crate serves the crate `nerode`, and any version may change it. The meaning of a rules text changes only together with the
//! fingerprints of its games.
#![forbid(unsafe_code)]

pub mod rbg;
