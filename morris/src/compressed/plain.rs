//! Sets of whole boards: one automaton over all points, and decision diagrams, without classes and without a probe.
//!
//! A board is a word with a letter for each point: empty, the side to move, or the other side. All symmetric positions
//! are in the sets. Words that are not positions of the sector count as drawn.

use nerode_dfa::{Dfa, Shape, ValueMap};
use nerode_games::Value;
use nerode_games::morris::State;

use super::form::SectorForm;
use super::words::PointOrder;
use crate::tables::{SectorTable, value_of};
use nerode_solver::error::{Error, Result};
#[cfg(feature = "bdd")]
use nerode_solver::forms::represent::{DRAW, bdd::Bdd};
use nerode_solver::forms::represent::{LOSS, WIN};

/// The largest number of won and lost boards, including symmetric ones, that are listed.
const MOST_BOARDS: u64 = 4_000_000;
/// The number of bytes of a listed board.
const BOARD_BYTES: u64 = 48;
/// The workspace of the value map in bytes.
const LIMIT_BYTES: u64 = 2 << 30;

/// The values of a sector as one minimal automaton over all points.
pub struct PlainAutomaton {
    order: PointOrder,
    map: ValueMap,
}

/// The won and the lost positions of a sector as binary decision diagrams.
#[cfg(feature = "bdd")]
pub struct PlainBdd {
    order: PointOrder,
    bdd: Bdd,
}

/// The result of [`plain_forms`].
pub struct PlainForms {
    /// The automaton.
    pub automaton: PlainAutomaton,
    /// The diagrams, in builds with the feature `bdd`.
    #[cfg(feature = "bdd")]
    pub bdd: PlainBdd,
}

/// Returns the won and the lost boards.
fn sets(table: &SectorTable, order: &PointOrder) -> Result<(Shape, Dfa, Dfa)> {
    let counts = table.counts();
    let most = (counts.wins() + counts.losses()) * table.index.symmetries().len() as u64;
    if most > MOST_BOARDS {
        return Err(Error::TooLarge {
            what: format!("a list of the won and lost boards of sector {}", table.sector),
            needed_bytes: u128::from(most * BOARD_BYTES),
            limit_bytes: MOST_BOARDS * BOARD_BYTES,
        });
    }
    let shape = Shape::uniform(order.points().len(), 3)?;
    let set = |value| -> Result<Dfa> { Ok(Dfa::from_sorted_words(&shape, &boards(table, order, value))?) };
    let (win, loss) = (set(Value::Win)?, set(Value::Loss)?);
    Ok((shape, win, loss))
}

/// Returns all boards with the given value, in order.
fn boards(table: &SectorTable, order: &PointOrder, value: Value) -> Vec<Vec<u8>> {
    let symmetries = table.index.symmetries();
    let mut boards = Vec::new();
    for slot in (0..table.codes.num_slots()).filter(|&slot| value_of(table.depth_at(slot)) == value) {
        if table.codes.get(slot) == table.codes.width().hole() {
            continue;
        }
        let state = table.state(slot);
        for op in 0..symmetries.len() as u8 {
            let image = State {
                own: symmetries.apply(op, state.own),
                other: symmetries.apply(op, state.other),
                ..state
            };
            boards.push(board(order, image));
        }
    }
    boards.sort_unstable();
    boards.dedup();
    boards
}

fn board(order: &PointOrder, state: State) -> Vec<u8> {
    let letter = |p: &u8| (state.own >> p & 1 | (state.other >> p & 1) << 1) as u8;
    order.points().iter().map(letter).collect()
}

/// Builds the plain automaton and the diagrams of `table`.
///
/// *Cost*: lists and sorts all won and lost boards, including symmetric ones.
///
/// # Errors
/// Returns [`Error::TooLarge`] beyond four million such boards, or an error if memory runs out.
pub fn plain_forms(table: &SectorTable, order: &PointOrder) -> Result<PlainForms> {
    let (shape, win, loss) = sets(table, order)?;
    #[cfg(feature = "bdd")]
    let bdd = PlainBdd { order: order.clone(), bdd: Bdd::build(&win, &loss, LIMIT_BYTES)? };
    let classes = [(u16::from(WIN), win), (u16::from(LOSS), loss)];
    let map = ValueMap::from_classes(&shape, &classes, LIMIT_BYTES)?;
    Ok(PlainForms {
        automaton: PlainAutomaton { order: order.clone(), map },
        #[cfg(feature = "bdd")]
        bdd,
    })
}

impl PlainAutomaton {
    /// Returns the number of states.
    pub fn num_states(&self) -> usize {
        self.map.num_states()
    }
}

impl SectorForm for PlainAutomaton {
    fn name(&self) -> String {
        "plain automaton".into()
    }

    fn bytes(&self) -> u64 {
        self.map.bytes()
    }

    fn value(&mut self, state: State) -> Result<Value> {
        Ok(of_code(self.map.get(&board(&self.order, state)) as u8))
    }
}

#[cfg(feature = "bdd")]
impl SectorForm for PlainBdd {
    fn name(&self) -> String {
        "BDD".into()
    }

    fn bytes(&self) -> u64 {
        self.bdd.bytes()
    }

    fn value(&mut self, state: State) -> Result<Value> {
        Ok(of_code(self.bdd.get(&board(&self.order, state), DRAW)?))
    }
}

fn of_code(code: u8) -> Value {
    match code {
        WIN => Value::Win,
        LOSS => Value::Loss,
        _ => Value::Draw,
    }
}
