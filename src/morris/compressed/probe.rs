//! [`Forms`]: the stored sectors together. A look-up looks one ply ahead where an automaton leaves something open.
//!
//! Invariant: a look-up never comes back to a sector that it came from. Captures lead to sectors with fewer stones. A derived
//! sector is not stored itself, but the sector that its quiet turns lead to is.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

use nerode_games::morris::{FullBoard, Rules, State, Turn, points};

use super::automaton::MultiRoot;
use super::header::{Probe, hex, rules_digest};
use super::words::Words;
use super::worth::{Detail, Worth};
use crate::error::{Error, Result};
use crate::morris::tables::{IndexMaker, Sector};

/// What is kept of one sector.
#[derive(Debug)]
enum Held {
    Stored(Box<(Words, MultiRoot)>),
    /// The worths that its positions have, ascending.
    Derived(Vec<Worth>),
}

impl Held {
    fn worths(&self) -> &[Worth] {
        match self {
            Self::Stored(stored) => stored.1.worths(),
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
}

/// Sectors that turns of one position lead to, by kind of turn: placed or not, and stones taken. Looked up once.
type Around<'a> = [[Option<&'a Held>; 3]; 2];

impl<'a> Forms<'a> {
    /// No sector yet.
    pub fn new(rules: &'a Rules, detail: Detail) -> Self {
        Self { rules: Cow::Borrowed(rules), detail, held: BTreeMap::new() }
    }

    /// The same with rules of its own.
    pub fn owning(rules: Rules, detail: Detail) -> Forms<'static> {
        Forms { rules: Cow::Owned(rules), detail, held: BTreeMap::new() }
    }

    /// Adds an automaton, in place of what there was of its sector.
    ///
    /// # Errors
    /// [`Error::WrongRules`]; [`Error::Mismatch`] when it is for another board, or tells more or less than worths of this detail.
    pub fn store(&mut self, maker: &IndexMaker, automaton: MultiRoot) -> Result<()> {
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
        self.held.insert(header.sector, Held::Stored(Box::new((words, automaton))));
        Ok(())
    }

    /// Adds a sector of which only `worths` is stored: the worths that its positions have. All sectors that its turns lead to must
    /// be here when it is looked up.
    pub fn derive(&mut self, sector: Sector, mut worths: Vec<Worth>) {
        worths.sort_unstable();
        worths.dedup();
        self.held.insert(sector, Held::Derived(worths));
    }

    /// Bytes of all automata, and of the lists of worths of derived sectors.
    pub fn bytes(&self) -> u64 {
        let each = self.held.values().map(|held| match held {
            Held::Stored(stored) => stored.1.bytes(),
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
        let missing = || Error::MissingSector { sector: sector.to_string(), needed_by: None, folder: None };
        self.held.get(&sector).ok_or_else(missing)
    }

    /// Whether depths are told.
    pub fn detail(&self) -> Detail {
        self.detail
    }

    /// What is kept of a sector: bytes, and in words how it is looked up.
    pub fn kept(&self, sector: Sector) -> Option<(u64, String)> {
        self.held.get(&sector).map(|held| match held {
            Held::Stored(stored) => {
                let header = stored.1.header();
                let probe = if header.probe == Probe::Captures { ", captures looked at" } else { "" };
                (stored.1.bytes(), format!("stored, root {}{probe}", header.root_side.name()))
            }
            Held::Derived(worths) => (size_of_val(worths.as_slice()) as u64, "all turns looked at".into()),
        })
    }

    fn worth_in(&self, held: &Held, state: State) -> Result<Worth> {
        match held {
            Held::Stored(stored) => self.completed(&stored.0, &stored.1, state),
            Held::Derived(worths) => self.by_turns(state, worths),
        }
    }

    /// The worth of a position of an automaton's sector, `words` being those of the automaton.
    pub(super) fn completed(&self, words: &Words, automaton: &MultiRoot, state: State) -> Result<Worth> {
        let said = automaton.says(words, state);
        let most = automaton.worths().last().copied().unwrap_or(said);
        if automaton.header().probe == Probe::Nothing || said >= most || !self.can_capture(state) {
            return Ok(said);
        }
        let captures = |turn: Turn| turn.taken != 0;
        Ok(self.best_turn(state, Some(said), most, captures)?.map_or(said, |best| best.max(said)))
    }

    /// By all turns, quiet ones first: they are the cheaper ones to look up.
    fn by_turns(&self, state: State, worths: &[Worth]) -> Result<Worth> {
        let most = worths.last().copied().unwrap_or(Worth::DRAW);
        let mut best = self.best_turn(state, None, most, |turn| turn.taken == 0)?;
        if best < Some(most) && self.can_capture(state) {
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
        let slot = &mut around[usize::from(turn.from == 0)][turn.taken.count_ones() as usize];
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

    /// Whether a stone may be taken: some empty point closes a mill, from wherever the stone comes.
    #[inline]
    fn can_capture(&self, state: State) -> bool {
        let board = &self.rules.board;
        let empty = board.all() & !(state.own | state.other);
        points(empty).any(|to| board.closes_mill(state.own, to))
    }
}
