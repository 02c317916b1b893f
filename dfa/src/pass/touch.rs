//! Memory read before it is needed, so that many lines of it are on their way at once.

use std::hint::black_box;

/// Reads `slice[at]`, if there is such a thing.
#[inline(always)]
pub(super) fn touch<T: Copy>(slice: &[T], at: usize) {
    if let Some(&cell) = slice.get(at) {
        black_box(cell);
    }
}
