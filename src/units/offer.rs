//! Units that any process may do: what their image is made of, in the folder of the image.
//!
//! Invariant: the description is written last. Where it is, the plan and the sets are.

use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use nerode_dfa::{Dfa, JobFile, PassMoves, Passes, Plan};

use super::bench::{Bench, Means, fragment_path, plan_path};
use super::{FOLDER, UnitsBy};
use crate::error::{Error, Result};

/// The description of an image, in its folder.
const DESCRIPTION: &str = "image";

/// Lets others do the units of `plan`. `known` gives the file of a set below the directory of the solve, where there is one;
/// other sets are written.
pub(super) fn write(
    bench: &Bench<'_>,
    plan: &Plan,
    moves: u32,
    known: impl Fn(&Dfa) -> Option<String>,
) -> Result<()> {
    let folder = bench.folder();
    let name = |(place, set): (usize, &Dfa)| -> Result<String> {
        if let Some(file) = known(set) {
            return Ok(file);
        }
        let file = format!("set-{place}.dfa");
        let path = folder.join(&file);
        bench.must_hold(&path, set.bytes())?;
        set.write(&path)?;
        let image = folder.file_name().unwrap_or_default().to_string_lossy();
        Ok(format!("{FOLDER}/{image}/{file}"))
    };
    let sets = bench.job().sets().enumerate().map(name).collect::<Result<_>>()?;
    bench.job().describe(moves, sets, plan).write(&folder.join(DESCRIPTION))?;
    Ok(())
}

/// Takes back what was let others do in the directory `home` of a solve: it may not be asked for again.
///
/// # Errors
/// [`Error::Io`].
pub fn withdraw(home: &Path) -> Result<()> {
    names(home)?.iter().try_for_each(|name| withdraw_one(&home.join(FOLDER).join(name)))
}

/// Takes back the units of the image in `folder`.
pub(super) fn withdraw_one(folder: &Path) -> Result<()> {
    let path = folder.join(DESCRIPTION);
    match fs::remove_file(&path) {
        Err(e) if e.kind() != ErrorKind::NotFound => Err(Error::io(path, e)),
        _ => Ok(()),
    }
}

/// Folders in which there may be units.
fn names(home: &Path) -> Result<Vec<String>> {
    let folder = home.join(FOLDER);
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(Error::io(folder, e)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|e| Error::io(&folder, e))?;
        names.extend(entry.file_name().into_string().ok().filter(|name| is_name(name)));
    }
    names.sort_unstable();
    Ok(names)
}

/// Whether an image may be called so.
fn is_name(name: &str) -> bool {
    name.len() == 32 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Units of an image that any process may do.
#[derive(Debug)]
pub struct Offer {
    image: String,
    home: PathBuf,
    folder: PathBuf,
    description: JobFile,
}

impl Offer {
    /// All that are in the directory `home` of a solve, by name.
    ///
    /// # Errors
    /// [`Error::Io`]; a description that cannot be read.
    pub fn all(home: &Path) -> Result<Vec<Self>> {
        let open = |name: &String| Self::open(home, name).transpose();
        names(home)?.iter().filter_map(open).collect()
    }

    /// The units of the image of this name; `None` where there are none, or no longer.
    ///
    /// # Errors
    /// [`Error::Io`]; a description that cannot be read.
    pub fn open(home: &Path, image: &str) -> Result<Option<Self>> {
        if !is_name(image) {
            return Ok(None);
        }
        let folder = home.join(FOLDER).join(image);
        match JobFile::read(&folder.join(DESCRIPTION)) {
            Ok(description) => Ok(Some(Self { image: image.into(), home: home.into(), folder, description })),
            Err(nerode_dfa::Error::Io { source, .. }) if source.kind() == ErrorKind::NotFound => Ok(None),
            Err(e) => Err(of_input(e)),
        }
    }

    /// The name of the image.
    pub fn image(&self) -> &str {
        &self.image
    }

    /// What the image is.
    pub fn description(&self) -> &JobFile {
        &self.description
    }

    /// Number of units.
    pub fn num_units(&self) -> usize {
        self.description.units().len()
    }

    /// Whether a unit has a fragment, which is not looked at.
    pub fn is_done(&self, unit: usize) -> bool {
        fragment_path(&self.folder, unit).exists()
    }

    /// Bytes of a unit's fragment, if there is one.
    pub fn bytes_of(&self, unit: usize) -> Option<u64> {
        fs::metadata(fragment_path(&self.folder, unit)).ok().map(|found| found.len())
    }

    /// Whether the units are still asked for.
    pub fn stands(&self) -> bool {
        self.folder.join(DESCRIPTION).exists()
    }

    /// The plan of the units.
    ///
    /// # Errors
    /// [`Error::UnitInput`]; a plan of another version.
    pub fn plan(&self) -> Result<Plan> {
        let path = plan_path(&self.folder);
        let plan = Plan::read(&path).map_err(of_input)?;
        if plan.fingerprint() != self.description.fingerprint() || plan.num_units() != self.num_units() {
            return Err(Error::UnitInput { path, reason: "it is the plan of other units".into() });
        }
        Ok(plan)
    }

    /// The set that is moved, then the side sets.
    ///
    /// # Errors
    /// [`Error::UnitInput`] for a set that is missing or damaged; [`Error::Io`].
    pub fn sets(&self) -> Result<Vec<Dfa>> {
        let read = |name: &String| {
            let inside = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
            let path = self.home.join(name);
            if inside {
                return Dfa::read(&path).map_err(of_input);
            }
            Err(Error::UnitInput { path, reason: "it is not a file of this run".into() })
        };
        self.description.sets().iter().map(read).collect()
    }

    /// The image, from what was read of it.
    ///
    /// Cost: reads the tables of the sets, once.
    ///
    /// # Errors
    /// [`Error::OtherUnits`] for moves or sets other than those that the units were planned for.
    pub fn bench<'a>(
        &self,
        passes: &'a Passes,
        moves: &'a PassMoves,
        sets: &'a [Dfa],
        means: &'a Means<'a>,
    ) -> Result<Bench<'a>> {
        let job = passes.job_of(&self.description, moves, sets)?;
        if &job.fingerprint() != self.description.fingerprint() {
            return Err(Error::OtherUnits { path: self.folder.clone() });
        }
        Ok(Bench::new(job, self.folder.clone(), UnitsBy::Others, means))
    }
}

/// The error of a file that a unit is made from.
fn of_input(error: nerode_dfa::Error) -> Error {
    match error {
        nerode_dfa::Error::Corrupt { path, reason } => Error::UnitInput { path, reason },
        nerode_dfa::Error::Io { path, source } if source.kind() == ErrorKind::NotFound => {
            Error::UnitInput { path, reason: "it is missing".into() }
        }
        other => other.into(),
    }
}
