//! The key results of a run, in the few numbers of most interest.

use nerode_dfa::{Set, Store};
use nerode_games::Side;
use serde::Serialize;

use nerode_solver::archive::decimal::Decimal;
use nerode_solver::archive::run_dir::Kind;
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::error::{Error, Result};
use nerode_solver::solve::method::{Chains, Method};
use nerode_solver::solve::resources::Resources;

/// The positions with the longest win.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LongestWin {
    /// The side to move, which wins.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["P1", "P2"])))]
    pub side: String,
    /// The number of plies to the end of the game.
    pub dtw: u32,
    /// The number of positions with this depth. Only admissible positions count if the game defines them.
    #[serde(with = "Decimal")]
    pub positions: u128,
}

/// The key results of a run, apart from its counts.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Headline {
    /// The longest win of a game that may begin from any position.
    pub longest_win: Option<LongestWin>,
    /// The number of admissible positions with a proved value per byte of the files that decide all positions.
    pub admissible_positions_per_byte: Option<f64>,
}

/// Returns the key results of a run. They are empty for a run that does not decide every position.
///
/// Cost: counting the admissible positions and, for a game that may begin from any position, reading the sets of the
/// deepest plies.
///
/// # Errors
/// Returns an error if files are damaged, if memory is exhausted, or if the user interrupts.
pub fn headline(run: &StoredRun, resources: &Resources) -> Result<Headline> {
    if run.method() != Method::Retrograde || !run.is_complete() {
        return Ok(Headline::default());
    }
    let mut store = Store::new(run.game.shape().clone(), resources.memory)?;
    store.set_threads(resources.threads)?;
    store.set_interrupt(std::sync::Arc::clone(&resources.interrupt));
    let mut admissible = Vec::new();
    for side in Side::BOTH {
        admissible.push(run.game.admissible(&mut store, side)?);
    }
    let longest_win = if run.game.begins_anywhere() {
        let mut wins = Vec::new();
        for (side, members) in Side::BOTH.into_iter().zip(&admissible) {
            wins.extend(longest_win(run, &mut store, side, members.as_ref())?);
        }
        // If both sides have equally long wins, those of P1 are reported.
        wins.into_iter().rev().max_by_key(|win| win.dtw)
    } else {
        None
    };
    Ok(Headline { longest_win, admissible_positions_per_byte: per_byte(run, &store, &admissible)? })
}

/// Returns the longest wins of `side` among `members`.
fn longest_win(
    run: &StoredRun,
    store: &mut Store,
    side: Side,
    members: Option<&Set>,
) -> Result<Option<LongestWin>> {
    if !run.run.request().chains.has_wins(side) {
        return Ok(None);
    }
    let load = |store: &mut Store, ply| -> Result<Set> {
        let set = store.import(&run.read(Kind::W, side, ply)?)?;
        Ok(match members {
            Some(members) => store.intersection(&set, members)?,
            None => set,
        })
    };
    let mut later = load(store, run.last_ply())?;
    for plies in (0..=run.last_ply()).rev() {
        let before = match plies.checked_sub(1).map(|before| load(store, before)) {
            None => store.empty(),
            Some(Err(Error::NotKept { .. })) => return Ok(None),
            Some(before) => before?,
        };
        let new = store.difference(&later, &before)?;
        if !new.is_empty() {
            let positions = store.count(&new)?;
            return Ok(Some(LongestWin { side: side.to_string(), dtw: plies, positions }));
        }
        later = before;
    }
    Ok(None)
}

/// Returns the number of admissible positions per byte of the final sets, if the game defines admissible positions.
fn per_byte(run: &StoredRun, store: &Store, admissible: &[Option<Set>]) -> Result<Option<f64>> {
    let (mut positions, mut bytes) = (0u128, 0);
    for set in admissible {
        let Some(set) = set else { return Ok(None) };
        positions = positions.saturating_add(store.count(set)?);
    }
    let kinds: &[Kind] = match run.run.request().chains {
        Chains::Both => &[Kind::W, Kind::L, Kind::D],
        Chains::One => &[Kind::W, Kind::L],
    };
    for side in Side::BOTH {
        for &kind in kinds {
            let entry = run.entry(kind, side, run.last_ply())?;
            bytes += entry.own_bytes();
        }
    }
    Ok((bytes > 0).then(|| positions as f64 / bytes as f64))
}
