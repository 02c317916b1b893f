//! Arrays with two bits or one byte a position: the plainest forms, and the unit the others are measured in.

use super::form::{Representation, past_the_end, too_large};
use super::runs::{check_code, merged};
use crate::error::Result;

/// Bytes of an array of `num_positions` positions with `bits` bits each, whether it can be built or not; `None` above
/// `u128`.
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
    /// The array with two bits a position: position i in bits 2(i mod 4) and up of byte i/4.
    ///
    /// *Cost*: one quarter of a byte a position; whole bytes of a run are filled at once.
    ///
    /// # Errors
    /// [`crate::error::Error::TooLarge`] above `limit_bytes`; [`crate::error::Error::Malformed`] for a run of no code;
    /// [`crate::error::Error::Mismatch`] when the runs do not cover the positions exactly.
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

    /// The array with one byte a position.
    ///
    /// # Errors
    /// As for [`Packed::two_bits`].
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

    /// An array with room for all, and nothing in it. Memory is touched as it is filled, so that whoever gives the runs can stop.
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

    /// Sets positions `from..to`, all 0 before, to `code`.
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

/// An index of the array; it was allocated, so it fits.
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
