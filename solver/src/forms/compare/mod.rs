//! The same solution in several representations, measured in one run: bytes, time to build, time of a random look-up.

#[cfg(feature = "bdd")]
mod bdd;
mod comparison;
mod form;
mod row;

use comparison::{Build, Comparison};

use crate::archive::stored_run::StoredRun;
use crate::error::{Error, Result, RunNeeds};
use crate::forms::represent::{Packed, Rle, ZstdBlocks};
use crate::forms::tabulate::is_slow;
use crate::solve::method::Chains;
use crate::solve::resources::Resources;

pub use form::Form;
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

/// What a comparison tells while it goes on.
#[derive(Clone, Debug)]
pub enum Step {
    /// The form is being measured.
    Begun(Form),
    /// It has been measured.
    Done(Row),
}

/// Measures the win/draw/loss values of a retrograde run in each of `forms`, and tells of every row when it is there; `tell` says
/// whether to go on.
///
/// Every form answers the same random positions, and its answers are compared with the automata's.
///
/// Cost: listing all positions once for each of four forms, where they are at most [`MAX_LISTED_POSITIONS`] a side; where the
/// letter order of the run does not follow the cells, at most [`MAX_LOOKED_UP_POSITIONS`].
///
/// # Errors
/// Those of [`must_be_comparable`] and of `tell`; damaged files; [`Error::Rules`] when a form answers differently; interruption.
pub fn compare<E: From<Error>>(
    solution: &StoredRun,
    resources: &Resources,
    forms: &[Form],
    tell: &mut dyn FnMut(Step) -> std::result::Result<bool, E>,
) -> std::result::Result<(), E> {
    must_be_comparable(solution)?;
    let per_side = solution.game.shape().num_words().ok_or(Error::Dfa(nerode_dfa::Error::CountOverflow))?;
    let comparison = Comparison { solution, resources, positions: 2 * per_side };
    for &form in forms {
        resources.must_go_on()?;
        if !tell(Step::Begun(form))? {
            return Ok(());
        }
        let row = match form {
            Form::Automata => comparison.automata()?,
            Form::ValueAutomaton => comparison.value_automaton()?,
            Form::Bdd => comparison.bdd()?,
            listed => list(&comparison, listed, per_side)?,
        };
        if !tell(Step::Done(row))? {
            return Ok(());
        }
    }
    Ok(())
}

/// The row of a form that lists every position.
fn list(comparison: &Comparison<'_>, form: Form, per_side: u128) -> Result<Row> {
    let most = if is_slow(comparison.solution.game.as_ref()) {
        MAX_LOOKED_UP_POSITIONS
    } else {
        MAX_LISTED_POSITIONS
    };
    let Some(n) = u64::try_from(per_side).ok().filter(|&n| n <= most) else {
        return Ok(comparison.too_many(form, per_side, most));
    };
    let build: Build<'_> = match form {
        Form::TwoBits => &|n, runs, limit| Ok(Box::new(Packed::two_bits(n, runs, limit)?)),
        Form::OneByte => &|n, runs, limit| Ok(Box::new(Packed::one_byte(n, runs, limit)?)),
        Form::RunLength => &|n, runs, limit| Ok(Box::new(Rle::from_codes(n, runs, limit)?)),
        _ => &|n, runs, limit| Ok(Box::new(ZstdBlocks::build(n, runs, ZSTD_LEVEL, limit)?)),
    };
    comparison.listed(form, n, build)
}
