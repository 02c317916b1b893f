//! The destinations of the turns of a sector's positions, by kind of turn.

use std::sync::Arc;

use nerode_games::morris::{Rules, Turn};

use crate::ranked::table::{RankedTable, RankedTables};
use crate::tables::Sector;
use nerode_solver::error::{Error, Result};

/// The destination of a kind of turn.
#[derive(Clone, Copy)]
pub(super) enum Target<'a> {
    /// None: such turns do not exist here, or end the game.
    Over,
    /// The sector of the unit itself that turns lead to.
    Inside,
    /// A sector that has already been ranked.
    Beside(&'a RankedTable),
}

/// Targets by kind of turn: whether a stone is placed, and how many stones are taken.
pub(super) struct Targets<'a>([[Target<'a>; 3]; 2]);

impl<'a> Targets<'a> {
    /// Determines the targets of the turns of `sector`, which belongs to the unit `unit`.
    pub(super) fn new(
        rules: &Rules,
        unit: &[RankedTable],
        sector: Sector,
        known: &'a RankedTables,
    ) -> Result<Self> {
        let mut targets = [[Target::Over; 3]; 2];
        for (kind, places) in targets.iter_mut().zip([false, true]) {
            for (target, taken) in kind.iter_mut().zip(0..) {
                let Some(child) = sector.after(rules, places, taken) else { continue };
                let missing = || Error::MissingSector {
                    sector: child.to_string(),
                    needed_by: Some(sector.to_string()),
                    folder: None,
                };
                *target = if unit.iter().any(|table| table.sector() == child) {
                    Target::Inside
                } else {
                    Target::Beside(known.get(&child).map(Arc::as_ref).ok_or_else(missing)?)
                };
            }
        }
        Ok(Self(targets))
    }

    #[inline]
    pub(super) fn of(&self, turn: Turn) -> Target<'a> {
        self.0[usize::from(turn.from == 0)][turn.num_taken()]
    }

    /// Returns `true` if some turn stays in the unit.
    pub(super) fn stay(&self) -> bool {
        matches!(self.0[0][0], Target::Inside)
    }
}
