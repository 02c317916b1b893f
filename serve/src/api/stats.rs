//! The request `{id}/stats`, which returns the statistics of a solution.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State as Shared;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use nerode_games::{Side, Value};
use schemars::JsonSchema;
use serde::Serialize;

use super::shared::{SCHEMA_VERSION, solution};
use crate::caching::{Cached, tagged, unchanged};
use crate::extract::PathParams;
use crate::problem::{Outcome, Problem};
use crate::state::State;
use crate::work::{Wanted, Weight};
use nerode_report::lines::category;
use nerode_report::sector_list::{ListedSector, list_sectors};
use nerode_report::summary::summary;
use nerode_report::summary::{Deepest, HowMany};
use nerode_solver::solve::resources::Resources;
use nerode_solver::stored::{Coverage, Holds, ListedAutomaton, Solution};

/// The memory cap of the search for the longest games.
pub(super) const MEMORY: u64 = 1 << 30;
/// The number of states of a set above which a solution is not searched for the longest games, because it would take
/// too long.
pub(super) const SEARCHED_STATES: u64 = 2_000_000;

/// The statistics of a solution.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Stats {
    schema_version: u32,
    game: String,
    complete: bool,
    /// The positions that the counts refer to: those that the solution covers. Reached positions count once for every ply
    /// at which they occur.
    covers: Coverage,
    /// The numbers of positions by value for the side to move. The list is empty for a solution without sets.
    counts: Vec<Counts>,
    /// The automata of the solution.
    sets: Vec<SetLine>,
    /// The sectors of the solution, if it is one of a morris game by sectors.
    sectors: Vec<SectorRow>,
    /// The longest wins and losses. The list is empty if the sets are too large for the search.
    longest: Vec<Longest>,
}

/// The numbers of positions with one side to move, as decimal strings.
#[derive(Serialize, JsonSchema)]
struct Counts {
    side: String,
    win: String,
    draw: String,
    loss: String,
    unknown: String,
}

/// An automaton of the solution: a set of positions, or a map from positions to values.
#[derive(Serialize, JsonSchema)]
struct SetLine {
    /// Its name, such as `W-P1-003`.
    set: String,
    /// The kind of positions: `W`, `L` or `D` for those that are won, lost or drawn within `ply` plies, `R` for those that
    /// are reached after `ply` plies, and so on; in a sector, those that end in exactly `ply` plies. `V` returns values.
    kind: String,
    side: String,
    ply: u32,
    /// The sector to which the positions belong, or null for a solution without sectors.
    sector: Option<String>,
    /// Whether its answers mean something only for some positions, such as those that play reaches at its ply.
    partial: bool,
    num_states: u64,
    /// The number of accepted positions, or null if it is not stored.
    positions: Option<String>,
}

/// A sector: the positions with certain numbers of stones.
#[derive(Serialize, JsonSchema)]
struct SectorRow {
    /// Its name, such as `4-3-0-0`: the stones of the side to move and of the other side on the board, and then those in
    /// hand.
    sector: String,
    /// The number of boards with one side to move.
    positions: String,
    bytes: u64,
    /// The values that occur: `win`, `draw`, `loss`. The list is empty if they are not known.
    values: Vec<&'static str>,
    /// The number of orbits, in which symmetric positions count once, if `win`, `draw` and `loss` are numbers of orbits; otherwise null.
    orbits: Option<String>,
    /// The numbers of positions or orbits by value, or null if they were not counted.
    win: Option<String>,
    draw: Option<String>,
    loss: Option<String>,
    longest_win: Option<u32>,
    longest_loss: Option<u32>,
}

/// The longest wins or losses of a side.
#[derive(Serialize, JsonSchema)]
struct Longest {
    side: String,
    category: &'static str,
    dtw: u32,
    /// The number of positions with this depth, or null if orbits were counted.
    positions: Option<String>,
    /// The number of orbits with this depth, in which symmetric positions count once, or null if positions were counted.
    orbits: Option<String>,
    /// One of these positions.
    position: String,
}

pub(super) async fn get(
    Shared(state): Shared<Arc<State>>,
    cached: Cached,
    PathParams(id): PathParams<String>,
) -> Outcome<Response> {
    let solution = solution(&state, &id)?;
    let tag = cached.tag_of(&solution);
    if cached.is_known(&tag) {
        return Ok(unchanged(&tag));
    }
    let body = match state.stats.get(&id, &solution) {
        Some(body) => body,
        None => {
            let (shared, of) = (Arc::clone(&state), id.clone());
            state.workers.run(Weight::Heavy, move |wanted| found(&shared, &of, &solution, wanted)).await?
        }
    };
    Ok(tagged(([(header::CONTENT_TYPE, "application/json")], body).into_response(), &tag))
}

/// Returns the document, which another request may have computed while this one waited for its turn.
fn found(state: &State, id: &str, solution: &Arc<Solution>, wanted: &Wanted) -> Outcome<Bytes> {
    if let Some(body) = state.stats.get(id, solution) {
        return Ok(body);
    }
    let body = serde_json::to_vec(&stats_of(solution, wanted)?);
    let body = Bytes::from(body.map_err(|error| Problem::internal(error.to_string()))?);
    state.stats.put(id, solution, body.clone());
    Ok(body)
}

/// Computes the statistics of a solution.
pub(crate) fn stats_of(solution: &Arc<Solution>, wanted: &Wanted) -> Outcome<Stats> {
    let game = solution.game();
    let problem = |error| Problem::of(&error, game);
    let sets = solution.sets();
    let is_small = sets.iter().all(|set| set.num_states() <= SEARCHED_STATES);
    let resources =
        Resources { memory: MEMORY, threads: 1, interrupt: wanted.flag(), ..Resources::default() };
    let mut longest = match solution.run() {
        Ok(run) if is_small => summary(run, &resources).map_err(problem)?.longest,
        _ => Vec::new(),
    };
    let (sectors, longest_of_sectors) = list_sectors(&***solution, &wanted.flag()).map_err(problem)?;
    longest.extend(longest_of_sectors);
    Ok(Stats {
        schema_version: SCHEMA_VERSION,
        game: game.spec(),
        complete: solution.is_complete(),
        covers: solution.coverage(),
        counts: Side::BOTH.into_iter().filter_map(|side| counts(solution, side)).collect(),
        sets: solution.automata().map_err(problem)?.into_iter().map(set_line).collect(),
        sectors: sectors.iter().map(sector_row).collect(),
        longest: longest.into_iter().map(longest_line).collect(),
    })
}

/// Counts positions by value. Returns `None` if the solution does not support counting.
fn counts(solution: &Solution, side: Side) -> Option<Counts> {
    let of = |value| solution.count(side, value).ok().map(|count| count.to_string());
    Some(Counts {
        side: side.to_string(),
        win: of(Some(Value::Win))?,
        draw: of(Some(Value::Draw))?,
        loss: of(Some(Value::Loss))?,
        unknown: of(None)?,
    })
}

fn set_line(listed: ListedAutomaton) -> SetLine {
    SetLine {
        kind: match listed.holds {
            Holds::Set(kind) => format!("{kind:?}"),
            Holds::Exactly(Value::Win) => "W".into(),
            Holds::Exactly(Value::Draw) => "D".into(),
            Holds::Exactly(Value::Loss) => "L".into(),
            Holds::Reached => "R".into(),
            Holds::Values => "V".into(),
        },
        set: listed.name,
        side: listed.side.to_string(),
        ply: listed.ply,
        sector: listed.sector,
        partial: listed.is_partial,
        num_states: listed.num_states,
        positions: listed.num_positions.map(|positions| positions.to_string()),
    }
}

fn sector_row(listed: &ListedSector) -> SectorRow {
    let [win, draw, loss] = [0, 1, 2].map(|at| listed.counts.map(|counts| counts[at].to_string()));
    let [longest_win, longest_loss] = listed.longest;
    SectorRow {
        sector: listed.sector.to_string(),
        positions: listed.num_positions.to_string(),
        bytes: listed.bytes,
        values: listed.values.iter().map(|&value| category(Some(value), true)).collect(),
        orbits: listed
            .counts
            .filter(|_| listed.in_orbits)
            .map(|counts| counts.iter().sum::<u128>().to_string()),
        win,
        draw,
        loss,
        longest_win,
        longest_loss,
    }
}

fn longest_line(line: Deepest) -> Longest {
    let (positions, orbits) = match line.count {
        HowMany::Positions(count) => (Some(count.to_string()), None),
        HowMany::Orbits(count) => (None, Some(count.to_string())),
    };
    Longest {
        side: line.side,
        category: line.category,
        dtw: line.dtw,
        positions,
        orbits,
        position: line.position,
    }
}
