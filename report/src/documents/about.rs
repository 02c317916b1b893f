//! A solution and its game.

use serde::Serialize;

use super::SCHEMA_VERSION;
use nerode_solver::error::Result;
use nerode_solver::solve::method::Method;
use nerode_solver::stored::{Coverage, DepthSource, Solution};

/// A solution and its game.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct About {
    schema_version: u32,
    game: String,
    id: String,
    fingerprint: String,
    digest: String,
    form: String,
    complete: bool,
    ply_so_far: Option<u32>,
    /// A problem that does not prevent it from answering.
    warning: Option<String>,
    /// The rules in words.
    rules: String,
    /// The notation of positions.
    position_form: String,
    /// The start position.
    start: String,
    /// The method by which positions were decided, or null if the directory does not record it.
    method: Option<Method>,
    /// The positions that the solution covers.
    covers: Coverage,
    /// Where the depths come from.
    depths: DepthSource,
    /// The method, the coverage and the source of depths in words.
    coverage_text: String,
    /// Whether the solution covers the start position.
    pub covers_start: bool,
    /// A position to begin with: the start position, or another one that the solution covers.
    pub begin: String,
    /// Whether the start position is only an example, as in endgames.
    begins_anywhere: bool,
    /// The names of P1 and P2, or null if the rules do not name them.
    sides: Option<[String; 2]>,
    /// The players that are available with this solution.
    pub players: Vec<&'static str>,
    /// Whether its sets can be displayed.
    pub has_sets: bool,
}

impl About {
    /// Describes a solution, without players and sets, where play begins at the start position. Cost: one look-up.
    ///
    /// # Errors
    /// Returns the errors of queries.
    pub fn new(id: String, solution: &Solution) -> Result<Self> {
        let game = solution.game();
        let start = game.start_position();
        let text = game.format_position(&start);
        Ok(Self {
            schema_version: SCHEMA_VERSION,
            game: game.spec(),
            id,
            fingerprint: game.fingerprint(),
            digest: solution.digest().into(),
            form: solution.form(),
            complete: solution.is_complete(),
            ply_so_far: solution.ply_so_far(),
            warning: solution.warning(),
            rules: game.rules(),
            position_form: game.position_form(),
            begin: text.clone(),
            start: text,
            method: solution.method(),
            covers: solution.coverage(),
            depths: solution.depth_source(),
            coverage_text: solution.coverage_text(),
            covers_start: solution.look_up(&start)?.is_covered(),
            begins_anywhere: game.begins_anywhere(),
            sides: game.side_names(),
            players: Vec::new(),
            has_sets: false,
        })
    }
}
