//! Claims, by which processes coordinate who works on a unit.

use std::path::Path;

use super::lock::{Lock, try_lock};

/// The right to compute a unit, held until it is dropped.
pub(super) struct Claimed(#[allow(dead_code, reason = "its only purpose is to hold the lock")] Option<Lock>);

/// The owner of a unit.
pub(super) enum Claim {
    /// This process, as far as the file system supports locks.
    Ours(Claimed),
    /// Another process.
    Taken,
}

impl Claimed {
    /// Claims a unit of the image in `folder`.
    pub(super) fn take(folder: &Path, unit: usize) -> Claim {
        match try_lock(&folder.join(format!("lock-{unit:06}"))) {
            Ok(Some(lock)) => Claim::Ours(Self(Some(lock))),
            Ok(None) => Claim::Taken,
            // Without locks, two processes may compute the same unit, which only costs time.
            Err(_) => Claim::Ours(Self(None)),
        }
    }
}
