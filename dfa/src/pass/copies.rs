//! States of the first side set that a result takes over as they are: residuals on which nothing else bears.
//!
//! In late plies of a solve nearly all of a result is such copies; they cost a look-up per state instead of an expansion.

use rayon::prelude::*;

use crate::automaton::Dfa;
use crate::error::Result;
use crate::ops::RowBuf;
use crate::unique::{ACCEPT, FIRST, REJECT};

use super::intern::{Cell, Interner, Numbering, Writer};
use super::keys::COPY;
use super::rows::Rows;

/// Copies that a task interns.
const STRETCH: usize = 1 << 12;

/// The states copied, layer by layer, closed under transitions.
pub(super) struct Copies<'a> {
    side: Option<&'a Dfa>,
    /// Ascending, per layer.
    states: Vec<Vec<u32>>,
}

impl<'a> Copies<'a> {
    /// No state yet; `side` is the first side set, if there is one.
    pub(super) fn new(side: Option<&'a Dfa>) -> Self {
        Self { side, states: vec![Vec::new()] }
    }

    /// Adds the layer after the last: what `rows` of that last layer copy, and what its copies lead to.
    pub(super) fn extend(&mut self, rows: &Rows) {
        let Some(side) = self.side else { return self.states.push(Vec::new()) };
        let layer = self.states.len() - 1;
        let mut marked = vec![false; side.num_states_from(layer + 1) + FIRST as usize];
        let copied: Vec<Vec<u32>> =
            rows.0.par_iter().map(|r| r.iter().filter(|t| **t >= COPY).map(|t| t - COPY).collect()).collect();
        for state in copied.into_iter().flatten() {
            marked[state as usize] = true;
        }
        let letters = side.shape().letters(layer);
        for &state in &self.states[layer] {
            let start = (state - FIRST) as usize * letters;
            for &target in side.raw_rows(layer)[start..start + letters].iter().filter(|t| **t >= FIRST) {
                marked[target as usize] = true;
            }
        }
        self.states.push((FIRST..marked.len() as u32).filter(|&s| marked[s as usize]).collect());
    }

    /// The states of a layer.
    pub(super) fn layer(&self, layer: usize) -> &[u32] {
        &self.states[layer]
    }

    /// Interns a row for each state of a layer: lanes and provisional numbers.
    pub(super) fn intern<T: Cell>(
        &self,
        layer: usize,
        interner: &Interner<T>,
        intern: impl Fn(&mut Writer<'_, T>, u32) -> Result<u32> + Sync,
    ) -> Result<Vec<(usize, Vec<u32>)>> {
        let of_stretch = |states: &[u32]| -> Result<(usize, Vec<u32>)> {
            let mut writer = interner.writer(layer);
            let numbers = states.iter().map(|&state| intern(&mut writer, state)).collect::<Result<_>>()?;
            Ok((writer.lane, numbers))
        };
        self.states[layer].par_chunks(STRETCH).map(of_stretch).collect()
    }

    /// The same with each state's row of targets; `below` gives the states that the next layer's copies became.
    pub(super) fn intern_rows(
        &self,
        layer: usize,
        below: &Copied,
        interner: &Interner<u32>,
    ) -> Result<Vec<(usize, Vec<u32>)>> {
        let Some(side) = self.side else { return Ok(Vec::new()) };
        let letters = side.shape().letters(layer);
        self.intern(layer, interner, |writer, state| {
            let start = (state - FIRST) as usize * letters;
            let targets = &side.raw_rows(layer)[start..start + letters];
            let row: RowBuf = targets.iter().map(|&target| below.of(target)).collect();
            writer.intern(&row)
        })
    }

    /// What a layer's copies became, by the numbers that [`Copies::intern`] gave.
    pub(super) fn became(
        &self,
        layer: usize,
        numbers: &[(usize, Vec<u32>)],
        numbering: &Numbering,
    ) -> Copied {
        let states = &self.states[layer];
        let mut became = Copied::for_states(states);
        for (states, (lane, numbers)) in states.chunks(STRETCH).zip(numbers) {
            for (&state, &n) in states.iter().zip(numbers) {
                became.set(state, numbering.state(*lane, n));
            }
        }
        became
    }
}

/// What copied states of one layer became: states of the result.
#[derive(Default)]
pub(super) struct Copied(Vec<u32>);

impl Copied {
    /// Room for these states, ascending.
    pub(super) fn for_states(states: &[u32]) -> Self {
        Self(vec![REJECT; states.last().map_or(0, |&last| last as usize + 1)])
    }

    /// Says what a state became.
    pub(super) fn set(&mut self, state: u32, number: u32) {
        self.0[state as usize] = number;
    }

    /// What a constant or copied state became.
    #[inline]
    pub(super) fn of(&self, state: u32) -> u32 {
        match state {
            REJECT | ACCEPT => state,
            state => self.0[state as usize],
        }
    }
}
