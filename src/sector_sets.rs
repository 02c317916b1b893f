//! Sectors of morris games solved as sets: all positions with given numbers of stones on the board and none in hand, by images of
//! whole sets under one relation a side.
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

use nerode_dfa::{Dfa, Set};
use nerode_games::morris::rules::FEWEST_STONES;
use nerode_games::{Game, Side};

use crate::error::{Error, Result};
use crate::rules::{Resources, Rules};
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

/// A sector in the store.
struct Solved {
    all: Set,
    /// By side to move, then depth.
    by_depth: [Vec<Set>; 2],
    /// Union of the wins found so far, by side to move.
    won: [Set; 2],
}

impl Solved {
    fn at(&self, side: Side, depth: usize) -> Option<&Set> {
        self.by_depth[side.index()].get(depth)
    }
}

/// Solves sectors of one game.
pub struct SectorSolver {
    game: Arc<dyn Game>,
    rules: Rules,
    num_points: usize,
    solved: BTreeMap<Stones, Solved>,
}

impl SectorSolver {
    /// For sectors of `game`, of the family `morris`, whose board has `num_points` points.
    ///
    /// # Errors
    /// Running out of memory.
    pub fn new(game: Arc<dyn Game>, num_points: usize, resources: &Resources) -> Result<Self> {
        let rules = Rules::new(Arc::clone(&game), resources)?;
        Ok(Self { game, rules, num_points, solved: BTreeMap::new() })
    }

    /// Bytes of tables in memory.
    pub fn bytes(&self) -> u64 {
        self.rules.store.bytes()
    }

    /// Solves the sector with `stones` and those that it depends on, each once.
    ///
    /// *Cost*: for each depth an image of what is new at it, for either side; twice where losses are found.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for fewer than three stones of a side or more than the game has; running out of memory;
    /// interruption.
    pub fn solve(&mut self, stones: Stones) -> Result<SectorSets> {
        let (start, _) = self.game.start();
        let most = &start[self.num_points..];
        let fits = stones.iter().zip(most).all(|(n, most)| (FEWEST_STONES..=*most).contains(n));
        if !fits {
            return Err(Error::Unsupported(format!(
                "{} against {} stones: sets are solved for {FEWEST_STONES} to {} and to {} stones in {}; more need more in \
                 hand at the start, as stones=A-B says",
                stones[0],
                stones[1],
                most[0],
                most[1],
                self.game.spec()
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
        let store = &self.rules.store;
        let Some(solved) = self.solved.get(&stones) else {
            return Err(Error::Unsupported("a sector that was solved is gone".into()));
        };
        let freeze = |sets: &Vec<Set>| sets.iter().map(|set| store.freeze(set)).collect();
        let by_depth = [freeze(&solved.by_depth[0]), freeze(&solved.by_depth[1])];
        Ok(SectorSets { stones, by_depth, all: store.freeze(&solved.all) })
    }

    /// `{ w : P1 and P2 have that many stones on the points and none in hand }`
    fn all(&mut self, stones: Stones) -> Result<Set> {
        let cells = self.game.cell_of_layer().to_vec();
        let points: Vec<usize> = (0..cells.len()).filter(|&layer| cells[layer] < self.num_points).collect();
        let store = &mut self.rules.store;
        let empty_hands: Vec<(usize, Vec<u8>)> =
            (0..cells.len()).filter(|layer| !points.contains(layer)).map(|layer| (layer, vec![0])).collect();
        let mut sets = vec![store.cube(&empty_hands)?];
        for (letter, n) in [(1, stones[0]), (2, stones[1])] {
            sets.push(store.letter_count(letter, &points, usize::from(n)..=usize::from(n))?);
        }
        Ok(store.intersection_all(&sets)?)
    }

    /// The sector after `side` has taken a stone: solved before, or one where the other side has lost.
    fn take_child(&mut self, stones: Stones, side: Side) -> Result<(Stones, Solved)> {
        let mut child = stones;
        child[side.other().index()] -= 1;
        if let Some(solved) = self.solved.remove(&child) {
            return Ok((child, solved));
        }
        let (all, empty) = (self.all(child)?, self.rules.store.empty());
        let lost = vec![all.clone()];
        let by_depth = match side.other() {
            Side::P1 => [lost, Vec::new()],
            Side::P2 => [Vec::new(), lost],
        };
        Ok((child, Solved { all, by_depth, won: [empty.clone(), empty] }))
    }

    fn solve_one(&mut self, stones: Stones) -> Result<Solved> {
        let first = self.take_child(stones, Side::P1)?;
        let second = self.take_child(stones, Side::P2)?;
        let solved = self.iterate(stones, [&first.1, &second.1]);
        for (child, known) in [first, second] {
            if child.iter().all(|&n| n >= FEWEST_STONES) {
                self.solved.insert(child, known);
            }
        }
        solved
    }

    /// The iteration over depths; `children[p]` is where a capture of p leads.
    fn iterate(&mut self, stones: Stones, children: [&Solved; 2]) -> Result<Solved> {
        let all = self.all(stones)?;
        let empty = self.rules.store.empty();
        let full = self.rules.store.full();
        let mut this = Solved {
            all: all.clone(),
            by_depth: [Vec::new(), Vec::new()],
            won: [empty.clone(), empty.clone()],
        };
        let mut lost = [empty.clone(), empty.clone()];
        let mut child_won = [empty.clone(), empty.clone()];
        for side in Side::BOTH {
            let can_move = self.rules.preimage(&full, side)?;
            let stuck = self.rules.store.difference(&all, &can_move)?;
            lost[side.index()] = stuck.clone();
            this.by_depth[side.index()].push(stuck);
        }
        // Something may be found at a depth if something ends a ply sooner, here or after a capture.
        let reached = |solved: &Solved| solved.by_depth.iter().map(Vec::len).max().unwrap_or(0);
        let mut last = reached(children[0]).max(reached(children[1])).max(1);
        let mut depth = 0;
        while depth < last {
            depth += 1;
            let mut found = [empty.clone(), empty.clone()];
            for side in Side::BOTH {
                let (p, q) = (side.index(), side.other().index());
                let child = children[p];
                let mut ending = Vec::new();
                ending.extend(this.at(side.other(), depth - 1).cloned());
                ending.extend(child.at(side.other(), depth - 1).cloned());
                let ending = self.rules.store.union_all(&ending)?;
                if depth % 2 == 0 {
                    child_won[p] = self.rules.store.union(&child_won[p], &ending)?;
                }
                if ending.is_empty() {
                    continue;
                }
                let origins = self.rules.preimage(&ending, side)?;
                let sets = [origins, all.clone(), this.won[p].clone(), lost[p].clone()];
                let new = self.rules.store.combine(&sets, |x| x[0] && x[1] && !x[2] && !x[3])?;
                found[p] = if depth % 2 == 1 || new.is_empty() {
                    new
                } else {
                    let sets = [all.clone(), child.all.clone(), this.won[q].clone(), child_won[p].clone()];
                    let escapes = self.rules.store.combine(&sets, |x| (x[0] || x[1]) && !x[2] && !x[3])?;
                    let escaping = self.rules.preimage(&escapes, side)?;
                    self.rules.store.difference(&new, &escaping)?
                };
            }
            for (p, new) in found.into_iter().enumerate() {
                let so_far = if depth % 2 == 1 { &mut this.won[p] } else { &mut lost[p] };
                *so_far = self.rules.store.union(so_far, &new)?;
                if !new.is_empty() {
                    last = last.max(depth + 1);
                }
                this.by_depth[p].push(new);
            }
        }
        for depths in &mut this.by_depth {
            while depths.last().is_some_and(Set::is_empty) {
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
                    game.format_position(&nerode_games::Position { board: board.clone(), side })
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
