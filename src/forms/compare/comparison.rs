//! The forms of one solution, each measured by the same random look-ups.

use std::time::Instant;

use nerode_dfa::Dfa;
use nerode_games::Side;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha12Rng;

use super::row::{Measured, Row, not_built};
use crate::archive::run_dir::Kind;
use crate::archive::stored_run::StoredRun;
use crate::error::{Error, Result};
use crate::explicit::Indexer;
use crate::forms::represent::{DRAW, LOSS, Representation, UNKNOWN, WIN, packed_bytes};
use crate::forms::tabulate::runs;
use crate::outcome::{code2, code16};
use crate::solve::resources::Resources;

/// Name of the row of binary decision diagrams.
pub(super) const BDD: &str = "BDD (oxidd)";

/// Random look-ups per side.
const LOOKUPS: usize = 100_000;

/// Random positions of one side, as words and as indices.
pub(super) struct Probes {
    pub(super) words: Vec<Vec<u8>>,
    pub(super) indices: Vec<u64>,
}

/// Builds a form from so many positions, runs of codes that cover them, and the most bytes it may take.
pub(super) type Build<'a> =
    &'a dyn Fn(u64, &mut dyn Iterator<Item = (u8, u64)>, u64) -> Result<Box<dyn Representation>>;

/// The rows so far of one solution.
pub(super) struct Comparison<'a> {
    pub(super) solution: &'a StoredRun,
    pub(super) resources: &'a Resources,
    pub(super) positions: u128,
    pub(super) rows: Vec<Row>,
}

impl<'a> Comparison<'a> {
    /// No row yet; `positions` are those of both sides together.
    pub(super) fn new(solution: &'a StoredRun, resources: &'a Resources, positions: u128) -> Self {
        Self { solution, resources, positions, rows: Vec::new() }
    }

    /// The set of the last ply.
    pub(super) fn last(&self, kind: Kind, side: Side) -> Result<&Dfa> {
        self.solution.set(kind, side, self.solution.last_ply())
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
            // More positions than 64 bits: only representations that read words are measured.
            Err(_) => Vec::new(),
        };
        Ok(Probes { words, indices })
    }

    /// Codes of the probes as the automata have them.
    fn expected(&self, side: Side, probes: &Probes) -> Result<Vec<u8>> {
        let (win, loss, draw) =
            (self.last(Kind::W, side)?, self.last(Kind::L, side)?, self.last(Kind::D, side)?);
        Ok(probes.words.iter().map(|w| code_by_sets(win, loss, draw, w)).collect())
    }

    /// Measures the files of the automata.
    pub(super) fn automaton(&mut self) -> Result<()> {
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
            let sum: u64 = probes.words.iter().map(|w| u64::from(code_by_sets(win, loss, draw, w))).sum();
            measured.lookup_seconds += began.elapsed().as_secs_f64();
            measured.lookups += probes.words.len();
            std::hint::black_box(sum);
        }
        let mut row = measured.row("automaton on disk", self.positions, "files of W, L and D".into());
        row.build_seconds = None;
        self.rows.push(row);
        Ok(())
    }

    /// Measures one automaton of values for each side.
    pub(super) fn value_automaton(&mut self) -> Result<()> {
        let mut measured = Measured::default();
        for side in Side::BOTH {
            let probes = self.probes(side)?;
            let began = Instant::now();
            let map = self.solution.category_map(side, self.resources)?;
            measured.build_seconds += began.elapsed().as_secs_f64();
            measured.bytes += u128::from(map.bytes());
            let began = Instant::now();
            let got: Vec<u8> = probes.words.iter().map(|w| category(map.get(w))).collect();
            measured.lookup_seconds += began.elapsed().as_secs_f64();
            measured.lookups += got.len();
            self.check("value automaton", side, &probes, &got)?;
        }
        let note = "one table in memory, 4 bytes a transition".to_string();
        self.rows.push(measured.row("value automaton in memory", self.positions, note));
        Ok(())
    }

    /// Measures a form that lists every position, built with the memory that its value automaton leaves.
    pub(super) fn listed(&mut self, name: &str, num_positions: u64, build: Build<'_>) -> Result<()> {
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
                    let note = format!("not built: more than the memory cap ({needed_bytes} bytes a side)");
                    self.rows.push(not_built(name, None, self.positions, note));
                    return Ok(());
                }
                Err(other) => return Err(other),
            };
            measured.build_seconds += began.elapsed().as_secs_f64();
            measured.bytes += u128::from(built.bytes());
            let began = Instant::now();
            let got: Vec<u8> = probes.indices.iter().map(|&i| built.get(i)).collect::<Result<_>>()?;
            measured.lookup_seconds += began.elapsed().as_secs_f64();
            measured.lookups += got.len();
            self.check(name, side, &probes, &got)?;
        }
        self.rows.push(measured.row(name, self.positions, String::new()));
        Ok(())
    }

    /// Rows for forms that would list more than `most` positions a side.
    pub(super) fn too_many(&mut self, per_side: u128, most: u64) {
        for (name, bits) in [("2 bits/position", 2), ("1 byte/position", 8)] {
            let bytes = packed_bytes(per_side, bits).and_then(|b| b.checked_mul(2));
            self.rows.push(not_built(name, bytes, self.positions, "computed, not built".into()));
        }
        for name in ["run-length (paper 002)", "zstd, 64 Ki-position blocks"] {
            let note = format!("not built: more than {most} positions a side to list");
            self.rows.push(not_built(name, None, self.positions, note));
        }
    }

    /// Says that this build has no diagrams.
    #[cfg(not(feature = "bdd"))]
    pub(super) fn bdd(&mut self) -> Result<()> {
        let note = "not built: the program was built without the feature 'bdd'";
        self.rows.push(not_built(BDD, None, self.positions, note.into()));
        Ok(())
    }

    /// Every representation must answer as the automata do.
    pub(super) fn check(&self, name: &str, side: Side, probes: &Probes, got: &[u8]) -> Result<()> {
        let expected = self.expected(side, probes)?;
        match expected.iter().zip(got).position(|(a, b)| a != b) {
            None => Ok(()),
            Some(i) => Err(Error::Rules {
                game: self.solution.game.spec(),
                reason: format!(
                    "{name} answers {} where the automata answer {}, word {:?}",
                    got[i], expected[i], probes.words[i]
                ),
            }),
        }
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

/// The two-bit code of a value, from a code of a value map.
fn category(code: u16) -> u8 {
    code2::code(code16::outcome(code).value())
}
