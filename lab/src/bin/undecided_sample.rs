//! Estimates the number of positions that the ply after the last one of a run leaves undecided, for each interpretation
//! of "all positions". `undecided_sample RUN_DIR DRAWS [SEED]` uses random words, for sets that are too large to be
//! computed or restricted to admissible words. If both sides are equivalent, P1 is used. The last ply of the run must
//! have added only wins, so that the next ply adds only losses.
//!
//! A word is drawn uniformly from those outside `W[P1]` that no single cell decides by the rules. It is lost in the
//! next ply if P1 has lost by the rules, or if every move of P1 leads to a word that P2 wins. This is determined with
//! the explicit rules, and with `W[P1]` under the exchange of the sides.

use std::error::Error;
use std::path::Path;

use chacha20::ChaCha12Rng;
use nerode_dfa::{Dfa, Letter, Set, Store, Target};
use nerode_games::explicit::apply;
use nerode_games::{Game, Side, SideSwap, Value};
use nerode_solver::archive::run_dir::Kind;
use nerode_solver::archive::stored_run::StoredRun;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

/// The number of words drawn from one stream of random numbers.
const DRAWS_A_STREAM: u64 = 1 << 12;

fn main() -> Result<(), Box<dyn Error>> {
    let usage = "usage: undecided_sample RUN_DIR DRAWS [SEED]";
    let mut arguments = std::env::args().skip(1);
    let solution = StoredRun::open(Path::new(&arguments.next().ok_or(usage)?))?;
    let num_draws: u64 = arguments.next().ok_or(usage)?.parse()?;
    let seed: u64 = arguments.next().map_or(Ok(1), |seed| seed.parse())?;
    let game = solution.game.as_ref();
    let swap = game.side_swap().ok_or("the sides are not alike")?;
    let ply = solution.last_ply();
    let lost = |ply| solution.entry(Kind::L, Side::P2, ply).map(|entry| entry.stored());
    if ply == 0 || lost(ply)? != lost(ply - 1)? {
        return Err("the last ply of the run added losses".into());
    }
    let mut store = Store::unbounded(game.shape().clone());
    let admissible =
        game.admissible(&mut store, Side::P1)?.ok_or("the game does not say which words are admissible")?;
    let admissible = store.freeze(&admissible);
    let won = solution.set(Kind::W, Side::P1, ply)?;
    let terminal = game.terminal(&mut store, Side::P1)?;
    let decided = store.union(&terminal.win, &terminal.loss)?;
    let outside = Outside::new(won, &decided, &mut store)?;
    let population = outside.count();
    if population == 0 || num_draws == 0 {
        return Err("there is nothing to draw".into());
    }
    let (undecided, undecided_admissible) = (0..num_draws.div_ceil(DRAWS_A_STREAM))
        .into_par_iter()
        .map(|i| {
            let mut rng = ChaCha12Rng::seed_from_u64(seed);
            rng.set_stream(i);
            let mut found = (0, 0);
            for _ in 0..DRAWS_A_STREAM.min(num_draws - i * DRAWS_A_STREAM) {
                let word = outside.word(rng.random_range(0..population));
                if is_open(game, &swap, outside.won, &word) {
                    found.0 += 1u64;
                    found.1 += u64::from(admissible.contains(&word));
                }
            }
            found
        })
        .reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    println!(
        "ply,drawn from,draws,undecided,undecided and admissible,estimate of all words,estimate of admissible words,standard errors"
    );
    let estimate = |n: u64| population as f64 * n as f64 / num_draws as f64;
    let error = |n: u64| (1.0 / n as f64 - 1.0 / num_draws as f64).sqrt();
    println!(
        "{},{population},{num_draws},{undecided},{undecided_admissible},{:.4e},{:.4e},{:.2}% and {:.2}%",
        ply + 1,
        estimate(undecided),
        estimate(undecided_admissible),
        100.0 * error(undecided),
        100.0 * error(undecided_admissible)
    );
    Ok(())
}

/// Returns `true` if a word outside `W[P1]` is not lost for P1 in the next ply either.
fn is_open(game: &dyn Game, swap: &SideSwap, won: &Dfa, word: &[Letter]) -> bool {
    let board = game.board_of(word);
    if let Some(value) = game.outcome(&board, Side::P1) {
        return value == Value::Draw;
    }
    let mut moves = Vec::new();
    game.legal_moves(&board, Side::P1, &mut moves);
    !moves.iter().all(|mv| won.contains(&game.word_of(&swap.apply(&apply(&board, mv)))))
}

/// The words outside a set that no single letter decides, in a fixed order.
struct Outside<'a> {
    won: &'a Dfa,
    /// For each layer, the letters that do not decide the word by themselves.
    letters: Vec<Vec<Letter>>,
    /// For each layer, the number of such words that each state leaves outside.
    counts: Vec<Vec<u64>>,
    /// The number of all such words on the layers from a given one on.
    all: Vec<u64>,
}

impl<'a> Outside<'a> {
    /// Creates the collection of words outside `won` that are not in `decided` because of any single letter.
    fn new(won: &'a Dfa, decided: &Set, store: &mut Store) -> Result<Self, Box<dyn Error>> {
        let shape = won.shape();
        let n = shape.num_layers();
        let mut letters = vec![Vec::new(); n];
        for (layer, open) in letters.iter_mut().enumerate() {
            for letter in 0..shape.num_letters(layer) as Letter {
                let with = store.fixed(layer, letter)?;
                if !store.is_subset(&with, decided) {
                    open.push(letter);
                }
            }
        }
        let mut all = vec![1u64; n + 1];
        let mut counts: Vec<Vec<u64>> = vec![Vec::new(); n + 1];
        for layer in (0..n).rev() {
            all[layer] =
                all[layer + 1].checked_mul(letters[layer].len() as u64).ok_or("too many words to number")?;
            let of = |state: usize| {
                letters[layer]
                    .iter()
                    .map(|&a| outside(won.target(layer, state as u32, a), &counts[layer + 1], all[layer + 1]))
                    .sum()
            };
            counts[layer] = (0..won.num_states_in(layer)).into_par_iter().map(of).collect();
        }
        Ok(Self { won, letters, counts, all })
    }

    fn count(&self) -> u64 {
        outside(self.won.root(), &self.counts[0], self.all[0])
    }

    /// Returns the word with this rank.
    fn word(&self, mut rank: u64) -> Vec<Letter> {
        let mut target = self.won.root();
        let mut word = Vec::with_capacity(self.letters.len());
        for (layer, letters) in self.letters.iter().enumerate() {
            let mut chosen = (0, target);
            for &letter in letters {
                let next = match target {
                    Target::State(state) => self.won.target(layer, state, letter),
                    constant => constant,
                };
                chosen = (letter, next);
                let here = outside(next, &self.counts[layer + 1], self.all[layer + 1]);
                if rank < here {
                    break;
                }
                rank -= here;
            }
            word.push(chosen.0);
            target = chosen.1;
        }
        word
    }
}

fn outside(target: Target, counts: &[u64], all: u64) -> u64 {
    match target {
        Target::Reject => all,
        Target::Accept => 0,
        Target::State(state) => counts[state as usize],
    }
}
