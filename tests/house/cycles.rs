//! No two modules use each other, directly or indirectly.
//!
//! A module is a file. It uses another module if its code names one of its items by a path, in a `use` or elsewhere. A module
//! does not use the items that it only re-exports (`pub use`); a module that imports such an item uses the module in which it is
//! defined.

use std::collections::{BTreeMap, BTreeSet};

use super::{CRATES, is_word, sources, words};

type Module = Vec<String>;

/// The files of a crate by module, without the code of unit tests.
struct Crate {
    code: BTreeMap<Module, String>,
    /// The re-exports: the path of an item by module and name.
    passed_on: BTreeMap<(Module, String), Vec<String>>,
}

impl Crate {
    /// Creates the crate from files by relative path, with comments removed.
    fn new(files: &BTreeMap<String, String>) -> Self {
        let mut all = Self { code: BTreeMap::new(), passed_on: BTreeMap::new() };
        for (name, code) in files.iter().filter(|(name, _)| !name.ends_with("/tests.rs")) {
            let below = name.split_once("src/").map_or(name.as_str(), |(_, below)| below);
            let parts = below.trim_end_matches(".rs").split('/').map(str::to_string);
            let module: Module =
                parts.filter(|part| !["mod", "lib", "main"].contains(&part.as_str())).collect();
            let code = code.split("#[cfg(test)]\nmod tests {").next().unwrap();
            let (passed_on, rest) = without_passed_on(code);
            for path in passed_on.iter().flat_map(|list| paths_from(list)) {
                all.passed_on.insert((module.clone(), path.last().unwrap().clone()), path);
            }
            all.code.insert(module, rest);
        }
        all
    }

    /// Resolves `path`, written in the module `from`, to a module and the name of the item in it.
    fn home(&self, from: &Module, path: &[String]) -> (Module, Option<String>) {
        let mut at = if path[0] == "crate" { Module::new() } else { from.clone() };
        let mut left = path;
        while let Some(step) = left.first().filter(|step| ["crate", "self", "super"].contains(&step.as_str()))
        {
            if step == "super" {
                at.pop();
            }
            left = &left[1..];
        }
        while let Some(step) = left.first() {
            let inner: Module = at.iter().chain([step]).cloned().collect();
            if !self.code.contains_key(&inner) {
                break;
            }
            (at, left) = (inner, &left[1..]);
        }
        let name = left.first().cloned();
        match name.as_ref().and_then(|name| self.passed_on.get(&(at.clone(), name.clone()))) {
            Some(onward) => self.home(&at, onward),
            None => (at, name),
        }
    }

    /// Returns the modules that `module` uses.
    fn used(&self, module: &Module) -> BTreeSet<Module> {
        let code = &self.code[module];
        let mut starts: BTreeSet<String> = ["crate", "self", "super"].map(str::to_string).into();
        starts.extend(
            self.code
                .keys()
                .filter(|m| m.split_last().is_some_and(|(_, up)| up == module))
                .map(|m| m[m.len() - 1].clone()),
        );
        let mut paths: Vec<Vec<String>> = starts.iter().flat_map(|start| paths_at(code, start)).collect();
        let names = words(code);
        let own =
            self.passed_on.iter().filter(|((at, name), _)| at == module && names.contains(name.as_str()));
        paths.extend(own.map(|(_, path)| path.clone()));
        let mut used: BTreeSet<Module> = paths.iter().map(|path| self.home(module, path).0).collect();
        used.remove(module);
        used.remove(&Module::new());
        used
    }

    /// Returns the groups of modules that all use each other, directly or indirectly.
    fn cycles(&self) -> BTreeSet<BTreeSet<String>> {
        let used: BTreeMap<&Module, BTreeSet<Module>> = self.code.keys().map(|m| (m, self.used(m))).collect();
        let reached = |from: &Module| {
            let (mut seen, mut left) = (BTreeSet::new(), vec![from.clone()]);
            while let Some(module) = left.pop() {
                left.extend(
                    used.get(&module).into_iter().flatten().filter(|m| seen.insert((*m).clone())).cloned(),
                );
            }
            seen
        };
        let reach: BTreeMap<&Module, BTreeSet<Module>> = used.keys().map(|&m| (m, reached(m))).collect();
        let circle = |m: &&Module| -> BTreeSet<String> {
            let back =
                reach[*m].iter().filter(|other| reach.get(other).is_some_and(|seen| seen.contains(*m)));
            back.map(|other| other.join("::")).collect()
        };
        used.keys().map(circle).filter(|circle| circle.len() > 1).collect()
    }
}

/// Returns the arguments of every `pub use` and similar, and the remaining code.
fn without_passed_on(code: &str) -> (Vec<String>, String) {
    let (mut lists, mut rest) = (Vec::new(), String::new());
    for statement in code.split_inclusive(';') {
        let found = statement.find("pub").and_then(|at| {
            let (before, mut after) = statement.split_at(at);
            after = after.strip_prefix("pub")?;
            if after.starts_with('(') {
                after = after.split_once(')')?.1;
            }
            Some((before, after.trim_start().strip_prefix("use ")?.trim_start()))
        });
        match found.filter(|(before, _)| !before.ends_with(is_word)) {
            Some((before, list)) => {
                rest.push_str(before);
                lists.push(list.trim_end_matches(';').to_string());
            }
            None => rest.push_str(statement),
        }
    }
    (lists, rest)
}

/// Returns every path in `code` that begins with the word `start`, with groups in braces expanded.
fn paths_at(code: &str, start: &str) -> Vec<Vec<String>> {
    let start = format!("{start}::");
    let places = code.match_indices(&start).map(|(at, _)| at);
    let begins = |at: &usize| {
        let before = &code[..*at];
        !before.ends_with(|c: char| is_word(c) || c == ':') && !before.ends_with("(in ")
    };
    places.filter(begins).flat_map(|at| paths_from(&code[at..])).collect()
}

/// Returns the paths at the beginning of `text`: a single path, or those of a group in braces.
fn paths_from(text: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    expand(text, &[], &mut found);
    found
}

/// Adds the paths at the beginning of `text`, prefixed with `before`, and returns the text after them.
fn expand<'a>(text: &'a str, before: &[String], found: &mut Vec<Vec<String>>) -> &'a str {
    let (mut path, mut text) = (before.to_vec(), text.trim_start());
    loop {
        if let Some(group) = text.strip_prefix('{') {
            text = group;
            loop {
                text = expand(text, &path, found).trim_start().trim_start_matches(',').trim_start();
                match text.strip_prefix('}') {
                    Some(after) => return after,
                    None if text.is_empty() => return text,
                    None => {}
                }
            }
        }
        let end = text.find(|c: char| !is_word(c) && c != '*').unwrap_or(text.len());
        if end == 0 {
            // This is not a path, and unknown syntax is skipped.
            return text.get(1..).unwrap_or_default();
        }
        path.push(text[..end].to_string());
        text = &text[end..];
        match text.strip_prefix("::") {
            Some(after) => text = after.trim_start(),
            None => {
                found.push(path);
                return text;
            }
        }
    }
}

fn found(files: &[(&str, &str)]) -> BTreeSet<BTreeSet<String>> {
    Crate::new(&files.iter().map(|(name, code)| (name.to_string(), code.to_string())).collect()).cycles()
}

#[test]
fn cycles_are_seen_however_they_are_written() {
    let circle = |names: &[&str]| -> BTreeSet<BTreeSet<String>> {
        [names.iter().map(|name| name.to_string()).collect()].into()
    };
    let direct = [("src/a.rs", "use crate::b::X;"), ("src/b.rs", "fn f() { crate::a::g() }")];
    assert_eq!(found(&direct), circle(&["a", "b"]));
    let grouped =
        [("src/a.rs", "use crate::{c::Z, b::{X, Y}};"), ("src/b.rs", "use super::a::g;"), ("src/c.rs", "")];
    assert_eq!(found(&grouped), circle(&["a", "b"]));
    let child = [("src/a/mod.rs", "mod b;\nfn f() { b::g() }"), ("src/a/b.rs", "use super::Shared;")];
    assert_eq!(found(&child), circle(&["a", "a::b"]));
    let by_name = [("src/a/mod.rs", "mod b;\npub use b::T;\nfn f(t: T) {}"), ("src/a/b.rs", "use super::f;")];
    assert_eq!(found(&by_name), circle(&["a", "a::b"]));
    let long = [
        ("src/a.rs", "use crate::b::X;"),
        ("src/b.rs", "use crate::c::X;"),
        ("src/c.rs", "use crate::a::X;"),
    ];
    assert_eq!(found(&long), circle(&["a", "b", "c"]));
    // A module that imports a re-exported item uses the module in which it is defined.
    let onward = [
        ("src/a/mod.rs", "mod b;\nmod c;\npub use b::T;"),
        ("src/a/b.rs", "use super::c::U;"),
        ("src/a/c.rs", "use crate::a::T;"),
    ];
    assert_eq!(found(&onward), circle(&["a::b", "a::c"]));
}

#[test]
fn what_is_no_cycle_is_not_called_one() {
    let passed_on = [
        ("src/a/mod.rs", "mod b;\nmod c;\npub use b::{T, U};\npub(crate) use c::V;"),
        ("src/a/b.rs", "use super::c::V;"),
        ("src/a/c.rs", ""),
    ];
    assert!(found(&passed_on).is_empty());
    let tests = [
        ("src/a.rs", "fn f() {}\n#[cfg(test)]\nmod tests {\nuse crate::b::X; }"),
        ("src/b.rs", "use crate::a::f;"),
    ];
    assert!(found(&tests).is_empty());
    let visible = [("src/a/mod.rs", "mod b;\nuse b::f;"), ("src/a/b.rs", "pub(in crate::a) fn f() {}")];
    assert!(found(&visible).is_empty());
}

#[test]
fn no_modules_use_each_other() {
    for folder in CRATES.into_iter().filter(|folder| *folder != "dfa/src") {
        let cycles = Crate::new(&sources(folder)).cycles();
        assert!(cycles.is_empty(), "modules in {folder} that use each other: {cycles:?}");
    }
}
