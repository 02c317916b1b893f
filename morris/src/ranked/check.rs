//! The verifier: compares every position of a ranked sector with the stored values of the positions that its turns lead
//! to, including wins and losses. It only plays forward and shares no code with the solver.
//!
//! Many rankings satisfy these equations, because draws by repetition can satisfy them in many ways, so a ranking that
//! passes is not necessarily correct. However, a single wrong value among correct ones never passes.

use std::cmp::Ordering;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use nerode_games::morris::{FullBoard, Rules, State};

use super::table::{RankedTable, RankedTables};
use crate::tables::rows::Rows;
use crate::tables::scan::every_position;
use crate::tables::{IndexMaker, Sector, check};
use nerode_solver::check::Report;
use nerode_solver::error::{Error, Result};
use nerode_solver::outcome::rank::{Pair, candidate, order};

/// Checks every position of `table`, and counts it with all its images. `known` holds every sector that its turns lead to, including the sector itself if
/// turns stay in it.
///
/// *Cost*: one look-up for every position that a turn leads to, on the threads of the current pool, and constant
/// memory.
///
/// # Errors
/// Returns [`Error::MissingSector`] if a sector is not in `known`, or [`Error::Interrupted`].
pub fn check_sector(
    rules: &Rules,
    table: &RankedTable,
    maker: &IndexMaker,
    known: &RankedTables,
    interrupt: &AtomicBool,
) -> Result<Report> {
    let sector = table.sector();
    let find = |child: Sector| {
        let missing = || Error::MissingSector {
            sector: child.to_string(),
            needed_by: Some(sector.to_string()),
            folder: None,
        };
        known.get(&child).map(|table| (child, Arc::as_ref(table))).ok_or_else(missing)
    };
    let children = sector.children(rules).into_iter().map(find).collect::<Result<Vec<_>>>()?;
    let by_other = maker.index(sector.other, sector.own);
    let report = every_position(
        &by_other,
        interrupt,
        Rows::new,
        |rows, other, own, report| {
            let state = sector.state(own, other);
            rows.go_to(state);
            let (stored, expected) =
                (table.pair(table.strong.slot(state)), expected(rules, table, &children, rows, state));
            if stored != expected {
                report.wrong(table.strong.index.num_images(own, other), || {
                    let words = |pair: Pair| {
                        format!("{:+} to the sector's value {:+}, distance {}", pair.0, table.value, pair.1)
                    };
                    let position = check::describe(rules, state);
                    format!(
                        "sector {sector}: {position}: stored {}, but its turns imply {}",
                        words(stored),
                        words(expected)
                    )
                });
            }
        },
        |_, _| (),
    )?;
    Ok(Report { checked: sector.num_boards(maker.num_points()), ..report })
}

/// Computes the keys of a position from those of the positions that its turns lead to.
fn expected<'a>(
    rules: &Rules,
    table: &RankedTable,
    children: &[(Sector, &'a RankedTable)],
    rows: &mut Rows<'a>,
    state: State,
) -> Pair {
    let full = state.own | state.other == rules.board.all();
    let no_turn = match rules.full_board {
        FullBoard::Draw if full => (0, 0),
        _ => (-table.win - table.value, 0),
    };
    let mut best: Option<Pair> = None;
    rules.turns(state, |turn| {
        let after = state.after(turn);
        let sector = Sector::of(after);
        let worth = match children.iter().find(|(child, _)| *child == sector) {
            Some((_, child)) => {
                let slot = rows.of(&child.strong, turn, after).slot(after.other);
                candidate(child.pair(slot), child.value, table.value)
            }
            None => (table.win - table.value, 1),
        };
        if best.is_none_or(|best| order(worth, best) == Ordering::Greater) {
            best = Some(worth);
        }
    });
    best.unwrap_or(no_turn)
}
