//! Measures the forms of a run from the start, which contains the values of reached positions.
//!
//! Every form is built ply by ply, and answers for the positions of its ply. Forms that list positions number them by
//! their ranks in `R_i`, so the file of `R_i` is part of their size.

use std::collections::BTreeMap;
use std::time::Instant;

use nerode_dfa::{Letter, Ranking, Store};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha12Rng;

use super::comparison::{Build, LOOKUPS, category, look_up, must_agree};
use super::form::Form;
use super::row::{Measured, Row, not_built};
use crate::archive::run_dir::Kind;
use crate::archive::stored_run::{PlySets, StoredRun};
use crate::error::{Error, Result};
use crate::forms::represent::packed_bytes;
use crate::outcome::{Depth, Outcome, code2, code16};
use crate::solve::resources::Resources;

/// A run from the start whose forms are compared.
pub(super) struct ReachedComparison<'a> {
    solution: &'a StoredRun,
    resources: &'a Resources,
    /// For each ply, the ranks of the random positions.
    probes: Vec<Vec<u128>>,
    /// The number of positions of all plies.
    positions: u128,
}

/// The positions of a ply, and some of them at random.
struct Ply<'a> {
    number: u32,
    sets: PlySets<'a>,
    count: u128,
    words: Vec<Vec<Letter>>,
}

/// The look-up in a form: the code of a word.
type LookUp<'a> = Box<dyn FnMut(&Vec<Letter>) -> Result<u8> + 'a>;

impl<'a> ReachedComparison<'a> {
    /// Draws random positions of the run.
    ///
    /// # Errors
    /// Returns an error if the run lacks a set, or if the number of positions does not fit into 128 bits.
    pub(super) fn new(solution: &'a StoredRun, resources: &'a Resources) -> Result<Self> {
        let mut counts = Vec::new();
        for ply in 0..=solution.run.progress().forward.unwrap_or(0) {
            counts.push(solution.entry(Kind::R, solution.side_at(ply), ply)?.num_positions());
        }
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
        Ok(Self { solution, resources, probes, positions })
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

    /// Builds a form of each ply, looks up the random positions, and compares the answers with those of the sets.
    fn measure(
        &self,
        form: Form,
        build: &mut dyn for<'p> FnMut(&'p Ply<'a>, &mut Measured) -> Result<LookUp<'p>>,
    ) -> Result<Measured> {
        let mut measured = Measured::default();
        for (number, ranks) in (0..).zip(&self.probes) {
            self.resources.must_go_on()?;
            let sets = PlySets::read(self.solution, number)?;
            let ranking = sets.all()?.ranking()?;
            let words = ranks.iter().filter_map(|&rank| ranking.unrank(rank)).collect();
            let ply = Ply { number, count: ranking.count(), words, sets };
            drop(ranking);
            let began = Instant::now();
            let mut get = build(&ply, &mut measured)?;
            measured.build_seconds += began.elapsed().as_secs_f64();
            let began = Instant::now();
            let got = look_up(self.resources, &ply.words, &mut get)?;
            measured.lookup_seconds += began.elapsed().as_secs_f64();
            measured.lookups += got.len();
            drop(get);
            let expected = ply.words.iter().map(|word| ply.code(word)).collect::<Result<Vec<_>>>()?;
            must_agree(self.solution.game.as_ref(), form, (&ply.words, &got), &expected)?;
        }
        Ok(measured)
    }

    /// Measures the files of the sets.
    fn automata(&self) -> Result<Row> {
        let mut files: BTreeMap<&str, u64> = BTreeMap::new();
        for number in (0..).take(self.probes.len()) {
            for kind in [Kind::R, Kind::RW, Kind::RL, Kind::RD] {
                let entry = self.solution.entry(kind, self.solution.side_at(number), number)?;
                files.insert(entry.file(), entry.stored().bytes());
            }
        }
        let mut measured = self.measure(Form::Automata, &mut |ply, _| Ok(Box::new(|word| ply.code(word))))?;
        measured.bytes = files.values().map(|&bytes| u128::from(bytes)).sum();
        let note = "files of the reached, won, lost and drawn positions by ply".into();
        Ok(Row { build_seconds: None, ..measured.row(Form::Automata, self.positions, note) })
    }

    /// Measures a value automaton for each ply.
    fn value_automaton(&self) -> Result<Row> {
        let measured = self.measure(Form::ValueAutomaton, &mut |ply, measured| {
            let mut store = Store::new(self.solution.game.shape().clone(), self.resources.memory)?;
            store.set_interrupt(std::sync::Arc::clone(&self.resources.interrupt));
            let mut levels = Vec::new();
            for (kind, outcome) in [
                (Kind::RW, Outcome::Win(Depth::Exact(0))),
                (Kind::RL, Outcome::Loss(Depth::Exact(0))),
                (Kind::RU, Outcome::Unknown),
            ] {
                let set = self.solution.read(kind, self.solution.side_at(ply.number), ply.number)?;
                let code = code16::code(outcome).unwrap_or(code16::UNKNOWN);
                levels.push((code, store.import(&set)?));
            }
            let map = store.value_map(&levels)?;
            measured.bytes += u128::from(map.bytes());
            Ok(Box::new(move |word| Ok(category(map.get(word)))))
        })?;
        let note = "one table in memory for each ply, 4 bytes per transition".to_string();
        Ok(measured.row(Form::ValueAutomaton, self.positions, note))
    }

    /// Measures a form that lists the positions of each ply in the order of their ranks.
    fn listed(&self, form: Form, build: Build<'_>) -> Result<Row> {
        let mut too_large = None;
        let measured = self.measure(form, &mut |ply, measured| {
            let set = ply.sets.all()?;
            let ranking: Ranking = set.ranking()?;
            let mut failed = None;
            let mut codes =
                set.words().map_while(|word| match self.resources.must_go_on().and(ply.code(&word)) {
                    Ok(code) => Some((code, 1)),
                    Err(error) => {
                        failed = Some(error);
                        None
                    }
                });
            let count = u64::try_from(ply.count).unwrap_or(u64::MAX);
            let built = build(count, &mut codes, self.resources.memory);
            drop(codes);
            failed.map_or(Ok(()), Err)?;
            let mut built = built.inspect_err(|error| {
                if let Error::TooLarge { needed_bytes, .. } = error {
                    too_large = Some(*needed_bytes);
                }
            })?;
            measured.bytes += u128::from(built.bytes()) + self.reached_bytes(ply.number)?;
            Ok(Box::new(move |word| {
                let rank = ranking.rank(word).and_then(|rank| u64::try_from(rank).ok());
                built.get(rank.unwrap_or(u64::MAX))
            }))
        });
        match (measured, too_large) {
            (Err(Error::TooLarge { .. }), Some(needed_bytes)) => {
                let note = format!("not built: more than the memory cap ({needed_bytes} bytes for one ply)");
                Ok(not_built(form, None, self.positions, note))
            }
            (measured, _) => Ok(measured?.row(form, self.positions, "with the files of R_i".into())),
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
            let reached = self.reached_bytes(number)?;
            bytes = bytes.map(|bytes| bytes.saturating_add(reached));
        }
        let note = match bytes {
            Some(_) => "computed, not built; with the files of R_i".into(),
            None => format!("not built: more than {most} positions to list"),
        };
        Ok(not_built(form, bytes, self.positions, note))
    }

    /// Returns the number of bytes of the file of `R_i`.
    fn reached_bytes(&self, ply: u32) -> Result<u128> {
        let entry = self.solution.entry(Kind::R, self.solution.side_at(ply), ply)?;
        Ok(entry.stored().bytes().into())
    }

    /// Measures the diagrams of the won and lost positions of each ply.
    #[cfg(feature = "bdd")]
    fn bdd(&self) -> Result<Row> {
        use crate::forms::represent::bdd::Bdd;
        use crate::forms::represent::{DRAW, UNKNOWN};
        let mut nodes = 0;
        let is_complete = self.solution.is_complete();
        let measured = self.measure(Form::Bdd, &mut |ply, measured| {
            let read = |kind| -> Result<nerode_dfa::Dfa> {
                self.solution.read(kind, self.solution.side_at(ply.number), ply.number)
            };
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
                if is_complete || code != UNKNOWN { Ok(code) } else { ply.code(word) }
            }))
        })?;
        Ok(measured.row(Form::Bdd, self.positions, format!("{nodes} nodes, win and loss by ply")))
    }

    /// Returns a row stating that this build does not support diagrams.
    #[cfg(not(feature = "bdd"))]
    fn bdd(&self) -> Result<Row> {
        let note = "not built: the program was built without the feature 'bdd'";
        Ok(not_built(Form::Bdd, None, self.positions, note.into()))
    }
}

impl Ply<'_> {
    /// Returns the 2-bit code of a position according to the sets.
    fn code(&self, word: &[Letter]) -> Result<u8> {
        Ok(code2::code(self.sets.value_of(word)?.unwrap_or_default().value()))
    }
}
