//! Minimisation: from the last layer to the first, macrostates with equal rows become one state.

use rayon::prelude::*;

use crate::automaton::Dfa;
use crate::error::Result;
use crate::shape::Shape;
use crate::unique::{ACCEPT, REJECT};

use super::budget::{Bytes, Loan};
use super::copies::{Copied, Copies};
use super::fold::Fold;
use super::intern::{Distinct, Interner, TOGETHER};
use super::macrostates::{COPY, PARTITIONS, split};
use super::rows::{RowStore, Rows};

/// Minimal layers from a given layer on, and the states that represent the macrostates of that layer.
pub(super) struct Finished {
    /// The state of each macrostate, by partition.
    pub(super) states: Vec<Vec<u32>>,
    /// The rows of the layers.
    pub(super) tables: Vec<Distinct<u32>>,
}

impl Bytes for Finished {
    fn bytes(&self) -> u64 {
        let states: usize = self.states.iter().map(Vec::len).sum();
        self.tables.iter().map(Distinct::bytes).sum::<u64>() + 4 * states as u64
    }
}

impl Fold for Finished {
    type Whole = Dfa;

    const COPIES: bool = true;

    fn constant(shape: &Shape, value: bool) -> Dfa {
        if value { Dfa::full(shape) } else { Dfa::empty(shape) }
    }

    fn copied(side: &Dfa) -> Result<Dfa> {
        Ok(side.clone())
    }

    /// Builds the automaton. Each table is freed after its states have been numbered.
    fn whole(self, shape: &Shape) -> Dfa {
        let root = self.states.iter().flatten().copied().next().unwrap_or(REJECT);
        let mut tables = self.tables.into_iter().peekable();
        Dfa::canonical(shape, root, |_, states| {
            let mut rows = Vec::new();
            if let Some(table) = tables.next() {
                rows.reserve_exact(states.len() * table.width());
                states.iter().for_each(|&state| rows.extend_from_slice(table.row(state)));
            }
            (rows, tables.peek().map_or(0, Distinct::limit))
        })
    }

    fn num_states(whole: &Dfa) -> u64 {
        whole.num_states() as u64
    }

    fn none(shape: &Shape, from: usize) -> Self {
        let tables = (from..shape.num_layers()).map(|layer| Distinct::none(shape.num_letters(layer)));
        Self { states: vec![Vec::new(); PARTITIONS], tables: tables.collect() }
    }

    fn of_suffix_table(table: Finished, _: &Shape, _: usize) -> Self {
        table
    }

    /// Merges macrostates with equal rows, and unites the finished layers from the cut on with the copies.
    fn join(
        shape: &Shape,
        (from, cut): (usize, usize),
        mut rows: RowStore<'_>,
        mut parts: Vec<Self>,
        copies: &Copies<'_>,
        work: &Loan<'_>,
    ) -> Result<Self> {
        let tables = (0..shape.num_layers()).map(|layer| Distinct::none(shape.num_letters(layer))).collect();
        let mut merger = Merger { tables, below: Vec::new(), copies, copied: Copied::default() };
        if parts.len() == 1 && copies.layer(cut).is_empty() {
            let only = parts.swap_remove(0);
            merger.tables.splice(cut.., only.tables);
            merger.below = vec![only.states];
        } else {
            merger.unite(cut, parts, work)?;
        }
        for layer in (from..cut).rev() {
            let Some(here) = rows.pop()? else { break };
            work.resize(merger.bytes() + here.bytes())?;
            merger.layer(layer, vec![here], 0, work)?;
        }
        let Merger { mut tables, mut below, .. } = merger;
        Ok(Finished { states: below.pop().unwrap_or_default(), tables: tables.split_off(from) })
    }
}

/// Merges one layer after the other.
struct Merger<'a> {
    /// The distinct rows of the finished layers.
    tables: Vec<Distinct<u32>>,
    /// The states of the layer finished last, by part and by macrostate of the part.
    below: Vec<Vec<Vec<u32>>>,
    copies: &'a Copies<'a>,
    /// The states of the layer finished last, by copied state.
    copied: Copied,
}

impl Merger<'_> {
    /// Returns the number of bytes in the finished layers.
    fn bytes(&self) -> u64 {
        let states: usize = self.below.iter().flatten().map(Vec::len).sum();
        self.tables.iter().map(Distinct::bytes).sum::<u64>() + 4 * states as u64
    }

    /// Unites `parts` that are finished from layer `cut` on, and the copies.
    fn unite(&mut self, cut: usize, mut parts: Vec<Finished>, work: &Loan<'_>) -> Result<()> {
        for layer in (cut..self.tables.len()).rev() {
            let tables = parts.iter_mut().filter_map(|part| part.tables.pop());
            let rows: Vec<Rows> = tables.map(|table| Rows(table.shards)).collect();
            let waiting: u64 = parts.iter().map(Finished::bytes).sum();
            work.resize(self.bytes() + waiting + rows.iter().map(Rows::bytes).sum::<u64>())?;
            self.layer(layer, rows, waiting, work)?;
        }
        let mut states: Vec<Vec<Vec<u32>>> = parts.into_iter().map(|part| part.states).collect();
        for (part, states) in states.iter_mut().enumerate() {
            states.par_iter_mut().flatten().for_each(|state| *state = self.number(part, *state));
        }
        self.below = states;
        Ok(())
    }

    /// Returns the final state for a target of a part.
    #[inline]
    fn number(&self, part: usize, target: u32) -> u32 {
        match target {
            REJECT | ACCEPT => target,
            COPY.. => self.copied.of(target - COPY),
            macrostate => {
                let (partition, place) = split(macrostate);
                self.below[part][partition][place]
            }
        }
    }

    /// Merges the rows of a layer, which belong to one part or to all parts, while `waiting` bytes are pending.
    fn layer(&mut self, layer: usize, parts: Vec<Rows>, waiting: u64, work: &Loan<'_>) -> Result<()> {
        let letters = self.tables[layer].width();
        let interner = Interner::new(letters);
        // If there are several parts of rows, each of them leads to its own macrostates. The rows of a single part
        // lead, for each letter, to the part of that letter if there are several.
        let apart = parts.len() > 1;
        let by_letter = !apart && self.below.len() > 1;
        let merge = |(part, rows): (usize, Rows)| -> Result<Vec<(usize, Vec<u32>)>> {
            let part_of = |letter| if by_letter { letter } else { part };
            rows.0.into_par_iter().map(|rows| self.merge(layer, rows, part_of, &interner)).collect()
        };
        let numbers: Vec<Vec<(usize, Vec<u32>)>> =
            parts.into_iter().enumerate().map(merge).collect::<Result<_>>()?;
        let copied_bytes = self.copies.bytes_to_join(layer, letters * size_of::<u32>());
        let num_macrostates: usize = numbers.iter().flatten().map(|(_, numbers)| numbers.len()).sum();
        work.resize(self.bytes() + waiting + interner.bytes() + copied_bytes + 4 * num_macrostates as u64)?;
        let (mut table, numbering) = interner.finish(layer)?;
        let renumber = |(lane, mut numbers): (usize, Vec<u32>)| {
            numbering.apply(lane, &mut numbers);
            numbers
        };
        let of_part = |numbers: Vec<(usize, Vec<u32>)>| numbers.into_par_iter().map(renumber).collect();
        self.below = numbers.into_iter().map(of_part).collect();
        self.copied = self.copies.join(layer, &self.copied, &mut table)?;
        self.tables[layer] = table.into_distinct();
        Ok(())
    }

    /// Returns the lane and the provisional numbers of a partition's macrostates. Targets under a letter belong to the
    /// part `part_of(letter)`.
    fn merge(
        &self,
        layer: usize,
        mut rows: Vec<u32>,
        part_of: impl Fn(usize) -> usize,
        interner: &Interner<u32>,
    ) -> Result<(usize, Vec<u32>)> {
        let letters = self.tables[layer].width();
        let mut writer = interner.writer(layer);
        let mut numbers = Vec::with_capacity(rows.len() / letters);
        let constant = |row: &[u32]| {
            Some(row[0]).filter(|&first| first <= ACCEPT && row.iter().all(|&target| target == first))
        };
        for rows in rows.chunks_mut(TOGETHER * letters) {
            for row in rows.chunks_mut(letters) {
                for (letter, target) in row.iter_mut().enumerate() {
                    *target = self.number(part_of(letter), *target);
                }
            }
            writer.intern_all(rows, constant, &mut numbers)?;
        }
        Ok((writer.lane, numbers))
    }
}
