//! Forms that list every slot: one byte or two bits each, run-length coded, or in blocks compressed with zstd.
//!
//! Slots are those of [`crate::tables::SectorIndex`] with either side's stones as the class. A hole repeats the value
//! before it, which costs the encoders nothing.

use std::sync::Arc;

use nerode_games::Value;
use nerode_games::morris::State;

use super::form::SectorForm;
use super::words::RootSide;
use crate::tables::{IndexMaker, SectorIndex, SectorTable, value_of};
use nerode_solver::error::{Error, Result};
use nerode_solver::forms::represent::{DRAW, LOSS, Packed, Representation, Rle, RleValue, WIN, ZstdBlocks};

/// A solved table in its original form, with its codes and depths.
#[derive(Debug)]
pub struct ByteTable<'a>(pub &'a SectorTable);

impl SectorForm for ByteTable<'_> {
    fn name(&self) -> String {
        format!("{} byte a slot, with depths", self.0.codes.width().bytes())
    }

    fn bytes(&self) -> u64 {
        self.0.codes.num_slots() * self.0.codes.width().bytes()
    }

    fn value(&mut self, state: State) -> Result<Value> {
        Ok(value_of(self.0.depth(state)))
    }

    fn depth(&mut self, state: State) -> Result<Option<Option<u16>>> {
        Ok(Some(self.0.depth(state)))
    }
}

/// The encoding of the slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListedKind {
    /// Two bits each.
    TwoBits,
    /// Gasser's run-length coding of values with depths, with an additional index into it.
    RunLength,
    /// Two bits each in blocks of 64 Ki slots, compressed with zstd at the given level.
    Zstd(i32),
}

/// A list of the values of all slots.
pub struct Listed {
    kind: ListedKind,
    root_side: RootSide,
    index: Arc<SectorIndex>,
    inner: Inner,
}

enum Inner {
    Packed(Packed),
    Rle(Rle),
    Zstd(Box<ZstdBlocks>),
}

impl Listed {
    /// Lists `table` with the classes of `root_side`. *Cost*: examines every slot.
    ///
    /// # Errors
    /// Returns [`Error::TooLarge`] above `limit_bytes`, or the errors of the encoders, see
    /// [`nerode_solver::forms::represent`].
    pub fn new(
        maker: &IndexMaker,
        table: &SectorTable,
        root_side: RootSide,
        kind: ListedKind,
        limit_bytes: u64,
    ) -> Result<Self> {
        let index = index(maker, table, root_side);
        let n = index.num_slots();
        let depths = || depths(table, &index, root_side);
        let codes = || depths().map(|depth| (code(value_of(depth)), 1));
        let inner = match kind {
            ListedKind::TwoBits => Inner::Packed(Packed::two_bits(n, codes(), limit_bytes)?),
            ListedKind::RunLength => {
                let values = depths().map(|depth| (depth.map_or(RleValue::Draw, RleValue::Plies), 1));
                Inner::Rle(Rle::from_values(n, values, limit_bytes)?)
            }
            ListedKind::Zstd(level) => {
                Inner::Zstd(Box::new(ZstdBlocks::build(n, codes(), level, limit_bytes)?))
            }
        };
        Ok(Self { kind, root_side, index, inner })
    }

    /// Returns the number of bytes of the run-length code alone, without the index into it, which corresponds to
    /// published sizes. Returns `None` for other kinds.
    pub fn code_bytes(&self) -> Option<u64> {
        match &self.inner {
            Inner::Rle(rle) => Some(rle.code().len() as u64),
            _ => None,
        }
    }

    fn slot(&self, state: State) -> u64 {
        let (root, letters) = self.root_side.split(state.own, state.other);
        self.index.slot(root, letters)
    }
}

fn index(maker: &IndexMaker, table: &SectorTable, root_side: RootSide) -> Arc<SectorIndex> {
    match root_side {
        RootSide::Own => Arc::clone(&table.index),
        RootSide::Other => Arc::new(maker.index(table.sector.other, table.sector.own)),
    }
}

/// Returns the depths of all slots of `index`. A hole repeats the slot before it.
fn depths(
    table: &SectorTable,
    index: &SectorIndex,
    root_side: RootSide,
) -> impl Iterator<Item = Option<u16>> {
    (0..index.num_slots()).scan(None, move |last, slot| {
        if index.hole(slot).is_none() {
            *last = match root_side {
                RootSide::Own => table.depth_at(slot),
                RootSide::Other => {
                    let (root, letters) = index.position(slot);
                    table.depth_at(table.index.slot(letters, root))
                }
            };
        }
        Some(*last)
    })
}

fn code(value: Value) -> u8 {
    match value {
        Value::Loss => LOSS,
        Value::Draw => DRAW,
        Value::Win => WIN,
    }
}

impl SectorForm for Listed {
    fn name(&self) -> String {
        let kind = match self.kind {
            ListedKind::TwoBits => "2 bits".into(),
            ListedKind::RunLength => "run-length, with depths".into(),
            ListedKind::Zstd(level) => format!("zstd -{level}, 2 bits in blocks of 64 Ki"),
        };
        format!("{kind}, root {}", self.root_side.name())
    }

    fn bytes(&self) -> u64 {
        match &self.inner {
            Inner::Packed(packed) => packed.bytes(),
            Inner::Rle(rle) => rle.bytes(),
            Inner::Zstd(blocks) => blocks.bytes(),
        }
    }

    fn value(&mut self, state: State) -> Result<Value> {
        let slot = self.slot(state);
        let code = match &mut self.inner {
            Inner::Packed(packed) => packed.get(slot)?,
            Inner::Rle(rle) => rle.get(slot)?,
            Inner::Zstd(blocks) => blocks.get(slot)?,
        };
        match code {
            LOSS => Ok(Value::Loss),
            DRAW => Ok(Value::Draw),
            WIN => Ok(Value::Win),
            other => Err(Error::Malformed {
                what: "the code of a position's value",
                text: other.to_string(),
                form: "every position of a sector is lost (1), drawn (2) or won (3)",
            }),
        }
    }

    fn depth(&mut self, state: State) -> Result<Option<Option<u16>>> {
        let Inner::Rle(rle) = &self.inner else { return Ok(None) };
        match rle.value(self.slot(state))? {
            RleValue::Plies(plies) => Ok(Some(Some(plies))),
            _ => Ok(Some(None)),
        }
    }
}
