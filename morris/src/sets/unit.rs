//! Solves a sector and the one with the sides exchanged, depth by depth. Each step computes images only of positions
//! that can be new.
//!
//! Invariant: `waiting` holds the undecided positions whose quiet moves all lead to positions that the opponent wins. A
//! position is therefore recognised as lost when its last escape disappears, whether that is a quiet move or one that
//! closes a mill.

use nerode_dfa::{Dfa, Passes};

use super::sector_sets::{SectorSets, Stones};
use super::turns::{Moves, Turns};
use nerode_solver::error::Result;

/// One of the two sectors.
#[derive(Clone)]
pub(super) struct Half<'a> {
    stones: Stones,
    moves: &'a Moves,
    all: Dfa,
    by_depth: Vec<Dfa>,
    /// The positions of the last depth, with the sides exchanged.
    last: Dfa,
    /// The positions that are won or lost.
    decided: Dfa,
    waiting: Dfa,
    /// The positions after a quiet move that the opponent wins, and those that no quiet move leads to because they have
    /// mills.
    barred: Dfa,
    /// The positions that the opponent wins.
    won: Dfa,
    child: Child<'a>,
}

/// The sector that captures lead to: its sets, with the opponent to move.
#[derive(Clone)]
struct Child<'a> {
    by_depth: &'a [Dfa],
    /// All positions, if a capture ends the game.
    ended: Option<Dfa>,
    won: Dfa,
}

impl Child<'_> {
    /// Returns the number of depths of the sector.
    fn depths(&self) -> usize {
        self.by_depth.len().max(1)
    }

    /// Returns the positions of the given depth, with the opponent to move.
    fn at(&self, passes: &Passes, turns: &Turns, depth: usize) -> Result<Dfa> {
        match (&self.ended, self.by_depth.get(depth)) {
            (Some(all), _) if depth == 0 => Ok(all.clone()),
            (None, Some(set)) => turns.exchanged(passes, set),
            _ => Ok(Dfa::empty(self.won.shape())),
        }
    }
}

impl<'a> Half<'a> {
    /// Creates the half for the sector with these stones, with P1 flying or not. Captures lead into `child`, or end the
    /// game.
    pub(super) fn new(
        passes: &Passes,
        turns: &'a Turns,
        stones: Stones,
        flies: bool,
        child: Option<&'a SectorSets>,
    ) -> Result<Self> {
        let (all, moves) = (turns.all(passes, stones)?, turns.of(flies));
        let empty = Dfa::empty(all.shape());
        let ended = match child {
            Some(_) => None,
            None => Some(turns.all(passes, [stones[0], stones[1] - 1])?),
        };
        let by_depth = child.map_or(&[][..], |sets| &sets.by_depth);
        let barred = if moves.flies {
            passes.combine(&[&all, &moves.mills], |x| x[0] && x[1])?
        } else {
            empty.clone()
        };
        // Here, a position without an escape is one without a quiet move.
        let waiting = moves.quiet_all_into(passes, &all, &barred)?;
        let no_move = moves.closing_all_into(passes, &waiting, &empty, &empty)?;
        let waiting = passes.combine(&[&waiting, &no_move], |x| x[0] && !x[1])?;
        let lost = if turns.no_move_draws(stones) { empty.clone() } else { no_move };
        Ok(Self {
            stones,
            moves,
            last: turns.exchanged(passes, &lost)?,
            decided: lost.clone(),
            by_depth: vec![lost],
            waiting,
            barred,
            won: empty.clone(),
            child: Child { by_depth, ended, won: empty },
            all,
        })
    }

    /// Returns the undecided positions that are won at the next depth. `here` and `there` are the positions that the
    /// opponent has lost.
    fn wins(&self, passes: &Passes, here: &Dfa, there: &Dfa) -> Result<Dfa> {
        let closed = self.moves.before_capture(passes, here, there)?;
        let closing = self.moves.before_closing(passes, &closed, &[], |x, _| x)?;
        let quiet = self.after_quiet(passes, here)?;
        let new = |x: bool, s: &[bool]| (x || s[0]) && !s[1];
        self.moves.before_quiet(passes, &quiet, &[&closing, &self.decided], new)
    }

    /// Returns the undecided positions that are lost at the next depth. `here` and `there` are the positions that the
    /// opponent wins and that are new at this depth.
    fn losses(&mut self, passes: &Passes, here: &Dfa, there: &Dfa) -> Result<Dfa> {
        let both = |x: &[bool]| x[0] || x[1];
        self.barred = passes.combine(&[&self.barred, here], both)?;
        self.won = passes.combine(&[&self.won, here], both)?;
        self.child.won = passes.combine(&[&self.child.won, there], both)?;
        let quiet = self.after_quiet(passes, here)?;
        let new = |x: bool, s: &[bool]| x && !s[0] && !s[1];
        let candidates = self.moves.before_quiet(passes, &quiet, &[&self.decided, &self.waiting], new)?;
        let joined = self.moves.quiet_all_into(passes, &candidates, &self.barred)?;
        let closed = self.moves.before_capture(passes, here, there)?;
        let touched = self.moves.before_closing(passes, &closed, &[&self.waiting], |x, s| x && s[0])?;
        let candidates = passes.combine(&[&touched, &joined], both)?;
        let lost = self.moves.closing_all_into(passes, &candidates, &self.won, &self.child.won)?;
        self.waiting = passes.combine(&[&self.waiting, &joined], both)?;
        Ok(lost)
    }

    /// Returns the part of `here` that quiet moves can lead to.
    fn after_quiet(&self, passes: &Passes, here: &Dfa) -> Result<Dfa> {
        if !self.moves.flies {
            return Ok(here.clone());
        }
        Ok(passes.combine(&[here, &self.moves.mills], |x| x[0] && !x[1])?)
    }

    /// Computes the positions of `depth`. `here` contains the positions at one ply less in the sector that quiet moves
    /// lead to.
    fn step(&mut self, passes: &Passes, turns: &Turns, depth: usize, here: &Dfa) -> Result<()> {
        let there = self.child.at(passes, turns, depth - 1)?;
        let found = if here.is_empty() && there.is_empty() {
            there
        } else if depth % 2 == 1 {
            self.wins(passes, here, &there)?
        } else {
            self.losses(passes, here, &there)?
        };
        self.decided = passes.combine(&[&self.decided, &found], |x| x[0] || x[1])?;
        self.waiting = passes.combine(&[&self.waiting, &found], |x| x[0] && !x[1])?;
        self.last = turns.exchanged(passes, &found)?;
        self.by_depth.push(found);
        Ok(())
    }
}

/// Both sectors, or a single sector that is its own mirror image.
pub(super) struct Unit<'a> {
    passes: &'a Passes,
    turns: &'a Turns,
    halves: Vec<Half<'a>>,
    /// Whether the sectors are processed one after the other because memory was insufficient for both at once.
    apart: bool,
}

impl<'a> Unit<'a> {
    pub(super) fn new(passes: &'a Passes, turns: &'a Turns, halves: Vec<Half<'a>>) -> Self {
        Self { passes, turns, halves, apart: false }
    }

    /// Iterates over the depths.
    pub(super) fn solve(mut self) -> Result<Vec<SectorSets>> {
        // A depth can only contain positions if some position ends one ply sooner, either here or after a capture.
        let mut last = self.halves.iter().map(|half| half.child.depths()).max().unwrap_or(0);
        let mut depth = 0;
        while depth < last {
            depth += 1;
            let here: Vec<Dfa> = self.halves.iter().rev().map(|half| half.last.clone()).collect();
            self.step(depth, &here)?;
            if self.halves.iter().any(|half| !half.last.is_empty()) {
                last = last.max(depth + 1);
            }
        }
        Ok(self.halves.into_iter().map(Half::finish).collect())
    }

    /// Processes both sectors in parallel. If memory is insufficient, processes them one after the other from then on.
    fn step(&mut self, depth: usize, here: &[Dfa]) -> Result<()> {
        let (passes, turns) = (self.passes, self.turns);
        if let ([a, b], [x, y], false) = (self.halves.as_mut_slice(), here, self.apart) {
            let before = (a.clone(), b.clone());
            match passes.join(|| a.step(passes, turns, depth, x), || b.step(passes, turns, depth, y)) {
                (Err(e), _) | (_, Err(e)) if e.is_out_of_room() => {
                    (*a, *b) = before;
                    self.apart = true;
                }
                (a, b) => return a.and(b),
            }
        }
        let mut halves = self.halves.iter_mut().zip(here);
        halves.try_for_each(|(half, here)| half.step(passes, turns, depth, here))
    }
}

impl Half<'_> {
    fn finish(mut self) -> SectorSets {
        while self.by_depth.last().is_some_and(Dfa::is_empty) {
            self.by_depth.pop();
        }
        SectorSets { stones: self.stones, by_depth: self.by_depth, all: self.all }
    }
}
