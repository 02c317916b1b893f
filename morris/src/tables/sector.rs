//! Sectors, work units and the order in which they can be solved (paper 000, section II).
//!
//! Invariant: a unit's secondary sectors belong to units that come before it in [`plan`].

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use nerode_games::morris::rules::FEWEST_STONES;
use nerode_games::morris::{Rules, State};

use super::index::binomial;
use nerode_solver::error::Error;

/// All positions with given numbers of stones on the board and in hand, seen by the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sector {
    /// Stones of the side to move, on the board.
    pub own: u8,
    /// Stones of the other side, on the board.
    pub other: u8,
    /// Stones of the side to move, in hand.
    pub own_hand: u8,
    /// Stones of the other side, in hand.
    pub other_hand: u8,
}

impl Sector {
    /// Boards with so many points and one side to move, symmetric ones apart.
    pub fn num_boards(self, points: usize) -> u128 {
        let (own, other) = (usize::from(self.own), usize::from(self.other));
        u128::from(binomial(points, own)) * u128::from(binomial(points.saturating_sub(own), other))
    }

    /// The sector that holds `state`.
    #[inline]
    pub fn of(state: State) -> Self {
        Self {
            own: state.own_stones(),
            other: state.other_stones(),
            own_hand: state.own_hand,
            other_hand: state.other_hand,
        }
    }

    /// Stones of the side to move less those of the other, on the board and in hand.
    pub fn difference(self) -> i32 {
        i32::from(self.own) + i32::from(self.own_hand) - i32::from(self.other) - i32::from(self.other_hand)
    }

    /// The sector with the sides exchanged.
    #[must_use]
    pub fn mirrored(self) -> Self {
        Self { own: self.other, other: self.own, own_hand: self.other_hand, other_hand: self.own_hand }
    }

    /// The position of this sector with stones on `own` and `other`.
    #[inline]
    pub fn state(self, own: u32, other: u32) -> State {
        State { own, other, own_hand: self.own_hand, other_hand: self.other_hand }
    }

    /// Whether the sector exists: its stones fit the board, and either side has as many as it may have, and has not lost by having
    /// too few.
    pub fn is_played(self, rules: &Rules) -> bool {
        let may = FEWEST_STONES..=most_stones(rules);
        // Sectors are read from files, where any number may stand.
        let may_have =
            |on_board: u8, hand: u8| on_board.checked_add(hand).is_some_and(|stones| may.contains(&stones));
        usize::from(self.own) + usize::from(self.other) <= rules.board.num_points()
            && may_have(self.own, self.own_hand)
            && may_have(self.other, self.other_hand)
    }

    /// Whether turns without a capture lead from here to the mirrored sector and back: play can go on here for ever.
    pub fn is_cyclic(self, rules: &Rules) -> bool {
        let moves = |s: Sector| rules.may_place_and_move(s.own, s.own_hand).1;
        moves(self) && moves(self.mirrored())
    }

    /// The sector after a turn that places a stone or moves one, and takes `taken`: `None` where that is impossible or ends the game.
    pub fn after(self, rules: &Rules, places: bool, taken: u8) -> Option<Sector> {
        // A mill has three stones.
        let has_mill = self.own + u8::from(places) >= FEWEST_STONES;
        if taken == 0 || has_mill { self.after_taking(rules, places, taken) } else { None }
    }

    /// [`Sector::after`] without a look at whether the side to move has the stones of a mill.
    fn after_taking(self, rules: &Rules, places: bool, taken: u8) -> Option<Sector> {
        let (may_place, may_move) = rules.may_place_and_move(self.own, self.own_hand);
        let placed = u8::from(places);
        let most = if places { rules.take } else { 1 };
        let fits = usize::from(self.own + placed) + usize::from(self.other) <= rules.board.num_points();
        let can = if places { may_place } else { may_move };
        let takes = taken == 0 || taken <= most && taken <= self.other;
        if !(can && fits && takes) {
            return None;
        }
        let after = Sector {
            own: self.other - taken,
            other: self.own + placed,
            own_hand: self.other_hand,
            other_hand: self.own_hand - placed,
        };
        after.is_played(rules).then_some(after)
    }

    /// Sectors that turns from here lead to, this unit's own among them.
    pub fn children(self, rules: &Rules) -> BTreeSet<Sector> {
        turns().filter_map(|(places, taken)| self.after(rules, places, taken)).collect()
    }

    /// [`Sector::children`], and those that captures would lead to if fewer than three stones could close a mill.
    pub fn children_by_counts(self, rules: &Rules) -> BTreeSet<Sector> {
        turns().filter_map(|(places, taken)| self.after_taking(rules, places, taken)).collect()
    }
}

/// Kinds of turns: placed or not, and stones taken.
fn turns() -> impl Iterator<Item = (bool, u8)> {
    [true, false].into_iter().flat_map(|places| (0..=2).map(move |taken| (places, taken)))
}

impl fmt::Display for Sector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}-{}", self.own, self.other, self.own_hand, self.other_hand)
    }
}

impl FromStr for Sector {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let numbers: Option<Vec<u8>> = text.split('-').map(|part| part.parse().ok()).collect();
        match numbers.as_deref() {
            Some(&[own, other, own_hand, other_hand]) => Ok(Self { own, other, own_hand, other_hand }),
            _ => Err(Error::Malformed {
                what: "a sector",
                text: text.into(),
                form: "the form is OWN-OTHER-OWNHAND-OTHERHAND, stones on the board and in hand of the side to move and of the \
                       other, such as 4-3-0-0",
            }),
        }
    }
}

/// Sectors that are solved together: one, or one and its mirror where turns lead back and forth.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unit {
    sectors: Vec<Sector>,
}

impl Unit {
    /// The unit of `sector`.
    pub fn of(rules: &Rules, sector: Sector) -> Self {
        let mirror = sector.mirrored();
        let mut sectors = vec![sector];
        if mirror != sector && sector.is_cyclic(rules) {
            sectors.push(mirror);
        }
        // The side with more stones first: one name for each unit.
        sectors.sort_by(|a, b| b.cmp(a));
        Self { sectors }
    }

    /// One or two sectors.
    pub fn sectors(&self) -> &[Sector] {
        &self.sectors
    }

    /// The sector that names the unit.
    pub fn first(&self) -> Sector {
        self.sectors[0]
    }

    /// Sectors outside that turns lead to.
    pub fn secondary(&self, rules: &Rules) -> BTreeSet<Sector> {
        let all = self.sectors.iter().flat_map(|sector| sector.children(rules));
        all.filter(|child| !self.sectors.contains(child)).collect()
    }
}

/// Most stones that a side may have.
fn most_stones(rules: &Rules) -> u8 {
    rules.stones.into_iter().fold(0, u8::max)
}

/// All units that `roots` depend on, each after those that it depends on itself; the same order for the same roots.
///
/// # Errors
/// [`Error::NoSuchSector`] for a root that is no sector of the game.
pub fn plan(rules: &Rules, roots: &[Sector]) -> Result<Vec<Unit>, Error> {
    let mut seen = BTreeSet::new();
    let mut order = Vec::new();
    for &root in roots {
        if !root.is_played(rules) {
            let (most, points) = (most_stones(rules), rules.board.num_points());
            return Err(Error::NoSuchSector {
                sector: root.to_string(),
                limits: format!(
                    "a side has {FEWEST_STONES} to {most} stones in all, and the board has {points} points"
                ),
            });
        }
        visit(rules, Unit::of(rules, root), &mut seen, &mut order);
    }
    Ok(order)
}

/// Those of `sectors` that no other of them leads to, one of each unit: [`plan`] of them is that of all.
pub fn roots_of(rules: &Rules, sectors: &BTreeSet<Sector>) -> Vec<Sector> {
    let units: BTreeSet<Unit> = sectors.iter().map(|&sector| Unit::of(rules, sector)).collect();
    let beneath: BTreeSet<Sector> = units.iter().flat_map(|unit| unit.secondary(rules)).collect();
    let is_root = |unit: &&Unit| unit.sectors().iter().all(|sector| !beneath.contains(sector));
    let mut roots: Vec<Sector> = units.iter().filter(is_root).map(Unit::first).collect();
    roots.sort_unstable();
    roots
}

/// Depth first; no unit is more than a few dozen captures and placements deep.
fn visit(rules: &Rules, unit: Unit, seen: &mut BTreeSet<Unit>, order: &mut Vec<Unit>) {
    if !seen.insert(unit.clone()) {
        return;
    }
    for child in unit.secondary(rules) {
        visit(rules, Unit::of(rules, child), seen, order);
    }
    order.push(unit);
}
