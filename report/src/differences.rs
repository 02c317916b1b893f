//! Differences between two solutions for the same boards, position by position.

use nerode_games::{Position, Side, Value};
use nerode_oracle::Indexer;
use rayon::prelude::*;

use nerode_solver::error::{Error, Result};
use nerode_solver::outcome::Evaluation;
use nerode_solver::solve::resources::Resources;
use nerode_solver::stored::Solution;

/// The number of boards that one task compares.
const CHUNK: u64 = 1 << 10;

/// The number of boards between two progress reports.
const STRETCH: u64 = 1 << 15;

/// What a solution says about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Said {
    /// A value for the side to move.
    Known(Value),
    /// The solution has not decided the position.
    Unknown,
    /// The solution contains no information about the position.
    NotCovered,
}

impl Said {
    /// All possibilities.
    pub const ALL: [Self; 5] = [
        Self::Known(Value::Win),
        Self::Known(Value::Draw),
        Self::Known(Value::Loss),
        Self::Unknown,
        Self::NotCovered,
    ];

    fn of(evaluation: &Evaluation) -> Self {
        match evaluation.value() {
            Some(value) => Self::Known(value),
            None if evaluation.is_covered() => Self::Unknown,
            None => Self::NotCovered,
        }
    }

    fn index(self) -> usize {
        Self::ALL.iter().position(|&said| said == self).unwrap_or_default()
    }
}

/// A position about which two solutions say different things.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The position.
    pub position: Position,
    /// The number of plies to the end in each solution, where it is known.
    pub depths: [Option<u32>; 2],
}

/// The positions about which the solutions say the same pair of things.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pair {
    /// The number of positions.
    pub positions: u64,
    /// The first of them.
    pub examples: Vec<Example>,
}

/// The comparison of two solutions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Differences {
    /// The number of positions that at least one of the solutions covers, counted once per side to move.
    pub compared: u64,
    /// The positions by what the first and the second solution say, in the order of [`Said::ALL`].
    pairs: [[Pair; 5]; 5],
    /// The positions that have the same value, but exact depths that differ.
    pub other_depth: Pair,
}

impl Differences {
    /// Returns the positions about which the first solution says `first`, and the second one `second`.
    pub fn pair(&self, first: Said, second: Said) -> &Pair {
        &self.pairs[first.index()][second.index()]
    }

    fn add(&mut self, other: Self, most: usize) {
        self.compared += other.compared;
        let pairs = self.pairs.iter_mut().flatten().zip(other.pairs.into_iter().flatten());
        for (pair, more) in pairs.chain([(&mut self.other_depth, other.other_depth)]) {
            pair.positions += more.positions;
            let room = most.saturating_sub(pair.examples.len());
            pair.examples.extend(more.examples.into_iter().take(room));
        }
    }
}

/// Compares what two solutions say about every board with either side to move. Returns at most `most` examples of each kind.
/// `progress` is called with the numbers of boards done and in total.
///
/// Cost: two look-ups for each board and side, on all threads.
///
/// # Errors
/// Returns [`Error::Mismatch`] if the games have different boards, an error for more boards than an index can number, the errors of
/// look-ups, or [`Error::Interrupted`].
pub fn differences(
    solutions: [&Solution; 2],
    most: usize,
    resources: &Resources,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Differences> {
    let games = solutions.map(|solution| solution.game());
    if games[0].cell_states() != games[1].cell_states() {
        return Err(Error::Mismatch {
            what: "the boards of two solutions".into(),
            found: games[1].spec(),
            expected: format!("a game on the board of {}", games[0].spec()),
        });
    }
    let indexer = Indexer::new(games[0], &games[0].spec()).map_err(Error::from)?;
    let pool = resources.pool()?;
    let total = indexer.num_positions();
    let mut sum = Differences::default();
    for begin in (0..total).step_by(STRETCH as usize) {
        resources.must_go_on()?;
        progress(begin, total);
        let end = (begin + STRETCH).min(total);
        let chunks: Vec<u64> = (begin..end).step_by(CHUNK as usize).collect();
        let part = |&from: &u64| chunk(solutions, &indexer, from..(from + CHUNK).min(end), most);
        let parts: Vec<Differences> = pool.install(|| chunks.par_iter().map(part).collect::<Result<_>>())?;
        parts.into_iter().for_each(|part| sum.add(part, most));
    }
    Ok(sum)
}

/// Compares the boards whose indices are in `range`.
fn chunk(
    solutions: [&Solution; 2],
    indexer: &Indexer,
    range: std::ops::Range<u64>,
    most: usize,
) -> Result<Differences> {
    let mut found = Differences::default();
    let Some(mut cursor) = indexer.cursor(range.start) else { return Ok(found) };
    for _ in range {
        for side in Side::BOTH {
            let position = Position { board: cursor.board().to_vec(), side };
            let [first, second] = [solutions[0].look_up(&position)?, solutions[1].look_up(&position)?];
            let said = [Said::of(&first), Said::of(&second)];
            if said == [Said::NotCovered; 2] {
                continue;
            }
            found.compared += 1;
            let depths = [first.depth(), second.depth()];
            let example = || Example { position: position.clone(), depths };
            let count = |pair: &mut Pair| {
                pair.positions += 1;
                if pair.examples.len() < most {
                    pair.examples.push(example());
                }
            };
            if said[0] != said[1] {
                count(&mut found.pairs[said[0].index()][said[1].index()]);
            } else if let [Some(first), Some(second)] = depths
                && first != second
            {
                count(&mut found.other_depth);
            }
        }
        cursor.step(indexer);
    }
    Ok(found)
}
