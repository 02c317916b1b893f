//! What the tests of rules share: rules on a small board, and what reading them says.

use nerode_games::rbg::{Error, Rulebook, read};

/// A file with these rules, on a board of two squares.
pub fn with_rules(rules: &str) -> String {
    format!(
        "#players = a(9), b(9)\n#pieces = e, x, o\n#variables = n(5)\n#board = rectangle(up,down,left,right,[e,x])\n#rules = {rules}"
    )
}

/// The rules of a file that is right.
pub fn book(text: &str) -> Rulebook {
    read("test", text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// What is wrong with a file that is not.
pub fn wrong(text: &str) -> Error {
    match read("test", text) {
        Err(error) => error,
        Ok(book) => panic!("was read as {}", book.canonical()),
    }
}

/// The rules alone, canonically.
pub fn rules_of(rules: &str) -> String {
    let canonical = book(&with_rules(rules)).canonical();
    canonical.split("#rules =\n").nth(1).unwrap().trim_end().to_string()
}
