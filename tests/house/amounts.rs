//! Amounts in the texts of the command line: a number with a noun comes from `counted`, and a time from `duration`.

use super::sources;

/// Nouns of which a number can be one.
const NOUNS: [&str; 12] = [
    "plies",
    "positions",
    "states",
    "orbits",
    "sectors",
    "rows",
    "moves",
    "games",
    "units",
    "files",
    "ranks",
    "mismatches",
];

/// Texts in which the number is never one, or is a name.
const NEVER_ONE: [&str; 7] = [
    "took back {taken} moves",
    "{} positions / orbits under",
    " on the {care} positions",
    ", on {care} positions",
    "from {} to {} states",
    "plies 0 to {last}",
    "more than {} positions, too many",
];

#[test]
fn amounts_have_the_right_noun_and_unit() {
    for (name, code) in sources("src/cli").into_iter().chain(sources("play/src")) {
        for (at, line) in code.lines().enumerate().filter(|(_, line)| line.contains('"')) {
            let is_known = NEVER_ONE.iter().any(|known| line.contains(known));
            for noun in NOUNS.iter().filter(|_| !is_known) {
                let found = line
                    .split(&format!("}} {noun}"))
                    .skip(1)
                    .any(|rest| !rest.starts_with(char::is_alphabetic));
                assert!(!found, "{name}:{}: a number before '{noun}' without `counted`: {line}", at + 1);
            }
            let is_time =
                (0..10).any(|digits| line.contains(&format!(".{digits}}} s")) && !line.contains("states"));
            assert!(
                !is_time || name.ends_with("amount.rs"),
                "{name}:{}: a time without `duration`: {line}",
                at + 1
            );
        }
    }
}
