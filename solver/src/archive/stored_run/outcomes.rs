//! What a solution contains about all positions with one side to move, as automata over words.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use nerode_dfa::{Dfa, Letter, Set, Store, ValueMap};
use nerode_games::{Game, Side, SideSwap, Value};

use super::StoredRun;
use crate::archive::run_dir::{Kind, SetEntry};
use crate::error::{Error, Result};
use crate::outcome::{Depth, Outcome, code16};
use crate::solve::method::Method;
use crate::solve::resources::Resources;
use crate::solve::rules::CompiledRules;

/// The outcomes of all positions with one side to move, as one automaton over words or as several that are asked in turn. Depths
/// are exact or unknown: bounds are left out.
pub struct OutcomeMap<'a> {
    parts: Vec<Part<'a>>,
    /// The outcome of each code, where `None` means that the position is not covered.
    outcomes: Vec<(u16, Option<Outcome>)>,
}

struct Part<'a> {
    map: Cow<'a, ValueMap>,
    /// For each layer, the cell whose content is its letter.
    cells: Vec<usize>,
    /// For each layer, the letters of the contents, if the words of the automaton are mirror images.
    swapped: Option<Vec<Vec<Letter>>>,
}

impl<'a> Part<'a> {
    fn new(game: &dyn Game, map: Cow<'a, ValueMap>, swap: Option<SideSwap>) -> Self {
        let cells = game.cell_of_layer().to_vec();
        let Some(SideSwap { image, contents }) = swap else { return Self { map, cells, swapped: None } };
        // The content of a cell moves to its image, so the letter of a layer comes from the cell whose image is there.
        let from = |&to: &usize| image.iter().position(|&cell| cell == to).unwrap_or(to);
        let cells: Vec<usize> = cells.iter().map(from).collect();
        let swapped = Some(cells.iter().map(|&cell| contents[cell].clone()).collect());
        Self { map, cells, swapped }
    }

    /// Returns the automaton over words whose layer `l` contains the content of cell `cells[l]`.
    fn in_order(&self, cells: &[usize], resources: &Resources) -> Result<Cow<'_, ValueMap>> {
        if self.swapped.is_none() && self.cells == cells {
            return Ok(Cow::Borrowed(&self.map));
        }
        let layer_of = |cell| self.cells.iter().position(|&other| other == cell).unwrap_or_default();
        let layers: Vec<usize> = cells.iter().map(|&cell| layer_of(cell)).collect();
        let letters = |&layer: &usize| match &self.swapped {
            Some(swapped) => swapped[layer].clone(),
            None => (0..=Letter::MAX).take(self.map.shape().num_letters(layer)).collect(),
        };
        let letters: Vec<Vec<Letter>> = layers.iter().map(letters).collect();
        Ok(Cow::Owned(self.map.rearranged(&layers, &letters, resources.memory, &resources.interrupt)?))
    }

    /// Returns the code of a board, whose word is written to `word`.
    fn code(&self, board: &[u8], word: &mut Vec<Letter>) -> u16 {
        word.clear();
        let contents = self.cells.iter().map(|&cell| board[cell]);
        match &self.swapped {
            None => word.extend(contents),
            Some(swapped) => {
                word.extend(contents.zip(swapped).map(|(content, letters)| letters[usize::from(content)]));
            }
        }
        self.map.get(word)
    }
}

impl<'a> OutcomeMap<'a> {
    /// Creates the outcomes of a map with codes of [`code16`]. Without `depths`, the depths in the codes have no meaning.
    pub(crate) fn of_map(game: &dyn Game, map: &'a ValueMap, depths: bool) -> Self {
        let outcome = |code| {
            let outcome = code16::outcome(code);
            (code, Some(if depths { outcome } else { outcome.with_depth(Depth::Unknown) }))
        };
        let outcomes = map.codes().into_iter().map(outcome).collect();
        Self { parts: vec![Part::new(game, Cow::Borrowed(map), None)], outcomes }
    }

    /// Creates the outcomes of the given words by their codes of [`code16`]. No other position is covered.
    ///
    /// # Errors
    /// Returns an error if memory is exhausted.
    pub(crate) fn of_words(
        game: &dyn Game,
        by_code: BTreeMap<u16, Vec<Vec<Letter>>>,
        memory: u64,
    ) -> Result<Self> {
        let (mut classes, mut outcomes) = (Vec::new(), vec![(0, None)]);
        for ((code, mut words), number) in by_code.into_iter().zip(1..=u16::MAX) {
            words.sort_unstable();
            classes.push((number, Dfa::from_sorted_words(game.shape(), &words)?));
            outcomes.push((number, Some(code16::outcome(code))));
        }
        let map = ValueMap::from_classes(game.shape(), &classes, memory)?;
        Ok(Self { parts: vec![Part::new(game, Cow::Owned(map), None)], outcomes })
    }

    /// Returns one automaton with the outcomes of all boards, over the words of `game`, which has the same boards and possibly
    /// another letter order. The codes are those of [`OutcomeMap::outcome`].
    ///
    /// Cost: nothing for one automaton over words in this order; otherwise [`ValueMap::rearranged`] for each automaton, and
    /// [`Store::value_map`] if there are several.
    ///
    /// # Errors
    /// Returns an error if memory is exhausted or the computation is interrupted.
    ///
    /// # Panics
    /// Panics if the game has other boards.
    pub fn in_order_of(&self, game: &dyn Game, resources: &Resources) -> Result<Cow<'_, ValueMap>> {
        if let [part] = self.parts.as_slice() {
            return part.in_order(game.cell_of_layer(), resources);
        }
        let mut store = resources.store(game.shape())?;
        let mut levels = Vec::new();
        for part in &self.parts {
            let map = part.in_order(game.cell_of_layer(), resources)?;
            // Several automata leave the code 0 to the positions that they do not decide.
            for code in map.codes().into_iter().filter(|&code| code != 0) {
                levels.push((code, store.import(&map.select(|other| other == code)?)?));
            }
        }
        Ok(Cow::Owned(store.value_map(&levels)?))
    }

    /// Returns the outcomes of the words of `game`, this solution's game, that `within` contains. No other position is covered.
    ///
    /// Cost: that of [`OutcomeMap::in_order_of`], and [`Store::value_map`].
    ///
    /// # Errors
    /// Returns an error if memory is exhausted or the computation is interrupted.
    pub fn restricted(&self, game: &dyn Game, within: &Dfa, resources: &Resources) -> Result<Self> {
        let map = self.in_order_of(game, resources)?;
        let mut store = resources.store(game.shape())?;
        let within = store.import(within)?;
        let mut outcomes = vec![(0, None)];
        let mut levels = vec![(0, store.complement(&within)?)];
        for (code, number) in map.codes().into_iter().zip(1..=u16::MAX) {
            outcomes.push((number, self.outcome(code)));
            levels.push((number, store.import(&map.select(|other| other == code)?)?));
        }
        let map = Cow::Owned(store.value_map(&levels)?);
        Ok(Self { parts: vec![Part::new(game, map, None)], outcomes })
    }

    /// Returns the outcome of a code of the automaton, or `None` if the solution does not cover its positions.
    pub fn outcome(&self, code: u16) -> Option<Outcome> {
        let at = self.outcomes.binary_search_by_key(&code, |&(code, _)| code).ok()?;
        self.outcomes[at].1
    }

    /// Returns the outcome of a board, or `None` if the solution does not cover it. The contents of `word` are replaced: a caller
    /// that asks for many boards passes the same memory. Cost: one table access for each cell and automaton.
    ///
    /// # Panics
    /// Panics if the board is not one of the game.
    pub fn get(&self, board: &[u8], word: &mut Vec<Letter>) -> Option<Outcome> {
        let mut codes = self.parts.iter().map(|part| part.code(board, word));
        // Several automata leave the code 0 to the positions that they do not decide.
        let code = if self.parts.len() == 1 { codes.next() } else { codes.find(|&code| code != 0) };
        self.outcome(code.unwrap_or(0))
    }
}

/// The sets of a run in the order in which they are asked, each with the outcome of its words.
struct Levels<'a> {
    run: &'a StoredRun,
    store: Store,
    /// Consecutive sets that are stored alike: as they are, or as mirror images.
    parts: Vec<(bool, Vec<(u16, Set)>)>,
    /// The outcome of each code from 1 on.
    outcomes: Vec<Outcome>,
}

impl Levels<'_> {
    /// Adds a set of the run.
    fn add(&mut self, entry: &SetEntry, outcome: Outcome) -> Result<()> {
        let set = if entry.is_mirror() { self.run.read_file(entry)? } else { self.run.read_entry(entry)? };
        self.add_set(&set, outcome, entry.is_mirror())
    }

    fn add_set(&mut self, set: &Dfa, outcome: Outcome, mirror: bool) -> Result<()> {
        let set = self.store.import(set)?;
        let place = self.outcomes.iter().position(|&known| known == outcome).unwrap_or_else(|| {
            self.outcomes.push(outcome);
            self.outcomes.len() - 1
        });
        let too_many = |_| Error::TooDeep { what: "a value map".into(), most: code16::MAX_DEPTH.into() };
        let code = u16::try_from(place + 1).map_err(too_many)?;
        match self.parts.last_mut() {
            Some((like, sets)) if *like == mirror => sets.push((code, set)),
            _ => self.parts.push((mirror, vec![(code, set)])),
        }
        Ok(())
    }

    /// Adds the sets of retrograde analysis, in which a word has the depth of the first set that contains it.
    fn add_decided(&mut self, side: Side) -> Result<()> {
        let run = self.run;
        let last = run.last_ply();
        for (kind, value) in [(Kind::W, Value::Win), (Kind::L, Value::Loss)] {
            let first = run.first_kept(kind, side)?;
            for ply in first..=last {
                // The first of the sets that are kept also contains what was decided earlier.
                let depth = if ply == first && first > 0 { Depth::Unknown } else { Depth::Exact(ply) };
                self.add(run.entry(kind, side, ply)?, Outcome::new(value, depth))?;
            }
        }
        Ok(())
    }

    /// Adds the words at which the game is over: all of them, or only the drawn ones.
    fn add_over(&mut self, side: Side, only_drawn: bool, resources: &Resources) -> Result<()> {
        let rules = CompiledRules::new(Arc::clone(&self.run.game), resources)?;
        let over = rules.side(side);
        for (set, value) in [(&over.win, Value::Win), (&over.loss, Value::Loss), (&over.draw, Value::Draw)] {
            if value == Value::Draw || !only_drawn {
                self.add_set(&rules.freeze(set), Outcome::new(value, Depth::Exact(0)), false)?;
            }
        }
        Ok(())
    }
}

impl StoredRun {
    /// Returns the positions with `side` to move that a run forward from the start contains: those reached at one of its plies and,
    /// if the run was requested so, the admissible ones of later plies. Returns `None` for a retrograde run, which contains every
    /// word. A look-up answers for some other positions too, because the rules or the retrograde sets decide them.
    ///
    /// Cost: reads `R_i` of every ply, and unites these sets.
    ///
    /// # Errors
    /// Returns an error if the run is not finished, a file is damaged, or memory is exhausted.
    pub fn contained(&self, side: Side, resources: &Resources) -> Result<Option<Dfa>> {
        if self.method() == Method::Retrograde {
            return Ok(None);
        }
        self.must_be_finished()?;
        let mut store = resources.store(self.game.shape())?;
        let mut all = store.empty();
        for ply in self.forward_plies(side) {
            let set = store.import(&self.read(Kind::R, side, ply)?)?;
            all = store.union(&all, &set)?;
        }
        Ok(Some(store.freeze(&all)))
    }

    /// Returns the outcomes of all positions with `side` to move, which are those of [`StoredRun::look_up`].
    ///
    /// Cost: reads the sets of all plies and computes [`Store::value_map`] of them. For an unfinished run, and for one that contains
    /// only reachable positions, the rules are compiled too.
    ///
    /// # Errors
    /// Returns an error if the run is not finished, a file is damaged, or memory is exhausted.
    pub(crate) fn outcome_map(&self, side: Side, resources: &Resources) -> Result<OutcomeMap<'static>> {
        self.must_be_finished()?;
        let store = resources.store(self.game.shape())?;
        let mut levels = Levels { run: self, store, parts: Vec::new(), outcomes: Vec::new() };
        let progress = &self.run.manifest.progress;
        let is_meet = self.method() == Method::Meet;
        let plies: Vec<u32> = if is_meet { self.forward_plies(side).collect() } else { Vec::new() };
        for &ply in &plies {
            for (kind, value) in [(Kind::RW, Value::Win), (Kind::RL, Value::Loss), (Kind::RD, Value::Draw)] {
                levels.add(self.entry(kind, side, ply)?, Outcome::new(value, Depth::Unknown))?;
            }
        }
        let mut other = if is_meet { None } else { Some(Outcome::Unknown) };
        if self.run.request().is_in_play() {
            levels.add_over(side, false, resources)?;
        } else {
            levels.add_decided(side)?;
            if progress.fixpoint {
                other = Some(Outcome::DRAW);
            } else if self.is_so_far() {
                levels.add_over(side, true, resources)?;
            } else if let Ok(drawn) = self.entry(Kind::D, side, self.last_ply()) {
                levels.add(drawn, Outcome::DRAW)?;
            }
        }
        for &ply in plies.iter().filter(|_| other.is_none()) {
            levels.add(self.entry(Kind::R, side, ply)?, Outcome::Unknown)?;
        }
        let Levels { store, parts, outcomes, .. } = levels;
        let part = |(mirror, sets): &(bool, Vec<(u16, Set)>)| -> Result<Part<'static>> {
            let swap = if *mirror { Some(self.swap_of_mirrors()?) } else { None };
            Ok(Part::new(self.game.as_ref(), Cow::Owned(store.value_map(sets)?), swap))
        };
        let parts = parts.iter().map(part).collect::<Result<_>>()?;
        let outcomes = std::iter::once(other).chain(outcomes.into_iter().map(Some));
        Ok(OutcomeMap { parts, outcomes: (0..=u16::MAX).zip(outcomes).collect() })
    }
}
