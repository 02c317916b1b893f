//! The known value range of each position of a sector, one byte for each slot.

use nerode_games::Value;
use nerode_games::morris::State;
use serde::{Deserialize, Serialize};

use crate::tables::{Sector, SectorIndex};
use nerode_solver::outcome::ValueRange;

/// The byte of a slot without a range: a hole, or a position that play does not reach.
const NOTHING: u8 = 0;

/// Returns the ranges in the order of their bytes, which start at 1.
fn ranges() -> [ValueRange; 6] {
    let at_least = ValueRange::at_least(Value::Draw);
    let [win, draw, loss] = [Value::Win, Value::Draw, Value::Loss].map(ValueRange::exact);
    [win, draw, loss, at_least, at_least.negated(), ValueRange::UNKNOWN]
}

/// Returns the byte of a range.
fn byte_of(range: ValueRange) -> u8 {
    let place = ranges().iter().position(|known| *known == range);
    place.map_or(NOTHING, |place| place as u8 + 1)
}

/// The numbers of positions of a sector, up to symmetry, by range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RangeCounts {
    /// The number of proved wins.
    pub win: u64,
    /// The number of proved draws.
    pub draw: u64,
    /// The number of proved losses.
    pub loss: u64,
    /// The number of positions known to be at least a draw.
    pub at_least_draw: u64,
    /// The number of positions known to be at most a draw.
    pub at_most_draw: u64,
    /// The number of positions about which nothing is known.
    pub unknown: u64,
}

impl RangeCounts {
    /// Returns the total number of positions.
    pub fn positions(&self) -> u64 {
        self.proved() + self.at_least_draw + self.at_most_draw + self.unknown
    }

    /// Returns the number of positions whose value is proved.
    pub fn proved(&self) -> u64 {
        self.win + self.draw + self.loss
    }

    /// Returns the sum of both counts.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            win: self.win + other.win,
            draw: self.draw + other.draw,
            loss: self.loss + other.loss,
            at_least_draw: self.at_least_draw + other.at_least_draw,
            at_most_draw: self.at_most_draw + other.at_most_draw,
            unknown: self.unknown + other.unknown,
        }
    }
}

/// The ranges of the positions of a sector.
#[derive(Debug)]
pub struct SectorRanges {
    sector: Sector,
    index: SectorIndex,
    bytes: Vec<u8>,
}

impl SectorRanges {
    /// Creates the ranges from those of all slots, with `None` for slots without a range.
    pub fn new(sector: Sector, index: SectorIndex, ranges: impl Iterator<Item = Option<ValueRange>>) -> Self {
        Self { sector, index, bytes: ranges.map(|range| range.map_or(NOTHING, byte_of)).collect() }
    }

    /// Creates the ranges from the bytes of a file. Returns `None` if the bytes are not valid for the sector.
    pub(super) fn of_bytes(sector: Sector, index: SectorIndex, bytes: Vec<u8>) -> Option<Self> {
        let fit = bytes.len() as u64 == index.num_slots();
        (fit && bytes.iter().all(|&byte| usize::from(byte) <= ranges().len())).then_some(Self {
            sector,
            index,
            bytes,
        })
    }

    /// Returns the sector.
    pub fn sector(&self) -> Sector {
        self.sector
    }

    /// Returns the bytes, one for each slot.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the known range of a position of the sector.
    pub fn get(&self, state: State) -> Option<ValueRange> {
        let byte = usize::from(*self.bytes.get(self.index.slot(state.own, state.other) as usize)?);
        ranges().get(byte.checked_sub(1)?).copied()
    }

    /// Counts the positions by range.
    pub fn counts(&self) -> RangeCounts {
        let mut by_byte = [0; 7];
        self.bytes.iter().for_each(|&byte| by_byte[usize::from(byte).min(6)] += 1);
        let [_, win, draw, loss, at_least_draw, at_most_draw, unknown] = by_byte;
        RangeCounts { win, draw, loss, at_least_draw, at_most_draw, unknown }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_range_has_a_byte_of_its_own() {
        for (place, range) in ranges().into_iter().enumerate() {
            assert_eq!(usize::from(byte_of(range)), place + 1, "{range}");
        }
    }
}
