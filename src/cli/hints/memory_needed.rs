//! How much memory would be enough.

use crate::cli::memory::memory;

/// How advice about memory begins.
pub(super) const MORE_MEMORY: &str = "raise --memory";

/// What to give for `--memory` where `needed` bytes were wanted and `limit` were allowed, a part of the cap in force.
pub(super) fn more_memory(needed: u128, limit: u64) -> String {
    enough(needed, limit, memory().1)
        .map_or_else(|| MORE_MEMORY.into(), |mib| format!("{MORE_MEMORY} to {mib}MiB or more"))
}

/// The cap in MiB of which the same part is as much as is needed.
fn enough(needed: u128, limit: u64, cap: Option<u64>) -> Option<u128> {
    let cap = cap.filter(|&cap| limit > 0 && limit <= cap)?;
    let bytes = needed.checked_mul(cap.into())?.div_ceil(limit.into());
    Some(bytes.div_ceil(1 << 20))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_that_tables_may_take_is_counted_in() {
        let mib = |n: u64| n << 20;
        assert_eq!(enough(u128::from(mib(46)), mib(36), Some(mib(48))), Some(62));
        assert_eq!(enough(u128::from(mib(46)), mib(48), Some(mib(48))), Some(46));
        assert_eq!(enough(1, mib(48), None), None);
        assert_eq!(enough(1, 0, Some(1)), None);
        assert_eq!(enough(u128::MAX, 1, Some(2)), None);
    }
}
