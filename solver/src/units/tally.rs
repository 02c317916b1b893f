//! Progress reports for the units of the images that are being computed.

use std::cell::Cell;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// The number of finished units and the total number of units of the images that are being computed. Both are 0 if no
/// image is computed in units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnitsDone {
    /// The number of units whose fragments exist.
    pub done: usize,
    /// The total number of units.
    pub total: usize,
}

/// A function that receives the progress of the units, called by the thread that computes a unit.
#[derive(Clone)]
pub struct UnitsWatch(Arc<dyn Fn(UnitsDone) + Send + Sync>);

impl UnitsWatch {
    /// Creates an observer from `watch`, which must be quick because the computation waits for it.
    pub fn new(watch: impl Fn(UnitsDone) + Send + Sync + 'static) -> Self {
        Self(Arc::new(watch))
    }
}

impl fmt::Debug for UnitsWatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("UnitsWatch")
    }
}

/// The sum of the units of all images that are computed at the same time.
#[derive(Debug)]
pub(super) struct Tally {
    watch: Option<UnitsWatch>,
    sum: Mutex<UnitsDone>,
}

impl Tally {
    pub(super) fn new(watch: Option<UnitsWatch>) -> Self {
        Self { watch, sum: Mutex::default() }
    }

    /// Adds the units of another image until the returned value is dropped.
    pub(super) fn begin(&self, total: usize) -> Counted<'_> {
        self.change(|sum| sum.total += total);
        Counted { tally: self, total, done: Cell::new(0) }
    }

    fn change(&self, change: impl FnOnce(&mut UnitsDone)) {
        let Some(UnitsWatch(watch)) = &self.watch else { return };
        let mut sum = self.sum.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut sum);
        // The function is called under the lock, so that reports arrive in order.
        watch(*sum);
    }
}

/// The units of one image.
pub(super) struct Counted<'a> {
    tally: &'a Tally,
    total: usize,
    done: Cell<usize>,
}

impl Counted<'_> {
    /// Reports the number of finished units of this image.
    pub(super) fn set(&self, done: usize) {
        let before = self.done.replace(done);
        if done != before {
            self.tally.change(|sum| sum.done = sum.done + done - before);
        }
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.tally.change(|sum| {
            sum.done -= self.done.get();
            sum.total -= self.total;
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_at_once_are_added_up() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let note = Arc::clone(&told);
        let tally =
            Tally::new(Some(UnitsWatch::new(move |now| note.lock().unwrap().push((now.done, now.total)))));
        let one = tally.begin(3);
        one.set(2);
        let other = tally.begin(4);
        other.set(1);
        // Repeated values are reported only once.
        other.set(1);
        drop(one);
        other.set(4);
        drop(other);
        assert_eq!(
            *told.lock().unwrap(),
            [(0, 3), (2, 3), (2, 7), (3, 7), (1, 4), (4, 4), (0, 0)],
            "done and total"
        );
    }
}
