//! Rules of the house that the compiler does not check: which part may know which, and what the documents name.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

#[path = "house/cycles.rs"]
mod cycles;
#[path = "house/disk.rs"]
mod disk;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

/// Rust files below a folder of the repository, by relative path, comments removed.
fn sources(folder: &str) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut folders = vec![root().join(folder)];
    while let Some(at) = folders.pop() {
        for entry in fs::read_dir(&at).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ext| ext == "rs") {
                let name = path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/");
                files.insert(name, code_of(&fs::read_to_string(&path).unwrap()));
            }
        }
    }
    assert!(!files.is_empty(), "no sources in {folder}");
    files
}

/// A source without line comments, so that documents may name what code must not.
fn code_of(text: &str) -> String {
    let code = |line: &str| line.find("//").map_or(line, |at| &line[..at]).to_string();
    text.lines().map(code).collect::<Vec<_>>().join("\n")
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn words(code: &str) -> BTreeSet<&str> {
    code.split(|c| !is_word(c)).filter(|word| !word.is_empty()).collect()
}

fn assert_absent(files: &BTreeMap<String, String>, forbidden: &[&str], why: &str) {
    for (name, code) in files {
        for word in forbidden {
            assert!(!words(code).contains(word), "{name} names {word}: {why}");
        }
    }
}

/// The rooms and root files of its own crate that a source file takes something from, by `crate::` or by `super::` beyond its
/// own room.
fn own_modules(name: &str, code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut take = |list: &str| {
        // `use crate::{a, b::c}` names several.
        let items: Vec<&str> = match list.strip_prefix('{') {
            Some(group) => group.split('}').next().unwrap_or_default().split(',').collect(),
            None => vec![list],
        };
        for item in items {
            let item = item.trim_start();
            let end = item.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(item.len());
            if end > 0 {
                found.insert(item[..end].to_string());
            }
        }
    };
    code.split("crate::").skip(1).for_each(&mut take);
    // `super` of a file that is n modules deep is the crate after n of them; a unit test's own module is one deeper.
    let below = name.split_once("src/").map_or(name, |(_, below)| below);
    let depth = below.split('/').filter(|part| !["mod.rs", "lib.rs"].contains(part)).count();
    for part in code.split(&"super::".repeat(depth)).skip(1) {
        take(part.trim_start_matches("super::"));
    }
    found
}

/// The oracle checks the symbolic solver, so it must not share code with it: no automata, and nothing of this crate that
/// knows them. The error type is the one exception; it names the engine's errors and does nothing.
#[test]
fn the_oracle_knows_no_automata() {
    let oracle = sources("src/explicit");
    assert_absent(&oracle, &["nerode_dfa", "Dfa", "Store", "ValueMap"], "the oracle must stay independent");
    for (name, code) in &oracle {
        let others: Vec<_> = own_modules(name, code)
            .into_iter()
            .filter(|m| !["error", "explicit", "outcome"].contains(&m.as_str()))
            .collect();
        assert!(others.is_empty(), "{name} uses {others:?} of this crate");
        let games = ["SymbolicGame", "symbolic", "Terminal", "LayerInfo"];
        assert!(!games.iter().any(|word| words(code).contains(word)), "{name} uses the symbolic description");
    }
}

/// Sectors are solved explicitly, and sets of them are checked against the result.
#[test]
fn sectors_know_no_automata() {
    let words = ["nerode_dfa", "Dfa", "Store", "ValueMap", "SymbolicGame", "symbolic", "engine"];
    let tables = sources("src/morris/tables");
    assert_absent(&tables, &words, "sectors must stay independent of automata");
    for (name, code) in &tables {
        let mut named = code.match_indices("sets::").map(|(at, _)| at);
        assert!(named.all(|at| code[..at].ends_with(is_word)), "{name} uses sectors as sets");
    }
    assert_absent(&sources("games/src/morris"), &words, "plain play must stay independent of automata");
}

/// Rules from a file are played by an interpreter that shares the reader with whatever compiles them, and nothing else.
#[test]
fn playing_rules_from_a_file_knows_no_automata() {
    let words = ["nerode_dfa", "Dfa", "Store", "SymbolicGame", "symbolic", "compile"];
    assert_absent(&sources("games/src/rbg/play"), &words, "the interpreter must stay independent");
}

#[test]
fn the_scanner_sees_what_it_should() {
    let code = "use crate::error::Error;\nuse crate::{rules::Rules, solve};\nfn f() { crate::files::x() }";
    let expected = ["error", "files", "rules", "solve"].map(String::from).into();
    assert_eq!(own_modules("src/a/b.rs", code), expected);
    assert_eq!(
        own_modules("src/a/b.rs", "use super::super::solve::x; use super::c;"),
        ["solve".into()].into()
    );
    assert_eq!(
        own_modules("src/a/mod.rs", "use super::{solve::x, check};"),
        ["check", "solve"].map(String::from).into()
    );
    assert_eq!(code_of("a // nerode_dfa\nb"), "a \nb");
    assert!(words("use nerode_dfa::Dfa;").contains("nerode_dfa"));
}

/// The rooms of the library, from the lowest: each may use those before it and no other.
const ROOMS: [&str; 14] = [
    "error", "outcome", "explicit", "units", "solve", "archive", "forms", "check", "run", "morris", "report",
    "facade", "play", "serve",
];

#[test]
fn rooms_use_only_those_below_them() {
    for (name, code) in sources("src") {
        let mut parts = name.trim_start_matches("src/").split('/');
        let room = parts.next().unwrap().trim_end_matches(".rs");
        if ["cli", "lib", "main"].contains(&room) {
            continue;
        }
        let place = |room: &str| ROOMS.iter().position(|&other| other == room);
        let own = place(room).unwrap_or_else(|| panic!("{name} is in no room; name it in this test"));
        for taken in own_modules(&name, &code) {
            let below = place(&taken).is_some_and(|other| other <= own);
            assert!(below, "{name} uses {taken}, which is above {room}");
        }
    }
}

/// dfa <- games <- root library <- command line: nothing names what is above it.
#[test]
fn dependencies_point_one_way() {
    let engine = sources("dfa/src");
    assert_absent(
        &engine,
        &["nerode_games", "nerode", "clap", "anyhow"],
        "the engine knows no game and no program",
    );
    assert_absent(&engine, &["Side", "Ply", "Game", "Position"], "the engine knows no game, side or ply");
    let games = sources("games/src");
    assert_absent(&games, &["nerode", "clap", "anyhow", "RunDir"], "games know no solver and no program");
    let library: BTreeMap<_, _> = sources("src")
        .into_iter()
        .filter(|(name, _)| !name.starts_with("src/cli") && name != "src/main.rs")
        .collect();
    assert_absent(
        &library,
        &["clap", "anyhow", "indicatif", "ctrlc", "eprintln"],
        "only the command line may",
    );
    for (name, code) in &library {
        let public_facade = name == "src/lib.rs";
        assert!(public_facade || !own_modules(name, code).contains("cli"), "{name} uses the command line");
        assert!(!words(code).contains("println"), "{name} prints");
    }
    let manifest = |folder: &str| fs::read_to_string(root().join(folder).join("Cargo.toml")).unwrap();
    let dependencies = |text: &str| -> Vec<String> {
        let part = text.split("[dependencies]").nth(1).unwrap().split("\n[").next().unwrap();
        part.lines().filter_map(|line| line.split(['.', ' ', '=']).next()).map(str::to_string).collect()
    };
    let engine = dependencies(&manifest("dfa"));
    assert!(!engine.iter().any(|name| name.starts_with("nerode")), "{engine:?}");
    let games = dependencies(&manifest("games"));
    assert!(games.contains(&"nerode-dfa".to_string()) && !games.contains(&"nerode".to_string()), "{games:?}");
}

/// The library's errors say what happened; which option of the program helps is said in `src/cli/hints.rs`.
#[test]
fn the_library_names_no_option_of_the_program() {
    for folder in ["src", "dfa/src", "games/src"] {
        for (name, code) in sources(folder) {
            let option = code
                .match_indices("--")
                .any(|(at, _)| code[at + 2..].starts_with(|c: char| c.is_ascii_lowercase()));
            let named = option || code.contains("'nerode ");
            assert!(
                !named || name.starts_with("src/cli"),
                "{name} names an option or a command of the program"
            );
        }
    }
}

#[test]
fn one_module_knows_the_serialiser() {
    for folder in ["src", "dfa/src", "games/src"] {
        for (name, code) in sources(folder) {
            let knows = words(&code).contains("bincode");
            assert_eq!(knows, name == "src/archive/codec.rs", "{name} and bincode");
        }
    }
}

#[test]
fn one_module_is_unsafe_and_nothing_is_left_over() {
    for folder in ["src", "dfa/src", "games/src"] {
        for (name, code) in sources(folder) {
            let mut bad = vec!["todo", "unimplemented", "dbg"];
            // It maps files.
            if name != "dfa/src/disk/mapped.rs" {
                bad.push("unsafe");
            }
            // Roots forbid it by this word.
            if !["src/lib.rs", "src/main.rs", "games/src/lib.rs", "dfa/src/disk/mapped.rs"].contains(&&*name)
            {
                bad.push("unsafe_code");
            }
            let found: Vec<_> = bad.iter().filter(|word| words(&code).contains(*word)).collect();
            assert!(found.is_empty(), "{name}: {found:?}");
            let lines = code.lines().count();
            assert!(lines <= 600, "{name} has {lines} lines; split it");
        }
    }
}

/// Every module is reached from its crate's root: no file that nobody compiles.
#[test]
fn no_source_file_is_an_orphan() {
    for (folder, roots) in [
        ("src", &["src/lib.rs", "src/main.rs"][..]),
        ("dfa/src", &["dfa/src/lib.rs"]),
        ("games/src", &["games/src/lib.rs"]),
    ] {
        let files = sources(folder);
        for name in files.keys().filter(|name| !roots.contains(&name.as_str())) {
            let path = Path::new(name);
            let stem = path.file_stem().unwrap().to_str().unwrap();
            let parent = path.parent().unwrap();
            let (module, home) = match stem {
                "mod" => (parent.file_name().unwrap().to_str().unwrap(), parent.parent().unwrap()),
                _ => (stem, parent),
            };
            let declared = |file: PathBuf| {
                let code = files.get(&file.to_str().unwrap().replace('\\', "/"));
                code.is_some_and(|code| code.contains(&format!("mod {module};")))
            };
            let candidates = [home.join("mod.rs"), home.join("lib.rs"), home.with_extension("rs")];
            assert!(candidates.into_iter().any(declared), "no file declares {name}");
        }
    }
}

/// ARCHITECTURE has a paragraph for every room and at most 300 lines, the documents name no file that does not exist, and every
/// source file says what it holds.
#[test]
fn the_documents_name_what_there_is() {
    let read = |name: &str| {
        fs::read_to_string(root().join(name))
            .unwrap_or_else(|e| panic!("{name} at the root of the repository: {e}"))
    };
    let map = read("ARCHITECTURE.md");
    let lines = map.lines().count();
    assert!(lines <= 300, "ARCHITECTURE.md has {lines} lines; what a file holds is said in the file");
    for room in fs::read_dir(root().join("src")).unwrap().map(|entry| entry.unwrap().path()) {
        let name = format!("`src/{}/`", room.file_name().unwrap().to_str().unwrap());
        assert!(!room.is_dir() || map.contains(&name), "ARCHITECTURE.md says nothing of {name}");
    }
    let chapters = fs::read_dir(root().join("docs/src")).unwrap().map(|entry| entry.unwrap().file_name());
    let chapters = chapters.map(|name| format!("docs/src/{}", name.to_str().unwrap()));
    let named = ["ARCHITECTURE.md", "README.md", "CONTRIBUTING.md", "results/README.md"].map(String::from);
    for document in chapters.filter(|name| name.ends_with(".md")).chain(named) {
        for path in named_paths(&read(&document)) {
            // A module is named without its suffix, whether it is a file or a folder.
            let there = [path.clone(), format!("{path}.rs")].iter().any(|path| root().join(path).exists());
            assert!(there, "{document} names {path}, which does not exist");
        }
    }
    for folder in ["src", "dfa/src", "games/src"] {
        for name in sources(folder).into_keys().filter(|name| !name.ends_with("/tests.rs")) {
            assert!(read(&name).starts_with("//!"), "{name} does not say what it holds in its first line");
        }
    }
}

/// Paths of the repository that a document names in backquotes.
fn named_paths(text: &str) -> BTreeSet<String> {
    let quoted = text.split('`').skip(1).step_by(2);
    let roots = ["src/", "dfa/", "games/", "tests/", "benches/", "examples/", "results/", "docs/"];
    quoted
        .filter(|name| roots.iter().any(|root| name.starts_with(root)))
        .filter(|name| name.chars().all(|c| c.is_alphanumeric() || "_-./".contains(c)))
        .map(str::to_string)
        .collect()
}
