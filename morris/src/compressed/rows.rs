//! Rows: the demands on all ways to fill the last few points, and the codes that meet them.

use hashbrown::HashMap;

use super::entries::Entry;

/// Words of a row: C(5, 2).
pub(super) const MOST_ROW: usize = 10;
/// Rows that a row with choices is compared with before it becomes a row of its own.
const MOST_COMPARED: usize = 1 << 12;

/// The codes of a row's words; those past its length are 0.
pub(super) type Row = [u16; MOST_ROW];

/// Rows of one number of stones as they are met, with how often.
#[derive(Default)]
pub(super) struct Found {
    numbers: HashMap<[Entry; MOST_ROW], u32>,
    rows: Vec<([Entry; MOST_ROW], u32)>,
}

impl Found {
    /// The number of a row.
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

    /// Joins rows whose demands one row can meet. Gives the rows that are left, and for each row found which of them meets it.
    pub(super) fn joined(&self, len: usize) -> (Vec<[Entry; MOST_ROW]>, Vec<usize>) {
        let exact = |i: usize| self.rows[i].0[..len].iter().all(|entry| entry.is_exact());
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        // Rows without a choice first, then those that are met most.
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

/// What meets all of `entries`.
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
