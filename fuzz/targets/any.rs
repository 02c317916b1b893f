//! One entry of `nerode_fuzz::entries` on any bytes, the one that NERODE_FUZZ names: `.ci/fuzz` builds and runs this. Its seeds go to the folder
//! NERODE_FUZZ_SEEDS, if that is set.
#![no_main]

use std::path::Path;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use nerode_fuzz::entries::{ENTRIES, Entry};

static CHOSEN: LazyLock<Entry> = LazyLock::new(|| {
    let name = std::env::var("NERODE_FUZZ").unwrap_or_default();
    let Some((_, entry, seeds)) = ENTRIES.iter().find(|(other, ..)| *other == name) else {
        let names: Vec<&str> = ENTRIES.iter().map(|(name, ..)| *name).collect();
        panic!("NERODE_FUZZ is '{name}', not one of {}", names.join(", "))
    };
    if let Some(folder) = std::env::var_os("NERODE_FUZZ_SEEDS") {
        for (at, seed) in seeds().iter().enumerate() {
            std::fs::write(Path::new(&folder).join(format!("seed-{at}")), seed).unwrap();
        }
    }
    *entry
});

fuzz_target!(|bytes: &[u8]| CHOSEN(bytes));
