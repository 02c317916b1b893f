//! The same solution in several representations, measured in one run: bytes, time to build, time of a random look-up.

#[cfg(feature = "bdd")]
mod bdd;
mod row;

use std::path::Path;
use std::time::Instant;

use nerode_dfa::Dfa;
use nerode_games::{Side, Value};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha12Rng;

use crate::archive::run_dir::Kind;
use crate::archive::solution::Solution;
use crate::error::{Error, Result};
use crate::explicit::{Indexer, Verdict};
use crate::forms::represent::{
    DRAW, LOSS, Packed, Representation, Rle, UNKNOWN, WIN, ZstdBlocks, packed_bytes,
};
use crate::forms::tabulate::runs;
use crate::solve::resources::Resources;

pub use row::Row;
use row::{Measured, not_built};

/// Most positions of one side for which the forms that list every position are built.
pub const MAX_LISTED_POSITIONS: u64 = 1 << 33;

/// Name of the row of binary decision diagrams.
const BDD: &str = "BDD (oxidd)";

/// Random look-ups per side.
const LOOKUPS: usize = 100_000;

/// Compression level of the zstd rows.
const ZSTD_LEVEL: i32 = 3;

/// Random positions of one side, as words and as indices.
struct Probes {
    words: Vec<Vec<u8>>,
    indices: Vec<u64>,
}

/// Measures every representation of the win/draw/loss values of a retrograde run.
///
/// Every representation answers the same random positions, and its answers are compared with the automata's.
///
/// Cost: listing all positions several times, where they are at most [`MAX_LISTED_POSITIONS`] a side.
///
/// # Errors
/// A meet-in-the-middle run; damaged files; [`Error::Rules`] when a representation answers differently.
pub fn compare(solution: &Solution, resources: &Resources, watch: &mut dyn FnMut(&str)) -> Result<Vec<Row>> {
    let game = solution.game.as_ref();
    let per_side =
        game.shape().num_words().ok_or_else(|| Error::Unsupported("more than 2^128 positions".into()))?;
    let mut comparison = Comparison { solution, resources, positions: 2 * per_side, rows: Vec::new() };
    watch("automaton");
    comparison.automaton()?;
    watch("value automaton");
    comparison.value_automaton()?;
    match u64::try_from(per_side) {
        Ok(n) if n <= MAX_LISTED_POSITIONS => {
            type Build<'a> =
                &'a dyn Fn(u64, &mut dyn Iterator<Item = (u8, u64)>, u64) -> Result<Box<dyn Representation>>;
            let builders: [(&str, Build<'_>); 4] = [
                ("2 bits/position", &|n, runs, limit| Ok(Box::new(Packed::two_bits(n, runs, limit)?))),
                ("1 byte/position", &|n, runs, limit| Ok(Box::new(Packed::one_byte(n, runs, limit)?))),
                ("run-length (paper 002)", &|n, runs, limit| Ok(Box::new(Rle::from_codes(n, runs, limit)?))),
                ("zstd, 64 Ki-position blocks", &|n, runs, limit| {
                    Ok(Box::new(ZstdBlocks::build(n, runs, ZSTD_LEVEL, limit)?))
                }),
            ];
            for (name, build) in builders {
                watch(name);
                comparison.listed(name, n, build)?;
            }
        }
        _ => comparison.too_many(per_side),
    }
    watch("BDD");
    comparison.bdd()?;
    Ok(comparison.rows)
}

struct Comparison<'a> {
    solution: &'a Solution,
    resources: &'a Resources,
    positions: u128,
    rows: Vec<Row>,
}

impl Comparison<'_> {
    fn last(&self, kind: Kind, side: Side) -> Result<&Dfa> {
        self.solution.set(kind, side, self.solution.last_ply())
    }

    fn probes(&self, side: Side) -> Result<Probes> {
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
        Ok(probes.words.iter().map(|w| code_by_sets(&win, &loss, &draw, w)).collect())
    }

    fn automaton(&mut self) -> Result<()> {
        let mut measured = Measured::default();
        for side in Side::BOTH {
            let probes = self.probes(side)?;
            let (win, loss, draw) =
                (self.last(Kind::W, side)?, self.last(Kind::L, side)?, self.last(Kind::D, side)?);
            for kind in [Kind::W, Kind::L, Kind::D] {
                let entry = self.solution.entry(kind, side, self.solution.last_ply())?;
                measured.bytes += u128::from(entry.bytes);
            }
            let began = Instant::now();
            let sum: u64 = probes.words.iter().map(|w| u64::from(code_by_sets(&win, &loss, &draw, w))).sum();
            measured.lookup_seconds += began.elapsed().as_secs_f64();
            measured.lookups += probes.words.len();
            std::hint::black_box(sum);
        }
        let mut row = measured.row("automaton on disk", self.positions, "files of W, L and D".into());
        row.build_seconds = None;
        self.rows.push(row);
        Ok(())
    }

    fn value_automaton(&mut self) -> Result<()> {
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

    #[allow(clippy::type_complexity, reason = "the builders differ in nothing else")]
    fn listed(
        &mut self,
        name: &str,
        num_positions: u64,
        build: &dyn Fn(u64, &mut dyn Iterator<Item = (u8, u64)>, u64) -> Result<Box<dyn Representation>>,
    ) -> Result<()> {
        let game = self.solution.game.as_ref();
        let indexer = Indexer::new(game, &game.spec())?;
        let mut measured = Measured::default();
        for side in Side::BOTH {
            let probes = self.probes(side)?;
            let map = self.solution.category_map(side, self.resources)?;
            let began = Instant::now();
            let mut codes = runs(game, &map, &indexer)?.map(|(code, len)| (category(code), len));
            let built = build(num_positions, &mut codes, self.resources.memory);
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

    fn too_many(&mut self, per_side: u128) {
        for (name, bits) in [("2 bits/position", 2), ("1 byte/position", 8)] {
            let bytes = packed_bytes(per_side, bits).and_then(|b| b.checked_mul(2));
            self.rows.push(not_built(name, bytes, self.positions, "computed, not built".into()));
        }
        for name in ["run-length (paper 002)", "zstd, 64 Ki-position blocks"] {
            let note = format!("not built: more than {MAX_LISTED_POSITIONS} positions a side to list");
            self.rows.push(not_built(name, None, self.positions, note));
        }
    }

    /// Says that this build has no diagrams.
    #[cfg(not(feature = "bdd"))]
    fn bdd(&mut self) -> Result<()> {
        let note = "not built: the program was built without the feature 'bdd'";
        self.rows.push(not_built(BDD, None, self.positions, note.into()));
        Ok(())
    }

    /// Every representation must answer as the automata do.
    fn check(&self, name: &str, side: Side, probes: &Probes, got: &[u8]) -> Result<()> {
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

/// The code of a value in [`crate::forms::represent`], from a code of a value map.
fn category(code: u16) -> u8 {
    match Verdict::from_code(code).map(|v| v.value) {
        Some(Value::Win) => WIN,
        Some(Value::Loss) => LOSS,
        Some(Value::Draw) => DRAW,
        None => UNKNOWN,
    }
}

/// Whether `text` names a run directory rather than a game.
pub fn is_run_dir(text: &str) -> bool {
    crate::archive::run_dir::RunDir::exists(Path::new(text))
}
