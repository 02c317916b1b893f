//! Estimates of the memory, disk space and time of a solve before it starts.
//!
//! A solve by sets is estimated as follows:
//! 1. The words and the admissible positions of the game are counted exactly.
//! 2. Smaller boards of its family are solved by the method of the solve, forward or backward, until the sets of a ply
//!    have more than two million states. The game itself is probed in the same way if it may be small. If it is solved,
//!    the result consists of measurements instead of an estimate.
//! 3. The growth law predicts the states: they are a power of the number of positions, whose exponent changes with width
//!    and height. The range is its error, and ten times as high as low.
//! 4. A game without smaller boards is extrapolated from the plies of its own probe. At the low end, no later set is larger
//!    than the observed ones. At the high end, the growth rate decreases to zero over three times the observed plies. The
//!    words bound the number of states.
//! 5. A game whose probe advances at a steady rate over many plies, such as one with a counter that every move advances, is
//!    extrapolated from that rate. The undecided words bound the plies from above, and the depths of the positions that play
//!    reaches bound them from below.
//! 6. Memory is that of the relations of the moves plus a number of bytes for each state of the largest ply. Disk space and
//!    time follow from the bytes per state and the states per second of the longest probe. No low end is below the cost of
//!    the game's own probe.
//!
//! The limit of a probe is a number of states, so equal requests have equal estimates apart from the time, unless the
//! machine is so slow that the deadline ends them first.
//!
//! A solve cannot be estimated ([`NoEstimate`]) if no ply was completed, or too few to show their growth; if the board has more
//! than twice the cells of the largest solved one; or if the range would be too wide to be useful.
//!
//! A solve by tables or by sectors does not need probes, because its positions and bytes can be counted.

mod board;
mod boards;
mod count;
mod exact;
mod expected;
mod law;
mod limits;
mod probe;
mod sectors;
mod sets;

use std::sync::Arc;
use std::time::{Duration, Instant};

use nerode_games::Game;
use serde::Serialize;

use nerode_solver::archive::run_dir::Request;
use nerode_solver::error::{Error, Lack, Result};
use nerode_solver::solve::choose::{choose, must_end, suits_sectors, suits_table};
pub use nerode_solver::solve::method::EngineKind;
use nerode_solver::solve::method::{Chains, Method};
use nerode_solver::solve::reached::greatest_depth;
use nerode_solver::solve::resources::Resources;

pub use board::Board;
pub use count::BySide;
pub use exact::seconds_left;
pub use expected::{Basis, Expected, NoEstimate, Range};
pub use limits::{Forecast, Limits, Prospect, Shortage, look_ahead};
pub use probe::{Cost, PlyGrowth, within};
pub use sectors::Sectors;

use probe::{Budget, Probe, is_stop};
use sets::Bounds;

/// The solve to be estimated. Unspecified options are chosen as a solve would choose them.
#[derive(Clone, Debug)]
pub struct Options {
    /// The engine.
    pub engine: Option<EngineKind>,
    /// The method by which sets are computed.
    pub method: Option<Method>,
    /// The chains of sets to compute.
    pub chains: Chains,
    /// The longest time for solving the game itself and smaller boards.
    pub probe: Duration,
    /// The number of states of a ply above which none of these solves is continued.
    pub states: u64,
}

impl Default for Options {
    fn default() -> Self {
        let (probe, states) = (Duration::from_secs(60), 1 << 21);
        Self { engine: None, method: None, chains: Chains::Both, probe, states }
    }
}

/// An estimate of a solve.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Estimate {
    /// The canonical spec of the game.
    pub game: String,
    /// The letter order.
    pub order: String,
    /// The engine of the solve.
    pub engine: EngineKind,
    /// The method, if the solve uses sets.
    pub method: Option<Method>,
    /// The chains, if the solve is a retrograde analysis on sets.
    pub chains: Option<Chains>,
    /// The number of words: positions with one side to move, whether reachable or not. `None` if it does not fit into 128 bits.
    #[serde(serialize_with = "count::optional")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<nerode_solver::archive::decimal::Decimal>"))]
    pub words: Option<u128>,
    /// The numbers of admissible positions, if the game has a rule for them and they could be counted in time.
    pub admissible: Option<BySide>,
    /// The observed plies of the solve itself, if it was probed.
    pub growth: Vec<PlyGrowth>,
    /// The smaller boards of the family that were solved.
    pub smaller: Vec<Board>,
    /// The numbers of work units and positions, if the solve uses sectors.
    pub sectors: Option<Sectors>,
    /// The additional cost of distinguishing draws, if the solve uses sectors.
    pub ranks: Option<Expected>,
    /// The cost of the probe of the game itself, unless it solved the game.
    pub taken: Option<Cost>,
    /// The expected cost of the solve.
    pub expected: Option<Expected>,
    /// The reason why the solve cannot be estimated, if so.
    pub no_estimate: Option<NoEstimate>,
}

impl Estimate {
    fn set_expected(&mut self, expected: std::result::Result<Expected, NoEstimate>) {
        match expected {
            Ok(expected) => self.expected = Some(expected),
            Err(why) => self.no_estimate = Some(why),
        }
    }

    /// Returns the same estimate with the measured peak memory, if the game was solved.
    #[must_use]
    pub fn with_peak(mut self, bytes: Option<u64>) -> Self {
        let solved = self.expected.as_mut().filter(|expected| expected.basis == Basis::Solved);
        if let (Some(expected), Some(bytes)) = (solved, bytes) {
            expected.memory_bytes = Range::known(bytes);
            expected.least_memory_bytes = expected.least_memory_bytes.min(bytes);
        }
        self
    }
}

/// Returns the engine that solves `game` by default.
pub fn usual_engine(game: &dyn Game) -> EngineKind {
    if suits_sectors(game) {
        EngineKind::Sectors
    } else if suits_table(game) {
        EngineKind::Table
    } else {
        EngineKind::Sets
    }
}

/// Estimates the cost of solving `game` with `resources`.
///
/// Cost: the time until the probes have sets of [`Options::states`] states, and at most about [`Options::probe`]. Files in
/// the system's temporary directory are removed afterwards.
///
/// # Errors
/// Returns an error if the user interrupts, if options are incompatible ([`Error::NotForGame`],
/// [`Error::ChainsOfMeet`]), if files cannot be written, or if a description of the game does not fit its own shape.
pub fn estimate(game: &Arc<dyn Game>, options: &Options, resources: &Resources) -> Result<Estimate> {
    let engine = options.engine.unwrap_or_else(|| usual_engine(game.as_ref()));
    let until = Instant::now() + options.probe;
    let states = options.states.min(resources.memory / STATE_BYTES);
    let admissible = count::admissible(game.as_ref(), resources, until)?;
    let positions = count::sum_or_words(game.as_ref(), admissible, until);
    let mut estimate = Estimate {
        game: game.spec(),
        order: game.order().to_string(),
        engine,
        method: None,
        chains: None,
        words: game.shape().num_words(),
        admissible,
        growth: Vec::new(),
        smaller: Vec::new(),
        sectors: None,
        ranks: None,
        taken: None,
        expected: None,
        no_estimate: None,
    };
    match engine {
        EngineKind::Sectors => {
            let sectors = Sectors::of_game(&game.spec())?;
            estimate.expected = Some(sectors.expected(resources.threads));
            estimate.ranks = Some(sectors.expected_ranks(resources.threads));
            estimate.sectors = Some(sectors);
        }
        EngineKind::Table => {
            estimate.set_expected(exact::of_table(estimate.words).ok_or(NoEstimate::TooManyBoards));
        }
        EngineKind::Sets if game.forward_only() => {
            let budget = Budget { states: states / FORWARD_PART, until };
            estimate.growth = Probe::forward(game, resources, budget)?.plies;
            estimate.no_estimate = Some(NoEstimate::ForwardOnly);
        }
        EngineKind::Sets => {
            let budget = Budget { states, until };
            of_sets(&mut estimate, game, positions, options, resources, budget)?;
        }
    }
    Ok(estimate)
}

/// The memory for each state of a probe. With little memory, probes end earlier, because they would be slow and would
/// exceed the memory of the process.
const STATE_BYTES: u64 = 256;

/// The part of the states, as a divisor, after which a forward search ends that cannot be followed by a solve.
const FORWARD_PART: u64 = 32;

/// The part of the time, as a divisor, for the choice of a method.
const CHOICE: u32 = 3;

/// The number of words up to which a method is chosen for a smaller board instead of the game.
const QUICK_WORDS: u128 = 1 << 40;

/// Estimates a solve by sets.
fn of_sets(
    estimate: &mut Estimate,
    game: &Arc<dyn Game>,
    positions: Option<f64>,
    options: &Options,
    resources: &Resources,
    budget: Budget,
) -> Result<()> {
    let (chains, spec) = (options.chains, game.spec());
    if chains == Chains::One && game.side_swap().is_none() {
        return Err(Error::NotForGame { game: spec, lack: Lack::MirrorImage });
    }
    if chains == Chains::One && options.method == Some(Method::Meet) {
        return Err(Error::ChainsOfMeet);
    }
    if options.method == Some(Method::Meet) {
        must_end(game.as_ref())?;
    }
    let method = method_of(game, options, resources)?;
    let solve = |board: &Arc<dyn Game>, chains| {
        Probe::solve(board, request_of(board.as_ref(), method, chains), resources, budget)
    };
    // One chain of a smaller board is solved if the other one is its mirror image, and counted for both.
    let solve_smaller = |board: &Arc<dyn Game>| {
        let is_mirror = method == Method::Retrograde && board.side_swap().is_some();
        let times = if is_mirror && chains == Chains::Both { 2 } else { 1 };
        Ok((solve(board, if is_mirror { Chains::One } else { chains })?, times))
    };
    let survey = boards::survey(game.as_ref(), positions, resources, budget, solve_smaller)?;
    let own = if survey.is_game_small { solve(game, chains)? } else { Probe::default() };
    let bounds = Bounds {
        spec: &spec,
        positions,
        states: count::most_states(game.shape(), method, chains),
        method,
        plies: if own.left.is_some() { greatest_depth(game.as_ref(), resources)?.unwrap_or(0) } else { 0 },
    };
    estimate.method = Some(method);
    estimate.chains = (method == Method::Retrograde).then_some(chains);
    estimate.set_expected(sets::expected(&own, &survey.boards, bounds));
    estimate.taken = (survey.is_game_small && !own.finished).then(|| own.cost());
    estimate.growth = own.plies;
    estimate.smaller = survey.boards;
    Ok(())
}

fn request_of(game: &dyn Game, method: Method, chains: Chains) -> Request {
    let backward = (method == Method::Meet).then_some(0);
    let mut request = Request::new(game, method, backward, None);
    request.chains = chains;
    request
}

/// Returns the method that a solve would choose. If the choice takes too long, the method is that of the largest smaller
/// board for which it can be chosen in time, because boards of a family grow alike. Without such a board, sets over all
/// words are assumed to be too large.
fn method_of(game: &Arc<dyn Game>, options: &Options, resources: &Resources) -> Result<Method> {
    if let Some(method) = options.method {
        return Ok(method);
    }
    if options.chains == Chains::One || game.may_cycle() {
        return Ok(Method::Retrograde);
    }
    let smaller = boards::candidates(&game.spec()).into_iter().rev().map(|(board, _)| board);
    let quick = smaller.filter(|board| board.shape().num_words().is_some_and(|words| words <= QUICK_WORDS));
    let end = Instant::now() + options.probe / CHOICE;
    for board in std::iter::once(Arc::clone(game)).chain(quick) {
        let until = (Instant::now() + options.probe / (2 * CHOICE)).min(end);
        match within(until, resources, |resources| choose(Arc::clone(&board), resources))? {
            Err(error) if is_stop(&error) => {}
            method => return method,
        }
    }
    Ok(Method::Meet)
}

#[cfg(test)]
mod tests;
