//! Strongly solves board games: computes the value of every position (win, draw or loss) and its depth in plies.
//!
//! A position is a word with one letter for each cell of the board, so a set of positions is a regular language. The
//! library stores each set as a minimal automaton and makes all moves of a whole set at once.
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
//! # Where solutions are stored
//! [`Options::directory`] stores a solution in a directory, with a checkpoint after every ply, and [`open_solution`]
//! opens it again. Without a directory, the files are kept in the system's temporary folder until the [`Solution`] is
//! dropped.
//!
//! # Custom games
//! A game implements [`games::SymbolicGame`] (moves of sets), [`games::ExplicitGame`] (moves of one board),
//! [`games::Notation`] and [`games::Game`]. [`open_game`] solves it, [`open_solution_with`] opens its solution, and
//! [`Solution::verify`] checks the solution against the rules. `examples/own_game.rs` contains a complete example.
//!
//! # Positions that cannot occur in play
//! A solution contains the values of all boards, including those that cannot occur in play, and [`Stored::look_up`]
//! answers queries about them. [`games::Game::check_legal`] explains why a position cannot occur in play, in the
//! cases in which this is certain.
//!
//! # Units
//! Depths are plies to the end of the game, where the winner plays for the shortest win and the loser for the longest
//! loss. Draws have no depth. Values are those of the side to move; scores are those of P1. Counts are exact
//! integers. Memory is measured in bytes.
//!
//! # Stability
//! The stable interface consists of the items listed on this page, the crates [`games`] and [`dfa`], and the files in
//! a directory. A release that changes any of them says so in its notes, and it either reads old directories or rejects
//! them with a clear error. Enums may gain variants. The crate [`rules`] and all other crates of the workspace may
//! change without notice.
//!
//! # Features
//! | feature | default | adds |
//! |---|---|---|
//! | `cli` | yes | the program `nerode`; implies `export` |
//! | `plots` | yes | counts by ply as SVG drawings |
//! | `serve` | yes | the service of `nerode serve` and its page; implies `cli` |
//! | `bdd` | yes | binary decision diagrams, for comparison with automata |
//! | `export` | with `cli` | positions with their values as CSV and NumPy files |
//! | `parquet` | no | positions with their values as Parquet files; implies `export` |
//!
//! The library itself needs none of them: use `default-features = false`.
#![forbid(unsafe_code)]

#[cfg(feature = "cli")]
mod cli;
mod facade;

pub use nerode_dfa as dfa;
pub use nerode_games as games;
pub use nerode_rules as rules;

#[cfg(feature = "cli")]
pub use crate::cli::main;
pub use crate::facade::{
    Options, Solver, UnitSolved, compare, library, longest, open, open_game, open_solution,
    open_solution_with, open_text, pack, registry, solve_explicit,
};
pub use nerode_games::{Position, Registry, Side, Value};
pub use nerode_morris::ranked::Heuristic;
pub use nerode_morris::stored::Sector;
pub use nerode_oracle::{ReachedRows, ReachedSolution};
pub use nerode_report::board::picture;
pub use nerode_solver::archive::resolver::Resolver;
pub use nerode_solver::archive::run_dir::Kind;
pub use nerode_solver::check::Report;
pub use nerode_solver::error::{CapError, Error, Lack, PlayError, Result, RunNeeds};
pub use nerode_solver::forms::compare::{Form, Row};
pub use nerode_solver::outcome::{Depth, Evaluation, Outcome, RankedDraw};
pub use nerode_solver::run::Existing;
pub use nerode_solver::solve::method::{Chains, Keep, Method};
pub use nerode_solver::solve::progress::PlyDone;
pub use nerode_solver::solve::resources::{Backend, Resources};
pub use nerode_solver::stored::{
    Answer, Coverage, DepthSource, PositionSet, ReachedPart, ReachedPlies, ReachedPly, ReachedSets, Reply,
    SampleFilter, Solution, Stored,
};
pub use nerode_solver::units::{UnitSizes, UnitsBy, UnitsDone};
