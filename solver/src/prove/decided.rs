//! The positions that the sets of a run decide.

use nerode_dfa::{Dfa, Letter};
use nerode_games::{Game, Side, Value};

use crate::archive::run_dir::Kind;
use crate::archive::stored_run::StoredRun;
use crate::error::Result;
use crate::solve::resources::Resources;

/// The share of the memory that the sets may take with several letters as one, as a divisor.
const SHARE_OF_JOINED: u64 = 3;
/// The largest alphabet of several letters as one. Larger ones make the sets much larger.
const MOST_LETTERS: u16 = 32;

/// `W_i` and `L_i` of a ply i of a run, and terminal positions.
pub(super) struct Decided<'a> {
    game: &'a dyn Game,
    automata: Vec<Dfa>,
    /// The sets of wins and of losses of each side.
    sets: [[Set; 2]; 2],
    /// How the words of the sets follow from a board, as it is and with the sides swapped, if a set needs it.
    readings: [Option<Reading>; 2],
    /// The value of all other positions, if they have one.
    rest: Option<Value>,
    bytes: u64,
    bytes_in_memory: u64,
}

/// A set: the index of its automaton, and whether that has the set of the other side.
#[derive(Clone, Copy, Default)]
struct Set {
    automaton: usize,
    is_of_other_side: bool,
}

impl<'a> Decided<'a> {
    /// Reads the sets of a ply of `run`, with as many letters as one as the memory allows.
    ///
    /// # Errors
    /// Returns an error if the run is not retrograde, if a file is missing or damaged, or if the operating system cannot start the
    /// threads.
    pub(super) fn at(run: &'a StoredRun, ply: u32, resources: &Resources) -> Result<Self> {
        let (automata, sets, bytes, joined) = resources.pool()?.install(|| {
            let (mut automata, sets) = read_sets(run, ply)?;
            let bytes: u64 = automata.iter().map(|automaton| bytes_of(automaton, 1)).sum();
            let joined = letters_to_join(&automata, resources.memory / SHARE_OF_JOINED);
            if joined > 1 {
                for automaton in &mut automata {
                    *automaton = automaton.joined(joined)?;
                }
            }
            Result::Ok((automata, sets, bytes, joined))
        })?;
        let game = run.game.as_ref();
        let needed = |swap| sets.iter().flatten().any(|set| set.is_of_other_side == swap);
        let readings = [false, true].map(|swap| needed(swap).then(|| Reading::new(game, joined, swap)));
        let bytes_in_memory = automata.iter().map(Dfa::bytes).sum();
        let is_fixpoint = run.run.manifest.progress.fixpoint && ply == run.last_ply();
        let rest = is_fixpoint.then_some(Value::Draw);
        Ok(Self { game, automata, sets, readings, rest, bytes, bytes_in_memory })
    }

    /// Returns the size of the tables of the sets in bytes, as they are in the run.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the number of bytes of memory that the sets take, which is larger if several letters are one.
    pub(super) fn bytes_in_memory(&self) -> u64 {
        self.bytes_in_memory
    }

    /// Returns the value of a board for `side`, which is to move, if it is decided.
    pub(super) fn value(&self, board: &[u8], side: Side) -> Option<Value> {
        self.values(board, side)[0]
    }

    /// Returns the values of several boards for `side`, which is to move, where they are decided. `boards` contains their cells, one
    /// board after the other. All of them are looked up together in both sets; see [`Dfa::contain_each`].
    pub(super) fn values(&self, boards: &[u8], side: Side) -> Vec<Option<Value>> {
        let cells = self.game.cell_states().len();
        let sets = &self.sets[side.index()];
        let words = [false, true].map(|swap| {
            let reading = self.readings[usize::from(swap)].as_ref();
            let reading = reading.filter(|_| sets.iter().any(|set| set.is_of_other_side == swap));
            reading.map_or_else(Vec::new, |reading| reading.words(boards))
        });
        let mut looked_up: Vec<(&Dfa, &[Letter])> = Vec::with_capacity(sets.len() * boards.len() / cells);
        for set in sets {
            let automaton = &self.automata[set.automaton];
            let words = words[usize::from(set.is_of_other_side)].chunks_exact(automaton.shape().num_layers());
            looked_up.extend(words.map(|word| (automaton, word)));
        }
        let found = Dfa::contain_each(&looked_up);
        let (won, lost) = found.split_at(boards.len() / cells);
        let value = |(board, (&is_won, &is_lost)): (&[u8], (&bool, &bool))| match (is_won, is_lost) {
            (true, _) => Some(Value::Win),
            (_, true) => Some(Value::Loss),
            _ => self.game.outcome(board, side).or(self.rest),
        };
        boards.chunks_exact(cells).zip(won.iter().zip(lost)).map(value).collect()
    }
}

/// How boards are read as words, several letters of which are one.
struct Reading {
    /// The cell of each layer.
    cells: Vec<usize>,
    /// What the contents of the cell of each layer add to the letter, in a row for each layer.
    shares: Vec<Letter>,
    /// The length of a row.
    contents: usize,
    joined: usize,
}

impl Reading {
    /// Creates the reading with the letters of [`Dfa::joined`], of boards as they are or with the sides swapped.
    fn new(game: &dyn Game, joined: usize, swap: bool) -> Self {
        let alphabets = game.shape().alphabets();
        let contents = alphabets.iter().copied().max().map_or(0, usize::from);
        let (mut cells, mut shares) = (game.cell_of_layer().to_vec(), vec![0; alphabets.len() * contents]);
        let swap = game.side_swap().filter(|_| swap);
        if let Some(swap) = &swap {
            // The cell from which the content of a cell comes.
            let mut from = vec![0; swap.image.len()];
            swap.image.iter().enumerate().for_each(|(cell, &to)| from[to] = cell);
            cells.iter_mut().for_each(|cell| *cell = from[*cell]);
        }
        for (layer, &cell) in cells.iter().enumerate() {
            let end = (layer / joined * joined + joined).min(alphabets.len());
            let weight: u16 = alphabets[layer + 1..end].iter().product();
            for content in 0..usize::from(game.cell_states()[cell]) {
                let letter = swap.as_ref().map_or(content as Letter, |swap| swap.contents[cell][content]);
                shares[layer * contents + content] = (u16::from(letter) * weight) as Letter;
            }
        }
        Self { cells, shares, contents, joined }
    }

    /// Returns the words of several boards, one after the other.
    fn words(&self, boards: &[u8]) -> Vec<Letter> {
        let mut words = Vec::with_capacity(boards.len().div_ceil(self.joined));
        for board in boards.chunks_exact(self.cells.len()) {
            let layers = self.cells.iter().zip(self.shares.chunks_exact(self.contents));
            let mut shares = layers.map(|(&cell, row)| row[usize::from(board[cell])]);
            while shares.len() > 0 {
                words.push(shares.by_ref().take(self.joined).sum());
            }
        }
        words
    }
}

/// Reads the sets of wins and of losses of each side of a ply, each automaton once.
fn read_sets(run: &StoredRun, ply: u32) -> Result<(Vec<Dfa>, [[Set; 2]; 2])> {
    let mut stored: Vec<(Kind, Side)> = Vec::new();
    let mut automata = Vec::new();
    let mut sets = [[Set::default(); 2]; 2];
    for (side, sets) in Side::BOTH.into_iter().zip(&mut sets) {
        for (kind, set) in [Kind::W, Kind::L].into_iter().zip(sets) {
            set.is_of_other_side = run.entry(kind, side, ply)?.is_mirror();
            let owner = if set.is_of_other_side { side.other() } else { side };
            let known = stored.iter().position(|&of| of == (kind, owner));
            set.automaton = known.unwrap_or(automata.len());
            if known.is_none() {
                stored.push((kind, owner));
                automata.push(run.read(kind, owner, ply)?);
            }
        }
    }
    Ok((automata, sets))
}

/// Returns how many letters can be one so that the sets take at most the given number of bytes.
fn letters_to_join(automata: &[Dfa], memory: u64) -> usize {
    let fits = |&count: &usize| {
        let shape = automata[0].shape().joined(count).ok();
        let is_small = shape.is_some_and(|shape| shape.alphabets().iter().all(|&k| k <= MOST_LETTERS));
        is_small && automata.iter().map(|automaton| bytes_of(automaton, count)).sum::<u64>() <= memory
    };
    (2..=automata[0].shape().num_layers()).take_while(fits).last().unwrap_or(1)
}

/// Returns the size of the tables of a set in bytes, in memory or in files, if `joined` letters are one.
fn bytes_of(set: &Dfa, joined: usize) -> u64 {
    let alphabets = set.shape().alphabets().chunks(joined);
    let of_layer = |(layer, alphabets): (usize, &[u16])| {
        let letters: u64 = alphabets.iter().map(|&k| u64::from(k)).product();
        set.num_states_in(layer * joined) as u64 * letters * size_of::<u32>() as u64
    };
    alphabets.enumerate().map(of_layer).sum()
}
