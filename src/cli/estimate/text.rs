//! Estimates in words.

use crate::cli::output::{bytes, counted, duration, grouped, table};
use nerode_report::estimate::{
    Basis, EngineName, Estimate, Expected, NoEstimate, PlyGrowth, Range, Shortage,
};

/// Formats an estimate as text. `solve` prints it before it refuses a hopeless solve.
pub(in crate::cli) fn text(found: &Estimate) -> String {
    let how = match (found.engine, found.method) {
        (EngineName::Sets, Some(method)) => format!("sets, {method}"),
        (EngineName::Sets, None) => "sets".into(),
        (EngineName::Table, _) => "a table of all boards".into(),
        (EngineName::Sectors, _) => "tables of sectors".into(),
    };
    let mut text = format!("{} by {how}\n\n", found.game);
    text +=
        &format!("words        {} for each side\n", found.words.map_or("more than 2^128".into(), grouped));
    if let Some(admissible) = &found.admissible {
        let (p1, p2) = (grouped(admissible.p1), grouped(admissible.p2));
        text += &format!("admissible   {p1} with P1 to move, {p2} with P2\n");
    }
    if let Some(sectors) = &found.sectors {
        text += &format!(
            "orbits       {} in {} sectors of {} work units\nlargest unit {} with what it leads to: {}\n",
            grouped(sectors.orbits),
            sectors.num_sectors,
            sectors.num_units,
            sectors.largest_unit,
            bytes(sectors.largest_unit_bytes)
        );
    }
    text += &growth_text(found);
    if !found.smaller.is_empty() {
        let names: Vec<&str> = found.smaller.iter().map(|board| board.game.as_str()).collect();
        text += &format!("\nsmaller boards solved: {}\n", names.join(" "));
    }
    match (&found.expected, &found.no_estimate) {
        (Some(expected), _) => text + &expected_text(expected) + &ranks_text(found),
        (None, Some(why)) => text + &format!("\n{}.\n", untold(found, why)),
        (None, None) => text,
    }
}

/// Describes what `--ranked` requires in addition, if the game is solved by sectors.
fn ranks_text(found: &Estimate) -> String {
    found.ranks.as_ref().map_or_else(String::new, |ranks| {
        format!("\nexpected of telling draws apart, with --ranked, after that:\n{}", lines(ranks))
    })
}

/// Explains why a solve cannot be estimated, and lists the known facts about it.
pub(in crate::cli) fn untold(found: &Estimate, why: &NoEstimate) -> String {
    let why = no_estimate_text(why);
    match &found.taken {
        Some(taken) if taken.plies > 0 => format!(
            "{why}. A whole solve takes more than the {} done here: {} states, {} of disk, {}",
            counted(taken.plies as u128, "ply", "plies"),
            grouped(taken.states.into()),
            bytes(taken.bytes),
            duration(taken.seconds)
        ),
        _ => why,
    }
}

fn no_estimate_text(why: &NoEstimate) -> String {
    const NOTHING: &str = "nothing can be said of memory, disk and time";
    match why {
        NoEstimate::ForwardOnly => "This game can only be counted forward; it is not solved".into(),
        NoEstimate::TooManyBoards => "Its boards are beyond what a table can number".into(),
        NoEstimate::NoPly => format!("Not one ply was done in the time for the estimate, so {NOTHING}"),
        NoEstimate::FewPlies { plies } => {
            let plies = counted(*plies as u128, "ply was done", "plies were done");
            format!("Only {plies} in the time for the estimate, so {NOTHING}")
        }
        NoEstimate::NoSmallerBoard => {
            format!("No smaller board was solved in the time for the estimate, so {NOTHING}")
        }
        NoEstimate::TooFar { solved, solved_cells, cells } => format!(
            "With {cells} cells the board is too far beyond the largest smaller one solved in the time, {solved} with \
             {solved_cells}, so {NOTHING}"
        ),
        NoEstimate::TooWide { states } => format!(
            "What was seen allows from {} to {} states, so {NOTHING}",
            grouped(states.low.into()),
            grouped(states.high.into())
        ),
    }
}

/// The maximum number of plies in a list. The JSON document contains all of them.
const MOST_LINES: usize = 20;

fn growth_text(found: &Estimate) -> String {
    if found.growth.is_empty() {
        return String::new();
    }
    let row = |line: &PlyGrowth| {
        let states = grouped(line.states.into());
        vec![line.phase.to_string(), line.ply.to_string(), states, grouped(line.positions)]
    };
    let left_out = found.growth.len().saturating_sub(MOST_LINES);
    let rows: Vec<Vec<String>> = found.growth.iter().skip(left_out).map(row).collect();
    let earlier = if left_out > 0 { format!(" ({left_out} earlier plies left out)") } else { String::new() };
    format!("\nsolved for a while{earlier}:\n{}", table(&["phase", "ply", "states", "positions"], &rows))
}

/// Formats the numbers of an estimate.
pub(in crate::cli) fn expected_text(expected: &Expected) -> String {
    let basis = match expected.basis {
        Basis::Solved => {
            return format!("\nmeasured, as the whole game was solved meanwhile:\n{}", lines(expected));
        }
        Basis::SmallerBoards => "by smaller boards of the family",
        Basis::Growth => {
            "by the growth over the plies above; the range is wide: sets may grow no more, or as before for three times as many \
             plies; a longer --probe narrows it"
        }
        Basis::Exact => "positions are exact",
    };
    format!("\nexpected of a whole solve ({basis}):\n{}", lines(expected))
}

fn lines(expected: &Expected) -> String {
    let mut text = String::new();
    if let Some(states) = expected.states {
        text += &format!("states       {} at the largest ply\n", range(states, |n| grouped(n.into())));
    }
    let least = match expected.basis {
        Basis::Solved => String::new(),
        _ => format!("; it can do with {}", bytes(expected.least_memory_bytes)),
    };
    text += &format!("memory       {}{least}\n", range(expected.memory_bytes, bytes));
    text + &format!(
        "disk         {}\ntime         {}\n",
        range(expected.bytes, bytes),
        range(expected.seconds, duration)
    )
}

/// Formats a range as its two ends, or as one number if they are equal.
pub(in crate::cli) fn range<T: Copy + PartialEq>(range: Range<T>, text: impl Fn(T) -> String) -> String {
    let (low, high) = (text(range.low), text(range.high));
    if low == high { low } else { format!("{low} to {high}") }
}

/// Describes the resources that are insufficient for a solve, as sentences. `end` names the end of the estimate to
/// which the numbers belong.
pub(in crate::cli) fn shortages_text(shortages: &[Shortage], end: &str) -> String {
    let text = |shortage: &Shortage| match *shortage {
        Shortage::Memory { needed, allowed } => {
            format!("it needs {end} {} of memory, and {} are allowed", bytes(needed), bytes(allowed))
        }
        Shortage::Disk { needed, free } => {
            format!("it needs {end} {} of disk, and {} are free", bytes(needed), bytes(free))
        }
        Shortage::Time { needed } => format!("it takes {end} {}", duration(needed)),
    };
    shortages.iter().map(text).collect::<Vec<_>>().join(", and ")
}
