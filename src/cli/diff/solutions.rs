//! The comparison of two solutions of any form, for the same boards: by their sets, or board by board.

use std::path::Path;
use std::time::Instant;

use anyhow::{Result, bail};
use nerode_games::Game;
use schemars::JsonSchema;
use serde::Serialize;

use super::args::Args;
use crate::cli::output::{Count, Outcome, Output, counted, duration, grouped, table};
use crate::cli::query::SoFar;
use crate::facade::open_solution;
use nerode_report::differences::{Differences, Example, Said, Step, differences};
use nerode_report::lines::category;
use nerode_solver::archive::{Contents, kind_of};
use nerode_solver::stored::{DepthSource, Solution};

/// Positions about which two solutions say different things.
#[derive(JsonSchema, Serialize)]
struct ChangeLine {
    /// What the first solution says, for the side to move.
    #[schemars(extend("enum" = ["win", "draw", "loss", "unknown", "not covered"]))]
    from: &'static str,
    /// What the second solution says.
    #[schemars(extend("enum" = ["win", "draw", "loss", "unknown", "not covered"]))]
    to: &'static str,
    /// The number of positions.
    positions: Count,
    /// Some of them.
    examples: Vec<ExampleLine>,
}

/// A position about which two solutions say different things.
#[derive(JsonSchema, Serialize)]
struct ExampleLine {
    /// The position in the notation of the first game.
    position: String,
    /// What the first solution says, for the side to move.
    #[schemars(extend("enum" = ["win", "draw", "loss", "unknown", "not covered"]))]
    from: &'static str,
    /// What the second solution says.
    #[schemars(extend("enum" = ["win", "draw", "loss", "unknown", "not covered"]))]
    to: &'static str,
    /// The number of plies to the end in the first solution, or null.
    first_dtw: Option<u32>,
    /// The number of plies to the end in the second solution, or null.
    second_dtw: Option<u32>,
}

/// The differences between two solutions for the same boards. Values are those for the side to move, and every board counts once
/// for each side to move.
#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct SolutionDiff {
    /// The game of the first solution.
    game: String,
    /// The game of the second solution.
    second_game: String,
    /// The form of the first solution.
    form: String,
    /// The form of the second solution.
    second_form: String,
    /// The number of positions that at least one of the solutions covers.
    compared: Count,
    /// The number of these positions about which the solutions say different things.
    changed: Count,
    /// The kinds of differences that occur.
    changes: Vec<ChangeLine>,
    /// The number of positions with the same value whose depths are exact in both solutions and differ, or null if one of the
    /// solutions has no depths.
    other_dtw: Option<Count>,
    /// Some of these positions.
    other_dtw_examples: Vec<ExampleLine>,
    /// The elapsed time in seconds.
    seconds: f64,
}

/// Compares the solutions that `args` names.
pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    let began = Instant::now();
    if !args.sector.is_empty() {
        bail!("--sector applies to directories of sectors, and {} is not one", args.first.display());
    }
    let resources = args.resources.resolve()?;
    let [first, second] = [&args.first, &args.second].map(|path| opened(path, resources.memory / 2, out));
    let (first, second) = (first?, second?);
    let progress = out.progress("diff");
    let most = usize::from(args.examples);
    let paths = [&args.first, &args.second];
    let mut is_arranged = false;
    let mut steps = |step| match step {
        Step::Reading(number, side) => {
            let path = paths[number.saturating_sub(1).min(1)].display();
            progress.message(format!("reading {path}, {side} to move"));
        }
        Step::Arranging(side) => {
            is_arranged = true;
            progress.message(format!("arranging the sets with {side} to move in one letter order"));
        }
        Step::Comparing(side) => progress.message(format!("comparing the sets with {side} to move")),
        Step::Boards(done, total) => {
            if done == 0 {
                let why = if is_arranged {
                    ", because the sets do not fit into memory in one letter order"
                } else {
                    ""
                };
                progress.message(format!("boards{why}"));
            }
            progress.steps(done, total);
        }
        Step::Rows(done, total) => {
            if done == 0 {
                progress.message("rows of tables".into());
            }
            progress.steps(done, total);
        }
    };
    let found = differences([&first, &second], most, &resources, &mut steps);
    progress.finish();
    let diff = SolutionDiff::new([&first, &second], &found?, began.elapsed().as_secs_f64());
    out.result(&diff, text)?;
    Ok(Outcome::Done)
}

/// Opens a solution. An unfinished run is compared as far as it goes.
fn opened(path: &Path, memory: u64, out: &Output) -> Result<Solution> {
    let solution = match kind_of(path) {
        Some(Contents::Run) => SoFar::always().open(path, out)?,
        _ => open_solution(path)?,
    };
    Ok(solution.with_memory(memory))
}

impl SolutionDiff {
    fn new(solutions: [&Solution; 2], found: &Differences, seconds: f64) -> Self {
        let game = solutions[0].game();
        let mut changes = Vec::new();
        for (from, to) in Said::ALL.iter().flat_map(|from| Said::ALL.map(|to| (*from, to))) {
            let pair = found.pair(from, to);
            if pair.positions > 0 {
                let examples = lines(game, &pair.examples);
                changes.push(ChangeLine {
                    from: word(from),
                    to: word(to),
                    positions: pair.positions.into(),
                    examples,
                });
            }
        }
        let has_depths = |solution: &&Solution| {
            matches!(solution.depth_source(), DepthSource::Stored | DepthSource::Partial)
        };
        let other_depth = solutions.iter().all(has_depths).then_some(&found.other_depth);
        Self {
            game: game.spec(),
            second_game: solutions[1].game().spec(),
            form: solutions[0].form(),
            second_form: solutions[1].form(),
            compared: found.compared.into(),
            changed: changes.iter().map(|change| change.positions).sum(),
            changes,
            other_dtw: other_depth.map(|pair| pair.positions.into()),
            other_dtw_examples: other_depth.map_or_else(Vec::new, |pair| lines(game, &pair.examples)),
            seconds,
        }
    }
}

fn word(said: Said) -> &'static str {
    match said {
        Said::Known(value) => category(Some(value), true),
        Said::Unknown => category(None, true),
        Said::NotCovered => category(None, false),
    }
}

fn lines(game: &dyn Game, examples: &[Example]) -> Vec<ExampleLine> {
    let line = |example: &Example| ExampleLine {
        position: game.format_position(&example.position),
        from: word(example.said[0]),
        to: word(example.said[1]),
        first_dtw: example.depths[0],
        second_dtw: example.depths[1],
    };
    examples.iter().map(line).collect()
}

fn text(diff: &SolutionDiff) -> String {
    let mut text = format!(
        "from {}, {}\nto {}, {}\n{} in {}: {} changed, {}\n",
        diff.game,
        diff.form,
        diff.second_game,
        diff.second_form,
        counted(diff.compared.0, "position compared", "positions compared"),
        duration(diff.seconds),
        grouped(diff.changed.0),
        match diff.other_dtw {
            Some(positions) => format!("{} with the same value in more or fewer plies", grouped(positions.0)),
            None => "depths not compared".to_string(),
        }
    );
    let depth = |value: &str, depth: Option<u32>| match depth {
        Some(plies) => format!("{value} in {plies}"),
        None => value.to_string(),
    };
    let mut rows = Vec::new();
    let mut examples = String::new();
    for change in &diff.changes {
        rows.push(vec![format!("{} to {}", change.from, change.to), grouped(change.positions.0)]);
    }
    let changed = diff.changes.iter().flat_map(|change| &change.examples);
    for example in changed.chain(&diff.other_dtw_examples) {
        let [first, second] = [depth(example.from, example.first_dtw), depth(example.to, example.second_dtw)];
        examples += &format!("{}  {first}, then {second}\n", example.position);
    }
    if !rows.is_empty() {
        text += &format!("\n{}", table(&["change", "positions"], &rows));
    }
    if !examples.is_empty() {
        text += &format!("\nexamples\n{examples}");
    }
    text
}
