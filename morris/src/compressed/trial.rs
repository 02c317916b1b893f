//! Tests of a form: compares every position with the table, and times random look-ups.

use std::time::Instant;

use chacha20::ChaCha12Rng;
use nerode_games::morris::State;
use nerode_games::{Value, counted};
use rand::{Rng, RngExt, SeedableRng};

use super::form::SectorForm;
use crate::tables::{Sector, SectorIndex, SectorTable, value_of};
use nerode_solver::error::{Error, Result};

/// Returns random positions of a sector. Every slot that is not a hole is equally likely, and so is every symmetry.
pub fn sample(table: &SectorTable, count: usize, seed: u64) -> Vec<State> {
    sample_of(&table.index, table.sector, count, &mut ChaCha12Rng::seed_from_u64(seed))
}

/// Does the same as [`sample`] for a sector given by its index.
pub(super) fn sample_of(index: &SectorIndex, sector: Sector, count: usize, rng: &mut impl Rng) -> Vec<State> {
    let symmetries = index.symmetries();
    let mut states = Vec::with_capacity(count);
    // In any range of slots, most are positions.
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

/// Returns the mean time of looking up each of `states` once, in nanoseconds.
///
/// # Errors
/// Returns the errors of look-ups.
pub fn mean_lookup_ns(form: &mut dyn SectorForm, states: &[State]) -> Result<f64> {
    let began = Instant::now();
    let mut wins = 0u64;
    for &state in states {
        wins += u64::from(form.value(state)? == Value::Win);
    }
    std::hint::black_box(wins);
    Ok(began.elapsed().as_secs_f64() * 1e9 / states.len().max(1) as f64)
}

/// Looks up every position and compares it with the table. Returns the number of positions.
///
/// # Errors
/// Returns [`Error::Rules`] if an answer differs, or the errors of look-ups.
pub fn check(form: &mut dyn SectorForm, table: &SectorTable) -> Result<u64> {
    check_while(form, table, &mut || Ok(()))
}

/// The number of positions between two calls of `go_on`.
const STRETCH: u64 = 1 << 12;

/// Does the same as [`check`], as long as `go_on` allows.
///
/// # Errors
/// Returns the same errors as [`check`], or those of `go_on`, which is called every few thousand positions.
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

/// Returns all positions of a sector with their depths.
fn positions(table: &SectorTable) -> impl Iterator<Item = (State, Option<u16>)> {
    let hole = table.codes.width().hole();
    let slots = (0..table.codes.num_slots()).filter(move |&slot| table.codes.get(slot) != hole);
    slots.map(|slot| (table.state(slot), table.depth_at(slot)))
}

fn plies(depth: Option<u16>) -> String {
    depth.map_or_else(|| "a draw".into(), |plies| format!("{} to the end", counted(plies.into(), "ply")))
}

fn wrong(form: &dyn SectorForm, table: &SectorTable, state: State, depth: Option<u16>, found: &str) -> Error {
    Error::Rules {
        game: format!("sector {}", table.sector),
        reason: format!("'{}' answers {found}, but the table has {}, {state:?}", form.name(), plies(depth)),
    }
}
