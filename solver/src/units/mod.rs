//! Computation of images of large sets in work units, whose results are kept in files, so that an interrupted ply need
//! not start over.
//!
//! Each image has its own folder, named by a digest of all its inputs. It contains the plan of the image and a fragment
//! for each finished unit. When the same image is requested again, these files are reused. Files that are damaged or
//! belong to another plan are recreated. The way an image is divided and the file formats are defined by `nerode_dfa`.
//!
//! If there are many fragments, groups of them are merged before the final merge (`tree.rs`).
//!
//! If the solve permits it ([`UnitsBy`]), other processes compute units too. In this case, the folder also contains the
//! input of each unit (`offer.rs`), and the solving process waits for the fragments (`bench.rs`).
//!
//! Invariant: files are either complete or absent, and a fragment is a function of its plan. Hence two processes may
//! work on the same unit, and the file of either is correct.

mod bench;
mod choices;
mod files;
pub mod lock;
mod offer;
mod sizes;
mod tally;
mod tree;

pub use choices::{FOLDER, UnitSizes, UnitsBy};
pub use files::Means;
pub use offer::{Offer, withdraw};
pub use sizes::{effective_sizes, stored_sizes};
pub use tally::{UnitsDone, UnitsWatch};

use bench::Bench;
use tally::Tally;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use nerode_dfa::disk;
use nerode_dfa::{Cutting, Dfa, Image, Passes, Planned};

use crate::error::{Error, Result};

/// A facility that computes images in units in the directory of a solve.
#[derive(Debug)]
pub struct Workshop {
    home: PathBuf,
    sizes: UnitSizes,
    by: UnitsBy,
    tally: Tally,
    /// The folders of images whose results have been returned.
    done: Mutex<Vec<PathBuf>>,
}

impl Workshop {
    /// Creates a workshop in the folder [`FOLDER`] of `home`, which is created when it is needed. `watch` is called
    /// after every unit.
    pub fn new(home: PathBuf, sizes: UnitSizes, by: UnitsBy, watch: Option<UnitsWatch>) -> Self {
        Self { home, sizes, by, tally: Tally::new(watch), done: Mutex::default() }
    }

    /// Returns `true` if an image whose largest input has `num_states` states is computed in units.
    pub fn takes(&self, num_states: usize) -> bool {
        num_states >= self.from_states()
    }

    /// Returns the number of states from which on images of a set are computed in units.
    pub fn from_states(&self) -> usize {
        self.sizes.from_states
    }

    /// Returns which processes compute units.
    pub fn by(&self) -> UnitsBy {
        self.by
    }

    /// Returns `{ y : f(y ∈ image, [y ∈ side for each side]) }` as [`Passes::image`] does, reusing units that are
    /// already finished. `moves` is a number by which other processes identify the moves.
    ///
    /// Cost: that of the image, except that parts common to several fragments are computed for each of them. Every
    /// fragment is written and read. If other processes compute units, the input of each unit is written and read as
    /// well.
    ///
    /// # Errors
    /// Returns the errors of [`Passes::image`], any error of `means`, [`Error::Io`] or [`Error::Interrupted`]. Units
    /// that were finished before the error are kept.
    pub fn image(
        &self,
        passes: &Passes,
        (image, moves): (Image<'_>, u32),
        sides: &[&Dfa],
        f: impl Fn(bool, &[bool]) -> bool,
        means: &Means<'_>,
    ) -> Result<Dfa> {
        let moved = image.set.num_states();
        // If the moved set is empty, the image is a combination of the side sets, so their size counts.
        let states =
            if moved > 0 { moved } else { sides.iter().map(|side| side.num_states()).max().unwrap_or(0) };
        let units = states.div_ceil(self.sizes.states_a_unit.max(1));
        let job = passes.job(image, sides, f)?;
        let name: String = job.fingerprint().iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        let bench = Bench::new((passes, job), self.home.join(FOLDER).join(&name), self.by, means);
        let plan = match bench.plan(Cutting { bytes: self.sizes.key_bytes, units })? {
            Planned::Whole(result) => return Ok(result),
            Planned::Parted(plan) => plan,
        };
        let work = bench.work(&plan);
        let counted = self.tally.begin(plan.num_units());
        if self.by.is_shared() {
            offer::write((&bench, &work), &plan, moves)?;
        }
        let result = bench.job().merge(&plan, work.fragments(&counted)?)?;
        self.done.lock().unwrap_or_else(PoisonError::into_inner).push(bench.into_folder());
        Ok(result)
    }

    /// Returns the files of all images computed so far, which are no longer needed once the results are stored.
    pub fn take_done(&self) -> Done {
        Done(std::mem::take(&mut *self.done.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

/// The files of images that have been computed.
#[derive(Debug)]
#[must_use = "files stay until they are removed"]
pub struct Done(Vec<PathBuf>);

impl Done {
    /// Removes the files.
    ///
    /// # Errors
    /// Returns [`Error::Io`].
    pub fn remove(self) -> Result<()> {
        self.0.iter().try_for_each(|folder| {
            offer::withdraw_one(folder)?;
            remove_folder(folder)
        })
    }
}

/// The number of attempts to remove a folder into which other processes may write.
const TRIES: u32 = 20;
/// The time between two attempts.
const BETWEEN_TRIES: Duration = Duration::from_millis(20);

/// Removes a folder, if it exists, with all its contents. Files that a late worker writes there may remain.
///
/// # Errors
/// Returns [`Error::Io`].
pub fn remove_folder(folder: &Path) -> Result<()> {
    for _ in 0..TRIES {
        match disk::remove_dir_all(folder) {
            Ok(()) => return Ok(()),
            Err(e) if e.kind() == ErrorKind::NotFound && !folder.exists() => return Ok(()),
            Err(e) if is_of_another_writer(e.kind()) => std::thread::sleep(BETWEEN_TRIES),
            Err(e) => return Err(Error::io(folder, e)),
        }
    }
    Ok(())
}

/// Returns `true` if a folder could not be removed because another process adds files to it or removes them.
fn is_of_another_writer(kind: ErrorKind) -> bool {
    let kinds = [
        ErrorKind::NotFound,
        ErrorKind::DirectoryNotEmpty,
        ErrorKind::ResourceBusy,
        ErrorKind::StaleNetworkFileHandle,
    ];
    kinds.contains(&kind)
}
