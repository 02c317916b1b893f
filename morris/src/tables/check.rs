//! The verifier: compares every position of a sector with the stored values of the positions that its turns lead to
//! (paper 000, section V-D). It only plays forward and does not depend on how the values were computed.
//!
//! A sector that passes is correct. By induction over depths, every stored win and loss is one, with its exact depth. A
//! draw has a turn that leads to a draw and none that leads to a loss of the opponent, so neither side can force a win.

use std::sync::atomic::AtomicBool;

use nerode_games::morris::{FullBoard, Rules, State};

use super::index::IndexMaker;
use super::rows::Rows;
use super::scan::every_position;
use super::sector::Sector;
use super::table::{SectorTable, SectorTables, value_of};
use nerode_solver::check::Report;
use nerode_solver::error::{Error, Result};

/// Checks every position of `table`, which was created with `maker`, and counts it with all its images. `known` holds every sector that its turns lead to,
/// including the sector itself if turns stay in it.
///
/// *Cost*: one look-up for every position that a turn leads to, on the threads of the current pool, and constant
/// memory.
///
/// # Errors
/// Returns [`Error::MissingSector`] if a sector is not in `known`, or [`Error::Interrupted`].
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
    // Positions are visited in the order of the other side's stones, so that look-ups of successors stay close
    // together.
    let by_other = maker.index(table.sector.other, table.sector.own);
    let report = every_position(
        &by_other,
        interrupt,
        || (Rows::new(), ByKind::default(), Waiting::of(rules, table)),
        |(rows, by_kind, waiting), other, own, report| {
            let state = table.sector.state(own, other);
            rows.go_to(state);
            waiting.add(state, one_ply(rules, &children, by_kind, rows, state), report);
        },
        |(.., mut waiting), report| waiting.compare(report),
    )?;
    Ok(Report { checked: table.sector.num_boards(maker.num_points()), ..report })
}

/// The few sectors that turns lead to.
type Children<'a> = Vec<(Sector, &'a SectorTable)>;

/// The destinations of turns, by whether they place a stone and how many they take. All positions of a sector have the
/// same numbers of stones, so each destination is determined only once.
#[derive(Default)]
struct ByKind<'a>([[Option<Next<'a>>; 3]; 2]);

/// The destination of a turn.
#[derive(Clone, Copy)]
enum Next<'a> {
    /// The game ends because the opponent has too few stones.
    Over,
    To(&'a SectorTable),
    /// A sector that should have been determined beforehand. The check then fails, or treats the position as a draw.
    Unknown,
}

/// Positions with the depths that follow from their turns, to be compared with the stored depths in batches.
///
/// Their slots are scattered over the table. In a batch, the memory system can serve many reads in parallel, because
/// none has to wait for another.
struct Waiting<'a> {
    rules: &'a Rules,
    table: &'a SectorTable,
    positions: Vec<(State, u64, Option<u16>)>,
    stored: Vec<Option<u16>>,
}

/// The number of positions in a batch.
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
        stored.extend(positions.iter().map(|&(_, slot, _)| table.depth_at(slot)));
        for ((state, slot, expected), stored) in positions.drain(..).zip(stored.drain(..)) {
            if stored == expected {
                continue;
            }
            report.wrong(table.index.num_images(state.own, state.other), || {
                format!(
                    "sector {}, slot {slot}, {}: stored {}, but its turns imply {}",
                    table.sector,
                    describe(rules, state),
                    words(stored),
                    words(expected)
                )
            });
        }
    }
}

/// Returns the depth of `state` computed from the stored depths of the positions that its turns lead to.
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

/// Describes the stones of both sides by the names of their points, for messages.
pub fn describe(rules: &Rules, state: State) -> String {
    let names = |set: u32| {
        let labels: Vec<&str> =
            nerode_games::morris::points(set).map(|point| rules.board.labels()[point]).collect();
        labels.join(" ")
    };
    format!("side to move on [{}], other side on [{}]", names(state.own), names(state.other))
}

/// Describes a value with its depth in words.
pub fn words(depth: Option<u16>) -> String {
    let value = value_of(depth);
    depth.map_or_else(|| value.to_string(), |plies| format!("{value} in {plies}"))
}
