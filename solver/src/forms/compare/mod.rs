//! Compares different representations of the same solution in a single run: size, build time, and time of a random
//! look-up.

#[cfg(feature = "bdd")]
mod bdd;
mod comparison;
mod form;
mod reached;
mod row;
mod source;

use comparison::{Build, Comparison};
use reached::ReachedComparison;
use source::Source;

use crate::archive::stored_run::StoredRun;
use crate::archive::table::keyed::KeyedTable;
use crate::error::{Error, Result, RunNeeds};
use crate::forms::represent::{Packed, Rle, ZstdBlocks};
use crate::forms::tabulate::is_slow;
use crate::solve::method::{Chains, Method};
use crate::solve::resources::Resources;

pub use form::Form;
pub use row::Row;

/// The maximum number of positions of one side for which forms that list every position are built.
pub const MAX_LISTED_POSITIONS: u64 = 1 << 33;

/// The same maximum if every position has to be looked up, because the layers of the run do not follow the cells.
pub const MAX_LOOKED_UP_POSITIONS: u64 = 1 << 27;

/// The compression level of the zstd rows.
const ZSTD_LEVEL: i32 = 3;

/// Returns an error for a run whose sets cover neither all positions of both sides nor those reached from the start.
///
/// # Errors
/// Returns [`Error::WrongRun`] for a run of one chain, or [`Error::NotFinished`].
pub fn must_be_comparable(solution: &StoredRun) -> Result<()> {
    solution.must_be_finished()?;
    if solution.method() == Method::Meet || solution.run.request().chains == Chains::Both {
        return Ok(());
    }
    Err(Error::WrongRun { wanted: "other forms of all values", needs: RunNeeds::BothChains })
}

/// A progress report of a comparison.
#[derive(Clone, Debug)]
pub enum Step {
    /// The form is being measured.
    Begun(Form),
    /// The form has been measured.
    Done(Row),
}

/// Measures the win/draw/loss values of a run in each of `forms`: those of all positions of a retrograde run, or those of
/// the positions reached from the start. Calls `tell` when a form is begun and when
/// its row has been measured. The comparison ends early if `tell` returns `false`.
///
/// Every form is queried with the same random positions, and its answers are compared with those of the automata.
///
/// Cost: lists all positions once for each of four forms, provided that there are at most [`MAX_LISTED_POSITIONS`] per
/// side, or at most [`MAX_LOOKED_UP_POSITIONS`] if the letter order of the run does not follow the cells. The positions of
/// a run from the start are listed one by one, for each of these forms, if there are at most
/// [`MAX_LOOKED_UP_POSITIONS`].
///
/// # Errors
/// Returns the errors of [`must_be_comparable`] and of `tell`; [`Error::Rules`] if the answers of a form differ; or an
/// error if a file is damaged or the comparison is interrupted.
pub fn compare<E: From<Error>>(
    solution: &StoredRun,
    resources: &Resources,
    forms: &[Form],
    tell: &mut dyn FnMut(Step) -> std::result::Result<bool, E>,
) -> std::result::Result<(), E> {
    must_be_comparable(solution)?;
    if solution.method() == Method::Meet {
        return compare_reached(&Source::Run(solution), resources, forms, tell);
    }
    let per_side = solution.game.shape().num_words().ok_or(Error::Dfa(nerode_dfa::Error::CountOverflow))?;
    let comparison = Comparison { solution, resources, positions: 2 * per_side };
    measure(resources, forms, tell, &|form| match (form, build_of(form)) {
        (_, Some(build)) => list(&comparison, form, build, per_side),
        (Form::ValueAutomaton, _) => comparison.value_automaton(),
        (Form::Bdd, _) => comparison.bdd(),
        _ => comparison.automata(),
    })
}

/// Measures the win/draw/loss values of a table of reached positions in each of `forms`, as [`compare`] does. The sets are built
/// from the table, one for each side and value.
///
/// Cost: the words of all positions in memory while the sets are built, and afterwards that of [`compare`].
///
/// # Errors
/// Returns [`Error::TooLarge`] if the words do not fit into memory; [`Error::Rules`] if the answers of a form differ; or an error if
/// the file is damaged or the comparison is interrupted.
pub fn compare_table<E: From<Error>>(
    table: &KeyedTable,
    resources: &Resources,
    forms: &[Form],
    tell: &mut dyn FnMut(Step) -> std::result::Result<bool, E>,
) -> std::result::Result<(), E> {
    compare_reached(&Source::of_table(table, resources)?, resources, forms, tell)
}

fn compare_reached<E: From<Error>>(
    source: &Source<'_>,
    resources: &Resources,
    forms: &[Form],
    tell: &mut dyn FnMut(Step) -> std::result::Result<bool, E>,
) -> std::result::Result<(), E> {
    let comparison = ReachedComparison::new(source, resources)?;
    measure(resources, forms, tell, &|form| comparison.row(form, MAX_LOOKED_UP_POSITIONS, build_of(form)))
}

/// Determines the rows of the forms one after the other, as long as `tell` returns `true`.
fn measure<E: From<Error>>(
    resources: &Resources,
    forms: &[Form],
    tell: &mut dyn FnMut(Step) -> std::result::Result<bool, E>,
    row: &dyn Fn(Form) -> Result<Row>,
) -> std::result::Result<(), E> {
    for &form in forms {
        resources.must_go_on()?;
        if !tell(Step::Begun(form))? || !tell(Step::Done(row(form)?))? {
            return Ok(());
        }
    }
    Ok(())
}

/// Returns the function that builds a form that lists every position, or `None` for any other form.
fn build_of(form: Form) -> Option<Build<'static>> {
    match form {
        Form::TwoBits => Some(&|n, runs, limit| Ok(Box::new(Packed::two_bits(n, runs, limit)?))),
        Form::OneByte => Some(&|n, runs, limit| Ok(Box::new(Packed::one_byte(n, runs, limit)?))),
        Form::RunLength => Some(&|n, runs, limit| Ok(Box::new(Rle::from_codes(n, runs, limit)?))),
        Form::Zstd => Some(&|n, runs, limit| Ok(Box::new(ZstdBlocks::build(n, runs, ZSTD_LEVEL, limit)?))),
        Form::Automata | Form::ValueAutomaton | Form::Bdd => None,
    }
}

/// Returns the row of a form that lists every position.
fn list(comparison: &Comparison<'_>, form: Form, build: Build<'_>, per_side: u128) -> Result<Row> {
    let most = if is_slow(comparison.solution.game.as_ref()) {
        MAX_LOOKED_UP_POSITIONS
    } else {
        MAX_LISTED_POSITIONS
    };
    let Some(n) = u64::try_from(per_side).ok().filter(|&n| n <= most) else {
        return Ok(comparison.too_many(form, per_side, most));
    };
    comparison.listed(form, n, build)
}
