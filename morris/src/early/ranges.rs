//! What is known of each position of a sector: a byte a slot.

use nerode_games::Value;
use nerode_games::morris::State;
use serde::{Deserialize, Serialize};

use crate::tables::{Sector, SectorIndex};
use nerode_solver::outcome::ValueRange;

/// A slot of which nothing is said: a hole, or a position that play does not come to.
const NOTHING: u8 = 0;

/// The ranges by their bytes, from 1 on.
fn ranges() -> [ValueRange; 6] {
    let at_least = ValueRange::at_least(Value::Draw);
    let [win, draw, loss] = [Value::Win, Value::Draw, Value::Loss].map(ValueRange::exact);
    [win, draw, loss, at_least, at_least.negated(), ValueRange::UNKNOWN]
}

/// The byte of a range.
fn byte_of(range: ValueRange) -> u8 {
    let place = ranges().iter().position(|known| *known == range);
    place.map_or(NOTHING, |place| place as u8 + 1)
}

/// How many positions of a sector, up to symmetry, have which range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RangeCounts {
    /// Proved wins.
    pub win: u64,
    /// Proved draws.
    pub draw: u64,
    /// Proved losses.
    pub loss: u64,
    /// At least a draw.
    pub at_least_draw: u64,
    /// At most a draw.
    pub at_most_draw: u64,
    /// Nothing is known.
    pub unknown: u64,
}

impl RangeCounts {
    /// All of them.
    pub fn positions(&self) -> u64 {
        self.proved() + self.at_least_draw + self.at_most_draw + self.unknown
    }

    /// Those whose value is proved.
    pub fn proved(&self) -> u64 {
        self.win + self.draw + self.loss
    }

    /// Both together.
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

/// The ranges of a sector's positions.
#[derive(Debug)]
pub struct SectorRanges {
    sector: Sector,
    index: SectorIndex,
    bytes: Vec<u8>,
}

impl SectorRanges {
    /// Of the ranges of all slots; `None` for those of which nothing is said.
    pub fn new(sector: Sector, index: SectorIndex, ranges: impl Iterator<Item = Option<ValueRange>>) -> Self {
        Self { sector, index, bytes: ranges.map(|range| range.map_or(NOTHING, byte_of)).collect() }
    }

    /// Of the bytes of a file; `None` if they are none of the sector's.
    pub(super) fn of_bytes(sector: Sector, index: SectorIndex, bytes: Vec<u8>) -> Option<Self> {
        let fit = bytes.len() as u64 == index.num_slots();
        (fit && bytes.iter().all(|&byte| usize::from(byte) <= ranges().len())).then_some(Self {
            sector,
            index,
            bytes,
        })
    }

    /// Which sector.
    pub fn sector(&self) -> Sector {
        self.sector
    }

    /// A byte a slot.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// What is known of a position of the sector.
    pub fn get(&self, state: State) -> Option<ValueRange> {
        let byte = usize::from(*self.bytes.get(self.index.slot(state.own, state.other) as usize)?);
        ranges().get(byte.checked_sub(1)?).copied()
    }

    /// How many positions have which range.
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
