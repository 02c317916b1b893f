//! Fault injection. In a build with debug assertions, the environment variable `NERODE_FAULT` has the form
//! `kind:number:note`. The operation of that number fails, and a description of it is written to the file `note`.
//! Without the variable, and in other builds, no faults are injected.
//!
//! - `error` applies to any operation. It fails once, with the error of a broken disk.
//! - `full` applies to operations that need space. The disk is full from that operation on, except that the first write
//!   still writes half of its bytes.
//! - `short` applies to writes. The chosen write writes half of its bytes, and all other operations succeed.

use std::io;
use std::path::Path;

/// The kinds of file operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Create,
    Link,
    List,
    Lock,
    Look,
    MakeFolder,
    Open,
    Read,
    Remove,
    Rename,
    Sync,
    Write,
}

/// Injects a fault before an operation other than a write. Must be called before every such operation.
///
/// # Errors
/// Returns the failure that a test has requested.
#[inline]
pub(super) fn before(operation: Operation, path: &Path) -> io::Result<()> {
    #[cfg(debug_assertions)]
    injection::before(operation, path)?;
    let _ = (operation, path);
    Ok(())
}

/// Returns how many of `len` bytes a write may pass to the operating system.
///
/// # Errors
/// Returns the failure that a test has requested.
#[inline]
pub(super) fn taken(len: usize) -> io::Result<usize> {
    #[cfg(debug_assertions)]
    return injection::taken(len);
    #[cfg(not(debug_assertions))]
    Ok(len)
}

#[cfg(debug_assertions)]
mod injection {
    use std::io;
    use std::path::{Path, PathBuf};
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::Operation;

    /// The way in which an operation fails.
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Kind {
        Error,
        Full,
        Short,
    }

    /// The fault that the environment requests.
    struct Injection {
        kind: Kind,
        number: u64,
        note: PathBuf,
        /// The number of operations so far that can fail.
        count: AtomicU64,
    }

    static INJECTION: LazyLock<Option<Injection>> =
        LazyLock::new(|| std::env::var("NERODE_FAULT").ok().and_then(|text| parse(&text)));

    fn parse(text: &str) -> Option<Injection> {
        let mut parts = text.splitn(3, ':');
        let kind = match parts.next()? {
            "error" => Kind::Error,
            "full" => Kind::Full,
            "short" => Kind::Short,
            _ => return None,
        };
        let number = parts.next()?.parse().ok()?;
        Some(Injection { kind, number, note: parts.next()?.into(), count: AtomicU64::new(0) })
    }

    /// Returns `true` if the operation fails on a full disk.
    fn takes_room(operation: Operation) -> bool {
        use Operation::{Create, Link, MakeFolder, Rename, Sync, Write};
        matches!(operation, Create | Link | MakeFolder | Rename | Sync | Write)
    }

    impl Injection {
        /// Counts an operation and decides its outcome. Operations before the requested one proceed normally, and the
        /// requested one fails. Later operations fail only if the disk is full.
        fn becomes(&self, operation: Operation, path: &Path) -> Option<When> {
            let counts = match self.kind {
                Kind::Error => true,
                Kind::Full => takes_room(operation),
                Kind::Short => operation == Operation::Write,
            };
            let number = if counts { self.count.fetch_add(1, Ordering::Relaxed) + 1 } else { 0 };
            if number == self.number {
                // Without a note, the test concludes that all operations came before the requested number.
                let _ = std::fs::write(&self.note, format!("{operation:?} {}", path.display()));
                return Some(When::First);
            }
            (self.kind == Kind::Full && number > self.number).then_some(When::Later)
        }
    }

    enum When {
        First,
        Later,
    }

    fn failure(kind: Kind) -> io::Error {
        match kind {
            // This is the error that Linux reports for a broken disk. Other systems describe this number differently.
            Kind::Error => io::Error::from_raw_os_error(5),
            Kind::Full | Kind::Short => io::ErrorKind::StorageFull.into(),
        }
    }

    pub(in super::super) fn before(operation: Operation, path: &Path) -> io::Result<()> {
        let Some(injection) = &*INJECTION else { return Ok(()) };
        match injection.becomes(operation, path) {
            Some(_) => Err(failure(injection.kind)),
            None => Ok(()),
        }
    }

    pub(in super::super) fn taken(len: usize) -> io::Result<usize> {
        let Some(injection) = &*INJECTION else { return Ok(len) };
        match injection.becomes(Operation::Write, Path::new("")) {
            None => Ok(len),
            Some(When::First) if injection.kind != Kind::Error => Ok(len.div_ceil(2)),
            Some(_) => Err(failure(injection.kind)),
        }
    }
}
