//! The game from its start as sets: each way of a man as one step, which also ends what the opponent's last move allowed.
//!
//! That a king is left attacked shows in the words that a step leads to, and those are not among the arrivals.

use std::collections::BTreeMap;

use nerode_dfa::{Condition, Dfa, Letter, MoveGraph, Set, Shape, Step, Store};

use super::{EDGE, EMPTY, KINGS, SPECIAL, SQUARES, Start, letter, special};
use crate::rules::chess::fen::SYMBOLS;
use crate::rules::chess::geometry::{PawnWays, Way, pawn_ways, ways};
use crate::rules::chess::men::{Kind, Man};
use crate::side::{Side, Value};
use crate::symbolic::{LayerInfo, SymbolicGame, Terminal};

/// What a pawn becomes on the last rank.
const PROMOTED: [Kind; 4] = [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen];
const PIECES: [Kind; 5] = [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen, Kind::King];
/// Files of the king's corner, of its goal and of what must be empty between, for castling on each wing.
const CASTLING: [(usize, usize, &[usize]); 2] = [(7, 6, &[5, 6]), (0, 2, &[1, 2, 3])];

/// Letters rewritten by square, and what the squares and kings must hold beside.
#[derive(Clone, Default)]
struct Draft {
    squares: BTreeMap<usize, Vec<(Letter, Letter)>>,
    king: Option<(Letter, Letter)>,
    free: Condition,
}

impl Start {
    fn layer(&self, square: usize) -> usize {
        self.layout.layer(square + KINGS)
    }

    /// Letters that mean `man` on `square`.
    fn forms(&self, square: usize, man: Man) -> Vec<Letter> {
        let with_right = (special(self.grid, square) == Some(man)).then_some(SPECIAL);
        std::iter::once(letter(man)).chain(with_right).collect()
    }

    /// Letters on `square` of men of `side` that can be taken.
    fn takeable(&self, square: usize, side: Side) -> Vec<Letter> {
        let kinds = PIECES.into_iter().filter(|kind| *kind != Kind::King).chain([Kind::Pawn]);
        kinds.flat_map(|kind| self.forms(square, Man { side, kind })).collect()
    }

    fn unchanged(&self, square: usize) -> Vec<(Letter, Letter)> {
        (0..self.cell_states[square + KINGS] as Letter).map(|letter| (letter, letter)).collect()
    }

    /// Pairs that take away what [`SPECIAL`] means on `square`.
    fn plain(&self, square: usize) -> Vec<(Letter, Letter)> {
        let ordinary = special(self.grid, square).map_or(SPECIAL, letter);
        let pairs = self.unchanged(square).into_iter();
        pairs.map(|(before, _)| (before, if before == SPECIAL { ordinary } else { before })).collect()
    }

    fn rank(&self, rank: usize) -> impl Iterator<Item = usize> {
        (0..EDGE).map(move |file| rank * EDGE + file)
    }

    /// Squares of pawns of `side` that have gone two ranks.
    fn passing(&self, side: Side) -> impl Iterator<Item = usize> {
        self.rank(if side == Side::P1 { 3 } else { 4 })
    }

    /// What every move of `side` does: pawns of the opponent can no longer be taken en passant.
    fn draft(&self, side: Side) -> Draft {
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

    fn add(&self, graph: &mut MoveGraph, side: Side, draft: Draft) -> nerode_dfa::Result<()> {
        let mut step = Step::identity();
        for (square, pairs) in &draft.squares {
            step = step.change_any(self.layer(*square), pairs);
        }
        if let Some((from, to)) = draft.king {
            step = step.change(self.layout.layer(side.index()), from, to);
        }
        graph.add(step.when(draft.free)).map(|_| ())
    }

    fn piece_steps(&self, graph: &mut MoveGraph, man: Man) -> nerode_dfa::Result<()> {
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

    /// Pawn steps that end with one of `becomes`, from squares that hold `before` at the end of `way`.
    fn pawn_step(
        &self,
        graph: &mut MoveGraph,
        side: Side,
        way: &Way,
        before: &[Letter],
    ) -> nerode_dfa::Result<()> {
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

    /// Two ranks ahead: beside a pawn of the opponent, one that may be taken en passant.
    fn double_step(&self, graph: &mut MoveGraph, side: Side, way: &Way) -> nerode_dfa::Result<()> {
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

    /// Captures en passant, and nothing else.
    fn passing_steps(&self, graph: &mut MoveGraph, side: Side) -> nerode_dfa::Result<()> {
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

    fn pawn_steps(&self, graph: &mut MoveGraph, side: Side) -> nerode_dfa::Result<()> {
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

    fn castling_steps(&self, graph: &mut MoveGraph, side: Side) -> nerode_dfa::Result<()> {
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
            draft.free = draft.free.within(self.unattacked(side, &[from, through])?);
            self.add(graph, side, draft)?;
        }
        Ok(())
    }

    /// Words in which the opponent of `side` attacks none of `squares`.
    fn unattacked(&self, side: Side, squares: &[usize]) -> nerode_dfa::Result<Dfa> {
        let mut store = Store::unbounded(self.shape.clone());
        let attacks: nerode_dfa::Result<Vec<Set>> =
            squares.iter().map(|&square| self.attacks(&mut store, side.other(), square)).collect();
        let any = store.union_all(&attacks?)?;
        let none = store.complement(&any)?;
        Ok(store.freeze(&none))
    }

    /// Words in which a man of `by` attacks `square`.
    fn attacks(&self, store: &mut Store, by: Side, square: usize) -> nerode_dfa::Result<Set> {
        let mut cubes = Vec::new();
        for kind in PIECES.into_iter().chain([Kind::Pawn]) {
            let all = match kind {
                Kind::Pawn => pawn_attacks(self, by),
                kind => ways(self.grid, kind),
            };
            for way in all.iter().filter(|way| way.to == square) {
                let mut cube = vec![(self.layer(way.from), self.forms(way.from, Man { side: by, kind }))];
                cube.extend(way.over.iter().map(|&over| (self.layer(over), vec![EMPTY])));
                cubes.push(store.cube(&cube)?);
            }
        }
        store.union_all(&cubes)
    }
}

/// What pawns attack: as they take, and from the first and last rank too, where none ever stands.
fn pawn_attacks(game: &Start, by: Side) -> Vec<Way> {
    let mut all = pawn_ways(game.grid, by).captures;
    let from_edge = game.rank(if by == Side::P1 { 0 } else { EDGE - 1 });
    let ahead = |square: usize| if by == Side::P1 { square + EDGE } else { square - EDGE };
    for from in from_edge {
        let (file, to) = (game.grid.file(from), ahead(from));
        let aslant = [(file > 0).then(|| to - 1), (file + 1 < EDGE).then(|| to + 1)];
        all.extend(aslant.into_iter().flatten().map(|to| Way { from, to, over: Vec::new() }));
    }
    all
}

impl SymbolicGame for Start {
    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn layers(&self) -> Vec<LayerInfo> {
        let info = |&cell: &usize| {
            let Some(square) = cell.checked_sub(KINGS) else {
                let label = ["K", "k"][cell].to_string();
                return LayerInfo {
                    label,
                    letters: (0..SQUARES).map(|square| self.grid.square(square)).collect(),
                };
            };
            let mut letters: Vec<String> = SYMBOLS.iter().map(char::to_string).collect();
            letters.extend(special(self.grid, square).map(|man| format!("{}+", man.symbol())));
            LayerInfo { label: self.grid.square(square), letters }
        };
        self.layout.cells().iter().map(info).collect()
    }

    fn cell_of_layer(&self) -> &[usize] {
        self.layout.cells()
    }

    /// No game ends but for lack of moves.
    fn terminal(&self, store: &mut Store, _side: Side) -> nerode_dfa::Result<Terminal> {
        Ok(Terminal { win: store.empty(), loss: store.empty(), draw: store.empty() })
    }

    fn no_move_value(&self) -> Value {
        Value::Draw
    }

    /// Without a legal move and in check: mate.
    fn no_move(&self, store: &mut Store, side: Side) -> nerode_dfa::Result<Option<Terminal>> {
        let mut checks = Vec::new();
        for square in 0..SQUARES {
            let here = store.fixed(self.layout.layer(side.index()), square as Letter)?;
            let attacked = self.attacks(store, side.other(), square)?;
            checks.push(store.intersection(&here, &attacked)?);
        }
        let loss = store.union_all(&checks)?;
        Ok(Some(Terminal { win: store.empty(), loss, draw: store.empty() }))
    }

    /// The king that has moved is where its cell says and not attacked.
    fn arrivals(&self, store: &mut Store, side: Side) -> nerode_dfa::Result<Option<Set>> {
        let king = letter(Man { side, kind: Kind::King });
        let mut safe = Vec::new();
        for square in 0..SQUARES {
            let cell = self.layout.layer(side.index());
            let here = store.cube(&[(cell, vec![square as Letter]), (self.layer(square), vec![king])])?;
            let attacked = self.attacks(store, side.other(), square)?;
            safe.push(store.difference(&here, &attacked)?);
        }
        store.union_all(&safe).map(Some)
    }

    fn forward_only(&self) -> bool {
        true
    }

    /// A pawn that may be taken en passant by no legal move is a pawn like others.
    fn canonical_for_counting(
        &self,
        store: &mut Store,
        side: Side,
        set: &Dfa,
    ) -> nerode_dfa::Result<Option<Set>> {
        let mut marked = Vec::new();
        for square in self.passing(side.other()) {
            marked.push(store.fixed(self.layer(square), SPECIAL)?);
        }
        let any = store.union_all(&marked)?;
        let set = store.import(set)?;
        let marked = store.intersection(&set, &any)?;
        let mut captures = MoveGraph::new(self.shape.clone());
        self.passing_steps(&mut captures, side)?;
        let captures = store.relation(&captures)?;
        let mut forget = MoveGraph::new(self.shape.clone());
        self.add(&mut forget, side, self.draft(side))?;
        let forget = store.relation(&forget)?;
        let arrivals = self.arrivals(store, side)?.unwrap_or_else(|| store.full());
        let taken = store.image(&marked, &captures)?;
        let legal = store.intersection(&taken, &arrivals)?;
        let before = store.preimage(&legal, &captures)?;
        let rest = store.difference(&marked, &before)?;
        let forgotten = store.image(&rest, &forget)?;
        let kept = store.difference(&set, &rest)?;
        store.union(&kept, &forgotten).map(Some)
    }

    fn moves(&self, side: Side) -> nerode_dfa::Result<MoveGraph> {
        let mut graph = MoveGraph::new(self.shape.clone());
        self.pawn_steps(&mut graph, side)?;
        for kind in PIECES {
            self.piece_steps(&mut graph, Man { side, kind })?;
        }
        self.castling_steps(&mut graph, side)?;
        Ok(graph)
    }
}
