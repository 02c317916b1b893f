//! Failures on purpose. In a build with debug assertions the environment variable `NERODE_FAULT` is `kind:number:note`: the operation
//! of that number fails, and a word on it is written to the file `note`. Without the variable, and in other builds, none does.
//!
//! - `error`: any operation; it fails as a broken disk lets it fail, once.
//! - `full`: operations that take room; the disk is full from that one on. A write still takes half of its bytes at first.
//! - `short`: writes; that one takes half of its bytes, and the rest works.

use std::io;
use std::path::Path;

/// What is done to a file.
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

/// To be called before an operation other than a write.
///
/// # Errors
/// The failure that a test has asked for.
#[inline]
pub(super) fn before(operation: Operation, path: &Path) -> io::Result<()> {
    #[cfg(debug_assertions)]
    asked::before(operation, path)?;
    let _ = (operation, path);
    Ok(())
}

/// How many of `len` bytes a write may hand to the system.
///
/// # Errors
/// The failure that a test has asked for.
#[inline]
pub(super) fn taken(len: usize) -> io::Result<usize> {
    #[cfg(debug_assertions)]
    return asked::taken(len);
    #[cfg(not(debug_assertions))]
    Ok(len)
}

#[cfg(debug_assertions)]
mod asked {
    use std::io;
    use std::path::{Path, PathBuf};
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::Operation;

    /// How an operation fails.
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Kind {
        Error,
        Full,
        Short,
    }

    /// What the environment asks for.
    struct Asked {
        kind: Kind,
        number: u64,
        note: PathBuf,
        /// Operations so far, of those that can fail.
        count: AtomicU64,
    }

    static ASKED: LazyLock<Option<Asked>> =
        LazyLock::new(|| std::env::var("NERODE_FAULT").ok().and_then(|text| parse(&text)));

    fn parse(text: &str) -> Option<Asked> {
        let mut parts = text.splitn(3, ':');
        let kind = match parts.next()? {
            "error" => Kind::Error,
            "full" => Kind::Full,
            "short" => Kind::Short,
            _ => return None,
        };
        let number = parts.next()?.parse().ok()?;
        Some(Asked { kind, number, note: parts.next()?.into(), count: AtomicU64::new(0) })
    }

    /// Whether a full disk refuses it.
    fn takes_room(operation: Operation) -> bool {
        use Operation::{Create, Link, MakeFolder, Rename, Sync, Write};
        matches!(operation, Create | Link | MakeFolder | Rename | Sync | Write)
    }

    impl Asked {
        /// Counts an operation. What becomes of it: nothing out of the ordinary before the one of the number asked for, a failure
        /// at it; after it a failure if the disk is full.
        fn becomes(&self, operation: Operation, path: &Path) -> Option<When> {
            let counts = match self.kind {
                Kind::Error => true,
                Kind::Full => takes_room(operation),
                Kind::Short => operation == Operation::Write,
            };
            let number = if counts { self.count.fetch_add(1, Ordering::Relaxed) + 1 } else { 0 };
            if number == self.number {
                // A test that finds no note takes it that all operations were before the number.
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
            // What Linux says of a broken disk; other systems have other words for this number.
            Kind::Error => io::Error::from_raw_os_error(5),
            Kind::Full | Kind::Short => io::ErrorKind::StorageFull.into(),
        }
    }

    pub(in super::super) fn before(operation: Operation, path: &Path) -> io::Result<()> {
        let Some(asked) = &*ASKED else { return Ok(()) };
        match asked.becomes(operation, path) {
            Some(_) => Err(failure(asked.kind)),
            None => Ok(()),
        }
    }

    pub(in super::super) fn taken(len: usize) -> io::Result<usize> {
        let Some(asked) = &*ASKED else { return Ok(len) };
        match asked.becomes(Operation::Write, Path::new("")) {
            None => Ok(len),
            Some(When::First) if asked.kind != Kind::Error => Ok(len.div_ceil(2)),
            Some(_) => Err(failure(asked.kind)),
        }
    }
}
