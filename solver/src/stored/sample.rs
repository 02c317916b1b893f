//! Random positions of a solution of any format.

use nerode_dfa::Dfa;
use nerode_games::explicit::apply;
use nerode_games::{Game, Position, Side, Value};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha12Rng;

use super::Stored;
use crate::archive::run_dir::Kind;
use crate::archive::stored_run::StoredRun;
use crate::archive::table::keyed::KeyedTable;
use crate::error::Result;
use crate::solve::method::Method;

/// The number of words drawn for each requested position before games are played instead.
const TRIES: usize = 64;
/// The number of positions drawn initially for each one that is requested from a filtered sample.
const DRAWS: usize = 40;
/// The number of draws after which the search for positions of a filtered sample stops, unless more are requested.
const MOST_DRAWS: usize = 40_000;
/// The difference of the seeds of consecutive draws.
const NEXT_SEED: u64 = 0x9E37_79B9_7F4A_7C15;
/// The number of plies of a random game.
const PLIES: u32 = 200;

/// Draws covered words, or positions of random games if few words are covered.
pub(super) fn of_words(
    game: &dyn Game,
    is_covered: &dyn Fn(&Position) -> Result<bool>,
    n: usize,
    rng: &mut ChaCha12Rng,
) -> Result<Vec<Position>> {
    let shape = game.shape();
    let mut positions = Vec::with_capacity(n);
    for _ in 0..TRIES * n {
        if positions.len() == n {
            return Ok(positions);
        }
        let letter = |layer| rng.random_range(0..shape.num_letters(layer)) as u8;
        let word: Vec<u8> = (0..shape.num_layers()).map(letter).collect();
        let side = *Side::BOTH.choose(rng).unwrap_or(&Side::P1);
        let position = Position { board: game.board_of(&word), side };
        if is_covered(&position)? {
            positions.push(position);
        }
    }
    for _ in 0..TRIES * n {
        if positions.len() == n {
            break;
        }
        let position = of_game(game, rng);
        if is_covered(&position)? {
            positions.push(position);
        }
    }
    Ok(positions)
}

/// Draws a position of a random game, with equal probability for each of its plies.
fn of_game(game: &dyn Game, rng: &mut ChaCha12Rng) -> Position {
    let mut course = vec![game.start_position()];
    for _ in 0..PLIES {
        let Some(at) = course.last() else { break };
        let mut moves = Vec::new();
        game.legal_moves(&at.board, at.side, &mut moves);
        let Some(mv) = moves.choose(rng) else { break };
        course.push(Position { board: apply(&at.board, mv), side: at.side.other() });
    }
    let at = rng.random_range(0..course.len());
    course.swap_remove(at)
}

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

/// Draws rows of a table of reached positions, uniformly.
pub(super) fn of_rows(table: &KeyedTable, n: usize, rng: &mut ChaCha12Rng) -> Result<Vec<Position>> {
    let rows = 0..table.header().num_positions;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    (0..n).map(|_| Ok(table.row(rng.random_range(rows.clone()))?.0)).collect()
}

/// Draws positions that a run covers.
pub(super) fn of_run(run: &StoredRun, n: usize, rng: &mut ChaCha12Rng) -> Result<Vec<Position>> {
    let full = Dfa::full(run.game.shape());
    let covered: Vec<(Side, &Dfa)> = match run.method() {
        Method::Retrograde => Side::BOTH.map(|side| (side, &full)).into(),
        Method::Meet => Side::BOTH
            .into_iter()
            .flat_map(|side| run.forward_plies(side).map(move |ply| (side, ply)))
            .map(|(side, ply)| Ok((side, run.set(Kind::R, side, ply)?)))
            .collect::<Result<_>>()?,
    };
    of_sets(run, &covered, n, rng)
}

/// Draws positions uniformly from the union of several sets, each with the side to move. A word counts once for every
/// set that contains it.
pub(super) fn of_sets(
    run: &StoredRun,
    sets: &[(Side, &Dfa)],
    n: usize,
    rng: &mut ChaCha12Rng,
) -> Result<Vec<Position>> {
    let rankings = sets.iter().map(|(_, set)| Ok(set.ranking()?)).collect::<Result<Vec<_>>>()?;
    let total = rankings.iter().try_fold(0u128, |sum, ranking| sum.checked_add(ranking.count()));
    let total = total.ok_or(nerode_dfa::Error::CountOverflow)?;
    if total == 0 {
        return Ok(Vec::new());
    }
    let mut positions = Vec::with_capacity(n);
    for _ in 0..n {
        let mut rank = rng.random_range(0..total);
        for ((side, _), ranking) in sets.iter().zip(&rankings) {
            if let Some(word) = ranking.unrank(rank) {
                positions.push(Position { board: run.game.board_of(&word), side: *side });
                break;
            }
            rank -= ranking.count();
        }
    }
    Ok(positions)
}
