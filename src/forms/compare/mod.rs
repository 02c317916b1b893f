//! The same solution in several representations, measured in one run: bytes, time to build, time of a random look-up.

#[cfg(feature = "bdd")]
mod bdd;
mod comparison;
mod row;

use comparison::{Build, Comparison};

use crate::archive::stored_run::StoredRun;
use crate::error::{Error, Result, RunNeeds};
use crate::forms::represent::{Packed, Rle, ZstdBlocks};
use crate::forms::tabulate::is_slow;
use crate::solve::method::Chains;
use crate::solve::resources::Resources;

pub use row::Row;

/// Most positions of one side for which the forms that list every position are built.
pub const MAX_LISTED_POSITIONS: u64 = 1 << 33;

/// The same where every position is looked up, because the layers of the run do not follow the cells.
pub const MAX_LOOKED_UP_POSITIONS: u64 = 1 << 27;

/// Compression level of the zstd rows.
const ZSTD_LEVEL: i32 = 3;

/// Refuses a run whose sets are not those of all positions of both sides.
///
/// # Errors
/// [`Error::WrongRun`] for a meet-in-the-middle run and for one of one chain; [`Error::NotFinished`].
pub fn must_be_comparable(solution: &StoredRun) -> Result<()> {
    solution.must_cover_all()?;
    solution.must_be_finished()?;
    if solution.run.request().chains == Chains::Both {
        return Ok(());
    }
    Err(Error::WrongRun { wanted: "other forms of all values", needs: RunNeeds::BothChains })
}

/// Measures every representation of the win/draw/loss values of a retrograde run.
///
/// Every representation answers the same random positions, and its answers are compared with the automata's.
///
/// Cost: listing all positions several times, where they are at most [`MAX_LISTED_POSITIONS`] a side; where the letter order of
/// the run does not follow the cells, at most [`MAX_LOOKED_UP_POSITIONS`].
///
/// # Errors
/// Those of [`must_be_comparable`]; damaged files; [`Error::Rules`] when a representation answers differently; interruption.
pub fn compare(solution: &StoredRun, resources: &Resources, watch: &mut dyn FnMut(&str)) -> Result<Vec<Row>> {
    must_be_comparable(solution)?;
    let game = solution.game.as_ref();
    let most = if is_slow(game) { MAX_LOOKED_UP_POSITIONS } else { MAX_LISTED_POSITIONS };
    let per_side = game.shape().num_words().ok_or(nerode_dfa::Error::CountOverflow)?;
    let mut comparison = Comparison::new(solution, resources, 2 * per_side);
    watch("automaton");
    comparison.automaton()?;
    watch("value automaton");
    comparison.value_automaton()?;
    match u64::try_from(per_side) {
        Ok(n) if n <= most => {
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
        _ => comparison.too_many(per_side, most),
    }
    watch("BDD");
    comparison.bdd()?;
    Ok(comparison.rows)
}
