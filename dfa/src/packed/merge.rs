//! Merging of compatible states, from the last layer up.
//!
//! The rows of a layer are compared after their targets have been merged. Two rows are compatible if they have the same
//! target at every letter at which both matter; then one state can represent both, and it matters where either does.
//! Rows at which more letters matter are processed first. A row first joins a state at which the same letters and more
//! matter, and otherwise the first compatible one. This is a heuristic: finding the minimum number of states is
//! intractable, and states are not merged if only the functions of their targets, but not the targets, are compatible.
//!
//! The result depends only on the rows.

use std::collections::BTreeMap;

use hashbrown::HashTable;

use super::rows::{Rows, Workspace};
use super::{CODE, FREE};
use crate::error::Result;
use crate::hash::fold;
use crate::shape::Shape;

/// The largest number of different sets of letters that matter in a layer for which states are merged. If there are
/// more, the rows of the rarer sets stay as they are.
const MOST_MASKS: usize = 32;
/// The largest alphabet of a layer whose states are merged.
const MOST_LETTERS: usize = 64;
/// The end of a list of rows.
const NONE: u32 = u32::MAX;
/// The number of rows between two checks of the memory cap and the interrupt flag.
const CHECK_EVERY: usize = 1 << 14;

/// Merges the states of all layers, and returns the target at which the first letter is read.
pub(super) fn merge(shape: &Shape, root: u32, rows: &mut Rows<'_>) -> Result<u32> {
    let mut below: Vec<u32> = Vec::new();
    for layer in (0..shape.num_layers()).rev() {
        let mut targets = rows.take(layer);
        for target in targets.iter_mut().filter(|target| **target & CODE == 0) {
            *target = below[*target as usize];
        }
        let held = rows.bytes() + 4 * below.len() as u64;
        let mut merger = Layer::new(targets, shape.num_letters(layer), held, rows.work);
        below = merger.merge()?;
        rows.put(layer, merger.rows)?;
    }
    Ok(if root & CODE == 0 { below[root as usize] } else { root })
}

/// The letters that matter in a row, as bits.
type Mask = u64;

struct Layer<'a> {
    rows: Vec<u32>,
    letters: usize,
    /// The number of bytes held elsewhere.
    held: u64,
    work: &'a Workspace,
}

impl<'a> Layer<'a> {
    fn new(rows: Vec<u32>, letters: usize, held: u64, work: &'a Workspace) -> Self {
        Self { rows, letters, held, work }
    }

    fn row(&self, number: u32) -> &[u32] {
        &self.rows[number as usize * self.letters..][..self.letters]
    }

    /// Replaces the rows by those of merged states, and returns the new target of each row.
    fn merge(&mut self) -> Result<Vec<u32>> {
        let mut targets = self.distinct()?;
        let num_rows = (self.rows.len() / self.letters) as u32;
        let mut state_of: Vec<u32> = (0..num_rows).collect();
        if self.letters <= MOST_LETTERS {
            self.join(&mut state_of)?;
        }
        // States keep the order of their first rows.
        let mut number = 0;
        for row in 0..num_rows {
            let first = state_of[row as usize];
            if first == row {
                let start = row as usize * self.letters;
                self.rows.copy_within(start..start + self.letters, number as usize * self.letters);
                state_of[row as usize] = number;
                number += 1;
            } else {
                // The state that a row joins may follow it.
                state_of[row as usize] = first | CODE;
            }
        }
        for row in 0..num_rows as usize {
            if state_of[row] & CODE != 0 {
                state_of[row] = state_of[(state_of[row] & !CODE) as usize];
            }
        }
        self.rows.truncate(number as usize * self.letters);
        for target in targets.iter_mut().filter(|target| **target & CODE == 0) {
            *target = state_of[*target as usize];
        }
        Ok(targets)
    }

    /// Keeps the first of several equal rows, and removes rows of a single code. Returns the new target of each row.
    fn distinct(&mut self) -> Result<Vec<u32>> {
        let letters = self.letters;
        let mut numbers: HashTable<u32> = HashTable::new();
        let mut targets = Vec::with_capacity(self.rows.len() / letters);
        let mut kept = 0u32;
        for start in (0..self.rows.len()).step_by(letters) {
            if targets.len().is_multiple_of(CHECK_EVERY) {
                self.check(4 * targets.capacity() as u64 + 5 * numbers.capacity() as u64)?;
            }
            let row = &self.rows[start..start + letters];
            let code = row.iter().copied().find(|target| *target != FREE).unwrap_or(FREE);
            if code & CODE != 0 && row.iter().all(|target| [code, FREE].contains(target)) {
                targets.push(code);
                continue;
            }
            let row_at = |n: u32| &self.rows[n as usize * letters..][..letters];
            let hash = hash_at(row, Mask::MAX);
            if let Some(&known) = numbers.find(hash, |&n| row_at(n) == row) {
                targets.push(known);
                continue;
            }
            numbers.insert_unique(hash, kept, |&n| hash_at(row_at(n), Mask::MAX));
            targets.push(kept);
            self.rows.copy_within(start..start + letters, kept as usize * letters);
            kept += 1;
        }
        self.rows.truncate(kept as usize * letters);
        Ok(targets)
    }

    /// Joins rows to compatible ones. Sets the representative of each row, whose row becomes that of the merged state.
    fn join(&mut self, state_of: &mut [u32]) -> Result<()> {
        let all = Mask::MAX >> (MOST_LETTERS - self.letters);
        let masks: Vec<Mask> = (0..state_of.len() as u32).map(|row| mask_of(self.row(row))).collect();
        let mut by_mask: BTreeMap<Mask, Vec<u32>> = BTreeMap::new();
        for (row, &mask) in (0..).zip(&masks) {
            by_mask.entry(mask).or_default().push(row);
        }
        // The states so far by the letters that matter in them.
        let mut states: BTreeMap<Mask, Vec<u32>> = BTreeMap::new();
        states.insert(all, by_mask.remove(&all).unwrap_or_default());
        let mut partial: Vec<(Mask, Vec<u32>)> = by_mask.into_iter().collect();
        partial.sort_by_key(|(mask, rows)| (std::cmp::Reverse(rows.len()), *mask));
        let rest = partial.split_off(partial.len().min(MOST_MASKS));
        partial.sort_by_key(|(mask, _)| (std::cmp::Reverse(mask.count_ones()), *mask));
        for (mask, mut open) in partial {
            let others: Vec<Mask> = states.keys().copied().filter(|other| other & mask != 0).collect();
            let covers = |other: &Mask| other & mask == mask;
            let (covering, crossing): (Vec<Mask>, Vec<Mask>) = others.into_iter().partition(covers);
            for other in covering.into_iter().rev().chain(crossing.into_iter().rev()) {
                if open.is_empty() {
                    break;
                }
                let mut group = states.remove(&other).unwrap_or_default();
                let grown = self.join_to(&mut group, &mut open, mask & other, state_of)?;
                states.insert(other, group);
                states.entry(other | mask).or_default().extend(grown);
            }
            states.entry(mask).or_default().extend(open);
        }
        drop(rest);
        Ok(())
    }

    /// Joins rows of `open` to states of `group` that have the same targets at the letters of `common`, at which both
    /// matter. Removes joined rows, and moves states at which more letters matter now to the result.
    fn join_to(
        &mut self,
        group: &mut Vec<u32>,
        open: &mut Vec<u32>,
        common: Mask,
        state_of: &mut [u32],
    ) -> Result<Vec<u32>> {
        // The open rows by their targets at the common letters. Rows with the same ones form a list.
        let mut heads: HashTable<(u32, u32)> = HashTable::with_capacity(open.len());
        let mut next = vec![NONE; open.len()];
        self.check((16 * open.len() + 4 * state_of.len()) as u64)?;
        for (place, &row) in (0u32..).zip(open.iter()) {
            let hash = hash_at(self.row(row), common);
            let same =
                |&(first, _): &(u32, u32)| equal_at(self.row(open[first as usize]), self.row(row), common);
            match heads.find_mut(hash, same) {
                Some((_, last)) => {
                    next[*last as usize] = place;
                    *last = place;
                }
                None => {
                    let rehash = |&(first, _): &(u32, u32)| hash_at(self.row(open[first as usize]), common);
                    heads.insert_unique(hash, (place, place), rehash);
                }
            }
        }
        let mut joined = vec![false; open.len()];
        let mut grown = Vec::new();
        let mut stays = Vec::with_capacity(group.len());
        for (count, &state) in group.iter().enumerate() {
            if count.is_multiple_of(CHECK_EVERY) {
                self.check((20 * open.len()) as u64)?;
            }
            let hash = hash_at(self.row(state), common);
            let same =
                |&(first, _): &(u32, u32)| equal_at(self.row(open[first as usize]), self.row(state), common);
            let Ok(mut found) = heads.find_entry(hash, same) else {
                stays.push(state);
                continue;
            };
            let (place, last) = *found.get();
            let row = open[place as usize];
            let wider = mask_of(self.row(row)) & !mask_of(self.row(state)) != 0;
            if !wider {
                // All rows of the list are equal at these letters and matter nowhere else, so there is only one.
                joined[place as usize] = true;
                state_of[row as usize] = state;
                found.remove();
                stays.push(state);
                continue;
            }
            if next[place as usize] == NONE {
                found.remove();
            } else {
                *found.get_mut() = (next[place as usize], last);
            }
            joined[place as usize] = true;
            state_of[row as usize] = state;
            for letter in 0..self.letters {
                let (from, to) =
                    (row as usize * self.letters + letter, state as usize * self.letters + letter);
                if self.rows[to] == FREE {
                    self.rows[to] = self.rows[from];
                }
            }
            grown.push(state);
        }
        *group = stays;
        let mut is_joined = joined.into_iter();
        open.retain(|_| !is_joined.next().unwrap_or_default());
        Ok(grown)
    }

    fn check(&self, more: u64) -> Result<()> {
        self.work.check(self.held + 4 * self.rows.capacity() as u64 + more)
    }
}

fn mask_of(row: &[u32]) -> Mask {
    row.iter()
        .enumerate()
        .filter(|(_, target)| **target != FREE)
        .fold(0, |mask, (letter, _)| mask | 1 << letter)
}

fn is_in(mask: Mask, letter: usize) -> bool {
    mask >> letter.min(MOST_LETTERS - 1) & 1 != 0
}

fn hash_at(row: &[u32], mask: Mask) -> u64 {
    let targets = row.iter().enumerate().filter(|(letter, _)| is_in(mask, *letter));
    targets.fold(0x243F_6A88_85A3_08D3, |hash, (_, &target)| {
        fold(hash ^ u64::from(target), 0x9E37_79B9_7F4A_7C15)
    })
}

fn equal_at(a: &[u32], b: &[u32], mask: Mask) -> bool {
    a.iter().zip(b).enumerate().all(|(letter, (x, y))| x == y || !is_in(mask, letter))
}
