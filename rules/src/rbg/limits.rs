//! Size limits for rules. A file that exceeds a limit is rejected with the location, so that no file can exhaust memory or hang.

/// The maximum number of bytes in a rules file.
pub const FILE_BYTES: usize = 4 << 20;

/// The maximum number of tokens in a section after macro expansion.
pub(super) const TOKENS: usize = 1 << 20;

/// The maximum number of macro uses.
pub(super) const USES: usize = 1 << 18;

/// The maximum number of tokens processed during macro expansion.
pub(super) const STEPS: usize = 1 << 25;

/// The maximum nesting depth of macros.
pub(super) const MACRO_DEPTH: usize = 200;

/// The maximum nesting depth of brackets.
pub(super) const NESTING: usize = 100;

/// The maximum number of actions in the rules after repetitions are expanded.
pub(super) const ACTIONS: usize = 200_000;

/// The maximum number of squares on a board.
pub(super) const SQUARES: usize = 4096;

/// The maximum number of names of one kind: pieces, players, variables, directions.
pub(super) const NAMES: usize = 250;

/// The largest score, bound or number.
pub(super) const NUMBER: u32 = 1_000_000_000;
