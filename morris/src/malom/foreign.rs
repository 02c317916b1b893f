//! An open sector file of either kind, and the contents of its slots.

use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};

use nerode_games::morris::{Rules, State};

use super::body::Body;
use super::name::{FileName, Kind, Variant};
use super::sec2::{Fields, HEAD_BYTES, Values};
use super::secval::SectorValues;
use super::slot::{Entry, Stored};
use super::{sec, sec2};
use crate::tables::scan::every_slot;
use crate::tables::{IndexMaker, Sector, SectorIndex};
use nerode_dfa::disk::File;
use nerode_solver::error::{Error, Result};

/// A sector file in memory.
#[derive(Debug)]
pub struct Foreign {
    path: PathBuf,
    name: FileName,
    index: Arc<SectorIndex>,
    body: Body,
    fields: Fields,
    /// The values of a win and of the sector.
    win: i32,
    value: i32,
}

/// Opens the file `path` for `rules`. Its name must have Malom's form. `maker` must belong to the board of `rules`. The
/// list of sector values of an ultra-strong file, such as `std.secval`, must be in the same folder.
///
/// *Cost*: reads the file into memory and checks its overflow table. The contents of slots are checked when they are
/// looked up, and all of them by [`Foreign::check`].
///
/// # Errors
/// Returns [`Error::WrongRules`] if the name belongs to other rules, [`Error::Malformed`], [`Error::Unrepresentable`]
/// or [`Error::NoSuchSector`] if the name, the rules or the sector do not exist in Malom, [`Error::Mismatch`] if there
/// is not a list of sector values, or [`Error::WrongVersion`], [`Error::Corrupt`], [`Error::Io`] or [`Error::TooLarge`].
pub fn open(path: &Path, rules: &Rules, maker: &IndexMaker) -> Result<Foreign> {
    let name = FileName::of(path)?;
    name.variant.check(rules, path)?;
    name.check_sector(rules)?;
    let file = File::open(path).map_err(|e| Error::io(path, e))?;
    let len = file.metadata().map_err(|e| Error::io(path, e))?.len();
    let mut reader = BufReader::with_capacity(1 << 18, file);
    let index = Arc::new(maker.index(name.sector.own, name.sector.other));
    let num_slots = index.num_slots();
    let (fields, (win, value), body) = match name.kind {
        Kind::Strong => {
            let body = Body::read(path, &mut reader, len, sec::shape(num_slots), sec::is_mark)?;
            (Fields::of(name.variant, Values::Listed), (1, 0), body)
        }
        Kind::Ultra => {
            let mut head = Vec::with_capacity(HEAD_BYTES);
            let io = |e| Error::io(path, e);
            reader.by_ref().take(HEAD_BYTES as u64).read_to_end(&mut head).map_err(io)?;
            let fields = Fields::of_head(name.variant, path, &head)?;
            let scale = match fields.values() {
                Values::Listed => scale(path, rules, &name, fields)?,
                Values::Differences => (name.variant.stones() + 1, name.sector.difference()),
            };
            let is_mark = |entry| fields.is_mark(entry);
            (fields, scale, Body::read(path, &mut reader, len, sec2::shape(fields, num_slots), is_mark)?)
        }
    };
    Ok(Foreign { path: path.into(), name, index, body, fields, win, value })
}

/// Reads the values of a win and of the sector from the list next to the file.
fn scale(path: &Path, rules: &Rules, name: &FileName, fields: Fields) -> Result<(i32, i32)> {
    let list = path.with_file_name(format!("{}.secval", name.variant.name()));
    if !list.exists() {
        return Err(Error::Mismatch {
            what: path.display().to_string(),
            found: "no such file".into(),
            expected: format!("the list of sector values {} next to it", list.display()),
        });
    }
    let values = SectorValues::read(&list, rules)?;
    let sector = name.sector;
    let value = values.get(sector);
    let value = value.ok_or_else(|| Error::corrupt(&list, format!("it has no value for sector {sector}")))?;
    if fields.hold(values.win()) {
        Ok((values.win(), value))
    } else {
        Err(Error::corrupt(
            &list,
            format!("the value of a win is {}, which files cannot represent", values.win()),
        ))
    }
}

impl Foreign {
    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the rules for which the file was created.
    pub fn variant(&self) -> Variant {
        self.name.variant
    }

    /// Returns the sector of its positions.
    pub fn sector(&self) -> Sector {
        self.name.sector
    }

    /// Returns the kind of the file.
    pub fn kind(&self) -> Kind {
        self.name.kind
    }

    /// Returns the index of its positions.
    pub fn index(&self) -> &Arc<SectorIndex> {
        &self.index
    }

    /// Returns the number of entries in the overflow table.
    pub fn num_overflows(&self) -> usize {
        self.body.num_overflows()
    }

    /// Returns the values of a win and of the sector, as used by [`Stored`].
    pub fn scale(&self) -> (i32, i32) {
        (self.win, self.value)
    }

    /// Returns an error about `slot`.
    pub(super) fn damaged(&self, slot: u64, what: &str) -> Error {
        Error::corrupt(&self.path, format!("slot {slot} {what}"))
    }

    /// Returns the contents of `slot`.
    ///
    /// # Errors
    /// Returns [`Error::Corrupt`] if the entry is not valid in the format.
    ///
    /// # Panics
    /// Panics if there is no such slot.
    #[inline]
    pub fn stored(&self, slot: u64) -> Result<Stored> {
        let stored = match self.name.kind {
            Kind::Strong => sec::decode(&self.body, slot),
            Kind::Ultra => self.fields.decode(&self.body, slot),
        };
        stored.ok_or_else(|| {
            self.damaged(
                slot,
                &format!("holds {:#x}, which is invalid in this format", self.body.entry(slot)),
            )
        })
    }

    /// Returns the entry of `slot` for its position.
    ///
    /// # Errors
    /// Returns [`Error::Corrupt`] if the entry is not valid in the format, or if no position can have its value.
    ///
    /// # Panics
    /// Panics if there is no such slot.
    #[inline]
    pub fn entry(&self, slot: u64) -> Result<Entry> {
        Ok(match self.stored(slot)? {
            Stored::Hole(op) => Entry::Hole(op),
            Stored::Count(counter) => Entry::Draw { rank: self.value, counter },
            Stored::Value { key1, key2 } => {
                let rank = key1 + self.value;
                if rank.abs() < self.win {
                    return Ok(Entry::RankedDraw { rank, distance: key2 });
                }
                let plies = u16::try_from(key2).ok().filter(|plies| (plies % 2 == 1) == (rank > 0));
                match plies {
                    Some(plies) if rank == self.win => Entry::Win(plies),
                    Some(plies) if rank == -self.win => Entry::Loss(plies),
                    _ => {
                        let what = format!(
                            "holds value {rank} at {key2} plies, but the value of a win is {}",
                            self.win
                        );
                        return Err(self.damaged(slot, &what));
                    }
                }
            }
        })
    }

    /// Returns the entry of a position of the sector.
    ///
    /// # Errors
    /// Returns [`Error::Corrupt`] as [`Foreign::entry`] does, or if the slot of the position contains a hole.
    pub fn get(&self, state: State) -> Result<Entry> {
        let slot = self.index.slot(state.own, state.other);
        match self.entry(slot)? {
            Entry::Hole(_) => Err(self.damaged(slot, "is a hole, but a position belongs there")),
            entry => Ok(entry),
        }
    }

    /// Reads every slot and checks that all entries are valid in the format and that holes are exactly where the index
    /// has them. Returns the greatest depth of a won or lost position.
    ///
    /// *Cost*: one pass, on all threads of the current pool.
    ///
    /// # Errors
    /// Returns [`Error::Corrupt`] with the lowest invalid slot, or [`Error::Interrupted`].
    pub fn check(&self, interrupt: &AtomicBool) -> Result<u16> {
        let deepest = AtomicU16::new(0);
        every_slot(self.index.num_slots(), interrupt, |slot, _| {
            match (self.entry(slot)?, self.index.hole(slot)) {
                (Entry::Hole(found), Some(op)) if found == op => {}
                (Entry::Hole(op), None) => {
                    let what = format!("is a hole by symmetry {op}, but a position belongs there");
                    return Err(self.damaged(slot, &what));
                }
                (entry, Some(op)) => {
                    return Err(
                        self.damaged(slot, &format!("holds {entry}, but should be a hole by symmetry {op}"))
                    );
                }
                (Entry::Win(plies) | Entry::Loss(plies), None) => {
                    deepest.fetch_max(plies, Ordering::Relaxed);
                }
                (Entry::Draw { .. } | Entry::RankedDraw { .. }, None) => {}
            }
            Ok(())
        })?;
        Ok(deepest.into_inner())
    }
}
