//! House rules that the compiler does not check: the permitted dependencies between parts, and the names that documents mention.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

#[path = "house/amounts.rs"]
mod amounts;
#[path = "house/cycles.rs"]
mod cycles;
#[path = "house/disk.rs"]
mod disk;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

/// Returns the Rust files below a folder of the repository by relative path, with comments removed.
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

/// Returns a source without line comments, so that comments may name things that code must not use.
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

/// The oracle checks the symbolic solver, so it must not share code with it. Its dependencies exclude automata; this test excludes
/// what the crate of the games adds with the feature `sets`, which other crates of the workspace enable.
#[test]
fn the_oracle_knows_no_automata() {
    let words =
        ["nerode_dfa", "Dfa", "Store", "ValueMap", "SymbolicGame", "symbolic", "Terminal", "LayerInfo"];
    assert_absent(&sources("oracle/src"), &words, "the oracle must stay independent");
    let manifest = fs::read_to_string(root().join("oracle/Cargo.toml")).unwrap();
    let dependencies = manifest.split("[dependencies]").nth(1).unwrap();
    for word in ["nerode-dfa", "nerode-solver", "sets\""] {
        assert!(!dependencies.contains(word), "the oracle depends on {word}");
    }
}

/// Sectors are solved explicitly, and sets of sectors are checked against the result.
#[test]
fn sectors_know_no_automata() {
    let words = ["nerode_dfa", "Dfa", "Store", "ValueMap", "SymbolicGame", "symbolic", "engine"];
    let tables = sources("morris/src/tables");
    assert_absent(&tables, &words, "sectors must stay independent of automata");
    for (name, code) in &tables {
        let mut named = code.match_indices("sets::").map(|(at, _)| at);
        assert!(named.all(|at| code[..at].ends_with(is_word)), "{name} uses sectors as sets");
    }
    assert_absent(&sources("games/src/morris"), &words, "plain play must stay independent of automata");
}

/// Rules from a file are played by an interpreter that shares only the reader with the compiler.
#[test]
fn playing_rules_from_a_file_knows_no_automata() {
    let words = ["nerode_dfa", "Dfa", "Store", "SymbolicGame", "symbolic", "compile"];
    assert_absent(&sources("rules/src/rbg/play"), &words, "the interpreter must stay independent");
}

#[test]
fn the_scanner_sees_what_it_should() {
    assert_eq!(code_of("a // nerode_dfa\nb"), "a \nb");
    assert!(words("use nerode_dfa::Dfa;").contains("nerode_dfa"));
}

/// The source folders of all crates in the workspace.
const CRATES: [&str; 13] = [
    "dfa/src",
    "games/src",
    "rules/src",
    "oracle/src",
    "solver/src",
    "morris/src",
    "report/src",
    "play/src",
    "serve/src",
    "probe/src",
    "capi/src",
    "wasm/src",
    "src",
];

/// Only the command line prints anything.
#[test]
fn the_library_prints_nothing() {
    let is_program = |name: &str| name.starts_with("src/cli") || name == "src/main.rs";
    let library = CRATES.into_iter().filter(|folder| *folder != "dfa/src").flat_map(sources);
    for (name, code) in library.filter(|(name, _)| !is_program(name)) {
        let found: Vec<_> =
            ["println", "eprintln"].into_iter().filter(|word| words(&code).contains(word)).collect();
        assert!(found.is_empty(), "{name} prints by {found:?}");
    }
}

/// Errors of the library describe what happened. Helpful options of the program are mentioned in `src/cli/hints` only.
#[test]
fn the_library_names_no_option_of_the_program() {
    for folder in CRATES {
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
    for folder in CRATES {
        for (name, code) in sources(folder) {
            let knows = words(&code).contains("bincode");
            assert_eq!(knows, name == "solver/src/archive/codec.rs", "{name} and bincode");
        }
    }
}

#[test]
fn three_modules_are_unsafe_and_nothing_is_left_over() {
    for folder in CRATES {
        for (name, code) in sources(folder) {
            let mut bad = vec!["todo", "unimplemented", "dbg"];
            // These files map files into memory, turn pointers from C into references, and call the host of a module.
            let may_be =
                ["dfa/src/disk/mapped.rs", "capi/src/abi.rs", "wasm/src/abi.rs"].contains(&name.as_str());
            if !may_be {
                bad.push("unsafe");
            }
            // The crate roots contain this word because they forbid unsafe code.
            let is_root = name.ends_with("src/lib.rs") || name == "src/main.rs";
            if !is_root && !may_be {
                bad.push("unsafe_code");
            }
            let found: Vec<_> = bad.iter().filter(|word| words(&code).contains(*word)).collect();
            assert!(found.is_empty(), "{name}: {found:?}");
        }
    }
}

/// Every module is reachable from the root of its crate, so that every file is compiled.
#[test]
fn no_source_file_is_an_orphan() {
    for folder in CRATES {
        let files = sources(folder);
        let is_root =
            |name: &str| [format!("{folder}/lib.rs"), format!("{folder}/main.rs")].contains(&name.into());
        for name in files.keys().filter(|name| !is_root(name)) {
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

/// ARCHITECTURE has a paragraph about every crate, the documents mention only existing files, and every source file begins with a
/// description.
#[test]
fn the_documents_name_what_there_is() {
    let read = |name: &str| {
        fs::read_to_string(root().join(name))
            .unwrap_or_else(|e| panic!("{name} at the root of the repository: {e}"))
    };
    let map = read("ARCHITECTURE.md");
    for folder in CRATES {
        assert!(map.contains(&format!("`{folder}/`")), "ARCHITECTURE.md does not describe {folder}");
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
    for folder in CRATES {
        for name in sources(folder).into_keys().filter(|name| !name.ends_with("/tests.rs")) {
            assert!(read(&name).starts_with("//!"), "{name} does not begin with a description");
        }
    }
}

/// The programs in the chapter about embedding are parts of examples that `.ci/embed` compiles and runs.
#[test]
fn the_chapter_shows_examples_that_run() {
    let read = |path: PathBuf| fs::read_to_string(path).unwrap();
    let examples = ["capi/examples", "probe/examples", "wasm/examples"]
        .map(|folder| fs::read_dir(root().join(folder)).unwrap());
    let examples: Vec<String> =
        examples.into_iter().flatten().map(|file| read(file.unwrap().path())).collect();
    let chapter = read(root().join("docs/src/embed.md"));
    // Commands are no programs.
    let blocks = chapter.split("```").skip(1).step_by(2).filter(|block| !block.starts_with("sh\n"));
    let blocks: Vec<&str> = blocks.collect();
    assert!(blocks.len() >= 3, "{} programs", blocks.len());
    for block in blocks {
        let (_, program) = block.split_once('\n').unwrap();
        assert!(examples.iter().any(|example| example.contains(program)), "no example contains {program}");
    }
}

/// Returns the paths in the repository that a document mentions in backquotes.
fn named_paths(text: &str) -> BTreeSet<String> {
    let quoted = text.split('`').skip(1).step_by(2);
    let roots = [
        "src/",
        "dfa/",
        "games/",
        "rules/",
        "oracle/",
        "solver/",
        "morris/",
        "report/",
        "play/",
        "serve/",
        "probe/",
        "capi/",
        "wasm/",
        "tests/",
        "benches/",
        "examples/",
        "lab/",
        "results/",
        "docs/",
    ];
    quoted
        .filter(|name| roots.iter().any(|root| name.starts_with(root)))
        .filter(|name| name.chars().all(|c| c.is_alphanumeric() || "_-./".contains(c)))
        .map(str::to_string)
        .collect()
}
