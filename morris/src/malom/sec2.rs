//! Ultra-strong files: a header of 64 bytes, followed by three bytes for each slot, which consist of two fields of
//! signed numbers.
//!
//! The low field is the value minus the value of the sector. If it is 0, the position is worth as much as its sector,
//! and the high field holds the number of turns that keep that value, or identifies a hole if it is negative. For any
//! other value, the high field holds its distance. The least number of the high field stands for a number that does not
//! fit, which is in the overflow table.
//!
//! If the values of sectors are differences of stones, an entry has two bytes, and a byte of the header indicates this.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::body::{self, Body, Encoded, Shape};
use super::name::{FileName, Kind, Variant};
use super::slot::Stored;
use nerode_solver::archive::stored::StoredFile;
use nerode_solver::error::{Error, Result};

/// The number of bytes before the first entry.
pub(super) const HEAD_BYTES: usize = 64;
/// The only existing version.
const VERSION: u32 = 2;
/// The position of the header byte that is 1 if values are differences of stones. The bytes after it are 0.
const DIFFERENCE_AT: usize = 12;
/// The greatest number of a symmetry that a hole can have. The next one is the identity, which does not lead to another
/// slot.
const MOST_OP: i32 = 14;

/// The division of an entry into bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fields {
    /// The number of bytes of an entry.
    bytes: u32,
    /// The number of bits of the low field.
    low: u32,
}

/// The kind of the values of sectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// Values from a list.
    Listed,
    /// Differences of stones, which do not need a list.
    Differences,
}

/// Returns the signed number in the low `bits` bits, the highest of which is the sign.
#[inline]
fn signed(entry: u32, bits: u32) -> i32 {
    (entry << (32 - bits)) as i32 >> (32 - bits)
}

impl Fields {
    pub fn of(variant: Variant, values: Values) -> Self {
        match (values, variant) {
            (Values::Differences, _) => Self { bytes: 2, low: 6 },
            (Values::Listed, Variant::Std) => Self { bytes: 3, low: 12 },
            (Values::Listed, Variant::Lask | Variant::Mora) => Self { bytes: 3, low: 14 },
        }
    }

    /// Returns the kind of values that files with these fields have.
    pub fn values(self) -> Values {
        if self.bytes == 2 { Values::Differences } else { Values::Listed }
    }

    fn high(self) -> u32 {
        8 * self.bytes - self.low
    }

    /// Returns the greatest number in the high field. The least number is one further from zero and serves as the
    /// overflow mark.
    fn most_key2(self) -> i32 {
        (1 << (self.high() - 1)) - 1
    }

    /// Returns `true` if the low field can hold the difference of any two values up to `win`.
    pub fn hold(self, win: i32) -> bool {
        win.saturating_mul(2).saturating_add(5) < 1 << (self.low - 1)
    }

    #[inline]
    fn keys(self, entry: u32) -> (i32, i32) {
        (signed(entry, self.low), signed(entry >> self.low, self.high()))
    }

    /// Returns `true` if the overflow table completes the entry.
    pub fn is_mark(self, entry: u32) -> bool {
        self.keys(entry).1 < -self.most_key2()
    }

    /// Returns the contents of a slot, or `None` if the entry has no meaning.
    #[inline]
    pub fn decode(self, body: &Body, slot: u64) -> Option<Stored> {
        let entry = body.entry(slot);
        let (key1, mut key2) = self.keys(entry);
        if self.is_mark(entry) {
            key2 =
                body.overflow(slot).filter(|key2| key2.unsigned_abs() > self.most_key2().unsigned_abs())?;
        }
        match (key1, key2) {
            (0, 0..) => Some(Stored::Count(key2.unsigned_abs())),
            (0, _) if key2 >= -MOST_OP - 1 => Some(Stored::Hole((-key2 - 1) as u8)),
            (0, _) => None,
            _ => Some(Stored::Value { key1, key2 }),
        }
    }

    /// Encodes the contents of a slot, or returns `None` if the value does not fit into the low field. This is the
    /// inverse of [`Fields::decode`].
    fn encode(self, stored: Stored) -> Option<Encoded> {
        let (key1, key2) = match stored {
            Stored::Hole(op) => (0, -i32::from(op) - 1),
            Stored::Count(turns) => (0, i32::try_from(turns).ok()?),
            Stored::Value { key1, key2 } => (key1, key2),
        };
        if key1 != signed(key1 as u32, self.low) {
            return None;
        }
        let most = self.most_key2();
        let (field, overflow) =
            if (-most..=most).contains(&key2) { (key2, None) } else { (-most - 1, Some(key2)) };
        let low = key1 as u32 & ((1 << self.low) - 1);
        let high = field as u32 & ((1 << self.high()) - 1);
        Some((high << self.low | low, overflow))
    }

    fn head(self) -> [u8; HEAD_BYTES] {
        let mut head = [0; HEAD_BYTES];
        for (at, number) in [(0, VERSION), (4, self.bytes), (8, self.low)] {
            head[at..at + 4].copy_from_slice(&number.to_le_bytes());
        }
        head[DIFFERENCE_AT] = u8::from(self.values() == Values::Differences);
        head
    }

    /// Returns the fields of a file of `variant` that begins with `head`.
    pub fn of_head(variant: Variant, path: &Path, head: &[u8]) -> Result<Self> {
        let Some(head) = head.first_chunk::<HEAD_BYTES>() else {
            let reason =
                format!("it has {} bytes, fewer than the {HEAD_BYTES} bytes of a header", head.len());
            return Err(Error::corrupt(path, reason));
        };
        let number = |at: usize| (0..4).rev().fold(0, |number, i| number << 8 | u32::from(head[at + i]));
        if number(0) != VERSION {
            return Err(Error::WrongVersion { path: path.into(), found: number(0), supported: VERSION });
        }
        let differences = head[DIFFERENCE_AT] == 1;
        let fields = Self::of(variant, if differences { Values::Differences } else { Values::Listed });
        for (at, expected, what) in
            [(4, fields.bytes, "bytes per entry"), (8, fields.low, "bits in the first field")]
        {
            if number(at) != expected {
                let reason =
                    format!("its header specifies {} {what}, but its variant has {expected}", number(at));
                return Err(Error::corrupt(path, reason));
            }
        }
        match head.iter().zip(fields.head()).position(|(found, expected)| *found != expected) {
            Some(at) => Err(Error::corrupt(path, format!("byte {at} of its header is {}, not 0", head[at]))),
            None => Ok(fields),
        }
    }
}

/// Returns the lengths in an ultra-strong file.
pub(super) fn shape(fields: Fields, num_slots: u64) -> Shape {
    Shape { head_bytes: HEAD_BYTES as u64, entry_bytes: fields.bytes.into(), num_slots }
}

/// The settings for writing an ultra-strong file.
pub struct Sec2Writer<'a> {
    /// The kind of the values of sectors.
    pub values: Values,
    /// Whether an existing file may be replaced.
    pub overwrite: bool,
    /// Set by the user to stop writing.
    pub interrupt: &'a AtomicBool,
}

impl Sec2Writer<'_> {
    /// Writes a file for `num_slots` slots of the variant and sector in its name. `entry` returns the contents of each
    /// slot. Uses all threads of the current pool; the bytes do not depend on their number. `seal` is called with the
    /// file when it is complete, before it gets its final name.
    ///
    /// # Errors
    /// Returns [`Error::Mismatch`] if the name is of another kind, [`Error::Unrepresentable`] if a value does not fit
    /// into the fields, the errors of `entry` and `seal`, [`Error::Io`], or [`Error::Interrupted`]. No file is left in
    /// these cases.
    pub fn write(
        &self,
        path: &Path,
        num_slots: u64,
        entry: impl Fn(u64) -> Result<Stored> + Sync,
        seal: impl FnOnce(StoredFile) -> Result<()>,
    ) -> Result<()> {
        let name = FileName::of(path)?;
        if name.kind != Kind::Ultra {
            return Err(Error::Mismatch {
                what: path.display().to_string(),
                found: "the name of a strong file".into(),
                expected: "a name that ends with .sec2".into(),
            });
        }
        let fields = Fields::of(name.variant, self.values);
        let encode = |slot| {
            let stored = entry(slot)?;
            fields.encode(stored).ok_or_else(|| Error::Unrepresentable {
                what: format!("slot {slot}, {stored},"),
                format: "an ultra-strong file",
                limit: format!("{} bits per value", fields.low),
            })
        };
        let shape = shape(fields, num_slots);
        body::write(path, self.overwrite, &fields.head(), shape, self.interrupt, encode, seal)
    }
}

/// Writes a file with values from a list, see [`Sec2Writer::write`].
///
/// # Errors
/// Returns the same errors as [`Sec2Writer::write`].
pub fn write(
    path: &Path,
    num_slots: u64,
    interrupt: &AtomicBool,
    entry: impl Fn(u64) -> Result<Stored> + Sync,
) -> Result<()> {
    let writer = Sec2Writer { values: Values::Listed, overwrite: true, interrupt };
    writer.write(path, num_slots, entry, |_| Ok(()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fields are those in section 4 of the format's description.
    #[test]
    fn fields_are_those_of_the_format() {
        let [std, mora] = [Variant::Std, Variant::Mora].map(|variant| Fields::of(variant, Values::Listed));
        let stones = Fields::of(Variant::Std, Values::Differences);
        for (fields, stored, entry, overflow) in [
            (std, Stored::Count(0), 0x000_000, None),
            (std, Stored::Count(5), 0x005_000, None),
            (std, Stored::Hole(0), 0xfff_000, None),
            (std, Stored::Hole(14), 0xff1_000, None),
            (std, Stored::Value { key1: 299, key2: 1 }, 0x001_12b, None),
            (std, Stored::Value { key1: -1, key2: -2 }, 0xffe_fff, None),
            (std, Stored::Value { key1: 1, key2: 2047 }, 0x7ff_001, None),
            (std, Stored::Value { key1: 1, key2: 2048 }, 0x800_001, Some(2048)),
            (std, Stored::Value { key1: 1, key2: -2048 }, 0x800_001, Some(-2048)),
            (mora, Stored::Count(1), 1 << 14, None),
            (mora, Stored::Value { key1: -8192, key2: 0 }, 1 << 13, None),
            (mora, Stored::Value { key1: 1, key2: -511 }, 0x201 << 14 | 1, None),
            (mora, Stored::Value { key1: 1, key2: -512 }, 0x200 << 14 | 1, Some(-512)),
            (stones, Stored::Count(0), 0, None),
            (stones, Stored::Hole(0), 0xffc0, None),
            (stones, Stored::Value { key1: 13, key2: 1 }, 0x004d, None),
            (stones, Stored::Value { key1: -1, key2: 511 }, 0x7fff, None),
            (stones, Stored::Value { key1: -32, key2: -512 }, 0x8020, Some(-512)),
        ] {
            assert_eq!(fields.encode(stored), Some((entry, overflow)), "{stored:?}");
            assert_eq!(fields.is_mark(entry), overflow.is_some(), "{stored:?}");
        }
        assert_eq!(std.encode(Stored::Value { key1: 2048, key2: 1 }), None);
        assert!(std.hold(299) && !std.hold(1022) && mora.hold(1715) && !mora.hold(4094));
        assert_eq!(stones.encode(Stored::Value { key1: 32, key2: 1 }), None);
        assert!(stones.hold(13) && !stones.hold(14));
        assert_eq!(std.head()[..13], [2, 0, 0, 0, 3, 0, 0, 0, 12, 0, 0, 0, 0]);
        assert_eq!(stones.head()[..13], [2, 0, 0, 0, 2, 0, 0, 0, 6, 0, 0, 0, 1]);
        assert_eq!(mora.head()[8], 14);
    }
}
