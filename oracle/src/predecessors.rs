//! Positions in the order of their depths, by stored predecessors, for games with cycles.
//!
//! Only positions that can be decided are numbered: those that are not drawn at once and, with orbits, are their own representatives.
//! A bit for each board and side says which these are, and counts of bits give their numbers, so that neither a hash table nor an
//! array with one entry for each board is read at random.

use std::ops::Range;
use std::sync::atomic::{AtomicU16, Ordering};

use nerode_games::outcome::code16::{self, DRAW, UNKNOWN};
use nerode_games::{ExplicitGame, Move, Side, Value};
use rayon::prelude::*;

use super::task::{CHUNK, Task};
use crate::backward::{Arrivals, Codes, Lists, allocate};
use crate::error::{Error, Result};

/// The table entry of a position before it is decided.
pub(super) const BEFORE: u16 = DRAW;

/// The number of chunks between two calls of `progress`. Threads wait for each other at the end of a batch.
const BATCH: usize = 64;

/// The number of passes over all boards.
const PASSES: u64 = 4;

/// The number of boards that share a word.
const BITS: u64 = 64;

/// Which of 64 consecutive boards are numbered, and the number of the first of them.
#[derive(Clone, Copy)]
struct Word {
    bits: u64,
    first: u32,
}

/// The numbers of positions.
struct Numbers {
    words: [Vec<Word>; 2],
    count: u32,
}

impl Numbers {
    /// Returns the number of a position, or `None` if it has none. The index must be below `num_positions`.
    fn of(&self, side: Side, index: u64) -> Option<u32> {
        // The words were allocated for all indices, which therefore fit into `usize`.
        let word = self.words[side.index()][(index / BITS) as usize];
        let bit = 1 << (index % BITS);
        (word.bits & bit != 0).then(|| word.first + (word.bits & (bit - 1)).count_ones())
    }
}

/// What a thread needs to find moves and representatives.
#[derive(Default)]
struct Scratch {
    moves: Vec<Move>,
    board: Vec<u8>,
    again: Vec<u8>,
}

/// The passes over the boards of a task.
struct Passes<'a, 'b, G: ?Sized> {
    task: &'b Task<'a, G>,
    /// Whether only representatives are decided.
    orbits: bool,
}

/// Decides every position in the table of the task, or only representatives, whose codes are then copied to their orbits.
pub(super) fn run<G: ExplicitGame + Sync + ?Sized>(
    task: &Task<'_, G>,
    orbits: bool,
    memory_limit: u64,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<()> {
    let passes = Passes { task, orbits };
    let what = format!("the explicit table of {}", task.name);
    let bits = passes.each(0, progress, |chunk, scratch| passes.find(chunk, scratch))?;
    let numbers = number(&bits);
    drop(bits);
    let words = numbers.as_ref().map_or(0, |numbers| numbers.words[0].len() as u64);
    let boards = task.indexer.num_positions();
    let bytes = |count: u64| 4 * boards + 2 * words * size_of::<Word>() as u64 + 2 * count;
    let too_large = |count: u64| Error::TooLarge {
        what: format!("the predecessors in {what}"),
        needed_bytes: u128::from(bytes(count)) + 10 * u128::from(count),
        limit_bytes: memory_limit,
    };
    let numbers = numbers.ok_or_else(|| too_large(u64::from(u32::MAX)))?;
    let count = numbers.count as usize;
    let lack = || too_large(u64::from(numbers.count));
    if u128::from(bytes(count as u64)) + 6 * count as u128 > u128::from(memory_limit) {
        return Err(lack());
    }
    let codes = allocate(count, || AtomicU16::new(UNKNOWN)).ok_or_else(lack)?;
    let arrivals = Arrivals::new(count).ok_or_else(lack)?;
    passes.each(1, progress, |chunk, scratch| passes.count(chunk, scratch, &numbers, &arrivals))?;
    let lists = arrivals.into_lists(&format!("positions in {what}"), bytes(count as u64), memory_limit)?;
    passes.each(2, progress, |chunk, scratch| passes.fill(chunk, scratch, &numbers, &lists, &codes))?;
    lists.finish().run(&format!("an explicit table of {}", task.name), &codes, task.interrupt)?;
    passes.each(3, progress, |chunk, scratch| passes.write(chunk, scratch, &numbers, &codes))?;
    Ok(())
}

/// Numbers the positions of which the bits of all chunks are set. Returns `None` if there are 2^32 or more.
fn number(bits: &[[Vec<u64>; 2]]) -> Option<Numbers> {
    let mut first = 0_u32;
    let mut words = [Vec::new(), Vec::new()];
    for side in Side::BOTH {
        let of_side = bits.iter().flat_map(|chunk| &chunk[side.index()]);
        for &bits in of_side {
            words[side.index()].push(Word { bits, first });
            first = first.checked_add(bits.count_ones())?;
        }
    }
    Some(Numbers { words, count: first })
}

impl<G: ExplicitGame + Sync + ?Sized> Passes<'_, '_, G> {
    /// Calls `visit` with every chunk of boards, and returns the results in the order of the chunks.
    fn each<T: Send>(
        &self,
        pass: u64,
        progress: &mut dyn FnMut(u64, u64),
        visit: impl Fn(Range<u64>, &mut Scratch) -> Result<T> + Sync,
    ) -> Result<Vec<T>> {
        let boards = self.task.indexer.num_positions();
        let chunks: Vec<u64> = (0..self.task.num_chunks()).collect();
        let mut all = Vec::with_capacity(chunks.len());
        for batch in chunks.chunks(BATCH) {
            let of_chunk = |scratch: &mut Scratch, &chunk: &u64| {
                self.task.check_interrupt()?;
                visit(chunk * CHUNK..boards.min((chunk + 1) * CHUNK), scratch)
            };
            let found: Result<Vec<T>> = batch.par_iter().map_init(Scratch::default, of_chunk).collect();
            all.extend(found?);
            let done = boards.min(all.len() as u64 * CHUNK);
            progress((2 * (pass * boards + done)) / PASSES, 2 * boards);
        }
        Ok(all)
    }

    /// Writes the representative of a board to `to`. Returns whether it is the board itself.
    fn represent(&self, board: &[u8], to: &mut Vec<u8>) -> bool {
        to.clear();
        to.extend_from_slice(board);
        self.task.game.representative(to);
        to == board
    }

    /// Finds the positions that get numbers: a bit for each board, first with `P1` and then with `P2` to move.
    fn find(&self, chunk: Range<u64>, scratch: &mut Scratch) -> Result<[Vec<u64>; 2]> {
        let words = (chunk.end - chunk.start).div_ceil(BITS) as usize;
        let mut bits = [vec![0; words], vec![0; words]];
        let Some(mut cursor) = self.task.indexer.cursor(chunk.start) else { return Ok(bits) };
        for at in 0..chunk.end - chunk.start {
            let board = cursor.board();
            if !self.orbits || self.represent(board, &mut scratch.board) {
                for side in Side::BOTH {
                    if self.task.game.outcome(board, side) != Some(Value::Draw) {
                        bits[side.index()][(at / BITS) as usize] |= 1 << (at % BITS);
                    }
                }
            }
            cursor.step(&self.task.indexer);
        }
        Ok(bits)
    }

    /// Calls `visit` with the number, the board and the side of every numbered position of a chunk and with the numbers of the
    /// positions to which its moves lead. A move that leads to a position without a number has none either.
    fn visit(
        &self,
        chunk: Range<u64>,
        scratch: &mut Scratch,
        numbers: &Numbers,
        mut visit: impl FnMut(u32, &[u8], Side, &[Option<u32>]) -> Result<()>,
    ) -> Result<()> {
        let Some(mut cursor) = self.task.indexer.cursor(chunk.start) else { return Ok(()) };
        let mut next = Vec::new();
        for index in chunk {
            for side in Side::BOTH {
                let Some(number) = numbers.of(side, index) else { continue };
                let board = cursor.board();
                scratch.moves.clear();
                self.task.game.legal_moves(board, side, &mut scratch.moves);
                next.clear();
                for mv in &scratch.moves {
                    next.push(self.successor(side, board, index, mv, numbers, &mut scratch.board)?);
                }
                visit(number, board, side, &next)?;
            }
            cursor.step(&self.task.indexer);
        }
        Ok(())
    }

    /// Returns the number of the position after a move, or that of its representative.
    fn successor(
        &self,
        side: Side,
        board: &[u8],
        index: u64,
        mv: &Move,
        numbers: &Numbers,
        scratch: &mut Vec<u8>,
    ) -> Result<Option<u32>> {
        let next = self.task.successor(side, board, index, mv)?;
        let number = numbers.of(side.other(), next);
        // A numbered position is its own representative.
        if number.is_some() || !self.orbits {
            return Ok(number);
        }
        scratch.clear();
        scratch.extend_from_slice(board);
        for change in mv {
            scratch[usize::from(change.cell)] = change.after;
        }
        self.task.game.representative(scratch);
        Ok(numbers.of(side.other(), self.index_of(scratch, side)?))
    }

    fn index_of(&self, board: &[u8], side: Side) -> Result<u64> {
        let index = self.task.indexer.index_of(board);
        index.ok_or_else(|| {
            self.task.rules(side, board, "this is a representative, but not a board of the game")
        })
    }

    fn count(
        &self,
        chunk: Range<u64>,
        scratch: &mut Scratch,
        numbers: &Numbers,
        arrivals: &Arrivals,
    ) -> Result<()> {
        self.visit(chunk, scratch, numbers, |_, _, _, next| {
            next.iter().flatten().for_each(|&next| arrivals.add(next as usize));
            Ok(())
        })
    }

    /// Lists predecessors, and sets the codes of positions without moves.
    fn fill(
        &self,
        chunk: Range<u64>,
        scratch: &mut Scratch,
        numbers: &Numbers,
        lists: &Lists,
        codes: &Codes,
    ) -> Result<()> {
        self.visit(chunk, scratch, numbers, |number, board, side, next| {
            let rules = |reason| self.task.rules(side, board, reason);
            if next.is_empty() {
                let value = self.task.game.outcome(board, side);
                let value = value
                    .ok_or_else(|| rules("the side to move has no legal move, although the game goes on"))?;
                codes[number as usize].store(code16::terminal(value), Ordering::Relaxed);
            }
            let moves = lists.set_moves(number as usize, next.len());
            moves.ok_or_else(|| rules("there are more than 65535 moves"))?;
            for &next in next.iter().flatten() {
                let added = lists.add(next as usize, number);
                added.ok_or_else(|| rules("its moves change from one call to the next"))?;
            }
            Ok(())
        })
    }

    /// Writes the codes of all boards of a chunk to the table.
    fn write(
        &self,
        chunk: Range<u64>,
        scratch: &mut Scratch,
        numbers: &Numbers,
        codes: &Codes,
    ) -> Result<()> {
        let Some(mut cursor) = self.task.indexer.cursor(chunk.start) else { return Ok(()) };
        for index in chunk {
            let board = cursor.board();
            let mut from = index;
            if self.orbits && !self.represent(board, &mut scratch.board) {
                from = self.index_of(&scratch.board, Side::P1)?;
                if !self.represent(&scratch.board, &mut scratch.again) {
                    return Err(self.task.rules(Side::P1, board, "its representative has another one"));
                }
            }
            for side in Side::BOTH {
                let code =
                    numbers.of(side, from).map(|number| codes[number as usize].load(Ordering::Relaxed));
                self.task.store(side, index, code.unwrap_or(DRAW));
            }
            cursor.step(&self.task.indexer);
        }
        Ok(())
    }
}
