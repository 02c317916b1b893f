//! Hints about sufficient memory.

use crate::cli::memory::cap_and_program;
use nerode_solver::memory::{engine_share, left_for_engine};

/// The beginning of hints about memory.
pub(super) const MORE_MEMORY: &str = "raise --memory";

/// The number of MiB from which on a number of GiB is easier to read.
const MANY_MIB: u128 = 10 << 10;

/// Returns the value for `--memory` if `needed` bytes were required and `limit` bytes were allowed. The limit is all
/// or part of the memory for tables.
pub(super) fn more_memory(needed: u128, limit: u64) -> String {
    match enough(needed, limit, cap_and_program()) {
        None => MORE_MEMORY.into(),
        Some(mib) if mib < MANY_MIB => format!("{MORE_MEMORY} to {mib}MiB or more"),
        Some(mib) => format!("{MORE_MEMORY} to {}GiB or more", mib.div_ceil(1024)),
    }
}

/// Returns the cap in MiB under which the same fraction is as large as required. `force` contains the current cap and
/// the memory of the program itself.
fn enough(needed: u128, limit: u64, force: Option<(u64, u64)>) -> Option<u128> {
    let (cap, program) = force?;
    let tables = engine_share(cap.saturating_sub(program));
    if limit == 0 || limit > tables {
        return None;
    }
    let tables = needed.checked_mul(tables.into())?.div_ceil(limit.into());
    Some(left_for_engine(tables).saturating_add(program.into()).div_ceil(1 << 20))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_that_tables_may_take_is_counted_in() {
        let mib = |n: u64| n << 20;
        let needed = u128::from(mib(46));
        // 36 MiB for tables.
        let force = Some((mib(80), mib(8)));
        assert_eq!(enough(needed, mib(36), force), Some(100));
        assert_eq!(enough(needed, mib(18), force), Some(192));
        assert_eq!(enough(needed, mib(37), force), None);
        assert_eq!(enough(1, mib(48), None), None);
        assert_eq!(enough(1, 0, force), None);
        assert_eq!(enough(u128::MAX, 1, force), None);
    }
}
