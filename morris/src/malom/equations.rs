//! Checks ultra-strong files one ply deep, by the value algebra of the format. Each entry, including its counter, must
//! follow from the entries of the positions that its turns lead to. Strong files use the same algebra with all sector
//! values equal to 0.
//!
//! Entries that satisfy these equations are not necessarily correct, because draws by repetition can satisfy them in
//! many ways. However, a wrong entry among correct ones never passes.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use nerode_games::morris::{FullBoard, Rules, State};

use super::counters::ByTurn;
use super::describe;
use super::foreign::Foreign;
use super::slot::Stored;
use crate::tables::Sector;
use crate::tables::scan::every_slot;
use nerode_solver::check::Report;
use nerode_solver::error::{Error, Result};
use nerode_solver::outcome::rank::{self, Pair, order};

/// Checks every slot of `sector`. `files` must contain its file and those of all sectors that its turns lead to.
///
/// *Cost*: a look-up of all positions that the turns of each position lead to, on all threads of the current pool. The
/// report does not depend on their number.
///
/// # Errors
/// Returns [`Error::MissingSector`], [`Error::Mismatch`] if a file is of another kind, [`Error::WrongRules`] if a file
/// belongs to another variant, [`Error::Corrupt`] if an entry is not valid in the format, or [`Error::Interrupted`].
pub fn check_ultra(
    rules: &Rules,
    files: &BTreeMap<Sector, Foreign>,
    sector: Sector,
    interrupt: &AtomicBool,
) -> Result<Report> {
    let find = |wanted: Sector| {
        files.get(&wanted).ok_or_else(|| {
            let needed_by = (wanted != sector).then(|| sector.to_string());
            Error::MissingSector { sector: wanted.to_string(), needed_by, folder: None }
        })
    };
    let file = find(sector)?;
    let same_kind = |child: &&Foreign| -> Result<()> {
        child.variant().check(rules, child.path())?;
        if (child.kind(), child.scale().0) == (file.kind(), file.scale().0) {
            return Ok(());
        }
        Err(Error::Mismatch {
            what: child.path().display().to_string(),
            found: "another kind of file".into(),
            expected: format!("a file of the same database as {}", file.path().display()),
        })
    };
    let children =
        ByTurn::new(rules, sector, |child| find(child).and_then(|file| same_kind(&file).map(|()| file)))?;
    same_kind(&file)?;
    let equations = Equations { rules, file, children };
    every_slot(file.index().num_slots(), interrupt, |slot, report| {
        report.checked += 1;
        let (stored, expected) = (file.stored(slot)?, equations.expected(slot)?);
        if stored != expected {
            report.wrong(1, || {
                let position = describe::position(rules, equations.state(slot));
                let rules = describe::rules(rules);
                let path = file.path().display();
                format!(
                    "{path}, slot {slot}: {stored}, but its turns imply {expected}\n{position}\nrules: \
                    {rules}"
                )
            });
        }
        Ok(())
    })
}

struct Equations<'a> {
    rules: &'a Rules,
    file: &'a Foreign,
    children: ByTurn<&'a Foreign>,
}

impl Equations<'_> {
    fn state(&self, slot: u64) -> State {
        let (own, other) = self.file.index().position(slot);
        self.file.sector().state(own, other)
    }

    /// Returns the expected contents of `slot`.
    fn expected(&self, slot: u64) -> Result<Stored> {
        if let Some(op) = self.file.index().hole(slot) {
            return Ok(Stored::Hole(op));
        }
        let state = self.state(slot);
        let (win, own_value) = self.file.scale();
        let full = state.own | state.other == self.rules.board.all();
        let no_move =
            if full && self.rules.full_board == FullBoard::Draw { (0, 0) } else { (-win - own_value, 0) };
        let (mut best, mut counter, mut failed) = (no_move, 0, None);
        self.rules.turns(state, |turn| {
            let candidate = match self.children.get(turn) {
                None => Ok((win - own_value, 1)),
                Some(child) => self.candidate(child, state.after(turn), &mut counter),
            };
            match candidate {
                Ok(keys) if order(keys, best) == Ordering::Greater => best = keys,
                Ok(_) => {}
                Err(error) => failed = Some(error),
            }
        });
        match (failed, best) {
            (Some(error), _) => Err(error),
            (None, (0, _)) => {
                let stabilisers = self.file.index().num_stabilisers(state.own, state.other);
                Ok(Stored::Count(counter / stabilisers))
            }
            (None, (key1, key2)) => Ok(Stored::Value { key1, key2 }),
        }
    }

    /// Returns the value of a turn to the position `after`. Turns that are worth as much as the sector are added to
    /// `counter`.
    fn candidate(&self, child: &Foreign, after: State, counter: &mut u32) -> Result<Pair> {
        let slot = child.index().slot(after.own, after.other);
        let (key1, key2) = match child.stored(slot)? {
            Stored::Hole(_) => return Err(child.damaged(slot, "is a hole, but a position belongs there")),
            Stored::Count(_) => (0, 0),
            Stored::Value { key1, key2 } => (key1, key2),
        };
        let candidate = rank::candidate((key1, key2), child.scale().1, self.file.scale().1);
        if candidate.0 == 0 {
            *counter += child.index().num_stabilisers(after.own, after.other);
        }
        Ok(candidate)
    }
}
