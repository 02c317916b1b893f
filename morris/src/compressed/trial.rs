//! Tests of a form: every position against the table, and the time of random look-ups.

use std::time::Instant;

use nerode_games::Value;
use nerode_games::morris::State;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha12Rng;

use super::form::SectorForm;
use crate::tables::{Sector, SectorIndex, SectorTable, value_of};
use nerode_solver::error::{Error, Result};

/// Random positions of a sector, each slot that is no hole as likely as another, turned and reflected at random.
pub fn sample(table: &SectorTable, count: usize, seed: u64) -> Vec<State> {
    sample_of(&table.index, table.sector, count, &mut ChaCha12Rng::seed_from_u64(seed))
}

/// The same for a sector by its index.
pub(super) fn sample_of(index: &SectorIndex, sector: Sector, count: usize, rng: &mut impl Rng) -> Vec<State> {
    let symmetries = index.symmetries();
    let mut states = Vec::with_capacity(count);
    // Of any run of slots most are positions.
    for _ in 0..count.saturating_mul(64) {
        if states.len() == count {
            break;
        }
        let slot = rng.random_range(0..index.num_slots());
        let op = rng.random_range(0..symmetries.len()) as u8;
        if index.hole(slot).is_none() {
            let (own, other) = index.position(slot);
            states.push(sector.state(symmetries.apply(op, own), symmetries.apply(op, other)));
        }
    }
    states
}

/// Mean time of looking up each of `states` once, in nanoseconds.
///
/// # Errors
/// What a look-up gives.
pub fn mean_lookup_ns(form: &mut dyn SectorForm, states: &[State]) -> Result<f64> {
    let began = Instant::now();
    let mut wins = 0u64;
    for &state in states {
        wins += u64::from(form.value(state)? == Value::Win);
    }
    std::hint::black_box(wins);
    Ok(began.elapsed().as_secs_f64() * 1e9 / states.len().max(1) as f64)
}

/// Looks up every position and compares with the table; gives how many there are.
///
/// # Errors
/// [`Error::Rules`] when an answer differs; what a look-up gives.
pub fn check(form: &mut dyn SectorForm, table: &SectorTable) -> Result<u64> {
    check_while(form, table, &mut || Ok(()))
}

/// Positions between two calls of `go_on`.
const STRETCH: u64 = 1 << 12;

/// [`check`], as long as `go_on` allows.
///
/// # Errors
/// As there; those of `go_on`, which is called every few thousand positions.
pub fn check_while(
    form: &mut dyn SectorForm,
    table: &SectorTable,
    go_on: &mut dyn FnMut() -> Result<()>,
) -> Result<u64> {
    let mut num_positions = 0u64;
    for (state, expected) in positions(table) {
        if num_positions.is_multiple_of(STRETCH) {
            go_on()?;
        }
        num_positions += 1;
        let value = form.value(state)?;
        if value != value_of(expected) {
            return Err(wrong(form, table, state, expected, &value.to_string()));
        }
    }
    for ((state, expected), at) in positions(table).zip(0u64..) {
        if at.is_multiple_of(STRETCH) {
            go_on()?;
        }
        match form.depth(state)? {
            None => break,
            Some(depth) if depth == expected => {}
            Some(depth) => return Err(wrong(form, table, state, expected, &plies(depth))),
        }
    }
    Ok(num_positions)
}

/// All positions of a sector with their depths.
fn positions(table: &SectorTable) -> impl Iterator<Item = (State, Option<u16>)> {
    let hole = table.codes.width().hole();
    let slots = (0..table.codes.num_slots()).filter(move |&slot| table.codes.get(slot) != hole);
    slots.map(|slot| (table.state(slot), table.depth_at(slot)))
}

fn plies(depth: Option<u16>) -> String {
    depth.map_or_else(|| "a draw".into(), |plies| format!("{plies} plies to the end"))
}

fn wrong(form: &dyn SectorForm, table: &SectorTable, state: State, depth: Option<u16>, found: &str) -> Error {
    Error::Rules {
        game: format!("sector {}", table.sector),
        reason: format!("'{}' answers {found} where the table has {}, {state:?}", form.name(), plies(depth)),
    }
}
