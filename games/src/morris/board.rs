//! Boards of the morris family: points, lines along which stones slide, mills and symmetries.
//!
//! A set of points is a 32-bit mask with bit p for point p. The points of ring r (0 outermost) are `8 r + k`, where k =
//! 0 is the middle of the left side and k increases clockwise. Even k are therefore the middles of sides, and odd k are
//! corners. If there is a centre, it comes last.
//!
//! Invariants: neighbours are mutual, and every symmetry maps lines to lines and mills to mills.

/// The largest number of points of a board.
pub const MOST_POINTS: usize = 24;
/// The largest number of mills through one point.
const MOST_MILLS_OF_POINT: usize = 6;
/// The placeholder for a mill that does not exist. No set of points contains it.
const NO_MILL: u32 = u32::MAX;

/// The boards of the family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BoardKind {
    /// Three rings joined at the middles of their sides: 24 points, 32 lines, 16 mills.
    Nine,
    /// The board `Nine` with rings that are also joined at the corners: 40 lines, 20 mills.
    Morabaraba,
    /// Two rings joined at the middles of their sides: 16 points, 8 mills.
    Six,
    /// The board `Six` with a centre joined to the inner middles: 17 points, 14 mills.
    Seven,
    /// Three by three points with rows and columns: 9 points, 6 mills.
    Three,
    /// The board `Three` with both diagonals: 8 mills.
    ThreeDiagonals,
}

/// A board, which determines the neighbours of each point and the sets of three points that form a mill.
#[derive(Clone, Debug)]
pub struct Board {
    kind: BoardKind,
    num_points: usize,
    neighbours: [u32; MOST_POINTS],
    mills: Vec<u32>,
    /// For each point, the other two points of each of its mills, filled up with [`NO_MILL`].
    partners: [[u32; MOST_MILLS_OF_POINT]; MOST_POINTS],
    symmetries: Vec<Vec<u8>>,
    labels: Vec<&'static str>,
}

const RING_LABELS: [[&str; 8]; 3] = [
    ["a4", "a7", "d7", "g7", "g4", "g1", "d1", "a1"],
    ["b4", "b6", "d6", "f6", "f4", "f2", "d2", "b2"],
    ["c4", "c5", "d5", "e5", "e4", "e3", "d3", "c3"],
];
const SMALL_RING_LABELS: [[&str; 8]; 2] =
    [["a3", "a5", "c5", "e5", "e3", "e1", "c1", "a1"], ["b3", "b4", "c4", "d4", "d3", "d2", "c2", "b2"]];
const SQUARE_LABELS: [&str; 9] = ["a2", "a3", "b3", "c3", "c2", "c1", "b1", "a1", "b2"];

/// The rotations and reflections of a ring, as maps from k to (a + b k) mod 8. They are in the order of Malom's files,
/// whose format includes their numbers, so the identity comes last.
const RING_MAPS: [(u8, u8); 8] = [(2, 1), (4, 1), (6, 1), (4, 7), (0, 7), (2, 7), (6, 7), (0, 1)];

fn bit(point: usize) -> u32 {
    1 << point
}

impl Board {
    /// Creates the board of the given kind.
    pub fn new(kind: BoardKind) -> Self {
        let (rings, centre) = match kind {
            BoardKind::Nine | BoardKind::Morabaraba => (3, false),
            BoardKind::Six => (2, false),
            BoardKind::Seven => (2, true),
            BoardKind::Three | BoardKind::ThreeDiagonals => (1, true),
        };
        let num_points = 8 * rings + usize::from(centre);
        let mut board = Self {
            kind,
            num_points,
            neighbours: [0; MOST_POINTS],
            mills: Vec::new(),
            partners: [[NO_MILL; MOST_MILLS_OF_POINT]; MOST_POINTS],
            symmetries: Vec::new(),
            labels: Vec::new(),
        };
        for ring in 0..rings {
            for k in 0..8 {
                board.join(8 * ring + k, 8 * ring + (k + 1) % 8);
            }
            for corner in [1, 3, 5, 7] {
                board.add_mill([0, 1, 2].map(|i| 8 * ring + (corner + i) % 8));
            }
        }
        board.add_spokes(rings, centre);
        board.symmetries = symmetries(rings, centre);
        board.labels = match rings {
            3 => RING_LABELS.concat(),
            2 => SMALL_RING_LABELS.concat().into_iter().chain(centre.then_some("c3")).collect(),
            _ => SQUARE_LABELS.to_vec(),
        };
        board
    }

    fn add_spokes(&mut self, rings: usize, centre: bool) {
        let diagonals = matches!(self.kind, BoardKind::Morabaraba | BoardKind::ThreeDiagonals);
        for k in (0..8).filter(|k| k % 2 == 0 || diagonals) {
            // The spoke runs from the outer ring inwards, and through the centre if there is one.
            let mut spoke: Vec<usize> = (0..rings).map(|ring| 8 * ring + k).collect();
            if centre {
                spoke.push(8 * rings);
            }
            for pair in spoke.windows(2) {
                self.join(pair[0], pair[1]);
            }
            for mill in spoke.windows(3) {
                self.add_mill([mill[0], mill[1], mill[2]]);
            }
            if centre && k < 4 {
                let inner = 8 * (rings - 1);
                self.add_mill([inner + k, 8 * rings, inner + k + 4]);
            }
        }
    }

    fn join(&mut self, a: usize, b: usize) {
        self.neighbours[a] |= bit(b);
        self.neighbours[b] |= bit(a);
    }

    fn add_mill(&mut self, points: [usize; 3]) {
        let mill = points.iter().fold(0, |mask, &p| mask | bit(p));
        self.mills.push(mill);
        for p in points {
            if let Some(free) = self.partners[p].iter_mut().find(|others| **others == NO_MILL) {
                *free = mill & !bit(p);
            }
        }
    }

    /// Returns the kind of the board.
    pub fn kind(&self) -> BoardKind {
        self.kind
    }

    /// Returns the number of points.
    pub fn num_points(&self) -> usize {
        self.num_points
    }

    /// Returns the set of all points.
    pub fn all(&self) -> u32 {
        bit(self.num_points) - 1
    }

    /// Returns the points one slide away from `point`.
    ///
    /// # Panics
    /// Panics if the point does not exist.
    #[inline]
    pub fn neighbours(&self, point: usize) -> u32 {
        self.neighbours[point]
    }

    /// Returns all mills, each of which has three points.
    pub fn mills(&self) -> &[u32] {
        &self.mills
    }

    /// Returns the number of mills that a stone on `point` forms with stones on `others`, which may contain the point itself.
    ///
    /// # Panics
    /// Panics if the point does not exist.
    #[inline]
    pub fn mills_closed(&self, others: u32, point: usize) -> usize {
        self.partners[point].iter().take_while(|&&p| p != NO_MILL).filter(|&&p| others & p == p).count()
    }

    /// Returns `true` if a stone on `point` is in a mill together with stones on `others`.
    ///
    /// # Panics
    /// Panics if the point does not exist.
    #[inline]
    pub fn closes_mill(&self, others: u32, point: usize) -> bool {
        self.partners[point].iter().take_while(|&&p| p != NO_MILL).any(|&p| others & p == p)
    }

    /// Returns the points outside `set` on which a stone would form a mill with two stones of `set`.
    #[inline]
    pub fn mill_makers(&self, set: u32) -> u32 {
        let missing = |&mill: &u32| mill & !set;
        self.mills
            .iter()
            .map(missing)
            .filter(|rest| rest.is_power_of_two())
            .fold(0, |found, rest| found | rest)
    }

    /// Returns the stones of `set` that are in a mill of `set`.
    #[inline]
    pub fn in_mills(&self, set: u32) -> u32 {
        self.mills.iter().filter(|&&mill| set & mill == mill).fold(0, |found, mill| found | mill)
    }

    /// Returns all symmetries, with the identity last, where `symmetry[p]` is the image of point p. On boards of three
    /// rings, these are the 16 symmetries that Malom's files number.
    pub fn symmetries(&self) -> &[Vec<u8>] {
        &self.symmetries
    }

    /// Returns the symmetries that apply while both sides fly, so that lines do not matter. The identity comes last. On
    /// boards where every spoke is a mill through all rings, they include all permutations of the rings.
    pub fn flying_symmetries(&self) -> Vec<Vec<u8>> {
        if !matches!(self.kind, BoardKind::Nine | BoardKind::Morabaraba) {
            return self.symmetries.clone();
        }
        let orders = [[1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0], [0, 2, 1], [0, 1, 2]];
        orders
            .iter()
            .flat_map(|rings| RING_MAPS.iter().map(|&map| ring_symmetry(rings, map, false)))
            .collect()
    }

    /// Returns the names of the points, such as `d6`.
    pub fn labels(&self) -> &[&'static str] {
        &self.labels
    }

    /// Returns the point with the name `label`.
    pub fn point(&self, label: &str) -> Option<usize> {
        self.labels.iter().position(|known| *known == label)
    }
}

/// Returns the symmetries of `rings` rings joined by spokes: those of one ring, followed by their combinations with the
/// exchange of inner and outer rings unless there is a centre. The order is that of Malom's files, with the plain
/// exchange after the rotations and the identity last.
fn symmetries(rings: usize, centre: bool) -> Vec<Vec<u8>> {
    let same: Vec<usize> = (0..rings).collect();
    let swapped: Vec<usize> = (0..rings).rev().collect();
    let of = |order: &[usize], maps: &[(u8, u8)]| -> Vec<Vec<u8>> {
        maps.iter().map(|&map| ring_symmetry(order, map, centre)).collect()
    };
    let (turns, identity) = RING_MAPS.split_at(7);
    let mut all = of(&same, turns);
    if !centre {
        // Malom gives the exchange alone the number 7, between the rotations and the rotations with an exchange.
        all.extend(of(&swapped, identity));
        all.extend(of(&swapped, turns));
    }
    all.extend(of(&same, identity));
    all
}

/// Returns the map from `8 r + k` to `8 rings[r] + (a + b k) mod 8`, which fixes the centre.
fn ring_symmetry(rings: &[usize], (a, b): (u8, u8), centre: bool) -> Vec<u8> {
    let mut image = Vec::with_capacity(MOST_POINTS);
    for &ring in rings {
        image.extend((0..8u8).map(|k| 8 * ring as u8 + (a + b * k) % 8));
    }
    image.extend(centre.then_some(8 * rings.len() as u8));
    image
}

#[cfg(test)]
mod tests;
