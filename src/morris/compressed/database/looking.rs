//! Packed sectors compared with the tables that they were made from.

use std::sync::atomic::{AtomicBool, Ordering};

use nerode_games::Value;
use nerode_games::morris::State;
use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::morris::compressed::probe::Forms;
use crate::morris::compressed::trial::sample;
use crate::morris::tables::{SectorTable, value_of};

/// Slots up to which a derived sector is looked up whole.
const SMALL: u64 = 1 << 22;
/// Positions of a large derived sector that are looked up.
const SAMPLE: usize = 1 << 18;

/// Looks up every position of a sector, or of a large sector that is not `whole` a sample, and compares. Gives how many there were.
///
/// # Errors
/// [`Error::Rules`] when an answer differs; those of look-ups; [`Error::Interrupted`].
pub(super) fn look_up(
    forms: &Forms<'_>,
    table: &SectorTable,
    whole: bool,
    interrupt: &AtomicBool,
) -> Result<u64> {
    let compare = |state: State, depth: Option<u16>| {
        let (found, expected) = (forms.worth(state)?.value(), value_of(depth));
        if found == expected { Ok(()) } else { Err(wrong(table, state, found, expected)) }
    };
    if !whole && table.codes.num_slots() > SMALL {
        let states = sample(table, SAMPLE, 1);
        states.par_iter().try_for_each(|&state| compare(state, table.depth(state)))?;
        return Ok(states.len() as u64);
    }
    let of_class = |class: usize| {
        if interrupt.load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }
        let mut count = 0;
        for (slot, own, other) in table.index.positions_of_class(class) {
            compare(table.sector.state(own, other), table.depth_at(slot))?;
            count += 1;
        }
        Ok(count)
    };
    let classes = 0..table.index.classes().len();
    classes.into_par_iter().map(of_class).try_reduce(|| 0, |a, b| Ok(a + b))
}

fn wrong(table: &SectorTable, state: State, found: Value, expected: Value) -> Error {
    Error::Rules {
        game: format!("sector {}", table.sector),
        reason: format!("the packed sector answers {found} where the table has {expected}, {state:?}"),
    }
}
