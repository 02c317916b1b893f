//! Reads packed solutions of board games: value, depth, legal moves, best line, legality, and drawings.
//!
//! A [`Probe`] answers from what `nerode pack` writes. The caller provides the bytes, from memory, a file, or the range
//! requests of a host, as [`Bytes`] (one file) or a [`Folder`] (several files).
//!
//! | packed | opened by | depths |
//! |---|---|---|
//! | the reached positions of a run, `reached.packed` | [`Probe::open`], or [`Probe::open_folder`] with its manifest | upper bounds |
//! | the values of a run, a folder with `values.json` | [`Probe::open_folder`] | exact, unless packed without depths |
//! | sectors of a morris game, a folder with `packed.json` | [`Probe::open_folder`] | exact if packed with depths |
//!
//! The readers are those of the crate `nerode`, with the same checks: an answer that would rest on a damaged byte is an
//! error. The crate starts no threads, opens no files, reads no clock and has no global state. A [`Probe`] may be used by
//! several threads at the same time. Searches for exact depths are left to the crate `nerode`.
//!
//! # Examples
//! ```
//! # use nerode::{Options, Method};
//! # let folder = tempfile::tempdir().unwrap();
//! # let run = folder.path().join("run");
//! # nerode::open("connect:4x4")?.solve(Options::default().method(Method::Meet).directory(&run))?;
//! # let bytes = nerode_probe_test_pack(&run);
//! # fn nerode_probe_test_pack(run: &std::path::Path) -> Vec<u8> {
//! #     use nerode_solver::archive::{packing::write_reached, stored_run::StoredRun};
//! #     let solution = StoredRun::open_with(run, nerode::registry()).unwrap();
//! #     write_reached(&solution, &run.join("values"), false, &Default::default(), &mut |_, _| ()).unwrap();
//! #     std::fs::read(run.join("values/reached.packed")).unwrap()
//! # }
//! use nerode_probe::{Probe, Settings, Value};
//! // The bytes of a file `reached.packed`.
//! let probe = Probe::open(Box::new(bytes), &Settings::default())?;
//! let start = probe.game().start_position();
//! assert_eq!(probe.evaluate(&start)?.value(), Some(Value::Draw));
//! let answer = probe.query(&start)?;
//! assert_eq!(answer.moves().len(), 4);
//! let after = probe.play(&start, answer.moves()[0].text())?;
//! assert_eq!(probe.evaluate(&after)?.value(), Some(Value::Draw));
//! # Ok::<(), nerode_probe::Error>(())
//! ```
#![forbid(unsafe_code)]

mod files;
mod frames;
mod probe;

pub use files::Files;
pub use probe::{Probe, Settings};

pub use nerode_dfa::Error as ReadError;
pub use nerode_dfa::packed::ReadAt as Bytes;
pub use nerode_games::outcome::{Depth, Evaluation, Outcome, ValueRange};
pub use nerode_games::{
    CellChange, Figure, Game, Ground, Look, Move, Picture, Place, Position, Side, Value, registry,
};
pub use nerode_solver::archive::folder::Folder;
pub use nerode_solver::archive::resolver::Resolver;
pub use nerode_solver::error::{Error, Result};
pub use nerode_solver::stored::{Answer, Coverage, DepthSource, Reply, Solution, Stored};
