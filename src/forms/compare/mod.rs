//! The same solution in several representations, measured in one run: bytes, time to build, time of a random look-up.

#[cfg(feature = "bdd")]
mod bdd;
mod comparison;
mod row;

use comparison::{Build, Comparison};

use crate::archive::stored_run::StoredRun;
use crate::error::Result;
use crate::forms::represent::{Packed, Rle, ZstdBlocks};
use crate::solve::resources::Resources;

pub use row::Row;

/// Most positions of one side for which the forms that list every position are built.
pub const MAX_LISTED_POSITIONS: u64 = 1 << 33;

/// Compression level of the zstd rows.
const ZSTD_LEVEL: i32 = 3;

/// Measures every representation of the win/draw/loss values of a retrograde run.
///
/// Every representation answers the same random positions, and its answers are compared with the automata's.
///
/// Cost: listing all positions several times, where they are at most [`MAX_LISTED_POSITIONS`] a side.
///
/// # Errors
/// A meet-in-the-middle run; damaged files; [`crate::error::Error::Rules`] when a representation answers differently.
pub fn compare(solution: &StoredRun, resources: &Resources, watch: &mut dyn FnMut(&str)) -> Result<Vec<Row>> {
    let game = solution.game.as_ref();
    let per_side = game.shape().num_words().ok_or(nerode_dfa::Error::CountOverflow)?;
    let mut comparison = Comparison::new(solution, resources, 2 * per_side);
    watch("automaton");
    comparison.automaton()?;
    watch("value automaton");
    comparison.value_automaton()?;
    match u64::try_from(per_side) {
        Ok(n) if n <= MAX_LISTED_POSITIONS => {
            let builders: [(&str, Build<'_>); 4] = [
                ("2 bits/position", &|n, runs, limit| Ok(Box::new(Packed::two_bits(n, runs, limit)?))),
                ("1 byte/position", &|n, runs, limit| Ok(Box::new(Packed::one_byte(n, runs, limit)?))),
                ("run-length (paper 002)", &|n, runs, limit| Ok(Box::new(Rle::from_codes(n, runs, limit)?))),
                ("zstd, 64 Ki-position blocks", &|n, runs, limit| {
                    Ok(Box::new(ZstdBlocks::build(n, runs, ZSTD_LEVEL, limit)?))
                }),
            ];
            for (name, build) in builders {
                watch(name);
                comparison.listed(name, n, build)?;
            }
        }
        _ => comparison.too_many(per_side, MAX_LISTED_POSITIONS),
    }
    watch("BDD");
    comparison.bdd()?;
    Ok(comparison.rows)
}
