//! Creates a values folder from a run. When a folder is replaced, its manifest is removed first; the new manifest is
//! written last.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use nerode_dfa::{Dfa, Store};
use nerode_games::Side;

use super::values::care::{ADMISSIBLE, VALUES, care_name, care_set, set_name};
use super::values::{FileEntry, Manifest, map_name};
use crate::archive::contents::Contents;
use crate::archive::draft::Draft;
use crate::archive::stored::StoredFile;
use crate::archive::stored_run::StoredRun;
use crate::error::Result;
use crate::solve::resources::Resources;

/// Writes the values of all positions of a finished retrograde run to the folder `path`, as one automaton per side.
/// With `depths`, it holds value and depth, otherwise only the value. With `overwrite`, existing values in `path` are
/// replaced. Calls `progress` with the number of sides done and the total number.
///
/// Cost: that of [`StoredRun::value_map`] for both sides.
///
/// # Errors
/// Returns `Error::NotFinished`; `Error::Occupied` if `path` already contains values, or `Error::OtherContents` if it
/// has other contents; the errors of [`StoredRun::value_map`]; or [`crate::error::Error::Io`].
pub fn write_maps(
    solution: &StoredRun,
    path: &Path,
    depths: bool,
    overwrite: bool,
    resources: &Resources,
    progress: &mut dyn FnMut(u32, u32),
) -> Result<Manifest> {
    let mut writer = Writer::begin(solution, path, overwrite, resources)?;
    solution.must_have_maps(depths)?;
    let sides = Side::BOTH.len() as u32;
    for (done, side) in (0..).zip(Side::BOTH) {
        progress(done, sides);
        let map = if depths {
            solution.value_map(side, resources)?
        } else {
            solution.category_map(side, resources)?
        };
        writer.put(map_name(side), map.num_states(), &map.to_bytes()?)?;
    }
    progress(sides, sides);
    writer.finish(solution, depths, None)
}

/// Writes the final sets of a finished retrograde run, restricted to the admissible positions, together with the set of
/// these positions, to the folder `path`. For each set, either the restricted or the original form is stored, whichever
/// is smaller. With `overwrite`, existing values in `path` are replaced.
///
/// Cost: that of [`Store::restrict`] for each final set.
///
/// # Errors
/// Returns `Error::NotFinished`; `Error::Occupied` if `path` already contains values, or `Error::OtherContents` if it
/// has other contents; `Error::NotForGame` for a game that defines no admissible positions, and for a
/// meet-in-the-middle run; an error if memory is exhausted; or `Error::Io`.
pub fn write_care(
    solution: &StoredRun,
    path: &Path,
    overwrite: bool,
    resources: &Resources,
) -> Result<Manifest> {
    solution.must_cover_all()?;
    let mut store = Store::new(solution.game.shape().clone(), resources.memory)?;
    store.set_threads(resources.threads)?;
    store.set_interrupt(Arc::clone(&resources.interrupt));
    let mut cares = Vec::new();
    for side in Side::BOTH {
        cares.push((side, care_set(solution.game.as_ref(), ADMISSIBLE, &mut store, side)?));
    }
    let mut writer = Writer::begin(solution, path, overwrite, resources)?;
    for (side, care) in cares {
        writer.put_set(care_name(side), &store.freeze(&care))?;
        for (kind, _) in VALUES {
            let all = solution.read(kind, side, solution.last_ply())?;
            let set = store.import(&all)?;
            let small = store.restrict(&set, &care)?;
            let small = store.freeze(&small);
            let better = small.to_bytes()?.len() < all.to_bytes()?.len();
            writer.put_set(set_name(kind, side), if better { &small } else { &all })?;
        }
    }
    writer.finish(solution, false, Some(ADMISSIBLE.into()))
}

/// A values folder that is being written.
struct Writer<'a> {
    draft: Draft,
    files: BTreeMap<String, FileEntry>,
    resources: &'a Resources,
}

impl<'a> Writer<'a> {
    fn begin(solution: &StoredRun, path: &Path, overwrite: bool, resources: &'a Resources) -> Result<Self> {
        solution.must_be_finished()?;
        let draft = Draft::begin(path, Contents::Values, overwrite)?;
        Ok(Self { draft, files: BTreeMap::new(), resources })
    }

    fn put(&mut self, name: String, num_states: usize, bytes: &[u8]) -> Result<()> {
        self.resources.must_go_on()?;
        let stored = StoredFile::write(&self.draft.file(&name), bytes)?;
        self.files.insert(name, FileEntry { num_states: num_states as u64, stored });
        Ok(())
    }

    fn put_set(&mut self, name: String, set: &Dfa) -> Result<()> {
        self.put(name, set.num_states(), &set.to_bytes()?)
    }

    fn finish(self, solution: &StoredRun, depths: bool, care: Option<String>) -> Result<Manifest> {
        let manifest = Manifest {
            request: solution.run.request().clone(),
            source: solution.run.digest()?,
            depths,
            care,
            files: self.files,
        };
        self.resources.must_go_on()?;
        self.draft.finish(&manifest)?;
        Ok(manifest)
    }
}
