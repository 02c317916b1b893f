//! The positions that play from the start reaches, placement by placement.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::atomic::AtomicBool;

use nerode_games::morris::rules::Phases;
use nerode_games::morris::{Rules, State};

use crate::tables::{IndexMaker, Sector, SectorIndex};
use nerode_solver::error::{Error, Result, check_interrupt};

/// The number of positions between two checks of the interrupt flag.
const LOOK_EVERY: usize = 1 << 12;

/// The slots of a sector that play reaches.
#[derive(Debug)]
pub struct Reached {
    /// The index of the sector.
    pub index: SectorIndex,
    /// Whether play reaches the position of each slot.
    pub slots: Vec<bool>,
}

impl Reached {
    fn new(sector: Sector, maker: &IndexMaker) -> Result<Self> {
        let index = maker.index(sector.own, sector.other);
        let refused = || Error::TooLarge {
            what: format!("the positions of sector {sector}"),
            needed_bytes: index.num_slots().into(),
            limit_bytes: 0,
        };
        let num_slots = usize::try_from(index.num_slots()).map_err(|_| refused())?;
        let mut slots = Vec::new();
        slots.try_reserve_exact(num_slots).map_err(|_| refused())?;
        slots.resize(num_slots, false);
        Ok(Self { index, slots })
    }

    /// Returns the positions of `sector` that play reaches.
    fn states(&self, sector: Sector) -> impl Iterator<Item = State> + '_ {
        let slots = self.slots.iter().zip(0..).filter(|(reached, _)| **reached);
        slots.map(move |(_, slot)| {
            let (own, other) = self.index.position(slot);
            sector.state(own, other)
        })
    }
}

/// Returns, by sector, the positions after each number of placements from zero to `placements`. Positions in which a
/// side has too few stones are omitted.
///
/// *Cost*: one byte for every slot of these sectors, and one visit of every turn.
///
/// # Errors
/// Returns [`Error::Mismatch`] if the rules allow stones to move while some are in hand or if there are more placements
/// than stones, [`Error::TooLarge`] if more than `memory` bytes are needed, or [`Error::Interrupted`].
pub fn after_placements(
    rules: &Rules,
    maker: &IndexMaker,
    placements: u8,
    memory: u64,
    interrupt: &AtomicBool,
) -> Result<Vec<BTreeMap<Sector, Reached>>> {
    must_suit(rules, placements)?;
    let mut room = memory;
    let mut layers = vec![BTreeMap::new()];
    mark(&mut layers[0], rules.start(), maker, &mut room)?;
    for _ in 0..placements {
        let mut next = BTreeMap::new();
        for (&sector, reached) in layers.last().into_iter().flatten() {
            for (count, state) in reached.states(sector).enumerate() {
                if count % LOOK_EVERY == 0 {
                    check_interrupt(interrupt)?;
                }
                let mut after = Vec::new();
                rules.turns(state, |turn| after.push(state.after(turn)));
                after.into_iter().try_for_each(|state| mark(&mut next, state, maker, &mut room))?;
            }
        }
        layers.push(next);
    }
    Ok(layers)
}

fn must_suit(rules: &Rules, placements: u8) -> Result<()> {
    let refuse = |what: &str, found: String, expected: String| {
        Err(Error::Mismatch { what: what.into(), found, expected })
    };
    if rules.phases != Phases::Separate {
        let expected = "phases=separate, where stones move only after all are placed";
        return refuse("the rules", "phases=mixed".into(), expected.into());
    }
    let [first, second] = rules.stones;
    if first != second && first != second + 1 {
        let expected = "the same number for both sides or one more for P1, so that all turns are placements";
        return refuse("the stones at the start", format!("{first} and {second}"), expected.into());
    }
    let stones = first + second;
    if placements >= stones {
        let expected =
            format!("at most {}, because the game has {stones} stones to place", stones.saturating_sub(1));
        return refuse("the number of placements", placements.to_string(), expected);
    }
    Ok(())
}

/// Marks `state` as reached.
fn mark(
    layer: &mut BTreeMap<Sector, Reached>,
    state: State,
    maker: &IndexMaker,
    room: &mut u64,
) -> Result<()> {
    if state.decided_by_stones().is_some() {
        return Ok(());
    }
    let sector = Sector::of(state);
    let reached = match layer.entry(sector) {
        Entry::Occupied(known) => known.into_mut(),
        Entry::Vacant(free) => {
            let reached = Reached::new(sector, maker)?;
            let bytes = reached.slots.len() as u64;
            *room = room.checked_sub(bytes).ok_or_else(|| Error::TooLarge {
                what: format!("the positions of sector {sector} in addition to those of previous sectors"),
                needed_bytes: bytes.into(),
                limit_bytes: *room,
            })?;
            free.insert(reached)
        }
    };
    let slot = reached.index.slot(state.own, state.other);
    reached.slots[slot as usize] = true;
    Ok(())
}
