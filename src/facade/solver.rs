//! The path from a game to its solution: the choice of engine, method and directory.

use std::path::Path;
use std::sync::Arc;

use nerode_dfa::{ScratchDir, disk};
use nerode_games::Game;

use super::options::Options;
use super::registry::registry;
use super::solution::open_solution_with;
use nerode_solver::archive::run_dir::{Request, RunDir};
use nerode_solver::archive::table::keyed::write_keyed;
use nerode_solver::error::{Error, Lack, Result, RunNeeds};
use nerode_solver::run::{Existing, solve};
use nerode_solver::solve::choose::{choose, must_end, needs_sectors};
use nerode_solver::solve::method::{Chains, Keep, Method};
use nerode_solver::solve::reach::admissible_at;
use nerode_solver::solve::reached::in_play;
use nerode_solver::stored::Solution;

/// A game that can be solved. See [`open`], [`open_text`] and [`open_game`].
#[derive(Clone, Debug)]
pub struct Solver {
    game: Arc<dyn Game>,
    /// Whether the registry contains the game, in all its letter orders.
    registered: bool,
}

/// Opens the game that `spec` names, such as `breakthrough:4x5`.
///
/// # Errors
/// Returns [`Error::Game`] with the most similar name, or with the format of the game's parameters.
///
/// # Examples
/// ```
/// let error = nerode::open("breakthru:4x5").unwrap_err();
/// assert!(error.to_string().contains("did you mean 'breakthrough'"));
/// ```
pub fn open(spec: &str) -> Result<Solver> {
    Ok(Solver { game: registry().open(spec)?, registered: true })
}

/// Opens a game called `name` from its rules in the language of Regular Boardgames, given in `text`.
///
/// # Errors
/// Returns [`Error::Game`] with the place in the text.
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
    Ok(open_game(registry().open_text(name, text, None)?))
}

/// Opens a custom game, which does not have to be in a registry.
///
/// If its solution is stored in a directory, [`open_solution_with`] opens it again.
pub fn open_game(game: Arc<dyn Game>) -> Solver {
    Solver { game, registered: false }
}

impl Solver {
    /// Returns the game.
    pub fn game(&self) -> &dyn Game {
        self.game.as_ref()
    }

    /// Returns a shared handle to the game.
    pub fn shared_game(&self) -> Arc<dyn Game> {
        Arc::clone(&self.game)
    }

    /// Returns the names of the letter orders of the game, with its default first.
    ///
    /// # Errors
    /// Does not fail for a game that was opened, as long as its rules can be read.
    pub fn orders(&self) -> Result<Vec<String>> {
        match self.game.rules_text() {
            Some(text) => Ok(registry().orders_of_text(&self.game.spec(), &text)?),
            None if self.registered => Ok(registry().orders(&self.game.spec())?),
            None => Ok(vec![self.game.order().to_string()]),
        }
    }

    /// Returns the same game in another letter order, which is one of [`Solver::orders`], or `cells:` followed by every cell once.
    ///
    /// # Errors
    /// Returns [`Error::Game`] for an order that the game does not have.
    ///
    /// # Examples
    /// ```
    /// let game = nerode::open("breakthrough:3x4")?;
    /// let last = game.orders()?.pop().unwrap();
    /// assert_eq!(game.with_order(&last)?.game().order(), last);
    /// # Ok::<(), nerode::Error>(())
    /// ```
    pub fn with_order(&self, order: &str) -> Result<Self> {
        Ok(Self { game: self.in_order(Some(order))?, registered: self.registered })
    }

    /// Returns `true` if the game is solved by sectors, because it has too many positions to represent them all as
    /// sets. [`Solver::solve`] refuses such a game unless the options set a method or a number of plies.
    pub fn needs_sectors(&self) -> bool {
        needs_sectors(self.game.as_ref())
    }

    /// Solves the game. [`Method::Retrograde`] computes the value and depth of every position; [`Method::Meet`]
    /// computes the values of the reachable positions, without depths.
    ///
    /// # Errors
    /// Returns [`Error::NotForGame`] for a game that cannot be solved with sets, because it has too many positions or
    /// is solved by sectors, and [`Error::NotForGame`] or [`Error::ChainsOfMeet`] for options that exclude each
    /// other. Also returns an error if memory or disk space is exhausted, and after an interruption, from which
    /// [`Existing::Resume`](crate::Existing::Resume) continues if there is a directory.
    pub fn solve(&self, mut options: Options<'_>) -> Result<Solution> {
        let game = self.in_order(options.order.as_deref())?;
        let request = options.guarded(|| request(&game, &options))?;
        let mut watch = options.on_ply.take();
        let mut ignore = |_: &_| ();
        let watch = match watch.as_mut() {
            Some(watch) => watch.as_mut() as &mut (dyn FnMut(&_) + Send),
            None => &mut ignore,
        };
        let mut solve_in = |path: &Path| {
            options.guarded(|| {
                let resources = &options.resources;
                solve(Arc::clone(&game), request.clone(), path, options.existing, resources, watch)
            })?;
            open_solution_with(path, &|_: &str, _: &str| Ok(Arc::clone(&game)))
        };
        match &options.directory {
            Some(path) => solve_in(path),
            None => {
                let scratch = scratch()?;
                Ok(solve_in(scratch.path())?.within(scratch))
            }
        }
    }

    /// Computes value and depth of every position that play from the start reaches, by the plain rules and without sets. The solution
    /// is a table in one file, whose path is the directory of the options, or a temporary one. Of the other options, only those for
    /// resources, interruption and existing files have an effect.
    ///
    /// Cost: some tens of bytes of memory for each reached position, and at least two calls of the rules.
    ///
    /// # Errors
    /// Returns [`Error::Rules`] if the game violates one of its guarantees, and [`Error::Io`] if the file exists, unless the options say
    /// [`Existing::Overwrite`]. Also returns an error if memory or disk space is exhausted, and after an interruption, from which
    /// nothing can be resumed.
    ///
    /// # Examples
    /// ```
    /// let solution = nerode::open("tictactoe:3x3")?.solve_reached(nerode::Options::default())?;
    /// let start = solution.game().start_position();
    /// assert_eq!(solution.query(&start)?.value(), Some(nerode::Value::Draw));
    /// # Ok::<(), nerode::Error>(())
    /// ```
    pub fn solve_reached(&self, options: Options<'_>) -> Result<Solution> {
        let (game, resources) = (self.game.as_ref(), &options.resources);
        let overwrite = options.existing == Existing::Overwrite;
        let solve_in = |path: &Path| {
            if !overwrite && disk::exists(path).map_err(|e| Error::io(path, e))? {
                return Err(Error::io(path, std::io::ErrorKind::AlreadyExists.into()));
            }
            let pool = resources.pool()?;
            options.guarded(|| {
                pool.install(|| {
                    let solution = in_play(game, Vec::new(), path, resources, &mut |_| ())?;
                    write_keyed(path, game, solution, overwrite, resources, &mut |_, _| ())
                })
            })?;
            open_solution_with(path, &|_: &str, _: &str| Ok(self.shared_game()))
        };
        match &options.directory {
            Some(path) => solve_in(path),
            None => {
                let scratch = scratch()?;
                Ok(solve_in(&scratch.path().join("reached.tbl"))?.within(scratch))
            }
        }
    }

    /// Returns the game in the requested letter order.
    fn in_order(&self, order: Option<&str>) -> Result<Arc<dyn Game>> {
        if let (Some(name), Some(text)) = (order, self.game.rules_text()) {
            return Ok(registry().open_text(&self.game.spec(), &text, Some(name))?);
        }
        match order {
            None => Ok(Arc::clone(&self.game)),
            Some(name) if self.registered => Ok(registry().open_with_order(&self.game.spec(), Some(name))?),
            Some(name) if name == self.game.order() => Ok(Arc::clone(&self.game)),
            Some(name) => {
                let known = self.game.order().to_string();
                Err(nerode_games::Error::UnknownOrder { name: name.into(), known }.into())
            }
        }
    }
}

/// Creates a temporary directory for a solution.
fn scratch() -> Result<ScratchDir> {
    ScratchDir::new().map_err(|e| Error::io(std::env::temp_dir(), e))
}

/// Rejects games that need another engine, unless the options set a method or a number of plies.
fn must_suit_sets(game: &dyn Game, options: &Options<'_>) -> Result<()> {
    let whole = options.method.is_none() && options.plies.is_none();
    if whole && needs_sectors(game) {
        return Err(Error::NotForGame { game: game.spec(), lack: Lack::WholeSets });
    }
    Ok(())
}

/// Returns the method of the run that is to be resumed, if there is one.
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

/// Returns the request for the driver, after the method has been chosen.
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
        return Err(Error::WrongRun { wanted: "sets of only the last plies", needs: RunNeeds::Retrograde });
    }
    request.keep = options.keep;
    Ok(request)
}
