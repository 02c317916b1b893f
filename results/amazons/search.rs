//! Who wins the standard start of the amazons on a small board, by plain search: `rustc -O search.rs && ./search WIDTH HEIGHT`.
//!
//! Apart from everything in the repository: boards are bit sets, positions are remembered up to reflections of the board, and
//! moves are tried in the order of an estimate that decides nothing else.

use std::collections::HashMap;

/// Amazons of the side to move, of the other side, and arrows.
type Position = (u64, u64, u64);

fn cells(set: u64) -> impl Iterator<Item = usize> {
    (0..64).filter(move |cell| set >> cell & 1 == 1)
}

struct Board {
    width: usize,
    height: usize,
    /// Cells on each of the eight lines that leave a cell, nearest first.
    rays: Vec<[Vec<usize>; 8]>,
}

impl Board {
    fn new(width: usize, height: usize) -> Self {
        const WAYS: [(i64, i64); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
        let on_board = |x: i64, y: i64| (0..width as i64).contains(&x) && (0..height as i64).contains(&y);
        let ray = |cell: usize, (dx, dy): (i64, i64)| -> Vec<usize> {
            let (x, y) = ((cell % width) as i64, (cell / width) as i64);
            let steps = (1..).map(|i| (x + i * dx, y + i * dy)).take_while(|&(x, y)| on_board(x, y));
            steps.map(|(x, y)| y as usize * width + x as usize).collect()
        };
        let rays = (0..width * height).map(|cell| WAYS.map(|way| ray(cell, way))).collect();
        Self { width, height, rays }
    }

    /// Where a queen on `from` can go.
    fn queen(&self, from: usize, occupied: u64) -> u64 {
        let mut reached = 0;
        for ray in &self.rays[from] {
            for &cell in ray.iter().take_while(|&&cell| occupied >> cell & 1 == 0) {
                reached |= 1 << cell;
            }
        }
        reached
    }

    /// Queen's moves from the nearest of `amazons` to every cell, 99 where there is no way.
    fn distances(&self, amazons: u64, occupied: u64) -> [u8; 64] {
        let (mut distances, mut front, mut seen) = ([99; 64], amazons, 0);
        for distance in 1.. {
            let next = cells(front).fold(0, |all, from| all | self.queen(from, occupied)) & !seen;
            if next == 0 {
                break;
            }
            cells(next).for_each(|cell| distances[cell] = distance);
            (front, seen) = (next, seen | next);
        }
        distances
    }

    /// How good the position looks to the side to move: cells that it is nearer to, and amazons with room.
    fn estimate(&self, (own, other, arrows): Position) -> i32 {
        let occupied = own | other | arrows;
        let (near, far) = (self.distances(own, occupied), self.distances(other, occupied));
        let territory = |cell: usize| match near[cell].cmp(&far[cell]) {
            std::cmp::Ordering::Less => 4 + if far[cell] == 99 { 2 } else { 0 },
            std::cmp::Ordering::Greater => -4 - if near[cell] == 99 { 2 } else { 0 },
            std::cmp::Ordering::Equal => i32::from(near[cell] < 99),
        };
        let room = |amazons| -> i32 {
            cells(amazons).map(|cell| self.queen(cell, occupied).count_ones().min(3) as i32).sum()
        };
        let empty = (0..self.width * self.height).filter(|cell| occupied >> cell & 1 == 0);
        empty.map(territory).sum::<i32>() + room(own) - room(other)
    }

    /// The least of the position's reflections.
    fn canonical(&self, position: Position) -> Position {
        let reflected = |set: u64, across: bool, over: bool| {
            cells(set).fold(0, |image, cell| {
                let (x, y) = (cell % self.width, cell / self.width);
                let x = if across { self.width - 1 - x } else { x };
                let y = if over { self.height - 1 - y } else { y };
                image | 1u64 << (y * self.width + x)
            })
        };
        let image = |(across, over): (bool, bool)| {
            let (own, other, arrows) = position;
            (reflected(own, across, over), reflected(other, across, over), reflected(arrows, across, over))
        };
        [(false, true), (true, false), (true, true)].map(image).into_iter().fold(position, Position::min)
    }

    /// Positions after one move, the opponent to move, those that look worst to it first.
    fn successors(&self, (own, other, arrows): Position) -> Vec<(i32, Position)> {
        let mut all = Vec::new();
        for from in cells(own) {
            let rest = own & !(1 << from);
            for to in cells(self.queen(from, rest | other | arrows)) {
                let moved = rest | 1 << to;
                for at in cells(self.queen(to, moved | other | arrows)) {
                    let next = (other, moved, arrows | 1 << at);
                    all.push((self.estimate(next), next));
                }
            }
        }
        all.sort_unstable();
        all
    }

    fn wins(&self, position: Position, known: &mut HashMap<Position, bool>) -> bool {
        let key = self.canonical(position);
        if let Some(&won) = known.get(&key) {
            return won;
        }
        let won = self.successors(position).into_iter().any(|(_, next)| !self.wins(next, known));
        known.insert(key, won);
        won
    }
}

fn main() {
    let edges: Vec<usize> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let [width @ 4..=8, height @ 4..=8] = edges[..] else {
        return eprintln!("usage: search WIDTH HEIGHT, both from 4 to 8");
    };
    let amazons = |edge: usize, inner: usize| {
        let squares = [(1, edge), (width - 2, edge), (0, inner), (width - 1, inner)];
        squares.iter().fold(0, |set, (x, y)| set | 1u64 << (y * width + x))
    };
    let start = (amazons(0, 1), amazons(height - 1, height - 2), 0);
    let mut known = HashMap::new();
    let winner = if Board::new(width, height).wins(start, &mut known) { "first" } else { "second" };
    println!("{width}x{height}: the {winner} player wins; {} positions searched", known.len());
}
