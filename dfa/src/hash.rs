//! Hash functions for rows.

/// Computes a hash of a row that mixes all of its bits.
#[cfg(feature = "engine")]
#[inline]
pub(crate) fn hash_row(row: &[u32]) -> u64 {
    let mut h = 0x243F_6A88_85A3_08D3_u64;
    for &x in row {
        h = fold(h ^ u64::from(x), 0x9E37_79B9_7F4A_7C15);
    }
    h
}

/// Multiplies two numbers into a 128-bit product and combines its halves, so that a single multiplication mixes all
/// bits.
#[inline]
pub(crate) fn fold(a: u64, b: u64) -> u64 {
    let p = u128::from(a) * u128::from(b);
    (p >> 64) as u64 ^ p as u64
}
