//! Images of large sets in units, kept in files, so that what is finished of a ply outlasts a stop.
//!
//! An image has a folder of its own, named by a digest of all that it depends on. There lie its plan and a fragment for each unit
//! that is finished. When the same image is asked for again, what lies there is used. What is damaged, or was made by another
//! plan, is made again. How an image is parted, and the formats of the files, are `nerode_dfa`'s.
//!
//! Invariant: files are whole or absent, and a fragment is a function of its plan. So two processes may work on one unit, and
//! either file is right.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use nerode_dfa::disk;
use nerode_dfa::{Cutting, Dfa, Fragment, FragmentFile, Image, Job, Passes, Plan, Planned, remove_abandoned};

use crate::error::{Error, Result};

/// The folder of units below the directory of a solve.
pub const FOLDER: &str = "units";

/// Refuses to write so many bytes at a path where they do not fit.
pub type MustHold<'a> = dyn Fn(&Path, u64) -> Result<()> + 'a;

/// Which images are computed in units, and how large units are. Results do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitSizes {
    /// Images of sets with so many states or more.
    pub from_states: usize,
    /// Bytes of keys: the first layers end where they are so many.
    pub key_bytes: u64,
    /// States of the set that is moved, for each unit.
    pub states_a_unit: usize,
}

impl UnitSizes {
    /// Images of sets with so many states or more, and units that grow with the number; `results/engine-log.md` has what other
    /// proportions cost.
    pub fn from_states(states: usize) -> Self {
        Self {
            from_states: states,
            key_bytes: 64 * states as u64,
            states_a_unit: states.saturating_mul(4).max(1),
        }
    }
}

impl Default for UnitSizes {
    fn default() -> Self {
        Self::from_states(1 << 20)
    }
}

/// Does images in units, in a directory.
#[derive(Debug)]
pub struct Workshop {
    directory: PathBuf,
    sizes: UnitSizes,
    /// Folders of images whose results were handed out.
    done: Mutex<Vec<PathBuf>>,
}

impl Workshop {
    /// Works in `directory`, which is made when it is needed.
    pub fn new(directory: PathBuf, sizes: UnitSizes) -> Self {
        Self { directory, sizes, done: Mutex::default() }
    }

    /// Whether images of `set` are computed in units.
    pub fn takes(&self, set: &Dfa) -> bool {
        set.num_states() >= self.sizes.from_states
    }

    /// `{ y : f(y ∈ image, [y ∈ side for each side]) }`, as [`Passes::image`] gives it. Units that are finished are not done again.
    ///
    /// Cost: that of the image; what fragments have in common is computed for each. Every fragment is written and read.
    ///
    /// # Errors
    /// As [`Passes::image`]; what `must_hold` says; [`Error::Io`]. Units finished before stay.
    pub fn image(
        &self,
        passes: &Passes,
        image: Image<'_>,
        sides: &[&Dfa],
        f: impl Fn(bool, &[bool]) -> bool,
        must_hold: &MustHold<'_>,
    ) -> Result<Dfa> {
        let units = image.set.num_states().div_ceil(self.sizes.states_a_unit);
        let job = passes.job(image, sides, f)?;
        let bench = Bench { folder: self.directory.join(name_of(&job)), job, must_hold };
        let plan = match bench.plan(Cutting { bytes: self.sizes.key_bytes, units })? {
            Planned::Whole(result) => return Ok(result),
            Planned::Parted(plan) => plan,
        };
        let fragments = (0..plan.num_units()).map(|unit| bench.fragment(&plan, unit));
        let result = bench.job.merge(&plan, fragments.collect::<Result<_>>()?)?;
        self.done.lock().unwrap_or_else(PoisonError::into_inner).push(bench.folder);
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
        self.0.iter().try_for_each(|folder| remove_folder(folder))
    }
}

/// Removes a folder, if it is there, with all that is in it.
///
/// # Errors
/// [`Error::Io`].
pub fn remove_folder(folder: &Path) -> Result<()> {
    match disk::remove_dir_all(folder) {
        Err(e) if e.kind() != ErrorKind::NotFound => Err(Error::io(folder, e)),
        _ => Ok(()),
    }
}

/// The name of a job's folder.
fn name_of(job: &Job<'_>) -> String {
    job.fingerprint().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// One image under work.
struct Bench<'a> {
    job: Job<'a>,
    folder: PathBuf,
    must_hold: &'a MustHold<'a>,
}

impl Bench<'_> {
    /// The plan that lies here, or a new one.
    fn plan(&self, cutting: Cutting) -> Result<Planned> {
        let path = self.folder.join("plan");
        match Plan::read(&path) {
            Ok(plan) if plan.fingerprint() == &self.job.fingerprint() => return Ok(Planned::Parted(plan)),
            Ok(_) => {}
            Err(e) => must_be_made(e)?,
        }
        let planned = self.job.plan(cutting)?;
        if let Planned::Parted(plan) = &planned {
            disk::create_dir_all(&self.folder).map_err(|e| Error::io(&self.folder, e))?;
            (self.must_hold)(&path, plan.bytes())?;
            self.clear(&path)?;
            plan.write(&path)?;
        }
        Ok(planned)
    }

    fn path(&self, unit: usize) -> PathBuf {
        self.folder.join(format!("unit-{unit:06}"))
    }

    fn open(&self, plan: &Plan, unit: usize) -> nerode_dfa::Result<FragmentFile> {
        FragmentFile::open(&self.path(unit), plan, unit)
    }

    /// The fragment of a unit, which is made if it is not there, or has to be made again.
    fn fragment(&self, plan: &Plan, unit: usize) -> Result<FragmentFile> {
        match self.open(plan, unit) {
            Ok(fragment) => return Ok(fragment),
            Err(e) => must_be_made(e)?,
        }
        self.do_unit(plan, unit)?;
        Ok(self.open(plan, unit)?)
    }

    fn do_unit(&self, plan: &Plan, unit: usize) -> Result<()> {
        let path = self.path(unit);
        let fragment: Fragment = self.job.unit(plan, unit)?;
        (self.must_hold)(&path, fragment.bytes())?;
        self.clear(&path)?;
        fragment.write(&path, plan, unit)?;
        Ok(())
    }

    /// Removes what killed writers of `path` have left.
    fn clear(&self, path: &Path) -> Result<()> {
        remove_abandoned(path).map(|_| ()).map_err(|e| Error::io(path, e))
    }
}

/// Whether a file that could not be read is to be made: it is missing, damaged, or of another version or plan.
fn must_be_made(error: nerode_dfa::Error) -> Result<()> {
    match error {
        nerode_dfa::Error::Corrupt { .. } | nerode_dfa::Error::Version { .. } => Ok(()),
        nerode_dfa::Error::Io { ref source, .. } if source.kind() == ErrorKind::NotFound => Ok(()),
        other => Err(other.into()),
    }
}
