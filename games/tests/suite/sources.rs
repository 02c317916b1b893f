//! Sources of the games: both descriptions are in separate files that do not share any rule.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The functions in other files of a game that both descriptions may call. They name cells, layers, letters and men, or return
/// the start position; `new` constructs types. Functions that determine what is legal, won, drawn or lost are not allowed.
const SHARED: [&str; 13] = [
    "board",
    "cell",
    "colour",
    "forms",
    "letter",
    "man",
    "mark",
    "middle",
    "new",
    "num_points",
    "special",
    "stone",
    "taken",
];

/// The files of a game that both descriptions may import, because they contain only names and options.
const SHARED_FILES: [&str; 4] = ["fen", "material", "men", "options"];

fn rules() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules")
}

/// Returns the code of a file without comments and unit tests.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let text = text.split("#[cfg(test)]").next().unwrap();
    text.lines().map(|line| line.split("//").next().unwrap()).collect::<Vec<_>>().join("\n")
}

fn words(code: &str) -> BTreeSet<&str> {
    code.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect()
}

/// Returns all Rust files below `folder` by path.
fn files(folder: &Path) -> BTreeMap<PathBuf, String> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![folder.to_path_buf()]);
    while let Some(at) = folders.pop() {
        for entry in fs::read_dir(at).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                folders.push(entry);
            } else {
                let code = code(&entry);
                found.insert(entry, code);
            }
        }
    }
    found
}

/// Returns the names of the functions that `code` defines.
fn functions(code: &str) -> BTreeSet<&str> {
    code.split("fn ")
        .skip(1)
        .filter_map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next())
        .collect()
}

/// Returns the names that `code` calls.
fn calls(code: &str) -> BTreeSet<&str> {
    let before = |at: usize| {
        let start = code[..at].rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |i| i + 1);
        &code[start..at]
    };
    code.match_indices('(').map(|(at, _)| before(at)).filter(|name| !name.is_empty()).collect()
}

/// Returns the files of the game that `code` imports.
fn imports(code: &str, modules: &BTreeSet<String>) -> BTreeSet<String> {
    let uses = code.split(';').map(str::trim_start).filter(|statement| statement.starts_with("use "));
    uses.flat_map(words).filter(|word| modules.contains(*word)).map(str::to_string).collect()
}

/// Returns the violations of a game with the descriptions `explicit` and `symbolic` and the other files of its folder.
fn faults(explicit: &str, symbolic: &str, others: &BTreeMap<String, String>) -> Vec<String> {
    let mut faults = Vec::new();
    let foreign = ["nerode_dfa", "symbolic", "SymbolicGame", "Store", "Dfa", "MoveGraph"];
    faults.extend(
        foreign
            .iter()
            .filter(|word| words(explicit).contains(*word))
            .map(|w| format!("explicit.rs names {w}")),
    );
    let foreign =
        ["explicit", "ExplicitGame", "Move", "CellChange", "legal_moves", "outcome", "State", "Turn"];
    faults.extend(
        foreign
            .iter()
            .filter(|word| words(symbolic).contains(*word))
            .map(|w| format!("symbolic.rs names {w}")),
    );
    let modules: BTreeSet<String> = others.keys().cloned().collect();
    let both = &imports(explicit, &modules) & &imports(symbolic, &modules);
    let shared = |file: &&String| !SHARED_FILES.contains(&file.as_str());
    faults.extend(both.iter().filter(shared).map(|file| format!("both import {file}")));
    let defined: BTreeSet<&str> = others.values().flat_map(|code| functions(code)).collect();
    let both = &calls(explicit) & &calls(symbolic);
    let shared = |name: &&&str| defined.contains(**name) && !SHARED.contains(*name);
    faults.extend(both.iter().filter(shared).map(|name| format!("both call {name}")));
    faults
}

#[test]
fn the_descriptions_of_a_game_share_no_rule() {
    let mut games = 0;
    for (path, explicit) in files(&rules()).iter().filter(|(path, _)| path.ends_with("explicit.rs")) {
        let folder = path.parent().unwrap();
        let symbolic = folder.join("symbolic.rs");
        assert!(symbolic.exists(), "{} has no symbolic description", folder.display());
        let family = folder.ancestors().find(|at| at.parent() == Some(&rules())).unwrap();
        // Files next to the symbolic description that use automata belong to it.
        let (mut symbolic, mut others) = (code(&symbolic), BTreeMap::<String, String>::new());
        for (path, code) in files(family) {
            let name = path.file_stem().unwrap().to_str().unwrap().to_string();
            match name.as_str() {
                "explicit" | "symbolic" => {}
                _ if name != "mod" && words(&code).contains("nerode_dfa") => {
                    if path.parent() == Some(folder) {
                        symbolic.push_str(&code);
                    }
                }
                // Each folder within a family contains a `mod.rs`.
                _ => others.entry(name).or_default().push_str(&code),
            }
        }
        let faults = faults(explicit, &symbolic, &others);
        assert!(faults.is_empty(), "{}: {faults:?}", folder.display());
        games += 1;
    }
    assert!(games >= nerode_games::registry::families().len(), "{games} games");
}

/// Checks that every folder of the rules is a family of the registry and contains both descriptions.
#[test]
fn every_folder_is_a_family() {
    let folders =
        fs::read_dir(rules()).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    let names: BTreeSet<String> =
        folders.map(|path| path.file_name().unwrap().to_str().unwrap().to_string()).collect();
    let families = nerode_games::registry::families().iter().map(|info| info.family.to_string()).collect();
    assert_eq!(names, families);
    for name in names {
        let found = files(&rules().join(&name));
        for file in ["symbolic.rs", "explicit.rs"] {
            assert!(found.keys().any(|path| path.ends_with(file)), "{name} has no {file}");
        }
    }
}

#[test]
fn a_rule_that_is_shared_is_seen() {
    let others = BTreeMap::from([
        ("mod".to_string(), "fn wins(x: u8) -> bool { x > 0 }\nfn mark(x: u8) -> u8 { x }".to_string()),
        ("play".to_string(), "fn go() {}".to_string()),
    ]);
    let check = |explicit, symbolic| faults(explicit, symbolic, &others);
    assert!(check("use super::mark;\nfn f() { mark(1) }", "use super::mark;\nfn g() { mark(2) }").is_empty());
    assert_eq!(check("fn f() { self.wins(1) }", "fn g() { wins(2) }"), ["both call wins"]);
    assert_eq!(check("use super::play::go;", "use super::play;"), ["both import play"]);
    assert_eq!(check("use super::symbolic::x;", ""), ["explicit.rs names symbolic"]);
    assert_eq!(check("", "use super::explicit::x;"), ["symbolic.rs names explicit"]);
}
