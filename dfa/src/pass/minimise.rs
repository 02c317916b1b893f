//! From rows of keys to the minimal automaton: keys with equal rows are one state, last layer first.

use rayon::prelude::*;

use crate::automaton::Dfa;
use crate::error::{Error, Result};
use crate::shape::Shape;
use crate::unique::{ACCEPT, FIRST, REJECT, UniqueTable};

use super::copies::{Copied, Copies};
use super::expand::Check;
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
    let mut tables: Vec<Vec<u32>> = vec![Vec::new(); cut];
    tables.extend(tail.tables);
    let mut below = tail.states;
    let mut copied = tail.copied;
    for layer in (0..cut).rev() {
        check(rows.bytes())?;
        let Some(rows) = rows.pop()? else { break };
        let letters = shape.letters(layer);
        let num_keys: usize = rows.0.iter().map(|r| r.len() / letters).sum();
        let mut unique = UniqueTable::new(letters);
        unique.set_capacity(num_keys + copies.layer(layer).len() + FIRST as usize);
        let copied_here = copies.insert(layer, &copied, &unique)?;
        below = rows
            .0
            .into_par_iter()
            .map(|rows| merge(layer, &rows, (&below, &copied), &unique, letters))
            .collect::<Result<_>>()?;
        copied = copied_here;
        tables[layer] = unique.into_rows();
    }
    let root = below.iter().flatten().copied().next().unwrap_or(REJECT);
    Ok(Dfa::canonical(
        shape,
        root,
        |layer| FIRST as usize + tables[layer].len() / shape.letters(layer),
        |layer, state, out| {
            let k = shape.letters(layer);
            let start = (state - FIRST) as usize * k;
            out.extend_from_slice(&tables[layer][start..start + k]);
        },
    ))
}

/// States of a partition's keys.
fn merge(
    layer: usize,
    rows: &[u32],
    (below, copied): (&[Vec<u32>], &Copied),
    unique: &UniqueTable,
    letters: usize,
) -> Result<Vec<u32>> {
    let number = |target: u32| match target {
        REJECT | ACCEPT => target,
        COPY.. => copied.of(target - COPY),
        key => {
            let (partition, place) = split(key);
            below[partition][place]
        }
    };
    let mut states = crate::ops::RowBuf::new();
    rows.chunks(letters)
        .map(|row| {
            states.clear();
            states.extend(row.iter().map(|&t| number(t)));
            let full = |_| Error::TooManyStates { layer, limit: crate::unique::MAX_STATES as u64 };
            unique.insert(&states).map(|r| r.0).map_err(full)
        })
        .collect()
}
