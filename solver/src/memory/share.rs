//! The division of a memory cap: the program itself, the tables of the engine, and buffers, files and finished automata.

use super::process::{available_memory, held_bytes};
use crate::error::CapError;

/// The fraction of the cap, after subtracting the program itself, that the engine's tables may take if the cap is
/// large. The remainder is for buffers, files, finished automata, and freed memory that has not been returned to the
/// system.
const ENGINE_SHARE: (u64, u64) = (3, 4);

/// The approximate number of bytes that such memory takes in any case, or half of the cap if that is less.
const BESIDE: u64 = 64 << 20;

/// The cap if the system does not report the available memory.
const FALLBACK_MEMORY: u64 = 4 << 30;

/// The number of bytes, in addition to the program itself, below which no work is started.
const NOTHING: u64 = 10 << 20;

/// Returns the number of bytes of `cap` that remain for the work after subtracting the memory of the program itself.
///
/// # Errors
/// Returns [`CapError::Program`] if none remain.
pub fn left_by_program(cap: u64) -> Result<u64, CapError> {
    let held = held_bytes().unwrap_or(0);
    match cap.checked_sub(held) {
        Some(left) if left > NOTHING => Ok(left),
        _ => Err(CapError::Program { held, cap }),
    }
}

/// Returns the number of bytes that the engine's tables may take of the `left` bytes of a cap that remain after
/// subtracting the program itself.
pub fn engine_share(left: u64) -> u64 {
    (left.saturating_sub(BESIDE) / ENGINE_SHARE.1 * ENGINE_SHARE.0).max(left / 2)
}

/// Returns the number of bytes of a cap that must remain after subtracting the program itself to allow tables of
/// `bytes` bytes.
pub fn left_for_engine(bytes: u128) -> u128 {
    let much = bytes.div_ceil(ENGINE_SHARE.0.into()).saturating_mul(ENGINE_SHARE.1.into());
    much.saturating_add(BESIDE.into()).min(bytes.saturating_mul(2))
}

/// Returns the default memory cap of a process: three quarters of the available memory.
pub fn usable_memory() -> u64 {
    available_memory().map_or(FALLBACK_MEMORY, |available| available / 4 * 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_take_half_of_little_and_three_quarters_of_much() {
        assert_eq!(
            [0, 64 << 20, 16 << 30].map(engine_share),
            [0, 32 << 20, ((16 << 30) - (64 << 20)) / 4 * 3]
        );
    }

    #[test]
    fn a_cap_below_the_program_says_what_is_worth_a_try() {
        let left = left_by_program(1 << 10);
        if held_bytes().is_some() {
            let error = left.unwrap_err();
            assert!(error.enough_mib() >= 17 && error.to_string().contains("1.0 KiB are allowed"), "{error}");
            assert!(left_by_program(u64::MAX).unwrap() < u64::MAX);
        }
    }
}
