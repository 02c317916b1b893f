//! A sector file opened: what it says of each slot, whichever kind it is.

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
    /// The value of a win, and that of the sector.
    win: i32,
    value: i32,
}

/// Opens the file `path`, which must be named as Malom names them, for `rules`. `maker` is for the board of `rules`. For an
/// ultra-strong file the list of sector values, such as `std.secval`, lies beside it.
///
/// *Cost*: the file is read into memory and its overflow table checked. What slots hold is checked as they are asked for, and all
/// of it by [`Foreign::check`].
///
/// # Errors
/// [`Error::WrongRules`] when the name says other rules; [`Error::Malformed`], [`Error::Unrepresentable`] and
/// [`Error::NoSuchSector`] for names, rules and sectors that Malom has not; [`Error::Mismatch`] without a list of sector values;
/// [`Error::WrongVersion`], [`Error::Corrupt`], [`Error::Io`], [`Error::TooLarge`].
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

/// The values of a win and of the sector, from the list beside the file.
fn scale(path: &Path, rules: &Rules, name: &FileName, fields: Fields) -> Result<(i32, i32)> {
    let list = path.with_file_name(format!("{}.secval", name.variant.name()));
    if !list.exists() {
        return Err(Error::Mismatch {
            what: path.display().to_string(),
            found: "no list of sector values beside it".into(),
            expected: list.display().to_string(),
        });
    }
    let values = SectorValues::read(&list, rules)?;
    let sector = name.sector;
    let value = values.get(sector);
    let value = value.ok_or_else(|| Error::corrupt(&list, format!("it has no value for sector {sector}")))?;
    if fields.hold(values.win()) {
        Ok((values.win(), value))
    } else {
        Err(Error::corrupt(&list, format!("a win counts {}, beyond what files can hold", values.win())))
    }
}

impl Foreign {
    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The rules it is made for.
    pub fn variant(&self) -> Variant {
        self.name.variant
    }

    /// The positions it holds.
    pub fn sector(&self) -> Sector {
        self.name.sector
    }

    /// What it stores of them.
    pub fn kind(&self) -> Kind {
        self.name.kind
    }

    /// The slots of its positions.
    pub fn index(&self) -> &Arc<SectorIndex> {
        &self.index
    }

    /// Entries that had to go to the overflow table.
    pub fn num_overflows(&self) -> usize {
        self.body.num_overflows()
    }

    /// The value of a win, and the sector's, in the terms of [`Stored`].
    pub fn scale(&self) -> (i32, i32) {
        (self.win, self.value)
    }

    /// An error about `slot`.
    pub(super) fn damaged(&self, slot: u64, what: &str) -> Error {
        Error::corrupt(&self.path, format!("slot {slot} {what}"))
    }

    /// The contents of `slot`.
    ///
    /// # Errors
    /// [`Error::Corrupt`] for an entry that the format does not have.
    ///
    /// # Panics
    /// When there is no such slot.
    #[inline]
    pub fn stored(&self, slot: u64) -> Result<Stored> {
        let stored = match self.name.kind {
            Kind::Strong => sec::decode(&self.body, slot),
            Kind::Ultra => self.fields.decode(&self.body, slot),
        };
        stored.ok_or_else(|| {
            self.damaged(slot, &format!("holds {:#x}, which the format does not have", self.body.entry(slot)))
        })
    }

    /// What `slot` says of its position.
    ///
    /// # Errors
    /// [`Error::Corrupt`] for an entry that the format does not have, or a value that no position can have.
    ///
    /// # Panics
    /// When there is no such slot.
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
                        let what =
                            format!("holds value {rank} at {key2} plies, where a win has {}", self.win);
                        return Err(self.damaged(slot, &what));
                    }
                }
            }
        })
    }

    /// What the file says of a position of its sector.
    ///
    /// # Errors
    /// [`Error::Corrupt`] as for [`Foreign::entry`], and for a hole where the position has its slot.
    pub fn get(&self, state: State) -> Result<Entry> {
        let slot = self.index.slot(state.own, state.other);
        match self.entry(slot)? {
            Entry::Hole(_) => Err(self.damaged(slot, "is a hole, where a position has its slot")),
            entry => Ok(entry),
        }
    }

    /// Reads every slot: all entries are such as the format has, and holes are where the index has them. Gives the greatest depth
    /// of a won or lost position.
    ///
    /// *Cost*: one pass, on all threads of the pool in force.
    ///
    /// # Errors
    /// [`Error::Corrupt`] with the lowest slot that is wrong; [`Error::Interrupted`].
    pub fn check(&self, interrupt: &AtomicBool) -> Result<u16> {
        let deepest = AtomicU16::new(0);
        every_slot(self.index.num_slots(), interrupt, |slot, _| {
            match (self.entry(slot)?, self.index.hole(slot)) {
                (Entry::Hole(found), Some(op)) if found == op => {}
                (Entry::Hole(op), None) => {
                    let what = format!("is a hole by symmetry {op}, where a position has its slot");
                    return Err(self.damaged(slot, &what));
                }
                (entry, Some(op)) => {
                    return Err(
                        self.damaged(slot, &format!("holds {entry}, where a hole by symmetry {op} is"))
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
