//! A separate project that uses nerode: it solves a game and queries the solution from eight threads at once.
#![forbid(unsafe_code)]

use nerode::{Answer, Options, Position, Solution};

/// Queries all positions. Each thread starts with a different position, so that the threads read files at the same time.
fn ask(solution: &Solution, positions: &[Position], first: usize) -> nerode::Result<Vec<Answer>> {
    let mut answers = vec![None; positions.len()];
    for at in (0..positions.len()).map(|at| (first + at) % positions.len()) {
        answers[at] = Some(solution.query(&positions[at])?);
    }
    Ok(answers.into_iter().flatten().collect())
}

fn main() -> nerode::Result<()> {
    let solution = nerode::open("breakthrough:3x4")?.solve(Options::default())?;
    let positions = solution.sample(2000, 1)?;
    let answers: Vec<Vec<Answer>> = std::thread::scope(|scope| {
        let ask_from = |thread: usize| {
            let (solution, positions) = (&solution, &positions);
            scope.spawn(move || ask(solution, positions, thread * positions.len() / 8))
        };
        let threads: Vec<_> = (0..8).map(ask_from).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().map(join).collect::<nerode::Result<_>>()
    })?;
    assert_eq!(answers[0].len(), positions.len());
    assert!(answers.iter().all(|others| others == &answers[0]), "threads got different answers");

    let start = solution.query(&solution.game().start_position())?;
    println!(
        "{}: {:?} in {:?} plies; {} positions queried by 8 threads",
        solution.game().spec(),
        start.value(),
        start.depth(),
        positions.len()
    );
    Ok(())
}
