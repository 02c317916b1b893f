//! Moves as steps: the letters that each step rewrites and the conditions that it imposes on other squares.

use std::collections::BTreeMap;

use nerode_dfa::{Condition, Letter, MoveGraph, Result, Step, Store};

use super::letters::{EMPTY, PIECES};
use super::{EDGE, KINGS, SPECIAL, Start, letter, special};
use crate::rules::chess::geometry::{PawnWays, Way, pawn_ways, ways};
use crate::rules::chess::men::{Kind, Man};
use crate::side::Side;

/// The possible promotions of a pawn on the last rank.
const PROMOTED: [Kind; 4] = [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen];
/// The files of the king's rook, of its destination and of the squares that must be empty, for castling on each wing.
const CASTLING: [(usize, usize, &[usize]); 2] = [(7, 6, &[5, 6]), (0, 2, &[1, 2, 3])];

/// A step under construction: the letters rewritten by square, the king's cell, and the required contents of other squares.
#[derive(Clone, Default)]
pub(super) struct Draft {
    squares: BTreeMap<usize, Vec<(Letter, Letter)>>,
    king: Option<(Letter, Letter)>,
    free: Condition,
}

impl Start {
    /// Returns the letters of the men of `side` that can be captured on `square`.
    fn takeable(&self, square: usize, side: Side) -> Vec<Letter> {
        let kinds = PIECES.into_iter().filter(|kind| *kind != Kind::King).chain([Kind::Pawn]);
        kinds.flat_map(|kind| self.forms(square, Man { side, kind })).collect()
    }

    fn unchanged(&self, square: usize) -> Vec<(Letter, Letter)> {
        (0..self.cell_states[square + KINGS] as Letter).map(|letter| (letter, letter)).collect()
    }

    /// Returns the pairs that replace [`SPECIAL`] on `square` by the plain letter of the same man.
    fn plain(&self, square: usize) -> Vec<(Letter, Letter)> {
        let ordinary = special(self.grid, square).map_or(SPECIAL, letter);
        let pairs = self.unchanged(square).into_iter();
        pairs.map(|(before, _)| (before, if before == SPECIAL { ordinary } else { before })).collect()
    }

    /// Creates a draft with the effect of every move of `side`: the opponent's pawns lose the mark "may be taken en passant".
    pub(super) fn draft(&self, side: Side) -> Draft {
        let squares = self.passing(side.other()).map(|square| (square, self.plain(square)));
        Draft { squares: squares.collect(), ..Draft::default() }
    }

    fn leave(&self, draft: &mut Draft, from: usize, man: Man) {
        let pairs = self.forms(from, man).into_iter().map(|before| (before, EMPTY)).collect();
        draft.squares.insert(from, pairs);
    }

    fn over(&self, draft: &mut Draft, squares: &[usize]) {
        for &square in squares {
            draft.free = std::mem::take(&mut draft.free).with(self.layer(square), &[EMPTY]);
        }
    }

    pub(super) fn add(&self, graph: &mut MoveGraph, side: Side, draft: Draft) -> Result<()> {
        let mut step = Step::identity();
        for (square, pairs) in &draft.squares {
            step = step.change_any(self.layer(*square), pairs);
        }
        if let Some((from, to)) = draft.king {
            step = step.change(self.layout.layer(side.index()), from, to);
        }
        graph.add(step.when(draft.free)).map(|_| ())
    }

    pub(super) fn piece_steps(&self, graph: &mut MoveGraph, man: Man) -> Result<()> {
        for Way { from, to, over } in ways(self.grid, man.kind) {
            let mut draft = self.draft(man.side);
            if man.kind == Kind::King {
                draft.king = Some((from as Letter, to as Letter));
                self.lose_rights(&mut draft, man.side);
            }
            self.leave(&mut draft, from, man);
            let entered = self.takeable(to, man.side.other()).into_iter().chain([EMPTY]);
            draft.squares.insert(to, entered.map(|before| (before, letter(man))).collect());
            self.over(&mut draft, &over);
            self.add(graph, man.side, draft)?;
        }
        Ok(())
    }

    fn lose_rights(&self, draft: &mut Draft, side: Side) {
        for (corner, ..) in CASTLING {
            let square = self.home(side, corner);
            draft.squares.insert(square, self.plain(square));
        }
    }

    fn home(&self, side: Side, file: usize) -> usize {
        self.grid.cell(file, if side == Side::P1 { 0 } else { EDGE - 1 })
    }

    /// Adds the step of a pawn along `way` to a square that holds one of `before`. On the last rank, the pawn is promoted.
    fn pawn_step(&self, graph: &mut MoveGraph, side: Side, way: &Way, before: &[Letter]) -> Result<()> {
        let last = [0, EDGE - 1].contains(&self.grid.rank(way.to));
        let becomes: Vec<Kind> = if last { PROMOTED.to_vec() } else { vec![Kind::Pawn] };
        for kind in becomes {
            let mut draft = self.draft(side);
            self.leave(&mut draft, way.from, Man { side, kind: Kind::Pawn });
            let after = letter(Man { side, kind });
            draft.squares.insert(way.to, before.iter().map(|&before| (before, after)).collect());
            self.add(graph, side, draft)?;
        }
        Ok(())
    }

    /// Adds the step of a pawn that advances two ranks. If a pawn of the opponent stands beside it, it may then be
    /// captured en passant.
    fn double_step(&self, graph: &mut MoveGraph, side: Side, way: &Way) -> Result<()> {
        let pawn = Man { side, kind: Kind::Pawn };
        let opposing = letter(Man { side: side.other(), kind: Kind::Pawn });
        let file = self.grid.file(way.to);
        let left = file.checked_sub(1).map(|_| way.to - 1);
        let beside: Vec<usize> = left.into_iter().chain((file + 1 < EDGE).then_some(way.to + 1)).collect();
        let alone = |square: usize| -> Vec<Letter> {
            self.unchanged(square)
                .into_iter()
                .map(|pair| pair.0)
                .filter(|&letter| letter != opposing)
                .collect()
        };
        let mut start = self.draft(side);
        self.leave(&mut start, way.from, pawn);
        self.over(&mut start, &way.over);
        for &square in &beside {
            let mut draft = start.clone();
            draft.squares.insert(way.to, vec![(EMPTY, SPECIAL)]);
            draft.free = draft.free.with(self.layer(square), &[opposing]);
            self.add(graph, side, draft)?;
        }
        start.squares.insert(way.to, vec![(EMPTY, letter(pawn))]);
        for square in beside {
            start.free = start.free.with(self.layer(square), &alone(square));
        }
        self.add(graph, side, start)
    }

    /// Adds the captures en passant and no other steps.
    pub(super) fn passing_steps(&self, graph: &mut MoveGraph, side: Side) -> Result<()> {
        let pawn = Man { side, kind: Kind::Pawn };
        for way in pawn_ways(self.grid, side).captures {
            let passed = self.grid.cell(self.grid.file(way.to), self.grid.rank(way.from));
            if self.passing(side.other()).all(|square| square != passed) {
                continue;
            }
            let mut draft = self.draft(side);
            self.leave(&mut draft, way.from, pawn);
            draft.squares.insert(passed, vec![(SPECIAL, EMPTY)]);
            draft.squares.insert(way.to, vec![(EMPTY, letter(pawn))]);
            self.add(graph, side, draft)?;
        }
        Ok(())
    }

    pub(super) fn pawn_steps(&self, graph: &mut MoveGraph, side: Side) -> Result<()> {
        let PawnWays { single, double, captures } = pawn_ways(self.grid, side);
        for way in &single {
            self.pawn_step(graph, side, way, &[EMPTY])?;
        }
        for way in &double {
            self.double_step(graph, side, way)?;
        }
        for way in &captures {
            self.pawn_step(graph, side, way, &self.takeable(way.to, side.other()))?;
        }
        self.passing_steps(graph, side)
    }

    pub(super) fn castling_steps(&self, graph: &mut MoveGraph, store: &mut Store, side: Side) -> Result<()> {
        let king = Man { side, kind: Kind::King };
        let rook = Man { side, kind: Kind::Rook };
        for (corner, goal, between) in CASTLING {
            let [from, to, through, corner] =
                [4, goal, (4 + goal) / 2, corner].map(|file| self.home(side, file));
            let mut draft = self.draft(side);
            draft.king = Some((from as Letter, to as Letter));
            self.lose_rights(&mut draft, side);
            draft.squares.insert(corner, vec![(SPECIAL, EMPTY)]);
            draft.squares.insert(from, vec![(letter(king), EMPTY)]);
            draft.squares.insert(to, vec![(EMPTY, letter(king))]);
            draft.squares.insert(through, vec![(EMPTY, letter(rook))]);
            let others: Vec<usize> = between.iter().map(|&file| self.home(side, file)).collect();
            self.over(&mut draft, &others);
            draft.free = draft.free.within(self.unattacked(store, side, &[from, through])?);
            self.add(graph, side, draft)?;
        }
        Ok(())
    }
}
