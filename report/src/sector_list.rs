//! A list of the sectors that a solution contains.

use std::sync::atomic::{AtomicBool, Ordering};

use nerode_games::Value;
use nerode_games::morris::Rules;

use crate::sectors::longest_of_tables;
use crate::summary::Deepest;
use nerode_morris::compressed::PackedSectors;
use nerode_morris::sets::{SectorSetsSolution, SectorSummary};
use nerode_morris::stored::StoredSectors;
use nerode_morris::tables::{Sector, SectorCounts, SectorSolution};
use nerode_solver::error::{Error, Result};
use nerode_solver::stored::Stored;

/// The size in bytes above which tables are not read to count them, because it would take too long.
const COUNTED_BYTES: u64 = 256 << 20;

/// A sector that a solution contains.
#[derive(Clone, Debug)]
pub struct ListedSector {
    /// The sector.
    pub sector: Sector,
    /// The number of boards with one side to move, where symmetric boards count separately.
    pub num_positions: u128,
    /// The size of its file in bytes, or 0 if it has none.
    pub bytes: u64,
    /// The values that occur, if they are known.
    pub values: Vec<Value>,
    /// Wins, draws and losses. `None` if they were not counted.
    pub counts: Option<[u128; 3]>,
    /// `true` if `counts` are numbers of orbits, in which symmetric positions count once.
    pub in_orbits: bool,
    /// The plies of the longest win and loss, if they were determined.
    pub longest: [Option<u32>; 2],
}

/// Lists the sectors of a solution by sectors, and the longest wins and losses if counting found any. The lists are
/// empty for other solutions.
///
/// Cost: reads the tables of sectors that are not large, in order to count them.
///
/// # Errors
/// Returns an error if a file is damaged, or [`Error::Interrupted`].
pub fn list_sectors(
    solution: &dyn Stored,
    interrupt: &AtomicBool,
) -> Result<(Vec<ListedSector>, Vec<Deepest>)> {
    if let Some(stored) = solution.downcast_ref::<StoredSectors>() {
        of_tables(stored.tables(), interrupt)
    } else if let Some(packed) = solution.downcast_ref::<PackedSectors>() {
        Ok((of_packed(packed)?, Vec::new()))
    } else if let Some(sets) = solution.downcast_ref::<SectorSetsSolution>() {
        Ok((of_sets(sets)?, Vec::new()))
    } else {
        Ok((Vec::new(), Vec::new()))
    }
}

fn listed(rules: &Rules, sector: Sector, bytes: u64) -> ListedSector {
    let num_positions = sector.num_boards(rules.board.num_points());
    ListedSector {
        sector,
        num_positions,
        bytes,
        values: Vec::new(),
        counts: None,
        in_orbits: false,
        longest: [None; 2],
    }
}

/// Returns the values that occur, given the numbers of wins, draws and losses.
fn present(counts: [u128; 3]) -> Vec<Value> {
    let values = [Value::Win, Value::Draw, Value::Loss].into_iter().zip(counts);
    values.filter(|&(_, count)| count > 0).map(|(value, _)| value).collect()
}

fn of_tables(tables: &SectorSolution, interrupt: &AtomicBool) -> Result<(Vec<ListedSector>, Vec<Deepest>)> {
    let files = tables.dir.sectors()?;
    let is_small = files.iter().map(|file| file.bytes).sum::<u64>() <= COUNTED_BYTES;
    let (mut list, mut all) = (Vec::new(), Vec::new());
    for file in files {
        let mut line = listed(&tables.rules, file.sector, file.bytes);
        if is_small {
            if interrupt.load(Ordering::Relaxed) {
                return Err(Error::Interrupted);
            }
            let counts = tables.table(file.sector)?.counts();
            count(&mut line, &counts);
            all.push((file.sector, counts));
        }
        list.push(line);
    }
    Ok((list, longest_of_tables(tables, &all)?))
}

fn count(line: &mut ListedSector, counts: &SectorCounts) {
    let values = [counts.wins(), counts.draws, counts.losses()].map(u128::from);
    let (win, loss) = counts.longest();
    line.values = present(values);
    line.counts = Some(values);
    line.in_orbits = true;
    // Depths are 16-bit numbers.
    line.longest = [win, loss].map(|depth| depth.map(|depth| depth as u32));
}

fn of_packed(packed: &PackedSectors) -> Result<Vec<ListedSector>> {
    let line = |(name, bytes): (&str, u64)| {
        let values = packed.values_in(name);
        Ok(ListedSector { values, ..listed(packed.rules(), name.parse()?, bytes) })
    };
    packed.sectors().map(line).collect()
}

fn of_sets(sets: &SectorSetsSolution) -> Result<Vec<ListedSector>> {
    let line = |SectorSummary { stones: [own, other], num_positions, by_depth }: SectorSummary| {
        let sector = Sector { own, other, own_hand: 0, other_hand: 0 };
        let of = |parity: usize| by_depth.iter().skip(parity).step_by(2).map(|set| set.num_positions).sum();
        let [losses, wins]: [u128; 2] = [0, 1].map(of);
        let draws = num_positions.saturating_sub(wins).saturating_sub(losses);
        let last = |parity: usize| {
            let is_there = |&depth: &usize| depth % 2 == parity && by_depth[depth].num_positions > 0;
            (0..by_depth.len()).rev().find(is_there).map(|depth| depth as u32)
        };
        let bytes = by_depth.iter().map(|set| set.bytes).sum();
        let counts = [wins, draws, losses];
        ListedSector {
            values: present(counts),
            counts: Some(counts),
            longest: [last(1), last(0)],
            ..listed(sets.rules(), sector, bytes)
        }
    };
    Ok(sets.summaries()?.into_iter().map(line).collect())
}
