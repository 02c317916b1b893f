//! Summary of a table of reached positions: counts by value, and the longest wins and losses with an example each.

use nerode_games::{Game, Position, Side, Value};
use serde::Serialize;

use nerode_solver::archive::decimal::Decimal;
use nerode_solver::archive::table::keyed::KeyedTable;
use nerode_solver::archive::table::reached::{ReachedTable, outcome};
use nerode_solver::error::Result;
use nerode_solver::outcome::{Outcome, code16};
use nerode_solver::solve::resources::Resources;

use crate::summary::{Deepest, HowMany};

/// The summary of a table of reached positions.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ListingSummary {
    /// The canonical spec of the game.
    pub game: String,
    /// The letter order.
    pub order: String,
    /// The last ply.
    pub last_ply: u32,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// The numbers of positions by value, for each side to move. In a list by ply, a position counts once for every ply at which it
    /// is reached.
    pub counts: [ValueCounts; 2],
    /// The longest wins and losses. Positions of unknown depth are left out.
    pub longest: Vec<Deepest>,
    /// The number of wins and losses of unknown depth.
    #[serde(with = "Decimal")]
    pub unknown_depths: u64,
}

/// The numbers of positions with one side to move by value for that side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ValueCounts {
    /// The side to move.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["P1", "P2"])))]
    pub side: String,
    /// The won positions.
    #[serde(with = "Decimal")]
    pub win: u64,
    /// The drawn positions.
    #[serde(with = "Decimal")]
    pub draw: u64,
    /// The lost positions.
    #[serde(with = "Decimal")]
    pub loss: u64,
    /// The positions of unknown value.
    #[serde(with = "Decimal")]
    pub unknown: u64,
}

/// The deepest positions of one value and side found so far: depth, number, and the first of them.
type Found = Option<(u32, u128, Position)>;

/// The positions counted so far.
struct Tally {
    counts: [ValueCounts; 2],
    found: [[Found; 2]; 2],
    unknown_depths: u64,
}

impl Tally {
    fn new() -> Self {
        let counts = Side::BOTH.map(|side| ValueCounts {
            side: side.to_string(),
            win: 0,
            draw: 0,
            loss: 0,
            unknown: 0,
        });
        Self { counts, found: Default::default(), unknown_depths: 0 }
    }

    /// Counts a position.
    fn add(&mut self, side: Side, outcome: Outcome, position: impl FnOnce() -> Position) {
        let of_side = &mut self.counts[side.index()];
        let deepest = match outcome.value() {
            Some(Value::Draw) => {
                of_side.draw += 1;
                return;
            }
            None => {
                of_side.unknown += 1;
                return;
            }
            Some(Value::Win) => {
                of_side.win += 1;
                &mut self.found[side.index()][0]
            }
            Some(Value::Loss) => {
                of_side.loss += 1;
                &mut self.found[side.index()][1]
            }
        };
        let Some(depth) = outcome.depth() else {
            self.unknown_depths += 1;
            return;
        };
        match deepest {
            Some((most, _, _)) if *most > depth => {}
            Some((most, count, _)) if *most == depth => *count += 1,
            _ => *deepest = Some((depth, 1, position())),
        }
    }

    /// Returns the longest wins and losses.
    fn longest(&self, game: &dyn Game) -> Vec<Deepest> {
        let mut longest = Vec::new();
        for (side, of_side) in Side::BOTH.into_iter().zip(&self.found) {
            for (category, deepest) in ["win", "loss"].into_iter().zip(of_side) {
                longest.extend(deepest.as_ref().map(|(dtw, count, position)| Deepest {
                    side: side.to_string(),
                    category,
                    dtw: *dtw,
                    count: HowMany::Positions(*count),
                    position: game.format_position(position),
                }));
            }
        }
        longest
    }
}

/// Reads the summary of a table by ply.
///
/// Cost: reads the whole table; the codes and the automaton of one ply are in memory.
///
/// # Errors
/// Returns an error if the table is damaged or the user interrupts.
pub fn listing_summary(table: &ReachedTable, resources: &Resources) -> Result<ListingSummary> {
    table.verify_digest()?;
    let game = table.game.as_ref();
    let mut tally = Tally::new();
    for ply in 0..table.num_plies() {
        resources.must_go_on()?;
        let list = table.ply(ply)?;
        let side = list.side;
        for (word, code) in list.iter() {
            tally.add(side, outcome(code), || Position { board: game.board_of(&word), side });
        }
    }
    Ok(ListingSummary {
        game: game.spec(),
        order: game.order().to_string(),
        last_ply: table.num_plies().saturating_sub(1),
        bytes: table.bytes(),
        longest: tally.longest(game),
        unknown_depths: tally.unknown_depths,
        counts: tally.counts,
    })
}

/// Reads the summary of a table by key.
///
/// Cost: reads the whole table, with constant memory.
///
/// # Errors
/// Returns an error if the table is damaged or the user interrupts.
pub fn keyed_summary(table: &KeyedTable, resources: &Resources) -> Result<ListingSummary> {
    table.verify_digest()?;
    let mut tally = Tally::new();
    for row in table.rows()? {
        resources.must_go_on()?;
        let (position, code) = row?;
        tally.add(position.side, code16::outcome(code), || position);
    }
    let (game, header) = (table.game.as_ref(), table.header());
    Ok(ListingSummary {
        game: game.spec(),
        order: game.order().to_string(),
        last_ply: header.num_plies.saturating_sub(1),
        bytes: table.bytes(),
        longest: tally.longest(game),
        unknown_depths: tally.unknown_depths,
        counts: tally.counts,
    })
}
