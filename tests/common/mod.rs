//! Helpers shared by several test files: scratch directories, solved runs, boards, directory contents, damage, and the program.
#![allow(dead_code, reason = "each test file uses only some of the helpers")]

pub mod drawn;
pub mod malom;
pub mod morris;
pub mod program;
pub mod ranks;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use nerode_dfa::{Dfa, Store};
use nerode_games::{Game, Side};
use nerode_oracle::{self as explicit, Control};
use nerode_solver::archive::run_dir::{Kind, Request, RunDir, SetName};
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::error::Result;
use nerode_solver::run::{Existing, solve};
use nerode_solver::solve::method::{Chains, Method};
use nerode_solver::solve::resources::Resources;
use serde_json::Value;
use tempfile::TempDir;

/// Every kind of set that a run may contain.
pub const KINDS: [Kind; 9] =
    [Kind::W, Kind::L, Kind::D, Kind::U, Kind::R, Kind::RW, Kind::RL, Kind::RD, Kind::RU];

/// Creates an empty directory that is removed automatically. It is in memory if the system supports that, because runs are
/// synchronised to the disk after every ply and the tests compute thousands of plies.
pub fn scratch() -> TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() {
        tempfile::tempdir_in(memory).or_else(|_| tempfile::tempdir())
    } else {
        tempfile::tempdir()
    }
    .unwrap()
}

/// Returns the distance between the cases that a test with very many cases tries: 1 if `NERODE_EXHAUSTIVE` is set, as in
/// `.ci/scheduled`, and `usual` otherwise.
pub fn stride(usual: usize) -> usize {
    if std::env::var_os("NERODE_EXHAUSTIVE").is_some() { 1 } else { usual }
}

pub fn game(spec: &str) -> Arc<dyn Game> {
    nerode::registry().open(spec).unwrap()
}

/// The parameters of a solve.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub method: Method,
    pub backward: Option<u32>,
    pub forward: Option<u32>,
}

impl Plan {
    /// Retrograde analysis to the fixpoint.
    pub const RETROGRADE: Plan = Plan { method: Method::Retrograde, backward: None, forward: None };

    pub fn retrograde(plies: u32) -> Self {
        Plan { backward: Some(plies), ..Plan::RETROGRADE }
    }

    pub fn meet(backward: Option<u32>, forward: Option<u32>) -> Self {
        Plan { method: Method::Meet, backward, forward }
    }
}

/// Solves `game` in `path`, which must not contain a run.
pub fn solve_in(path: &Path, game: &Arc<dyn Game>, plan: Plan) -> Result<RunDir> {
    let request = Request::new(game.as_ref(), plan.method, plan.backward, plan.forward);
    solve(Arc::clone(game), request, path, Existing::Refuse, &Resources::default(), &mut |_| ())
}

/// Solves a game in a temporary directory, which exists as long as the first value.
pub fn solved(spec: &str, order: Option<&str>, plan: Plan) -> (TempDir, StoredRun) {
    let dir = scratch();
    let game = nerode::registry().open_with_order(spec, order).unwrap();
    solve_in(dir.path(), &game, plan).unwrap();
    let solution = StoredRun::open_with(dir.path(), nerode::registry()).unwrap();
    (dir, solution)
}

/// Solves by retrograde analysis, and interrupts the work as soon as ply `last` is written, or the next one. Returns `true` if
/// the run was interrupted.
pub fn stopped_after(path: &Path, spec: &str, chains: Chains, last: u32) -> bool {
    let game = game(spec);
    let mut request = Request::new(game.as_ref(), Method::Retrograde, None, None);
    request.chains = chains;
    let interrupt = Arc::new(AtomicBool::new(false));
    let resources = Resources { interrupt: Arc::clone(&interrupt), ..Resources::default() };
    let mut watch = |done: &nerode::PlyDone| interrupt.store(done.ply >= last, Ordering::Relaxed);
    solve(game, request, path, Existing::Refuse, &resources, &mut watch).is_err()
}

/// Returns the explicit solution of `game`.
pub fn oracle(game: &dyn Game) -> explicit::ExplicitTable {
    let interrupt = AtomicBool::new(false);
    let control = Control { memory_limit: 1 << 30, interrupt: &interrupt, progress: &mut |_, _| () };
    explicit::solve(game, &game.spec(), control).unwrap()
}

/// Returns every board of `game`. The last cell changes fastest.
pub fn boards(game: &dyn Game) -> impl Iterator<Item = Vec<u8>> {
    let states: Vec<u8> = game.cell_states().iter().map(|&k| u8::try_from(k - 1).unwrap()).collect();
    let mut next = Some(vec![0u8; states.len()]);
    std::iter::from_fn(move || {
        let board = next.take()?;
        if let Some(cell) = (0..board.len()).rfind(|&cell| board[cell] < states[cell]) {
            let mut after = board.clone();
            after[cell] += 1;
            after[cell + 1..].fill(0);
            next = Some(after);
        }
        Some(board)
    })
}

/// The contents of files by name.
pub type Files = BTreeMap<String, Vec<u8>>;

/// Returns every file below `path` by its relative name, except the lock.
pub fn files(path: &Path) -> Files {
    fn visit(at: &Path, name: &str, files: &mut Files) {
        for entry in std::fs::read_dir(at).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{name}/{}", entry.file_name().to_str().unwrap());
            match entry.file_type().unwrap().is_dir() {
                true => visit(&entry.path(), &name, files),
                false => drop(files.insert(name, std::fs::read(entry.path()).unwrap())),
            }
        }
    }
    let mut all = BTreeMap::new();
    visit(path, "", &mut all);
    all.remove("/lock");
    all
}

/// Asserts that two directories contain the same files with the same bytes, and reports the first difference.
pub fn assert_same_files(a: &Files, b: &Files, what: &str) {
    let names = |files: &Files| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(a), names(b), "{what}: different files");
    for (name, bytes) in a {
        assert!(bytes == &b[name], "{what}: {name} differs");
    }
}

/// Returns the set with the name `text` in the manifest.
pub fn set_name(text: &str) -> SetName {
    let parts: Vec<&str> = text.split('-').collect();
    let kind = KINDS.into_iter().find(|kind| format!("{kind:?}") == parts[0]).unwrap();
    let side = if parts[1] == "P1" { Side::P1 } else { Side::P2 };
    let name = SetName { kind, side, ply: parts[2].parse().unwrap() };
    assert_eq!(name.to_string(), text);
    name
}

/// Returns the names of the sets of the run in `path`.
pub fn set_names(path: &Path) -> Vec<SetName> {
    RunDir::open(path).unwrap().sets().map(|(name, _)| set_name(name)).collect()
}

/// Edits the manifest of the run in `path` and updates its digest.
pub fn edit_manifest(path: &Path, edit: impl FnOnce(&mut Value)) {
    let file = path.join("manifest.json");
    let mut manifest: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    edit(&mut manifest);
    manifest.as_object_mut().unwrap().remove("blake3");
    let digest = blake3::hash(&serde_json::to_vec(&manifest).unwrap()).to_hex().to_string();
    manifest["blake3"] = digest.into();
    fs::write(file, serde_json::to_vec_pretty(&manifest).unwrap()).unwrap();
}

/// Replaces stored sets and updates the manifest accordingly, as if a faulty solver had written them. Sets that shared a file
/// with a replaced one keep their contents.
pub fn replace_sets(path: &Path, new: &[(SetName, Dfa)]) {
    let run = RunDir::open(path).unwrap();
    let file_of = |name: &SetName| format!("sets/{name}.dfa");
    let replaced: Vec<String> = new.iter().map(|(name, _)| file_of(name)).collect();
    let (mirrored, sharing): (Vec<SetName>, Vec<SetName>) = set_names(path)
        .into_iter()
        .filter(|name| replaced.iter().any(|file| file == run.entry(*name).unwrap().file()))
        .partition(|name| run.entry(*name).unwrap().is_mirror());
    let sharing: Vec<(SetName, Dfa)> =
        sharing.into_iter().map(|name| (name, run.get(name).unwrap())).collect();
    edit_manifest(path, |manifest| {
        for (name, dfa) in sharing.iter().chain(new) {
            let bytes = dfa.to_bytes().unwrap();
            fs::write(path.join(file_of(name)), &bytes).unwrap();
            manifest["sets"][name.to_string()] = serde_json::json!({
                "file": file_of(name),
                "num_states": dfa.num_states(),
                "num_positions": dfa.count().unwrap().to_string(),
                "bytes": bytes.len(),
                "blake3": blake3::hash(&bytes).to_hex().to_string(),
            });
        }
        for mirrored in &mirrored {
            let other = new.iter().find(|(name, _)| file_of(name) == run.entry(*mirrored).unwrap().file());
            if let Some((other, _)) = other {
                let mut entry = manifest["sets"][other.to_string()].clone();
                entry["mirror"] = true.into();
                manifest["sets"][mirrored.to_string()] = entry;
            }
        }
    });
}

/// Returns `set` with the membership of `word` toggled.
pub fn toggled(set: &Dfa, word: &[u8]) -> Dfa {
    let mut store = Store::unbounded(set.shape().clone());
    let old = store.import(set).unwrap();
    let one = store.word(word).unwrap();
    let new = if set.contains(word) {
        store.difference(&old, &one).unwrap()
    } else {
        store.union(&old, &one).unwrap()
    };
    store.freeze(&new)
}
