//! Evaluation of macrostates as rows of bits: the formula is applied to the union of the rows of their image pairs.

use std::hint::black_box;

use crate::error::Result;
use crate::formula::{Circuit, MAX_SIDES};
use crate::unique::{ACCEPT, REJECT};

use super::super::bits::{Bits, ones};
use super::super::children::sort;
use super::super::expand::Expansion;
use super::super::inputs::IMAGE;
use super::super::intern::{Interner, TOGETHER};
use super::super::macrostates::Macrostates;
use super::super::residuals::Residuals;

/// Converts macrostates of the cut layer to rows of bits.
pub(super) struct Evaluator<'a> {
    expansion: &'a Expansion<'a>,
    pub(super) residuals: Residuals,
    circuit: Circuit,
    ones: Vec<u64>,
    pub(super) zeros: Vec<u64>,
}

impl<'a> Evaluator<'a> {
    pub(super) fn new(expansion: &'a Expansion<'a>, residuals: Residuals) -> Self {
        let circuit = Circuit::new(expansion.formula());
        let len = residuals.len;
        Self { expansion, residuals, circuit, ones: ones(len), zeros: vec![0; len.div_ceil(64)] }
    }

    /// Interns the residuals of a range of macrostates. Returns the thread's lane in the interner, and the provisional
    /// numbers of the residuals in this lane.
    pub(super) fn number(
        &self,
        layer: usize,
        macrostates: &Macrostates,
        stretch: &[(u32, u32)],
        interner: &Interner<u64>,
    ) -> Result<(usize, Vec<u32>)> {
        let bits = Bits::new(self.residuals.len);
        let image = &self.residuals.rows[IMAGE];
        let mut writer = interner.writer(layer);
        let mut numbers = Vec::with_capacity(stretch.len());
        let mut scratch = vec![0; bits.words];
        let mut rows = vec![0; TOGETHER * bits.words];
        let (mut pairs, mut spans) = (Vec::new(), Vec::with_capacity(TOGETHER));
        // Memory accesses for many macrostates overlap: first the macrostates are read, then the numbers of rows, then
        // the rows.
        for stretch in stretch.chunks(TOGETHER) {
            let macrostate = |&(_, macrostate): &(u32, u32)| macrostates.macrostate(macrostate);
            black_box(stretch.iter().fold(0, |all, at| all ^ macrostate(at).last().copied().unwrap_or(0)));
            pairs.clear();
            spans.clear();
            for at in stretch {
                let start = pairs.len();
                pairs.extend_from_slice(self.expansion.pairs(macrostate(at)).unwrap_or(&[]));
                spans.push(start..pairs.len());
            }
            pairs.iter_mut().for_each(|pair| *pair = image.number(*pair));
            for span in &mut spans {
                span.end = span.start + sort(&mut pairs[span.clone()]);
            }
            let touched = spans.iter().flat_map(|span| &pairs[span.clone()]);
            black_box(touched.fold(0, |all, &number| all ^ image.touch(number)));
            for ((at, row), span) in stretch.iter().zip(rows.chunks_mut(bits.words)).zip(&spans) {
                self.row(macrostate(at), &pairs[span.clone()], &mut scratch, row);
            }
            let rows = &rows[..stretch.len() * bits.words];
            writer.intern_all(rows, |row| bits.constant(row).map(u32::from), &mut numbers)?;
        }
        Ok((writer.lane, numbers))
    }

    /// Computes the union of the rows with these `numbers`, of which there are at least two.
    fn unite(&self, numbers: &[u32], out: &mut [u64]) {
        let row = |number: u32| self.residuals.rows[IMAGE].numbered(number);
        let (fours, rest) = numbers.as_chunks::<4>();
        out.fill(0);
        // Four rows are processed at a time, so that a word of `out` is read and written only once for them.
        for &[a, b, c, d] in fours {
            let rows = row(a).iter().zip(row(b)).zip(row(c).iter().zip(row(d)));
            for (word, ((a, b), (c, d))) in out.iter_mut().zip(rows) {
                *word |= a | b | (c | d);
            }
        }
        for &number in rest {
            out.iter_mut().zip(row(number)).for_each(|(word, bits)| *word |= bits);
        }
    }

    /// Computes the residual of `macrostate`, where the rows of its image pairs have these `numbers`.
    fn row(&self, macrostate: &[u32], numbers: &[u32], scratch: &mut [u64], row: &mut [u64]) {
        let image: &[u64] = match numbers {
            _ if self.expansion.pairs(macrostate).is_none() => &self.ones,
            [] => &self.zeros,
            [one] => self.residuals.rows[IMAGE].numbered(*one),
            numbers => {
                self.unite(numbers, scratch);
                scratch
            }
        };
        let mut inputs: [&[u64]; MAX_SIDES + 1] = [image; MAX_SIDES + 1];
        for ((input, side), &state) in
            inputs[1..].iter_mut().zip(&self.residuals.rows[IMAGE + 1..]).zip(macrostate)
        {
            *input = match state {
                REJECT => &self.zeros,
                ACCEPT => &self.ones,
                state => side.row(state),
            };
        }
        self.circuit.evaluate(&inputs, row);
        if let (Some(last), Some(mask)) = (row.last_mut(), self.ones.last()) {
            *last &= mask;
        }
    }
}
