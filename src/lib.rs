//! Strongly solves board games: finds the value of every position, win, draw or loss, and in how many plies.
//!
//! A position is a word with one letter for each cell of the board, so that a set of positions is a regular language. The
//! library keeps each set as a minimal automaton, and makes all moves of a whole set at once.
//!
//! ```
//! use nerode::{Options, Side, Value};
//!
//! let solution = nerode::open("breakthrough:3x4")?.solve(Options::default())?;
//! let start = solution.game().start_position();
//! let answer = solution.query(&start)?;
//! assert_eq!(answer.value(), Some(Value::Loss));
//! println!("{}", answer.moves()[0].text());
//!
//! // Best play, and every set that the solution consists of.
//! let line = solution.best_line(&start)?;
//! assert_eq!(Some(line.len() as u32), answer.depth());
//! for set in solution.sets() {
//!     println!("{}: {} states, {} positions", set.name(), set.num_states(), set.num_positions());
//! }
//! let won = solution.count(Side::P1, Some(Value::Win))?;
//! let some = solution.sample(3, 1)?;
//! # assert!(won > 0 && some.len() == 3);
//! # Ok::<(), nerode::Error>(())
//! ```
//!
//! # Where solutions lie
//! [`Options::directory`] keeps a solution, with a checkpoint after every ply; [`Solution::open`] opens it again. Without a
//! directory the files lie in the system's temporary folder until the [`Solution`] is dropped.
//!
//! # Games of one's own
//! A game implements [`games::SymbolicGame`] (moves of sets), [`games::ExplicitGame`] (moves of one board),
//! [`games::Notation`] and [`games::Game`]. [`open_game`] solves it, [`Solution::open_with`] opens its solution,
//! [`Solution::verify`] checks the solution against the rules. `examples/own_game.rs` is a whole one.
//!
//! # Positions that no game comes to
//! A solution holds values of all boards, those that no game comes to included, and [`Solution::query`] answers them.
//! [`games::Game::check_legal`] says why a position is none of play, where that is certain.
//!
//! # Units
//! Depths are plies to the end of the game: the winner hurries, the loser delays, draws have none. Values are those of the
//! side to move; scores are those of P1. Counts are exact integers. Memory is in bytes.
//!
//! # What is stable
//! What this page lists, the crates [`games`] and [`dfa`], and the files in a directory: a release that changes them says so,
//! and reads old directories or refuses them with a clear word. Enums may get new variants. Modules that this page does not
//! list are public for the program, tests and benches, and change without notice.
//!
//! # Features
//! | feature | default | adds |
//! |---|---|---|
//! | `cli` | yes | the program `nerode`; implies `export` |
//! | `plots` | yes | counts by ply as SVG drawings |
//! | `serve` | yes | the service of `nerode serve` and its page; implies `cli` |
//! | `bdd` | yes | binary decision diagrams, to compare automata with |
//! | `export` | | positions with their values as CSV and NumPy files |
//! | `parquet` | no | the same as Parquet files; implies `export` |
//!
//! The library needs none of them: `default-features = false`.
#![forbid(unsafe_code)]

#[cfg(feature = "cli")]
#[cfg_attr(not(internals), doc(hidden))]
pub mod cli;
mod facade;
#[cfg_attr(not(internals), doc(hidden))]
pub mod play;
#[cfg(feature = "serve")]
#[cfg_attr(not(internals), doc(hidden))]
pub mod serve;

pub use nerode_dfa as dfa;
pub use nerode_games as games;

pub use crate::facade::{
    Answer, Found, Options, PositionSet, Reply, Sector, Solution, Solver, UnitSolved, open, open_game,
    open_text, picture,
};
pub use nerode_games::{Position, Side, Value};
pub use nerode_morris::ranked::{Heuristic, RankedDraw};
pub use nerode_solver::archive::resolver::{Registry, Resolver};
pub use nerode_solver::archive::run_dir::Kind;
pub use nerode_solver::check::Report;
pub use nerode_solver::error::{Error, Lack, PlayError, Result, RunNeeds};
pub use nerode_solver::run::Existing;
pub use nerode_solver::solve::method::{Chains, Keep, Method};
pub use nerode_solver::solve::progress::PlyDone;
pub use nerode_solver::solve::resources::Backend;
pub use nerode_solver::units::{UnitSizes, UnitsBy, UnitsDone};
