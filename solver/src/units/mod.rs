//! Images of large sets in units, kept in files, so that what is finished of a ply outlasts a stop.
//!
//! An image has a folder of its own, named by a digest of all that it depends on. There lie its plan and a fragment for each unit
//! that is finished. When the same image is asked for again, what lies there is used. What is damaged, or was made by another
//! plan, is made again. How an image is parted, and the formats of the files, are `nerode_dfa`'s.
//!
//! Where fragments are many, some are merged to one before the last merge (`tree.rs`).
//!
//! Other processes may do units too, if the solve lets them ([`UnitsBy`]). Then the folder has what each unit is
//! made from (`offer.rs`), and who solves waits for fragments (`bench.rs`).
//!
//! Invariant: files are whole or absent, and a fragment is a function of its plan. So two processes may work on one unit, and
//! either file is right.

mod bench;
mod choices;
mod claim;
mod files;
mod kept;
pub mod lock;
mod offer;
mod tally;
mod tree;

pub use choices::{FOLDER, UnitSizes, UnitsBy};
pub use files::Means;
pub use kept::{kept, settled};
pub use offer::{Offer, withdraw};
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

/// Does images in units, in the directory of a solve.
#[derive(Debug)]
pub struct Workshop {
    home: PathBuf,
    sizes: UnitSizes,
    by: UnitsBy,
    tally: Tally,
    /// Folders of images whose results were handed out.
    done: Mutex<Vec<PathBuf>>,
}

impl Workshop {
    /// Works in the folder [`FOLDER`] of `home`, which is made when it is needed. `watch` is told of every unit.
    pub fn new(home: PathBuf, sizes: UnitSizes, by: UnitsBy, watch: Option<UnitsWatch>) -> Self {
        Self { home, sizes, by, tally: Tally::new(watch), done: Mutex::default() }
    }

    /// Whether an image is computed in units whose largest input has `num_states` states.
    pub fn takes(&self, num_states: usize) -> bool {
        num_states >= self.from_states()
    }

    /// States of a set from which on its images are computed in units.
    pub fn from_states(&self) -> usize {
        self.sizes.from_states
    }

    /// Who does units.
    pub fn by(&self) -> UnitsBy {
        self.by
    }

    /// `{ y : f(y ∈ image, [y ∈ side for each side]) }`, as [`Passes::image`] gives it. Units that are finished are not done again.
    /// `moves` is a number by which others find the moves.
    ///
    /// Cost: that of the image; what fragments have in common is computed for each. Every fragment is written and read. Where
    /// others do units, what each is made from is written and read.
    ///
    /// # Errors
    /// As [`Passes::image`]; what `means` refuse; [`Error::Io`]; [`Error::Interrupted`]. Units finished before stay.
    pub fn image(
        &self,
        passes: &Passes,
        (image, moves): (Image<'_>, u32),
        sides: &[&Dfa],
        f: impl Fn(bool, &[bool]) -> bool,
        means: &Means<'_>,
    ) -> Result<Dfa> {
        let moved = image.set.num_states();
        // An image in which nothing is moved combines the side sets.
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

    /// The files of all images computed so far, which are not needed once the results are kept.
    pub fn take_done(&self) -> Done {
        Done(std::mem::take(&mut *self.done.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

/// Files of images that are computed.
#[derive(Debug)]
#[must_use = "files stay until they are removed"]
pub struct Done(Vec<PathBuf>);

impl Done {
    /// Removes the files.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn remove(self) -> Result<()> {
        self.0.iter().try_for_each(|folder| {
            offer::withdraw_one(folder)?;
            remove_folder(folder)
        })
    }
}

/// How often a folder is removed into which others write.
const TRIES: u32 = 20;
/// Time between two tries.
const BETWEEN_TRIES: Duration = Duration::from_millis(20);

/// Removes a folder, if it is there, with all that is in it. What a process writes there that is late with a unit may stay.
///
/// # Errors
/// [`Error::Io`].
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

/// Whether a folder cannot be removed because another process puts files into it or takes them out.
fn is_of_another_writer(kind: ErrorKind) -> bool {
    let kinds = [
        ErrorKind::NotFound,
        ErrorKind::DirectoryNotEmpty,
        ErrorKind::ResourceBusy,
        ErrorKind::StaleNetworkFileHandle,
    ];
    kinds.contains(&kind)
}
