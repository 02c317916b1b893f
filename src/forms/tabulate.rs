//! From automata to explicit tables: the codes of a [`ValueMap`] by position index.

use nerode_dfa::{Letter, ValueMap, Walk};
use nerode_games::Game;
use nerode_games::registry::order_of_cells;

use crate::error::Error;
use crate::explicit::Indexer;

/// How an index is made of the letters of a word.
struct Layout {
    /// Letters of each layer by ascending digit.
    letters: Vec<Vec<Letter>>,
    /// Part of the index that a letter of a layer contributes.
    places: Vec<Vec<u64>>,
    /// Number of positions that agree on the layers up to each one, where layers follow the cells.
    run_lengths: Vec<u64>,
    /// Whether layer l holds cell l.
    in_cell_order: bool,
}

impl Layout {
    fn new(game: &dyn Game, indexer: &Indexer) -> Self {
        let digits = indexer.digits();
        let weights = weights(&digits);
        let cells = game.cell_of_layer();
        let by_digit = |&cell: &usize| {
            let mut letters: Vec<Letter> = (0..digits[cell].len()).map(|a| a as Letter).collect();
            letters.sort_by_key(|&a| digits[cell][usize::from(a)]);
            letters
        };
        let contributions =
            |&cell: &usize| digits[cell].iter().map(|&d| u64::from(d) * weights[cell]).collect();
        Self {
            letters: cells.iter().map(by_digit).collect(),
            places: cells.iter().map(contributions).collect(),
            in_cell_order: cells.iter().enumerate().all(|(layer, &cell)| layer == cell),
            run_lengths: weights,
        }
    }
}

/// Calls `visit(first index, length, code)` for runs of consecutive indices with one code, covering every index once.
///
/// In the letter order that follows the cells, runs come in ascending order and are as long as the automaton settles
/// them; in other orders they come one index at a time, in the order of the words.
///
/// Cost: one call per run.
///
/// # Errors
/// Whatever `visit` returns.
pub fn for_each_run<E>(
    game: &dyn Game,
    map: &ValueMap,
    indexer: &Indexer,
    visit: &mut impl FnMut(u64, u64, u16) -> Result<(), E>,
) -> Result<(), E> {
    let layout = Layout::new(game, indexer);
    let mut walk = map.walk(layout.letters.clone());
    let mut next = 0;
    while let Some((prefix, code)) = walk.next_settled() {
        if layout.in_cell_order {
            let len =
                prefix.len().checked_sub(1).map_or(indexer.num_positions(), |last| layout.run_lengths[last]);
            visit(next, len, code)?;
            next += len;
        } else {
            let base = prefix.iter().zip(&layout.places).map(|(&a, place)| place[usize::from(a)]).sum();
            for_each_index(prefix.len(), base, &layout, &mut |index| visit(index, 1, code))?;
        }
    }
    Ok(())
}

/// The error for a game in a letter order that does not follow the cells, where positions must come by their index.
pub(crate) fn not_in_cell_order(game: &dyn Game) -> Error {
    let cells: Vec<usize> = (0..game.cell_states().len()).collect();
    Error::WrongOrder { found: game.order().into(), needed: order_of_cells(&cells) }
}

/// Runs `(code, length)` in index order, for readers that pull.
///
/// # Errors
/// [`Error::WrongOrder`] when the letter order does not follow the cells.
pub fn runs<'a>(game: &dyn Game, map: &'a ValueMap, indexer: &Indexer) -> crate::error::Result<Runs<'a>> {
    let layout = Layout::new(game, indexer);
    if !layout.in_cell_order {
        return Err(not_in_cell_order(game));
    }
    let all = indexer.num_positions();
    Ok(Runs { walk: map.walk(layout.letters), run_lengths: layout.run_lengths, all })
}

/// Runs of a [`ValueMap`] in index order, see [`runs`].
pub struct Runs<'a> {
    walk: Walk<'a>,
    run_lengths: Vec<u64>,
    all: u64,
}

impl Iterator for Runs<'_> {
    type Item = (u16, u64);

    fn next(&mut self) -> Option<Self::Item> {
        let (prefix, code) = self.walk.next_settled()?;
        Some((code, prefix.len().checked_sub(1).map_or(self.all, |last| self.run_lengths[last])))
    }
}

/// Calls `visit` with every index that agrees with `base` on the layers before `layer`.
fn for_each_index<E>(
    layer: usize,
    base: u64,
    layout: &Layout,
    visit: &mut impl FnMut(u64) -> Result<(), E>,
) -> Result<(), E> {
    match layout.places.get(layer) {
        None => visit(base),
        Some(places) => {
            places.iter().try_for_each(|&place| for_each_index(layer + 1, base + place, layout, visit))
        }
    }
}

/// Weight of each cell's digit in an index; cell 0 is the most significant.
fn weights(digits: &[Vec<u8>]) -> Vec<u64> {
    let mut weights = vec![1u64; digits.len()];
    for cell in (1..digits.len()).rev() {
        weights[cell - 1] = weights[cell] * digits[cell].len() as u64;
    }
    weights
}
