//! From rows of keys to the minimal automaton: keys with equal rows are one state, last layer first.

use rayon::prelude::*;

use crate::automaton::Dfa;
use crate::error::Result;
use crate::shape::Shape;
use crate::unique::{ACCEPT, REJECT};

use super::copies::{Copied, Copies};
use super::expand::Check;
use super::intern::{Distinct, Interner, TOGETHER};
use super::keys::{COPY, split};
use super::rows::{RowStore, Rows};
use super::tail::Tail;

/// Merges keys with equal rows from the layer before `cut` back to the first, and states of the `tail` with copies.
pub(super) fn minimise(
    shape: &Shape,
    mut rows: RowStore,
    cut: usize,
    tail: Tail,
    copies: &Copies<'_>,
    check: Check<'_>,
) -> Result<Dfa> {
    let tables = (0..shape.num_layers()).map(|layer| Distinct::none(shape.letters(layer))).collect();
    let mut merger = Merger { tables, below: Vec::new(), copies, copied: Copied::default() };
    if copies.layer(cut).is_empty() {
        merger.tables.splice(cut.., tail.tables);
        merger.below = tail.states;
    } else {
        let mut waiting = tail.bytes();
        for (layer, table) in (cut..shape.num_layers()).zip(tail.tables).rev() {
            waiting -= table.bytes();
            merger.layer(layer, Rows(table.shards), rows.bytes() + waiting, check)?;
        }
        let number = |state: &mut u32| *state = merger.number(*state);
        let mut states = tail.states;
        states.par_iter_mut().flatten().for_each(number);
        merger.below = states;
    }
    for layer in (0..cut).rev() {
        check(merger.bytes() + rows.bytes())?;
        let Some(here) = rows.pop()? else { break };
        merger.layer(layer, here, rows.bytes(), check)?;
    }
    let Merger { tables, below, .. } = merger;
    let root = below.iter().flatten().copied().next().unwrap_or(REJECT);
    Ok(Dfa::canonical(
        shape,
        root,
        |layer| tables[layer].limit(),
        |layer, state, out| out.extend_from_slice(tables[layer].row(state)),
    ))
}

/// Merges one layer after the other.
struct Merger<'a> {
    /// Distinct rows of the layers done.
    tables: Vec<Distinct<u32>>,
    /// States of the last layer done, by its keys.
    below: Vec<Vec<u32>>,
    copies: &'a Copies<'a>,
    /// The same by its copied states.
    copied: Copied,
}

impl Merger<'_> {
    /// Bytes of what is finished.
    fn bytes(&self) -> u64 {
        self.tables.iter().map(Distinct::bytes).sum()
    }

    /// What a target of a row became.
    #[inline]
    fn number(&self, target: u32) -> u32 {
        match target {
            REJECT | ACCEPT => target,
            COPY.. => self.copied.of(target - COPY),
            key => {
                let (partition, place) = split(key);
                self.below[partition][place]
            }
        }
    }

    /// Merges the `rows` of a layer, while others take `held` bytes.
    fn layer(&mut self, layer: usize, rows: Rows, held: u64, check: Check<'_>) -> Result<()> {
        let letters = self.tables[layer].width();
        let interner = Interner::new(letters);
        let numbers: Vec<(usize, Vec<u32>)> =
            rows.0.into_par_iter().map(|rows| self.merge(layer, rows, &interner)).collect::<Result<_>>()?;
        let copied_bytes = self.copies.bytes_to_join(layer, letters * size_of::<u32>());
        check(self.bytes() + held + interner.bytes() + copied_bytes)?;
        let (mut table, numbering) = interner.finish(layer)?;
        let renumber = |(lane, mut numbers): (usize, Vec<u32>)| {
            numbering.apply(lane, &mut numbers);
            numbers
        };
        self.below = numbers.into_par_iter().map(renumber).collect();
        self.copied = self.copies.join(layer, &self.copied, &mut table)?;
        self.tables[layer] = table.into_distinct();
        Ok(())
    }

    /// Lane and provisional numbers of a partition's keys.
    fn merge(&self, layer: usize, mut rows: Vec<u32>, interner: &Interner<u32>) -> Result<(usize, Vec<u32>)> {
        let letters = self.tables[layer].width();
        let mut writer = interner.writer(layer);
        let mut numbers = Vec::with_capacity(rows.len() / letters);
        let constant = |row: &[u32]| {
            Some(row[0]).filter(|&first| first <= ACCEPT && row.iter().all(|&target| target == first))
        };
        for rows in rows.chunks_mut(TOGETHER * letters) {
            rows.iter_mut().for_each(|target| *target = self.number(*target));
            writer.intern_all(rows, constant, &mut numbers)?;
        }
        Ok((writer.lane, numbers))
    }
}
