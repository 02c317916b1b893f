//! The end of the time for a search.

use std::time::{Duration, Instant};

/// How long a search may take.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(Option<Instant>);

impl Deadline {
    /// A deadline that never passes, for answers that need no search. Its methods do not read the clock.
    pub const NEVER: Self = Self(None);

    /// Returns the end of a period that begins now. A period that is too long to be added to a time never ends.
    pub fn after(time: Duration) -> Self {
        Self(Instant::now().checked_add(time))
    }

    /// Returns the end of an equal share of the time that is left, of which there are `shares`.
    pub fn share(self, shares: usize) -> Self {
        let shares = u32::try_from(shares).unwrap_or(u32::MAX).max(1);
        Self(self.0.map(|end| {
            let now = Instant::now();
            now + end.saturating_duration_since(now) / shares
        }))
    }

    /// Returns `true` if the time has passed.
    pub fn has_passed(self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }
}
