//! Merging of equal rows of many automata: rows are distributed to buckets by hash, and each bucket is processed
//! separately.
//!
//! Rows are appended to their buckets, and the bucket of each row is recorded as its *route*. With the routes, the
//! numbers of rows are returned in the order in which the rows were added, without sorting.

use hashbrown::HashTable;
use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::hash::hash_row;
use crate::unique::{ACCEPT, FIRST, MAX_STATES, REJECT};

use super::super::scratch::Scratch;
use super::spool::{Spool, Spooled};

/// The maximum number of buckets, whose files are all open at the same time.
const MOST: usize = 192;
/// The number of buckets if all rows are in memory.
const IN_MEMORY: usize = 64;
/// The routes of constant rows.
const ALL_REJECT: u8 = 254;
const ALL_ACCEPT: u8 = 255;
/// The number of rows that a task processes.
const STRETCH: usize = 1 << 12;

/// The rows of one layer, by bucket.
pub(super) struct Buckets<'a> {
    layer: usize,
    letters: usize,
    scratch: Option<&'a Scratch>,
    rows: Vec<Spool>,
    routes: Spool,
    /// The number of rows passed to each call of [`Buckets::add`].
    counts: Vec<usize>,
}

/// The distinct rows of a layer, and the new numbers of the rows that were added.
pub(super) struct Numbered {
    /// The number of distinct rows.
    pub(super) num_states: usize,
    /// The distinct rows, by state from [`FIRST`] on.
    rows: Option<Spooled>,
    routes: Spooled,
    /// For each bucket, the state of its first row, and the numbers of all its rows within the bucket.
    numbers: Vec<(u32, Spooled)>,
    counts: std::vec::IntoIter<usize>,
}

impl<'a> Buckets<'a> {
    /// Creates buckets for `num_rows` rows of a layer, in memory or in files of `scratch`. In files, a bucket may take
    /// `room` bytes.
    pub(super) fn new(
        (layer, letters): (usize, usize),
        num_rows: usize,
        scratch: Option<&'a Scratch>,
        room: u64,
    ) -> std::io::Result<Self> {
        let bytes = Self::bytes_to_number(letters, num_rows);
        let num = match scratch {
            None => IN_MEMORY,
            Some(_) => (bytes / room.max(1) + 1).clamp(IN_MEMORY as u64, MOST as u64) as usize,
        };
        let share = (4 * letters * num_rows / num) as u64;
        let rows = (0..num).map(|_| Spool::new(scratch, share)).collect::<std::io::Result<_>>()?;
        let routes = Spool::new(scratch, num_rows as u64)?;
        Ok(Self { layer, letters, scratch, rows, routes, counts: Vec::new() })
    }

    /// Returns the number of bytes that `num_rows` rows need while duplicates are detected.
    pub(super) fn bytes_to_number(letters: usize, num_rows: usize) -> u64 {
        (num_rows * (8 * letters + 20)) as u64
    }

    /// Returns the maximum number of bytes that `num_rows` rows need in files, including their numbers and the distinct
    /// rows.
    pub(super) fn bytes_on_disk(letters: usize, num_rows: usize) -> u64 {
        (num_rows * (8 * letters + 5)) as u64
    }

    /// Returns the number of bytes in memory.
    pub(super) fn bytes(&self) -> u64 {
        self.rows.iter().chain([&self.routes]).map(Spool::bytes).sum()
    }

    /// Adds rows.
    pub(super) fn add(&mut self, rows: &[u32]) -> std::io::Result<()> {
        let (letters, num) = (self.letters, self.rows.len() as u64);
        self.counts.push(rows.len() / letters);
        let route_of = |row: &[u32]| match row[0] {
            REJECT if row.iter().all(|&target| target == REJECT) => ALL_REJECT,
            ACCEPT if row.iter().all(|&target| target == ACCEPT) => ALL_ACCEPT,
            // The low bits are not used here because they determine the position in the bucket's table.
            _ => ((hash_row(row) >> 32) % num) as u8,
        };
        let mut buffers: Vec<Vec<u32>> = vec![Vec::new(); self.rows.len()];
        for rows in rows.chunks(256 * STRETCH * letters) {
            let routes: Vec<u8> = rows.par_chunks(letters).with_min_len(STRETCH).map(route_of).collect();
            for (row, &route) in rows.chunks(letters).zip(&routes) {
                if let Some(buffer) = buffers.get_mut(usize::from(route)) {
                    buffer.extend_from_slice(row);
                }
            }
            for (spool, buffer) in self.rows.iter_mut().zip(&mut buffers) {
                spool.extend(buffer)?;
                buffer.clear();
            }
            self.routes.extend(&packed(&routes))?;
        }
        Ok(())
    }

    /// Numbers the distinct rows.
    ///
    /// # Errors
    /// Returns [`Error::TooManyStates`], or [`Error::Io`] for scratch files.
    pub(super) fn number(self, io: impl Fn(std::io::Error) -> Error + Sync) -> Result<Numbered> {
        let letters = self.letters;
        let mut rows = Spool::new(self.scratch, 0).map_err(&io)?;
        let mut numbers = Vec::with_capacity(self.rows.len());
        let mut num_states = 0;
        let mut waiting = self.rows.into_iter();
        loop {
            // Process as many buckets at a time as there are threads.
            let batch: Vec<Spool> = waiting.by_ref().take(rayon::current_num_threads()).collect();
            if batch.is_empty() {
                break;
            }
            let distinct =
                |spool: Spool| -> std::io::Result<_> { Ok(distinct(spool.read()?.rest()?, letters)) };
            for done in batch.into_par_iter().map(distinct).collect::<Vec<_>>() {
                let (different, own) = done.map_err(&io)?;
                let first = num_states + FIRST as usize;
                num_states += different.len() / letters;
                if num_states > MAX_STATES {
                    return Err(Error::TooManyStates { layer: self.layer, limit: MAX_STATES as u64 });
                }
                rows.extend(&different).map_err(&io)?;
                let mut spool = Spool::new(self.scratch, 4 * own.len() as u64).map_err(&io)?;
                spool.extend(&own).map_err(&io)?;
                numbers.push((first as u32, spool.read().map_err(&io)?));
            }
        }
        Ok(Numbered {
            num_states,
            rows: Some(rows.read().map_err(&io)?),
            routes: self.routes.read().map_err(&io)?,
            numbers,
            counts: self.counts.into_iter(),
        })
    }
}

impl Numbered {
    /// Takes the distinct rows, by state from [`FIRST`] on. Returns no rows if they were taken before.
    pub(super) fn take_rows(&mut self) -> Spooled {
        self.rows.take().unwrap_or_else(|| Spooled::Memory(Vec::new().into_iter()))
    }

    /// Returns the new numbers of the rows passed to the next call of [`Buckets::add`], which are states or constants.
    pub(super) fn next(&mut self) -> std::io::Result<Vec<u32>> {
        let count = self.counts.next().unwrap_or(0);
        let mut became = Vec::with_capacity(count);
        while became.len() < count {
            let some = (count - became.len()).min(256 * STRETCH);
            let routes: Vec<u8> = self
                .routes
                .take(some.div_ceil(4))?
                .into_iter()
                .flat_map(u32::to_le_bytes)
                .take(some)
                .collect();
            let mut counts = [0; 256];
            routes.iter().for_each(|&route| counts[usize::from(route)] += 1);
            let own = self
                .numbers
                .iter_mut()
                .zip(counts)
                .map(|((first, numbers), count)| Ok((*first, numbers.take(count)?.into_iter())));
            let mut own = own.collect::<std::io::Result<Vec<_>>>()?;
            became.extend(routes.into_iter().map(|route| match own.get_mut(usize::from(route)) {
                Some((first, numbers)) => numbers.next().map_or(REJECT, |number| *first + number),
                None => u32::from(route == ALL_ACCEPT),
            }));
        }
        Ok(became)
    }
}

/// Packs four routes into each number.
fn packed(routes: &[u8]) -> Vec<u32> {
    let pack = |four: &[u8]| four.iter().rev().fold(0, |number, &route| number << 8 | u32::from(route));
    routes.chunks(4).map(pack).collect()
}

/// Returns the distinct rows in the order of their first occurrence, and the index of the distinct row for each row.
fn distinct(mut rows: Vec<u32>, letters: usize) -> (Vec<u32>, Vec<u32>) {
    let num_rows = rows.len() / letters;
    let mut table: HashTable<(u32, u32)> = HashTable::new();
    let mut numbers = Vec::with_capacity(num_rows);
    let mut met = 0;
    for place in 0..num_rows {
        let (done, rest) = rows.split_at_mut(place * letters);
        let row = &rest[..letters];
        let hash = hash_row(row);
        let tag = hash as u32;
        let spread = |tag: u32| crate::hash::fold(u64::from(tag) | 1 << 32, 0x9E37_79B9_7F4A_7C15);
        let is_row =
            |&(t, n): &(u32, u32)| t == tag && &done[n as usize * letters..(n as usize + 1) * letters] == row;
        let number = match table.find(spread(tag), is_row) {
            Some(&(_, number)) => number,
            None => {
                let number = met as u32;
                table.insert_unique(spread(tag), (tag, number), |&(t, _)| spread(t));
                rows.copy_within(place * letters..(place + 1) * letters, met * letters);
                met += 1;
                number
            }
        };
        numbers.push(number);
    }
    rows.truncate(met * letters);
    (rows, numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rows_get_one_number_in_memory_and_on_disk() {
        let folder = tempfile::tempdir().unwrap();
        let scratch = Scratch::new(folder.path().into());
        let row = |i: u32| match i % 1000 {
            0 => [0, 0],
            1 => [1, 1],
            k => [k, k * k % 7],
        };
        let rows: Vec<u32> = (0..30_000).flat_map(row).collect();
        for (place, room) in [(None, 0), (Some(&scratch), 100), (Some(&scratch), 1 << 20)] {
            let mut buckets = Buckets::new((0, 2), 30_000, place, room).unwrap();
            let parts = [&rows[..2], &rows[2..14_006], &[], &rows[14_006..]];
            parts.iter().for_each(|part| buckets.add(part).unwrap());
            let mut numbered = buckets.number(|e| Error::io("scratch", e)).unwrap();
            assert_eq!(numbered.num_states, 998);
            let became: Vec<u32> = parts.iter().flat_map(|_| numbered.next().unwrap()).collect();
            let table = numbered.take_rows().rest().unwrap();
            for (row, &number) in rows.chunks(2).zip(&became) {
                match number {
                    REJECT | ACCEPT => assert_eq!(row, [number, number]),
                    number => assert_eq!(row, &table[2 * (number - FIRST) as usize..][..2]),
                }
            }
        }
    }
}
