//! The forms of solutions that only the engine reads: runs, packed values with searches for depths, scores and tables.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use chacha20::ChaCha12Rng;
use nerode_dfa::Letter;
use nerode_games::{Game, Position, Side};
use rand::SeedableRng;

use super::{
    Automaton, Coverage, DepthSource, ListedAutomaton, SEARCH_TIME, Stored, sample, sets, value_automata,
};
use crate::archive::Contents;
use crate::archive::packed::Packed;
use crate::archive::scores::ScoreDir;
use crate::archive::stored_run::{OutcomeMap, StoredRun};
use crate::archive::table::TableSolution;
use crate::archive::values::Values;
use crate::depth::{Deadline, Depths, Source};
use crate::error::Result;
use crate::outcome::Evaluation;
use crate::solve::method::Method;
use crate::solve::resources::Resources;

/// The number of bytes that a word in memory takes besides its letters.
const WORD_OVERHEAD: u64 = 48;

/// A run, and the depths that searches in it have found.
pub struct SolvedRun {
    run: StoredRun,
    depths: Depths,
    /// Why the stored depths of early positions are not used, if there are any.
    depths_problem: Option<String>,
    search_time: Duration,
}

impl SolvedRun {
    /// Makes a run a solution.
    pub fn new(run: StoredRun) -> Self {
        let (depths, depths_problem) = Depths::of(&run);
        Self { run, depths, depths_problem, search_time: SEARCH_TIME }
    }

    /// Searches for a depth. If packed values turn out to be damaged, the sets are asked instead.
    fn search<T>(&self, search: impl Fn(Source<'_>) -> Result<T>) -> Result<T> {
        let is_packed = self.run.packed().is_some();
        match search(Source::Run(&self.run)) {
            Err(error) if is_packed => {
                self.run.give_up_values(error);
                search(Source::Run(&self.run))
            }
            found => found,
        }
    }
}

impl Stored for SolvedRun {
    fn shared_game(&self) -> &Arc<dyn Game> {
        &self.run.game
    }

    fn form(&self) -> String {
        Contents::Run.to_string()
    }

    fn look_up(&self, position: &Position) -> Result<Evaluation> {
        let known = self.run.look_up(&position.board, position.side)?;
        Ok(Evaluation::of(known.map(|known| self.depths.stored(position, known)).transpose()?))
    }

    fn depths_stored_to(&self) -> Option<u32> {
        self.depths.stored_to()
    }

    fn search_depth(&self, position: &Position, known: Evaluation, deadline: Deadline) -> Result<Evaluation> {
        let Some(outcome) = known.outcome() else { return Ok(known) };
        let refine = |source: Source<'_>| self.depths.refine(source, position, outcome, deadline);
        Ok(Evaluation::of(Some(self.search(refine)?)))
    }

    fn is_within(
        &self,
        position: &Position,
        known: Evaluation,
        plies: u32,
        deadline: Deadline,
    ) -> Result<Option<bool>> {
        let Some(outcome) = known.outcome() else { return Ok(None) };
        self.search(|source| self.depths.is_within(source, position, outcome, plies, deadline))
    }

    fn search_deadline(&self) -> Deadline {
        Deadline::after(self.search_time)
    }

    fn limit_search(&mut self, time: Duration) {
        self.search_time = time;
    }

    fn is_complete(&self) -> bool {
        self.run.is_complete()
    }

    fn method(&self) -> Option<Method> {
        Some(self.run.method())
    }

    fn coverage(&self) -> Coverage {
        Coverage::of(self.run.run.request())
    }

    fn depth_source(&self) -> DepthSource {
        match self.run.method() {
            Method::Retrograde if self.run.has_depths() => DepthSource::Stored,
            Method::Retrograde => DepthSource::Bounds,
            Method::Meet => DepthSource::Search,
        }
    }

    fn sample(&self, n: usize, seed: u64) -> Result<Vec<Position>> {
        sample::of_run(&self.run, n, &mut ChaCha12Rng::seed_from_u64(seed))
    }

    fn run(&self) -> Result<&StoredRun> {
        Ok(&self.run)
    }

    fn automata(&self) -> Result<Vec<ListedAutomaton>> {
        Ok(sets::of_run(&self.run).map(|set| set.listed()).collect())
    }

    fn automaton(&self, name: &str) -> Result<Option<Automaton<'_>>> {
        let set = sets::of_run(&self.run).find(|set| set.name() == name);
        set.map(|set| Ok(Automaton::Set(set.read_dfa()?))).transpose()
    }

    fn outcome_map(&self, side: Side, resources: &Resources) -> Result<Option<OutcomeMap<'_>>> {
        // Stored depths are in a table, and not in the sets.
        if self.depths.has_stored() { Ok(None) } else { self.run.outcome_map(side, resources).map(Some) }
    }

    fn warning(&self) -> Option<String> {
        let values = self.run.values_problem().map(|problem| format!("{problem}; answered from the sets"));
        let depths = || Some(format!("{}; depths are determined by search", self.depths_problem.as_ref()?));
        values.or_else(depths)
    }

    fn ply_so_far(&self) -> Option<u32> {
        self.run.is_so_far().then(|| self.run.last_ply())
    }

    fn stop_at_last_ply(&mut self) -> Result<()> {
        self.run.stop_at_last_ply()
    }

    fn limit_memory(&mut self, memory: u64) {
        self.run.limit_memory(memory);
    }
}

/// Packed values of the reached positions of a run without the run, and the depths that searches in them have found.
pub struct PackedRun {
    values: Values,
    depths: Depths,
    search_time: Duration,
    memory: Option<u64>,
}

impl PackedRun {
    /// Makes values a solution. Its queries fail if they are not packed values of reached positions.
    pub(super) fn new(values: Values) -> Self {
        Self { values, depths: Depths::default(), search_time: SEARCH_TIME, memory: None }
    }

    /// Returns the values.
    pub fn values(&self) -> &Values {
        &self.values
    }

    fn packed(&self) -> Result<&Packed> {
        self.values.must_be_packed()
    }
}

impl Stored for PackedRun {
    fn shared_game(&self) -> &Arc<dyn Game> {
        &self.values.game
    }

    fn form(&self) -> String {
        "packed values".into()
    }

    fn look_up(&self, Position { board, side }: &Position) -> Result<Evaluation> {
        Ok(Evaluation::of(self.packed()?.get(&self.values.game.word_of(board), *side)?))
    }

    fn search_depth(&self, position: &Position, known: Evaluation, deadline: Deadline) -> Result<Evaluation> {
        let Some(outcome) = known.outcome() else { return Ok(known) };
        let source = Source::Packed(self.packed()?, self.memory);
        Ok(Evaluation::of(Some(self.depths.refine(source, position, outcome, deadline)?)))
    }

    fn is_within(
        &self,
        position: &Position,
        known: Evaluation,
        plies: u32,
        deadline: Deadline,
    ) -> Result<Option<bool>> {
        let Some(outcome) = known.outcome() else { return Ok(None) };
        let source = Source::Packed(self.packed()?, self.memory);
        self.depths.is_within(source, position, outcome, plies, deadline)
    }

    fn search_deadline(&self) -> Deadline {
        Deadline::after(self.search_time)
    }

    fn limit_search(&mut self, time: Duration) {
        self.search_time = time;
    }

    fn is_complete(&self) -> bool {
        self.packed().is_ok_and(|packed| packed.header().is_complete)
    }

    fn coverage(&self) -> Coverage {
        Coverage::of(self.values.manifest().request())
    }

    fn depth_source(&self) -> DepthSource {
        DepthSource::Search
    }

    fn automata(&self) -> Result<Vec<ListedAutomaton>> {
        value_automata::listed(&self.values)
    }

    fn automaton(&self, name: &str) -> Result<Option<Automaton<'_>>> {
        value_automata::read(&self.values, name)
    }

    fn automaton_word(&self, position: &Position) -> Vec<Letter> {
        value_automata::word(&self.values, &position.board)
    }

    fn limit_memory(&mut self, memory: u64) {
        self.memory = Some(memory);
        self.values.limit_memory(memory);
    }
}

impl Stored for ScoreDir {
    fn shared_game(&self) -> &Arc<dyn Game> {
        &self.game
    }

    fn form(&self) -> String {
        Contents::Scores.to_string()
    }

    fn look_up(&self, Position { board, side }: &Position) -> Result<Evaluation> {
        Ok(Evaluation::of_score(self.get(board, *side)?, *side))
    }

    fn coverage(&self) -> Coverage {
        Coverage::ReachedPositions
    }

    fn depth_source(&self) -> DepthSource {
        DepthSource::Absent
    }
}

impl Stored for TableSolution {
    fn shared_game(&self) -> &Arc<dyn Game> {
        &self.game
    }

    fn form(&self) -> String {
        match (self.keyed(), self.reached()) {
            (Some(_), _) => "reached positions",
            (_, Some(_)) => "a table of reached positions",
            _ => "a table",
        }
        .into()
    }

    fn coverage(&self) -> Coverage {
        match self.keyed().is_some() || self.reached().is_some() {
            true => Coverage::ReachedPositions,
            false => Coverage::AllBoards,
        }
    }

    fn depth_source(&self) -> DepthSource {
        match self.reached() {
            Some(table) if table.header().num_without_depth > 0 => DepthSource::Partial,
            _ => DepthSource::Stored,
        }
    }

    fn is_complete(&self) -> bool {
        self.reached().is_none_or(|table| table.header().num_unknown == 0)
    }

    fn look_up(&self, Position { board, side }: &Position) -> Result<Evaluation> {
        Ok(Evaluation::of(self.get(board, *side)?))
    }

    fn listed(&self, from: u64, most: usize) -> Result<Option<Vec<Position>>> {
        let Some(table) = self.keyed() else { return Ok(None) };
        let rows = table.rows_at(from, most as u64)?;
        Ok(Some(rows.into_iter().map(|(position, _)| position).collect()))
    }

    fn outcome_map(&self, side: Side, resources: &Resources) -> Result<Option<OutcomeMap<'_>>> {
        let Some(table) = self.keyed() else { return Ok(None) };
        let bytes_per_word = self.game.shape().num_layers() as u64 + WORD_OVERHEAD;
        if table.header().num_positions.saturating_mul(bytes_per_word) > resources.memory {
            return Ok(None);
        }
        let mut words: BTreeMap<u16, Vec<Vec<Letter>>> = BTreeMap::new();
        table.each(&mut |(position, code)| {
            if position.side == side {
                words.entry(code).or_default().push(self.game.word_of(&position.board));
            }
            Ok(())
        })?;
        OutcomeMap::of_words(self.game.as_ref(), words, resources.memory).map(Some)
    }

    fn sample(&self, n: usize, seed: u64) -> Result<Vec<Position>> {
        let mut rng = ChaCha12Rng::seed_from_u64(seed);
        match self.keyed() {
            Some(table) => sample::of_rows(table, n, &mut rng),
            None => {
                let is_covered = |position: &Position| Ok(self.look_up(position)?.is_covered());
                sample::of_words(self.game(), &is_covered, n, &mut rng)
            }
        }
    }
}
