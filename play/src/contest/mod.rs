//! Matches: many games between two players, from short openings, with both colours.
//!
//! The games of a match are numbered. A game is determined by its number, the seed and the players, so that a match
//! can be interrupted and resumed, and played by any number of threads. The games are the same in each case, unless
//! other programs take part.

mod log;
mod one_game;
mod openings;
mod tally;
mod terms;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use nerode_games::Game;
use rayon::prelude::*;

use super::course::Limits;
use super::players::PlayerKind;
use log::Log;
use nerode_solver::error::{Error, Result};
use openings::openings;

pub use log::THIS_LOG;
pub use one_game::{GameEnd, Played};
pub use tally::{Share, Tally};
pub use terms::Terms;

/// The results of a match.
#[derive(Clone, Debug)]
pub struct Results {
    /// The number of openings played.
    pub openings: usize,
    /// The number of existing openings, where symmetric ones count once.
    pub openings_known: usize,
    /// All games by number.
    pub games: Vec<Played>,
    /// The number of games that the log already contained.
    pub found: usize,
}

/// A match that is ready to be played.
pub struct Contest<'a> {
    game: &'a dyn Game,
    players: [PlayerKind; 2],
    terms: Terms,
}

impl<'a> Contest<'a> {
    /// Creates a match between two players, who both know the rules of `game`.
    pub fn new(game: &'a dyn Game, players: [PlayerKind; 2], terms: Terms) -> Self {
        Self { game, players, terms }
    }

    /// Plays all games that `log` does not contain, on the current thread pool. Each game is appended to the log when
    /// it is over, and passed to `watch` with the total number of games.
    ///
    /// # Errors
    /// Returns [`Error::Interrupted`] with `interrupt`, [`Error::OtherContents`] for a log of another match,
    /// [`Error::Io`], also for a program that cannot be started, and an error for damaged solutions.
    pub fn play(
        &self,
        log: Option<&Path>,
        interrupt: &AtomicBool,
        watch: &(dyn Fn(&Played, usize) + Sync),
    ) -> Result<Results> {
        let (all, known) = openings(self.game, &self.terms)?;
        let log = log.map(|path| Log::open(path, &self.terms)).transpose()?;
        let num_games = 2 * all.len();
        let old: BTreeMap<usize, Played> = log.as_ref().map(Log::games).unwrap_or_default();
        let found = old.len();
        let open: Vec<usize> = (0..num_games).filter(|number| !old.contains_key(number)).collect();
        let limits = Limits { quiet_plies: self.terms.quiet_plies, plies: self.terms.plies };
        let play = |number: usize| -> Result<Played> {
            if interrupt.load(Ordering::Relaxed) {
                return Err(Error::Interrupted);
            }
            let opening = all[number / 2].clone();
            let players = [&self.players[number % 2], &self.players[1 - number % 2]];
            let played = one_game::play(self.game, players, opening, number, self.terms.seed, limits)?;
            log.as_ref().map_or(Ok(()), |log| log.add(&played))?;
            watch(&played, num_games);
            Ok(played)
        };
        let new: Vec<Played> = open.into_par_iter().map(play).collect::<Result<_>>()?;
        let mut games: Vec<Played> =
            old.into_values().filter(|played| played.number < num_games).chain(new).collect();
        games.sort_by_key(|played| played.number);
        Ok(Results { openings: all.len(), openings_known: known, games, found })
    }
}

impl Results {
    /// Returns the statistics for the first player.
    pub fn tally(&self) -> Tally {
        Tally::of(&self.games)
    }
}
