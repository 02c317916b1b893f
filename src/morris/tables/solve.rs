//! Retrograde analysis of one work unit, from the sectors that it leads to.
//!
//! Paper 000 (section III) merges two queues by depth and counts the children that are left. Here levels of depth are done
//! one after the other by passes over the codes: a loss found at level d makes its origins wins in d + 1; a win found at level d
//! proposes its origins, which are then proved lost or not by looking at all their children. So a position takes its byte and a
//! bit, no queue is kept, and positions that nothing is proved of, most of them in the middle game, cost one look.
//!
//! Invariants: when level d begins, every code up to d is final; codes above are values with a depth that may still get smaller
//! (wins) or is final (losses). What a level writes does not depend on the order in which it is written.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering};

use nerode_games::morris::{FullBoard, Rules, State, Turn};
use rayon::prelude::*;

use super::codes::Width;
use super::index::IndexMaker;
use super::sector::{Sector, Unit};
use super::table::SectorTable;
use crate::error::{Error, Result};

/// Slots that one task looks at.
const CHUNK_SLOTS: u64 = 1 << 13;
/// Words, of codes or of proposals, that one task looks at.
const CHUNK_WORDS: usize = 1 << 11;

/// Slides that a stone has where others stand about, as a mean.
const SLIDES_OF_STONE: u64 = 2;

/// Sectors with their values, by name.
pub type Known = BTreeMap<Sector, Arc<SectorTable>>;

/// Where a kind of turn leads.
#[derive(Clone, Copy)]
enum Target<'a> {
    /// Nowhere: such turns do not exist here, or end the game at once with a win.
    Over,
    /// To the unit's own sector that turns lead to.
    Inside,
    /// To a sector solved before.
    Beside(&'a SectorTable),
}

/// Turns by kind: placed or not, and how many stones they take.
type Targets<'a> = [[Target<'a>; 3]; 2];

/// Solves `unit`, with the sectors that it leads to in `known`, on the threads of the pool in force.
///
/// *Cost*: a byte and a bit for each slot of the unit (two bytes where a depth exceeds 253), and the look of every position at
/// the positions that its captures and placements lead to; then, for each position with a value, at those that lead to it.
///
/// # Errors
/// [`Error::Unsupported`] when a sector that the unit leads to is not in `known`; [`Error::TooLarge`]; [`Error::Interrupted`].
pub fn solve_unit(
    rules: &Rules,
    unit: &Unit,
    maker: &IndexMaker,
    known: &Known,
    interrupt: &AtomicBool,
) -> Result<Vec<SectorTable>> {
    for width in [Width::One, Width::Two] {
        if let Some(tables) = solve_in(width, rules, unit, maker, known, interrupt)? {
            return Ok(tables);
        }
    }
    Err(Error::TooLarge {
        what: format!("unit {}: depths beyond {} plies", unit.first(), Width::Two.most_depth()),
        needed_bytes: 4,
        limit_bytes: 2,
    })
}

/// Solves `unit` with codes of `width`; `None` when some depth does not fit.
fn solve_in(
    width: Width,
    rules: &Rules,
    unit: &Unit,
    maker: &IndexMaker,
    known: &Known,
    interrupt: &AtomicBool,
) -> Result<Option<Vec<SectorTable>>> {
    let open = |&sector: &Sector| {
        let index = Arc::new(maker.index(sector.own, sector.other));
        SectorTable::open(sector, index, width)
    };
    let tables = unit.sectors().iter().map(open).collect::<Result<Vec<_>>>()?;
    let fits = Work::new(rules, &tables, known, interrupt)?.run()?;
    Ok(fits.then_some(tables))
}

/// One run over a unit with codes of one width.
struct Work<'a> {
    rules: &'a Rules,
    tables: &'a [SectorTable],
    targets: Vec<Targets<'a>>,
    /// Greatest depth written, or one that did not fit.
    deepest: AtomicU16,
    interrupt: &'a AtomicBool,
}

/// What the turns of a position that leave its unit are worth.
struct Outside {
    /// The fewest plies to a win.
    best: u16,
    /// The most plies to a loss.
    worst: u16,
    /// Whether some turn leads to a draw, or stays inside.
    undecided: bool,
    /// Whether there is a turn at all.
    any: bool,
}

/// A position for each bit, by slot.
struct Proposals {
    words: Vec<AtomicU64>,
}

impl Proposals {
    fn new(num_slots: u64) -> Self {
        let words = usize::try_from(num_slots.div_ceil(64)).unwrap_or(usize::MAX);
        Self { words: std::iter::repeat_with(|| AtomicU64::new(0)).take(words).collect() }
    }

    #[inline]
    fn add(&self, slot: u64) {
        let (word, bit) = (&self.words[(slot / 64) as usize], 1 << (slot % 64));
        // Most are proposed many times.
        if word.load(Ordering::Relaxed) & bit == 0 {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// Calls `f` with every slot added.
    fn for_each(&self, f: impl Fn(u64) + Sync) {
        self.words.par_chunks(CHUNK_WORDS).enumerate().for_each(|(chunk, words)| {
            for (word, at) in words.iter().zip((chunk * CHUNK_WORDS) as u64..) {
                let mut left = word.load(Ordering::Relaxed);
                while left != 0 {
                    f(at * 64 + u64::from(left.trailing_zeros()));
                    left &= left - 1;
                }
            }
        });
    }
}

impl<'a> Work<'a> {
    fn new(
        rules: &'a Rules,
        tables: &'a [SectorTable],
        known: &'a Known,
        interrupt: &'a AtomicBool,
    ) -> Result<Self> {
        let targets =
            tables.iter().map(|table| targets(rules, tables, table.sector, known)).collect::<Result<_>>()?;
        Ok(Self { rules, tables, targets, deepest: AtomicU16::new(0), interrupt })
    }

    fn most_depth(&self) -> u16 {
        self.tables.first().map_or(0, |table| table.codes.width().most_depth())
    }

    fn check_interrupt(&self) -> Result<()> {
        if self.interrupt.load(Ordering::Relaxed) { Err(Error::Interrupted) } else { Ok(()) }
    }

    /// `false` when a depth does not fit the codes.
    fn run(&self) -> Result<bool> {
        for which in 0..self.tables.len() {
            self.first_look(which)?;
        }
        let cyclic = self.targets.iter().any(|t| matches!(t[0][0], Target::Inside));
        let (mut level, mut wins) = (0, vec![0; self.tables.len()]);
        while cyclic && level <= self.deepest.load(Ordering::Relaxed).min(self.most_depth()) {
            self.check_interrupt()?;
            if level % 2 == 0 {
                self.spread_losses(level)?
            } else {
                self.spread_wins(level, &mut wins)?
            }
            level += 1;
        }
        Ok(self.deepest.load(Ordering::Relaxed) <= self.most_depth())
    }

    /// Notes that `depth` was found; whether it can be written.
    #[inline]
    fn fits(&self, depth: u16) -> bool {
        if depth > self.deepest.load(Ordering::Relaxed) {
            self.deepest.fetch_max(depth, Ordering::Relaxed);
        }
        depth <= self.most_depth()
    }

    /// Marks holes, and writes what positions are worth by turns that leave the unit.
    fn first_look(&self, which: usize) -> Result<()> {
        let table = &self.tables[which];
        let num_slots = table.index.num_slots();
        (0..num_slots.div_ceil(CHUNK_SLOTS)).into_par_iter().try_for_each(|chunk| {
            self.check_interrupt()?;
            for slot in chunk * CHUNK_SLOTS..num_slots.min((chunk + 1) * CHUNK_SLOTS) {
                if table.index.hole(slot).is_some() {
                    table.codes.set(slot, table.codes.width().hole());
                } else if let Some(depth) = self.outside(which, table.state(slot))
                    && self.fits(depth)
                {
                    table.codes.lower(slot, depth);
                }
            }
            Ok(())
        })
    }

    /// The depth of a position as far as turns that leave the unit decide it.
    #[inline]
    fn outside(&self, which: usize, state: State) -> Option<u16> {
        let mut seen = Outside { best: u16::MAX, worst: 0, undecided: false, any: false };
        let cyclic = matches!(self.targets[which][0][0], Target::Inside);
        if cyclic && state.own_hand == 0 {
            // Turns that close no mill stay inside: how many there are does not matter.
            let rest = self.rules.try_mill_moves(state, |turn| self.see(which, state, turn, &mut seen));
            let quiet = rest == ControlFlow::Continue(true);
            (seen.any, seen.undecided) = (seen.any || quiet, seen.undecided || quiet);
        } else {
            let _ = self.rules.try_turns(state, |turn| self.see(which, state, turn, &mut seen));
        }
        if seen.best < u16::MAX {
            Some(seen.best)
        } else if !seen.any {
            let full = state.own | state.other == self.rules.board.all();
            (!full || self.rules.full_board == FullBoard::Loss).then_some(0)
        } else {
            (!seen.undecided).then_some(seen.worst)
        }
    }

    /// Takes one turn into account; breaks where no other matters.
    #[inline]
    fn see(&self, which: usize, state: State, turn: Turn, seen: &mut Outside) -> ControlFlow<()> {
        seen.any = true;
        match self.target(which, turn) {
            Target::Over => {
                seen.best = 1;
                return ControlFlow::Break(());
            }
            Target::Inside => seen.undecided = true,
            Target::Beside(table) => match table.depth(state.after(turn)) {
                None => seen.undecided = true,
                Some(depth) if depth % 2 == 0 => seen.best = seen.best.min(depth + 1),
                Some(depth) => seen.worst = seen.worst.max(depth + 1),
            },
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn target(&self, which: usize, turn: Turn) -> Target<'a> {
        self.targets[which][usize::from(turn.from == 0)][turn.taken.count_ones() as usize]
    }

    /// Calls `f` with every slot of depth `level` of a primary sector.
    fn at_level(&self, which: usize, level: u16, f: impl Fn(u64) + Sync) {
        let codes = &self.tables[which].codes;
        let words = codes.num_words();
        (0..words.div_ceil(CHUNK_WORDS)).into_par_iter().for_each(|chunk| {
            codes.find(chunk * CHUNK_WORDS..words.min((chunk + 1) * CHUNK_WORDS), level, &f);
        });
    }

    /// The primary sector that quiet turns into `which` come from.
    fn origin(&self, which: usize) -> usize {
        self.tables.len() - 1 - which
    }

    /// Positions from which a quiet turn leads to a loss in `level` are won in a ply more, unless in fewer.
    fn spread_losses(&self, level: u16) -> Result<()> {
        for which in 0..self.tables.len() {
            let (table, origins) = (&self.tables[which], &self.tables[self.origin(which)]);
            self.at_level(which, level, |slot| {
                self.rules.quiet_origins(table.state(slot), |origin| {
                    if self.fits(level + 1) {
                        origins.codes.lower(origins.slot(origin), level + 1);
                    }
                });
            });
        }
        Ok(())
    }

    /// How many slots of a primary sector have `code`.
    fn count(&self, which: usize, code: u16) -> u64 {
        let count = AtomicU64::new(0);
        let codes = &self.tables[which].codes;
        let words = codes.num_words();
        (0..words.div_ceil(CHUNK_WORDS)).into_par_iter().for_each(|chunk| {
            let mut found = 0;
            codes.find(chunk * CHUNK_WORDS..words.min((chunk + 1) * CHUNK_WORDS), code, |_| found += 1);
            count.fetch_add(found, Ordering::Relaxed);
        });
        count.into_inner()
    }

    /// Positions from which a quiet turn leads to a win in `level` are lost if all their turns lead to wins. They are found from
    /// the wins, or, where those are so many that it is less work, by a look at every open position.
    fn spread_wins(&self, level: u16, wins_so_far: &mut [u64]) -> Result<()> {
        for (which, wins_so_far) in wins_so_far.iter_mut().enumerate() {
            let (table, origins) = (&self.tables[which], &self.tables[self.origin(which)]);
            let wins = self.count(which, level);
            *wins_so_far += wins;
            if wins == 0 {
                continue;
            }
            let open = origins.codes.width().open();
            if self.looking_is_less(which, wins, *wins_so_far, self.count(self.origin(which), open)) {
                self.at_level(self.origin(which), open, |slot| {
                    self.prove_loss(self.origin(which), slot, level)
                });
                continue;
            }
            let proposals = Proposals::new(origins.codes.num_slots());
            self.at_level(which, level, |slot| {
                self.rules.quiet_origins(table.state(slot), |origin| {
                    let slot = origins.slot(origin);
                    if origins.codes.get(slot) == open {
                        proposals.add(slot);
                    }
                });
            });
            self.check_interrupt()?;
            proposals.for_each(|slot| self.prove_loss(self.origin(which), slot, level));
        }
        Ok(())
    }

    /// Whether `open` looks at positions that may be lost, each ending at the first turn that is no win of the opponent, are
    /// less work than going back from `wins` wins.
    fn looking_is_less(&self, which: usize, wins: u64, wins_so_far: u64, open: u64) -> bool {
        let Sector { own, other, other_hand, .. } = self.tables[which].sector;
        let turns = if self.rules.flies(other, other_hand) {
            u64::from(other) * (self.rules.board.num_points() as u64 - u64::from(own + other))
        } else {
            u64::from(other) * SLIDES_OF_STONE
        };
        let num_slots = self.tables[which].codes.num_slots();
        // A turn leads to a win as often as a slot holds one.
        let tries = (num_slots / (num_slots - wins_so_far).max(1)).clamp(1, turns);
        open * tries < wins * turns
    }

    #[inline]
    fn prove_loss(&self, which: usize, slot: u64, level: u16) {
        let table = &self.tables[which];
        if let Some(depth) = self.loss(which, table.state(slot), level)
            && self.fits(depth)
        {
            table.codes.lower(slot, depth);
        }
    }

    /// The depth of a loss, if all turns lead to wins, those inside the unit in at most `level` plies.
    #[inline]
    fn loss(&self, which: usize, state: State, level: u16) -> Option<u16> {
        let mut worst = level;
        // Quiet turns leave the opponent's stones where they are.
        let inside = &self.tables[self.origin(which)];
        let inside_slots = inside.index.slots_of(state.other);
        let all_won = self.rules.try_turns(state, |turn| {
            let depth = match self.target(which, turn) {
                Target::Over => None,
                Target::Inside => {
                    let slot = inside_slots.slot(state.own & !turn.from | turn.to);
                    inside.depth_at(slot).filter(|&d| d <= level)
                }
                Target::Beside(table) => table.depth(state.after(turn)),
            };
            match depth {
                Some(depth) if depth % 2 == 1 => {
                    worst = worst.max(depth);
                    ControlFlow::Continue(())
                }
                _ => ControlFlow::Break(()),
            }
        });
        all_won.is_continue().then_some(worst + 1)
    }
}

/// Where the turns of `sector` lead.
fn targets<'a>(
    rules: &Rules,
    tables: &[SectorTable],
    sector: Sector,
    known: &'a Known,
) -> Result<Targets<'a>> {
    let mut targets = [[Target::Over; 3]; 2];
    for (kind, places) in targets.iter_mut().zip([false, true]) {
        for (target, taken) in kind.iter_mut().zip(0..) {
            let Some(child) = sector.after(rules, places, taken) else { continue };
            let inside = tables.iter().any(|table| table.sector == child);
            *target = match (inside, known.get(&child)) {
                (true, _) => Target::Inside,
                (false, Some(table)) => Target::Beside(table),
                (false, None) => {
                    return Err(Error::Unsupported(format!(
                        "sector {sector} leads to sector {child}, which is not solved; solve that first"
                    )));
                }
            };
        }
    }
    Ok(targets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::morris::tables::plan;
    use nerode_games::morris::Preset;

    /// Every unit under `root` with codes of both widths: the same depths.
    #[test]
    fn wide_codes_give_the_same_depths() {
        let rules = Preset::named("nine").unwrap().rules();
        let maker = IndexMaker::new(&rules.board);
        let mut known = Known::new();
        for unit in plan(&rules, &["4-3-0-0".parse().unwrap()]).unwrap() {
            let never = AtomicBool::new(false);
            let solve = |width| solve_in(width, &rules, &unit, &maker, &known, &never).unwrap().unwrap();
            let (narrow, wide) = (solve(Width::One), solve(Width::Two));
            for (one, two) in narrow.into_iter().zip(wide) {
                assert_eq!(one.counts(), two.counts());
                assert!((0..one.index.num_slots()).all(|slot| one.depth_at(slot) == two.depth_at(slot)));
                known.insert(one.sector, Arc::new(two));
            }
        }
    }

    /// A run stops where a depth does not fit, and says so.
    #[test]
    fn depths_that_do_not_fit_are_noticed() {
        let rules = Preset::named("nine").unwrap().rules();
        let maker = IndexMaker::new(&rules.board);
        let unit = Unit::of(&rules, "3-3-0-0".parse().unwrap());
        let index = Arc::new(maker.index(3, 3));
        let tables = [SectorTable::open(unit.first(), index, Width::One).unwrap()];
        let (known, never) = (Known::new(), AtomicBool::new(false));
        let work = Work::new(&rules, &tables, &known, &never).unwrap();
        assert!(work.fits(253));
        assert!(!work.fits(254));
        assert!(!work.run().unwrap());
    }
}
