//! From a game to its solution: which engine and which method solve it, and where the solution goes.

use std::path::Path;
use std::sync::Arc;

use nerode_games::{Game, rbg, registry};

use super::options::Options;
use super::solution::Solution;
use nerode_solver::archive::run_dir::{Request, RunDir};
use nerode_solver::error::{Error, Lack, Result, RunNeeds};
use nerode_solver::run::{Existing, solve};
use nerode_solver::solve::choose::{choose, must_end, needs_sectors};
use nerode_solver::solve::method::{Chains, Keep, Method};
use nerode_solver::solve::reach::admissible_at;

/// A game that is about to be solved: see [`open`], [`open_text`] and [`open_game`].
#[derive(Clone, Debug)]
pub struct Solver {
    game: Arc<dyn Game>,
    /// Whether the registry knows it, in all its letter orders.
    registered: bool,
}

/// The game that `spec` names, such as `breakthrough:4x5`.
///
/// # Errors
/// [`Error::Game`] with the nearest name, or the form of the game's parameters.
///
/// # Examples
/// ```
/// let error = nerode::open("breakthru:4x5").unwrap_err();
/// assert!(error.to_string().contains("did you mean 'breakthrough'"));
/// ```
pub fn open(spec: &str) -> Result<Solver> {
    Ok(Solver { game: registry::open(spec)?, registered: true })
}

/// The game whose rules `text` gives, in the language of Regular Boardgames; `name` is what it is called.
///
/// # Errors
/// [`Error::Game`] with the place in the text.
///
/// # Examples
/// ```
/// let text = "#players = me(1), you(1) #pieces = e, x #variables =
///     #board = rectangle(up,down,left,right,[e,e])
///     #rules = ->me {e} [x] [$ me = 1] ->> {}";
/// let solver = nerode::open_text("mine", text)?;
/// assert_eq!((solver.game().spec(), solver.orders()?[0].as_str()), ("mine".into(), "rows"));
/// # Ok::<(), nerode::Error>(())
/// ```
pub fn open_text(name: &str, text: &str) -> Result<Solver> {
    Ok(open_game(rbg::open_text(name, text, None)?))
}

/// A game of one's own, which no registry needs to know.
///
/// A solution of it in a directory is opened again with [`Solution::open_with`].
pub fn open_game(game: Arc<dyn Game>) -> Solver {
    Solver { game, registered: false }
}

impl Solver {
    /// The game.
    pub fn game(&self) -> &dyn Game {
        self.game.as_ref()
    }

    /// The game, to be kept beside the solver and its solutions.
    pub fn shared_game(&self) -> Arc<dyn Game> {
        Arc::clone(&self.game)
    }

    /// Names of the letter orders that the game has, the one that it has by itself first.
    ///
    /// # Errors
    /// None for a game that was opened, as long as its rules can be read.
    pub fn orders(&self) -> Result<Vec<String>> {
        match self.game.rules_text() {
            Some(text) => Ok(rbg::orders_of_text(&self.game.spec(), &text)?),
            None if self.registered => Ok(registry::orders(&self.game.spec())?),
            None => Ok(vec![self.game.order().to_string()]),
        }
    }

    /// Whether the game is one that is solved by sectors, because it has too many positions for sets of all of them.
    /// [`Solver::solve`] refuses it then, unless it is told by which method or to how many plies.
    pub fn needs_sectors(&self) -> bool {
        needs_sectors(self.game.as_ref())
    }

    /// Solves the game. [`Method::Retrograde`] gives every position its value and depth; [`Method::Meet`] gives the positions
    /// reached from the start their values, without depths.
    ///
    /// # Errors
    /// [`Error::NotForGame`] for a game that sets cannot solve: one with too many positions, or one solved by sectors;
    /// [`Error::NotForGame`], [`Error::ChainsOfMeet`] for options that do not go together; running out of
    /// memory or disk; interruption, after which [`Existing::Resume`](crate::Existing::Resume) continues in a directory.
    pub fn solve(&self, mut options: Options<'_>) -> Result<Solution> {
        let game = self.in_order(options.order.as_deref())?;
        let request = request(&game, &options)?;
        let mut ignore = |_: &_| ();
        let watch = match options.on_ply.as_mut() {
            Some(watch) => watch.as_mut() as &mut (dyn FnMut(&_) + Send),
            None => &mut ignore,
        };
        let mut solve_in = |path: &Path| {
            solve(Arc::clone(&game), request.clone(), path, options.existing, &options.resources, watch)?;
            Solution::open_with(path, &|_: &str, _: &str| Ok(Arc::clone(&game)))
        };
        match &options.directory {
            Some(path) => solve_in(path),
            None => {
                let scratch = tempfile::tempdir().map_err(|e| Error::io(std::env::temp_dir(), e))?;
                Ok(solve_in(scratch.path())?.within(scratch))
            }
        }
    }

    /// The game in the letter order asked for.
    fn in_order(&self, order: Option<&str>) -> Result<Arc<dyn Game>> {
        if let (Some(name), Some(text)) = (order, self.game.rules_text()) {
            return Ok(rbg::open_text(&self.game.spec(), &text, Some(name))?);
        }
        match order {
            None => Ok(Arc::clone(&self.game)),
            Some(name) if self.registered => Ok(registry::open_with_order(&self.game.spec(), Some(name))?),
            Some(name) if name == self.game.order() => Ok(Arc::clone(&self.game)),
            Some(name) => {
                let known = self.game.order().to_string();
                Err(nerode_games::Error::UnknownOrder { name: name.into(), known }.into())
            }
        }
    }
}

/// Refuses what another engine solves, unless a method is asked for or a number of plies.
fn must_suit_sets(game: &dyn Game, options: &Options<'_>) -> Result<()> {
    let whole = options.method.is_none() && options.plies.is_none();
    if whole && needs_sectors(game) {
        return Err(Error::NotForGame { game: game.spec(), lack: Lack::WholeSets });
    }
    Ok(())
}

/// The method of the run that is continued, if there is one.
fn method_begun(game: &dyn Game, options: &Options<'_>) -> Result<Option<Method>> {
    match &options.directory {
        Some(path) if options.existing == Existing::Resume && RunDir::exists(path) => {
            let run = RunDir::open(path)?;
            let same = run.request().fingerprint() == game.fingerprint();
            Ok(same.then_some(run.request().method))
        }
        _ => Ok(None),
    }
}

/// What is asked of the driver, once the method is chosen.
fn request(game: &Arc<dyn Game>, options: &Options<'_>) -> Result<Request> {
    must_suit_sets(game.as_ref(), options)?;
    let one = options.chains == Chains::One;
    if one && game.side_swap().is_none() {
        return Err(Error::NotForGame { game: game.spec(), lack: Lack::MirrorImage });
    }
    let method = match options.method {
        Some(Method::Meet) if one => return Err(Error::ChainsOfMeet),
        Some(Method::Meet) if options.plies.is_none() => {
            must_end(game.as_ref())?;
            Method::Meet
        }
        Some(method) => method,
        None if one => Method::Retrograde,
        None => match method_begun(game.as_ref(), options)? {
            Some(method) => method,
            None => choose(Arc::clone(game), &options.resources)?,
        },
    };
    let (backward, forward) = match method {
        Method::Retrograde => (options.plies, None),
        Method::Meet => (Some(options.backward_plies.unwrap_or(0)), options.plies),
    };
    let mut request = Request::new(game.as_ref(), method, backward, forward);
    if options.admissible_from.is_some() {
        admissible_at(game.as_ref(), 0, options.resources.memory)?;
    }
    request.admissible_from = options.admissible_from;
    request.chains = options.chains;
    if options.keep == Keep::Last && method == Method::Meet {
        return Err(Error::WrongRun {
            wanted: "last plies that are kept alone",
            needs: RunNeeds::Retrograde,
        });
    }
    request.keep = options.keep;
    Ok(request)
}
