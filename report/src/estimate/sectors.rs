//! A morris game by its sectors: everything but the time is counted exactly.

use nerode_games::morris::{Board, Rules};
use serde::Serialize;

use nerode_morris::ranked::bytes_to_rank;
use nerode_morris::tables::ask::named_game;
use nerode_morris::tables::{IndexMaker, Sector, Unit, bytes_to_solve, num_slots, plan};
use nerode_solver::archive::decimal;
use nerode_solver::error::Result;

/// What sectors of a morris game come to, with all that they depend on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sectors {
    /// Work units.
    pub num_units: usize,
    /// Sectors.
    pub num_sectors: usize,
    /// Positions; those that symmetries turn into each other count once.
    #[serde(with = "decimal")]
    pub orbits: u128,
    /// Slots of the index: positions, and holes that it leaves.
    #[serde(with = "decimal")]
    pub slots: u64,
    /// Bytes of all files before compression, with a byte a slot.
    pub bytes: u64,
    /// The unit that takes most memory.
    pub largest_unit: String,
    /// Bytes of memory that it takes, with what it leads to.
    pub largest_unit_bytes: u64,
    /// The same where draws are told apart.
    pub largest_unit_ranked_bytes: u64,
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
    /// [`nerode_solver::error::Error::NoSuchSector`].
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
        let ranked = units.iter().map(|unit| bytes_to_rank(&maker, rules, unit)).max();
        Self {
            num_units: units.len(),
            num_sectors: sectors.len(),
            orbits: sectors.iter().map(|sector| num_orbits(&rules.board, *sector)).sum(),
            slots,
            bytes: slots + sectors.len() as u64 * FILE_BYTES,
            largest_unit,
            largest_unit_bytes,
            largest_unit_ranked_bytes: ranked.unwrap_or(0),
        }
    }
}

/// Positions of a sector up to symmetry, by Burnside's lemma: the mean, over the symmetries, of the positions that each leaves
/// where they are.
pub fn num_orbits(board: &Board, sector: Sector) -> u128 {
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
    use nerode_morris::tables::{Runner, SectorDir};

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
            assert_eq!((found.num_units, found.orbits), (units.len(), positions), "{spec}");
            assert!(found.expected(2).bytes.contains(bytes), "{spec}: {bytes}");
        }
    }

    /// `results/morris-sectors`.
    #[test]
    fn nine_mens_morris_has_as_many_placed_positions_as_published() {
        let (_, rules, _) = named_game("morris:nine").unwrap();
        let placed = |own, other| num_orbits(&rules.board, Sector { own, other, own_hand: 0, other_hand: 0 });
        let all: u128 = (3..=9)
            .flat_map(|own| (3..=9).map(move |other| (own, other)))
            .map(|(own, other)| placed(own, other))
            .sum();
        assert_eq!(all, 8_904_593_601);
    }

    /// Paper 003 counts 17 874 891 168 positions of the opening: at each of the 18 plies all numbers of stones up to those placed, those
    /// too that no play leads to, and those with which a side has lost. `results/morris-sectors`.
    #[test]
    fn the_opening_of_nine_mens_morris_has_as_many_positions_as_published() {
        let (_, rules, _) = named_game("morris:nine").unwrap();
        let of_ply = |placed: u8| {
            let (first, second) = (placed.div_ceil(2), placed / 2);
            let counts = (0..=first).flat_map(|own| (0..=second).map(move |other| (own, other)));
            let orbits =
                |(own, other)| num_orbits(&rules.board, Sector { own, other, own_hand: 1, other_hand: 1 });
            counts.map(orbits).sum::<u128>()
        };
        assert_eq!((0..18).map(of_ply).sum::<u128>(), 17_874_891_168);
        // What play can reach, by the numbers of stones alone.
        let reached = Sectors::of_game("morris:nine").unwrap().orbits;
        assert_eq!(reached - 8_904_593_601, 17_838_514_173);
    }
}
