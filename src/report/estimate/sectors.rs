//! A morris game by its sectors: everything but the time is counted exactly.

use std::time::Instant;

use nerode_games::morris::{Board, Rules};
use serde::Serialize;

use super::deadline::{is_stop, within};
use super::exact::of_sectors;
use super::expected::Expected;
use crate::archive::decimal;
use crate::error::{Error, Result};
use crate::morris::tables::ask::named_game;
use crate::morris::tables::{IndexMaker, Runner, Sector, SectorDir, Unit, bytes_to_solve, num_slots, plan};
use crate::solve::resources::Resources;

/// What sectors of a morris game come to, with all that they depend on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sectors {
    /// Work units.
    pub num_units: usize,
    /// Sectors.
    pub num_sectors: usize,
    /// Positions up to symmetry.
    #[serde(with = "decimal")]
    pub positions: u128,
    /// Slots of the index: positions, and holes that it leaves.
    #[serde(with = "decimal")]
    pub slots: u64,
    /// Bytes of all files, with a byte a slot.
    pub bytes: u64,
    /// The unit that takes most memory.
    pub largest_unit: String,
    /// Bytes of memory that it takes, with what it leads to.
    pub largest_unit_bytes: u64,
}

/// Bytes of a sector's file beside its codes, about.
const FILE_BYTES: u64 = 128;

impl Sectors {
    /// All sectors of the game that `spec` names.
    ///
    /// # Errors
    /// A spec that is no morris game.
    pub fn of_game(spec: &str) -> Result<Self> {
        let (_, rules, _) = named_game(spec)?;
        Self::of_roots(&rules, &[Sector::of(rules.start())])
    }

    /// `roots` and what they depend on.
    ///
    /// # Errors
    /// [`crate::error::Error::NoSuchSector`].
    pub fn of_roots(rules: &Rules, roots: &[Sector]) -> Result<Self> {
        Ok(Self::of_units(rules, &plan(rules, roots)?))
    }

    /// `units` alone.
    pub fn of_units(rules: &Rules, units: &[Unit]) -> Self {
        let maker = IndexMaker::new(&rules.board);
        let sectors: Vec<Sector> = units.iter().flat_map(|unit| unit.sectors().to_vec()).collect();
        let slots: u64 = sectors.iter().map(|&sector| num_slots(&maker, rules, sector)).sum();
        let largest = units.iter().map(|unit| (bytes_to_solve(&maker, rules, unit), unit.first())).max();
        let (largest_unit_bytes, largest_unit) =
            largest.map_or((0, String::new()), |(bytes, unit)| (bytes, unit.to_string()));
        Self {
            num_units: units.len(),
            num_sectors: sectors.len(),
            positions: sectors.iter().map(|sector| num_positions(&rules.board, *sector)).sum(),
            slots,
            bytes: slots + sectors.len() as u64 * FILE_BYTES,
            largest_unit,
            largest_unit_bytes,
        }
    }

    /// What solving them takes on so many threads.
    pub fn expected(&self, threads: usize) -> Expected {
        of_sectors(self, threads)
    }

    /// Solves all sectors of the game that `spec` names into a temporary directory, until the deadline. `None` where that cannot
    /// end by then.
    ///
    /// # Errors
    /// Interruption by the user; files that cannot be written.
    pub(super) fn try_game(
        &self,
        spec: &str,
        resources: &Resources,
        until: Instant,
    ) -> Result<Option<Measured>> {
        let began = Instant::now();
        let time = until.saturating_duration_since(began).as_secs_f64();
        if self.expected(resources.threads).seconds.low > time {
            return Ok(None);
        }
        let solved = within(until, resources, |resources| solve_all(spec, resources))?;
        let seconds = began.elapsed().as_secs_f64();
        match solved {
            Ok(bytes) => Ok(Some(Measured { finished: true, bytes, seconds })),
            Err(error) if is_stop(&error) => Ok(Some(Measured { finished: false, bytes: 0, seconds })),
            Err(error) => Err(error),
        }
    }
}

/// What a solve took that was tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measured {
    /// Whether it came to its end.
    pub(super) finished: bool,
    /// Bytes of all files.
    pub(super) bytes: u64,
    /// Seconds.
    pub(super) seconds: f64,
}

/// Solves all sectors of a game into a temporary directory, and returns the bytes of their files.
fn solve_all(spec: &str, resources: &Resources) -> Result<u64> {
    let folder = tempfile::tempdir().map_err(|e| Error::io(std::env::temp_dir(), e))?;
    let (game, rules, name) = named_game(spec)?;
    let units = plan(&rules, &[Sector::of(rules.start())])?;
    let dir = SectorDir::create(&folder.path().join("run"), name, &game.rules())?;
    let solve = || {
        let mut bytes = 0;
        Runner::new(&rules, &dir, resources.memory, &resources.interrupt)
            .with_disk(resources.disk.clone())
            .solve_all(&units, &mut |done| bytes += done.bytes)?;
        Ok(bytes)
    };
    // Without a pool of its own it takes the threads that there are.
    match rayon::ThreadPoolBuilder::new().num_threads(resources.threads).build() {
        Ok(pool) => pool.install(solve),
        Err(_) => solve(),
    }
}

/// Positions of a sector up to symmetry, by Burnside's lemma: the mean, over the symmetries, of the positions that each leaves
/// where they are.
pub fn num_positions(board: &Board, sector: Sector) -> u128 {
    let symmetries = board.symmetries();
    let stones = [usize::from(sector.own), usize::from(sector.other)];
    let kept: u128 = symmetries.iter().map(|map| num_kept(&cycles(map), stones)).sum();
    kept / symmetries.len().max(1) as u128
}

/// Lengths of the cycles in which `map` moves the points.
fn cycles(map: &[u8]) -> Vec<usize> {
    let mut seen = vec![false; map.len()];
    let mut lengths = Vec::new();
    for first in 0..map.len() {
        let (mut point, mut length) = (first, 0);
        while !seen[point] {
            seen[point] = true;
            length += 1;
            point = usize::from(map[point]);
        }
        lengths.extend((length > 0).then_some(length));
    }
    lengths
}

/// Ways to put so many stones of either side on points, such that a cycle holds stones of one side alone or none.
fn num_kept(cycles: &[usize], [own, other]: [usize; 2]) -> u128 {
    let mut ways = vec![vec![0; other + 1]; own + 1];
    ways[0][0] = 1;
    for &length in cycles {
        for i in (0..=own).rev() {
            for j in (0..=other).rev() {
                let with_own = if i >= length { ways[i - length][j] } else { 0 };
                let with_other = if j >= length { ways[i][j - length] } else { 0 };
                ways[i][j] += with_own + with_other;
            }
        }
    }
    ways[own][other]
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;

    #[test]
    fn positions_and_bytes_are_those_of_a_whole_game() {
        let never = AtomicBool::new(false);
        for spec in ["morris:three", "morris:five"] {
            let folder = tempfile::tempdir().unwrap();
            let (_, rules, name) = named_game(spec).unwrap();
            let found = Sectors::of_game(spec).unwrap();
            let dir = SectorDir::create(folder.path(), name, "").unwrap();
            let units = plan(&rules, &[Sector::of(rules.start())]).unwrap();
            let (mut positions, mut bytes) = (0, 0);
            Runner::new(&rules, &dir, u64::MAX, &never)
                .solve_all(&units, &mut |done| {
                    bytes += done.bytes;
                    positions += done.counts.iter().map(|(_, c)| u128::from(c.num_positions)).sum::<u128>();
                })
                .unwrap();
            assert_eq!((found.num_units, found.positions), (units.len(), positions), "{spec}");
            assert!(bytes.abs_diff(found.bytes) <= 64 * found.num_sectors as u64, "{spec}: {bytes}");
        }
    }

    /// `results/morris-sectors`.
    #[test]
    fn nine_mens_morris_has_as_many_placed_positions_as_published() {
        let (_, rules, _) = named_game("morris:nine").unwrap();
        let placed =
            |own, other| num_positions(&rules.board, Sector { own, other, own_hand: 0, other_hand: 0 });
        let all: u128 = (3..=9)
            .flat_map(|own| (3..=9).map(move |other| (own, other)))
            .map(|(own, other)| placed(own, other))
            .sum();
        assert_eq!(all, 8_904_593_601);
    }
}
