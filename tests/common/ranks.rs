//! An independent computation of the ranks of draws for tests: value iteration over plain positions, with its own move
//! generation, symmetries and order.
//!
//! The worth of a position is the result of best play within n plies in its work unit, where play that stays in the unit for n
//! plies has the sector's own value. As n grows, the worths converge to the rank.

use std::collections::{BTreeMap, HashMap};

use nerode_games::morris::{BoardKind, Capture, FullBoard, Phases, Rules};
use nerode_morris::tables::{Sector, Unit};

/// The difference to the sector's value, and a distance.
pub type Pair = (i32, i32);

/// The player's and the opponent's stones, in the smallest of all symmetric images.
type Points = (u32, u32);

/// The ranks of all positions up to symmetry, by sector.
pub struct Naive<'a> {
    rules: &'a Rules,
    win: i32,
    values: BTreeMap<Sector, i32>,
    pub known: HashMap<Sector, HashMap<Points, Pair>>,
}

/// A position of a unit: its successors within the unit, and the best of the turns that leave the unit.
struct Node {
    inside: Vec<usize>,
    outside: Option<Pair>,
}

/// Returns `true` if `a` is better than `b`.
fn better(a: Pair, b: Pair) -> bool {
    if a.0 != b.0 {
        return a.0 > b.0;
    }
    // The side that is ahead prefers short play, and the side that is behind prefers long play.
    a.0 > 0 && a.1 < b.1 || a.0 < 0 && a.1 > b.1
}

impl<'a> Naive<'a> {
    pub fn new(rules: &'a Rules, win: i32, values: BTreeMap<Sector, i32>) -> Self {
        Self { rules, win, values, known: HashMap::new() }
    }

    /// Ranks a unit. The units to which it leads must be ranked before.
    pub fn rank(&mut self, unit: &Unit) {
        let mut positions = Vec::new();
        for &sector in unit.sectors() {
            positions.extend(self.positions(sector).into_iter().map(|points| (sector, points)));
        }
        let numbers: HashMap<_, _> = positions.iter().copied().zip(0..).collect();
        let nodes: Vec<Node> =
            positions.iter().map(|&(sector, points)| self.node(sector, points, &numbers)).collect();
        let mut worth = vec![(0, 0); nodes.len()];
        loop {
            let next: Vec<Pair> = nodes.iter().map(|node| Self::best(node, &worth)).collect();
            if next == worth {
                break;
            }
            worth = next;
        }
        for (&(sector, points), pair) in positions.iter().zip(worth) {
            self.known.entry(sector).or_default().insert(points, pair);
        }
    }

    fn best(node: &Node, worth: &[Pair]) -> Pair {
        // The sectors of a unit have opposite values, so only the sign changes.
        let seen = node.inside.iter().map(|&at| match worth[at] {
            (0, _) => (0, 0),
            (above, plies) => (-above, plies + 1),
        });
        let mut best = node.outside;
        for pair in seen {
            if best.is_none_or(|best| better(pair, best)) {
                best = Some(pair);
            }
        }
        best.expect("a position without turns must have an outside value")
    }

    fn node(&self, sector: Sector, points: Points, numbers: &HashMap<(Sector, Points), usize>) -> Node {
        let here = self.values[&sector];
        let mut node = Node { inside: Vec::new(), outside: None };
        let mut any = false;
        for (after, points) in self.turns(sector, points) {
            any = true;
            if let Some(&number) = numbers.get(&(after, self.least(points))) {
                node.inside.push(number);
                continue;
            }
            let pair = if after.own + after.own_hand < 3 {
                (self.win - here, 1)
            } else {
                let (above, plies) = self.known[&after][&self.least(points)];
                let rank = above + self.values[&after];
                let from_here = -rank - here;
                // The distance counts in the opposite direction if the opponent wants short play where this player wants long
                // play, or vice versa.
                let turned = above != 0 && (above > 0) == (from_here > 0);
                if from_here == 0 { (0, 0) } else { (from_here, if turned { 1 - plies } else { 1 + plies }) }
            };
            if node.outside.is_none_or(|best| better(pair, best)) {
                node.outside = Some(pair);
            }
        }
        if !any {
            let full = (points.0 | points.1).count_ones() as usize == self.rules.board.num_points();
            let drawn = full && self.rules.full_board == FullBoard::Draw;
            node.outside = Some(if drawn { (0, 0) } else { (-self.win - here, 0) });
        }
        node
    }

    /// Returns the smallest symmetric image of a position.
    pub fn least(&self, (own, other): Points) -> Points {
        let image = |map: &Vec<u8>, mut set: u32| {
            let mut image = 0;
            while set != 0 {
                image |= 1 << map[set.trailing_zeros() as usize];
                set &= set - 1;
            }
            image
        };
        let maps = self.rules.board.symmetries().iter();
        maps.map(|map| (image(map, own), image(map, other))).min().unwrap()
    }

    fn positions(&self, sector: Sector) -> Vec<Points> {
        let points = self.rules.board.num_points();
        let sets = |stones: u8| (0u32..1 << points).filter(move |set| set.count_ones() == u32::from(stones));
        let others: Vec<u32> = sets(sector.other).collect();
        let mut found = Vec::new();
        let owns = sets(sector.own).filter(|&own| self.least((own, 0)).0 == own);
        for own in owns {
            let with = others.iter().filter(|&&other| own & other == 0).map(|&other| (own, other));
            found.extend(with.filter(|&points| self.least(points) == points));
        }
        found
    }

    fn closes(&self, own: u32, to: u32) -> bool {
        self.rules.board.mills().iter().any(|mill| mill & to != 0 && own & mill == *mill)
    }

    /// Returns the sector and the points after each turn, seen by the next side to move.
    fn turns(&self, sector: Sector, (own, other): Points) -> Vec<(Sector, Points)> {
        let board = &self.rules.board;
        assert!(
            self.rules.capture == Capture::Always
                && self.rules.take == 1
                && board.kind() != BoardKind::Morabaraba
        );
        let bits =
            |set: u32| (0..board.num_points()).map(|point| 1u32 << point).filter(move |bit| set & bit != 0);
        let empty = (0..board.num_points()).fold(0, |set, point| set | 1 << point) & !(own | other);
        let mut after = Vec::new();
        if sector.own_hand > 0 {
            after.extend(bits(empty).map(|to| (own | to, to, 1)));
        }
        if sector.own_hand == 0 || self.rules.phases == Phases::Mixed {
            let flies = self.rules.fly && sector.own + sector.own_hand == 3;
            for from in bits(own) {
                let near = board.neighbours(from.trailing_zeros() as usize);
                let to = bits(if flies { empty } else { empty & near });
                after.extend(to.map(|to| (own & !from | to, to, 0)));
            }
        }
        let mut found = Vec::new();
        for (own, to, placed) in after {
            let next = |other: u32| {
                let (stones, others) = (own.count_ones() as u8, other.count_ones() as u8);
                let (own_hand, other_hand) = (sector.other_hand, sector.own_hand - placed);
                (Sector { own: others, other: stones, own_hand, other_hand }, (other, own))
            };
            if !self.closes(own, to) {
                found.push(next(other));
                continue;
            }
            let free =
                bits(other).filter(|&stone| !self.closes(other, stone)).fold(0, |set, stone| set | stone);
            let taken = if free == 0 { other } else { free };
            found.extend(bits(taken).map(|stone| next(other & !stone)));
        }
        found
    }
}
