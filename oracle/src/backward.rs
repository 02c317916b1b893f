//! Retrograde analysis of numbered positions by stored predecessors: positions are decided in the order of their depths.
//!
//! A loss decides all its predecessors, and a win decides a predecessor of which all other successors are won already. Positions that
//! are still undecided when no more can be decided are draws, because both sides can avoid losing forever. The codes do not depend
//! on the order in which threads reach the positions of a depth.

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU16, AtomicU32, Ordering};

use nerode_games::outcome::code16::{self, DRAW, MAX_DEPTH, UNKNOWN};
use rayon::prelude::*;

use crate::error::{Error, Result};

/// A code for each position.
pub(crate) type Codes = Vec<AtomicU16>;

/// The number of decided positions that a thread takes at a time.
const PART: usize = 1 << 12;

/// Allocates a list, or returns `None` if there is not enough memory.
pub(crate) fn allocate<T>(len: usize, make: impl FnMut() -> T) -> Option<Vec<T>> {
    let mut list = Vec::new();
    list.try_reserve_exact(len).ok()?;
    list.resize_with(len, make);
    Some(list)
}

/// The number of moves to each position, while they are counted.
pub(crate) struct Arrivals(Vec<AtomicU32>);

impl Arrivals {
    /// Creates the counters of this number of positions, or returns `None` if there is not enough memory.
    pub(crate) fn new(count: usize) -> Option<Self> {
        allocate(count + 1, || AtomicU32::new(0)).map(Self)
    }

    /// Takes counts that are known already.
    pub(crate) fn counted(mut counts: Vec<u32>) -> Self {
        counts.insert(0, 0);
        Self(counts.into_iter().map(AtomicU32::new).collect())
    }

    /// Counts a move to a position. No position may have 2^32 predecessors.
    pub(crate) fn add(&self, number: usize) {
        self.0[number + 1].fetch_add(1, Ordering::Relaxed);
    }

    /// Returns empty lists of predecessors, or an error if they exceed the limit. `bytes` is the number of bytes that the caller
    /// takes besides counters and lists; `what` completes "the moves between ...".
    pub(crate) fn into_lists(self, what: &str, bytes: u64, limit_bytes: u64) -> Result<Lists> {
        let ends = self.0;
        // Each list of predecessors begins where the one before ends. While the lists are filled, `ends[n + 1]` is the end of
        // the part of list n that is filled already.
        let mut num_edges = 0_u64;
        for number in &ends[1..] {
            let edges = number.swap(num_edges as u32, Ordering::Relaxed);
            num_edges += u64::from(edges);
        }
        let count = ends.len() - 1;
        // The counter of moves, the end of the list and four bytes for each edge.
        let needed = u128::from(bytes) + 6 * count as u128 + 4 * u128::from(num_edges);
        let fits = needed <= u128::from(limit_bytes) && u32::try_from(num_edges).is_ok();
        let edges = if fits { allocate(num_edges as usize, || AtomicU32::new(0)) } else { None };
        let lists = edges.zip(allocate(count, || AtomicU16::new(0)));
        let Some((predecessors, open)) = lists else {
            return Err(Error::TooLarge {
                what: format!("the {num_edges} moves between {what}"),
                needed_bytes: needed,
                limit_bytes,
            });
        };
        Ok(Lists { ends, predecessors, open })
    }
}

/// The moves backward, while they are filled in.
pub(crate) struct Lists {
    ends: Vec<AtomicU32>,
    predecessors: Vec<AtomicU32>,
    open: Vec<AtomicU16>,
}

impl Lists {
    /// Sets the number of moves of a position. Returns `None` if there are too many.
    pub(crate) fn set_moves(&self, number: usize, moves: usize) -> Option<()> {
        self.open[number].store(u16::try_from(moves).ok()?, Ordering::Relaxed);
        Some(())
    }

    /// Adds a predecessor to the list of a position. Returns `None` if more are added than were counted in total.
    pub(crate) fn add(&self, number: usize, before: u32) -> Option<()> {
        let at = self.ends[number + 1].fetch_add(1, Ordering::Relaxed);
        self.predecessors.get(at as usize)?.store(before, Ordering::Relaxed);
        Some(())
    }

    pub(crate) fn finish(self) -> Backward {
        let plain = |list: Vec<AtomicU32>| list.into_iter().map(AtomicU32::into_inner).collect();
        Backward { ends: plain(self.ends), predecessors: plain(self.predecessors), open: self.open }
    }
}

/// The codes of the positions that are decided at a depth, or `None` if it is too large.
pub(crate) struct Depth {
    after_loss: Option<u16>,
    after_win: Option<u16>,
}

impl Depth {
    pub(crate) fn new(depth: u16) -> Self {
        let after_loss = code16::win_in(depth).filter(|_| depth <= MAX_DEPTH);
        Self { after_loss, after_win: code16::loss_in(depth) }
    }

    /// Takes into account that a successor of the position with this code was decided one ply before, with `open` moves that did not
    /// lead to a decided win until then. Returns whether that decides the position. `what` is the table in errors.
    pub(crate) fn decides(
        &self,
        is_loss: bool,
        code: &AtomicU16,
        open: &AtomicU16,
        what: &str,
    ) -> Result<bool> {
        if !is_loss && open.fetch_sub(1, Ordering::Relaxed) != 1 {
            return Ok(false);
        }
        let to = if is_loss { self.after_loss } else { self.after_win };
        let to = to.ok_or_else(|| too_deep(what))?;
        Ok(code.compare_exchange(UNKNOWN, to, Ordering::Relaxed, Ordering::Relaxed).is_ok())
    }
}

/// The moves between positions, backward.
pub(crate) struct Backward {
    /// `ends[n + 1]` is the end of the predecessors of position n, which begin at `ends[n]`.
    ends: Vec<u32>,
    predecessors: Vec<u32>,
    /// The number of moves of each position that do not lead to a decided win.
    open: Vec<AtomicU16>,
}

impl Backward {
    fn of(&self, number: u32) -> &[u32] {
        let at = number as usize;
        &self.predecessors[self.ends[at] as usize..self.ends[at + 1] as usize]
    }

    /// Decides positions by increasing depth, beginning with those whose codes are set. `what` is the table in errors.
    pub(crate) fn run(&self, what: &str, codes: &Codes, interrupt: &AtomicBool) -> Result<()> {
        let is_decided = |code: u16| code != UNKNOWN && code != DRAW;
        let numbers = 0..codes.len() as u32;
        let terminal = |&number: &u32| is_decided(codes[number as usize].load(Ordering::Relaxed));
        let mut last: Vec<u32> = numbers.into_par_iter().filter(terminal).collect();
        for depth in 1.. {
            if last.is_empty() {
                break;
            }
            if interrupt.load(Ordering::Relaxed) {
                return Err(Error::Interrupted);
            }
            let decided = Depth::new(depth);
            let next: Vec<Vec<u32>> = last
                .par_chunks(PART)
                .map(|part| {
                    let mut next = Vec::new();
                    for &number in part {
                        let is_loss = code16::is_loss(codes[number as usize].load(Ordering::Relaxed));
                        for &before in self.of(number) {
                            let (code, open) = (&codes[before as usize], &self.open[before as usize]);
                            if decided.decides(is_loss, code, open, what)? {
                                next.push(before);
                            }
                        }
                    }
                    Ok(next)
                })
                .collect::<Result<_>>()?;
            last = next.concat();
        }
        codes.par_iter().for_each(|code| {
            let _ = code.compare_exchange(UNKNOWN, DRAW, Ordering::Relaxed, Ordering::Relaxed);
        });
        Ok(())
    }

    /// Computes the scores of positions from those of their successors, where one side to move takes the greatest and the other one
    /// the least. `last` contains the positions without moves, whose scores are set; the others have the worst score for the side to
    /// move. Returns the number of positions that are decided: the others can repeat.
    pub(crate) fn minimax(
        &self,
        scores: &[AtomicI32],
        maximises: &(impl Fn(u32) -> bool + Sync),
        mut last: Vec<u32>,
        interrupt: &AtomicBool,
    ) -> Result<u64> {
        let mut decided = 0;
        while !last.is_empty() {
            if interrupt.load(Ordering::Relaxed) {
                return Err(Error::Interrupted);
            }
            decided += last.len() as u64;
            let before = |number: u32| {
                let score = scores[number as usize].load(Ordering::Relaxed);
                self.of(number).iter().filter_map(move |&before| {
                    let best = &scores[before as usize];
                    match maximises(before) {
                        true => best.fetch_max(score, Ordering::Relaxed),
                        false => best.fetch_min(score, Ordering::Relaxed),
                    };
                    (self.open[before as usize].fetch_sub(1, Ordering::Relaxed) == 1).then_some(before)
                })
            };
            last = last
                .par_chunks(PART)
                .flat_map_iter(|part| part.iter().flat_map(|&number| before(number)))
                .collect();
        }
        Ok(decided)
    }
}

pub(crate) fn too_deep(what: &str) -> Error {
    Error::TooDeep { what: what.to_string(), most: MAX_DEPTH.into() }
}
