//! Sectors of morris games solved as sets: all positions with given numbers of stones on the board and none in hand, by images of
//! whole sets under three relations a side: moves that close no mill, moves that do, captures.
//!
//! For stones (a, b) of P1 and P2, side p to move, q the other, and C the stones after p has taken one:
//!
//! ```text
//! W[p][d] = U ∩ preimage_p(L[q][d-1] ∪ L_C[q][d-1]) \ W[p][<d]
//! L[p][d] = K \ preimage_p(((U ∪ U_C) \ W[q][<d]) \ W_C[q][<d])    K = U ∩ preimage_p(W[q][d-1] ∪ W_C[q][d-1]) \ W[p][<d] \ L[p][<d]
//! L[p][0] = U \ preimage_p(everything)
//! ```
//! U being the words with these numbers of stones. Here sets are by exact depth, not cumulative (paper 004, section 2).
//!
//! Invariant: a sector is solved from those with a stone less, found the same way; nothing explicit is looked at.

use std::collections::BTreeMap;
use std::sync::Arc;

use nerode_dfa::{Dfa, Direction, Image, PassMoves, Passes};
use nerode_games::morris::rules::FEWEST_STONES;
use nerode_games::morris::{Rules, rules_of, sector_moves};
use nerode_games::{Game, Position, Side};

use crate::error::{Error, Result};
use crate::rules::Resources;
use crate::sectors::SectorTable;
use crate::verify::Report;

/// Stones of P1 and of P2, all on the board.
pub type Stones = [u8; 2];

/// Positions of a sector by depth, for either side to move.
#[derive(Debug)]
pub struct SectorSets {
    /// How many stones.
    pub stones: Stones,
    /// `by_depth[p][d]`: positions with p to move that end in d plies, won where d is odd, lost where it is even.
    pub by_depth: [Vec<Dfa>; 2],
    /// All positions of the sector.
    pub all: Dfa,
}

/// A sector that was solved, see [`SectorSets`].
struct Solved {
    all: Dfa,
    by_depth: [Vec<Dfa>; 2],
    empty: Dfa,
}

impl Solved {
    fn at(&self, side: Side, depth: usize) -> &Dfa {
        self.by_depth[side.index()].get(depth).unwrap_or(&self.empty)
    }

    /// How many depths there are.
    fn depths(&self) -> usize {
        self.by_depth[0].len().max(self.by_depth[1].len())
    }
}

/// Moves of a side that flies or does not, compiled.
struct Relations {
    quiet: PassMoves,
    closing: PassMoves,
    captures: PassMoves,
}

/// Solves sectors of one game.
pub struct SectorSolver {
    game: Arc<dyn Game>,
    rules: Rules,
    passes: Passes,
    /// By side and whether it flies.
    relations: BTreeMap<(Side, bool), Relations>,
    solved: BTreeMap<Stones, Solved>,
}

impl SectorSolver {
    /// For sectors of the game of the family `morris` that `spec` names.
    ///
    /// # Errors
    /// A spec that is none; no threads.
    pub fn new(spec: &str, resources: &Resources) -> Result<Self> {
        let (game, rules) = rules_of(spec)?;
        let mut passes = Passes::new(resources.memory, resources.threads)?;
        passes.set_interrupt(Arc::clone(&resources.interrupt));
        Ok(Self { game, rules, passes, relations: BTreeMap::new(), solved: BTreeMap::new() })
    }

    /// The game.
    pub fn game(&self) -> &dyn Game {
        self.game.as_ref()
    }

    /// Solves the sector with `stones` and those that it depends on, each once.
    ///
    /// *Cost*: for each depth and side three passes over what is new at it; twice where losses are found.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for fewer than three stones of a side or more than the game has; running out of memory;
    /// interruption.
    pub fn solve(&mut self, stones: Stones) -> Result<SectorSets> {
        let most = self.rules.stones;
        let fits = stones.iter().zip(&most).all(|(n, most)| (FEWEST_STONES..=*most).contains(n));
        if !fits {
            return Err(Error::Unsupported(format!(
                "{} against {} stones: {} has sectors of {FEWEST_STONES} to {} and to {} placed stones",
                stones[0],
                stones[1],
                self.game.spec(),
                most[0],
                most[1]
            )));
        }
        for first in FEWEST_STONES..=stones[0] {
            for second in FEWEST_STONES..=stones[1] {
                if !self.solved.contains_key(&[first, second]) {
                    let solved = self.solve_one([first, second])?;
                    self.solved.insert([first, second], solved);
                }
            }
        }
        match self.solved.get(&stones) {
            Some(Solved { all, by_depth, .. }) => {
                Ok(SectorSets { stones, by_depth: by_depth.clone(), all: all.clone() })
            }
            None => Err(Error::Unsupported("a sector that was solved is gone".into())),
        }
    }

    /// `{ w : P1 and P2 have that many stones on the points and none in hand }`
    fn all(&self, stones: Stones) -> Result<Dfa> {
        let (cells, num_points) = (self.game.cell_of_layer(), self.rules.board.num_points());
        let on_points = |layer: &usize| cells[*layer] < num_points;
        let points: Vec<usize> = (0..cells.len()).filter(on_points).collect();
        let hands = (0..cells.len()).filter(|layer| !on_points(layer)).map(|layer| (layer, vec![0]));
        let shape = self.game.shape();
        let count = |letter, n: u8| Dfa::letter_count(shape, letter, &points, n.into()..=n.into());
        let parts =
            [Dfa::cube(shape, &hands.collect::<Vec<_>>())?, count(1, stones[0])?, count(2, stones[1])?];
        Ok(self.passes.combine(&[&parts[0], &parts[1], &parts[2]], |x| x[0] && x[1] && x[2])?)
    }

    /// The sector after `side` has taken a stone, where the other side has lost.
    fn lost(&self, stones: Stones, side: Side) -> Result<Solved> {
        let mut child = stones;
        child[side.other().index()] -= 1;
        let all = self.all(child)?;
        let mut by_depth = [Vec::new(), Vec::new()];
        by_depth[side.other().index()].push(all.clone());
        Ok(Solved { empty: Dfa::empty(all.shape()), all, by_depth })
    }

    fn solve_one(&mut self, stones: Stones) -> Result<Solved> {
        for side in Side::BOTH {
            self.compile(side, self.rules.flies(stones[side.index()], 0))?;
        }
        let fewer = |side: Side| {
            let mut child = stones;
            child[side.other().index()] -= 1;
            child
        };
        let (first, second) = (fewer(Side::P1), fewer(Side::P2));
        let ended = [self.lost(stones, Side::P1)?, self.lost(stones, Side::P2)?];
        let children =
            [self.solved.get(&first).unwrap_or(&ended[0]), self.solved.get(&second).unwrap_or(&ended[1])];
        self.iterate(stones, children)
    }

    fn compile(&mut self, side: Side, flies: bool) -> Result<()> {
        if self.relations.contains_key(&(side, flies)) {
            return Ok(());
        }
        let moves = sector_moves(&self.game.spec(), side, flies)?;
        let compiled = Relations {
            quiet: PassMoves::new(&moves.quiet)?,
            closing: PassMoves::new(&moves.closing)?,
            captures: PassMoves::new(&moves.captures)?,
        };
        self.relations.insert((side, flies), compiled);
        Ok(())
    }

    /// `{ w : f(w has a turn of side into here, the stones as they are, or into child, after a capture, [w in set for each of sides]) }`
    fn preimage(
        &self,
        (side, stones): (Side, Stones),
        here: &Dfa,
        child: &Dfa,
        sides: &[&Dfa],
        f: impl Fn(bool, &[bool]) -> bool,
    ) -> Result<Dfa> {
        let flies = self.rules.flies(stones[side.index()], 0);
        let Some(relations) = self.relations.get(&(side, flies)) else {
            return Err(Error::Unsupported("moves that were compiled are gone".into()));
        };
        let back = |set, moves| Image { set, complement: false, moves, direction: Direction::Backward };
        // What is no capture of these comes from a mill closed for nothing.
        let both = self.passes.combine(&[here, child], |x| x[0] || x[1])?;
        let taking = self.passes.image(back(&both, &relations.captures), &[], |x, _| x)?;
        let closing = self.passes.image(back(&taking, &relations.closing), &[], |x, _| x)?;
        let all: Vec<&Dfa> = std::iter::once(&closing).chain(sides.iter().copied()).collect();
        Ok(self.passes.image(back(here, &relations.quiet), &all, |x, s| f(x || s[0], &s[1..]))?)
    }

    /// The iteration over depths; `children[p]` is where a capture of p leads.
    fn iterate(&self, stones: Stones, children: [&Solved; 2]) -> Result<Solved> {
        let all = self.all(stones)?;
        let (empty, full) = (Dfa::empty(all.shape()), Dfa::full(all.shape()));
        let stuck = |side| self.preimage((side, stones), &full, &full, &[&all], |x, s| s[0] && !x);
        let stuck = [stuck(Side::P1)?, stuck(Side::P2)?];
        let mut won = [empty.clone(), empty.clone()];
        let mut child_won = won.clone();
        let mut lost = stuck.clone();
        let mut this =
            Solved { all: all.clone(), by_depth: stuck.map(|set| vec![set]), empty: empty.clone() };
        // Something may be found at a depth if something ends a ply sooner, here or after a capture.
        let mut last = children[0].depths().max(children[1].depths()).max(1);
        let mut depth = 0;
        while depth < last {
            depth += 1;
            let mut found = [empty.clone(), empty.clone()];
            for side in Side::BOTH {
                let (p, q, child) = (side.index(), side.other().index(), children[side.index()]);
                let (here, there) = (this.at(side.other(), depth - 1), child.at(side.other(), depth - 1));
                if depth % 2 == 0 {
                    child_won[p] = self.passes.combine(&[&child_won[p], there], |x| x[0] || x[1])?;
                }
                if here.is_empty() && there.is_empty() {
                    continue;
                }
                let sides = [&all, &won[p], &lost[p]];
                let new = |x: bool, s: &[bool]| x && s[0] && !s[1] && !s[2];
                found[p] = self.preimage((side, stones), here, there, &sides, new)?;
                if depth % 2 == 0 && !found[p].is_empty() {
                    let here = self.passes.combine(&[&all, &won[q]], |x| x[0] && !x[1])?;
                    let there = self.passes.combine(&[&child.all, &child_won[p]], |x| x[0] && !x[1])?;
                    let candidates = found[p].clone();
                    let held = |x: bool, s: &[bool]| s[0] && !x;
                    found[p] = self.preimage((side, stones), &here, &there, &[&candidates], held)?;
                }
            }
            for (p, new) in found.into_iter().enumerate() {
                let so_far = if depth % 2 == 1 { &mut won[p] } else { &mut lost[p] };
                *so_far = self.passes.combine(&[so_far, &new], |x| x[0] || x[1])?;
                if !new.is_empty() {
                    last = last.max(depth + 1);
                }
                this.by_depth[p].push(new);
            }
        }
        for depths in &mut this.by_depth {
            while depths.last().is_some_and(Dfa::is_empty) {
                depths.pop();
            }
        }
        Ok(this)
    }
}

/// Compares sets with the table of the same sector, seen by `side`, on every position: each of the table's, with all its images
/// under the symmetries, is in the set of its depth, and the sets have no other positions.
///
/// *Cost*: a look-up for each image of each decided position.
///
/// # Errors
/// Counts beyond 128 bits.
pub fn compare(game: &dyn Game, sets: &SectorSets, side: Side, table: &SectorTable) -> Result<Report> {
    let mut report = Report::default();
    let by_depth = &sets.by_depth[side.index()];
    let symmetries = table.index.symmetries();
    let mut expected = vec![0u128; by_depth.len()];
    let (mut positions, mut board) = (0u128, game.start().0);
    for slot in (0..table.index.num_slots()).filter(|&slot| table.index.hole(slot).is_none()) {
        let state = table.state(slot);
        let images =
            symmetries.len() as u128 / u128::from(table.index.num_stabilisers(state.own, state.other));
        positions += images;
        let Some(depth) = table.depth_at(slot).map(usize::from) else { continue };
        if let Some(expected) = expected.get_mut(depth) {
            *expected += images;
        }
        for op in 0..symmetries.len() as u8 {
            let (own, other) = (symmetries.apply(op, state.own), symmetries.apply(op, state.other));
            let stones = if side == Side::P1 { [own, other] } else { [other, own] };
            for (point, cell) in board.iter_mut().enumerate() {
                let on = |set: u32| point < 32 && set >> point & 1 == 1;
                *cell = u8::from(on(stones[0])) + 2 * u8::from(on(stones[1]));
            }
            let word = game.word_of(&board);
            let there = by_depth.get(depth).is_some_and(|set| set.contains(&word));
            report.wrong(u128::from(!there), || {
                format!(
                    "{}: not in the set of depth {depth}",
                    game.format_position(&Position { board: board.clone(), side })
                )
            });
        }
    }
    report.checked = positions;
    let mut check = |found: u128, expected: u128, what: String| {
        report.wrong(found.abs_diff(expected), || {
            format!("{found} positions {what} in sets, {expected} in the table")
        });
    };
    check(sets.all.count()?, positions, "in all".into());
    for (depth, (set, expected)) in by_depth.iter().zip(expected).enumerate() {
        check(set.count()?, expected, format!("of depth {depth}"));
    }
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sectors::{IndexMaker, Known, plan, solve_unit};
    use std::sync::atomic::AtomicBool;

    /// Sectors of small games, flying or not, with and without protection, and both sides' views: equal to the tables, and unequal
    /// to tables with one value changed.
    #[test]
    fn sets_and_tables_agree_on_every_position() {
        let never = AtomicBool::new(false);
        let mut planted = 0;
        for (spec, stones) in [
            ("morris:six", [4, 4]),
            ("morris:six,fly=yes", [3, 4]),
            ("morris:six,capture=protected", [4, 3]),
            ("morris:three", [3, 3]),
        ] {
            let (_, rules) = rules_of(spec).unwrap();
            let maker = IndexMaker::new(&rules.board);
            let root = format!("{}-{}-0-0", stones[0], stones[1]).parse().unwrap();
            let mut known = Known::new();
            for unit in plan(&rules, &[root]).unwrap() {
                let tables = solve_unit(&rules, &unit, &maker, &known, &never).unwrap();
                known.extend(tables.into_iter().map(|table| (table.sector, Arc::new(table))));
            }
            let resources = Resources { threads: 2, ..Resources::default() };
            let mut solver = SectorSolver::new(spec, &resources).unwrap();
            let sets = solver.solve(stones).unwrap();
            for (side, sector) in [(Side::P1, root), (Side::P2, root.mirrored())] {
                let table = &known[&sector];
                let report = compare(solver.game(), &sets, side, table).unwrap();
                assert_eq!(report.mismatches, 0, "{spec} {side}: {:?}", report.first_mismatch);
                assert!(report.checked > u128::from(table.counts().num_positions));
                // Some sectors are all draws.
                let mut slots = 0..table.index.num_slots();
                let Some(slot) = slots.find(|&slot| table.depth_at(slot).is_some()) else { continue };
                planted += 1;
                let right = table.codes.get(slot);
                table.codes.set(slot, table.codes.width().open());
                assert!(compare(solver.game(), &sets, side, table).unwrap().mismatches > 0, "{spec}");
                table.codes.set(slot, right + 2);
                assert!(compare(solver.game(), &sets, side, table).unwrap().mismatches > 0, "{spec}");
                table.codes.set(slot, right);
            }
        }
        assert!(planted > 4, "{planted} sectors with wins or losses");
        assert!(SectorSolver::new("morris:six", &Resources::default()).unwrap().solve([7, 3]).is_err());
    }
}
