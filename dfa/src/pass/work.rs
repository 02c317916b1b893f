//! The execution of one pass: forward from the macrostate of the whole result, and then back from the last layer.
//!
//! All memory is borrowed from the budget of the passes. There is one loan for the work in progress, one for the
//! pending rows, and one for each pending list of macrostates and for each finished part.

use crate::error::{Error, Result};

use super::budget::{Bytes, Lent, Loan};
use super::copies::Copies;
use super::expand::{Child, Expansion};
use super::fold::Fold;
use super::macrostates::Macrostates;
use super::minimise::Finished;
use super::rows::{RowStore, Rows};
use super::suffix_table::{self, Cut};
use super::{PassStats, Passes};

/// If the macrostates of a layer take more bytes, they are distributed to lists by letter. `lab/engine-log.md`
/// compares other values.
const LONG_MACROSTATES: u64 = 1 << 26;
/// The limit is raised to the size of the source set divided by this number, if that is larger, because each list has
/// its own suffix table.
const SHARE_OF_SET: u64 = 2;
/// The raised limit is at most the available memory divided by this number, because the pending lists together may take
/// about ten times as much.
const SHARE_OF_ROOM: u64 = 32;
/// The limit never exceeds the memory cap divided by this number.
const SHARE_OF_LIMIT: u64 = 16;

/// A pass that is running.
pub(super) struct Pass<'a> {
    engine: &'a Passes,
    expansion: &'a Expansion<'a>,
}

impl<'a> Pass<'a> {
    pub(super) fn new(engine: &'a Passes, expansion: &'a Expansion<'a>) -> Self {
        Self { engine, expansion }
    }

    pub(super) fn compute<F: Fold>(&self, stats: &mut PassStats) -> Result<F::Whole> {
        let shape = self.expansion.shape();
        let mut root = Vec::new();
        match self.expansion.root(&mut root) {
            Child::Constant(value) => return Ok(F::constant(shape, value)),
            Child::Copy(_) => return F::copied(self.expansion.sides()[0]),
            Child::Macrostate => {}
        }
        let mut cut = Cut::new(shape, self.engine.max_bits);
        let root = self.engine.budget.lend(0).lend_to(Macrostates::with_root(&root));
        let Lent { value: finished, loan: _loan } = self.finish::<F>(0, root, &mut cut, stats)?;
        let result = finished.whole(shape);
        stats.states += F::num_states(&result);
        Ok(result)
    }

    /// Returns the maximum size of macrostates that are not distributed to lists by letter, given that `room` bytes are
    /// available.
    fn deal_bytes(&self, room: u64) -> u64 {
        let of_set = || (self.expansion.moved_bytes() / SHARE_OF_SET).min(room / SHARE_OF_ROOM);
        let wanted = self.engine.deal_bytes.unwrap_or_else(|| LONG_MACROSTATES.max(of_set()));
        wanted.min(self.engine.budget.limit / SHARE_OF_LIMIT)
    }

    /// Processes the layers from `from` on, whose macrostates are given.
    pub(super) fn finish<F: Fold>(
        &self,
        from: usize,
        Lent { value: mut macrostates, loan: work }: Lent<'a, Macrostates>,
        cut: &mut Cut,
        stats: &mut PassStats,
    ) -> Result<Lent<'a, F>> {
        let shape = self.expansion.shape();
        if macrostates.len() == 0 {
            return Ok(work.lend_to(F::none(shape, from)));
        }
        let mut rows = RowStore::new(self.engine.scratch.clone(), work.another(0));
        let mut copies = Copies::new(self.expansion.sides().first().copied().filter(|_| F::COPIES), from);
        let mut layer = from;
        let parts = loop {
            if let Some(table) = self.suffix_table(cut, layer, &macrostates, (&work, &mut rows), stats)? {
                drop(macrostates);
                break vec![F::of_suffix_table(table, shape, layer)];
            }
            stats.macrostates += macrostates.len() as u64;
            stats.words += macrostates.num_words() as u64;
            let bytes = macrostates.bytes();
            let by_letter = bytes > self.deal_bytes(rows.room() + bytes);
            // Rows are written and read once and in order, which is efficient on disks, so macrostates take precedence
            // in memory. The next layer may have three times as many macrostates as this one.
            stats.spilled_bytes += rows.shrink(rows.room().saturating_sub(3 * bytes))?;
            let (here, next) = self.expansion.layer(layer, macrostates, by_letter, &work)?;
            copies.extend(&here);
            layer += 1;
            match <[Macrostates; 1]>::try_from(next) {
                Ok([only]) => {
                    work.set(only.bytes());
                    rows.push(here);
                    macrostates = only;
                }
                Err(lists) => {
                    work.set(0);
                    rows.push(here);
                    break self.parts(layer, lists, (&work, &mut rows), cut, stats)?;
                }
            }
        };
        for _ in layer..shape.num_layers() {
            copies.extend(&Rows(Vec::new()));
        }
        work.set(parts.iter().map(F::bytes).sum());
        let joined = F::join(shape, (from, layer), rows, parts, &copies, &work)?;
        work.set(joined.bytes());
        Ok(Lent { value: joined, loan: work })
    }

    /// Processes the layers from `layer` on for each list of its macrostates, one list after the other. `rows` are the
    /// rows before that layer.
    fn parts<F: Fold>(
        &self,
        layer: usize,
        lists: Vec<Macrostates>,
        (work, rows): (&Loan<'a>, &mut RowStore<'_>),
        cut: &mut Cut,
        stats: &mut PassStats,
    ) -> Result<Vec<F>> {
        let lists: Vec<Lent<'a, Macrostates>> = lists.into_iter().map(|list| work.lend_to(list)).collect();
        // These rows cannot be moved to disk later, when the lists run out of memory.
        stats.spilled_bytes += rows.shrink(rows.room() / 4)?;
        let mut parts: Vec<Lent<'a, F>> = Vec::with_capacity(lists.len());
        for list in lists {
            let mut own = cut.clone();
            parts.push(self.finish(layer, list, &mut own, stats)?);
            cut.be_as_careful_as(&own);
        }
        let done: u64 = parts.iter().map(|part| part.loan.bytes()).sum();
        stats.spilled_bytes += rows.shrink(rows.room().saturating_sub(done))?;
        Ok(parts.into_iter().map(|part| part.value).collect())
    }

    /// Builds a suffix table for the layers from `layer` on, if residuals should be represented explicitly from there.
    fn suffix_table(
        &self,
        cut: &mut Cut,
        layer: usize,
        macrostates: &Macrostates,
        (work, rows): (&Loan<'a>, &mut RowStore<'_>),
        stats: &mut PassStats,
    ) -> Result<Option<Finished>> {
        let stay = rows.least_bytes();
        let free = rows.room().saturating_sub(suffix_table::bytes_beside(macrostates) + stay);
        // Rows are written to disk and read back once and in order, so a quarter of the memory is enough for them.
        let most = free / 4;
        let room = if cut.must_be(layer) { u64::MAX } else { free - most.min(rows.bytes() - stay) };
        let own = work.another(0);
        let Some(wanted) = cut.at(self.expansion, layer, macrostates, room, &own)? else { return Ok(None) };
        stats.spilled_bytes += rows.shrink(stay + most)?;
        let table = match suffix_table::build(self.expansion, (cut, layer), macrostates, wanted, room, &own) {
            Err(Error::OutOfMemory { .. }) if !cut.must_be(layer) => None,
            table => table?,
        };
        if table.is_none() {
            cut.did_not_fit();
            own.resize(0)?;
        }
        stats.suffix_rows += table.as_ref().map_or(0, |_| macrostates.len() as u64);
        Ok(table)
    }
}
