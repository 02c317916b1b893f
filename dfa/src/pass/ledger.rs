//! What the passes under way, and whoever works beside them, hold together, so that one cap binds all of them.

use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes that all passes under way hold.
#[derive(Debug, Default)]
pub(super) struct Ledger(AtomicU64);

/// The bytes of one pass among them, or of what is beside passes, taken off when it ends.
#[derive(Debug)]
pub(super) struct Account<'a> {
    ledger: &'a Ledger,
    own: AtomicU64,
}

impl Ledger {
    /// An account without bytes.
    pub(super) fn open(&self) -> Account<'_> {
        Account { ledger: self, own: AtomicU64::new(0) }
    }
}

impl Account<'_> {
    /// Says that this pass holds `bytes` now; returns what all passes hold.
    pub(super) fn set(&self, bytes: u64) -> u64 {
        // Differences wrap, the sum comes out right.
        let more = bytes.wrapping_sub(self.own.swap(bytes, Ordering::Relaxed));
        self.ledger.0.fetch_add(more, Ordering::Relaxed).wrapping_add(more)
    }

    /// Bytes of the other passes.
    pub(super) fn others(&self) -> u64 {
        self.ledger.0.load(Ordering::Relaxed).wrapping_sub(self.own.load(Ordering::Relaxed))
    }
}

impl Drop for Account<'_> {
    fn drop(&mut self) {
        self.set(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accounts_add_up_until_they_are_closed() {
        let ledger = Ledger::default();
        let (a, b) = (ledger.open(), ledger.open());
        assert_eq!((a.set(10), b.set(5), a.set(3)), (10, 15, 8));
        assert_eq!((a.others(), b.others()), (5, 3));
        drop(a);
        assert_eq!((b.others(), b.set(6)), (0, 6));
    }
}
