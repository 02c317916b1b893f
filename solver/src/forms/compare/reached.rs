//! Measures the forms of a run from the start or of a table of reached positions, which contain the values of reached positions.
//!
//! Every form is built part by part, where the parts are the plies of a run and the sides of a table, and answers for the positions
//! of its part. Forms that list positions number them by their ranks in the set of the part, so this set is included in their size.

use std::time::Instant;

use chacha20::ChaCha12Rng;
use nerode_dfa::{Letter, Ranking, Size, Store};
use nerode_games::grouped;
use rand::{RngExt, SeedableRng};

use super::comparison::{Build, LOOKUPS, category, look_up, must_agree};
use super::form::Form;
use super::row::{Measured, Row, not_built};
use super::source::{Sets, Source};
use crate::archive::run_dir::Kind;
use crate::error::{Error, Result};
use crate::forms::represent::packed_bytes;
use crate::outcome::{Depth, Outcome, code16};
use crate::solve::resources::Resources;

/// A solution of reached positions whose forms are compared.
pub(super) struct ReachedComparison<'a> {
    source: &'a Source<'a>,
    resources: &'a Resources,
    /// For each part, the ranks of the random positions.
    probes: Vec<Vec<u128>>,
    /// The number of positions of all parts.
    positions: u128,
}

/// The positions of a part, and some of them at random.
struct Part<'a> {
    number: u32,
    sets: Sets<'a>,
    count: u128,
    words: Vec<Vec<Letter>>,
}

/// The look-up in a form: the code of a word.
type LookUp<'a> = Box<dyn FnMut(&Vec<Letter>) -> Result<u8> + 'a>;

impl<'a> ReachedComparison<'a> {
    /// Draws random positions of the solution.
    ///
    /// # Errors
    /// Returns an error if a run lacks a set, or if the number of positions does not fit into 128 bits.
    pub(super) fn new(source: &'a Source<'a>, resources: &'a Resources) -> Result<Self> {
        let counts = source.counts()?;
        let sum = counts.iter().try_fold(0u128, |sum, &count| sum.checked_add(count));
        let positions = sum.ok_or(Error::Dfa(nerode_dfa::Error::CountOverflow))?;
        let mut rng = ChaCha12Rng::seed_from_u64(20);
        let mut probes = vec![Vec::new(); counts.len()];
        for _ in 0..if positions == 0 { 0 } else { LOOKUPS } {
            let mut rank = rng.random_range(0..positions);
            for (probes, &count) in probes.iter_mut().zip(&counts) {
                if rank < count {
                    probes.push(rank);
                    break;
                }
                rank -= count;
            }
        }
        Ok(Self { source, resources, probes, positions })
    }

    /// Measures one form. Forms that list positions are built for at most `most` positions.
    pub(super) fn row(&self, form: Form, most: u64, build: Option<Build<'_>>) -> Result<Row> {
        let listed = |build: Build<'_>| {
            if self.positions > most.into() { self.too_many(form, most) } else { self.listed(form, build) }
        };
        match (form, build) {
            (_, Some(build)) => listed(build),
            (Form::ValueAutomaton, _) => self.value_automaton(),
            (Form::Bdd, _) => self.bdd(),
            _ => self.automata(),
        }
    }

    /// Builds a form of each part, looks up the random positions, and compares the answers with those of the sets.
    fn measure(
        &self,
        form: Form,
        build: &mut dyn for<'p> FnMut(&'p Part<'a>, &mut Measured) -> Result<LookUp<'p>>,
    ) -> Result<Measured> {
        let mut measured = Measured::default();
        for (number, ranks) in (0..).zip(&self.probes) {
            self.resources.must_go_on()?;
            let sets = self.source.sets(number)?;
            let ranking = sets.all().ranking()?;
            let words = ranks.iter().filter_map(|&rank| ranking.unrank(rank)).collect();
            let part = Part { number, count: ranking.count(), words, sets };
            drop(ranking);
            let began = Instant::now();
            let mut get = build(&part, &mut measured)?;
            measured.build_seconds += began.elapsed().as_secs_f64();
            let began = Instant::now();
            let got = look_up(self.resources, &part.words, &mut get)?;
            measured.lookup_seconds += began.elapsed().as_secs_f64();
            measured.lookups += got.len();
            drop(get);
            let expected: Vec<u8> = part.words.iter().map(|word| part.sets.code(word)).collect();
            must_agree(self.source.game(), form, (&part.words, &got), &expected)?;
        }
        Ok(measured)
    }

    /// Measures the sets.
    fn automata(&self) -> Result<Row> {
        let by_sets: &mut dyn for<'p> FnMut(&'p Part<'a>, &mut Measured) -> Result<LookUp<'p>> =
            &mut |part, _| Ok(Box::new(|word| Ok(part.sets.code(word))));
        let mut measured = self.measure(Form::Automata, by_sets)?;
        measured.bytes = self.source.bytes()?;
        let (note, build_seconds) = self.source.of_automata();
        Ok(Row { build_seconds, ..measured.row(Form::Automata, self.positions, note) })
    }

    /// Measures a value automaton for each part.
    fn value_automaton(&self) -> Result<Row> {
        let measured = self.measure(Form::ValueAutomaton, &mut |part, measured| {
            let mut store = Store::new(self.source.game().shape().clone(), self.resources.memory)?;
            store.set_interrupt(std::sync::Arc::clone(&self.resources.interrupt));
            let mut levels = Vec::new();
            for (kind, outcome) in [
                (Kind::RW, Outcome::Win(Depth::Exact(0))),
                (Kind::RL, Outcome::Loss(Depth::Exact(0))),
                (Kind::RU, Outcome::Unknown),
            ] {
                let set = self.source.read(kind, part.number)?;
                let code = code16::code(outcome).unwrap_or(code16::UNKNOWN);
                levels.push((code, store.import(&set)?));
            }
            let map = store.value_map(&levels)?;
            measured.bytes += u128::from(map.bytes());
            Ok(Box::new(move |word| Ok(category(map.get(word)))))
        })?;
        let note = format!("one table in memory for each {}, 4 bytes per transition", self.source.part());
        Ok(measured.row(Form::ValueAutomaton, self.positions, note))
    }

    /// Measures a form that lists the positions of each part in the order of their ranks.
    fn listed(&self, form: Form, build: Build<'_>) -> Result<Row> {
        let mut too_large = None;
        let measured = self.measure(form, &mut |part, measured| {
            let set = part.sets.all();
            let ranking: Ranking = set.ranking()?;
            let mut failed = None;
            let mut codes = set.words().map_while(|word| {
                match self.resources.must_go_on().map(|()| part.sets.code(&word)) {
                    Ok(code) => Some((code, 1)),
                    Err(error) => {
                        failed = Some(error);
                        None
                    }
                }
            });
            let count = u64::try_from(part.count).unwrap_or(u64::MAX);
            let built = build(count, &mut codes, self.resources.memory);
            drop(codes);
            failed.map_or(Ok(()), Err)?;
            let mut built = built.inspect_err(|error| {
                if let Error::TooLarge { needed_bytes, .. } = error {
                    too_large = Some(*needed_bytes);
                }
            })?;
            measured.bytes += u128::from(built.bytes()) + self.source.reached_bytes(part.number)?;
            Ok(Box::new(move |word| {
                let rank = ranking.rank(word).and_then(|rank| u64::try_from(rank).ok());
                built.get(rank.unwrap_or(u64::MAX))
            }))
        });
        match (measured, too_large) {
            (Err(Error::TooLarge { .. }), Some(needed_bytes)) => {
                let part = self.source.part();
                let note =
                    format!("not built: more than the memory cap ({} for one {part})", Size(needed_bytes));
                Ok(not_built(form, None, self.positions, note))
            }
            (measured, _) => {
                Ok(measured?.row(form, self.positions, format!("with {}", self.source.reached())))
            }
        }
    }

    /// Returns the row of a form that would list more than `most` positions.
    fn too_many(&self, form: Form, most: u64) -> Result<Row> {
        let bits = match form {
            Form::TwoBits => Some(2),
            Form::OneByte => Some(8),
            _ => None,
        };
        let mut bytes = bits.and_then(|bits| packed_bytes(self.positions, bits));
        for number in (0..).take(self.probes.len()) {
            let reached = self.source.reached_bytes(number)?;
            bytes = bytes.map(|bytes| bytes.saturating_add(reached));
        }
        let note = match bytes {
            Some(_) => format!("computed, not built; with {}", self.source.reached()),
            None => format!("not built: more than {} positions to list", grouped(u128::from(most))),
        };
        Ok(not_built(form, bytes, self.positions, note))
    }

    /// Measures the diagrams of the won and lost positions of each part.
    #[cfg(feature = "bdd")]
    fn bdd(&self) -> Result<Row> {
        use crate::forms::represent::bdd::Bdd;
        use crate::forms::represent::{DRAW, UNKNOWN};
        let mut nodes = 0;
        let is_complete = self.source.is_complete();
        let measured = self.measure(Form::Bdd, &mut |part, measured| {
            let read = |kind| self.source.read(kind, part.number);
            let (win, loss) = (read(Kind::RW)?, read(Kind::RL)?);
            let go_on = || self.resources.must_go_on();
            let bdd = Bdd::build_while(&win, &loss, self.resources.memory, &go_on)?;
            measured.bytes += u128::from(bdd.bytes());
            nodes += bdd.num_nodes();
            Ok(Box::new(move |word| {
                // Diagrams of wins and losses do not tell draws from unknown values, which occur only in runs of a
                // limited number of plies.
                let rest = if is_complete { DRAW } else { UNKNOWN };
                let code = bdd.get(word, rest)?;
                Ok(if is_complete || code != UNKNOWN { code } else { part.sets.code(word) })
            }))
        })?;
        Ok(measured.row(
            Form::Bdd,
            self.positions,
            format!("{} nodes, win and loss by {}", grouped(nodes.into()), self.source.part()),
        ))
    }

    /// Returns a row stating that this build does not support diagrams.
    #[cfg(not(feature = "bdd"))]
    fn bdd(&self) -> Result<Row> {
        let note = "not built: the program was built without the feature 'bdd'";
        Ok(not_built(Form::Bdd, None, self.positions, note.into()))
    }
}
