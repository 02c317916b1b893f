//! The men of chess: kinds, sides and symbols. Both descriptions use this module, because it contains no rules.

use crate::side::Side;

/// The version of the rules of all chess games, incremented with every change of the rules; see [`crate::Game::rules_version`].
pub(super) const RULES_VERSION: u32 = 1;

/// The kind of a man.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    Pawn,
    Queen,
    Rook,
    Bishop,
    Knight,
    King,
}

/// A man and its side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Man {
    pub(super) side: Side,
    pub(super) kind: Kind,
}

const SYMBOLS: [(char, Kind); 6] = [
    ('P', Kind::Pawn),
    ('N', Kind::Knight),
    ('B', Kind::Bishop),
    ('R', Kind::Rook),
    ('Q', Kind::Queen),
    ('K', Kind::King),
];

impl Kind {
    /// Returns the letter in English notation, as used for white's men.
    pub(super) fn symbol(self) -> char {
        SYMBOLS.iter().find(|(_, kind)| *kind == self).map_or('?', |(symbol, _)| *symbol)
    }

    /// Returns the kind with this upper-case letter.
    pub(super) fn of_symbol(symbol: char) -> Option<Self> {
        SYMBOLS.iter().find(|(known, _)| *known == symbol).map(|(_, kind)| *kind)
    }
}

impl Man {
    /// Returns the symbol: upper case for white, lower case for black.
    pub(super) fn symbol(self) -> char {
        match self.side {
            Side::P1 => self.kind.symbol(),
            Side::P2 => self.kind.symbol().to_ascii_lowercase(),
        }
    }

    /// Returns the man with this symbol.
    pub(super) fn of_symbol(symbol: char) -> Option<Self> {
        let side = if symbol.is_ascii_uppercase() { Side::P1 } else { Side::P2 };
        Kind::of_symbol(symbol.to_ascii_uppercase())
            .filter(|_| symbol.is_ascii_alphabetic())
            .map(|kind| Man { side, kind })
    }
}
