//! All positions of a value and depth, as a set.

use nerode_dfa::Dfa;
use nerode_games::{Game, Side, Value};

use super::{DepthSource, Stored};
use crate::archive::run_dir::Kind;
use crate::error::Result;
use crate::solve::method::Method;
use crate::solve::resources::Resources;

/// Returns the admissible positions with `side` to move, or all words if the game has no rule for them.
///
/// # Errors
/// Returns an error if memory is exhausted or the computation is interrupted.
pub fn admissible(game: &dyn Game, side: Side, resources: &Resources) -> Result<Dfa> {
    let mut store = resources.store(game.shape())?;
    let set = game.admissible(&mut store, side)?;
    Ok(set.map_or_else(|| Dfa::full(game.shape()), |set| store.freeze(&set)))
}

impl dyn Stored {
    /// Returns the admissible positions with `side` to move that have this value and, if a depth is given, end in exactly `depth`
    /// plies. Returns `None` if the solution is not stored as sets of words, or without the depths that this takes.
    ///
    /// Cost: for a depth of a retrograde run, reads two sets; otherwise, that of [`Stored::outcome_map`].
    ///
    /// # Errors
    /// Returns the same errors as [`Stored::outcome_map`].
    pub fn positions_of(
        &self,
        side: Side,
        value: Value,
        depth: Option<u32>,
        resources: &Resources,
    ) -> Result<Option<Dfa>> {
        let found = self.words_of(side, value, depth, resources)?;
        let admissible = |found: Dfa| Ok(found.and(&admissible(self.game(), side, resources)?)?);
        found.map(admissible).transpose()
    }

    fn words_of(
        &self,
        side: Side,
        value: Value,
        depth: Option<u32>,
        resources: &Resources,
    ) -> Result<Option<Dfa>> {
        if let (Ok(run), Some(depth)) = (self.run(), depth)
            && run.method() == Method::Retrograde
        {
            let kind = match value {
                Value::Win => Kind::W,
                Value::Loss => Kind::L,
                Value::Draw => return Ok(Some(Dfa::empty(run.game.shape()))),
            };
            if depth > run.last_ply() {
                return Ok(Some(Dfa::empty(run.game.shape())));
            }
            // The first set that is kept also contains what was decided at earlier plies.
            if run.first_kept(kind, side)? >= depth.max(1) {
                return Ok(None);
            }
            // Mirror images of sets are contained in the outcomes below.
            if !run.entry(kind, side, depth)?.is_mirror() {
                let within = run.read(kind, side, depth)?;
                let before = match depth.checked_sub(1) {
                    Some(before) => run.read(kind, side, before)?,
                    None => Dfa::empty(run.game.shape()),
                };
                return Ok(Some(within.minus(&before)?));
            }
        } else if depth.is_some() && self.depth_source() != DepthSource::Stored {
            return Ok(None);
        }
        let Some(outcomes) = self.outcome_map(side, resources)? else { return Ok(None) };
        let map = outcomes.in_order_of(self.game(), resources)?;
        let is_wanted = |code| {
            outcomes.outcome(code).is_some_and(|outcome| {
                outcome.value() == Some(value) && depth.is_none_or(|depth| outcome.depth() == Some(depth))
            })
        };
        Ok(Some(map.select(is_wanted)?))
    }
}
