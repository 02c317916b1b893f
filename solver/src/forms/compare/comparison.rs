//! Measures the forms of a solution, each with the same random look-ups.

use std::time::Instant;

use chacha20::ChaCha12Rng;
use nerode_dfa::{Dfa, Size};
use nerode_games::{Game, Side, grouped};
use nerode_oracle::Indexer;
use rand::{RngExt, SeedableRng};

use super::form::Form;
use super::row::{Measured, Row, not_built};
use crate::archive::run_dir::Kind;
use crate::archive::stored_run::StoredRun;
use crate::error::{Error, Result};
use crate::forms::represent::{DRAW, LOSS, Representation, UNKNOWN, WIN, packed_bytes};
use crate::forms::tabulate::runs;
use crate::outcome::{code2, code16};
use crate::solve::resources::Resources;

/// The number of random look-ups per side.
pub(super) const LOOKUPS: usize = 100_000;

/// The number of look-ups between two checks for an interruption. The slowest form needs milliseconds for them.
const STRETCH: usize = 256;

/// Random positions of one side, as words and as indices.
pub(super) struct Probes {
    pub(super) words: Vec<Vec<u8>>,
    pub(super) indices: Vec<u64>,
}

/// A function that builds a form from the number of positions, runs of codes that cover them, and the maximum number of
/// bytes.
pub(super) type Build<'a> =
    &'a dyn Fn(u64, &mut dyn Iterator<Item = (u8, u64)>, u64) -> Result<Box<dyn Representation>>;

/// A solution whose forms are compared.
pub(super) struct Comparison<'a> {
    pub(super) solution: &'a StoredRun,
    pub(super) resources: &'a Resources,
    /// The number of positions of both sides together.
    pub(super) positions: u128,
}

impl Comparison<'_> {
    /// Returns the set of the last ply.
    pub(super) fn last(&self, kind: Kind, side: Side) -> Result<&Dfa> {
        self.solution.set(kind, side, self.solution.last_ply())
    }

    /// Looks up all words or indices, one after the other.
    pub(super) fn look_up<T>(&self, probes: &[T], get: impl FnMut(&T) -> Result<u8>) -> Result<Vec<u8>> {
        look_up(self.resources, probes, get)
    }

    pub(super) fn probes(&self, side: Side) -> Result<Probes> {
        let game = self.solution.game.as_ref();
        let mut rng = ChaCha12Rng::seed_from_u64(20 + side.index() as u64);
        let shape = game.shape();
        let word = |rng: &mut ChaCha12Rng| -> Vec<u8> {
            (0..shape.num_layers()).map(|l| rng.random_range(0..shape.num_letters(l)) as u8).collect()
        };
        let words: Vec<Vec<u8>> = (0..LOOKUPS).map(|_| word(&mut rng)).collect();
        let indices = match Indexer::new(game, &game.spec()) {
            Ok(indexer) => words.iter().map(|w| indexer.index_of(&game.board_of(w)).unwrap_or(0)).collect(),
            // With more positions than 64 bits can number, only representations that read words are measured.
            Err(_) => Vec::new(),
        };
        Ok(Probes { words, indices })
    }

    /// Returns the codes of the probes according to the automata.
    fn expected(&self, side: Side, probes: &Probes) -> Result<Vec<u8>> {
        let (win, loss, draw) =
            (self.last(Kind::W, side)?, self.last(Kind::L, side)?, self.last(Kind::D, side)?);
        Ok(probes.words.iter().map(|w| code_by_sets(win, loss, draw, w)).collect())
    }

    /// Measures the files of the automata.
    pub(super) fn automata(&self) -> Result<Row> {
        let mut measured = Measured::default();
        for side in Side::BOTH {
            let probes = self.probes(side)?;
            let (win, loss, draw) =
                (self.last(Kind::W, side)?, self.last(Kind::L, side)?, self.last(Kind::D, side)?);
            for kind in [Kind::W, Kind::L, Kind::D] {
                let entry = self.solution.entry(kind, side, self.solution.last_ply())?;
                measured.bytes += u128::from(entry.stored.bytes);
            }
            let began = Instant::now();
            let got = self.look_up(&probes.words, |word| Ok(code_by_sets(win, loss, draw, word)))?;
            measured.lookup_seconds += began.elapsed().as_secs_f64();
            measured.lookups += got.len();
            std::hint::black_box(got);
        }
        let note = "files of wins, losses and draws".into();
        Ok(Row { build_seconds: None, ..measured.row(Form::Automata, self.positions, note) })
    }

    /// Measures a value automaton for each side.
    pub(super) fn value_automaton(&self) -> Result<Row> {
        let mut measured = Measured::default();
        for side in Side::BOTH {
            let probes = self.probes(side)?;
            let began = Instant::now();
            let map = self.solution.category_map(side, self.resources)?;
            measured.build_seconds += began.elapsed().as_secs_f64();
            measured.bytes += u128::from(map.bytes());
            let began = Instant::now();
            let got = self.look_up(&probes.words, |word| Ok(category(map.get(word))))?;
            measured.lookup_seconds += began.elapsed().as_secs_f64();
            measured.lookups += got.len();
            self.check(Form::ValueAutomaton, side, &probes, &got)?;
        }
        let note = "one table in memory, 4 bytes per transition".to_string();
        Ok(measured.row(Form::ValueAutomaton, self.positions, note))
    }

    /// Measures a form that lists every position, built within the memory that its value automaton leaves free.
    pub(super) fn listed(&self, form: Form, num_positions: u64, build: Build<'_>) -> Result<Row> {
        let game = self.solution.game.as_ref();
        let indexer = Indexer::new(game, &game.spec())?;
        let mut measured = Measured::default();
        for side in Side::BOTH {
            let probes = self.probes(side)?;
            let map = self.solution.category_map(side, self.resources)?;
            let began = Instant::now();
            let stopped = || self.resources.must_go_on().is_err();
            let codes = runs(game, &map, &indexer).take_while(|_| !stopped());
            let mut codes = codes.map(|(code, len)| (category(code), len));
            let room = self.resources.memory.saturating_sub(map.bytes());
            let built = build(num_positions, &mut codes, room);
            self.resources.must_go_on()?;
            let mut built = match built {
                Ok(built) => built,
                Err(Error::TooLarge { needed_bytes, .. }) => {
                    let note =
                        format!("not built: more than the memory cap ({} per side)", Size(needed_bytes));
                    return Ok(not_built(form, None, self.positions, note));
                }
                Err(other) => return Err(other),
            };
            measured.build_seconds += began.elapsed().as_secs_f64();
            measured.bytes += u128::from(built.bytes());
            let began = Instant::now();
            let got = self.look_up(&probes.indices, |&index| built.get(index))?;
            measured.lookup_seconds += began.elapsed().as_secs_f64();
            measured.lookups += got.len();
            self.check(form, side, &probes, &got)?;
        }
        Ok(measured.row(form, self.positions, String::new()))
    }

    /// Returns the row of a form that would list more than `most` positions per side.
    pub(super) fn too_many(&self, form: Form, per_side: u128, most: u64) -> Row {
        let bits = match form {
            Form::TwoBits => Some(2),
            Form::OneByte => Some(8),
            _ => None,
        };
        let bytes = bits.and_then(|bits| packed_bytes(per_side, bits)).and_then(|bytes| bytes.checked_mul(2));
        let note = match bytes {
            Some(_) => "computed, not built".into(),
            None => format!("not built: more than {} positions to list per side", grouped(u128::from(most))),
        };
        not_built(form, bytes, self.positions, note)
    }

    /// Returns a row stating that this build does not support diagrams.
    #[cfg(not(feature = "bdd"))]
    pub(super) fn bdd(&self) -> Result<Row> {
        let note = "not built: the program was built without the feature 'bdd'";
        Ok(not_built(Form::Bdd, None, self.positions, note.into()))
    }

    /// Checks that a representation gives the same answers as the automata.
    pub(super) fn check(&self, form: Form, side: Side, probes: &Probes, got: &[u8]) -> Result<()> {
        let expected = self.expected(side, probes)?;
        must_agree(self.solution.game.as_ref(), form, (&probes.words, got), &expected)
    }
}

/// Looks up all words or indices, one after the other.
pub(super) fn look_up<T>(
    resources: &Resources,
    probes: &[T],
    mut get: impl FnMut(&T) -> Result<u8>,
) -> Result<Vec<u8>> {
    let mut found = Vec::with_capacity(probes.len());
    for stretch in probes.chunks(STRETCH) {
        resources.must_go_on()?;
        for probe in stretch {
            found.push(get(probe)?);
        }
    }
    Ok(found)
}

/// Returns an error if the codes that a form returned for `words` differ from the expected ones.
pub(super) fn must_agree(
    game: &dyn Game,
    form: Form,
    (words, got): (&[Vec<u8>], &[u8]),
    expected: &[u8],
) -> Result<()> {
    match expected.iter().zip(got).position(|(a, b)| a != b) {
        None => Ok(()),
        Some(i) => Err(Error::Rules {
            game: game.spec(),
            reason: format!(
                "{form} answers {}, but the automata answer {}, word {:?}",
                got[i], expected[i], words[i]
            ),
        }),
    }
}

fn code_by_sets(win: &Dfa, loss: &Dfa, draw: &Dfa, word: &[u8]) -> u8 {
    if win.contains(word) {
        WIN
    } else if loss.contains(word) {
        LOSS
    } else if draw.contains(word) {
        DRAW
    } else {
        UNKNOWN
    }
}

/// Returns the 2-bit code of a value, given a code of a value map.
pub(super) fn category(code: u16) -> u8 {
    code2::code(code16::outcome(code).value())
}
