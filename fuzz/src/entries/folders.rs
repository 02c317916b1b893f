//! Directories with one file replaced, whose manifest names the new one: opened and asked as users do.
//!
//! The first byte of what is given says which file, the others are the file as [`Form`] opens it. The directories are those in
//! `fuzz/solutions`, made by `.ci/fuzz solutions`.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use nerode::{Position, Solution};
use tempfile::TempDir;

use super::seal::{Form, renamed, sealed_json};

/// The directory of solutions, beside the targets.
pub fn solutions() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    if here.ends_with("fuzz") { here.join("solutions") } else { here.join("fuzz/solutions") }
}

/// The files of a solution, by name, those in folders of it included.
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

/// Files of a solution as a fuzzer can change them.
pub fn read_seed(kind: &str, wanted: impl Fn(&str) -> bool, form: Form) -> Vec<Vec<u8>> {
    files_of(kind).iter().filter(|(name, _)| wanted(name)).map(|(_, bytes)| form.opened(bytes)).collect()
}

/// A copy of a solution, in which one file at a time is another.
struct Replica {
    folder: TempDir,
    files: Vec<(String, Vec<u8>)>,
    /// Positions that are asked about.
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
        let solution = Solution::open(replica.place()).unwrap_or_else(|e| {
            panic!("fuzz/solutions/{kind} is not of this version, make it anew by .ci/fuzz solutions: {e}")
        });
        replica.positions = vec![solution.game().start_position()];
        replica.positions.extend(solution.sample(3, 1).unwrap_or_default());
        replica
    }

    /// The directory, or the one file that is the solution.
    fn place(&self) -> PathBuf {
        match &self.files[..] {
            [(name, _)] => self.folder.path().join(name),
            _ => self.folder.path().to_path_buf(),
        }
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.folder.path().join(name), bytes).unwrap();
    }

    /// Asks the solution with another file, then puts the right one back.
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
        let Ok(solution) = Solution::open(self.place()) else { return };
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
            if let Ok(sector) = solution.sector(&sector) {
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

/// Of every file, its number and what it holds.
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
