//! Matches: many games between two players, from short openings, with both colours.
//!
//! The games of a match are numbered. Number, seed and players decide a game, so that a match may be stopped and gone on with, and played
//! by any number of threads: other programs aside, the games are the same.

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

pub use one_game::{GameEnd, Played};
pub use tally::{Share, Tally};
pub use terms::Terms;

/// A match as it is told.
#[derive(Clone, Debug)]
pub struct Results {
    /// Openings that were played from.
    pub openings: usize,
    /// Openings that there are, where symmetric ones count once.
    pub openings_known: usize,
    /// Every game, by number.
    pub games: Vec<Played>,
    /// Games that were in the log before.
    pub found: usize,
}

/// A match that is about to be played.
pub struct Contest<'a> {
    game: &'a dyn Game,
    players: [PlayerKind; 2],
    terms: Terms,
}

impl<'a> Contest<'a> {
    /// The match of two players. Both know the rules of `game`.
    pub fn new(game: &'a dyn Game, players: [PlayerKind; 2], terms: Terms) -> Self {
        Self { game, players, terms }
    }

    /// Plays all games that `log` does not hold, on the threads of the pool in force. Each is written there when it is over, and handed to
    /// `watch` with the number of all games.
    ///
    /// # Errors
    /// [`Error::Interrupted`] with `interrupt`; [`Error::OtherContents`] for a log of another match; [`Error::Io`], for a program that
    /// cannot be started too; damaged solutions.
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
    /// How the first player fared.
    pub fn tally(&self) -> Tally {
        Tally::of(&self.games)
    }
}
