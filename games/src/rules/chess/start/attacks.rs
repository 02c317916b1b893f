//! Sets of words in which a square is attacked.

use nerode_dfa::{Dfa, Result, Set, Store};

use super::letters::{EMPTY, PIECES};
use super::{EDGE, Start};
use crate::rules::chess::geometry::{Way, pawn_ways, ways};
use crate::rules::chess::men::{Kind, Man};
use crate::side::Side;

impl Start {
    /// Returns the set `{ w : the opponent of side attacks none of squares }`.
    pub(super) fn unattacked(&self, store: &mut Store, side: Side, squares: &[usize]) -> Result<Dfa> {
        let attacks: Result<Vec<Set>> =
            squares.iter().map(|&square| self.attacks(store, side.other(), square)).collect();
        let any = store.union_all(&attacks?)?;
        let none = store.complement(&any)?;
        Ok(store.freeze(&none))
    }

    /// Returns the set `{ w : a man of by attacks square }`.
    pub(super) fn attacks(&self, store: &mut Store, by: Side, square: usize) -> Result<Set> {
        let mut cubes = Vec::new();
        for kind in PIECES.into_iter().chain([Kind::Pawn]) {
            let all = match kind {
                Kind::Pawn => pawn_attacks(self, by),
                kind => ways(self.grid, kind),
            };
            for way in all.iter().filter(|way| way.to == square) {
                let mut cube = vec![(self.layer(way.from), self.forms(way.from, Man { side: by, kind }))];
                cube.extend(way.over.iter().map(|&over| (self.layer(over), vec![EMPTY])));
                cubes.push(store.cube(&cube)?);
            }
        }
        store.union_all(&cubes)
    }
}

/// Returns the ways in which pawns attack. Pawns on the first and last rank, which cannot occur in play, attack as well.
fn pawn_attacks(game: &Start, by: Side) -> Vec<Way> {
    let mut all = pawn_ways(game.grid, by).captures;
    let from_edge = game.rank(if by == Side::P1 { 0 } else { EDGE - 1 });
    let ahead = |square: usize| if by == Side::P1 { square + EDGE } else { square - EDGE };
    for from in from_edge {
        let (file, to) = (game.grid.file(from), ahead(from));
        let aslant = [(file > 0).then(|| to - 1), (file + 1 < EDGE).then(|| to + 1)];
        all.extend(aslant.into_iter().flatten().map(|to| Way { from, to, over: Vec::new() }));
    }
    all
}
