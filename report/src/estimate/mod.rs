//! Estimates of the memory, disk space and time of a solve before it starts.
//!
//! A solve by sets is estimated as follows:
//! 1. The game itself and smaller boards of its family are solved into a temporary directory for a few seconds. If the
//!    game itself finishes, the result consists of measurements instead of an estimate.
//! 2. The logarithm of the number of states of the smaller boards is fitted by a function of width, height and their product.
//!    Boards that are closer to the requested board have more weight, and the function is evaluated at the requested board.
//! 3. The width of the range is the error of that fit on the solved boards, for every row and column of distance. It
//!    counts twice upwards, because growth itself increases.
//! 4. If a family has too few boards, the growth is extrapolated. At the low end, no later set is larger than the
//!    observed ones. At the high end, the last growth rate decreases to zero over three times the observed plies. Words
//!    and admissible positions bound the number of states.
//! 5. Memory is the initial memory of the engine plus a number of bytes for each state of the largest ply. Disk space
//!    follows from the bytes per state in the observed files, and time from the number of states created per second. No
//!    low end is below the cost of the observed part.
//!
//! There is no estimate ([`NoEstimate`]) in three cases: if no ply was completed, or too few to show their growth; if
//! the board has more than twice the cells of the largest solved one, unless all reachable positions are already known;
//! or if the range would be too wide to be useful.
//!
//! A solve by tables or by sectors does not need this method, because its positions and bytes can be counted, and only
//! the time is a range. A small game by sectors is solved instead.

mod by_sets;
mod course;
mod deadline;
mod exact;
mod expected;
mod family;
mod fit;
mod growth;
mod limits;
mod sectors;
mod tried;
mod words;

use std::sync::Arc;
use std::time::{Duration, Instant};

use nerode_games::Game;
use serde::Serialize;

use nerode_solver::archive::run_dir::Request;
use nerode_solver::error::{Error, Lack, Result};
use nerode_solver::solve::choose::{choose, must_end, suits_sectors};
use nerode_solver::solve::method::{Chains, Method};
use nerode_solver::solve::resources::Resources;

pub use course::{Course, PlyGrowth, Taken};
pub use exact::seconds_left;
pub use expected::{Basis, Expected, NoEstimate, Range};
pub use limits::{Ahead, Limits, Prospect, Shortage, look_ahead};
pub use sectors::Sectors;
pub use words::BySide;

use deadline::{is_stop, within};
use family::{Smaller, smaller_boards};
use growth::Bounds;

/// The engine that solves a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum EngineName {
    /// Sets of positions as automata.
    Sets,
    /// A table of all boards.
    Table,
    /// Tables of sectors for morris games.
    Sectors,
}

/// The solve to be estimated. Unspecified options are chosen as a solve would choose them.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The engine.
    pub engine: Option<EngineName>,
    /// The method by which sets are computed.
    pub method: Option<Method>,
    /// The chains of sets to compute.
    pub chains: Chains,
    /// The time for solving the game itself and smaller boards.
    pub probe: Duration,
}

impl Default for Asked {
    fn default() -> Self {
        Self { engine: None, method: None, chains: Chains::Both, probe: Duration::from_secs(15) }
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
    pub engine: EngineName,
    /// The method, if the solve uses sets.
    pub method: Option<Method>,
    /// The chains, if the solve is a retrograde analysis on sets.
    pub chains: Option<Chains>,
    /// The number of words: positions with one side to move, whether reachable or not. `None` if it does not fit into 128 bits.
    #[serde(serialize_with = "words::optional")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<nerode_solver::archive::decimal::Decimal>"))]
    pub words: Option<u128>,
    /// The numbers of admissible positions, if the game has a rule for them and they could be counted in time.
    pub admissible: Option<BySide>,
    /// The observed plies of the solve itself.
    pub growth: Vec<PlyGrowth>,
    /// The smaller boards of the family that were solved.
    pub smaller: Vec<Smaller>,
    /// The numbers of work units and positions, if the solve uses sectors.
    pub sectors: Option<Sectors>,
    /// The additional cost of distinguishing draws, if the solve uses sectors.
    pub ranks: Option<Expected>,
    /// The cost of the observed part of the solve, unless the solve finished.
    pub taken: Option<Taken>,
    /// The expected cost of the solve.
    pub expected: Option<Expected>,
    /// The reason why there is no estimate, if there is none.
    pub no_estimate: Option<NoEstimate>,
}

impl Estimate {
    fn say(&mut self, said: std::result::Result<Expected, NoEstimate>) {
        match said {
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
pub fn usual_engine(game: &dyn Game) -> EngineName {
    if suits_sectors(game) { EngineName::Sectors } else { EngineName::Sets }
}

/// Estimates the cost of solving `game` with `resources`.
///
/// Cost: about the time in [`Asked::probe`], and the memory of a solve under the cap of `resources`. Files in the
/// system's temporary directory are removed afterwards.
///
/// # Errors
/// Returns an error if the user interrupts, if options are incompatible ([`Error::NotForGame`],
/// [`Error::ChainsOfMeet`]), if files cannot be written, or if a description of the game does not fit its own shape.
pub fn estimate(game: &Arc<dyn Game>, asked: &Asked, resources: &Resources) -> Result<Estimate> {
    let engine = asked.engine.unwrap_or_else(|| usual_engine(game.as_ref()));
    let mut estimate = Estimate {
        game: game.spec(),
        order: game.order().to_string(),
        engine,
        method: None,
        chains: None,
        words: game.shape().num_words(),
        admissible: words::admissible(game.as_ref(), resources, Instant::now() + asked.probe / 8)?,
        growth: Vec::new(),
        smaller: Vec::new(),
        sectors: None,
        ranks: None,
        taken: None,
        expected: None,
        no_estimate: None,
    };
    match engine {
        EngineName::Sectors => {
            let sectors = Sectors::of_game(&game.spec())?;
            let until = Instant::now() + asked.probe;
            estimate.expected = Some(tried::of_game(&sectors, &game.spec(), resources, until)?);
            estimate.ranks = Some(sectors.expected_ranks(resources.threads));
            estimate.sectors = Some(sectors);
        }
        EngineName::Table => {
            estimate.say(exact::of_table(estimate.words).ok_or(NoEstimate::TooManyBoards));
        }
        EngineName::Sets if game.forward_only() => {
            let course = Course::forward(game, resources, Instant::now() + asked.probe)?;
            estimate.growth = course.plies;
            estimate.no_estimate = Some(NoEstimate::ForwardOnly);
        }
        EngineName::Sets => of_sets(&mut estimate, game, asked, resources)?,
    }
    Ok(estimate)
}

/// The fractions of the time, as divisors, for the choice of a method and, including this choice, for the game itself.
/// The remaining time is used for smaller boards.
const CHOICE: u32 = 5;
const ITSELF: (u32, u32) = (2, 5);

/// Estimates a solve by sets.
fn of_sets(
    estimate: &mut Estimate,
    game: &Arc<dyn Game>,
    asked: &Asked,
    resources: &Resources,
) -> Result<()> {
    let began = Instant::now();
    if asked.chains == Chains::One && game.side_swap().is_none() {
        return Err(Error::NotForGame { game: game.spec(), lack: Lack::MirrorImage });
    }
    if asked.chains == Chains::One && asked.method == Some(Method::Meet) {
        return Err(Error::ChainsOfMeet);
    }
    if asked.method == Some(Method::Meet) {
        must_end(game.as_ref())?;
    }
    let method = method_of(game, asked, resources, began + asked.probe / CHOICE)?;
    let request = request_of(game.as_ref(), method, asked.chains);
    let course = Course::follow(game, request, resources, began + asked.probe * ITSELF.0 / ITSELF.1)?;
    estimate.method = Some(method);
    estimate.chains = (method == Method::Retrograde).then_some(asked.chains);
    if !course.finished {
        let solve_smaller = |board: &Arc<dyn Game>, until: Instant| {
            let request = request_of(board.as_ref(), method, asked.chains);
            Course::follow(board, request, resources, until)
        };
        estimate.smaller = smaller_boards(game.as_ref(), began + asked.probe, solve_smaller)?;
    }
    let admissible = estimate.admissible.map(|count| count.p1.max(count.p2)).or(estimate.words);
    let most = Bounds {
        states: words::most_states(game.shape(), method, asked.chains),
        positions: admissible.map_or(f64::INFINITY, |count| count as f64),
    };
    estimate.say(by_sets::of_sets(&game.spec(), &course, &estimate.smaller, most));
    estimate.taken = (!course.finished).then(|| course.taken());
    estimate.growth = course.plies;
    Ok(())
}

fn request_of(game: &dyn Game, method: Method, chains: Chains) -> Request {
    let backward = (method == Method::Meet).then_some(0);
    let mut request = Request::new(game, method, backward, None);
    request.chains = chains;
    request
}

/// Returns the method that a solve would choose. If the choice takes too long, returns the method that suits games of
/// the same kind.
fn method_of(game: &Arc<dyn Game>, asked: &Asked, resources: &Resources, until: Instant) -> Result<Method> {
    if let Some(method) = asked.method {
        return Ok(method);
    }
    if asked.chains == Chains::One {
        return Ok(Method::Retrograde);
    }
    match within(until, resources, |resources| choose(Arc::clone(game), resources))? {
        Ok(method) => Ok(method),
        Err(error) if is_stop(&error) => family::method_of_smaller(game.as_ref(), resources),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests;
