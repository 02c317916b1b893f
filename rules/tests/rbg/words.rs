//! Helpers for tests of rules: rules on a small board, and the results of reading them.

use nerode_rules::rbg::{Error, Rulebook, read};

/// Returns a file with these rules, on a board of two squares.
pub fn with_rules(rules: &str) -> String {
    format!(
        "#players = a(9), b(9)\n#pieces = e, x, o\n#variables = n(5)\n#board = rectangle(up,down,left,right,[e,x])\n#rules = {rules}"
    )
}

/// Reads the rules of a valid file.
pub fn book(text: &str) -> Rulebook {
    read("test", text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Returns the error of an invalid file.
pub fn wrong(text: &str) -> Error {
    match read("test", text) {
        Err(error) => error,
        Ok(book) => panic!("was read as {}", book.canonical()),
    }
}

/// Returns the canonical text of the rules section alone.
pub fn rules_of(rules: &str) -> String {
    let canonical = book(&with_rules(rules)).canonical();
    canonical.split("#rules =\n").nth(1).unwrap().trim_end().to_string()
}
