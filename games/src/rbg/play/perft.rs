//! Counts of moves in sequence, by ply: as the rules tell moves apart, and as positions do.

use std::collections::HashMap;

use super::super::fault::Result;
use super::Interpreter;
use super::state::State;
use super::walker::Walker;

/// Counts at a ply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ply {
    /// Move sequences of that length; moves differ where their changes do.
    pub paths: u128,
    /// Sequences of positions of that length, the start not counted: moves that lead to the same position are one.
    pub results: u128,
    /// Distinct positions; `None` where they were too many to keep, and at the last ply.
    pub positions: Option<u64>,
    /// Move sequences after which the game is over; `None` at the last ply.
    pub ended: Option<u128>,
}

/// Counts by ply from the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Perft {
    /// Ply 0 is the start.
    pub plies: Vec<Ply>,
    /// Whether the counting was stopped: the plies after the last are missing.
    pub stopped: bool,
}

/// Most positions of a ply that are kept.
const KEPT: usize = 1 << 20;

type Level = HashMap<State, (u128, u128)>;

impl Interpreter {
    /// Counts as far as `depth` plies. `told` is told of every ply that is done, and says whether to go on; it is also asked
    /// now and then, with `None`.
    ///
    /// Equal positions of a ply are looked at once while there are not too many.
    ///
    /// # Errors
    /// As [`Interpreter::moves`].
    ///
    /// # Examples
    /// ```
    /// use nerode_games::rbg::{Interpreter, bundled, read};
    /// let game = bundled().iter().find(|game| game.name == "tictactoe").unwrap();
    /// let book = read(game.name, game.text).unwrap();
    /// let counts = Interpreter::new(&book).perft(4, |_| true).unwrap();
    /// assert_eq!(counts.plies.iter().map(|ply| ply.paths).collect::<Vec<_>>(), [1, 9, 72, 504, 3024]);
    /// ```
    pub fn perft(&self, depth: usize, told: impl FnMut(Option<&Ply>) -> bool) -> Result<Perft> {
        self.perft_keeping(KEPT, depth, told)
    }

    /// As [`Interpreter::perft`], with at most `kept` positions of a ply kept. The plies after such a ply have no number of
    /// positions, and take longer.
    ///
    /// # Errors
    /// As [`Interpreter::moves`].
    pub fn perft_keeping(
        &self,
        kept: usize,
        depth: usize,
        mut told: impl FnMut(Option<&Ply>) -> bool,
    ) -> Result<Perft> {
        let mut count = Count { game: self, walker: self.walker(), kept, told: &mut told, stopped: false };
        let mut perft = Perft { plies: Vec::new(), stopped: false };
        let mut level: Level = HashMap::from([(self.start()?, (1, 1))]);
        let mut ply = Ply { paths: 1, results: 1, ..Ply::default() };
        while perft.plies.len() < depth {
            ply.positions = Some(level.len() as u64);
            let left = depth - perft.plies.len();
            let (ended, next) = count.expand(&level, left == 1)?;
            if count.stopped {
                perft.stopped = true;
                return Ok(perft);
            }
            match next {
                Next::Counted(paths, results) => {
                    ply.ended = Some(ended);
                    count.tell(&ply);
                    perft.plies.push(std::mem::replace(&mut ply, Ply { paths, results, ..Ply::default() }));
                }
                Next::Level(next) => {
                    ply.ended = Some(ended);
                    count.tell(&ply);
                    perft.plies.push(ply);
                    let add = |(a, b): (u128, u128), (c, d): &(u128, u128)| (a + c, b + d);
                    let (paths, results) = next.values().fold((0, 0), add);
                    ply = Ply { paths, results, ..Ply::default() };
                    level = next;
                }
                Next::TooMany => {
                    let plies = count.deep(&level, left)?;
                    perft.stopped = count.stopped;
                    if !perft.stopped {
                        ply.ended = plies[0].ended;
                        let all: Vec<Ply> = std::iter::once(ply).chain(plies.into_iter().skip(1)).collect();
                        all.iter().for_each(|ply| count.tell(ply));
                        perft.plies.extend(all);
                    }
                    return Ok(perft);
                }
            }
        }
        count.tell(&ply);
        perft.plies.push(ply);
        Ok(perft)
    }
}

/// What comes after a level.
enum Next {
    /// The last ply: paths and results.
    Counted(u128, u128),
    Level(Level),
    /// More positions than are kept.
    TooMany,
}

struct Count<'a, F> {
    game: &'a Interpreter,
    walker: Walker<'a>,
    kept: usize,
    told: &'a mut F,
    stopped: bool,
}

impl<F: FnMut(Option<&Ply>) -> bool> Count<'_, F> {
    fn tell(&mut self, ply: &Ply) {
        self.stopped |= !(self.told)(Some(ply));
    }

    /// Whether to go on.
    fn ask(&mut self) -> bool {
        self.stopped |= !(self.told)(None);
        !self.stopped
    }

    /// Paths of the level that end there, and what follows.
    fn expand(&mut self, level: &Level, last: bool) -> Result<(u128, Next)> {
        let (mut ended, mut counted) = (0, (0, 0));
        let mut next = Level::new();
        for (state, &(paths, results)) in level {
            if !self.ask() {
                return Ok((0, Next::TooMany));
            }
            let found = self.game.results_by(&mut self.walker, state)?;
            if found.is_empty() {
                ended += paths;
            }
            counted.1 += results * found.len() as u128;
            for (after, times) in found {
                counted.0 += paths * u128::from(times);
                if !last {
                    let sums = next.entry(after).or_default();
                    sums.0 += paths * u128::from(times);
                    sums.1 += results;
                }
            }
            if next.len() > self.kept {
                return Ok((0, Next::TooMany));
            }
        }
        Ok((ended, if last { Next::Counted(counted.0, counted.1) } else { Next::Level(next) }))
    }

    /// Counts from every position of a level on, one path after the other; the first of the plies is the level.
    fn deep(&mut self, level: &Level, left: usize) -> Result<Vec<Ply>> {
        let mut plies = vec![Ply { ended: Some(0), ..Ply::default() }; left];
        plies.push(Ply::default());
        for (state, &weights) in level {
            self.from(state, weights, 0, &mut plies)?;
        }
        Ok(plies)
    }

    fn from(&mut self, state: &State, weights: (u128, u128), at: usize, plies: &mut [Ply]) -> Result<()> {
        if !self.ask() {
            return Ok(());
        }
        plies[at].paths += weights.0;
        plies[at].results += weights.1;
        let found = self.game.results_by(&mut self.walker, state)?;
        if found.is_empty()
            && let Some(ended) = &mut plies[at].ended
        {
            *ended += weights.0;
        }
        let last = at + 2 == plies.len();
        for (after, times) in found {
            let weights = (weights.0 * u128::from(times), weights.1);
            if last {
                plies[at + 1].paths += weights.0;
                plies[at + 1].results += weights.1;
            } else {
                self.from(&after, weights, at + 1, plies)?;
            }
        }
        Ok(())
    }
}
