//! Encoding of targets as symbols and low bits; see the table in [`super`].

use crate::frame::{Parsed, corrupt};

use super::predictor::Predictor;

pub(super) const NEW: u8 = 0;
const PREDICTED: u8 = 1;
const FIRST_CONSTANT: u8 = 64;
const LARGE_CONSTANT: u8 = 255;
/// The first constant that does not have its own symbol.
#[cfg(feature = "engine")]
const FIRST_LARGE: u32 = (LARGE_CONSTANT - FIRST_CONSTANT) as u32;
const LARGE_BITS: u32 = 16;

/// A sequence of bits that fills each byte from its lowest bit up.
#[cfg(feature = "engine")]
#[derive(Default)]
pub(super) struct LowBits {
    bytes: Vec<u8>,
    pending: u64,
    num_pending: u32,
}

#[cfg(feature = "engine")]
impl LowBits {
    /// Returns the symbol of a target, and appends the low bits that the symbol does not determine.
    pub(super) fn split(&mut self, target: u32, predictor: &Predictor, letter: usize) -> u8 {
        if target < predictor.first {
            if target < FIRST_LARGE {
                return FIRST_CONSTANT + target as u8;
            }
            self.push(target - FIRST_LARGE, LARGE_BITS);
            return LARGE_CONSTANT;
        }
        if target > predictor.newest {
            return NEW;
        }
        let predicted = predictor.predicted(letter);
        let distance = target.abs_diff(predicted);
        if distance == 0 {
            return PREDICTED;
        }
        let top = distance.ilog2();
        self.push(distance ^ 1 << top, top);
        2 * (top as u8 + 1) + u8::from(target < predicted)
    }

    fn push(&mut self, bits: u32, count: u32) {
        self.pending |= u64::from(bits) << self.num_pending;
        self.num_pending += count;
        if self.num_pending >= 32 {
            self.bytes.extend_from_slice(&(self.pending as u32).to_le_bytes());
            self.pending >>= 32;
            self.num_pending -= 32;
        }
    }

    pub(super) fn finish(mut self) -> Vec<u8> {
        let rest = self.pending.to_le_bytes();
        self.bytes.extend_from_slice(&rest[..self.num_pending.div_ceil(8) as usize]);
        self.bytes
    }
}

/// A reader of the bits that [`LowBits`] wrote, from front to back.
pub(super) struct BitsOf<'a> {
    bytes: std::slice::Iter<'a, u8>,
    pending: u64,
    num_pending: u32,
}

impl<'a> BitsOf<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes: bytes.iter(), pending: 0, num_pending: 0 }
    }

    /// Decodes the target of a symbol.
    #[inline]
    pub(super) fn join(&mut self, symbol: u8, predictor: &Predictor, letter: usize) -> Parsed<u32> {
        let target = match symbol {
            NEW => return Ok(predictor.newest + 1),
            PREDICTED => predictor.predicted(letter),
            FIRST_CONSTANT.. => {
                let number = u32::from(symbol - FIRST_CONSTANT);
                let number = if symbol == LARGE_CONSTANT { number + self.take(LARGE_BITS)? } else { number };
                return if number < predictor.first {
                    Ok(number)
                } else {
                    corrupt("a symbol refers to an undefined constant")
                };
            }
            _ => {
                let top = u32::from(symbol) / 2 - 1;
                let distance = 1 << top | self.take(top)?;
                let predicted = predictor.predicted(letter);
                // A result that does not fit into 32 bits is not a state. It saturates, and the check below rejects it
                // as it rejects zero.
                if symbol.is_multiple_of(2) {
                    predicted.saturating_add(distance)
                } else {
                    predicted.saturating_sub(distance)
                }
            }
        };
        if target < predictor.first || target > predictor.newest {
            return corrupt("a transition leads to a state that was not named earlier");
        }
        Ok(target)
    }

    #[inline]
    fn take(&mut self, count: u32) -> Parsed<u32> {
        while self.num_pending < count {
            let Some(&byte) = self.bytes.next() else {
                return corrupt("the low bits of a layer are truncated");
            };
            self.pending |= u64::from(byte) << self.num_pending;
            self.num_pending += 8;
        }
        let bits = self.pending & ((1 << count) - 1);
        self.pending >>= count;
        self.num_pending -= count;
        Ok(bits as u32)
    }

    pub(super) fn finish(mut self) -> Parsed<()> {
        // Equal layers must have equal bytes, so no data may follow the last bit.
        if self.bytes.next().is_some() || self.pending != 0 {
            return corrupt("a block is longer than its layer");
        }
        Ok(())
    }
}
