//! Men of chess by name: kinds, sides and symbols. It holds no rule, so both descriptions use it.

use crate::side::Side;

/// Version of the rules of all chess games. Raised with every change; see [`crate::Game::rules_version`].
pub(super) const RULES_VERSION: u32 = 1;

/// What a man is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    Pawn,
    Queen,
    Rook,
    Bishop,
    Knight,
    King,
}

/// A man of a side.
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
    /// Its letter in English notation, as white's men are written.
    pub(super) fn symbol(self) -> char {
        SYMBOLS.iter().find(|(_, kind)| *kind == self).map_or('?', |(symbol, _)| *symbol)
    }

    /// The kind of that letter, in upper case.
    pub(super) fn of_symbol(symbol: char) -> Option<Self> {
        SYMBOLS.iter().find(|(known, _)| *known == symbol).map(|(_, kind)| *kind)
    }
}

impl Man {
    /// Upper case for white, lower case for black.
    pub(super) fn symbol(self) -> char {
        match self.side {
            Side::P1 => self.kind.symbol(),
            Side::P2 => self.kind.symbol().to_ascii_lowercase(),
        }
    }

    /// The man written that way.
    pub(super) fn of_symbol(symbol: char) -> Option<Self> {
        let side = if symbol.is_ascii_uppercase() { Side::P1 } else { Side::P2 };
        Kind::of_symbol(symbol.to_ascii_uppercase())
            .filter(|_| symbol.is_ascii_alphabetic())
            .map(|kind| Man { side, kind })
    }
}
