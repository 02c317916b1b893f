//! The search for the depth of one position.

use std::cmp::Reverse;
use std::sync::atomic::AtomicBool;

use nerode_dfa::Letter;
use nerode_games::{Game, Move, Position, Side, Value};
use rayon::Scope;

use super::deadline::Deadline;
use super::keys::{KeySet, Keys};
use super::lost::LostSets;
use super::source::Source;
use super::table::{Bounds, Table};
use crate::archive::table::reached::ReachedTable;
use crate::error::{Error, Result};
use crate::numbers::table::Table as NumberTable;
use crate::outcome::Depth;

/// The number of positions between two looks at the clock.
const LOOK_EVERY: u64 = 1024;
/// The least number of plies for which the sets are asked. Fewer plies are searched more quickly without them.
const SETS_FROM: u32 = 12;

/// A position in the search, which moves change in place.
#[derive(Clone)]
pub(super) struct Place {
    board: Vec<u8>,
    word: Vec<Letter>,
    pub(super) side: Side,
    pub(super) ply: u32,
}

impl Place {
    pub(super) fn new(game: &dyn Game, position: &Position, ply: u32) -> Self {
        let word = game.word_of(&position.board);
        Self { board: position.board.clone(), word, side: position.side, ply }
    }
}

/// A move, with the keys of the position after it and the bounds of its depth.
pub(super) struct Child {
    pub(super) mv: Move,
    pub(super) keys: KeySet,
    pub(super) bounds: Bounds,
}

/// What a search needs.
#[derive(Clone, Copy)]
pub(super) struct Common<'a> {
    pub(super) source: Source<'a>,
    /// The first ply at which the losing side moves.
    pub(super) first_lost: u32,
    /// The number of bytes that sets may take.
    pub(super) memory: u64,
    pub(super) keys: &'a Keys,
    pub(super) table: &'a Table,
    /// The numbers of open questions.
    pub(super) numbers: &'a NumberTable,
    /// The stored depths of early positions.
    pub(super) early: Option<&'a ReachedTable>,
    pub(super) deadline: Deadline,
    /// Set when the search ends.
    pub(super) is_over: &'a AtomicBool,
}

/// A search in a run.
pub(super) struct Search<'a, 's> {
    pub(super) common: Common<'a>,
    game: &'a dyn Game,
    /// The last ply of the forward search, and the number of retrograde plies from it.
    last: (u32, u32),
    lost: LostSets<'a, 's>,
    /// The reason why a set could not be read.
    failed: Option<Error>,
    layer_of_cell: Vec<usize>,
    keys: &'a Keys,
    table: &'a Table,
    nodes: u64,
    /// How often a move to a cell has answered a question, for each side.
    history: [Vec<u32>; 2],
    spare: Vec<Vec<Child>>,
    moves: Vec<Move>,
}

impl<'a, 's> Search<'a, 's> {
    /// Prepares a search. Sets are read ahead in `scope`.
    ///
    /// # Errors
    /// Returns an error if the run lacks a set.
    pub(super) fn new(common: Common<'a>, scope: &'s Scope<'a>) -> Result<Self> {
        let Common { source, first_lost, memory, keys, table, is_over, .. } = common;
        let game = source.game();
        let history = vec![0; game.cell_states().len()];
        Ok(Self {
            common,
            game,
            last: source.last_plies(),
            lost: LostSets::new(source, first_lost, memory, scope, is_over)?,
            failed: None,
            layer_of_cell: game.layer_of_cell(),
            keys,
            table,
            nodes: 0,
            history: [history.clone(), history],
            spare: Vec::new(),
            moves: Vec::new(),
        })
    }

    /// Returns the error that ended the search, if there was one.
    ///
    /// # Errors
    /// Returns that error.
    pub(super) fn must_have_read(self) -> Result<()> {
        self.failed.map_or(Ok(()), Err)
    }

    /// Returns the depth of a won (`win`) or lost position, which is at most `most`, or a bound of it if the time does not
    /// suffice. If `parity` is set, wins take an odd number of plies and losses an even number.
    ///
    /// The questions begin with few plies, because the effort grows with their number. The last possible number needs no
    /// question.
    pub(super) fn depth(&mut self, mut place: Place, win: bool, most: u32, parity: bool) -> Depth {
        if self.game.outcome(&place.board, place.side).is_some() {
            return Depth::Exact(0);
        }
        let keys = self.keys.of(&place.board, place.side);
        let known = self.table.get(self.keys.of_question(&keys, win));
        // Numbers of the parity of the value: the bounds may be one off.
        let fits = |plies: u32| !parity || plies % 2 == u32::from(win);
        let mut most = most.min(known.most.into());
        most = most.saturating_sub(u32::from(!fits(most)));
        let mut least = u32::from(known.least).max(1);
        least += u32::from(!fits(least));
        for plies in (least..most).step_by(if parity { 2 } else { 1 }) {
            match self.is_within(&mut place, &keys, win, plies) {
                Some(true) => return Depth::Exact(plies),
                Some(false) => {}
                None => return Depth::AtMost(most),
            }
        }
        Depth::Exact(most)
    }

    /// Determines whether a won (`win`) or lost position is decided within `plies` plies, or returns `None` if the time
    /// does not suffice.
    pub(super) fn is_decided_within(&mut self, mut place: Place, win: bool, plies: u32) -> Option<bool> {
        if self.game.outcome(&place.board, place.side).is_some() {
            return Some(true);
        }
        let keys = self.keys.of(&place.board, place.side);
        self.is_within(&mut place, &keys, win, plies)
    }

    /// Makes room in the tables, and looks at the clock. Returns `false` if the search must end.
    fn must_go_on(&mut self) -> bool {
        self.table.make_room();
        self.common.numbers.grow();
        !self.common.deadline.has_passed()
    }

    /// Returns an upper bound of the depth of every decided position of ply `ply`.
    pub(super) fn remaining(&self, ply: u32) -> u32 {
        self.last.0.saturating_sub(ply) + self.last.1
    }

    /// Returns the number of positions visited.
    pub(super) fn num_nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts a position. Returns `None` if the search must end.
    pub(super) fn count(&mut self) -> Option<()> {
        self.nodes += 1;
        let must_end = self.nodes.is_multiple_of(LOOK_EVERY) && !self.must_go_on();
        (self.failed.is_none() && !must_end).then_some(())
    }

    /// Returns `true` if a question about so few plies is answered by trying moves.
    pub(super) fn is_for_moves(&self, plies: u32) -> bool {
        plies < SETS_FROM
    }

    /// Determines whether the side to move wins (`win`) or loses within `plies` plies. The position is not terminal.
    pub(super) fn is_within(
        &mut self,
        place: &mut Place,
        keys: &KeySet,
        win: bool,
        plies: u32,
    ) -> Option<bool> {
        if plies == 0 {
            return Some(false);
        }
        self.count()?;
        if let Some(answer) = self.known(place, keys, win, plies) {
            return Some(answer);
        }
        if !self.is_for_moves(plies) {
            return self.by_proof(place, keys, win, plies);
        }
        let answer = self.by_moves(place, keys, win, plies)?;
        self.remember(place, keys, win, plies, answer);
        Some(answer)
    }

    /// Returns the answer to the question of [`Search::is_within`] if the table or the stored depths contain it.
    pub(super) fn known(&mut self, place: &Place, keys: &KeySet, win: bool, plies: u32) -> Option<bool> {
        let key = self.keys.of_question(keys, win);
        let known = self.table.get(key);
        if u32::from(known.most) <= plies {
            return Some(true);
        }
        if u32::from(known.least) > plies {
            return Some(false);
        }
        let depth = self.stored(place, win)?;
        self.table.put(key, place.ply, Bounds { least: count(depth), most: count(depth) });
        Some(depth <= plies)
    }

    /// Stores the answer to the question of [`Search::is_within`] as a bound.
    pub(super) fn remember(&self, place: &Place, keys: &KeySet, win: bool, plies: u32, answer: bool) {
        let shown = match answer {
            true => Bounds { most: count(plies), ..Bounds::UNKNOWN },
            false => Bounds { least: count(plies + 1), ..Bounds::UNKNOWN },
        };
        self.table.put(self.keys.of_question(keys, win), place.ply, shown);
    }

    /// Returns the depth of a won (`win`) or lost position if it is stored.
    fn stored(&mut self, place: &Place, win: bool) -> Option<u32> {
        let early = self.common.early.filter(|early| place.ply < early.num_plies())?;
        let stored = early.get(&place.board, place.side).unwrap_or_else(|error| {
            self.failed = Some(error);
            None
        })?;
        let value = if win { Value::Win } else { Value::Loss };
        stored.depth().filter(|_| stored.value() == Some(value))
    }

    /// Answers the question of [`Search::is_within`] by the moves: the winner needs one that leads to a loss within one
    /// ply less, and the loser needs one that does not lead to a win within one ply less.
    fn by_moves(&mut self, place: &mut Place, keys: &KeySet, win: bool, plies: u32) -> Option<bool> {
        let mut children = self.spare.pop().unwrap_or_default();
        let answer = match self.children(place, keys, win, plies, &mut children) {
            Some(answer) => Some(answer),
            None => self.by_children(place, win, plies, &mut children),
        };
        children.clear();
        self.spare.push(children);
        answer
    }

    fn by_children(
        &mut self,
        place: &mut Place,
        win: bool,
        plies: u32,
        children: &mut [Child],
    ) -> Option<bool> {
        self.sort(place.side, win, children);
        for child in children.iter() {
            let before = self.make(place, &child.mv);
            let answer = self.is_within(place, &child.keys, !win, plies - 1);
            self.take_back(place, &before);
            if answer? == win {
                let cell = child.mv.last().map_or(0, |change| usize::from(change.cell));
                let tries = &mut self.history[place.side.index()][cell];
                *tries = tries.saturating_add(plies.saturating_mul(plies));
                return Some(win);
            }
        }
        Some(!win)
    }

    /// Sorts moves of `side`, the most promising first: those after which the depth is known to be small for the winner or large for the
    /// loser, and those to cells to which moves have often answered questions.
    pub(super) fn sort(&self, side: Side, win: bool, children: &mut [Child]) {
        let history = &self.history[side.index()];
        let tries = |child: &Child| history[child.mv.last().map_or(0, |change| usize::from(change.cell))];
        if win {
            children.sort_by_cached_key(|child| (child.bounds.least, Reverse(tries(child))));
        } else {
            children.sort_by_cached_key(|child| Reverse((child.bounds.least, tries(child))));
        }
    }

    /// Lists the moves that have to be searched. Returns the answer if they are not needed.
    pub(super) fn children(
        &mut self,
        place: &mut Place,
        keys: &KeySet,
        win: bool,
        plies: u32,
        children: &mut Vec<Child>,
    ) -> Option<bool> {
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        self.game.legal_moves(&place.board, place.side, &mut moves);
        let mut answer = None;
        for mv in moves.drain(..) {
            let before = self.make(place, &mv);
            let over = self.game.outcome(&place.board, place.side);
            self.take_back(place, &before);
            match (over, win) {
                (Some(Value::Loss), true) => answer = Some(true),
                (Some(Value::Win), false) | (Some(_), true) => continue,
                (Some(_), false) => answer = Some(false),
                (None, true) if plies == 1 => continue,
                (None, false) if plies == 1 => answer = Some(false),
                (None, _) => {
                    let keys = self.keys.after(*keys, &place.board, &mv);
                    children.push(Child { mv, keys, bounds: Bounds::UNKNOWN });
                    continue;
                }
            }
            break;
        }
        self.moves = moves;
        if answer.is_some() {
            return answer;
        }
        // The entries are far apart in memory, and are all fetched before the first one is needed.
        for child in &mut *children {
            child.bounds = self.table.get(self.keys.of_question(&child.keys, !win));
        }
        let decides = |bounds: Bounds| match win {
            true => u32::from(bounds.most) < plies,
            false => u32::from(bounds.least) >= plies,
        };
        if children.iter().any(|child| decides(child.bounds)) {
            return Some(win);
        }
        if win {
            children.retain(|child| u32::from(child.bounds.least) < plies);
        }
        None
    }

    /// Returns whether a reached position is lost for the side to move, or `None` if the sets of its ply do not fit into the
    /// memory. The answer is remembered as a bound.
    pub(super) fn is_lost(&mut self, place: &Place, keys: &KeySet) -> Option<bool> {
        let is_lost = self.lost.contain(&place.word, place.ply).unwrap_or_else(|error| {
            self.failed = Some(error);
            None
        })?;
        let shown = match is_lost {
            true => Bounds { most: count(self.remaining(place.ply)), ..Bounds::UNKNOWN },
            false => Bounds { least: u16::MAX, ..Bounds::UNKNOWN },
        };
        self.table.put(self.keys.of_question(keys, false), place.ply, shown);
        Some(is_lost)
    }

    /// Makes a move, and returns the move that takes it back.
    pub(super) fn make(&self, place: &mut Place, mv: &Move) -> Move {
        let mut before = mv.clone();
        for (change, old) in mv.iter().zip(&mut before) {
            let cell = usize::from(change.cell);
            old.after = place.board[cell];
            self.write(place, cell, change.after);
        }
        (place.side, place.ply) = (place.side.other(), place.ply + 1);
        before
    }

    pub(super) fn take_back(&self, place: &mut Place, before: &Move) {
        for change in before.iter().rev() {
            self.write(place, usize::from(change.cell), change.after);
        }
        (place.side, place.ply) = (place.side.other(), place.ply - 1);
    }

    fn write(&self, place: &mut Place, cell: usize, content: u8) {
        place.board[cell] = content;
        place.word[self.layer_of_cell[cell]] = content;
    }
}

/// Converts a number of plies to a bound.
fn count(plies: u32) -> u16 {
    u16::try_from(plies).unwrap_or(u16::MAX)
}
