//! Exact depths of the early positions of a run from the start, stored with the run.
//!
//! The file is a table of reached positions that contains the first plies only. Depths of its last ply are found by
//! search, one position of each orbit at a time, and those of the earlier plies follow from the moves. While the work is
//! in progress, the table contains positions of known value and unknown depth, from which it is resumed.

use std::path::Path;
use std::time::{Duration, Instant};

use nerode_dfa::{Dfa, Ranking, disk};
use nerode_games::{Position, Value, grouped};
use rayon::prelude::*;

use super::deadline::Deadline;
use super::depths::Depths;
use super::source::Source;
use super::stored::{stored_depths, stored_plies};
use crate::archive::Contents;
use crate::archive::claim::claim;
use crate::archive::contents::DEPTHS_FILE;
use crate::archive::files::write_atomic;
use crate::archive::run_dir::Kind;
use crate::archive::stored_run::{PlySets, StoredRun};
use crate::archive::table::reached::{PlyList, ReachedTable, code_of, outcome, ply_by_moves, put_plies};
use crate::error::{Error, Result, RunNeeds};
use crate::outcome::code16;
use crate::solve::method::Method;
use crate::solve::resources::Resources;

/// The part of the memory that the codes and the numbering of the last ply may take.
const PART_OF_MEMORY: u64 = 8;
/// The number of bytes for each position: a code and the representative of its orbit.
const BYTES: u64 = 16;
/// The time between two writes of the table.
const WRITE_EVERY: Duration = Duration::from_secs(60);
/// The times between two checks for an interruption during a search, at first and at most.
const SLICES: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(16));

/// The stored depths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlyDone {
    /// The last ply.
    pub last_ply: u32,
    /// The number of positions of all plies up to it.
    pub num_positions: u64,
    /// The number of positions of unknown value, in a run of a limited number of plies.
    pub num_unknown: u64,
    /// The number of positions whose depth was searched for, or 0 if all depths had been stored before.
    pub num_searched: u64,
    /// The length of the file in bytes.
    pub bytes: u64,
    /// Why the stored depths could not be used, if they were replaced because they are damaged.
    pub damage: Option<String>,
}

/// Stores the exact depths of all positions of a run from the start up to ply `plies`, and resumes a computation that was
/// interrupted. If the depths of more plies are stored already, or some of them, those are completed. With `overwrite`, and if
/// they are damaged, all depths up to the same ply are computed again. Calls `watch` with the number of positions of the last ply that are done, and their total
/// number.
///
/// Cost: a search for one position of each orbit of the last ply. Each thread searches with a table of its own; the sets of
/// the run are shared.
///
/// # Errors
/// Returns [`Error::WrongRun`] for a retrograde run, which contains depths; [`Error::NotFinished`]; [`Error::Busy`] while
/// another process writes to the run; [`Error::TooLarge`] if the positions of the last ply do not fit into memory;
/// [`Error::Interrupted`], after which the same call resumes; or an error if a file is damaged or the disk is full.
pub fn store_early(
    run: &StoredRun,
    plies: u32,
    overwrite: bool,
    resources: &Resources,
    watch: &mut dyn FnMut(u64, u64),
) -> Result<EarlyDone> {
    if run.method() != Method::Meet {
        return Err(Error::WrongRun { wanted: "depths of early positions", needs: RunNeeds::Meet });
    }
    run.must_be_finished()?;
    let _lock = claim(run.run.path(), Contents::Run)?;
    let path = run.run.path().join(DEPTHS_FILE);
    // A damaged file is replaced by one of at least as many plies.
    let (stored, damage) = match stored_depths(run) {
        _ if overwrite => (None, None),
        Ok(stored) => (stored, None),
        Err(error) => (None, Some(error.to_string())),
    };
    let end = run.run.progress().forward.unwrap_or(0);
    let last = plies.max(stored_plies(run).unwrap_or(0).saturating_sub(1)).min(end);
    if let Some(stored) = &stored
        && stored.num_plies() == last + 1
        && stored.header().num_without_depth == 0
    {
        return EarlyDone::of(stored, 0, None);
    }
    let mut work = Work::new(run, last, stored.as_ref(), resources)?;
    let searched = work.search(&path, watch);
    work.write(&path)?;
    let num_searched = searched?;
    let table = ReachedTable::open_for(&path, &run.game)?;
    EarlyDone::of(&table, num_searched, damage)
}

impl EarlyDone {
    fn of(table: &ReachedTable, num_searched: u64, damage: Option<String>) -> Result<Self> {
        let header = table.header();
        Ok(Self {
            last_ply: table.num_plies().saturating_sub(1),
            num_positions: header.num_positions(),
            num_unknown: header.num_unknown,
            num_searched,
            bytes: disk::metadata(table.path()).map_err(|e| Error::io(table.path(), e))?.len(),
            damage,
        })
    }
}

/// The positions of the last ply, some of which have no depth yet.
struct Work<'a> {
    run: &'a StoredRun,
    resources: &'a Resources,
    ply: u32,
    set: Dfa,
    codes: Vec<u16>,
    /// For each position, one that has the same depth because a symmetry maps it to this one, and is the first such
    /// position if it refers to itself.
    same_as: Vec<usize>,
}

impl<'a> Work<'a> {
    fn new(
        run: &'a StoredRun,
        ply: u32,
        stored: Option<&ReachedTable>,
        resources: &'a Resources,
    ) -> Result<Self> {
        let side = run.side_at(ply);
        let count = run.entry(Kind::R, side, ply)?.num_positions();
        let (needed_bytes, limit_bytes) = (count * u128::from(BYTES), resources.memory / PART_OF_MEMORY);
        if needed_bytes > limit_bytes.into() {
            let what = format!("the depths of {} positions of ply {ply}", grouped(count));
            return Err(Error::TooLarge { what, needed_bytes, limit_bytes });
        }
        let sets = PlySets::read(run, ply)?;
        let set = sets.all().clone();
        let mut codes = Vec::new();
        let stored =
            stored.filter(|stored| stored.num_plies() > ply).map(|stored| stored.ply(ply)).transpose()?;
        for (rank, word) in set.words().enumerate() {
            let board = run.game.board_of(&word);
            let known = stored.as_ref().and_then(|list| list.codes().get(rank)).copied();
            let is_exact = |code: &u16| outcome(*code).depth().is_some();
            codes.push(match (run.game.outcome(&board, side), known.filter(is_exact)) {
                (Some(value), _) => code16::terminal(value),
                (None, Some(code)) => code,
                (None, None) => match sets.value_of(&word).unwrap_or_default().value() {
                    Some(value) => code_of(value, None),
                    None => code16::UNKNOWN,
                },
            });
        }
        let same_as = representatives(run, &set)?;
        let mut work = Self { run, resources, ply, set, codes, same_as };
        work.copy_to_images();
        Ok(work)
    }

    /// Gives every position the depth of the one that represents its orbit.
    fn copy_to_images(&mut self) {
        for at in 0..self.codes.len() {
            // The representative precedes the position, so that its code is final.
            self.codes[at] = self.codes[self.same_as[at]];
        }
    }

    /// Returns the indices of the positions that have to be searched.
    fn open(&self) -> Vec<usize> {
        let is_open = |&at: &usize| {
            let known = outcome(self.codes[at]);
            let is_decided = matches!(known.value(), Some(Value::Win | Value::Loss));
            self.same_as[at] == at && is_decided && known.depth().is_none()
        };
        (0..self.codes.len()).filter(is_open).collect()
    }

    /// Searches for all depths. Writes the table from time to time. Returns the number of searches.
    fn search(&mut self, path: &Path, watch: &mut dyn FnMut(u64, u64)) -> Result<u64> {
        let open = self.open();
        let pool = self.resources.pool()?;
        let threads = pool.current_num_threads().max(1);
        let searches: Vec<Depths> = (0..threads).map(|_| Depths::sharing(threads)).collect();
        let set = self.set.clone();
        let ranking = set.ranking()?;
        let mut written = Instant::now();
        for (chunk, indices) in open.chunks(threads).enumerate() {
            watch((chunk * threads) as u64, open.len() as u64);
            self.resources.must_go_on()?;
            let (run, side, resources) = (self.run, self.run.side_at(self.ply), self.resources);
            let one = |&at: &usize| -> Result<u16> {
                let depths = &searches[rayon::current_thread_index().unwrap_or(0) % threads];
                let word = ranking.unrank(at as u128).ok_or(nerode_dfa::Error::CountOverflow)?;
                depth_of(run, depths, &Position { board: run.game.board_of(&word), side }, resources)
            };
            let found: Vec<Result<u16>> =
                pool.install(|| indices.par_iter().with_max_len(1).map(one).collect());
            for (&at, code) in indices.iter().zip(found) {
                self.codes[at] = code?;
            }
            if written.elapsed() > WRITE_EVERY {
                self.write(path)?;
                written = Instant::now();
            }
        }
        watch(open.len() as u64, open.len() as u64);
        Ok(open.len() as u64)
    }

    /// Writes the table, with the depths of earlier plies as far as those of the last one imply them.
    fn write(&mut self, path: &Path) -> Result<()> {
        self.copy_to_images();
        // The table is also written after an interruption.
        let resources = Resources { interrupt: Resources::default().interrupt, ..self.resources.clone() };
        let pool = resources.pool()?;
        let side = self.run.side_at(self.ply);
        let mut plies = vec![PlyList::new(self.ply, side, self.set.clone(), self.codes.clone())];
        for ply in (0..self.ply).rev() {
            let list = ply_by_moves(self.run, ply, plies.last(), &resources, &pool, &mut |_| ())?;
            plies.push(list);
        }
        plies.reverse();
        write_atomic(path, |out| put_plies(out, path, self.run.game.as_ref(), &plies, &resources))
    }
}

/// Returns, for each word of `set`, the index of a word with the same depth: the least one in its orbit under the
/// symmetries that keep the start position, and so map the set to itself.
fn representatives(run: &StoredRun, set: &Dfa) -> Result<Vec<usize>> {
    let game = run.game.as_ref();
    let start = game.start().0;
    let mut maps = game.relabellings();
    maps.retain(|map| map.apply(&start) == start);
    let ranking: Ranking = set.ranking()?;
    let mut same_as: Vec<usize> = Vec::new();
    for (at, word) in set.words().enumerate() {
        let board = game.board_of(&word);
        let images = maps.iter().filter_map(|map| ranking.rank(&game.word_of(&map.apply(&board))));
        let least = images.filter_map(|rank| usize::try_from(rank).ok()).min().unwrap_or(at);
        // Words before this one have their representatives already.
        same_as.push(if least < at { same_as[least] } else { at });
    }
    Ok(same_as)
}

/// Determines the code of a won or lost position by a search that is stopped only by an interruption.
fn depth_of(run: &StoredRun, depths: &Depths, position: &Position, resources: &Resources) -> Result<u16> {
    let known = run.get(&position.board, position.side)?;
    let mut slice = SLICES.0;
    loop {
        resources.must_go_on()?;
        let found = depths.refine(Source::Run(run), position, known, Deadline::after(slice))?;
        if let Some(depth) = found.depth() {
            let value = found.value().unwrap_or(Value::Draw);
            return Ok(code_of(value, u16::try_from(depth).ok()));
        }
        // What the search has found so far is in its table.
        slice = (2 * slice).min(SLICES.1);
    }
}
