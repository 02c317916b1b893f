//! Arrays with two bits or one byte per position, which are the simplest forms and the baseline for the others.

use super::form::{Representation, past_the_end, too_large};
use super::runs::{check_code, merged};
use crate::error::Result;

/// Returns the size in bytes of an array of `num_positions` positions with `bits` bits each, even if it could not be
/// built, or `None` if it exceeds `u128`.
///
/// # Examples
/// ```
/// use nerode_solver::forms::represent::packed_bytes;
/// assert_eq!(packed_bytes(3u128.pow(20), 2), Some(871_696_101));
/// assert_eq!(packed_bytes(5, 2), Some(2));
/// ```
pub fn packed_bytes(num_positions: u128, bits: u32) -> Option<u128> {
    Some(num_positions.checked_mul(u128::from(bits))?.div_ceil(8))
}

/// An array of codes in memory.
#[derive(Clone, Debug)]
pub struct Packed {
    bits: u32,
    num_positions: u64,
    data: Vec<u8>,
}

impl Packed {
    /// Builds the array with two bits per position, where position i occupies the two bits from 2(i mod 4) upward of
    /// byte i/4.
    ///
    /// *Cost*: a quarter of a byte per position; runs are filled in whole bytes.
    ///
    /// # Errors
    /// Returns [`crate::error::Error::TooLarge`] if the array exceeds `limit_bytes`; [`crate::error::Error::Malformed`]
    /// for a run with an invalid code; or [`crate::error::Error::Mismatch`] if the runs do not cover the positions
    /// exactly.
    pub fn two_bits(
        num_positions: u64,
        runs: impl Iterator<Item = (u8, u64)>,
        limit_bytes: u64,
    ) -> Result<Self> {
        let mut packed = Self::empty(2, num_positions, limit_bytes)?;
        let mut at = 0;
        for run in merged(num_positions, runs) {
            let (code, len) = run?;
            packed.data.resize(place((at + len).div_ceil(4)), 0);
            packed.fill_two_bits(at, at + len, check_code(code)?);
            at += len;
        }
        Ok(packed)
    }

    /// Builds the array with one byte per position.
    ///
    /// # Errors
    /// Returns the same errors as [`Packed::two_bits`].
    pub fn one_byte(
        num_positions: u64,
        runs: impl Iterator<Item = (u8, u64)>,
        limit_bytes: u64,
    ) -> Result<Self> {
        let mut packed = Self::empty(8, num_positions, limit_bytes)?;
        let mut at = 0;
        for run in merged(num_positions, runs) {
            let (code, len) = run?;
            at += len;
            packed.data.resize(place(at), check_code(code)?);
        }
        Ok(packed)
    }

    /// Creates an empty array with capacity for all positions. Memory is touched only as the array is filled, so that
    /// the source of the runs can stop early.
    fn empty(bits: u32, num_positions: u64, limit_bytes: u64) -> Result<Self> {
        let needed = packed_bytes(u128::from(num_positions), bits).unwrap_or(u128::MAX);
        let refused = || too_large(&format!("an array of {bits} bits a position"), needed, limit_bytes);
        if needed > u128::from(limit_bytes) {
            return Err(refused());
        }
        let len = usize::try_from(needed).map_err(|_| refused())?;
        let mut data = Vec::new();
        data.try_reserve_exact(len).map_err(|_| refused())?;
        Ok(Self { bits, num_positions, data })
    }

    /// Sets positions `from..to`, all of which are 0, to `code`.
    fn fill_two_bits(&mut self, from: u64, to: u64, code: u8) {
        let (first_whole, last_whole) = (from.next_multiple_of(4).min(to), to - to % 4);
        for index in from..first_whole {
            self.data[place(index / 4)] |= code << (2 * (index % 4));
        }
        if last_whole > first_whole {
            self.data[place(first_whole / 4)..place(last_whole / 4)].fill(code * 0b0101_0101);
        }
        for index in last_whole.max(first_whole)..to {
            self.data[place(index / 4)] |= code << (2 * (index % 4));
        }
    }
}

/// Converts an index of the array, which is allocated, so the index fits into `usize`.
fn place(index: u64) -> usize {
    #[expect(clippy::cast_possible_truncation)]
    let place = index as usize;
    place
}

impl Representation for Packed {
    fn name(&self) -> String {
        if self.bits == 2 { "2 bits a position".to_string() } else { "1 byte a position".to_string() }
    }

    fn num_positions(&self) -> u64 {
        self.num_positions
    }

    fn bytes(&self) -> u64 {
        self.data.len() as u64
    }

    fn get(&mut self, index: u64) -> Result<u8> {
        if index >= self.num_positions {
            return Err(past_the_end(index, self.num_positions));
        }
        Ok(if self.bits == 2 {
            self.data[place(index / 4)] >> (2 * (index % 4)) & 0b11
        } else {
            self.data[place(index)]
        })
    }
}
