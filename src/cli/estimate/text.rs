//! Estimates in words.

use crate::cli::output::{bytes, counted, duration, grouped, table};
use nerode_report::estimate::{
    Basis, EngineKind, Estimate, Expected, NoEstimate, PlyGrowth, Range, Shortage,
};

/// Formats an estimate as text. `solve` prints it before it refuses a hopeless solve.
pub(in crate::cli) fn text(estimate: &Estimate) -> String {
    let how = match (estimate.engine, estimate.method) {
        (EngineKind::Sets, Some(method)) => format!("sets, {method}"),
        (EngineKind::Sets, None) => "sets".into(),
        (EngineKind::Table, _) => "a table of all boards".into(),
        (EngineKind::Sectors, _) => "tables of sectors".into(),
    };
    let mut text = format!("{} by {how}\n\n", estimate.game);
    text +=
        &format!("words        {} for each side\n", estimate.words.map_or("more than 2^128".into(), grouped));
    if let Some(admissible) = &estimate.admissible {
        let (p1, p2) = (grouped(admissible.p1), grouped(admissible.p2));
        text += &format!("admissible   {p1} with P1 to move, {p2} with P2\n");
    }
    if let Some(sectors) = &estimate.sectors {
        text += &format!(
            "orbits       {} in {} of {}\nlargest unit {} with its dependencies: {}\n",
            grouped(sectors.orbits),
            counted(sectors.num_sectors as u128, "sector", "sectors"),
            counted(sectors.num_units as u128, "work unit", "work units"),
            sectors.largest_unit,
            bytes(sectors.largest_unit_bytes)
        );
    }
    text += &growth_text(estimate);
    if !estimate.smaller.is_empty() {
        let names: Vec<&str> = estimate.smaller.iter().map(|board| board.game.as_str()).collect();
        text += &format!("\nsmaller boards solved: {}\n", names.join(" "));
    }
    match (&estimate.expected, &estimate.no_estimate) {
        (Some(expected), _) => text + &expected_text(expected) + &ranks_text(estimate),
        (None, Some(why)) => text + &format!("\n{}.\n", no_estimate_text(estimate, why)),
        (None, None) => text,
    }
}

/// Describes what `--ranked` requires in addition, if the game is solved by sectors.
fn ranks_text(estimate: &Estimate) -> String {
    estimate.ranks.as_ref().map_or_else(String::new, |ranks| {
        format!("\nexpected of telling draws apart, with --ranked, after that:\n{}", lines(ranks))
    })
}

/// Explains why a solve cannot be estimated, and lists the known facts about it.
pub(in crate::cli) fn no_estimate_text(estimate: &Estimate, why: &NoEstimate) -> String {
    let why = reason_text(why);
    match &estimate.taken {
        Some(taken) if taken.plies > 0 => format!(
            "{why}. A complete solve takes more than the {} completed here: {}, {} of disk, {}",
            counted(taken.plies as u128, "ply", "plies"),
            counted(taken.states.into(), "state", "states"),
            bytes(taken.bytes),
            duration(taken.seconds)
        ),
        _ => why,
    }
}

fn reason_text(why: &NoEstimate) -> String {
    const NOTHING: &str = "there is no estimate of memory, disk and time";
    match why {
        NoEstimate::ForwardOnly => "This game can only be counted forward, not solved".into(),
        NoEstimate::TooManyBoards => "Its boards are beyond what a table can index".into(),
        NoEstimate::NoPly => {
            format!("No ply was completed in the time and memory for the estimate, so {NOTHING}")
        }
        NoEstimate::FewPlies { plies } => {
            let plies = counted(*plies as u128, "ply was completed", "plies were completed");
            format!("Only {plies} in the time for the estimate, so {NOTHING}")
        }
        NoEstimate::NoSmallerBoard => {
            format!("No smaller board was solved in the time for the estimate, so {NOTHING}")
        }
        NoEstimate::TooFar { solved, solved_cells, cells } => format!(
            "With {cells} cells the board is much larger than the largest one solved for the estimate, {solved} with \
             {solved_cells}, so {NOTHING}"
        ),
        NoEstimate::TooWide { states } => format!(
            "The observed plies allow from {} to {} states, so {NOTHING}",
            grouped(states.low.into()),
            grouped(states.high.into())
        ),
    }
}

/// The maximum number of plies in a list. The JSON document contains all of them.
const MOST_LINES: usize = 20;

fn growth_text(estimate: &Estimate) -> String {
    if estimate.growth.is_empty() {
        return String::new();
    }
    let row = |line: &PlyGrowth| {
        let states = grouped(line.states.into());
        vec![line.phase.to_string(), line.ply.to_string(), states, grouped(line.positions)]
    };
    let left_out = estimate.growth.len().saturating_sub(MOST_LINES);
    let rows: Vec<Vec<String>> = estimate.growth.iter().skip(left_out).map(row).collect();
    let earlier = if left_out > 0 {
        format!(" ({} left out)", counted(left_out as u128, "earlier ply", "earlier plies"))
    } else {
        String::new()
    };
    format!("\nplies of the probe{earlier}:\n{}", table(&["phase", "ply", "states", "positions"], &rows))
}

/// Formats the numbers of an estimate.
pub(in crate::cli) fn expected_text(expected: &Expected) -> String {
    let basis = match expected.basis {
        Basis::Solved => {
            return format!("\nmeasured, because the probe solved the game:\n{}", lines(expected));
        }
        Basis::SmallerBoards => "by smaller boards of the family",
        Basis::Growth => {
            "by the growth over the plies above, which may end at once or continue for three times as many plies"
        }
        Basis::Rate => "by the rate at which its plies decide positions",
        Basis::Exact => "positions are exact",
    };
    format!("\nexpected of a whole solve ({basis}):\n{}", lines(expected))
}

fn lines(expected: &Expected) -> String {
    let mut text = String::new();
    if let Some(plies) = expected.plies {
        text += &format!("plies        {}\n", range(plies, |n| grouped(n.into())));
    }
    if let Some(states) = expected.states {
        text += &format!("states       {} at the largest ply\n", range(states, |n| grouped(n.into())));
    }
    let least = match expected.basis {
        Basis::Solved => String::new(),
        Basis::Exact => format!("; it can do with {}", bytes(expected.least_memory_bytes)),
        Basis::SmallerBoards | Basis::Growth | Basis::Rate => {
            format!("; with --units, it can do with {}", bytes(expected.least_memory_bytes))
        }
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
