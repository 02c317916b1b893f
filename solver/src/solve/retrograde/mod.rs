//! Retrograde analysis on sets over all words of the shape (paper 004, section 2).
//!
//! ```text
//! W[p][i+1] = W0[p] ∪ (preimage_p(L[q][i]) \ T_p)
//! L[p][i+1] = L0[p] ∪ (¬T_p \ preimage_p(¬W[q][i]))
//! ```
//! Sets are cumulative: `W[p][i]` contains the positions that p, to move, wins within i plies. The sets `W[P1]`,
//! `L[P2]` depend only on each other, and so do `W[P2]`, `L[P1]`. They form two chains, of which one suffices if the
//! sides are mirror images of each other.
//!
//! Positions that a side wins with its next move stay won in every later ply. Therefore, passes over much larger sets
//! use `W[p][1]` instead of `W0[p]`, and `T_p ∪ W[p][1]` instead of `T_p` for losses. This is cheap and leaves fewer
//! residuals to distinguish.
//!
//! If only few positions are new, only these are moved:
//!
//! ```text
//! W[p][i+1] \ W[p][i] = preimage_p(L[q][i] \ L[q][i-1]) \ W[p][i] \ T_p
//! L[p][i+1] \ L[p][i] = C \ preimage_p(¬W[q][i])    C = preimage_p(W[q][i] \ W[q][i-1]) \ L[p][i] \ T_p
//! ```

mod at_once;
mod count;
mod iteration;
mod steps;

pub use count::{count_losses, count_wins};
pub use iteration::{Level, Retrograde};
