//! The memory cap of passes. Memory is lent, and it is returned when the loan is dropped.
//!
//! The cap covers all memory that belongs to the passes of one [`super::Passes`]: the automata given to them and
//! created by them, as long as these live; the memory of running passes; and reserved memory. Other automata of the
//! process do not count.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::automaton::{Dfa, Watch};
use crate::error::{Error, Result};

/// The memory under one cap.
#[derive(Debug)]
pub(super) struct Budget {
    pub(super) limit: u64,
    pub(super) interrupt: Option<Arc<AtomicBool>>,
    /// The total number of bytes of all loans.
    lent: AtomicU64,
    /// The automata that count as long as they live.
    automata: Mutex<Vec<Watch>>,
    /// The maximum number of bytes held at the same time, as observed when loans were checked.
    peak: AtomicU64,
}

impl Budget {
    /// Creates a budget of `limit` bytes.
    pub(super) fn new(limit: u64) -> Self {
        Self {
            limit,
            interrupt: None,
            lent: AtomicU64::new(0),
            automata: Mutex::default(),
            peak: AtomicU64::new(0),
        }
    }

    /// Lends `bytes` without checking whether they are available, which [`Loan::resize`] does.
    pub(super) fn lend(&self, bytes: u64) -> Loan<'_> {
        let loan = Loan { budget: self, own: AtomicU64::new(0) };
        loan.set(bytes);
        loan
    }

    /// Counts an automaton as long as it lives.
    pub(super) fn charge(&self, dfa: &Dfa) {
        if dfa.bytes() == 0 {
            return;
        }
        let mut automata = self.automata.lock().unwrap_or_else(PoisonError::into_inner);
        automata.retain(|known| known.bytes() > 0);
        if !automata.iter().any(|known| known.is_of(dfa)) {
            automata.push(Watch::new(dfa));
        }
    }

    /// Returns the number of bytes currently held.
    pub(super) fn used(&self) -> u64 {
        let automata = self.automata.lock().unwrap_or_else(PoisonError::into_inner);
        self.lent.load(Ordering::Relaxed) + automata.iter().map(Watch::bytes).sum::<u64>()
    }

    /// Returns the maximum number of bytes held at the same time so far.
    pub(super) fn peak(&self) -> u64 {
        self.peak.load(Ordering::Relaxed)
    }
}

/// A number of bytes that are borrowed from a [`Budget`].
#[derive(Debug)]
pub(super) struct Loan<'a> {
    budget: &'a Budget,
    own: AtomicU64,
}

impl<'a> Loan<'a> {
    /// Creates another loan from the same budget.
    pub(super) fn another(&self, bytes: u64) -> Loan<'a> {
        self.budget.lend(bytes)
    }

    /// Creates a loan for the memory of `value`.
    pub(super) fn lend_to<T: Bytes>(&self, value: T) -> Lent<'a, T> {
        Lent { loan: self.another(value.bytes()), value }
    }

    /// Returns the size of this loan in bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.own.load(Ordering::Relaxed)
    }

    /// Sets the size of this loan without checking whether the memory is available.
    pub(super) fn set(&self, bytes: u64) {
        // The difference may wrap around, but the sum is still correct.
        let more = bytes.wrapping_sub(self.own.swap(bytes, Ordering::Relaxed));
        self.budget.lent.fetch_add(more, Ordering::Relaxed);
    }

    /// Changes the size of this loan to `bytes`.
    ///
    /// # Errors
    /// Returns [`Error::OutOfMemory`] if all loans and automata together exceed the cap, or [`Error::Interrupted`].
    pub(super) fn resize(&self, bytes: u64) -> Result<()> {
        if self.budget.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(Error::Interrupted);
        }
        self.set(bytes);
        let (needed_bytes, limit_bytes) = (self.budget.used(), self.budget.limit);
        if needed_bytes > limit_bytes {
            return Err(Error::OutOfMemory { what: "macrostates of an image", needed_bytes, limit_bytes });
        }
        self.budget.peak.fetch_max(needed_bytes, Ordering::Relaxed);
        Ok(())
    }

    /// Returns the maximum size that this loan could have under the cap.
    pub(super) fn room(&self) -> u64 {
        self.budget.limit.saturating_sub(self.budget.used().saturating_sub(self.bytes()))
    }
}

impl Drop for Loan<'_> {
    fn drop(&mut self) {
        self.set(0);
    }
}

/// A value that can report its memory use.
pub(super) trait Bytes {
    /// Returns the number of bytes held.
    fn bytes(&self) -> u64;
}

/// A value and the loan for its memory.
pub(super) struct Lent<'a, T> {
    pub(super) value: T,
    pub(super) loan: Loan<'a>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Shape;

    #[test]
    fn loans_add_up_and_come_back() {
        let budget = Budget::new(20);
        let (a, b) = (budget.lend(10), budget.lend(5));
        assert_eq!((budget.used(), a.room(), b.room()), (15, 15, 10));
        assert!(a.resize(15).is_ok());
        assert!(matches!(b.resize(6), Err(Error::OutOfMemory { needed_bytes: 21, limit_bytes: 20, .. })));
        assert_eq!((budget.used(), b.room(), budget.peak()), (21, 5, 20));
        drop(a);
        assert_eq!((budget.used(), b.room()), (6, 20));
        assert!(b.another(14).resize(14).is_ok());
        assert_eq!(budget.used(), 6);
    }

    #[test]
    fn automata_count_once_and_as_long_as_they_live() -> Result<()> {
        let shape = Shape::uniform(3, 2)?;
        let budget = Budget::new(u64::MAX);
        let [kept, dropped] = [Dfa::word(&shape, &[0, 1, 1])?, Dfa::word(&shape, &[1, 1, 0])?];
        let copy = kept.clone();
        for dfa in [&kept, &dropped, &copy, &Dfa::full(&shape)] {
            budget.charge(dfa);
        }
        assert_eq!(budget.used(), kept.bytes() + dropped.bytes());
        drop(dropped);
        assert_eq!(budget.used(), kept.bytes());
        drop(kept);
        assert_eq!(budget.used(), copy.bytes());
        Ok(())
    }
}
