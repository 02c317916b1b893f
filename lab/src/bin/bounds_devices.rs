//! Measures the benefit of each technique in a search with partial databases: `bounds_devices DIR PLACEMENTS PLIES
//! [COUNT] [SEED] [close|avoid]`.
//!
//! DIR is a directory of sectors, some of which are missing. COUNT positions (default 20) are drawn after PLACEMENTS
//! placed stones, from random games that close a mill whenever possible (`close`, the default) or never (`avoid`). Each
//! position is searched for PLIES plies with all techniques, without each of them, only for a draw, and with decreasing memory
//! for tables of sectors. The output is CSV with one line per configuration; `missed` counts how often a search ended at a
//! position whose value is unknown.

use std::error::Error;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use chacha20::ChaCha12Rng;
use nerode::games::explicit::apply;
use nerode::{Position, Solution, Value};
use nerode_morris::tables::SectorSolution;
use nerode_play::bounds::{Goal, Means, Search};
use rand::{RngExt, SeedableRng};

/// The size of the transposition table in bytes.
const TABLE_BYTES: u64 = 1 << 30;

/// The number of bytes of codes in a block of a sector file.
const BLOCK_BYTES: u64 = 1 << 18;

/// What the games that positions are drawn from do about mills.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mills {
    Close,
    Avoid,
}

fn main() -> Result<(), Box<dyn Error>> {
    let usage = "usage: bounds_devices DIR PLACEMENTS PLIES [COUNT] [SEED] [close|avoid]";
    let mut arguments = std::env::args().skip(1);
    let dir = arguments.next().ok_or(usage)?;
    let placements: u32 = arguments.next().ok_or(usage)?.parse()?;
    let plies: u32 = arguments.next().ok_or(usage)?.parse()?;
    let count: usize = arguments.next().map_or(Ok(20), |count| count.parse())?;
    let seed: u64 = arguments.next().map_or(Ok(1), |seed| seed.parse())?;
    let mills = match arguments.next().as_deref() {
        None | Some("close") => Mills::Close,
        Some("avoid") => Mills::Avoid,
        Some(_) => return Err(usage.into()),
    };
    let dir = Path::new(&dir);
    let positions = drawn(&nerode::open_solution(dir)?, placements, mills, count, seed)?;
    let table_bytes = bytes_of_tables(dir)?;
    let all: u64 = table_bytes.iter().sum();
    // A sector is read in blocks, and a small sector is a single block.
    let least = table_bytes.iter().copied().max().unwrap_or_default().min(BLOCK_BYTES);
    println!("way,memory,positions,proved,narrowed,at least a draw,nodes,looked_up,missed,loads,seconds");
    let one = |table, windows, order| Means { table, windows, order };
    let ways = [
        ("all", Means::ALL),
        ("no table", one(false, true, true)),
        ("no windows", one(true, false, true)),
        ("no order", one(true, true, false)),
        ("none", one(false, false, false)),
    ];
    for (name, means) in ways {
        measure(name, dir, &positions, plies, (means, Goal::Value), all)?;
    }
    measure("draw only", dir, &positions, plies, (Means::ALL, Goal::Draw), all)?;
    for (name, means) in [("all", Means::ALL), ("no order", one(true, true, false))] {
        let mut memories = [all / 2, all / 4, all / 8, all / 16].map(|memory| memory.max(least)).to_vec();
        memories.dedup();
        for memory in memories {
            measure(name, dir, &positions, plies, (means, Goal::Value), memory)?;
        }
    }
    Ok(())
}

/// Returns the size in memory of each existing sector in bytes.
fn bytes_of_tables(dir: &Path) -> Result<Vec<u64>, Box<dyn Error>> {
    let sectors = SectorSolution::open(dir)?;
    let mut bytes = Vec::new();
    for file in sectors.dir.sectors()? {
        bytes.push(sectors.table(file.sector)?.bytes());
        sectors.forget();
    }
    Ok(bytes)
}

/// Returns random positions after the given number of placements.
fn drawn(
    solution: &Solution,
    placements: u32,
    mills: Mills,
    count: usize,
    seed: u64,
) -> Result<Vec<Position>, Box<dyn Error>> {
    let mut rng = ChaCha12Rng::seed_from_u64(seed);
    let mut positions = Vec::new();
    for _ in 0..1000 * count {
        if let Some(position) = played(solution, placements, mills, &mut rng)
            && solution.query(&position)?.value().is_none()
            && !positions.contains(&position)
        {
            positions.push(position);
        }
        if positions.len() == count {
            return Ok(positions);
        }
    }
    Err("there are not as many positions that the sectors do not know".into())
}

fn played(solution: &Solution, placements: u32, mills: Mills, rng: &mut ChaCha12Rng) -> Option<Position> {
    let game = solution.game();
    let mut at = game.start_position();
    let stones = |board: &[u8]| board.iter().rev().skip(2).filter(|&&cell| cell != 0).count();
    for _ in 0..placements {
        let mut moves = Vec::new();
        game.outcome(&at.board, at.side).is_none().then_some(())?;
        game.legal_moves(&at.board, at.side, &mut moves);
        let after: Vec<Vec<u8>> = moves.iter().map(|mv| apply(&at.board, mv)).collect();
        let closes = |board: &Vec<u8>| stones(board) <= stones(&at.board);
        let wanted: Vec<&Vec<u8>> =
            after.iter().filter(|board| closes(board) == (mills == Mills::Close)).collect();
        let next = match wanted.as_slice() {
            [] => after.get(rng.random_range(0..after.len()))?.clone(),
            wanted => wanted[rng.random_range(0..wanted.len())].clone(),
        };
        at = Position { board: next, side: at.side.other() };
    }
    game.outcome(&at.board, at.side).is_none().then_some(at)
}

/// Searches all positions in one configuration, with tables that have not been read before.
fn measure(
    name: &str,
    dir: &Path,
    positions: &[Position],
    plies: u32,
    (means, goal): (Means, Goal),
    memory: u64,
) -> Result<(), Box<dyn Error>> {
    let solution = nerode::open_solution(dir)?.with_memory(memory);
    let never = AtomicBool::new(false);
    let search = Search { plies, deadline: None, interrupt: &never, memory: TABLE_BYTES, means, goal };
    let began = Instant::now();
    let (mut proved, mut narrowed, mut drawn, mut nodes, mut looked_up, mut missed, mut loads) =
        (0, 0, 0, 0, 0, 0, 0);
    for position in positions {
        let found = search.run(&solution, &solution.query(position)?, &mut |_| ())?;
        proved += usize::from(found.range.value().is_some());
        narrowed += usize::from(found.range != nerode_solver::outcome::ValueRange::UNKNOWN);
        drawn += usize::from(found.range.least() >= Value::Draw);
        nodes += found.nodes;
        looked_up += found.looked_up;
        missed += found.missed;
        loads += found.loads;
    }
    let seconds = began.elapsed().as_secs_f64();
    let count = positions.len();
    println!(
        "{name},{memory},{count},{proved},{narrowed},{drawn},{nodes},{looked_up},{missed},{loads},{seconds:.2}"
    );
    Ok(())
}
