//! Morris games by sectors, for which everything except the time is counted exactly.

use nerode_games::morris::{Board, Rules};
use serde::Serialize;

use nerode_morris::ranked::bytes_to_rank;
use nerode_morris::tables::name::named_game;
use nerode_morris::tables::{IndexMaker, Sector, Unit, bytes_to_solve, num_slots, plan};
use nerode_solver::archive::decimal::Decimal;
use nerode_solver::error::Result;

/// The size of sectors of a morris game, including all sectors on which they depend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sectors {
    /// The number of work units.
    pub num_units: usize,
    /// The number of sectors.
    pub num_sectors: usize,
    /// The number of positions up to symmetry.
    #[serde(with = "Decimal")]
    pub orbits: u128,
    /// The number of slots of the index, which include positions and unused slots.
    #[serde(with = "Decimal")]
    pub slots: u64,
    /// The size of all files in bytes before compression, with one byte per slot.
    pub bytes: u64,
    /// The unit that needs the most memory.
    pub largest_unit: String,
    /// The memory in bytes that it needs, including the units to which its moves lead.
    pub largest_unit_bytes: u64,
    /// The memory in bytes that it needs if draws are distinguished.
    pub largest_unit_ranked_bytes: u64,
}

/// The approximate size in bytes of a sector file without its codes.
const FILE_BYTES: u64 = 128;

impl Sectors {
    /// Counts all sectors of the game with the given spec.
    ///
    /// # Errors
    /// Returns an error if the spec does not describe a morris game.
    pub fn of_game(spec: &str) -> Result<Self> {
        let (_, rules, _) = named_game(spec)?;
        Self::of_roots(&rules, &[Sector::of(rules.start())])
    }

    /// Counts `roots` and the sectors on which they depend.
    ///
    /// # Errors
    /// Returns [`nerode_solver::error::Error::NoSuchSector`] if the game has no such sector.
    pub fn of_roots(rules: &Rules, roots: &[Sector]) -> Result<Self> {
        Ok(Self::of_units(rules, &plan(rules, roots)?))
    }

    /// Counts only `units`.
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

/// Returns the number of positions of a sector up to symmetry, by Burnside's lemma: the mean number of positions that a
/// symmetry leaves unchanged.
pub fn num_orbits(board: &Board, sector: Sector) -> u128 {
    let symmetries = board.symmetries();
    let stones = [usize::from(sector.own), usize::from(sector.other)];
    let kept: u128 = symmetries.iter().map(|map| num_kept(&cycles(map), stones)).sum();
    kept / symmetries.len().max(1) as u128
}

/// Returns the lengths of the cycles of `map` on the points.
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

/// Returns the number of ways to place the stones of both sides on points such that every cycle is either empty or
/// completely occupied by stones of one side.
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
    use super::*;
    use nerode_morris::tables::SectorSolve;
    use nerode_solver::solve::resources::Resources;

    #[test]
    fn positions_and_bytes_are_those_of_a_whole_game() {
        for spec in ["morris:three", "morris:five"] {
            let folder = tempfile::tempdir().unwrap();
            let solve = SectorSolve::open(spec).unwrap();
            let start = Sector::of(solve.rules.start());
            let solve = solve.of(vec![start]).unwrap();
            let found = Sectors::of_game(spec).unwrap();
            let (mut positions, mut bytes) = (0, 0);
            solve
                .solve_into(folder.path(), &Resources::default(), &mut |done| {
                    bytes += done.bytes;
                    positions += done.counts.iter().map(|(_, c)| u128::from(c.num_positions)).sum::<u128>();
                })
                .unwrap();
            assert_eq!((found.num_units, found.orbits), (solve.units.len(), positions), "{spec}");
            assert!(found.expected(2).bytes.contains(bytes), "{spec}: {bytes}");
        }
    }

    /// Checks the number against `results/morris-sectors`.
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

    /// Checks the number against paper 003, which counts 17 874 891 168 positions of the opening: for each of the 18
    /// plies, all numbers of stones up to those placed, including those that cannot occur in play and those with which
    /// a side has lost. See `results/morris-sectors`.
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
        // These are the positions that play can reach according to the numbers of stones alone.
        let reached = Sectors::of_game("morris:nine").unwrap().orbits;
        assert_eq!(reached - 8_904_593_601, 17_838_514_173);
    }
}
