//! The files that may access the disk and the system clock.

use super::{CRATES, sources, words};

/// Returns a source without its unit tests.
fn without_tests(code: &str) -> &str {
    code.split("#[cfg(test)]\nmod tests {").next().unwrap()
}

/// Everything stored on disk is written and read through `dfa/src/disk`, where tests can inject failures. The other files read
/// user input, or query the system about itself.
#[test]
fn the_disk_is_reached_by_one_way() {
    const OTHERS: [&str; 10] = [
        "dfa/src/atomic/mod.rs",
        "src/cli/analyse.rs",
        "src/cli/destination.rs",
        "src/cli/hints/continuation.rs",
        "src/cli/info/directory.rs",
        "src/cli/man.rs",
        "solver/src/memory/process.rs",
        "src/cli/rules.rs",
        "morris/src/malom/folder.rs",
        "rules/src/rbg/open.rs",
    ];
    let writing = ["rename", "hard_link", "remove_file", "remove_dir_all", "OpenOptions", "tempfile_in"];
    for (name, code) in CRATES.into_iter().filter(|folder| *folder != "games/src").flat_map(sources) {
        let code = without_tests(&code);
        if name.ends_with("tests.rs") || name.starts_with("dfa/src/disk") {
            continue;
        }
        let names_it = code.replace("std::fs::TryLockError", "").contains("std::fs");
        assert!(!names_it || OTHERS.contains(&name.as_str()), "{name} names std::fs, not nerode_dfa::disk");
        if names_it {
            let used = words(code);
            let found = writing
                .into_iter()
                .find(|word| used.contains(word) && !code.contains(&format!("disk::{word}")));
            assert_eq!(found, None, "{name} writes by std::fs");
        }
    }
}

/// Durations are measured by a monotonic clock, so that setting back the system clock has no effect.
#[test]
fn nobody_asks_what_time_it_is() {
    for (name, code) in CRATES.into_iter().flat_map(sources) {
        assert!(!words(&code).contains("SystemTime"), "{name} asks for the time of day");
    }
}
