//! Answers as text and as JSON.

use std::path::PathBuf;

use nerode_games::Game;
use schemars::JsonSchema;
use serde::Serialize;

use super::bounds::Searched;
use super::traps::{OfMove, Summary, lines};
use crate::cli::output::table;
use nerode_play::bounds::Bounds;
use nerode_play::traps::{TrapAnswer, Traps};
use nerode_report::lines::{Known, MoveLine, RANKS_IN_WORDS};
use nerode_solver::solve::method::Method;
use nerode_solver::stored::{Answer as Found, Coverage, DepthSource, Solution};

/// The value of a position and of all its moves.
#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct Answer {
    /// The game with its parameters, such as `breakthrough:4x5`.
    game: String,
    /// The hash of the rules.
    fingerprint: String,
    #[serde(flatten)]
    known: Known,
    /// The method by which positions were decided, if the solution records it.
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<Method>,
    /// The positions that the solution covers.
    covers: Coverage,
    /// Where the depths come from.
    depths: DepthSource,
    /// The last ply of an unfinished run, with `--so-far`.
    #[serde(skip_serializing_if = "Option::is_none")]
    ply_so_far: Option<u32>,
    /// The search into the solution, if the solution does not contain the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    search: Option<Searched>,
    /// The traps, with `--traps`.
    #[serde(skip_serializing_if = "Option::is_none")]
    traps: Option<Summary>,
    /// All moves, the best one first. With `--traps`, drawing moves are sorted by rank, if draws are ranked, and then by
    /// the chance that the fallible side goes wrong; losing moves are sorted by this chance.
    moves: Vec<Row>,
    /// The file of the drawing.
    #[serde(skip_serializing_if = "Option::is_none")]
    plot: Option<PathBuf>,
    #[serde(skip)]
    board: String,
    /// The coverage in words, unless all boards, or those of sectors, are covered with exact depths.
    #[serde(skip)]
    coverage_text: Option<String>,
}

/// A move.
#[derive(JsonSchema, Serialize)]
struct Row {
    #[serde(flatten)]
    line: MoveLine,
    #[serde(flatten)]
    trap: Option<OfMove>,
}

impl Answer {
    pub(super) fn new(solution: &Solution, found: &Found, plot: Option<PathBuf>) -> Self {
        let game = solution.game();
        let is_usual = matches!(solution.coverage(), Coverage::AllBoards | Coverage::Sectors)
            && solution.depth_source() == DepthSource::Stored;
        Self {
            game: game.spec(),
            fingerprint: game.fingerprint(),
            known: Known::new(game, found.position(), &found.evaluation()),
            method: solution.method(),
            covers: solution.coverage(),
            depths: solution.depth_source(),
            ply_so_far: solution.ply_so_far(),
            board: game.draw(found.position()),
            coverage_text: (!is_usual).then(|| solution.coverage_text()),
            search: None,
            traps: None,
            moves: found
                .moves()
                .iter()
                .map(|reply| Row { line: MoveLine::new(game, reply), trap: None })
                .collect(),
            plot,
        }
    }

    /// Adds a description of the search, whose results are in the answer already.
    pub(super) fn with_search(self, search: Option<&Bounds>) -> Self {
        Self { search: search.map(Searched::new), ..self }
    }

    /// Adds the results about traps, and lists the moves in their order.
    pub(super) fn with_traps(self, game: &dyn Game, found: Option<&(Traps, TrapAnswer)>) -> Self {
        let Some((traps, answer)) = found else { return self };
        let moves = lines(game, answer).into_iter().map(|(line, trap)| Row { line, trap: Some(trap) });
        Self { traps: Some(Summary::new(*traps, answer)), moves: moves.collect(), ..self }
    }
}

pub(super) fn text(answer: &Answer) -> String {
    let known = &answer.known;
    let lines = format!(
        "{}\n\n{}\n{}\n{} to move: {}\n{}\n",
        answer.game,
        answer.board.trim_end(),
        known.position,
        known.side,
        known.value_text(),
        answer.coverage_text.as_ref().map_or_else(String::new, |covered| format!("({covered})\n"))
    );
    let plot = answer.plot.as_ref().map_or_else(String::new, |plot| format!("\nplot: {}\n", plot.display()));
    if answer.moves.is_empty() {
        return lines + "no moves: the game is over\n" + &plot;
    }
    let searched = answer.search.as_ref().map_or_else(String::new, Searched::text);
    let about = answer.traps.as_ref().map_or_else(String::new, Summary::text);
    let trap = answer.moves.first().and_then(|row| row.trap.as_ref());
    let mut titles = vec!["move", "value"];
    titles.extend(trap.map(OfMove::titles).unwrap_or_default());
    let rows: Vec<Vec<String>> = answer.moves.iter().map(Row::cells).collect();
    let is_ranked = known.is_ranked_draw() || answer.moves.iter().any(|row| row.line.is_ranked_draw());
    let ranks = if is_ranked { format!("\n{RANKS_IN_WORDS}") } else { String::new() };
    lines + &searched + &about + &table(&titles, &rows) + &ranks + &plot
}

impl Row {
    fn cells(&self) -> Vec<String> {
        let mut cells = vec![self.line.r#move.clone(), self.line.seen_by_mover()];
        cells.extend(self.trap.as_ref().map(OfMove::cells).unwrap_or_default());
        cells
    }
}
