//! Keys of positions for the table, equal for positions that symmetries turn into each other.

use chacha20::ChaCha12Rng;
use nerode_games::{Game, Move, Side};
use rand::{RngExt, SeedableRng};

/// The maximum number of symmetries that are taken into account.
const MOST_IMAGES: usize = 8;

/// Random numbers by cell and content, whose sum modulo 2 is the key of a board. There is one list for each symmetry,
/// so that the key of an image can be computed without the image.
pub(crate) struct Keys {
    by_image: Vec<Vec<Vec<u128>>>,
    second: u128,
}

/// The keys of a position and of its images. Unused ones are 0.
pub(crate) type KeySet = [u128; MOST_IMAGES];

impl Keys {
    pub(crate) fn new(game: &dyn Game) -> Self {
        let mut rng = ChaCha12Rng::seed_from_u64(0);
        let number_of = |&states: &u16| (0..states).map(|_| rng.random()).collect();
        let plain: Vec<Vec<u128>> = game.cell_states().iter().map(number_of).collect();
        let images = game.relabellings().into_iter().map(|map| {
            let contents = map.contents.iter().zip(&map.image);
            let of_cell = |(contents, &image): (&Vec<u8>, &usize)| -> Vec<u128> {
                contents.iter().map(|&content| plain[image][usize::from(content)]).collect()
            };
            contents.map(of_cell).collect()
        });
        let by_image = std::iter::once(plain.clone()).chain(images).take(MOST_IMAGES).collect();
        Self { by_image, second: rng.random() }
    }

    /// Returns the keys of a board and its images, with `side` to move.
    pub(crate) fn of(&self, board: &[u8], side: Side) -> KeySet {
        let mut keys = [0; MOST_IMAGES];
        for (key, numbers) in keys.iter_mut().zip(&self.by_image) {
            let cells = board.iter().zip(numbers).map(|(&content, cell)| cell[usize::from(content)]);
            *key = cells.fold(if side == Side::P1 { 0 } else { self.second }, |key, number| key ^ number);
        }
        keys
    }

    /// Returns the keys after a move from `board`, whose keys are `keys`.
    pub(crate) fn after(&self, mut keys: KeySet, board: &[u8], mv: &Move) -> KeySet {
        for (key, numbers) in keys.iter_mut().zip(&self.by_image) {
            *key ^= self.second;
            for change in mv {
                let (cell, before) = (usize::from(change.cell), board[usize::from(change.cell)]);
                *key ^= numbers[cell][usize::from(before)] ^ numbers[cell][usize::from(change.after)];
            }
        }
        keys
    }

    /// Returns the key under which the depth of a position is known, which it shares with its images. Where no sets are
    /// asked, it may be unknown whether a position is won or lost, so wins and losses have different keys.
    pub(crate) fn of_question(&self, keys: &KeySet, win: bool) -> u128 {
        let least = keys[..self.by_image.len()].iter().copied().min().unwrap_or_default();
        if win { least } else { !least }
    }

    /// Returns the key of the question whether the position with the key `key` is decided within `plies` plies.
    pub(crate) fn within(key: u128, plies: u32) -> u128 {
        key ^ u128::from(u64::from(plies).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }
}

#[cfg(test)]
mod tests {
    use nerode_games::explicit::apply;
    use nerode_games::registry;

    use super::*;

    #[test]
    fn images_share_a_key_and_moves_change_it_as_boards_do() {
        for spec in ["tictactoe:3x3", "connect:4x4", "othello:4x4", "amazons:3x3,start=1b1/3/1w1"] {
            let game = registry::open(spec).unwrap();
            let keys = Keys::new(game.as_ref());
            let (mut board, mut side) = game.start();
            let mut moves = Vec::new();
            while game.outcome(&board, side).is_none() {
                moves.clear();
                game.legal_moves(&board, side, &mut moves);
                let mv = &moves[moves.len() / 2];
                let after = keys.after(keys.of(&board, side), &board, mv);
                (board, side) = (apply(&board, mv), side.other());
                assert_eq!(after, keys.of(&board, side), "{spec}");
                for map in game.relabellings() {
                    let mut image = board.clone();
                    for (cell, &to) in map.image.iter().enumerate() {
                        image[to] = map.contents[cell][usize::from(board[cell])];
                    }
                    let [found, expected] =
                        [keys.of(&image, side), after].map(|keys_of| keys.of_question(&keys_of, true));
                    assert_eq!(found, expected, "{spec} {}", map.name);
                }
            }
        }
    }
}
