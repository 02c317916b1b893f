//! Counts the ply after the last ply of a retrograde run without storing its sets, which may not fit into memory or
//! onto disk.

use nerode_dfa::Dfa;
use nerode_games::Side;
use serde::{Serialize, Serializer};

use crate::archive::decimal::Decimal;
use crate::archive::run_dir::Kind;
use crate::archive::stored_run::StoredRun;
use crate::error::{Error, Result};
use crate::solve::engine::Engine;
use crate::solve::method::{Chains, Method};
use crate::solve::resources::Resources;
use crate::solve::retrograde::{count_losses, count_wins};

/// The numbers of positions with one side to move that are decided within the counted ply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NextPly {
    /// The side to move.
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("enum" = ["P1", "P2"])))]
    pub side: Side,
    /// `|W_i|`.
    #[serde(with = "Decimal")]
    pub win: u128,
    /// `|L_i|`.
    #[serde(with = "Decimal")]
    pub loss: u128,
    /// The number of words in neither set: undecided so far, or drawn by the rules.
    #[serde(with = "Decimal")]
    pub neither: u128,
}

fn as_text<S: Serializer>(side: &Side, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.collect_str(side)
}

/// Returns `|W_i|` and `|L_i|` for both sides in order, where i - 1 is the last ply of the run.
///
/// Cost: one pass without states for each set that has changed since the previous ply. Only the inputs of these passes
/// are read.
///
/// # Errors
/// Returns [`Error::NoRetrogradePly`], or an error if a set cannot be read, memory is exhausted, the disk is too full
/// for scratch files, or the computation is interrupted.
pub fn count_next(solution: &StoredRun, resources: &Resources) -> Result<Vec<NextPly>> {
    let path = solution.run.path();
    if solution.method() != Method::Retrograde || solution.run.manifest.progress.backward.is_none() {
        return Err(Error::NoRetrogradePly { path: path.into() });
    }
    let mut engine = Engine::new(solution.game.clone(), resources, Some(path.into()))?;
    let one = solution.run.manifest.request.chains == Chains::One;
    let mut counts = [[0; 2]; 2];
    for winner in Side::BOTH {
        let loser = winner.other();
        let [win, loss] = if one && winner == Side::P2 {
            // The other chain is the mirror image.
            [counts[0][loser.index()], counts[1][winner.index()]]
        } else {
            [
                next(solution, (Kind::W, winner), (Kind::L, loser), |set| {
                    count_wins(&mut engine, winner, set)
                })?,
                next(solution, (Kind::L, loser), (Kind::W, winner), |set| {
                    count_losses(&mut engine, loser, set)
                })?,
            ]
        };
        (counts[0][winner.index()], counts[1][loser.index()]) = (win, loss);
    }
    let all = Dfa::full(solution.game.shape()).count()?;
    let of = |side: Side| {
        let [win, loss] = [counts[0][side.index()], counts[1][side.index()]];
        let neither = all.saturating_sub(win).saturating_sub(loss);
        NextPly { side, win, loss, neither }
    };
    Ok(Side::BOTH.map(of).into())
}

/// Returns the number of positions of the next set of one kind and side. Applies `count` to the set from which it is
/// computed, unless that set is the same as in the previous ply.
fn next(
    solution: &StoredRun,
    (kind, side): (Kind, Side),
    (from, other): (Kind, Side),
    count: impl FnOnce(&Dfa) -> Result<u128>,
) -> Result<u128> {
    let ply = solution.last_ply();
    let entry = solution.entry(from, other, ply)?;
    if ply > 0 && solution.entry(from, other, ply - 1)?.stored == entry.stored {
        return Ok(solution.entry(kind, side, ply)?.num_positions);
    }
    count(&solution.run.read(entry)?)
}
