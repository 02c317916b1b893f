//! The served solutions by id, which are reopened when their directories change.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use nerode_games::Registry;
use nerode_solver::error::{Error, Result};
use nerode_solver::stored::{Library, Solution};

/// The maximum number of letters of an id.
const ID_LETTERS: usize = 60;

/// The time that searches for depths may take in the answer to one request.
const SEARCH_TIME: Duration = Duration::from_secs(2);

/// Words that have a meaning in requests and therefore cannot be ids.
const RESERVED: [&str; 3] = ["solutions", "offers", "openapi-json"];

/// A served solution.
#[derive(Debug)]
struct Entry {
    id: String,
    path: PathBuf,
    /// The maximum number of bytes of its tables of sectors in memory.
    memory: u64,
    shown: RwLock<Shown>,
    /// Whether it has been reported that the directory can no longer be opened.
    told: AtomicBool,
}

/// The current state of a directory.
#[derive(Clone, Debug)]
pub enum Shown {
    /// A solution, either complete or of an unfinished run.
    Open(Arc<Solution>),
    /// A run that has no results yet, and the reason.
    NotYet(String),
    /// A directory that cannot be opened, for a reason that has been logged.
    Broken,
}

/// All served solutions.
pub struct Shelf {
    library: Library<'static>,
    entries: RwLock<Vec<Arc<Entry>>>,
}

impl Shelf {
    /// Opens the solutions in these directories. Their ids are the simplified names of the directories, made unique.
    /// The tables of sectors of all solutions together take at most `memory` bytes.
    ///
    /// `report` receives the directories that cannot be opened, each with the reason. They are listed, and opened as soon
    /// as they have been mended.
    ///
    /// # Errors
    /// Returns the same errors as [`Library::open`] if none of the directories can be opened. A run that has no results
    /// yet is not an error.
    pub fn open(
        library: Library<'static>,
        paths: &[PathBuf],
        memory: u64,
        report: &mut dyn FnMut(&Path, &Error),
    ) -> Result<Self> {
        let shelf = Self { library, entries: RwLock::default() };
        let memory = memory / paths.len().max(1) as u64;
        let opened: Vec<_> = paths.iter().map(|path| look(&shelf.library, path, memory)).collect();
        let is_any_open = opened.iter().any(Result::is_ok);
        for (path, opened) in paths.iter().zip(opened) {
            let shown = match opened {
                Err(error) if !is_any_open => return Err(error),
                Err(error) => {
                    report(path, &error);
                    Shown::Broken
                }
                Ok(shown) => shown,
            };
            shelf.put(path, &simple(path), memory, shown);
        }
        Ok(shelf)
    }

    /// Returns the games that have a name.
    pub(super) fn registry(&self) -> &'static Registry {
        self.library.registry
    }

    /// Adds the directory into which a solve writes, under an id derived from `name`. Returns the id.
    pub(super) fn add(&self, path: &Path, name: &str, memory: u64) -> String {
        self.put(path, &simple(Path::new(name)), memory, Shown::NotYet("the run has not started".into()))
    }

    /// Removes the solution with that id.
    pub(super) fn remove(&self, id: &str) {
        let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
        entries.retain(|entry| entry.id != id);
    }

    fn put(&self, path: &Path, name: &str, memory: u64, shown: Shown) -> String {
        let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
        let is_free = |id: &str| !RESERVED.contains(&id) && entries.iter().all(|entry| entry.id != id);
        let mut numbered = (2..).map(|n| format!("{name}-{n}"));
        let id = std::iter::once(name.to_string()).chain(&mut numbered).find(|id| is_free(id));
        let id = id.unwrap_or_default();
        let (shown, told) = (RwLock::new(shown), AtomicBool::new(false));
        entries.push(Arc::new(Entry { id: id.clone(), path: path.into(), memory, shown, told }));
        id
    }

    fn entries(&self) -> Vec<Arc<Entry>> {
        self.entries.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns all solutions with their ids, in the order in which the directories were named.
    pub fn all(&self) -> Vec<(String, Shown)> {
        self.entries().iter().map(|entry| (entry.id.clone(), entry.get())).collect()
    }

    /// Returns the solution with that id.
    pub fn get(&self, id: &str) -> Option<Shown> {
        let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
        entries.iter().find(|entry| entry.id == id).map(|entry| entry.get())
    }

    /// Reopens the solutions that have changed on disk. A solution that cannot be opened keeps its last state.
    pub fn refresh(&self) {
        for entry in self.entries() {
            let refreshed = entry.refresh(&self.library);
            // A directory that has never been open is still being created.
            let is_new = !matches!(entry.get(), Shown::Open(_));
            let told = entry.told.swap(refreshed.is_err(), Ordering::Relaxed);
            if let (Err(error), false, false) = (refreshed, told, is_new) {
                tracing::warn!(id = entry.id, %error, "a solution has changed and cannot be opened; the service keeps the old one");
            }
        }
    }
}

impl Entry {
    fn get(&self) -> Shown {
        self.shown.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn refresh(&self, library: &Library<'_>) -> Result<()> {
        let has_changed = match self.get() {
            Shown::Open(solution) => Solution::digest_at(&self.path)? != solution.digest(),
            Shown::NotYet(_) | Shown::Broken => true,
        };
        if has_changed {
            let shown = look(library, &self.path, self.memory)?;
            *self.shown.write().unwrap_or_else(PoisonError::into_inner) = shown;
        }
        Ok(())
    }
}

fn look(library: &Library<'_>, path: &Path, memory: u64) -> Result<Shown> {
    match library.open(path)?.with_memory(memory).with_search_time(SEARCH_TIME).so_far() {
        Ok(solution) => Ok(Shown::Open(Arc::new(solution))),
        Err(
            error @ (Error::NoValuesYet { .. } | Error::NoRetrogradePly { .. } | Error::NotFinished { .. }),
        ) => Ok(Shown::NotYet(without_path(&error))),
        Err(error) => Err(error),
    }
}

/// Formats an error without the directory that it names, because clients see ids instead of paths.
fn without_path(error: &Error) -> String {
    match error {
        Error::NoRetrogradePly { .. } => "the run has not completed a ply yet".into(),
        _ => "the run searches forward, and can be queried when it is finished".into(),
    }
}

/// Returns the name of a directory in lower-case letters, digits and hyphens.
fn simple(path: &Path) -> String {
    let real = path.canonicalize().unwrap_or_else(|_| path.into());
    let name = real.file_stem().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let sign = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let signs: String = name.chars().map(sign).take(ID_LETTERS).collect();
    let id: Vec<&str> = signs.split('-').filter(|part| !part.is_empty()).collect();
    match id.join("-") {
        id if id.is_empty() => "solution".into(),
        id => id,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nerode_games::registry::families;
    use nerode_solver::archive::run_dir::Request;
    use nerode_solver::run::{Existing, solve};
    use nerode_solver::solve::method::Method;
    use nerode_solver::solve::resources::Resources;
    use nerode_solver::stored::open_own;

    static REGISTRY: Registry = Registry::new(families(), &[]);

    #[test]
    fn ids_are_simple_and_different() {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["a/Nim 2x3", "b/Nim 2x3", "c/\u{e9}", "solutions"].map(|name| folder.path().join(name));
        for path in &paths {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            let game = REGISTRY.open("nim:2x3").unwrap();
            let request = Request::new(game.as_ref(), Method::Retrograde, None, None);
            let resources = Resources::default();
            solve(game, request, path, Existing::Refuse, &resources, &mut |_| ()).unwrap();
        }
        let library = Library { openers: &[open_own], registry: &REGISTRY, resolver: &REGISTRY };
        let shelf = Shelf::open(library, &paths, u64::MAX, &mut |_, _| ()).unwrap();
        let ids: Vec<String> = shelf.all().into_iter().map(|(id, _)| id).collect();
        assert_eq!(ids, ["nim-2x3", "nim-2x3-2", "solution", "solutions-2"]);
        assert!(shelf.get("nim-2x3").is_some() && shelf.get("Nim 2x3").is_none());
    }
}
