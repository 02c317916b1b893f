//! Rows: the demands on all ways to fill the last few points, and the codes that meet them.

use hashbrown::HashMap;

use super::entries::Entry;

/// The number of words of a row: C(5, 2).
pub(super) const MOST_ROW: usize = 10;
/// The number of rows with which a row with choices is compared before it becomes a separate row.
const MOST_COMPARED: usize = 1 << 12;

/// The codes of the words of a row. Codes past its length are 0.
pub(super) type Row = [u16; MOST_ROW];

/// The distinct rows for one number of stones, in the order of their first occurrence, with their frequencies.
#[derive(Default)]
pub(super) struct Found {
    numbers: HashMap<[Entry; MOST_ROW], u32>,
    rows: Vec<([Entry; MOST_ROW], u32)>,
}

impl Found {
    /// Adds a row and returns its number.
    pub(super) fn add(&mut self, part: &[Entry]) -> u32 {
        let mut row = [Entry::exactly(0); MOST_ROW];
        row[..part.len()].copy_from_slice(part);
        let next = self.rows.len() as u32;
        let number = *self.numbers.entry(row).or_insert(next);
        if number == next {
            self.rows.push((row, 0));
        }
        self.rows[number as usize].1 += 1;
        number
    }

    /// Merges rows whose demands can be met by one row. Returns the remaining rows, and for each original row the index
    /// of the row that meets it.
    pub(super) fn joined(&self, len: usize) -> (Vec<[Entry; MOST_ROW]>, Vec<usize>) {
        let exact = |i: usize| self.rows[i].0[..len].iter().all(|entry| entry.is_exact());
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        // Rows without a choice come first, and then the most frequent ones.
        order.sort_by_key(|&i| (!exact(i), u32::MAX - self.rows[i].1));
        let mut kept: Vec<[Entry; MOST_ROW]> = Vec::new();
        let mut became = vec![0; self.rows.len()];
        for i in order {
            let row = &self.rows[i].0;
            let compared = if exact(i) { 0 } else { MOST_COMPARED };
            let fits = kept.iter().take(compared).enumerate();
            let fits = fits.filter_map(|(at, other)| Some((at, meet_rows(other, row)?))).next();
            became[i] = match fits {
                Some((at, both)) => {
                    kept[at] = both;
                    at
                }
                None => {
                    kept.push(*row);
                    kept.len() - 1
                }
            };
        }
        (kept, became)
    }
}

/// Returns the conjunction of all `entries`, if an answer can meet it.
pub(super) fn meet_all(entries: &[Entry]) -> Option<Entry> {
    let (first, rest) = entries.split_first()?;
    rest.iter().try_fold(*first, |all, entry| all.meet(*entry))
}

fn meet_rows(a: &[Entry; MOST_ROW], b: &[Entry; MOST_ROW]) -> Option<[Entry; MOST_ROW]> {
    let mut both = *a;
    for (entry, other) in both.iter_mut().zip(b) {
        *entry = entry.meet(*other)?;
    }
    Some(both)
}
