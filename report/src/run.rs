//! What a run says about itself: counts by value, by ply and by iteration, read from the manifest alone.

use nerode_games::Side;
use serde::Serialize;

use nerode_solver::archive::decimal;
use nerode_solver::archive::run_dir::Kind;
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::error::{Error, Result};
use nerode_solver::outcome::Outcome;
use nerode_solver::solve::method::{Chains, Method};

/// Number of positions, states and bytes of a set.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Counted {
    /// Positions.
    #[serde(with = "decimal")]
    pub positions: u128,
    /// States of the automata.
    pub num_states: u64,
    /// Bytes of the files.
    pub bytes: u64,
}

/// Positions by value for the side to move. In a meet-in-the-middle run: sums over the plies of that side.
#[derive(Clone, Debug, Serialize)]
pub struct ByValue {
    /// Won.
    pub win: Counted,
    /// Drawn, proved.
    pub draw: Counted,
    /// Lost.
    pub loss: Counted,
    /// Undecided within the plies searched.
    pub unknown: Counted,
}

/// Both sides.
#[derive(Clone, Debug, Serialize)]
pub struct Sides {
    /// `P1` to move.
    #[serde(rename = "P1")]
    pub p1: ByValue,
    /// `P2` to move.
    #[serde(rename = "P2")]
    pub p2: ByValue,
}

/// The start position.
#[derive(Clone, Debug, Serialize)]
pub struct Start {
    /// Who moves.
    pub side: String,
    /// `win`, `draw`, `loss` or `unknown`, for that side.
    pub category: String,
    /// Plies to the end, if decided and computed.
    pub dtw: Option<u32>,
}

impl Start {
    /// What is known of the start position, where `side` is to move.
    pub fn new(side: Side, known: Outcome) -> Self {
        Self { side: side.to_string(), category: known.name().into(), dtw: known.depth() }
    }
}

/// The reachable positions of one ply.
#[derive(Clone, Debug, Serialize)]
pub struct Ply {
    /// i.
    pub ply: u32,
    /// Who moves.
    pub side: String,
    /// `|R_i|`.
    #[serde(with = "decimal")]
    pub positions: u128,
    /// Of these, won by the side to move.
    #[serde(with = "decimal")]
    pub win: u128,
    /// Of these, drawn.
    #[serde(with = "decimal")]
    pub draw: u128,
    /// Of these, lost.
    #[serde(with = "decimal")]
    pub loss: u128,
    /// Of these, undecided.
    #[serde(with = "decimal")]
    pub unknown: u128,
    /// States of `R_i`.
    pub num_states: u64,
    /// States of the sets by value together.
    pub value_num_states: u64,
}

/// One retrograde iteration of one side.
#[derive(Clone, Debug, Serialize)]
pub struct Iteration {
    /// i.
    pub ply: u32,
    /// The side to move.
    pub side: String,
    /// States of `W_i`.
    pub win_num_states: u64,
    /// `|W_i|`.
    #[serde(with = "decimal")]
    pub win_positions: u128,
    /// States of `L_i`.
    pub loss_num_states: u64,
    /// `|L_i|`.
    #[serde(with = "decimal")]
    pub loss_positions: u128,
}

/// What a run found.
#[derive(Clone, Debug, Serialize)]
pub struct RunReport {
    /// Canonical game spec.
    pub game: String,
    /// Fingerprint of the rules.
    pub fingerprint: String,
    /// Method.
    pub method: Method,
    /// Letter order.
    pub order: String,
    /// Whether every position covered has a proved value.
    pub complete: bool,
    /// Value of the start position.
    pub start: Start,
    /// `P1`, `P2` or `draw`; `null` while unknown.
    pub winner: Option<String>,
    /// Positions by value.
    pub sides: Sides,
    /// Decided positions per byte of the files that decide them.
    pub positions_per_byte: Option<f64>,
    /// Reachable positions by ply, where the run holds them.
    pub plies: Vec<Ply>,
    /// Growth of W_i and L_i.
    pub iterations: Vec<Iteration>,
}

/// Reads the report of a finished run.
///
/// # Errors
/// A run that is not finished; damaged files.
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
        positions_per_byte: positions_per_byte(&sides),
        sides,
        plies: plies(solution)?,
        iterations: iterations(solution)?,
    })
}

/// A ratio for people; counts stay exact elsewhere.
fn positions_per_byte(sides: &Sides) -> Option<f64> {
    let parts = [&sides.p1, &sides.p2].into_iter().flat_map(|s| [&s.win, &s.draw, &s.loss]);
    let (mut positions, mut bytes) = (0.0, 0u64);
    for part in parts {
        positions += part.positions as f64;
        bytes += part.bytes;
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

/// Positions that are neither won nor lost.
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
