//! Errors of the memory cap of a process.

use nerode_dfa::Size;

/// The smallest number of bytes, in addition to the program itself, that is worth a try.
const LEAST: u64 = 16 << 20;

/// A memory cap that is too small.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CapError {
    /// The program itself uses all of it.
    #[error(
        "out of memory: the program itself holds {}, and {} are allowed; raise the memory limit",
        Size(u128::from(*.held)),
        Size(u128::from(*.cap))
    )]
    Program {
        /// The number of bytes that the program holds.
        held: u64,
        /// The cap in bytes.
        cap: u64,
    },
    /// The work would have exceeded it. Completed work is on disk.
    #[error(
        "out of memory: the work would hold more, and {} are allowed; raise the memory limit",
        Size(u128::from(*.cap))
    )]
    Work {
        /// The cap in bytes.
        cap: u64,
    },
}

impl CapError {
    /// Returns the smallest cap, in MiB, that is worth a try.
    pub fn enough_mib(&self) -> u64 {
        let bytes = match self {
            Self::Program { held, .. } => held + LEAST,
            Self::Work { cap } => cap + cap / 2,
        };
        bytes.div_ceil(1 << 20)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_more_than_the_cap_is_worth_a_try() {
        let error = CapError::Work { cap: 64 << 20 };
        assert_eq!(error.enough_mib(), 96);
        assert!(error.to_string().contains("64.0 MiB are allowed"), "{error}");
    }
}
