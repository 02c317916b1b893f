//! Random positions that fulfil a condition.

use chacha20::ChaCha12Rng;
use nerode_games::{Position, Side, Value};
use rand::SeedableRng;

use super::Stored;
use super::sample::{TRIES, of_game, of_sets};
use crate::archive::run_dir::Kind;
use crate::archive::stored_run::StoredRun;
use crate::error::Result;
use crate::solve::method::Method;

/// The number of positions drawn initially for each one that is requested from a filtered sample.
const DRAWS: usize = 40;
/// The number of draws after which the search for positions of a filtered sample stops, unless more are requested.
const MOST_DRAWS: usize = 40_000;
/// The difference of the seeds of consecutive draws.
const NEXT_SEED: u64 = 0x9E37_79B9_7F4A_7C15;

/// Draws positions of a finished run that have a given value, or whose value is unknown.
fn of_value(run: &StoredRun, value: Option<Value>, n: usize, rng: &mut ChaCha12Rng) -> Result<Vec<Position>> {
    let mut sets = Vec::new();
    for side in Side::BOTH {
        match run.method() {
            Method::Meet => {
                let kind = match value {
                    Some(Value::Win) => Kind::RW,
                    Some(Value::Draw) => Kind::RD,
                    Some(Value::Loss) => Kind::RL,
                    None => Kind::RU,
                };
                for ply in run.forward_plies(side) {
                    sets.push((side, run.set(kind, side, ply)?));
                }
            }
            Method::Retrograde => {
                let kind = match value {
                    Some(Value::Win) => Kind::W,
                    Some(Value::Draw) => Kind::D,
                    Some(Value::Loss) => Kind::L,
                    None => Kind::U,
                };
                sets.push((side, run.set(kind, side, run.last_ply())?));
            }
        }
    }
    of_sets(run, &sets, n, rng)
}

/// The restrictions on a random sample.
#[derive(Clone, Copy, Default)]
pub struct SampleFilter<'a> {
    /// The sector of the positions, for a solution of a morris game by sectors.
    pub sector: Option<&'a str>,
    /// The value for the side to move, where `Some(None)` stands for positions of unknown value.
    pub value: Option<Option<Value>>,
    /// A condition on the positions.
    pub accepts: Option<&'a dyn Fn(&Position) -> bool>,
}

impl dyn Stored {
    /// Draws up to `n` covered positions that fulfil `filter`. Equal seeds return equal positions. Returns `None` if the
    /// solution has no sector of that name.
    ///
    /// Positions are drawn as [`Stored::sample`] and [`Stored::sample_in`] do, and those that do not fulfil the filter
    /// are dropped. If too few remain, positions of random games are added, unless a sector is requested. The result has
    /// fewer positions if such positions are hard to find.
    ///
    /// # Errors
    /// Returns the same errors as [`Stored::sample`].
    pub fn sample_where(
        &self,
        n: usize,
        seed: u64,
        filter: &SampleFilter<'_>,
    ) -> Result<Option<Vec<Position>>> {
        let draw = |n: usize, seed: u64| match (filter.sector, filter.value, self.run()) {
            (Some(sector), _, _) => self.sample_in(sector, n, seed),
            (None, Some(value), Ok(run)) if has_sets_by_value(run) => {
                of_value(run, value, n, &mut ChaCha12Rng::seed_from_u64(seed)).map(Some)
            }
            _ => self.sample(n, seed).map(Some),
        };
        if filter.value.is_none() && filter.accepts.is_none() {
            return draw(n, seed);
        }
        if let Some(sector) = filter.sector
            && self.sample_in(sector, 0, seed)?.is_none()
        {
            return Ok(None);
        }
        // Without this, all draws would be made in vain.
        if filter.value == Some(None) && self.is_complete() {
            return Ok(Some(Vec::new()));
        }
        let fits = |position: &Position| -> Result<bool> {
            if filter.accepts.is_some_and(|accepts| !accepts(position)) {
                return Ok(false);
            }
            let Some(value) = filter.value else { return Ok(true) };
            let known = self.look_up(position)?;
            Ok(known.is_covered() && known.value() == value)
        };
        let (mut found, mut draws, mut at) = (Vec::new(), DRAWS * n, seed);
        while found.len() < n && draws <= 2 * MOST_DRAWS.max(DRAWS * n) {
            let Some(drawn) = draw(draws, at)? else { return Ok(None) };
            for position in drawn {
                if found.len() < n && fits(&position)? {
                    found.push(position);
                }
            }
            draws *= 2;
            at = at.wrapping_add(NEXT_SEED);
        }
        if filter.sector.is_none() {
            let mut rng = ChaCha12Rng::seed_from_u64(at);
            for _ in 0..TRIES * n {
                if found.len() == n {
                    break;
                }
                let position = of_game(self.game(), &mut rng);
                if self.look_up(&position)?.is_covered() && fits(&position)? {
                    found.push(position);
                }
            }
        }
        Ok(Some(found))
    }
}

/// Returns `true` if a run stores the positions of each value as sets.
fn has_sets_by_value(run: &StoredRun) -> bool {
    let last = run.last_ply();
    run.run.progress().finished
        && match run.method() {
            Method::Meet => true,
            Method::Retrograde => {
                let is_stored = |(side, kind): (Side, Kind)| {
                    run.entry(kind, side, last).is_ok_and(|entry| !entry.is_mirror())
                };
                let kinds = [Kind::W, Kind::L, Kind::D, Kind::U];
                Side::BOTH.into_iter().flat_map(|side| kinds.map(|kind| (side, kind))).all(is_stored)
            }
        }
}
