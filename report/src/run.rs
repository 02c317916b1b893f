//! The report of a run: counts by value, by ply and by iteration, read from the manifest alone.

use nerode_games::Side;
use serde::Serialize;

use nerode_solver::archive::decimal::Decimal;
use nerode_solver::archive::run_dir::{Kind, SetName};
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::error::{Error, Result};
use nerode_solver::outcome::Outcome;
use nerode_solver::solve::method::{Chains, Method};

/// The numbers of positions, states and bytes of a set.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Counted {
    /// The number of positions.
    #[serde(with = "Decimal")]
    pub positions: u128,
    /// The number of states of the automata.
    pub num_states: u64,
    /// The size of the files in bytes.
    pub bytes: u64,
}

/// Positions by value for the side to move. In a meet-in-the-middle run, these are sums over the plies of that side.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ByValue {
    /// The won positions.
    pub win: Counted,
    /// The positions that are proved to be drawn.
    pub draw: Counted,
    /// The lost positions.
    pub loss: Counted,
    /// The positions that are undecided within the searched plies.
    pub unknown: Counted,
}

/// The positions of both sides.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sides {
    /// The positions with `P1` to move.
    #[serde(rename = "P1")]
    pub p1: ByValue,
    /// The positions with `P2` to move.
    #[serde(rename = "P2")]
    pub p2: ByValue,
}

/// The start position.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Start {
    /// The side to move.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["P1", "P2"])))]
    pub side: String,
    /// The value for that side: `win`, `draw`, `loss` or `unknown`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["win", "draw", "loss", "unknown"])))]
    pub category: String,
    /// The number of plies to the end, if the position is decided and depths were computed.
    pub dtw: Option<u32>,
    /// An upper bound of that number if it is not known exactly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dtw_at_most: Option<u32>,
}

impl Start {
    /// Creates the entry for a start position with `side` to move and the given outcome.
    pub fn new(side: Side, known: Outcome) -> Self {
        let depth = known.full_depth();
        let dtw_at_most = if depth.exact().is_none() { depth.bound() } else { None };
        Self { side: side.to_string(), category: known.name().into(), dtw: depth.exact(), dtw_at_most }
    }
}

/// The reachable positions of one ply.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ply {
    /// The ply i.
    pub ply: u32,
    /// The side to move.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["P1", "P2"])))]
    pub side: String,
    /// The number of positions, `|R_i|`.
    #[serde(with = "Decimal")]
    pub positions: u128,
    /// The number of these positions that the side to move wins.
    #[serde(with = "Decimal")]
    pub win: u128,
    /// The number of these positions that are drawn.
    #[serde(with = "Decimal")]
    pub draw: u128,
    /// The number of these positions that the side to move loses.
    #[serde(with = "Decimal")]
    pub loss: u128,
    /// The number of these positions that are undecided.
    #[serde(with = "Decimal")]
    pub unknown: u128,
    /// The number of states of `R_i`.
    pub num_states: u64,
    /// The total number of states of the sets by value.
    pub value_num_states: u64,
}

/// One retrograde iteration for one side.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Iteration {
    /// The iteration i.
    pub ply: u32,
    /// The side to move.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["P1", "P2"])))]
    pub side: String,
    /// The number of states of `W_i`.
    pub win_num_states: u64,
    /// The number of positions, `|W_i|`.
    #[serde(with = "Decimal")]
    pub win_positions: u128,
    /// The number of states of `L_i`.
    pub loss_num_states: u64,
    /// The number of positions, `|L_i|`.
    #[serde(with = "Decimal")]
    pub loss_positions: u128,
}

/// The results of a run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunReport {
    /// The canonical spec of the game.
    pub game: String,
    /// The fingerprint of the rules.
    pub fingerprint: String,
    /// The method.
    pub method: Method,
    /// The letter order.
    pub order: String,
    /// Whether every covered position has a proved value.
    pub complete: bool,
    /// The value of the start position.
    pub start: Start,
    /// The winner: `P1`, `P2` or `draw`, or `null` while it is unknown.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["P1", "P2", "draw", null])))]
    pub winner: Option<String>,
    /// The positions by value.
    pub sides: Sides,
    /// The number of decided positions per byte of the files that decide them.
    pub positions_per_byte: Option<f64>,
    /// The reachable positions by ply, if the run contains them.
    pub plies: Vec<Ply>,
    /// The growth of W_i and L_i.
    pub iterations: Vec<Iteration>,
}

/// Reads the report of a finished run.
///
/// # Errors
/// Returns an error if the run is unfinished or its files are damaged.
pub fn report(solution: &StoredRun) -> Result<RunReport> {
    let request = solution.run.request();
    let (board, side) = solution.game.start();
    let known = solution.get(&board, side)?;
    let winner = known.value().map(|value| match value {
        nerode_games::Value::Win => side.to_string(),
        nerode_games::Value::Loss => side.other().to_string(),
        nerode_games::Value::Draw => "draw".into(),
    });
    let sides = Sides { p1: by_value(solution, Side::P1)?, p2: by_value(solution, Side::P2)? };
    Ok(RunReport {
        game: request.game().to_string(),
        fingerprint: request.fingerprint().to_string(),
        method: request.method,
        order: request.order().to_string(),
        complete: solution.is_complete(),
        start: Start::new(side, known),
        winner,
        positions_per_byte: positions_per_byte(solution, &sides),
        sides,
        plies: plies(solution)?,
        iterations: iterations(solution)?,
    })
}

/// Returns the ratio as an approximation for display. Counts are exact everywhere else.
fn positions_per_byte(solution: &StoredRun, sides: &Sides) -> Option<f64> {
    let parts = [&sides.p1, &sides.p2].into_iter().flat_map(|s| [&s.win, &s.draw, &s.loss]);
    let (mut positions, mut bytes) = (0.0, 0u64);
    for part in parts {
        positions += part.positions as f64;
        bytes += part.bytes;
    }
    // Sets without files of their own are what remains of R_i.
    if solution.run.sets().any(|(_, entry)| entry.is_remainder()) {
        let is_reached = |name: &str| SetName::parse(name).is_some_and(|name| name.kind == Kind::R);
        let reached = solution.run.sets().filter(|(name, _)| is_reached(name));
        bytes += reached.map(|(_, entry)| entry.own_bytes()).sum::<u64>();
    }
    (bytes > 0).then(|| positions / bytes as f64)
}

fn by_value(solution: &StoredRun, side: Side) -> Result<ByValue> {
    match solution.method() {
        Method::Retrograde => {
            let last = solution.last_ply();
            let of = |kind| counted(solution, &[(kind, last)], side);
            let (win, loss) = (of(Kind::W)?, of(Kind::L)?);
            if solution.run.request().chains == Chains::One {
                let rest = Counted { positions: rest(solution, &win, &loss)?, ..Counted::default() };
                let none = Counted::default();
                let (draw, unknown) = if solution.is_complete() { (rest, none) } else { (none, rest) };
                return Ok(ByValue { win, draw, loss, unknown });
            }
            Ok(ByValue { win, draw: of(Kind::D)?, loss, unknown: of(Kind::U)? })
        }
        Method::Meet => {
            let last = solution.run.progress().forward.unwrap_or(0);
            let plies: Vec<u32> = (0..=last).filter(|&p| solution.side_at(p) == side).collect();
            let of = |kind| {
                let names: Vec<(Kind, u32)> = plies.iter().map(|&p| (kind, p)).collect();
                counted(solution, &names, side)
            };
            Ok(ByValue {
                win: of(Kind::RW)?,
                draw: of(Kind::RD)?,
                loss: of(Kind::RL)?,
                unknown: of(Kind::RU)?,
            })
        }
    }
}

/// Returns the number of positions that are neither won nor lost.
fn rest(solution: &StoredRun, win: &Counted, loss: &Counted) -> Result<u128> {
    let all = solution.game.shape().num_words().ok_or(nerode_dfa::Error::CountOverflow)?;
    let decided = win.positions.checked_add(loss.positions);
    decided
        .and_then(|decided| all.checked_sub(decided))
        .ok_or_else(|| Error::corrupt(solution.run.path(), "its counts exceed the number of words"))
}

fn counted(solution: &StoredRun, names: &[(Kind, u32)], side: Side) -> Result<Counted> {
    let (mut positions, mut states, mut bytes) = (0u128, 0, 0);
    for &(kind, ply) in names {
        let entry = solution.entry(kind, side, ply)?;
        positions = positions.saturating_add(entry.num_positions());
        states += entry.num_states();
        bytes += entry.own_bytes();
    }
    Ok(Counted { positions, num_states: states, bytes })
}

fn plies(solution: &StoredRun) -> Result<Vec<Ply>> {
    if solution.method() != Method::Meet {
        return Ok(Vec::new());
    }
    let last = solution.run.progress().forward.unwrap_or(0);
    (0..=last)
        .map(|ply| {
            let side = solution.side_at(ply);
            let of = |kind| solution.entry(kind, side, ply);
            let (win, draw, loss, unknown) = (of(Kind::RW)?, of(Kind::RD)?, of(Kind::RL)?, of(Kind::RU)?);
            let all = of(Kind::R)?;
            Ok(Ply {
                ply,
                side: side.to_string(),
                positions: all.num_positions(),
                win: win.num_positions(),
                draw: draw.num_positions(),
                loss: loss.num_positions(),
                unknown: unknown.num_positions(),
                num_states: all.num_states(),
                value_num_states: win.num_states()
                    + draw.num_states()
                    + loss.num_states()
                    + unknown.num_states(),
            })
        })
        .collect()
}

fn iterations(solution: &StoredRun) -> Result<Vec<Iteration>> {
    let mut all = Vec::new();
    // A run without retrograde plies has no sets W and L.
    let Some(last) = solution.run.progress().backward else { return Ok(all) };
    for i in 0..=last {
        for side in Side::BOTH {
            let (win, loss) = (solution.entry(Kind::W, side, i)?, solution.entry(Kind::L, side, i)?);
            all.push(Iteration {
                ply: i,
                side: side.to_string(),
                win_num_states: win.num_states(),
                win_positions: win.num_positions(),
                loss_num_states: loss.num_states(),
                loss_positions: loss.num_positions(),
            });
        }
    }
    Ok(all)
}
