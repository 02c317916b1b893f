//! The verifier: every position of a sector against the stored values of the positions that its turns lead to (paper 000,
//! section V-D). It plays forward only and knows nothing of how values were found.
//!
//! What passes is right: by induction over depths every stored win and loss is one, with its exact depth, and a draw has a turn
//! to a draw and none to a loss, so neither side can be forced.

use std::sync::atomic::AtomicBool;

use nerode_games::morris::{FullBoard, Rules, State};

use super::index::IndexMaker;
use super::rows::Rows;
use super::scan::every_position;
use super::sector::Sector;
use super::table::{SectorTable, SectorTables, value_of};
use nerode_solver::check::Report;
use nerode_solver::error::{Error, Result};

/// Checks every position of `table`, made with `maker`; `known` holds every sector that its turns lead to, itself where turns stay in it.
///
/// *Cost*: a look at every position that a turn leads to, on the threads of the pool in force; constant memory.
///
/// # Errors
/// [`Error::MissingSector`] when a sector is not in `known`; [`Error::Interrupted`].
pub fn check_sector(
    rules: &Rules,
    table: &SectorTable,
    maker: &IndexMaker,
    known: &SectorTables,
    interrupt: &AtomicBool,
) -> Result<Report> {
    let mut children: Children<'_> = Vec::new();
    for child in table.sector.children(rules) {
        let missing = || Error::MissingSector {
            sector: child.to_string(),
            needed_by: Some(table.sector.to_string()),
            folder: None,
        };
        children.push((child, known.get(&child).ok_or_else(missing)?));
    }
    // In the order of the other side's stones: look-ups of what turns lead to stay close together.
    let by_other = maker.index(table.sector.other, table.sector.own);
    every_position(
        &by_other,
        interrupt,
        || (Rows::new(), ByKind::default(), Waiting::of(rules, table)),
        |(rows, by_kind, waiting), other, own, report| {
            let state = table.sector.state(own, other);
            rows.go_to(state);
            waiting.add(state, one_ply(rules, &children, by_kind, rows, state), report);
        },
        |(.., mut waiting), report| waiting.compare(report),
    )
}

/// Sectors that turns lead to: a handful.
type Children<'a> = Vec<(Sector, &'a SectorTable)>;

/// Where turns lead, by whether they place a stone and how many they take: every position of a sector has the same stones, so
/// this is found once.
#[derive(Default)]
struct ByKind<'a>([[Option<Next<'a>>; 3]; 2]);

/// Where a turn leads.
#[derive(Clone, Copy)]
enum Next<'a> {
    /// The opponent has too few stones.
    Over,
    To(&'a SectorTable),
    /// To a sector that should have been found beforehand: the check fails, or takes the position for a draw.
    Unknown,
}

/// Positions with the depths that their turns say, to be compared with the stored ones many at a time.
///
/// Why: their slots lie all over the table. Memory answers many reads side by side, if nothing waits for the first.
struct Waiting<'a> {
    rules: &'a Rules,
    table: &'a SectorTable,
    positions: Vec<(State, u64, Option<u16>)>,
    stored: Vec<Option<u16>>,
}

/// Positions that wait.
const MOST_WAITING: usize = 64;

impl<'a> Waiting<'a> {
    fn of(rules: &'a Rules, table: &'a SectorTable) -> Self {
        let (positions, stored) = (Vec::with_capacity(MOST_WAITING), Vec::with_capacity(MOST_WAITING));
        Self { rules, table, positions, stored }
    }

    #[inline]
    fn add(&mut self, state: State, expected: Option<u16>, report: &mut Report) {
        self.positions.push((state, self.table.slot(state), expected));
        if self.positions.len() == MOST_WAITING {
            self.compare(report);
        }
    }

    fn compare(&mut self, report: &mut Report) {
        let Self { rules, table, positions, stored } = self;
        report.checked += positions.len() as u128;
        stored.extend(positions.iter().map(|&(_, slot, _)| table.depth_at(slot)));
        for ((state, slot, expected), stored) in positions.drain(..).zip(stored.drain(..)) {
            report.wrong(u128::from(stored != expected), || {
                format!(
                    "sector {}, slot {slot}, {}: stored {}, its turns say {}",
                    table.sector,
                    describe(rules, state),
                    words(stored),
                    words(expected)
                )
            });
        }
    }
}

/// Depth of `state` from the stored depths of the positions that its turns lead to.
fn one_ply<'a>(
    rules: &Rules,
    children: &Children<'a>,
    by_kind: &mut ByKind<'a>,
    rows: &mut Rows<'a>,
    state: State,
) -> Option<u16> {
    let (mut least_loss, mut greatest_win, mut drawn, mut any) = (None, 0, false, false);
    rules.turns(state, |turn| {
        any = true;
        let next = state.after(turn);
        let kind = &mut by_kind.0[usize::from(turn.from == 0)][turn.num_taken()];
        let child = kind.get_or_insert_with(|| match next.decided_by_stones() {
            Some(_) => Next::Over,
            None => {
                let found = children.iter().find(|(child, _)| *child == Sector::of(next));
                found.map_or(Next::Unknown, |(_, table)| Next::To(table))
            }
        });
        let depth = match *child {
            Next::Over => Some(0),
            Next::To(table) => table.depth_at(rows.of(table, turn, next).slot(next.other)),
            Next::Unknown => None,
        };
        match depth {
            None => drawn = true,
            Some(d) if d % 2 == 0 => least_loss = Some(least_loss.map_or(d, |least: u16| least.min(d))),
            Some(d) => greatest_win = greatest_win.max(d),
        }
    });
    match least_loss {
        Some(depth) => Some(depth + 1),
        None if drawn => None,
        None if any => Some(greatest_win + 1),
        None => {
            let full = state.own | state.other == rules.board.all();
            (!full || rules.full_board == FullBoard::Loss).then_some(0)
        }
    }
}

/// Points of both sides by name, for messages.
pub fn describe(rules: &Rules, state: State) -> String {
    let names = |set: u32| {
        let labels: Vec<&str> =
            nerode_games::morris::points(set).map(|point| rules.board.labels()[point]).collect();
        labels.join(" ")
    };
    format!("side to move on [{}], other side on [{}]", names(state.own), names(state.other))
}

/// A value with its depth, in words.
pub fn words(depth: Option<u16>) -> String {
    let value = value_of(depth);
    depth.map_or_else(|| value.to_string(), |plies| format!("{value} in {plies}"))
}
