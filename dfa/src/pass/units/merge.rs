//! Merges the first layers and the fragments into the whole result. The layers are processed one at a time from the
//! last layer backwards, and equal rows become one state.
//!
//! The children of all rows are renumbered first, so that rows of different fragments are equal if and only if their
//! states are equal. The rows of a layer are distributed to buckets (`buckets.rs`). At the end, states are numbered as
//! in any automaton, so that the result is identical to that of [`crate::Passes::image`], byte for byte.
//!
//! Fragments may also be merged into a larger fragment, so that several processes can share the work.
//!
//! Memory: the rows of one layer of a fragment, and the numbers of the next layer; all rows of a layer if they fit, and
//! otherwise those of a few buckets; at the end, the numbers of two layers, and the result if it is small. A large
//! result is stored in files.

use rayon::prelude::*;

use crate::automaton::{Dfa, Numbering, SMALL_LAYER, Table, number_as_met};
use crate::error::{Error, Result};
use crate::shape::Shape;
use crate::unique::{FIRST, REJECT};

use super::super::budget::Loan;
use super::super::files::belongs_in_files;
use super::super::scratch::Scratch;
use super::buckets::{Buckets, Numbered};
use super::fragment::Fragment;
use super::fragment_file::FragmentFile;
use super::parts::{Part, became};
use super::plan::Plan;
use super::spool::{Spool, Spooled};

/// The number of states that a task processes.
const STRETCH: usize = 1 << 12;
/// The rows of a layer are kept in memory if they take at most the available memory divided by this number.
const SHARE_OF_ROOM: u64 = 4;
/// The number of states whose rows are numbered at a time.
const STATES_AT_ONCE: usize = 1 << 18;

/// Computes the result of `plan` from the fragments of all its units, in order. Rows that do not fit into memory are
/// stored in `scratch`.
pub(super) fn merge(
    plan: &Plan,
    fragments: Vec<FragmentFile>,
    scratch: Option<&Scratch>,
    work: &Loan<'_>,
) -> Result<Dfa> {
    let mut merge = Merge { shape: &plan.shape, scratch, work, done: Vec::new() };
    let mut states = merge.fragments(plan.cut, fragments)?;
    for layer in (0..plan.cut).rev() {
        let mut numbers = merge.layer(layer, &mut [Part::Top(plan)], |_| Ok(std::mem::take(&mut states)))?;
        states = merge.next(&mut numbers)?;
    }
    merge.whole(states.first().copied().unwrap_or(REJECT))
}

/// Merges `fragments`, which begin at the layer `cut`, into the fragment of all their keys in order.
pub(super) fn merge_some(
    (shape, cut): (&Shape, usize),
    fragments: Vec<FragmentFile>,
    scratch: Option<&Scratch>,
    work: &Loan<'_>,
) -> Result<Fragment> {
    let mut merge = Merge { shape, scratch, work, done: Vec::new() };
    let roots = merge.fragments(cut, fragments)?;
    merge.fragment(cut, roots)
}

struct Merge<'a> {
    shape: &'a Shape,
    scratch: Option<&'a Scratch>,
    work: &'a Loan<'a>,
    /// The rows of each finished layer and their number, beginning with the last layer.
    done: Vec<(Spooled, usize)>,
}

impl Merge<'_> {
    fn io(&self, e: std::io::Error) -> Error {
        Error::io(self.scratch.map_or_else(Default::default, |scratch| scratch.folder().to_path_buf()), e)
    }

    /// Returns the new numbers of the next part's states.
    fn next(&self, numbers: &mut Numbered) -> Result<Vec<u32>> {
        numbers.next().map_err(|e| self.io(e))
    }

    /// Returns the size of the finished layers in memory, in bytes.
    fn done_bytes(&self) -> u64 {
        self.done.iter().map(|(rows, _)| rows.bytes()).sum()
    }

    /// Returns an error if the scratch folder has too little room for the merge. In the worst case, it must hold all
    /// rows, and in addition those of two layers while they are numbered. The room is not checked if every layer fits
    /// into memory.
    fn must_fit(&self, cut: usize, parts: &[Part<'_>]) -> Result<()> {
        let Some(scratch) = self.scratch else { return Ok(()) };
        let (mut all, mut most, mut fit) = (0, 0, true);
        for layer in cut..self.shape.num_layers() {
            let letters = self.shape.num_letters(layer);
            let num_rows = parts.iter().map(|part| part.num_rows(layer)).sum();
            fit &= Buckets::bytes_to_number(letters, num_rows) <= self.work.room() / SHARE_OF_ROOM;
            all += (4 * letters * num_rows) as u64;
            most = most.max(Buckets::bytes_on_disk(letters, num_rows));
        }
        if fit { Ok(()) } else { scratch.must_hold(all + 2 * most).map_err(|e| self.io(e)) }
    }

    /// Merges all layers of fragments, and returns the new targets of their keys.
    fn fragments(&mut self, cut: usize, fragments: Vec<FragmentFile>) -> Result<Vec<u32>> {
        let fragment = |file| Part::Fragment(Box::new(file));
        let mut parts: Vec<Part<'_>> = fragments.into_iter().map(fragment).collect();
        self.must_fit(cut, &parts)?;
        let mut below: Option<Numbered> = None;
        for layer in (cut..self.shape.num_layers()).rev() {
            let next =
                |merge: &Merge<'_>| below.as_mut().map_or(Ok(Vec::new()), |numbers| merge.next(numbers));
            below = Some(self.layer(layer, &mut parts, next)?);
        }
        self.keys(parts, below)
    }

    /// Merges a layer. `below` returns the new numbers of each part's states in the next layer, one part after the
    /// other.
    fn layer(
        &mut self,
        layer: usize,
        parts: &mut [Part<'_>],
        mut below: impl FnMut(&Self) -> Result<Vec<u32>>,
    ) -> Result<Numbered> {
        let letters = self.shape.num_letters(layer);
        let num_rows = parts.iter().map(|part| part.num_rows(layer)).sum();
        let done = self.done_bytes();
        let room = self.work.room().saturating_sub(done) / SHARE_OF_ROOM;
        let to_number = Buckets::bytes_to_number(letters, num_rows);
        let fits = self.scratch.is_none() || to_number <= room;
        let share = room / rayon::current_num_threads() as u64;
        let scratch = self.scratch.filter(|_| !fits);
        let mut buckets = Buckets::new((layer, letters), num_rows, scratch, share).map_err(|e| self.io(e))?;
        for part in &mut *parts {
            let states = below(self)?;
            let mut rows = part.rows(layer)?.into_owned();
            self.work.resize(done + buckets.bytes() + 4 * (rows.len() + states.len()) as u64)?;
            let known = rows.par_iter_mut().with_min_len(STRETCH).all(|target| {
                let became = became(&states, *target);
                *target = became.unwrap_or(REJECT);
                became.is_some()
            });
            if !known {
                return Err(part.no_such_state());
            }
            buckets.add(&rows).map_err(|e| self.io(e))?;
        }
        self.work.resize(done + if fits { to_number } else { room })?;
        let mut numbered = buckets.number(|e| self.io(e))?;
        self.done.push((numbered.take_rows(), numbered.num_states));
        Ok(numbered)
    }

    /// Returns the new targets of the keys of all fragments.
    fn keys(&self, parts: Vec<Part<'_>>, mut numbers: Option<Numbered>) -> Result<Vec<u32>> {
        let mut keys = Vec::new();
        for mut part in parts {
            let states = numbers.as_mut().map_or(Ok(Vec::new()), |numbers| self.next(numbers))?;
            let roots = if let Part::Fragment(fragment) = &mut part { fragment.roots()? } else { Vec::new() };
            for root in roots {
                keys.push(became(&states, root).ok_or_else(|| part.no_such_state())?);
            }
        }
        Ok(keys)
    }

    /// Builds the automaton of the states that are reachable from `root`.
    fn whole(self, root: u32) -> Result<Dfa> {
        let rows: u64 = self.done.iter().map(|(rows, _)| 4 * rows.len() as u64).sum();
        let files = self.scratch.filter(|_| belongs_in_files(rows, self.work.room()));
        let (shape, roots) = (self.shape, vec![root]);
        let (roots, layers) = self.numbered(0, roots, files)?;
        Ok(Dfa::from_canonical(shape.clone(), roots[0], layers))
    }

    /// Builds the fragment of the states that are reachable from `roots`, from the layer `cut` on.
    fn fragment(self, cut: usize, roots: Vec<u32>) -> Result<Fragment> {
        let shape = self.shape.clone();
        let (roots, layers) = self.numbered(cut, roots, None)?;
        let layers = layers.into_iter().map(Table::into_memory).collect();
        Ok(Fragment { shape, cut, roots, layers })
    }

    /// Returns the targets of `roots` and the tables from the layer `cut` on. Large tables are stored in `files`, if
    /// given.
    fn numbered(
        mut self,
        cut: usize,
        mut roots: Vec<u32>,
        files: Option<&Scratch>,
    ) -> Result<(Vec<u32>, Vec<Table>)> {
        let mut states = number_as_met(&mut roots, self.limit());
        let mut layers: Vec<Table> = Vec::new();
        for layer in cut..self.shape.num_layers() {
            let letters = self.shape.num_letters(layer);
            let table = self.done.pop().map_or(Ok(Vec::new().into()), |(rows, _)| rows.into_table());
            let table = table.map_err(|e| self.io(e))?;
            let mut next = Numbering::new(self.limit());
            let bytes = 4 * (letters * states.len()) as u64;
            let files = files.filter(|_| bytes >= SMALL_LAYER);
            let mut rows = Spool::new(files, bytes).map_err(|e| self.io(e))?;
            for states in states.chunks(STATES_AT_ONCE) {
                let mut some = rows_of(states, &table, letters);
                next.number(&mut some);
                rows.extend(&some).map_err(|e| self.io(e))?;
            }
            let kept: u64 = layers.iter().map(Table::bytes).sum();
            let here = table.bytes() + rows.bytes() + next.bytes() + 4 * states.len() as u64;
            self.work.set(self.done_bytes() + kept + here);
            layers.push(rows.into_table().map_err(|e| self.io(e))?);
            states = next.into_met();
        }
        Ok((roots, layers))
    }

    /// Returns an exclusive upper bound of the states of the first remaining layer.
    fn limit(&self) -> usize {
        FIRST as usize + self.done.last().map_or(0, |&(_, num_states)| num_states)
    }
}

/// Returns the rows of `states` in `table`.
fn rows_of(states: &[u32], table: &[u32], letters: usize) -> Vec<u32> {
    let mut rows = vec![REJECT; letters * states.len()];
    let fill = |(row, &state): (&mut [u32], &u32)| {
        let start = (state - FIRST) as usize * letters;
        row.copy_from_slice(&table[start..start + letters]);
    };
    rows.par_chunks_mut(letters).with_min_len(STRETCH).zip(states).for_each(fill);
    rows
}
