//! [`Forms`]: the stored sectors together. A look-up looks one ply ahead where an automaton leaves something open.
//!
//! Invariant: a look-up never comes back to a sector that it came from. Captures lead to sectors with fewer stones. A derived
//! sector is not stored itself, but the sector that its quiet turns lead to is.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::OnceLock;

use nerode_games::morris::{FullBoard, Rules, State, Turn};

use super::automaton::MultiRoot;
use super::entries::can_capture;
use super::header::{Probe, hex, rules_digest};
use super::words::Words;
use super::worth::{Detail, Worth};
use crate::error::{Error, Result};
use crate::morris::tables::{IndexMaker, Sector};

/// What is kept of one sector.
#[derive(Debug)]
enum Held {
    Stored(Box<(Words, MultiRoot)>),
    /// Read when it is first needed.
    Filed(Box<Filed>),
    /// The worths that its positions have, ascending.
    Derived(Vec<Worth>),
}

/// A sector whose automaton is in a file.
#[derive(Debug)]
struct Filed {
    sector: Sector,
    /// The worths that its positions have, ascending.
    worths: Vec<Worth>,
    read: OnceLock<(Words, MultiRoot)>,
}

/// Reads the automaton of a sector.
pub(super) type Load = dyn Fn(Sector) -> Result<MultiRoot> + Send + Sync;

/// Where automata that are not in memory come from.
struct Files {
    maker: IndexMaker,
    load: Box<Load>,
}

impl fmt::Debug for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Files")
    }
}

impl Held {
    fn worths(&self) -> &[Worth] {
        match self {
            Self::Stored(stored) => stored.1.worths(),
            Self::Filed(filed) => &filed.worths,
            Self::Derived(worths) => worths,
        }
    }
}

/// Worths of all positions of several sectors.
#[derive(Debug)]
pub struct Forms<'a> {
    rules: Cow<'a, Rules>,
    detail: Detail,
    held: BTreeMap<Sector, Held>,
    files: Option<Files>,
}

/// Sectors that turns of one position lead to, by kind of turn: placed or not, and stones taken. Looked up once.
type Around<'a> = [[Option<&'a Held>; 3]; 2];

impl<'a> Forms<'a> {
    /// No sector yet.
    pub fn new(rules: &'a Rules, detail: Detail) -> Self {
        Self { rules: Cow::Borrowed(rules), detail, held: BTreeMap::new(), files: None }
    }

    /// The same with rules of its own.
    pub fn owning(rules: Rules, detail: Detail) -> Forms<'static> {
        Forms { rules: Cow::Owned(rules), detail, held: BTreeMap::new(), files: None }
    }

    /// Adds an automaton, in place of what there was of its sector.
    ///
    /// # Errors
    /// [`Error::WrongRules`]; [`Error::Mismatch`] when it is for another board, or tells more or less than worths of this detail.
    pub fn store(&mut self, maker: &IndexMaker, automaton: MultiRoot) -> Result<()> {
        let words = self.words_of(maker, &automaton)?;
        self.held.insert(automaton.header().sector, Held::Stored(Box::new((words, automaton))));
        Ok(())
    }

    /// The words of an automaton, if it is one of these rules and tells what is told here.
    fn words_of(&self, maker: &IndexMaker, automaton: &MultiRoot) -> Result<Words> {
        let header = automaton.header();
        let what = format!("automaton of sector {}", header.sector);
        let mismatch = |found, expected| Error::Mismatch { what: what.clone(), found, expected };
        let digest = rules_digest(&self.rules);
        if header.rules != digest {
            return Err(Error::WrongRules {
                path: what.into(),
                found: hex(&header.rules),
                expected: hex(&digest),
            });
        }
        if header.detail != self.detail {
            return Err(mismatch(header.detail.to_string(), self.detail.to_string()));
        }
        let other_board = || mismatch("another board".into(), "the board of these rules".into());
        if header.order.points().len() != maker.num_points() || !header.sector.is_played(&self.rules) {
            return Err(other_board());
        }
        let words = Words::new(maker, header.sector, header.root_side, header.order.clone());
        if words.num_classes() as u32 != automaton.num_classes {
            return Err(other_board());
        }
        Ok(words)
    }

    /// The same, where `load` reads the sectors that [`Forms::file`] names.
    #[must_use]
    pub(super) fn reading(self, maker: IndexMaker, load: Box<Load>) -> Self {
        Self { files: Some(Files { maker, load }), ..self }
    }

    /// Adds a sector whose automaton is read when it is first needed; `worths` are those that its positions have.
    pub(super) fn file(&mut self, sector: Sector, worths: Vec<Worth>) {
        self.held.insert(sector, Held::Filed(Box::new(Filed { sector, worths, read: OnceLock::new() })));
    }

    /// The automaton of a file, from memory if it was read before.
    fn read<'f>(&self, filed: &'f Filed) -> Result<&'f (Words, MultiRoot)> {
        if let Some(read) = filed.read.get() {
            return Ok(read);
        }
        let files = self.files.as_ref().ok_or_else(|| missing(filed.sector))?;
        let automaton = (files.load)(filed.sector)?;
        if automaton.header().sector != filed.sector {
            return Err(Error::Mismatch {
                what: format!("the file of sector {}", filed.sector),
                found: format!("sector {}", automaton.header().sector),
                expected: "the sector that it is called after".into(),
            });
        }
        let words = self.words_of(&files.maker, &automaton)?;
        Ok(filed.read.get_or_init(|| (words, automaton)))
    }

    /// Adds a sector of which only `worths` is stored: the worths that its positions have. All sectors that its turns lead to must
    /// be here when it is looked up.
    pub fn derive(&mut self, sector: Sector, mut worths: Vec<Worth>) {
        worths.sort_unstable();
        worths.dedup();
        self.held.insert(sector, Held::Derived(worths));
    }

    /// Bytes of all automata in memory, and of the lists of worths of derived sectors.
    pub fn bytes(&self) -> u64 {
        let each = self.held.values().map(|held| match held {
            Held::Stored(stored) => stored.1.bytes(),
            Held::Filed(filed) => filed.read.get().map_or(0, |read| read.1.bytes()),
            Held::Derived(worths) => size_of_val(worths.as_slice()) as u64,
        });
        each.sum()
    }

    /// The worth of a position.
    ///
    /// *Cost*: one look-up in an automaton; where stones can be taken and it does not settle the matter, or where the sector is
    /// derived, one for each turn that is looked at, and theirs.
    ///
    /// # Errors
    /// [`Error::MissingSector`] when the position's sector, or one that must be looked at, is not here.
    pub fn worth(&self, state: State) -> Result<Worth> {
        if let Some(value) = state.decided_by_stones() {
            let lost = value == nerode_games::Value::Loss;
            return Ok(if lost { Worth::LOSS } else { Worth::LOSS.before(Detail::Values) });
        }
        self.worth_in(self.held(Sector::of(state))?, state)
    }

    fn held(&self, sector: Sector) -> Result<&Held> {
        self.held.get(&sector).ok_or_else(|| missing(sector))
    }

    /// Whether depths are told.
    pub fn detail(&self) -> Detail {
        self.detail
    }

    /// What is kept of a sector: bytes, and in words how it is looked up; `None` also for one that is in a file.
    pub fn kept(&self, sector: Sector) -> Option<(u64, String)> {
        match self.held.get(&sector)? {
            Held::Stored(stored) => Some((stored.1.bytes(), stored.1.header().how())),
            Held::Filed(_) => None,
            Held::Derived(worths) => {
                Some((size_of_val(worths.as_slice()) as u64, "all turns looked at".into()))
            }
        }
    }

    fn worth_in(&self, held: &Held, state: State) -> Result<Worth> {
        match held {
            Held::Stored(stored) => self.completed(&stored.0, &stored.1, state),
            Held::Filed(filed) => {
                let (words, automaton) = self.read(filed)?;
                self.completed(words, automaton, state)
            }
            Held::Derived(worths) => self.by_turns(state, worths),
        }
    }

    /// The automaton that a sector has, and its words.
    ///
    /// # Errors
    /// [`Error::MissingSector`] when it has none; those of reading a file.
    pub(super) fn stored(&self, sector: Sector) -> Result<(&Words, &MultiRoot)> {
        match self.held(sector)? {
            Held::Stored(stored) => Ok((&stored.0, &stored.1)),
            Held::Filed(filed) => self.read(filed).map(|(words, automaton)| (words, automaton)),
            Held::Derived(_) => Err(missing(sector)),
        }
    }

    /// The worth of a position of an automaton's sector, `words` being those of the automaton.
    pub(super) fn completed(&self, words: &Words, automaton: &MultiRoot, state: State) -> Result<Worth> {
        let said = automaton.says(words, state);
        let most = automaton.worths().last().copied().unwrap_or(said);
        if automaton.header().probe == Probe::Nothing || said >= most || !can_capture(&self.rules, state) {
            return Ok(said);
        }
        let captures = |turn: Turn| turn.taken != 0;
        Ok(self.best_turn(state, Some(said), most, captures)?.map_or(said, |best| best.max(said)))
    }

    /// The worth of a position by a look at all its turns, whatever is kept of its sector.
    ///
    /// # Errors
    /// As for [`Forms::worth`].
    pub(super) fn by_all_turns(&self, state: State) -> Result<Worth> {
        self.by_turns(state, self.held(Sector::of(state))?.worths())
    }

    /// By all turns, quiet ones first: they are the cheaper ones to look up.
    fn by_turns(&self, state: State, worths: &[Worth]) -> Result<Worth> {
        let most = worths.last().copied().unwrap_or(Worth::DRAW);
        let mut best = self.best_turn(state, None, most, |turn| turn.taken == 0)?;
        if best < Some(most) && can_capture(&self.rules, state) {
            best = best.max(self.best_turn(state, best, most, |turn| turn.taken != 0)?);
        }
        // A side that cannot move.
        let full = state.own | state.other == self.rules.board.all();
        let no_move =
            if full && self.rules.full_board == FullBoard::Draw { Worth::DRAW } else { Worth::LOSS };
        Ok(best.unwrap_or(no_move))
    }

    /// The best of the turns that are `wanted`, those left out that cannot lead to more than `floor`; stops at `most`.
    fn best_turn(
        &self,
        state: State,
        floor: Option<Worth>,
        most: Worth,
        wanted: impl Fn(Turn) -> bool,
    ) -> Result<Option<Worth>> {
        let mut around: Around<'_> = Default::default();
        let mut best = floor;
        let flow = self.rules.try_turns(state, |turn| {
            if !wanted(turn) {
                return ControlFlow::Continue(());
            }
            match self.after_turn(state, turn, best, &mut around) {
                Err(error) => return ControlFlow::Break(Err(error)),
                Ok(worth) => best = best.max(Some(worth)),
            }
            if best >= Some(most) { ControlFlow::Break(Ok(())) } else { ControlFlow::Continue(()) }
        });
        match flow {
            ControlFlow::Break(Err(error)) => Err(error),
            _ => Ok(best),
        }
    }

    /// What a turn is worth, or anything up to `floor` where it is not worth more.
    fn after_turn<'f>(
        &'f self,
        state: State,
        turn: Turn,
        floor: Option<Worth>,
        around: &mut Around<'f>,
    ) -> Result<Worth> {
        let after = state.after(turn);
        if after.decided_by_stones().is_some() {
            return Ok(Worth::LOSS.before(self.detail));
        }
        let slot = &mut around[usize::from(turn.from == 0)][turn.num_taken()];
        let held = match *slot {
            Some(held) => held,
            None => *slot.insert(self.held(Sector::of(after))?),
        };
        let bound = held.worths().first().map_or(Worth::DRAW, |least| least.before(self.detail));
        if Some(bound) <= floor {
            return Ok(bound);
        }
        Ok(self.worth_in(held, after)?.before(self.detail))
    }
}

fn missing(sector: Sector) -> Error {
    Error::MissingSector { sector: sector.to_string(), needed_by: None, folder: None }
}
