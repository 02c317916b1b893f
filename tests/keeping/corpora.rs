//! Inputs that reached additional code during fuzzing, `fuzz/corpora`, processed in the same way as by the fuzzer.

use std::fs;
use std::path::Path;

#[path = "../../fuzz/src/entries/mod.rs"]
mod entries;

use entries::{ENTRIES, entry};

fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpora").join(name);
    fs::read_dir(&folder)
        .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
        .map(|file| fs::read(file.unwrap().path()).unwrap())
        .collect()
}

/// These inputs include files that caused panics.
#[test]
#[ignore = "slow: .ci/slow"]
fn nothing_kept_from_fuzzing_panics() {
    for (name, entry, seeds) in ENTRIES {
        let (kept, seeds) = (corpus(name), seeds());
        assert!(!kept.is_empty() && !seeds.is_empty(), "{name} has no inputs");
        kept.iter().chain(&seeds).for_each(|bytes| entry(bytes));
    }
    assert!(entry("no such entry").is_none());
}

/// An entry that sealed its files incorrectly would only ever test rejected files.
#[test]
fn seeds_are_what_the_readers_take() {
    use entries::seal::Form;
    for kind in ["run", "values", "scores", "table", "sectors", "packed", "sector-sets"] {
        for (name, bytes) in entries::folders::files_of(kind) {
            let (form, again) = (Form::of(&name), Form::of(&name).sealed(&Form::of(&name).opened(&bytes)));
            if form == Form::Json {
                let parsed = |json: &[u8]| serde_json::from_slice::<serde_json::Value>(json).unwrap();
                assert_eq!(parsed(&again), parsed(&bytes), "{kind}/{name}");
            } else {
                assert_eq!(form.opened(&again), form.opened(&bytes), "{kind}/{name}");
            }
        }
    }
}

/// Writes the seeds of the fuzzer.
#[test]
#[ignore = "writes files: NERODE_SEEDS names a folder; .ci/fuzz does it"]
fn seeds_are_written() {
    let folder = std::env::var_os("NERODE_SEEDS").expect("NERODE_SEEDS names a folder");
    for (name, _, seeds) in ENTRIES {
        let folder = Path::new(&folder).join(name);
        fs::create_dir_all(&folder).unwrap();
        for (at, seed) in seeds().iter().enumerate() {
            fs::write(folder.join(at.to_string()), seed).unwrap();
        }
    }
}
