//! The work of one pass: from the key of the whole result down the layers, and what becomes of the keys from the last layer back.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::automaton::{Dfa, bytes_held};
use crate::error::{Error, Result};
use crate::shape::Shape;

use super::copies::Copies;
use super::expand::{Check, Child, Expansion};
use super::keys::Keys;
use super::ledger::Account;
use super::minimise::Finished;
use super::rows::{RowStore, Rows};
use super::tail::{self, Cut};
use super::{KEYS_OF_SET, KEYS_SHARE, LONG_KEYS, PassStats, Passes, ROOM_SHARE};

/// What is made of the keys of a layer and all layers after it.
pub(super) trait Ending: Sized {
    /// What is made of the key of the whole result in the end.
    type Whole;

    /// Whether residuals on which only the first side set bears are copied from it.
    const COPIES: bool;

    /// The whole if it is every word, or none.
    fn constant(shape: &Shape, value: bool) -> Self::Whole;

    /// The whole if it is the first side set.
    ///
    /// # Errors
    /// [`Error::CountOverflow`].
    fn copied(side: &Dfa) -> Result<Self::Whole>;

    /// The whole, of the first layer's one key.
    fn whole(self, shape: &Shape) -> Self::Whole;

    /// States of the whole.
    fn num_states(whole: &Self::Whole) -> u64;

    /// What no key of layer `from` leads to.
    fn none(shape: &Shape, from: usize) -> Self;

    /// Bytes held.
    fn bytes(&self) -> u64;

    /// Of the last layers, from `layer` on.
    fn of_tail(tail: Finished, shape: &Shape, layer: usize) -> Self;

    /// From layer `cut` back to layer `from`, by the `rows` between; of several `parts` where keys of the cut were dealt by letter,
    /// one for each column of the rows before it.
    ///
    /// # Errors
    /// Those of `check`, which is told the bytes under work; [`Error::TooManyStates`]; [`Error::Io`].
    fn join(
        shape: &Shape,
        layers: (usize, usize),
        rows: RowStore,
        parts: Vec<Self>,
        copies: &Copies<'_>,
        check: Check<'_>,
    ) -> Result<Self>;
}

/// One pass under way.
pub(super) struct Pass<'a> {
    engine: &'a Passes,
    expansion: &'a Expansion<'a>,
    account: Account<'a>,
    /// Most bytes seen by [`Pass::check`].
    peak: AtomicU64,
}

impl<'a> Pass<'a> {
    pub(super) fn new(engine: &'a Passes, expansion: &'a Expansion<'a>) -> Self {
        Self { engine, expansion, account: engine.ledger.open(), peak: AtomicU64::new(0) }
    }

    pub(super) fn compute<E: Ending>(&self, stats: &mut PassStats) -> Result<E::Whole> {
        let shape = self.expansion.shape();
        let mut root = Vec::new();
        match self.expansion.root(&mut root) {
            Child::Constant(value) => return Ok(E::constant(shape, value)),
            Child::Copy(_) => return E::copied(self.expansion.sides()[0]),
            Child::Key => {}
        }
        let mut cut = Cut::new(shape, self.engine.max_bits);
        let result = self.finish::<E>(0, Keys::with_root(&root), &mut cut, 0, stats)?.whole(shape);
        stats.states += E::num_states(&result);
        stats.peak_bytes = self.peak.load(Ordering::Relaxed);
        Ok(result)
    }

    /// Most bytes of keys that are not dealt to lists by letter, while `outside` bytes are held for others.
    fn long_keys(&self, outside: u64) -> u64 {
        // Lists that wait may take some ten times as much together.
        let of_set = || (self.expansion.moved_bytes() / KEYS_OF_SET).min(self.room(outside) / ROOM_SHARE);
        let wanted = self.engine.long_keys.unwrap_or_else(|| LONG_KEYS.max(of_set()));
        wanted.min(self.engine.memory_limit / KEYS_SHARE)
    }

    /// The layers from `from` on, whose `keys` are given, while `outside` bytes are held for others.
    fn finish<E: Ending>(
        &self,
        from: usize,
        mut keys: Keys,
        cut: &mut Cut,
        outside: u64,
        stats: &mut PassStats,
    ) -> Result<E> {
        let shape = self.expansion.shape();
        if keys.len() == 0 {
            return Ok(E::none(shape, from));
        }
        let mut rows = RowStore::new(self.engine.scratch.clone());
        let mut copies = Copies::new(self.expansion.sides().first().copied().filter(|_| E::COPIES), from);
        let mut layer = from;
        let parts = loop {
            if let Some(tail) = self.tail(cut, layer, &keys, &mut rows, outside, stats)? {
                drop(keys);
                break vec![E::of_tail(tail, shape, layer)];
            }
            stats.keys += keys.len() as u64;
            stats.words += keys.num_words() as u64;
            let by_letter = keys.bytes() > self.long_keys(outside);
            // Rows are written and read once, in order, which disks do well: keys have the better claim to memory. The next
            // layer may have three times the keys of this one.
            stats.spilled_bytes += rows.shrink(self.room(outside + 4 * keys.bytes()))?;
            let held = outside + rows.bytes();
            let (here, next) =
                self.expansion.layer(layer, keys, by_letter, &|bytes| self.check(held + bytes))?;
            copies.extend(&here);
            rows.push(here);
            layer += 1;
            match <[Keys; 1]>::try_from(next) {
                Ok([only]) => keys = only,
                Err(next) => {
                    // These rows cannot go to disk later, when the lists lack memory.
                    let waiting: u64 = next.iter().map(Keys::bytes).sum();
                    stats.spilled_bytes += rows.shrink(self.room(outside + waiting) / 4)?;
                    let parts = self.parts(layer, next, cut, outside + rows.bytes(), stats)?;
                    let done: u64 = parts.iter().map(E::bytes).sum();
                    stats.spilled_bytes += rows.shrink(self.room(outside + 2 * done))?;
                    break parts;
                }
            }
        };
        for _ in layer..shape.num_layers() {
            copies.extend(&Rows(Vec::new()));
        }
        let check = |bytes| self.check(outside + bytes);
        E::join(shape, (from, layer), rows, parts, &copies, &check)
    }

    /// The layers from `layer` on for each list of its keys, one list after the other.
    fn parts<E: Ending>(
        &self,
        layer: usize,
        lists: Vec<Keys>,
        cut: &mut Cut,
        outside: u64,
        stats: &mut PassStats,
    ) -> Result<Vec<E>> {
        let mut waiting: u64 = lists.iter().map(Keys::bytes).sum();
        let (mut parts, mut done) = (Vec::with_capacity(lists.len()), 0);
        for keys in lists {
            waiting -= keys.bytes();
            let mut own = cut.clone();
            let part = self.finish::<E>(layer, keys, &mut own, outside + waiting + done, stats)?;
            cut.be_as_careful_as(&own);
            done += part.bytes();
            parts.push(part);
        }
        Ok(parts)
    }

    /// The layers from `layer` on, if residuals are to be written out from there.
    fn tail(
        &self,
        cut: &mut Cut,
        layer: usize,
        keys: &Keys,
        rows: &mut RowStore,
        outside: u64,
        stats: &mut PassStats,
    ) -> Result<Option<Finished>> {
        let free = self.room(outside + keys.bytes() + tail::bytes_beside(keys) + rows.least_bytes());
        // Rows go to disk and back in order, once: a quarter is enough for them.
        let (stay, most) = (rows.least_bytes(), free / 4);
        let room = if cut.must_be(layer) { u64::MAX } else { free - most.min(rows.bytes() - stay) };
        let held = outside + rows.bytes();
        let check = |bytes| self.check(held + keys.bytes() + bytes);
        let Some(wanted) = cut.at(self.expansion, layer, keys, room, &check)? else { return Ok(None) };
        stats.spilled_bytes += rows.shrink(stay + most)?;
        let held = outside + rows.bytes();
        let check = |bytes| self.check(held + bytes);
        let tail = match tail::build(self.expansion, (cut, layer), keys, wanted, room, &check) {
            Err(Error::OutOfMemory { .. }) if !cut.must_be(layer) => None,
            tail => tail?,
        };
        if tail.is_none() {
            cut.did_not_fit();
            check(keys.bytes())?;
        }
        stats.tails += tail.as_ref().map_or(0, |_| keys.len() as u64);
        Ok(tail)
    }

    /// Bytes left for rows beside automata, the other passes, and `bytes` of this one.
    fn room(&self, bytes: u64) -> u64 {
        self.engine.memory_limit.saturating_sub(bytes_held() + self.account.others() + bytes)
    }

    /// Whether to go on with `bytes` of keys and rows in memory.
    fn check(&self, bytes: u64) -> Result<()> {
        if self.engine.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(Error::Interrupted);
        }
        let needed_bytes = self.account.set(bytes) + bytes_held();
        let limit_bytes = self.engine.memory_limit;
        if needed_bytes > limit_bytes {
            return Err(Error::OutOfMemory { what: "keys of an image", needed_bytes, limit_bytes });
        }
        self.peak.fetch_max(needed_bytes, Ordering::Relaxed);
        Ok(())
    }
}
