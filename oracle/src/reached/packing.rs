//! Positions packed into few bits: one field for each cell, and one for the side to move.
//!
//! Fields begin at the most significant bit of the first word, and no field extends over two words. The side to move is the
//! first field, then come the cells. Keys in ascending order therefore have ascending big-endian bytes.

use nerode_games::{Move, Side};

use crate::error::{Error, Result};

/// The greatest number of words of a key.
pub(super) const MOST_WORDS: usize = 8;

/// A packed position.
pub(super) type Key<const N: usize> = [u64; N];

/// A one-to-one correspondence of positions and keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packing {
    fields: Vec<Field>,
    num_bits: usize,
}

/// The place of a cell in the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Field {
    word: usize,
    shift: u32,
    mask: u64,
    states: u16,
}

/// The bit of the side to move, in the first word.
const SIDE: u64 = 1 << 63;

impl Packing {
    /// Creates the packing of boards whose cells have the given numbers of contents. `name` is the name of the game in errors.
    ///
    /// # Errors
    /// Returns [`Error::Rules`] if a cell has no contents or more than 256, or [`Error::TooWide`] if a position takes more than
    /// 512 bits.
    pub fn new(cell_states: &[u16], name: &str) -> Result<Self> {
        let mut fields = Vec::with_capacity(cell_states.len());
        let mut at = 1_usize;
        for (cell, &states) in cell_states.iter().enumerate() {
            if states == 0 || states > 256 {
                let reason = format!("cell {cell} has {states} contents, but must have between 1 and 256");
                return Err(Error::Rules { game: name.to_string(), reason });
            }
            // A cell with a single content takes no bits.
            let bits = (u16::BITS - (states - 1).leading_zeros()) as usize;
            if at % 64 + bits > 64 {
                at = at.next_multiple_of(64);
            }
            let mask = (1_u64 << bits) - 1;
            let shift = if bits == 0 { 0 } else { (64 - at % 64 - bits) as u32 };
            fields.push(Field { word: if bits == 0 { 0 } else { at / 64 }, shift, mask, states });
            at += bits;
        }
        if at > 64 * MOST_WORDS {
            return Err(Error::TooWide { game: name.to_string(), bits: at, most: 64 * MOST_WORDS });
        }
        Ok(Self { fields, num_bits: at })
    }

    /// Returns the number of bytes of a packed position.
    pub fn num_bytes(&self) -> usize {
        self.num_bits.div_ceil(8)
    }

    /// Returns the number of words of a key.
    pub(super) fn num_words(&self) -> usize {
        self.num_bits.div_ceil(64)
    }

    /// Returns the bytes of a position, or `None` if it is not a position of the game.
    pub fn pack(&self, board: &[u8], side: Side) -> Option<Vec<u8>> {
        let key: Key<MOST_WORDS> = self.key(board, side)?;
        let mut bytes = Vec::with_capacity(self.num_bytes());
        self.put(&key, &mut bytes);
        Some(bytes)
    }

    /// Returns the position with the given bytes, or `None` if they are not those of a position.
    pub fn unpack(&self, bytes: &[u8]) -> Option<(Vec<u8>, Side)> {
        if bytes.len() != self.num_bytes() {
            return None;
        }
        let mut key: Key<MOST_WORDS> = [0; MOST_WORDS];
        for (at, &byte) in bytes.iter().enumerate() {
            key[at / 8] |= u64::from(byte) << (56 - 8 * (at % 8));
        }
        let mut board = Vec::new();
        let side = self.board(&key, &mut board);
        // Other bits than those of the fields, and contents that a cell cannot have, occur in no key.
        (self.key(&board, side)? == key).then_some((board, side))
    }

    /// Returns the key of a position, or `None` if it is not a position of the game.
    pub(super) fn key<const N: usize>(&self, board: &[u8], side: Side) -> Option<Key<N>> {
        if board.len() != self.fields.len() {
            return None;
        }
        let mut key = [0; N];
        if side == Side::P2 {
            key[0] = SIDE;
        }
        for (field, &content) in self.fields.iter().zip(board) {
            if u16::from(content) >= field.states {
                return None;
            }
            key[field.word] |= u64::from(content) << field.shift;
        }
        Some(key)
    }

    /// Writes the board of a key to `board`, and returns the side to move.
    pub(super) fn board<const N: usize>(&self, key: &Key<N>, board: &mut Vec<u8>) -> Side {
        board.clear();
        // A field has at most 8 bits.
        board.extend(self.fields.iter().map(|field| ((key[field.word] >> field.shift) & field.mask) as u8));
        side_of(key)
    }

    /// Returns the key after `mv` on the board of `key`.
    ///
    /// # Errors
    /// Returns a description of an invalid move: one that uses a cell or content that does not exist, or rewrites a cell twice
    /// or to its own content.
    pub(super) fn successor<const N: usize>(
        &self,
        key: &Key<N>,
        board: &[u8],
        mv: &Move,
    ) -> std::result::Result<Key<N>, &'static str> {
        let mut next = *key;
        next[0] ^= SIDE;
        for (i, change) in mv.iter().enumerate() {
            let place = usize::from(change.cell);
            let (Some(field), Some(&before)) = (self.fields.get(place), board.get(place)) else {
                return Err("it rewrites a cell outside the board");
            };
            if change.after == before {
                return Err("it does not change the contents of a cell");
            }
            if mv[..i].iter().any(|earlier| earlier.cell == change.cell) {
                return Err("it rewrites a cell twice");
            }
            if u16::from(change.after) >= field.states {
                return Err("it writes contents that the cell cannot hold");
            }
            next[field.word] ^= u64::from(change.after ^ before) << field.shift;
        }
        Ok(next)
    }

    /// Appends the bytes of a key.
    pub(super) fn put<const N: usize>(&self, key: &Key<N>, out: &mut Vec<u8>) {
        let bytes = key.iter().flat_map(|word| word.to_be_bytes());
        out.extend(bytes.take(self.num_bytes()));
    }
}

/// Returns the side to move of a key.
pub(super) fn side_of<const N: usize>(key: &Key<N>) -> Side {
    if key[0] & SIDE == 0 { Side::P1 } else { Side::P2 }
}

/// Returns a hash of a key, which does not depend on the process or the machine.
pub(super) fn hash<const N: usize>(key: &Key<N>) -> u64 {
    // The finaliser of SplitMix64 for each word.
    let mut hash = 0_u64;
    for &word in key {
        hash = (hash ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
        hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        hash ^= hash >> 31;
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;
    use nerode_games::CellChange;

    #[test]
    fn every_position_has_its_own_key_in_the_order_of_bytes() {
        let states = [3, 1, 5, 2];
        let packing = Packing::new(&states, "a").unwrap();
        assert_eq!((packing.num_bytes(), packing.num_words()), (1, 1));
        let mut seen = Vec::new();
        for side in Side::BOTH {
            for number in 0..30_u8 {
                let board = vec![number % 3, 0, (number / 3) % 5, number / 15];
                let bytes = packing.pack(&board, side).unwrap();
                assert_eq!(packing.unpack(&bytes), Some((board, side)));
                seen.push(bytes);
            }
        }
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), 60);
        assert_eq!((0..=255).filter(|&byte| packing.unpack(&[byte]).is_some()).count(), 60);
    }

    #[test]
    fn fields_fill_words_and_successors_are_the_keys_of_successors() {
        let states = vec![7; 60];
        let packing = Packing::new(&states, "a").unwrap();
        // 21 fields of 3 bits fill a word after the side, the same number fill the next, and 18 remain.
        assert_eq!((packing.num_words(), packing.num_bytes()), (3, 23));
        let mut board: Vec<u8> = (0..60).map(|cell| cell % 7).collect();
        let key: Key<4> = packing.key(&board, Side::P1).unwrap();
        let change = |cell: u16, after| CellChange { cell, after };
        let mv = Move::from_slice(&[change(0, 6), change(20, 3), change(21, 2), change(59, 0)]);
        let next = packing.successor(&key, &board, &mv).unwrap();
        for change in &mv {
            board[usize::from(change.cell)] = change.after;
        }
        assert_eq!(Some(next), packing.key(&board, Side::P2));
        for wrong in [&[change(60, 0)][..], &[change(0, 7)], &[change(0, 6)], &[change(1, 3), change(1, 4)]] {
            assert!(packing.successor(&next, &board, &Move::from_slice(wrong)).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert!(matches!(Packing::new(&[257], "a"), Err(Error::Rules { .. })));
        assert!(matches!(Packing::new(&[0], "a"), Err(Error::Rules { .. })));
        assert!(Packing::new(&[256; 63], "a").is_ok());
        assert!(matches!(Packing::new(&[256; 64], "a"), Err(Error::TooWide { .. })));
    }
}
