//! Retrograde analysis on whole sets (paper 004, section 2), over every word of the shape.
//!
//! ```text
//! W[p][i+1] = W0[p] ∪ (preimage_p(L[q][i]) \ T_p)
//! L[p][i+1] = L0[p] ∪ (¬T_p \ preimage_p(¬W[q][i]))
//! ```
//! Sets are cumulative: `W[p][i]` holds the positions that p, to move, wins within i plies. The sets `W[P1]`, `L[P2]` need only
//! each other, and so do `W[P2]`, `L[P1]`: two chains, of which one is enough where the sides are each other's mirror image.
//!
//! What a side wins with its next move stays won in every later ply. So passes over much larger sets take `W[p][1]` for `W0[p]`, and
//! for losses `T_p ∪ W[p][1]` for `T_p`. That costs little and leaves fewer residuals to tell apart.
//!
//! Where few positions are new, only those are moved:
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
