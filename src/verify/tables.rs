//! A run against explicit values, position by position: the oracle's solution, or a table file.

use std::path::Path;

use nerode_games::{Position, Side};

use crate::error::{Error, Result};
use crate::explicit::{Control, Indexer, Verdict, solve};
use crate::rules::Resources;
use crate::solution::{Solution, UNKNOWN_CODE};
use crate::table::TableFile;
use crate::tabulate::for_each_run;
use crate::verify::Report;

/// Solves the game explicitly and compares value and depth of every position of both sides.
///
/// Cost: the explicit solve, and one comparison per position.
///
/// # Errors
/// [`Error::TooLarge`] when the explicit tables do not fit; damaged files; interruption.
pub fn against_oracle(
    solution: &Solution,
    resources: &Resources,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Report> {
    let game = solution.game.as_ref();
    let control = Control { memory_limit: resources.memory, interrupt: &resources.interrupt, progress };
    let explicit = solve(game, &game.spec(), control)?;
    let mut report = Report::default();
    for side in Side::BOTH {
        let codes = explicit.codes(side);
        let map = solution.value_map(side, resources)?;
        for_each_run(game, &map, explicit.indexer(), &mut |index, len, code| {
            report.checked += u128::from(len);
            // Both numbers lie below the length of a table in memory.
            let expected = &codes[index as usize..(index + len) as usize];
            let wrong = expected.iter().filter(|&&e| e != code).count() as u128;
            let first = expected.iter().position(|&e| e != code);
            report.wrong(wrong, || {
                let at = first.unwrap_or(0);
                difference(solution, explicit.indexer(), side, index + at as u64, code, expected[at])
            });
            Ok::<(), Error>(())
        })?;
    }
    Ok(report)
}

/// Compares value and depth of every position of both sides with a table file, after checking that it was made under
/// the same rules and is not damaged.
///
/// Cost: one pass over the file for the digest, and one for the comparison.
///
/// # Errors
/// A table of another game or of other rules, or a damaged one; damaged files of the run.
pub fn against_table(solution: &Solution, path: &Path, resources: &Resources) -> Result<Report> {
    let game = solution.game.as_ref();
    let mut table = TableFile::open(path)?;
    table.check_rules(&game.fingerprint())?;
    table.verify_digest()?;
    let indexer = table.indexer().clone();
    let mut report = Report::default();
    for side in Side::BOTH {
        let map = solution.value_map(side, resources)?;
        let mut codes = table.codes(side)?;
        let mut next = 0u64;
        let mut seen: Result<()> = Ok(());
        for_each_run(game, &map, &indexer, &mut |index, len, code| {
            if index != next {
                return Err(Error::Unsupported(
                    "tables are compared in the order of the cells; solve with the family's first letter order".into(),
                ));
            }
            next += len;
            for at in index..index + len {
                match codes.next() {
                    Some(Ok(expected)) => {
                        report.checked += 1;
                        report.wrong(u128::from(expected != code), || {
                            difference(solution, &indexer, side, at, code, expected)
                        });
                    }
                    Some(Err(e)) => seen = Err(e),
                    None => seen = Err(Error::corrupt(path, "it ends before the last position")),
                }
                if seen.is_err() {
                    return std::mem::replace(&mut seen, Ok(()));
                }
            }
            Ok(())
        })?;
    }
    Ok(report)
}

fn difference(
    solution: &Solution,
    indexer: &Indexer,
    side: Side,
    index: u64,
    stored: u16,
    expected: u16,
) -> String {
    let board = indexer.board_of(index).unwrap_or_default();
    let position = Position { board, side };
    format!(
        "{}: the run says {}, the table says {}\n{}",
        solution.game.format_position(&position),
        describe(stored),
        describe(expected),
        solution.game.draw(&position)
    )
}

fn describe(code: u16) -> String {
    match Verdict::from_code(code) {
        _ if code == UNKNOWN_CODE => "unknown".into(),
        Some(Verdict { value, depth: Some(depth) }) => format!("{value} in {depth}"),
        Some(Verdict { value, depth: None }) => value.to_string(),
        None => format!("code {code}"),
    }
}
