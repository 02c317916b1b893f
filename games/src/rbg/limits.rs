//! How large rules may be. A file beyond a limit is refused with the place, so that no file takes all memory or hangs.

/// Bytes of a file of rules, at most.
pub const FILE_BYTES: usize = 4 << 20;

/// Tokens of a section once macros are replaced.
pub(super) const TOKENS: usize = 1 << 20;

/// Uses of macros.
pub(super) const USES: usize = 1 << 18;

/// Tokens looked at while macros are replaced.
pub(super) const STEPS: usize = 1 << 25;

/// Macros used within macros.
pub(super) const MACRO_DEPTH: usize = 200;

/// Brackets within brackets.
pub(super) const NESTING: usize = 100;

/// Actions of the rules once repetitions are written out.
pub(super) const ACTIONS: usize = 200_000;

/// Squares of a board.
pub(super) const SQUARES: usize = 4096;

/// Names of one kind: pieces, players, variables, directions.
pub(super) const NAMES: usize = 250;

/// The largest score, bound or number.
pub(super) const NUMBER: u32 = 1_000_000_000;
