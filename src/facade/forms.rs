//! Other forms of a solution: packed values, and measurements of forms for comparison.

use std::path::Path;

use nerode_solver::archive::compact::write_maps;
use nerode_solver::archive::packing::write_reached;
use nerode_solver::error::Result;
use nerode_solver::forms::compare::{self as forms, Form, Row, Step};
use nerode_solver::solve::method::Method;
use nerode_solver::stored::Stored;

use super::options::Options;

/// Writes the values of all positions that a run covers to the folder `path`, in a form for quick look-ups, and returns
/// the number of bytes of its files. A folder `values` in the directory of the run is used by its queries.
///
/// The values of a retrograde run are one automaton for each side, with the depths if `depths` is set. Those of a run
/// from the start have no depths. With `overwrite`, existing values in `path` are replaced. `tell` is called with the
/// number of steps done and the total number: sides of a retrograde run, and plies of a run from the start. Only the
/// options for memory, threads and interruption have an effect.
///
/// # Errors
/// Returns [`Error::NoSets`](crate::Error::NoSets) for a solution that is not stored as a run,
/// [`Error::NotFinished`](crate::Error::NotFinished), [`Error::Occupied`](crate::Error::Occupied) if the folder already
/// contains values, or an error if memory or the disk is exhausted or after an interruption.
///
/// # Examples
/// ```
/// use nerode::Options;
/// let solution = nerode::open("nim:2x3")?.solve(Options::default())?;
/// let folder = tempfile::tempdir().unwrap();
/// let mut steps = Vec::new();
/// let mut tell = |done, of| steps.push((done, of));
/// let bytes = nerode::pack(&*solution, folder.path(), true, false, &Options::default(), &mut tell)?;
/// assert!(bytes > 0 && steps.last() == Some(&(2, 2)));
/// # Ok::<(), nerode::Error>(())
/// ```
pub fn pack(
    solution: &dyn Stored,
    path: &Path,
    depths: bool,
    overwrite: bool,
    options: &Options<'_>,
    tell: &mut dyn FnMut(u32, u32),
) -> Result<u64> {
    let run = solution.run()?;
    let resources = options.resources();
    let manifest = options.guarded(|| match run.method() {
        Method::Meet => write_reached(run, path, overwrite, resources, tell),
        Method::Retrograde => write_maps(run, path, depths, overwrite, resources, tell),
    })?;
    Ok(manifest.files().map(|(_, entry)| entry.stored().bytes()).sum())
}

/// Measures the values of a run in each of `wanted` forms, and calls `tell` with every row as soon as it is measured.
/// Only the options for memory, threads and interruption have an effect.
///
/// Cost: lists all positions once for each of four forms.
///
/// # Errors
/// Returns [`Error::NoSets`](crate::Error::NoSets) for a solution that is not stored as a run, an error for an unfinished
/// run or one of a single chain, and an error if memory is exhausted or after an interruption.
///
/// # Examples
/// ```
/// use nerode::{Form, Options};
/// let solution = nerode::open("nim:2x3")?.solve(Options::default())?;
/// let mut bytes = Vec::new();
/// nerode::compare(&*solution, &[Form::Automata, Form::TwoBits], &Options::default(), &mut |row| bytes.push(row.bytes))?;
/// assert_eq!(bytes[1], Some(8));
/// # Ok::<(), nerode::Error>(())
/// ```
pub fn compare(
    solution: &dyn Stored,
    wanted: &[Form],
    options: &Options<'_>,
    tell: &mut dyn FnMut(Row),
) -> Result<()> {
    let run = solution.run()?;
    options.guarded(|| {
        forms::compare(run, options.resources(), wanted, &mut |step| -> Result<bool> {
            if let Step::Done(row) = step {
                tell(row);
            }
            Ok(true)
        })
    })
}
