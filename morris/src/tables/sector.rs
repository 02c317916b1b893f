//! Sectors, work units and the order in which they can be solved (paper 000, section II).
//!
//! Invariant: the secondary sectors of a unit belong to units that precede it in [`plan`].

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use nerode_games::morris::rules::FEWEST_STONES;
use nerode_games::morris::{Rules, State};

use super::index::binomial;
use nerode_solver::error::Error;

/// All positions with given numbers of stones on the board and in hand, from the point of view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sector {
    /// The number of stones of the side to move on the board.
    pub own: u8,
    /// The number of stones of the other side on the board.
    pub other: u8,
    /// The number of stones of the side to move in hand.
    pub own_hand: u8,
    /// The number of stones of the other side in hand.
    pub other_hand: u8,
}

impl Sector {
    /// Returns the number of boards with `points` points for one side to move, counting symmetric boards separately.
    pub fn num_boards(self, points: usize) -> u128 {
        let (own, other) = (usize::from(self.own), usize::from(self.other));
        u128::from(binomial(points, own)) * u128::from(binomial(points.saturating_sub(own), other))
    }

    /// Returns the sector that contains `state`.
    #[inline]
    pub fn of(state: State) -> Self {
        Self {
            own: state.own_stones(),
            other: state.other_stones(),
            own_hand: state.own_hand,
            other_hand: state.other_hand,
        }
    }

    /// Returns the number of stones of the side to move minus those of the other side, on the board and in hand.
    pub fn difference(self) -> i32 {
        i32::from(self.own) + i32::from(self.own_hand) - i32::from(self.other) - i32::from(self.other_hand)
    }

    /// Returns the sector with the sides exchanged.
    #[must_use]
    pub fn mirrored(self) -> Self {
        Self { own: self.other, other: self.own, own_hand: self.other_hand, other_hand: self.own_hand }
    }

    /// Returns the position of this sector with stones on `own` and `other`.
    #[inline]
    pub fn state(self, own: u32, other: u32) -> State {
        State { own, other, own_hand: self.own_hand, other_hand: self.other_hand }
    }

    /// Returns `true` if the sector exists: its stones fit on the board, and neither side has more stones than allowed
    /// or has lost by having too few.
    pub fn is_played(self, rules: &Rules) -> bool {
        let may = FEWEST_STONES..=most_stones(rules);
        // Sectors are read from files, which may contain any numbers.
        let may_have =
            |on_board: u8, hand: u8| on_board.checked_add(hand).is_some_and(|stones| may.contains(&stones));
        usize::from(self.own) + usize::from(self.other) <= rules.board.num_points()
            && may_have(self.own, self.own_hand)
            && may_have(self.other, self.other_hand)
    }

    /// Returns `true` if turns without a capture lead to the mirrored sector and back, so that play can continue
    /// forever.
    pub fn is_cyclic(self, rules: &Rules) -> bool {
        let moves = |s: Sector| rules.may_place_and_move(s.own, s.own_hand).1;
        moves(self) && moves(self.mirrored())
    }

    /// Returns the sector after a turn that places or moves a stone and takes `taken` stones, or `None` if such a turn
    /// is impossible or ends the game.
    pub fn after(self, rules: &Rules, places: bool, taken: u8) -> Option<Sector> {
        // A mill consists of three stones.
        let has_mill = self.own + u8::from(places) >= FEWEST_STONES;
        if taken == 0 || has_mill { self.after_taking(rules, places, taken) } else { None }
    }

    /// Does the same as [`Sector::after`] without checking that the side to move has enough stones for a mill.
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

    /// Returns the sectors that turns from this sector lead to, including those of its own unit.
    pub fn children(self, rules: &Rules) -> BTreeSet<Sector> {
        turns().filter_map(|(places, taken)| self.after(rules, places, taken)).collect()
    }

    /// Returns [`Sector::children`] and the sectors that captures would lead to if fewer than three stones could close
    /// a mill.
    pub fn children_by_counts(self, rules: &Rules) -> BTreeSet<Sector> {
        turns().filter_map(|(places, taken)| self.after_taking(rules, places, taken)).collect()
    }
}

/// Returns all kinds of turns: whether a stone is placed, and how many stones are taken.
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
                form: "the form is OWN-OTHER-OWNHAND-OTHERHAND, the stones on the board and in hand of the \
                    side to move and of the other side, such as 4-3-0-0",
            }),
        }
    }
}

/// Sectors that are solved together: a single sector, or a sector and its mirror image if play can go back and forth
/// between them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unit {
    sectors: Vec<Sector>,
}

impl Unit {
    /// Returns the unit of `sector`.
    pub fn of(rules: &Rules, sector: Sector) -> Self {
        let mirror = sector.mirrored();
        let mut sectors = vec![sector];
        if mirror != sector && sector.is_cyclic(rules) {
            sectors.push(mirror);
        }
        // The sector in which the side to move has more stones comes first, so that each unit has a unique name.
        sectors.sort_by(|a, b| b.cmp(a));
        Self { sectors }
    }

    /// Returns the one or two sectors of the unit.
    pub fn sectors(&self) -> &[Sector] {
        &self.sectors
    }

    /// Returns the sector that names the unit.
    pub fn first(&self) -> Sector {
        self.sectors[0]
    }

    /// Returns the sectors outside the unit that its turns lead to.
    pub fn secondary(&self, rules: &Rules) -> BTreeSet<Sector> {
        let all = self.sectors.iter().flat_map(|sector| sector.children(rules));
        all.filter(|child| !self.sectors.contains(child)).collect()
    }
}

/// Returns the largest number of stones that a side may have.
fn most_stones(rules: &Rules) -> u8 {
    rules.stones.into_iter().fold(0, u8::max)
}

/// Returns all units that `roots` depend on, each after its own dependencies. The order is the same for the same roots.
///
/// # Errors
/// Returns [`Error::NoSuchSector`] if a root is not a sector of the game.
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

/// Returns the sectors in `sectors` that no other of them leads to, one for each unit. Their [`plan`] equals the plan
/// of all of `sectors`.
pub fn roots_of(rules: &Rules, sectors: &BTreeSet<Sector>) -> Vec<Sector> {
    let units: BTreeSet<Unit> = sectors.iter().map(|&sector| Unit::of(rules, sector)).collect();
    let beneath: BTreeSet<Sector> = units.iter().flat_map(|unit| unit.secondary(rules)).collect();
    let is_root = |unit: &&Unit| unit.sectors().iter().all(|sector| !beneath.contains(sector));
    let mut roots: Vec<Sector> = units.iter().filter(is_root).map(Unit::first).collect();
    roots.sort_unstable();
    roots
}

/// Visits units depth first. The recursion is at most a few dozen captures and placements deep.
fn visit(rules: &Rules, unit: Unit, seen: &mut BTreeSet<Unit>, order: &mut Vec<Unit>) {
    if !seen.insert(unit.clone()) {
        return;
    }
    for child in unit.secondary(rules) {
        visit(rules, Unit::of(rules, child), seen, order);
    }
    order.push(unit);
}
