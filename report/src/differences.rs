//! Differences between two solutions for the same boards: by the automata of both where they have some, and position by position
//! otherwise.

use std::collections::BTreeMap;

use nerode_dfa::{CodePairs, Dfa, Error as DfaError, Letter};
use nerode_games::{Game, Position, Side, Value};
use nerode_oracle::Indexer;
use rayon::prelude::*;

use nerode_solver::archive::table::TableSolution;
use nerode_solver::archive::table::keyed::{KeyedRow, KeyedTable};
use nerode_solver::error::{Error, Result};
use nerode_solver::outcome::{Outcome, code16};
use nerode_solver::solve::resources::Resources;
use nerode_solver::stored::{OutcomeMap, Solution};

/// The number of boards that one task compares.
const CHUNK: u64 = 1 << 10;

/// The number of boards between two progress reports.
const STRETCH: u64 = 1 << 15;

/// What a solution says about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Said {
    /// A value for the side to move.
    Known(Value),
    /// The solution has not decided the position.
    Unknown,
    /// The solution contains no information about the position.
    NotCovered,
}

impl Said {
    /// All possibilities.
    pub const ALL: [Self; 5] = [
        Self::Known(Value::Win),
        Self::Known(Value::Draw),
        Self::Known(Value::Loss),
        Self::Unknown,
        Self::NotCovered,
    ];

    fn of(outcome: Option<Outcome>) -> Self {
        match outcome.map(Outcome::value) {
            Some(Some(value)) => Self::Known(value),
            Some(None) => Self::Unknown,
            None => Self::NotCovered,
        }
    }

    fn index(self) -> usize {
        Self::ALL.iter().position(|&said| said == self).unwrap_or_default()
    }
}

/// A position about which two solutions say different things.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The position.
    pub position: Position,
    /// What each solution says.
    pub said: [Said; 2],
    /// The number of plies to the end in each solution, where it is known.
    pub depths: [Option<u32>; 2],
}

/// The positions about which the solutions say the same pair of things.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pair {
    /// The number of positions.
    pub positions: u128,
    /// Some of them.
    pub examples: Vec<Example>,
}

/// The comparison of two solutions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Differences {
    /// The number of positions that at least one of the solutions contains, counted once per side to move. Positions outside a run
    /// from the start whose values follow from the rules do not count.
    pub compared: u128,
    /// The positions by what the first and the second solution say, in the order of [`Said::ALL`].
    pairs: [[Pair; 5]; 5],
    /// The positions that have the same value, but exact depths that differ.
    pub other_depth: Pair,
}

impl Differences {
    /// Returns the positions about which the first solution says `first`, and the second one `second`.
    pub fn pair(&self, first: Said, second: Said) -> &Pair {
        &self.pairs[first.index()][second.index()]
    }

    fn add(&mut self, other: Self, most: usize) {
        self.compared += other.compared;
        let pairs = self.pairs.iter_mut().flatten().zip(other.pairs.into_iter().flatten());
        for (pair, more) in pairs.chain([(&mut self.other_depth, other.other_depth)]) {
            pair.positions += more.positions;
            let room = most.saturating_sub(pair.examples.len());
            pair.examples.extend(more.examples.into_iter().take(room));
        }
    }

    /// Adds what two solutions say about a position. `position` is called if this becomes one of the `most` examples of its kind.
    fn note(&mut self, outcomes: [Option<Outcome>; 2], most: usize, position: impl FnOnce() -> Position) {
        let Some(Compared { kind, said, depths }) = Compared::of(outcomes) else { return };
        self.compared += 1;
        let Some(kind) = kind else { return };
        let pair = self.at(kind);
        pair.positions += 1;
        if pair.examples.len() < most {
            pair.examples.push(Example { position: position(), said, depths });
        }
    }

    /// Returns the place of a kind of differences.
    fn at(&mut self, kind: Kind) -> &mut Pair {
        match kind {
            Kind::Said(first, second) => &mut self.pairs[first][second],
            Kind::OtherDepth => &mut self.other_depth,
        }
    }
}

/// A kind of differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// The solutions say different things, which are given by their indices in [`Said::ALL`].
    Said(usize, usize),
    /// The depths are exact and differ.
    OtherDepth,
}

/// The comparison of one position.
struct Compared {
    /// The kind of the difference, or `None` if there is none.
    kind: Option<Kind>,
    said: [Said; 2],
    depths: [Option<u32>; 2],
}

impl Compared {
    /// Compares what two solutions say about a position. Returns `None` if neither covers it.
    fn of(outcomes: [Option<Outcome>; 2]) -> Option<Self> {
        let said = outcomes.map(Said::of);
        if said == [Said::NotCovered; 2] {
            return None;
        }
        let depths = outcomes.map(|outcome| outcome.and_then(Outcome::depth));
        let kind = match depths {
            _ if said[0] != said[1] => Some(Kind::Said(said[0].index(), said[1].index())),
            [Some(first), Some(second)] if first != second => Some(Kind::OtherDepth),
            _ => None,
        };
        Some(Self { kind, said, depths })
    }
}

/// A step of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The sets of a solution with one side to move are read: the number of the solution, 1 or 2, and the side.
    Reading(usize, Side),
    /// Sets with one side to move get the letter order of the first solution.
    Arranging(Side),
    /// The sets with one side to move are compared.
    Comparing(Side),
    /// Boards are compared one by one: the numbers of those done and of all.
    Boards(u64, u64),
    /// The positions that tables list are compared: the numbers of those done and of all.
    Rows(u64, u64),
}

/// Compares what two solutions say about every position that one of them contains. Returns at most `most` examples of each kind.
/// `progress` is called for every step.
///
/// Cost: one pass over a table of reached positions, with a look-up for each row, if the other solution contains only positions of the
/// table; one pass over both if both are such tables. Otherwise, that of [`CodePairs`] if both solutions consist of sets, and for a run from the start, that of
/// [`StoredRun::contained`](nerode_solver::archive::stored_run::StoredRun::contained). Sets over words in another letter order than
/// those of the first solution, and sets that are stored as mirror images, are rearranged before, see
/// [`OutcomeMap::in_order_of`]. If that needs too much memory, or if a solution has no sets: two look-ups for each board and side, on
/// all threads.
///
/// # Errors
/// Returns [`Error::Mismatch`] if the games have different boards, an error for more boards than an index can number, the errors of
/// look-ups, an error if memory is exhausted, or [`Error::Interrupted`].
pub fn differences(
    solutions: [&Solution; 2],
    most: usize,
    resources: &Resources,
    progress: &mut dyn FnMut(Step),
) -> Result<Differences> {
    let games = solutions.map(|solution| solution.game());
    if games[0].cell_states() != games[1].cell_states() {
        return Err(Error::Mismatch {
            what: "the boards of two solutions".into(),
            found: games[1].spec(),
            expected: format!("a game on the board of {}", games[0].spec()),
        });
    }
    if let Some(found) = by_rows(solutions, most, resources, progress)? {
        return Ok(found);
    }
    let mut sources = Vec::with_capacity(2);
    for (number, solution) in solutions.into_iter().enumerate() {
        let maps = sets_of(number + 1, solution, resources, progress)?;
        let contained = if maps.is_none() { contained(solution, resources)? } else { None };
        sources.push(Source { solution, maps, contained });
    }
    if let [Some(first), Some(second)] = [&sources[0].maps, &sources[1].maps]
        && let Some(found) = by_sets(games[0], [first, second], most, resources, progress)?
    {
        return Ok(found);
    }
    by_boards(games[0], &sources, most, resources, progress)
}

/// Returns the positions that a solution contains, by the side to move, if it answers for other positions too.
fn contained(solution: &Solution, resources: &Resources) -> Result<Option<[Dfa; 2]>> {
    let Ok(run) = solution.run() else { return Ok(None) };
    let Some(first) = run.contained(Side::P1, resources)? else { return Ok(None) };
    Ok(run.contained(Side::P2, resources)?.map(|second| [first, second]))
}

/// The automata of a solution for either side to move.
type Maps<'a> = [OutcomeMap<'a>; 2];

/// Reads the automata of a solution, if it consists of sets. They cover only what the solution contains, even if it answers for other
/// positions too.
fn sets_of<'a>(
    number: usize,
    solution: &'a Solution,
    resources: &Resources,
    progress: &mut dyn FnMut(Step),
) -> Result<Option<Maps<'a>>> {
    let mut read = |side| -> Result<Option<OutcomeMap<'a>>> {
        progress(Step::Reading(number, side));
        let Some(map) = solution.outcome_map(side, resources)? else { return Ok(None) };
        let contained = match solution.run() {
            Ok(run) => run.contained(side, resources)?,
            Err(_) => None,
        };
        match contained {
            Some(contained) => Ok(Some(map.restricted(solution.game(), &contained, resources)?)),
            None => Ok(Some(map)),
        }
    };
    let Some(first) = read(Side::P1)? else { return Ok(None) };
    Ok(read(Side::P2)?.map(|second| [first, second]))
}

/// Compares solutions by their automata, over the words of `game`. Returns `None` if they do not fit into memory in its letter order.
fn by_sets(
    game: &dyn Game,
    sources: [&Maps<'_>; 2],
    most: usize,
    resources: &Resources,
    progress: &mut dyn FnMut(Step),
) -> Result<Option<Differences>> {
    let letters = by_digit(game);
    let mut sum = Differences::default();
    for side in Side::BOTH {
        let maps = sources.map(|maps| &maps[side.index()]);
        progress(Step::Arranging(side));
        let [first, second] = maps.map(|map| match map.in_order_of(game, resources) {
            Err(Error::Dfa(DfaError::OutOfMemory { .. } | DfaError::TooManyStates { .. })) => Ok(None),
            arranged => arranged.map(Some),
        });
        let (Some(first), Some(second)) = (first?, second?) else { return Ok(None) };
        progress(Step::Comparing(side));
        let pairs = CodePairs::new(&first, &second, resources.memory, &resources.interrupt)?;
        let compared = |(x, y): (u16, u16)| Compared::of([maps[0].outcome(x), maps[1].outcome(y)]);
        let mut kinds: BTreeMap<Kind, Vec<(u16, u16)>> = BTreeMap::new();
        for (codes, positions) in pairs.count()? {
            let Some(Compared { kind, .. }) = compared(codes) else { continue };
            sum.compared += positions;
            if let Some(kind) = kind {
                sum.at(kind).positions += positions;
                kinds.entry(kind).or_default().push(codes);
            }
        }
        for (kind, codes) in kinds {
            resources.must_go_on()?;
            for word in pairs.first_words(|pair| codes.contains(&pair), &letters, most) {
                let codes = [first.get(&word), second.get(&word)];
                let position = Position { board: game.board_of(&word), side };
                if let Some(Compared { said, depths, .. }) = compared(codes.into()) {
                    sum.at(kind).examples.push(Example { position, said, depths });
                }
            }
        }
    }
    // The order is that of the boards, as in a comparison one by one, if the letters have the order of the cells.
    let digits = |board: &[u8]| -> Vec<u8> {
        board.iter().enumerate().map(|(cell, &content)| game.digit(cell, content)).collect()
    };
    for pair in sum.pairs.iter_mut().flatten().chain([&mut sum.other_depth]) {
        pair.examples
            .sort_by_cached_key(|example| (digits(&example.position.board), example.position.side.index()));
        pair.examples.truncate(most);
    }
    Ok(Some(sum))
}

/// Returns the letters of each layer by ascending digit.
fn by_digit(game: &dyn Game) -> Vec<Vec<Letter>> {
    let states = game.cell_states();
    let letters = |&cell: &usize| {
        let mut letters: Vec<Letter> = (0..=Letter::MAX).take(usize::from(states[cell])).collect();
        letters.sort_by_key(|&letter| game.digit(cell, letter));
        letters
    };
    game.cell_of_layer().iter().map(letters).collect()
}

/// A solution that is asked about one position at a time: by its automata, if it has some, or by a look-up.
struct Source<'a> {
    solution: &'a Solution,
    maps: Option<Maps<'a>>,
    /// The positions that the solution contains, by the side to move, if it answers for others too. Automata cover only these.
    contained: Option<[Dfa; 2]>,
}

impl Source<'_> {
    /// Returns what the solution contains about a position. `word` is memory for its word.
    fn outcome(&self, position: &Position, word: &mut Vec<Letter>) -> Result<Option<Outcome>> {
        if let Some(contained) = &self.contained
            && !contained[position.side.index()].contains(&self.solution.game().word_of(&position.board))
        {
            return Ok(None);
        }
        match &self.maps {
            Some(maps) => Ok(maps[position.side.index()].get(&position.board, word)),
            None => Ok(self.solution.look_up(position)?.outcome()),
        }
    }
}

/// A position with what each solution says about it.
type Pairing = (Position, [Option<Outcome>; 2]);

/// Compares solutions by the rows of tables of reached positions. Returns `None` if neither is such a table, or if the other solution
/// contains a position that the table lacks.
fn by_rows(
    solutions: [&Solution; 2],
    most: usize,
    resources: &Resources,
    progress: &mut dyn FnMut(Step),
) -> Result<Option<Differences>> {
    let tables = solutions.map(|solution| solution.downcast_ref().and_then(TableSolution::keyed));
    let place = match tables {
        [None, None] => return Ok(None),
        [Some(_), Some(_)] => None,
        [None, Some(_)] => Some(0),
        [Some(_), None] => Some(1),
    };
    let total = tables.iter().flatten().map(|table| table.header().num_positions).sum();
    let mut other = None;
    // The number of positions that the other solution contains and no row has matched so far.
    let mut unmatched = 0;
    if let Some(place) = place {
        let Some(contained) = contained(solutions[place], resources)? else { return Ok(None) };
        for set in &contained {
            unmatched += set.count()?;
        }
        if unmatched > u128::from(total) {
            return Ok(None);
        }
        let maps = match sets_of(place + 1, solutions[place], resources, progress) {
            Err(Error::Dfa(DfaError::OutOfMemory { .. } | DfaError::TooManyStates { .. })) => None,
            maps => maps?,
        };
        other = Some((place, Source { solution: solutions[place], maps, contained: Some(contained) }));
    }
    let mut rows = merged(tables)?;
    let pool = resources.pool()?;
    let (mut sum, mut done) = (Differences::default(), 0);
    loop {
        resources.must_go_on()?;
        progress(Step::Rows(done, total));
        let mut batch: Vec<Pairing> = rows.by_ref().take(STRETCH as usize).collect::<Result<_>>()?;
        if batch.is_empty() {
            return Ok((unmatched == 0).then_some(sum));
        }
        done += batch.iter().map(|(_, outcomes)| outcomes.iter().flatten().count() as u64).sum::<u64>();
        let of_chunk = |chunk: &mut [Pairing]| -> Result<(Differences, u128)> {
            let (mut found, mut matched, mut word) = (Differences::default(), 0, Vec::new());
            for (position, outcomes) in chunk {
                if let Some((place, source)) = &other {
                    outcomes[*place] = source.outcome(position, &mut word)?;
                    matched += u128::from(outcomes[*place].is_some());
                }
                found.note(*outcomes, most, || position.clone());
            }
            Ok((found, matched))
        };
        let parts = || batch.par_chunks_mut(CHUNK as usize).map(of_chunk).collect::<Result<Vec<_>>>();
        for (part, matched) in pool.install(parts)? {
            sum.add(part, most);
            unmatched = unmatched.saturating_sub(matched);
        }
    }
}

/// Returns the rows of one or two tables of the same boards in the order of keys, each position once.
fn merged(tables: [Option<&KeyedTable>; 2]) -> Result<impl Iterator<Item = Result<Pairing>> + '_> {
    let rows = tables.map(|table| table.map(KeyedTable::rows).transpose());
    let [first, second] = rows;
    let mut rows = [first?, second?].map(|rows| rows.into_iter().flatten().peekable());
    Ok(std::iter::from_fn(move || {
        let [first, second] = &mut rows;
        let (from_first, from_second) = match (first.peek(), second.peek()) {
            (Some(Ok((one, _))), Some(Ok((other, _)))) => {
                let sides = one.side.index().cmp(&other.side.index());
                let order = sides.then_with(|| one.board.cmp(&other.board));
                (order.is_le(), order.is_ge())
            }
            (Some(Ok(_)), Some(Err(_))) | (None, _) => (false, true),
            (Some(_), _) => (true, false),
        };
        let first = if from_first { first.next() } else { None };
        let second = if from_second { second.next() } else { None };
        pairing(first, second).transpose()
    }))
}

/// Returns what two rows of the same position say.
fn pairing(first: Option<Result<KeyedRow>>, second: Option<Result<KeyedRow>>) -> Result<Option<Pairing>> {
    let [first, second] = [first.transpose()?, second.transpose()?];
    let outcomes = [&first, &second].map(|row| row.as_ref().map(|&(_, code)| code16::outcome(code)));
    Ok(first.or(second).map(|(position, _)| (position, outcomes)))
}

/// Compares solutions board by board.
fn by_boards(
    game: &dyn Game,
    sources: &[Source<'_>],
    most: usize,
    resources: &Resources,
    progress: &mut dyn FnMut(Step),
) -> Result<Differences> {
    let indexer = Indexer::new(game, &game.spec()).map_err(Error::from)?;
    let pool = resources.pool()?;
    let total = indexer.num_positions();
    let mut sum = Differences::default();
    for begin in (0..total).step_by(STRETCH as usize) {
        resources.must_go_on()?;
        progress(Step::Boards(begin, total));
        let end = (begin + STRETCH).min(total);
        let chunks: Vec<u64> = (begin..end).step_by(CHUNK as usize).collect();
        let part = |&from: &u64| chunk(sources, &indexer, from..(from + CHUNK).min(end), most);
        let parts: Vec<Differences> = pool.install(|| chunks.par_iter().map(part).collect::<Result<_>>())?;
        parts.into_iter().for_each(|part| sum.add(part, most));
    }
    Ok(sum)
}

/// Compares the boards whose indices are in `range`.
fn chunk(
    sources: &[Source<'_>],
    indexer: &Indexer,
    range: std::ops::Range<u64>,
    most: usize,
) -> Result<Differences> {
    let mut found = Differences::default();
    let Some(mut cursor) = indexer.cursor(range.start) else { return Ok(found) };
    let mut position = Position { board: Vec::new(), side: Side::P1 };
    let mut word = Vec::new();
    for _ in range {
        position.board.clear();
        position.board.extend_from_slice(cursor.board());
        for side in Side::BOTH {
            position.side = side;
            let mut outcomes = [None; 2];
            for (outcome, source) in outcomes.iter_mut().zip(sources) {
                *outcome = source.outcome(&position, &mut word)?;
            }
            found.note(outcomes, most, || position.clone());
        }
        cursor.step(indexer);
    }
    Ok(found)
}
