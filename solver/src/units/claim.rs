//! Which process works at a unit.

use std::path::Path;

use super::lock::{Lock, try_lock};

/// The right to do a unit, until it is dropped.
pub(super) struct Claimed(#[allow(dead_code, reason = "it is held")] Option<Lock>);

/// Who may do a unit.
pub(super) enum Claim {
    /// This process, as far as the file system has locks.
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
            // Without locks two may do the same, which costs time alone.
            Err(_) => Claim::Ours(Self(None)),
        }
    }
}
