//! Measures look-ups of packed values of reached positions: `packed_lookups RUN PACKED [COUNT] [SEED] [packed-only]`.
//!
//! RUN is a run by meet in the middle without a values folder, and PACKED a folder that `nerode pack RUN --out PACKED` has
//! written. COUNT reached positions (default 20 000) are drawn, each ply in proportion to its positions. The output is CSV:
//! the mean time of a look-up in the sets and in the packed values after all positions have been looked up once, in the
//! packed values during the first pass, and in a solution that was opened for one position (100 of them), which includes
//! reading the header and the indices. Every answer of the packed values is compared with the sets, unless `packed-only` is
//! given because the sets take too long to read.

use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use nerode::{Evaluation, Position, Solution, open_solution};

/// The memory for the solution, of which an eighth goes to blocks of the packed values, as with `query --memory 8GiB`.
const MEMORY: u64 = 8 << 30;

fn main() -> Result<(), Box<dyn Error>> {
    let usage = "usage: packed_lookups RUN PACKED [COUNT] [SEED] [packed-only]";
    let mut arguments = std::env::args().skip(1);
    let run = arguments.next().ok_or(usage)?;
    let packed = arguments.next().ok_or(usage)?;
    let count: usize = arguments.next().map_or(Ok(20_000), |count| count.parse())?;
    let seed: u64 = arguments.next().map_or(Ok(1), |seed| seed.parse())?;
    let with_sets = arguments.next().is_none();
    let sets = open_solution(Path::new(&run))?;
    let positions = sets.sample(count, seed)?;
    let expected =
        if with_sets { Some((look_up(&sets, &positions)?.1, look_up(&sets, &positions)?.0)) } else { None };
    let solution = open_solution(Path::new(&packed))?.with_memory(MEMORY);
    let (first, found) = look_up(&solution, &positions)?;
    let (warm, _) = look_up(&solution, &positions)?;
    let mut alone = Duration::ZERO;
    let few: Vec<&Position> = positions.iter().step_by(count.div_ceil(100).max(1)).collect();
    for position in &few {
        let began = Instant::now();
        open_solution(Path::new(&packed))?.look_up(position)?;
        alone += began.elapsed();
    }
    let mean = |time: Duration, count: usize| time.as_secs_f64() * 1e6 / count.max(1) as f64;
    let (mismatches, in_sets) = match expected {
        None => (String::new(), String::new()),
        Some((expected, in_sets)) => {
            let mismatches =
                found.iter().zip(&expected).filter(|(found, expected)| found != expected).count();
            (mismatches.to_string(), format!("{:.1}", mean(in_sets, positions.len())))
        }
    };
    println!("positions,mismatches,sets_us,packed_us,first_pass_us,opened_us");
    println!(
        "{},{mismatches},{in_sets},{:.1},{:.1},{:.1}",
        positions.len(),
        mean(warm, positions.len()),
        mean(first, positions.len()),
        mean(alone, few.len())
    );
    Ok(())
}

fn look_up(solution: &Solution, positions: &[Position]) -> nerode::Result<(Duration, Vec<Evaluation>)> {
    let began = Instant::now();
    let found = positions.iter().map(|position| solution.look_up(position)).collect::<nerode::Result<_>>()?;
    Ok((began.elapsed(), found))
}
