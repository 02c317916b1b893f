//! Directories with one replaced file and a matching manifest, opened and queried like those of users.
//!
//! The first byte of the input selects the file, and the remaining bytes are the file in the form that [`Form`] opens. The
//! directories are in `fuzz/solutions`, and `.ci/fuzz solutions` creates them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use nerode::{Position, Sector};
use tempfile::TempDir;

use super::seal::{Form, renamed, sealed_json};

/// Returns the directory of solutions, which is next to the targets.
pub fn solutions() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    if here.ends_with("fuzz") { here.join("solutions") } else { here.join("fuzz/solutions") }
}

/// Returns the files of a solution by name, including those in subfolders.
pub fn files_of(kind: &str) -> Vec<(String, Vec<u8>)> {
    let root = solutions().join(kind);
    let (mut files, mut folders) = (Vec::new(), vec![root.clone()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(&root).unwrap().to_str().unwrap().to_string();
                files.push((name, fs::read(&path).unwrap()));
            }
        }
    }
    files.sort();
    files
}

/// Returns files of a solution in the form that a fuzzer can change.
pub fn read_seed(kind: &str, wanted: impl Fn(&str) -> bool, form: Form) -> Vec<Vec<u8>> {
    files_of(kind).iter().filter(|(name, _)| wanted(name)).map(|(_, bytes)| form.opened(bytes)).collect()
}

/// A copy of a solution in which one file at a time is replaced.
struct Replica {
    folder: TempDir,
    files: Vec<(String, Vec<u8>)>,
    /// The positions to query.
    positions: Vec<Position>,
}

impl Replica {
    fn new(kind: &str) -> Self {
        let (folder, files) = (tempfile::tempdir().unwrap(), files_of(kind));
        for (name, bytes) in &files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        let mut replica = Self { folder, files, positions: Vec::new() };
        let solution = nerode::open_solution(replica.place()).unwrap_or_else(|e| {
            panic!("fuzz/solutions/{kind} does not open; recreate it with .ci/fuzz solutions PROGRAM: {e}")
        });
        replica.positions = vec![solution.game().start_position()];
        replica.positions.extend(solution.sample(3, 1).unwrap_or_default());
        replica
    }

    /// Returns the directory, or the single file of the solution.
    fn place(&self) -> PathBuf {
        match &self.files[..] {
            [(name, _)] => self.folder.path().join(name),
            _ => self.folder.path().to_path_buf(),
        }
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.folder.path().join(name), bytes).unwrap();
    }

    /// Queries the solution with one file replaced, and restores the file afterwards.
    fn ask_with(&self, bytes: &[u8]) {
        let Some((&which, contents)) = bytes.split_first() else { return };
        let (name, right) = &self.files[usize::from(which) % self.files.len()];
        let (new, old) = (Form::of(name).sealed(contents), blake3::hash(right).to_hex().to_string());
        self.write(name, &new);
        let manifests = self.files.iter().filter(|(other, _)| other.ends_with(".json") && other != name);
        for (manifest, text) in manifests {
            let mut document = serde_json::from_slice(text).unwrap();
            renamed(&mut document, &old, &new);
            self.write(manifest, &sealed_json(document.to_string().as_bytes()));
        }
        self.ask();
        for (name, right) in &self.files {
            self.write(name, right);
        }
    }

    fn ask(&self) {
        let Ok(solution) = nerode::open_solution(self.place()) else { return };
        if solution.game().spec().len() > 64 {
            return;
        }
        for position in &self.positions {
            if position.board.len() == solution.game().start_position().board.len() {
                let _ = solution.query(position);
            }
        }
        let _ = solution.query(&solution.game().start_position());
        let _ = (solution.count(nerode::Side::P1, None), solution.sample(2, 1));
        for set in solution.sets() {
            let _ = set.read_dfa();
        }
        for sector in solution.sectors().unwrap_or_default() {
            if let Ok(sector) = Sector::open(&*solution, &sector) {
                sector.positions().take(100).for_each(drop);
            }
        }
    }
}

thread_local! {
    static REPLICAS: RefCell<BTreeMap<&'static str, Replica>> = const { RefCell::new(BTreeMap::new()) };
}

fn ask_with(kind: &'static str, bytes: &[u8]) {
    REPLICAS.with_borrow_mut(|replicas| {
        replicas.entry(kind).or_insert_with(|| Replica::new(kind)).ask_with(bytes)
    });
}

/// Returns the number and the contents of every file.
fn seeds(kind: &str) -> Vec<Vec<u8>> {
    let files = files_of(kind);
    let seed = |(at, (name, bytes)): (usize, &(String, Vec<u8>))| {
        [vec![at as u8], Form::of(name).opened(bytes)].concat()
    };
    files.iter().enumerate().map(seed).collect()
}

macro_rules! folder {
    ($kind:literal, $entry:ident, $seeds:ident) => {
        pub fn $entry(bytes: &[u8]) {
            ask_with($kind, bytes);
        }
        pub fn $seeds() -> Vec<Vec<u8>> {
            seeds($kind)
        }
    };
}

folder!("run", run, run_seeds);
folder!("values", values, values_seeds);
folder!("scores", scores, scores_seeds);
folder!("table", table, table_seeds);
folder!("sectors", sectors, sectors_seeds);
folder!("packed", packed, packed_seeds);
folder!("sector-sets", sector_sets, sector_sets_seeds);
