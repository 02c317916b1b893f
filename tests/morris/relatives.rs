//! Relatives of nine men's morris: the record in `results/morris-relatives`, published results, and sectors solved by
//! the test.

use std::fs;
use std::path::Path;

use nerode_games::morris::rules_of;

use crate::common::malom::Solved;
use crate::sectors::Placed;

/// A game of the record, and the published tables of its placed sectors: by variant (paper 000) and by capture rule
/// (paper 003).
struct Relative {
    game: &'static str,
    file: &'static str,
    variant: Option<&'static str>,
    loewer: Option<&'static str>,
}

/// Placed sectors involve neither stones in hand nor placements, so Lasker morris and `take=2` share those of nine
/// men's morris.
const RELATIVES: [Relative; 4] = [
    Relative {
        game: "morris:lasker",
        file: "lasker.csv",
        variant: Some("standard_and_lasker"),
        loewer: Some("always_capture"),
    },
    Relative {
        game: "morris:nine,take=2",
        file: "nine-take-2.csv",
        variant: Some("standard_and_lasker"),
        loewer: Some("always_capture"),
    },
    Relative { game: "morris:morabaraba", file: "morabaraba.csv", variant: Some("morabaraba"), loewer: None },
    Relative {
        game: "morris:nine,capture=protected",
        file: "nine-capture-protected.csv",
        variant: None,
        loewer: Some("always_protected"),
    },
];

/// A line of the record: the sector, and the digest of its values.
struct Line {
    placed: Placed,
    values: String,
}

fn record(file: &str) -> Vec<Line> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/morris-relatives").join(file);
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().unwrap().split(',').collect();
    let of = |line: &str, column: &str| {
        let at = head.iter().position(|name| *name == column).unwrap();
        line.split(',').nth(at).unwrap().to_string()
    };
    // The field is empty if no position is won or lost.
    let number = |line: &str, column: &str| of(line, column).parse::<u64>().unwrap_or(0);
    let read = |line: &str| Line {
        placed: Placed {
            sector: of(line, "sector").parse().unwrap(),
            three: ["win", "draw", "loss"].map(|column| number(line, column)),
            longest: number(line, "deepest win").max(number(line, "deepest loss")),
        },
        values: of(line, "values"),
    };
    lines.map(read).collect()
}

#[test]
fn the_record_has_the_published_percentages_and_depths() {
    for relative in &RELATIVES {
        let lines = record(relative.file);
        assert!(lines.len() >= 9, "{}", relative.file);
        lines.iter().for_each(|line| line.placed.check(relative.variant, relative.loewer));
    }
}

/// The digests cover every position of every sector.
#[test]
fn lasker_and_two_stones_taken_have_the_same_placed_sectors_in_the_record() {
    let [first, second] = [RELATIVES[0].file, RELATIVES[1].file].map(record);
    assert!(first.iter().map(|line| &line.values).eq(second.iter().map(|line| &line.values)));
    let protected = record(RELATIVES[3].file);
    let is_small = |line: &Line| line.placed.sector.own <= 4 && line.placed.sector.other <= 4;
    let small = first.iter().zip(&protected).filter(|(line, _)| is_small(line));
    // This agrees with Löwer (paper 003, section 7.1), except that 3-3 has the same outcomes at other depths.
    let same = small.filter(|(a, b)| a.values == b.values).map(|(line, _)| line.placed.sector.to_string());
    assert_eq!(same.collect::<Vec<_>>(), ["3-4-0-0", "4-4-0-0"]);
}

/// Sectors solved by the test equal those in the record, and Lasker morris and `take=2` have the values of nine men's
/// morris.
#[test]
#[ignore = "slow: .ci/slow"]
fn small_sectors_are_what_the_record_has() {
    let solve = |game: &str| Solved::new(rules_of(game).unwrap().1, &["4-4-0-0"]);
    let nine = solve("morris:nine");
    for relative in &RELATIVES {
        let solved = solve(relative.game);
        let lines = record(relative.file);
        for placed in Placed::of(&solved.known) {
            let recorded = lines.iter().find(|line| line.placed.sector == placed.sector).unwrap();
            assert_eq!(placed, recorded.placed, "{}", relative.game);
        }
        let same = nine.known.iter().all(|(sector, table)| {
            let other = &solved.known[sector];
            (0..table.index.num_slots()).all(|slot| table.depth_at(slot) == other.depth_at(slot))
        });
        assert_eq!(same, relative.loewer == Some("always_capture"), "{}", relative.game);
    }
}
