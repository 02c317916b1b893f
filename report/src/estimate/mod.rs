//! What solving a game would take: memory, disk and time, before the solve is begun.
//!
//! The method, for a solve by sets:
//! 1. The game itself and smaller boards of its family are solved into a temporary directory until a few seconds are over. What
//!    ends within them is not estimated: its numbers are measured.
//! 2. The logarithm of the states of the smaller boards is fitted by a function of width, height and their product, in which
//!    near boards count more, and read off at the board wanted.
//! 3. The range is as wide as that fit errs on the boards that were solved, for every row and column that they are away; upwards
//!    twice that, because growth itself grows.
//! 4. Where a family has too few boards, growth is carried on: at least no set becomes larger than those seen, at most the last
//!    rate of growth falls to nothing over three times the plies seen; words and admissible positions bound the states.
//! 5. Memory is what the engine held at first and so many bytes for each state of the largest ply, disk what a state took in the
//!    files seen, and time follows from the states made in a second. No low end is below what the part seen has taken.
//!
//! Nothing is said ([`NoEstimate`]) where no ply was done, or too few for their growth to show; where the board has more than
//! twice the cells of the largest one that was solved, unless all that play reaches is known already; and where the range would be
//! too wide to say anything.
//!
//! A solve by tables or by sectors needs no such method: positions and bytes are counted, and only the time is a range. A small
//! game by sectors is solved.

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

/// Which engine solves a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineName {
    /// Sets of positions as automata.
    Sets,
    /// A table of all boards.
    Table,
    /// Tables of sectors, for morris games.
    Sectors,
}

/// What solve is to be estimated. What is left open is chosen as a solve would choose it.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The engine.
    pub engine: Option<EngineName>,
    /// How sets are computed.
    pub method: Option<Method>,
    /// Which sets are computed.
    pub chains: Chains,
    /// How long games are solved to learn from.
    pub probe: Duration,
}

impl Default for Asked {
    fn default() -> Self {
        Self { engine: None, method: None, chains: Chains::Both, probe: Duration::from_secs(15) }
    }
}

/// What a solve would take.
#[derive(Clone, Debug, Serialize)]
pub struct Estimate {
    /// Canonical game spec.
    pub game: String,
    /// Letter order.
    pub order: String,
    /// The engine that would solve it.
    pub engine: EngineName,
    /// The method, if it is solved by sets.
    pub method: Option<Method>,
    /// The chains, if it is solved by retrograde analysis on sets.
    pub chains: Option<Chains>,
    /// Words of the board: positions with one side to move, whether play reaches them or not. `None` beyond 128 bits.
    #[serde(serialize_with = "words::optional")]
    pub words: Option<u128>,
    /// Admissible positions, where the game has a rule for them that could be counted in time.
    pub admissible: Option<BySide>,
    /// What was seen of the solve itself.
    pub growth: Vec<PlyGrowth>,
    /// Smaller boards of the family that were solved.
    pub smaller: Vec<Smaller>,
    /// Work units and positions, if it is solved by sectors.
    pub sectors: Option<Sectors>,
    /// What telling draws apart would take after that, if it is solved by sectors.
    pub ranks: Option<Expected>,
    /// What the part of the solve has taken that was done to learn from, where it is not the whole.
    pub taken: Option<Taken>,
    /// What the solve would take.
    pub expected: Option<Expected>,
    /// Why nothing can be said of it, where nothing can.
    pub no_estimate: Option<NoEstimate>,
}

impl Estimate {
    fn say(&mut self, said: std::result::Result<Expected, NoEstimate>) {
        match said {
            Ok(expected) => self.expected = Some(expected),
            Err(why) => self.no_estimate = Some(why),
        }
    }

    /// The same with the peak memory that was measured, where the game was solved.
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

/// The engine that solves `game` if nothing else is asked for.
pub fn usual_engine(game: &dyn Game) -> EngineName {
    if suits_sectors(game) { EngineName::Sectors } else { EngineName::Sets }
}

/// Estimates what it takes to solve `game` with `resources`.
///
/// Cost: about as long as [`Asked::probe`] says, and memory as a solve takes, under the cap of `resources`; files in the
/// system's temporary folder that are removed again.
///
/// # Errors
/// Interruption by the user; [`Error::NotForGame`], [`Error::ChainsOfMeet`] for options that do not go together; files that
/// cannot be written; a description of the game that does not fit its own shape.
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

/// Parts of the time, as divisors: for the choice of a method, and with it for the game itself. The rest is for smaller boards.
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

/// The method that a solve would choose; where the choice takes too long, the one that suits games of its kind.
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
