//! Layers, letters and squares of the symbolic description.

use nerode_dfa::Letter;

use super::{EDGE, KINGS, SPECIAL, Start, letter, special};
use crate::rules::chess::men::{Kind, Man};
use crate::side::Side;

/// All kinds except pawns.
pub(super) const PIECES: [Kind; 5] = [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen, Kind::King];

/// The letter of an empty square.
pub(super) const EMPTY: Letter = 0;

impl Start {
    pub(super) fn layer(&self, square: usize) -> usize {
        self.layout.layer(square + KINGS)
    }

    /// Returns the letters that represent `man` on `square`.
    pub(super) fn forms(&self, square: usize, man: Man) -> Vec<Letter> {
        let with_right = (special(self.grid, square) == Some(man)).then_some(SPECIAL);
        std::iter::once(letter(man)).chain(with_right).collect()
    }

    pub(super) fn rank(&self, rank: usize) -> impl Iterator<Item = usize> {
        (0..EDGE).map(move |file| rank * EDGE + file)
    }

    /// Returns the squares of pawns of `side` that have advanced two ranks.
    pub(super) fn passing(&self, side: Side) -> impl Iterator<Item = usize> {
        self.rank(if side == Side::P1 { 3 } else { 4 })
    }
}
