//! From rows of keys to the minimal automaton: keys with equal rows are one state, last layer first.

use rayon::prelude::*;

use crate::automaton::Dfa;
use crate::error::Result;
use crate::shape::Shape;
use crate::unique::{ACCEPT, REJECT};

use super::copies::{Copied, Copies};
use super::expand::Check;
use super::intern::{Distinct, Interner};
use super::keys::{COPY, split};
use super::rows::RowStore;
use super::tail::Tail;

/// Merges keys with equal rows from the layer before `cut` back to the first.
pub(super) fn minimise(
    shape: &Shape,
    mut rows: RowStore,
    cut: usize,
    tail: Tail,
    copies: &Copies<'_>,
    check: Check<'_>,
) -> Result<Dfa> {
    let mut tables: Vec<Distinct<u32>> = (0..cut).map(|layer| Distinct::none(shape.letters(layer))).collect();
    tables.extend(tail.tables);
    let mut below = tail.states;
    let mut copied = tail.copied;
    for layer in (0..cut).rev() {
        let finished: u64 = tables.iter().map(Distinct::bytes).sum();
        check(finished + rows.bytes())?;
        let Some(here) = rows.pop()? else { break };
        let letters = shape.letters(layer);
        let interner = Interner::new(letters);
        let numbers: Vec<(usize, Vec<u32>)> = here
            .0
            .into_par_iter()
            .map(|rows| merge(layer, rows, (&below, &copied), &interner, letters))
            .collect::<Result<_>>()?;
        let copied_bytes = copies.bytes_to_join(layer, letters * size_of::<u32>());
        check(finished + rows.bytes() + interner.bytes() + copied_bytes)?;
        let (mut table, numbering) = interner.finish(layer)?;
        let renumber = |(lane, mut numbers): (usize, Vec<u32>)| {
            numbering.apply(lane, &mut numbers);
            numbers
        };
        below = numbers.into_par_iter().map(renumber).collect();
        copied = copies.join_rows(layer, &copied, &mut table)?;
        tables[layer] = table.into_distinct();
    }
    let root = below.iter().flatten().copied().next().unwrap_or(REJECT);
    Ok(Dfa::canonical(
        shape,
        root,
        |layer| tables[layer].limit(),
        |layer, state, out| out.extend_from_slice(tables[layer].row(state)),
    ))
}

/// Lane and provisional numbers of a partition's keys, in place of their rows.
fn merge(
    layer: usize,
    mut rows: Vec<u32>,
    (below, copied): (&[Vec<u32>], &Copied),
    interner: &Interner<u32>,
    letters: usize,
) -> Result<(usize, Vec<u32>)> {
    let number = |target: u32| match target {
        REJECT | ACCEPT => target,
        COPY.. => copied.of(target - COPY),
        key => {
            let (partition, place) = split(key);
            below[partition][place]
        }
    };
    let mut writer = interner.writer(layer);
    let num_keys = rows.len() / letters;
    for key in 0..num_keys {
        let row = &mut rows[key * letters..(key + 1) * letters];
        row.iter_mut().for_each(|target| *target = number(*target));
        let constant = row[0] <= ACCEPT && row.iter().all(|&t| t == row[0]);
        // A key's number goes where rows before its own have been.
        let state = if constant { row[0] } else { writer.intern(row)? };
        rows[key] = state;
    }
    rows.truncate(num_keys);
    rows.shrink_to_fit();
    Ok((writer.lane, rows))
}
