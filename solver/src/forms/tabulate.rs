//! Conversion of automata to explicit tables: the codes of a [`ValueMap`] by position index.

use nerode_dfa::{Letter, ValueMap, Walk};
use nerode_games::Game;
use nerode_oracle::{Cursor, Indexer};

/// Returns, for layers in the order of the cells, the letters of each layer by ascending digit, and the number of
/// positions that agree on the layers up to each one.
fn in_cell_order(indexer: &Indexer) -> (Vec<Vec<Letter>>, Vec<u64>) {
    let digits = indexer.digits();
    let by_digit = |digits: &Vec<u8>| {
        let mut letters: Vec<Letter> = (0..digits.len()).map(|a| a as Letter).collect();
        letters.sort_by_key(|&a| digits[usize::from(a)]);
        letters
    };
    (digits.iter().map(by_digit).collect(), weights(&digits))
}

/// Returns runs of codes in index order: codes with the number of consecutive indices that have them.
///
/// Cost: one step per run if the layers follow the cells, and one look-up per index in any other letter order.
pub fn runs<'a>(game: &dyn Game, map: &'a ValueMap, indexer: &Indexer) -> Runs<'a> {
    if is_slow(game) {
        let cells = game.cell_of_layer().to_vec();
        let word = vec![0; cells.len()];
        return Runs::Each { map, indexer: indexer.clone(), cells, word, next: indexer.cursor(0) };
    }
    let (letters, run_lengths) = in_cell_order(indexer);
    Runs::Walk { walk: map.walk(letters), run_lengths, all: indexer.num_positions() }
}

/// Returns `true` if [`runs`] needs one look-up per index, which is slow if there are many.
pub fn is_slow(game: &dyn Game) -> bool {
    game.cell_of_layer().iter().enumerate().any(|(layer, &cell)| layer != cell)
}

/// The runs of codes of a [`ValueMap`] in index order, see [`runs`].
pub enum Runs<'a> {
    /// The automaton reads the cells in order, so that it determines the code of whole runs.
    Walk {
        /// The current place in the automaton.
        walk: Walk<'a>,
        /// The number of indices that agree on the cells up to each one.
        run_lengths: Vec<u64>,
        /// The total number of indices.
        all: u64,
    },
    /// The automaton reads the cells in another order, so that each index is looked up.
    Each {
        /// The map.
        map: &'a ValueMap,
        /// The correspondence of boards and indices.
        indexer: Indexer,
        /// The cell of each layer.
        cells: Vec<usize>,
        /// The word of the last board.
        word: Vec<Letter>,
        /// The next board.
        next: Option<Cursor>,
    },
}

impl Iterator for Runs<'_> {
    type Item = (u16, u64);

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Walk { walk, run_lengths, all } => {
                let (prefix, code) = walk.next_settled()?;
                Some((code, prefix.len().checked_sub(1).map_or(*all, |last| run_lengths[last])))
            }
            Self::Each { map, indexer, cells, word, next } => {
                let cursor = next.as_mut()?;
                for (letter, &cell) in word.iter_mut().zip(cells.iter()) {
                    *letter = cursor.board()[cell];
                }
                let code = map.get(word);
                cursor.step(indexer);
                if cursor.index() == 0 {
                    *next = None;
                }
                Some((code, 1))
            }
        }
    }
}

/// Returns the weight of each cell's digit in an index. Cell 0 is the most significant.
fn weights(digits: &[Vec<u8>]) -> Vec<u64> {
    let mut weights = vec![1u64; digits.len()];
    for cell in (1..digits.len()).rev() {
        weights[cell - 1] = weights[cell] * digits[cell].len() as u64;
    }
    weights
}
