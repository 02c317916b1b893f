//! Summary of a run: its largest sets, its size in bytes, and the longest wins and losses with an example position each.

use std::collections::BTreeMap;

use nerode_dfa::{Dfa, Passes};
use nerode_games::{Position, Side};
use serde::Serialize;

use nerode_solver::archive::decimal::Decimal;
use nerode_solver::archive::run_dir::{Kind, SetEntry, SetName};
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::error::{Error, Result};
use nerode_solver::solve::method::{Chains, Method};
use nerode_solver::solve::resources::Resources;
use nerode_solver::stored::admissible;

/// The summary of a run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Summary {
    /// The canonical spec of the game.
    pub game: String,
    /// The method.
    pub method: Method,
    /// The computed chains, for retrograde analysis.
    pub chains: Option<Chains>,
    /// The letter order.
    pub order: String,
    /// Whether the solve finished, or reached the requested number of plies.
    pub finished: bool,
    /// Whether every covered position has a proved value.
    pub complete: bool,
    /// The last ply: backward for a retrograde run, forward for a run from the start position.
    pub last_ply: u32,
    /// The number of sets.
    pub num_sets: usize,
    /// The size of their files in bytes.
    pub bytes: u64,
    /// The set with the most states for each kind and side.
    pub largest: Vec<Largest>,
    /// Whether the run contains the depths of all positions. Otherwise, the longest wins or losses may be missing.
    pub has_depths: bool,
    /// The longest wins and losses, or an empty list if the run does not contain depths.
    pub longest: Vec<Deepest>,
}

/// A set in the list of the largest ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Largest {
    /// The name, such as `W-P1-007`, which consists of kind, side to move and ply.
    pub set: String,
    /// The number of states.
    pub num_states: u64,
    /// The number of positions.
    #[serde(with = "Decimal")]
    pub positions: u128,
    /// The size of the file in bytes, or 0 for a set that has no file because it is the complement of other sets in `R_i`.
    pub bytes: u64,
}

/// A number of positions, counted individually or up to symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum HowMany {
    /// The number of individual positions.
    Positions(#[serde(with = "Decimal")] u128),
    /// The number of positions up to symmetry.
    Orbits(#[serde(with = "Decimal")] u128),
}

/// The longest wins or losses of a side to move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Deepest {
    /// The side to move.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["P1", "P2"])))]
    pub side: String,
    /// The value for that side, `win` or `loss`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["win", "loss"])))]
    pub category: &'static str,
    /// The number of plies to the end of the game.
    pub dtw: u32,
    /// The number of admissible positions with this depth.
    #[serde(flatten)]
    pub count: HowMany,
    /// One of these positions.
    pub position: String,
}

/// Reads the summary of a run, which may be unfinished. If the game defines admissible positions, only these count
/// among the longest wins and losses.
///
/// Cost: one pass over the sets of the deepest plies, under the memory cap.
///
/// # Errors
/// Returns an error if files are damaged or the user interrupts.
pub fn summary(solution: &StoredRun, resources: &Resources) -> Result<Summary> {
    let (request, progress) = (solution.run.request(), solution.run.progress());
    let retrograde = solution.method() == Method::Retrograde;
    let kept = solution.run.sets().filter(|(_, entry)| !entry.is_dropped());
    let stored: BTreeMap<&str, u64> = kept.map(|(_, entry)| (entry.file(), entry.stored().bytes())).collect();
    Ok(Summary {
        game: request.game().to_string(),
        method: request.method,
        chains: retrograde.then_some(request.chains),
        order: request.order().to_string(),
        finished: progress.finished,
        complete: solution.is_complete(),
        last_ply: if retrograde { solution.last_ply() } else { progress.forward.unwrap_or(0) },
        num_sets: solution.run.sets().filter(|(_, entry)| !entry.is_mirror()).count(),
        bytes: stored.values().sum(),
        largest: largest(solution),
        has_depths: retrograde && solution.has_depths(),
        longest: if retrograde && progress.backward.is_some() {
            longest(solution, resources)?
        } else {
            Vec::new()
        },
    })
}

fn largest(solution: &StoredRun) -> Vec<Largest> {
    let mut found: BTreeMap<(Kind, Side), (SetName, &SetEntry)> = BTreeMap::new();
    for (name, entry) in
        solution.run.sets().filter(|(_, entry)| !entry.is_mirror() && entry.num_positions() > 0)
    {
        let Some(name) = SetName::parse(name) else { continue };
        let slot = found.entry((name.kind, name.side)).or_insert((name, entry));
        if entry.num_states() > slot.1.num_states() {
            *slot = (name, entry);
        }
    }
    let line = |(name, entry): (SetName, &SetEntry)| Largest {
        set: name.to_string(),
        num_states: entry.num_states(),
        positions: entry.num_positions(),
        bytes: entry.own_bytes(),
    };
    found.into_values().map(line).collect()
}

/// Returns the longest wins and losses of both sides, as far as memory suffices to find them.
fn longest(solution: &StoredRun, resources: &Resources) -> Result<Vec<Deepest>> {
    let passes = resources.passes(None)?;
    let mut found = Vec::new();
    for side in Side::BOTH {
        for (kind, category) in [(Kind::W, "win"), (Kind::L, "loss")] {
            match deepest(solution, &passes, resources, kind, side) {
                Ok(Some((dtw, set, position))) => found.push(Deepest {
                    side: side.to_string(),
                    category,
                    dtw,
                    count: HowMany::Positions(set.count()?),
                    position: solution.game.format_position(&position),
                }),
                Ok(None) | Err(Error::NotKept { .. }) => {}
                Err(error) if error.is_out_of_room() => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok(found)
}

/// The largest number of positions that are searched for a legal one.
const LOOKED_AT: usize = 10_000;

/// Returns the admissible positions of the greatest depth, and one of them with `side` to move, preferably a legal one. If a
/// set is stored as the mirror image of the opponent's set, the search uses the opponent's set and maps the position back.
fn deepest(
    solution: &StoredRun,
    passes: &Passes,
    resources: &Resources,
    kind: Kind,
    side: Side,
) -> Result<Option<(u32, Dfa, Position)>> {
    let last = solution.last_ply();
    let mirror = solution.entry(kind, side, last)?.is_mirror();
    let stored = if mirror { side.other() } else { side };
    let positions_at = |ply: u32| -> Result<u128> { Ok(solution.entry(kind, stored, ply)?.num_positions()) };
    let admissible = admissible(solution.game.as_ref(), stored, resources)?;
    for ply in (0..=last).rev() {
        let before = if ply == 0 { 0 } else { positions_at(ply - 1)? };
        if positions_at(ply)? == before {
            continue;
        }
        let now = solution.read(kind, stored, ply)?;
        let earlier = match ply {
            0 => Dfa::empty(now.shape()),
            _ => solution.read(kind, stored, ply - 1)?,
        };
        let new = passes.combine(&[&now, &earlier, &admissible], |x| x[0] && !x[1] && x[2])?;
        let swap = solution.game.side_swap().filter(|_| mirror);
        let position = |word: Vec<u8>| {
            let board = solution.game.board_of(&word);
            Position { board: swap.as_ref().map_or_else(|| board.clone(), |swap| swap.apply(&board)), side }
        };
        let legal = |at: &Position| solution.game.why_illegal(&at.board, at.side).is_none();
        let found = new.words().take(LOOKED_AT).map(position).find(legal);
        let Some(found) = found.or_else(|| new.words().next().map(position)) else { continue };
        return Ok(Some((ply, new, found)));
    }
    Ok(None)
}
