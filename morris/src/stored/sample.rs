//! Random positions of sectors.

use chacha20::ChaCha12Rng;
use nerode_games::morris::Rules;
use nerode_games::{Position, Side};
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};

use crate::tables::Sector;

/// Draws boards of the sector with that name, or returns `None` if it is not one of `sectors`.
pub(super) fn in_sector(
    rules: &Rules,
    sectors: &[Sector],
    name: &str,
    n: usize,
    seed: u64,
) -> Option<Vec<Position>> {
    let sector = sectors.iter().find(|sector| sector.to_string() == name)?;
    Some(of_sectors(rules, &[*sector], n, seed))
}

/// Draws boards of sectors: first a sector, weighted by its number of boards, then the points of the stones.
pub(super) fn of_sectors(rules: &Rules, sectors: &[Sector], n: usize, seed: u64) -> Vec<Position> {
    let mut rng = ChaCha12Rng::seed_from_u64(seed);
    let points = rules.board.num_points();
    let sizes: Vec<u128> = sectors.iter().map(|sector| sector.num_boards(points)).collect();
    let all: u128 = sizes.iter().sum();
    let mut positions = Vec::with_capacity(n);
    while positions.len() < n && all > 0 {
        let mut rank = rng.random_range(0..all);
        for (sector, &size) in sectors.iter().zip(&sizes) {
            if rank < size {
                positions.push(of_sector(rules, *sector, &mut rng));
                break;
            }
            rank -= size;
        }
    }
    positions
}

fn of_sector(rules: &Rules, sector: Sector, rng: &mut ChaCha12Rng) -> Position {
    let mut points: Vec<u32> = (0..rules.board.num_points() as u32).collect();
    points.shuffle(rng);
    let stones = |points: &[u32]| points.iter().fold(0, |set, point| set | 1 << point);
    let (own, rest) = points.split_at(usize::from(sector.own).min(points.len()));
    let other = &rest[..usize::from(sector.other).min(rest.len())];
    let side = *Side::BOTH.choose(rng).unwrap_or(&Side::P1);
    Position { board: rules.board_of(sector.state(stones(own), stones(other)), side), side }
}
