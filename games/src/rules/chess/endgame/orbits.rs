//! Representatives of positions under the symmetries of the board and the exchange of equal men, for solvers of plain rules.
//!
//! This is more than the relabellings of the game, because positions whose pawns are all promoted or captured have the symmetries of
//! positions without pawns.

use crate::grid::Grid;
use crate::rules::chess::material::{MOST_MEN, Material, Slot};

/// The greatest number of contents of the cell of a square: 64 squares, and that of a captured man.
const CONTENTS: usize = 65;

/// The number of bits of a square, of a form and of both in a key.
const SQUARE_BITS: u32 = 7;
const FORM_BITS: u32 = 3;
const MAN_BITS: u32 = SQUARE_BITS + FORM_BITS;

/// The set of maps that contains only the first, which is the identity.
const IDENTITY: u8 = 1;

/// A map of contents by a symmetry of the board.
type Map = [u8; CONTENTS];

/// The maps of contents by some symmetries of the board.
#[derive(Debug)]
struct Maps {
    maps: Vec<Map>,
    /// For each content, the set of maps, as bits, whose image of it is the least.
    least: [u8; CONTENTS],
}

impl Maps {
    /// Takes at most 8 maps.
    fn new(maps: Vec<Map>) -> Self {
        let least = std::array::from_fn(|content| {
            let least = maps.iter().map(|map| map[content]).min();
            let is_least = |map: &Map| Some(map[content]) == least;
            maps.iter().enumerate().filter(|(_, map)| is_least(map)).fold(0, |set, (at, _)| set | 1 << at)
        });
        Self { maps, least }
    }
}

/// The maps by all symmetries of the board, and by those that preserve the direction of pawns.
#[derive(Debug)]
pub(super) struct Orbits {
    all: Maps,
    upright: Maps,
    twins: Option<[usize; 2]>,
    /// The cells for the square and the form of each man that begins as a pawn.
    pawns: Vec<[usize; 2]>,
}

impl Orbits {
    pub(super) fn new(material: &Material) -> Self {
        let same: Map = std::array::from_fn(|content| content as u8);
        let map = |image: Vec<usize>| {
            let mut map = same;
            for (content, to) in map.iter_mut().zip(image) {
                *content = to as u8;
            }
            map
        };
        let maps = |symmetries: Vec<crate::maps::Symmetry>| {
            let others = symmetries.into_iter().map(|symmetry| map(symmetry.image));
            Maps::new(std::iter::once(same).chain(others).collect())
        };
        let grid: Grid = material.grid;
        let number = |twin: Slot| material.slots.iter().position(|slot| slot.square == twin.square);
        let twins = material.twins().and_then(|(one, other)| Some([number(one)?, number(other)?]));
        let pawns = material.slots.iter().filter_map(|slot| Some([slot.square, slot.form?])).collect();
        let (all, upright) = (maps(grid.symmetries()), maps(grid.mirror().into_iter().collect()));
        Self { all, upright, twins, pawns }
    }

    /// Replaces a board by the least of its orbit, in the order of the forms and squares of all men.
    pub(super) fn make_representative(&self, material: &Material, board: &mut [u8]) {
        let slots = &material.slots;
        let is_pawn = |&[square, form]: &[usize; 2]| board[form] == 0 && board[square] != material.taken();
        let Maps { maps, least: least_maps } =
            if self.pawns.iter().any(is_pawn) { &self.upright } else { &self.all };
        // The first man is the most significant, so only maps that minimise its content matter, unless it may be exchanged.
        let first = usize::from(board[slots[0].square]);
        let mut wanted = if self.twins.is_some() { u8::MAX >> (8 - maps.len()) } else { least_maps[first] };
        if wanted == IDENTITY {
            return;
        }
        if wanted.is_power_of_two() {
            let map = &maps[wanted.trailing_zeros() as usize];
            for slot in slots {
                board[slot.square] = map[usize::from(board[slot.square])];
            }
            return;
        }
        let (mut forms, mut places) = ([0; MOST_MEN], [0; MOST_MEN]);
        for (i, slot) in slots.iter().enumerate() {
            places[i] = usize::from(board[slot.square]);
            forms[i] = slot.form.map_or(0, |cell| u64::from(board[cell]) << SQUARE_BITS);
        }
        let mut least = u64::MAX;
        while wanted != 0 {
            let map = &maps[wanted.trailing_zeros() as usize];
            wanted &= wanted - 1;
            let mut men = [0; MOST_MEN];
            for i in 0..slots.len() {
                men[i] = forms[i] | u64::from(map[places[i]]);
            }
            if let Some([one, other]) = self.twins
                && men[one] > men[other]
            {
                men.swap(one, other);
            }
            let mut key = 0;
            for man in men {
                key = key << MAN_BITS | man;
            }
            least = least.min(key);
        }
        for (i, slot) in slots.iter().enumerate() {
            let man = least >> (MAN_BITS * (MOST_MEN - 1 - i) as u32);
            board[slot.square] = (man & ((1 << SQUARE_BITS) - 1)) as u8;
            if let Some(cell) = slot.form {
                board[cell] = (man >> SQUARE_BITS & ((1 << FORM_BITS) - 1)) as u8;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use crate::registry::open;

    /// Returns the representatives of all boards of an endgame on 4 x 4 squares, and the number of boards.
    fn representatives(men: &str) -> (HashSet<Vec<u8>>, usize) {
        let game = open(&format!("chess:{men},board=4x4")).unwrap();
        let mut found = HashSet::new();
        let mut boards = vec![Vec::new()];
        for &states in game.cell_states() {
            let longer = |board: &Vec<u8>| {
                let board = board.clone();
                (0..states as u8).map(move |content| [board.clone(), vec![content]].concat())
            };
            boards = boards.iter().flat_map(longer).collect();
        }
        let maps = game.relabellings();
        for board in &boards {
            let mut least = board.clone();
            game.representative(&mut least);
            for map in &maps {
                let mut other = map.apply(board);
                game.representative(&mut other);
                assert_eq!(other, least, "{men}: {board:?} and its image by {}", map.name);
            }
            found.insert(least);
        }
        for one in &found {
            let mut again = one.clone();
            game.representative(&mut again);
            assert_eq!(again, *one, "{men}");
        }
        (found, boards.len())
    }

    #[test]
    fn images_have_the_same_representative() {
        // By Burnside's lemma: of 17 * 16 * 16 boards, each diagonal leaves 5 * 4 * 4 unchanged, and all other symmetries none.
        let (found, boards) = representatives("KRvK");
        assert_eq!((found.len(), boards), ((4352 + 2 * 80) / 8, 4352));
        // Each board with a pawn and its mirror image are different; the others are as with a rook, for each of four forms, and
        // for each of five if the pawn was captured.
        let (found, boards) = representatives("KPvK");
        let (gone, others) = (5 * (256 + 2 * 16) / 8, 4 * (4096 + 2 * 64) / 8);
        assert_eq!((found.len(), boards), (4096 / 2 + others + gone, 5 * 4352));
    }

    #[test]
    fn equal_men_may_be_exchanged() {
        let (with, boards) = representatives("KNNvK");
        assert!(with.len() < boards / 14, "{} of {boards}", with.len());
    }
}
