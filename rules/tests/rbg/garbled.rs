//! Texts that resemble rules: the reader either reports an error or accepts them, and it never panics.

use nerode_rules::rbg::{bundled, read};

/// Random numbers that are the same in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most.max(1) as u64) as usize
    }
}

const PIECES: [&str; 26] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "{?",
    "{!",
    "{$",
    "[$",
    "->",
    "->>",
    "*",
    "^",
    "~",
    ";",
    ",",
    "+",
    "#",
    "=",
    "/*",
    "//",
    "\u{e4}",
    "99999999999",
    "rectangle(",
    "0",
];

/// Splits a text into words, so that each of them can be changed.
fn words(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric();
    let mut found = Vec::new();
    let mut start = 0;
    for (at, c) in text.char_indices() {
        if at > start && !(is_word(c) && text[start..at].chars().all(is_word)) {
            found.push(&text[start..at]);
            start = at;
        }
    }
    found.push(&text[start..]);
    found
}

fn garbled(chance: &mut Chance) -> String {
    let games = bundled();
    let mut all = words(games[chance.below(games.len())].text);
    let other = words(games[chance.below(games.len())].text);
    for _ in 0..=chance.below(6) {
        let at = chance.below(all.len());
        match chance.below(6) {
            0 => _ = all.remove(at),
            1 => all.insert(at, PIECES[chance.below(PIECES.len())]),
            2 => all[at] = PIECES[chance.below(PIECES.len())],
            3 => {
                let with = chance.below(all.len());
                all.swap(at, with);
            }
            4 => all.truncate(at + 1),
            _ => {
                let from = chance.below(other.len());
                let to = (from + chance.below(30)).min(other.len());
                all.splice(at..at, other[from..to].iter().copied());
            }
        }
        if all.is_empty() {
            all.push("#");
        }
    }
    all.concat()
}

fn how_many() -> usize {
    std::env::var("NERODE_GARBLED_TEXTS").ok().and_then(|text| text.parse().ok()).unwrap_or(2000)
}

#[test]
fn nearly_rules_are_read_or_refused() {
    let seed = std::env::var("NERODE_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let mut chance = Chance(0x9e37_79b9_7f4a_7c15 ^ seed);
    let (mut right, mut wrong) = (0, 0);
    for _ in 0..how_many() {
        let text = garbled(&mut chance);
        match read("garbled", &text) {
            Ok(book) => {
                right += 1;
                let canonical = book.canonical();
                let again =
                    read("canonical", &canonical).unwrap_or_else(|error| panic!("{error}\n{canonical}"));
                assert_eq!(again.canonical(), canonical);
            }
            Err(error) => {
                wrong += 1;
                assert!(error.to_string().starts_with("garbled:") && !error.message().is_empty(), "{text}");
                let spans = [Some(error.span()), error.opened()].into_iter().flatten();
                for span in spans.chain(error.uses().iter().map(|(_, span)| *span)) {
                    assert!(text.get(span.start..span.end).is_some(), "{error}\n{text}");
                }
            }
        }
    }
    println!("{right} texts read, {wrong} refused");
    assert!(right > 0 && wrong > right, "{right} {wrong}");
}
