//! Counts of move sequences by ply, both with moves distinguished by their changes and with moves distinguished by their results.

use std::collections::HashMap;

use super::super::fault::Result;
use super::Interpreter;
use super::state::State;
use super::walker::Walker;

/// The counts at a ply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ply {
    /// The number of move sequences of this length. Moves are distinct if their changes are.
    pub paths: u128,
    /// The number of sequences of positions of this length, not counting the start. Moves to the same position count as one.
    pub results: u128,
    /// The number of distinct positions, or `None` at the last ply and where there were too many to store.
    pub positions: Option<u64>,
    /// The number of move sequences after which the game is over, or `None` at the last ply.
    pub ended: Option<u128>,
}

/// The counts by ply from the start position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Perft {
    /// Ply 0 is the start.
    pub plies: Vec<Ply>,
    /// If `true`, the counting was stopped and later plies are missing.
    pub stopped: bool,
}

/// The maximum number of positions of a ply that are stored.
const KEPT: usize = 1 << 20;

type Level = HashMap<State, (u128, u128)>;

impl Interpreter {
    /// Counts up to `depth` plies. `told` is called after every completed ply, and occasionally with `None`. It returns `false`
    /// to stop the counting.
    ///
    /// Equal positions of a ply are expanded once, unless there are too many.
    ///
    /// # Errors
    /// Returns the same errors as [`Interpreter::moves`].
    ///
    /// # Examples
    /// ```
    /// use nerode_rules::rbg::{Interpreter, bundled, read};
    /// let game = bundled().iter().find(|game| game.name == "tictactoe").unwrap();
    /// let book = read(game.name, game.text).unwrap();
    /// let counts = Interpreter::new(&book).perft(4, |_| true).unwrap();
    /// assert_eq!(counts.plies.iter().map(|ply| ply.paths).collect::<Vec<_>>(), [1, 9, 72, 504, 3024]);
    /// ```
    pub fn perft(&self, depth: usize, told: impl FnMut(Option<&Ply>) -> bool) -> Result<Perft> {
        self.perft_keeping(KEPT, depth, told)
    }

    /// Counts like [`Interpreter::perft`], but stores at most `kept` positions of a ply. Plies after a ply with more positions
    /// have no number of positions, and take longer.
    ///
    /// # Errors
    /// Returns the same errors as [`Interpreter::moves`].
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

/// The result of expanding a level.
enum Next {
    /// The numbers of paths and results, at the last ply.
    Counted(u128, u128),
    Level(Level),
    /// The next level has more positions than may be stored.
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

    /// Returns `true` if the counting should continue.
    fn ask(&mut self) -> bool {
        self.stopped |= !(self.told)(None);
        !self.stopped
    }

    /// Returns the number of paths that end at the level, and the next level.
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

    /// Counts from every position of a level, one path after another. The first of the plies is the level itself.
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
