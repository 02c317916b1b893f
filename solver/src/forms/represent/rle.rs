//! Run-length coding in the style of Gasser's databases for Nine Men's Morris (paper 002, section 3.3.3).
//!
//! The text states the ranges, but the figure with the bytes is missing from our copy. The following interpretation
//! explains every number in the text:
//!
//! - A run begins with the *value info*. Bit 7 is bit X of the paper, which is set if the run has length one. The other
//!   seven bits are 0 to 125 for the plies of a win or loss, 126 for a draw, and 127 if the plies follow in a second
//!   byte. 126 values and two escapes use all combinations of seven bits.
//! - The second byte, if present, is plies - 126, which covers 126 to 381 plies ("up to 381").
//! - Unless X is set, the length follows: one byte if it is below 128; two bytes with the top bits `10` if it is below
//!   16 384; or four bytes with the top bits `11` if it is below 2^30, with the most significant byte first. Longer
//!   runs are split.
//! - Wins and losses are not distinguished explicitly: a loss takes an even number of plies and a win an odd one, as in
//!   every game that ends with a loss for the side to move. Without plies, a loss is coded as 0 plies and a win as 1.
//!
//! There are two deviations. Undecided positions need a code other than that of draws (the paper's file does not
//! distinguish them): the second byte 255, which leaves plies up to 380. Furthermore, the index into the code, which
//! the paper mentions without details, has an entry of 16 bytes for every 128 runs.

use super::form::{Representation, past_the_end, too_large};
use super::runs::{check_code, merged};
use super::{DRAW, LOSS, UNKNOWN, WIN};
use crate::error::{Error, Result};

/// The greatest number of plies that can be coded.
pub const MAX_PLIES: u16 = 380;

const LENGTH_ONE: u8 = 0x80;
const INFO_DRAW: u8 = 126;
const INFO_SECOND_BYTE: u8 = 127;
const SECOND_UNKNOWN: u8 = 255;
const LONGEST_RUN: u64 = (1 << 30) - 1;
const RUNS_PER_ENTRY: u64 = 128;
const ENTRY_BYTES: u64 = 16;

/// The value that a run repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RleValue {
    /// Undecided.
    Unknown,
    /// Drawn.
    Draw,
    /// Decided in this number of plies: lost if it is even, won if it is odd.
    Plies(u16),
}

impl RleValue {
    /// Returns the value of a code without plies: a loss in 0 plies, or a win in 1 ply.
    fn of_code(code: u8) -> Result<Self> {
        Ok(match check_code(code)? {
            LOSS => Self::Plies(0),
            WIN => Self::Plies(1),
            DRAW => Self::Draw,
            _ => Self::Unknown,
        })
    }

    /// Returns the code without the plies.
    pub fn code(self) -> u8 {
        match self {
            Self::Unknown => UNKNOWN,
            Self::Draw => DRAW,
            Self::Plies(plies) if plies.is_multiple_of(2) => LOSS,
            Self::Plies(_) => WIN,
        }
    }

    /// Returns the seven bits of value info, and the second byte.
    fn bytes(self) -> Result<(u8, Option<u8>)> {
        let too_deep = |plies| Error::Unrepresentable {
            what: format!("a depth of {plies} plies"),
            format: "run-length coding",
            limit: format!("depths up to {MAX_PLIES}"),
        };
        match self {
            Self::Unknown => Ok((INFO_SECOND_BYTE, Some(SECOND_UNKNOWN))),
            Self::Draw => Ok((INFO_DRAW, None)),
            Self::Plies(plies) if plies > MAX_PLIES => Err(too_deep(plies)),
            Self::Plies(plies) => match u8::try_from(plies) {
                Ok(info) if info < INFO_DRAW => Ok((info, None)),
                _ => {
                    let rest = u8::try_from(plies - u16::from(INFO_DRAW)).map_err(|_| too_deep(plies))?;
                    Ok((INFO_SECOND_BYTE, Some(rest)))
                }
            },
        }
    }
}

/// A place at which decoding can begin.
#[derive(Clone, Copy, Debug)]
struct Entry {
    first_position: u64,
    offset: usize,
}

/// Run-length coded values with an index for random access.
#[derive(Clone, Debug)]
pub struct Rle {
    num_positions: u64,
    code: Vec<u8>,
    index: Vec<Entry>,
}

impl Rle {
    /// Encodes runs of codes, without plies.
    ///
    /// *Cost*: at most six bytes per run, usually one to three.
    ///
    /// # Errors
    /// Returns [`Error::TooLarge`] if the encoding exceeds `limit_bytes`; [`Error::Malformed`] for a run with an
    /// invalid code; or [`Error::Mismatch`] if the runs do not cover the positions exactly.
    pub fn from_codes(
        num_positions: u64,
        runs: impl Iterator<Item = (u8, u64)>,
        limit_bytes: u64,
    ) -> Result<Self> {
        let mut coder = Coder::new(limit_bytes);
        for run in merged(num_positions, runs) {
            let (code, len) = run?;
            coder.push(RleValue::of_code(code)?, len)?;
        }
        Ok(coder.finish(num_positions))
    }

    /// Encodes runs of values with their plies.
    ///
    /// # Errors
    /// Returns the same errors as [`Rle::from_codes`], or [`Error::Unrepresentable`] for more than [`MAX_PLIES`] plies.
    pub fn from_values(
        num_positions: u64,
        runs: impl Iterator<Item = (RleValue, u64)>,
        limit_bytes: u64,
    ) -> Result<Self> {
        let mut coder = Coder::new(limit_bytes);
        for run in merged(num_positions, runs) {
            let (value, len) = run?;
            coder.push(value, len)?;
        }
        Ok(coder.finish(num_positions))
    }

    /// Returns the encoded runs, without the index.
    pub fn code(&self) -> &[u8] {
        &self.code
    }

    /// Returns the value at an index.
    ///
    /// *Cost*: a binary search in the index, and decoding of up to 128 runs.
    ///
    /// # Errors
    /// Returns [`Error::PastTheEnd`] if the index is out of range.
    pub fn value(&self, index: u64) -> Result<RleValue> {
        let past = || past_the_end(index, self.num_positions);
        if index >= self.num_positions {
            return Err(past());
        }
        let entry = self.index.partition_point(|entry| entry.first_position <= index);
        let entry = entry.checked_sub(1).and_then(|i| self.index.get(i)).ok_or_else(past)?;
        let mut at = entry.first_position;
        let mut bytes = self.code.get(entry.offset..).unwrap_or_default().iter().copied();
        while let Some((value, len)) = decode_run(&mut bytes) {
            at += len;
            if index < at {
                return Ok(value);
            }
        }
        Err(past())
    }
}

/// The encoder.
struct Coder {
    code: Vec<u8>,
    index: Vec<Entry>,
    runs: u64,
    position: u64,
    limit_bytes: u64,
}

impl Coder {
    fn new(limit_bytes: u64) -> Self {
        Self { code: Vec::new(), index: Vec::new(), runs: 0, position: 0, limit_bytes }
    }

    /// Appends `len` copies of `value`, in runs that are as long as possible.
    fn push(&mut self, value: RleValue, mut len: u64) -> Result<()> {
        let (info, second) = value.bytes()?;
        while len > 0 {
            let part = len.min(LONGEST_RUN);
            if self.runs.is_multiple_of(RUNS_PER_ENTRY) {
                self.index.push(Entry { first_position: self.position, offset: self.code.len() });
            }
            self.code.push(if part == 1 { info | LENGTH_ONE } else { info });
            self.code.extend(second);
            push_length(&mut self.code, part);
            self.runs += 1;
            self.position += part;
            len -= part;
            let bytes = self.code.len() as u64 + self.index.len() as u64 * ENTRY_BYTES;
            if bytes > self.limit_bytes {
                return Err(too_large(
                    "the part of the run-length coding built so far",
                    bytes.into(),
                    self.limit_bytes,
                ));
            }
        }
        Ok(())
    }

    fn finish(self, num_positions: u64) -> Rle {
        Rle { num_positions, code: self.code, index: self.index }
    }
}

/// Appends a length below 2^30. Appends nothing for length one, which is indicated by bit X.
fn push_length(code: &mut Vec<u8>, len: u64) {
    let [.., b3, b2, b1, b0] = len.to_be_bytes();
    match len {
        0 | 1 => {}
        2..0x80 => code.push(b0),
        0x80..0x4000 => code.extend([b1 | 0x80, b0]),
        _ => code.extend([b3 | 0xc0, b2, b1, b0]),
    }
}

/// Decodes the next run, or returns `None` at the end of the bytes.
fn decode_run(bytes: &mut impl Iterator<Item = u8>) -> Option<(RleValue, u64)> {
    let first = bytes.next()?;
    let value = match first & !LENGTH_ONE {
        INFO_DRAW => RleValue::Draw,
        INFO_SECOND_BYTE => match bytes.next()? {
            SECOND_UNKNOWN => RleValue::Unknown,
            rest => RleValue::Plies(u16::from(INFO_DRAW) + u16::from(rest)),
        },
        plies => RleValue::Plies(plies.into()),
    };
    if first & LENGTH_ONE != 0 {
        return Some((value, 1));
    }
    let head = bytes.next()?;
    let (mut len, more) = match head >> 6 {
        0b11 => (u64::from(head & 0x3f), 3),
        0b10 => (u64::from(head & 0x3f), 1),
        _ => (u64::from(head), 0),
    };
    for _ in 0..more {
        len = len << 8 | u64::from(bytes.next()?);
    }
    Some((value, len))
}

impl Representation for Rle {
    fn name(&self) -> String {
        "run-length".to_string()
    }

    fn num_positions(&self) -> u64 {
        self.num_positions
    }

    fn bytes(&self) -> u64 {
        self.code.len() as u64 + self.index.len() as u64 * ENTRY_BYTES
    }

    fn get(&mut self, index: u64) -> Result<u8> {
        Ok(self.value(index)?.code())
    }
}
