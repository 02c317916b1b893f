//! Times sectors solved as sets: `sector_sets_time GAME A B`.
use std::time::Instant;

use nerode::rules::Resources;
use nerode::sector_sets::SectorSolver;
use nerode_games::morris::rules_of;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (game, rules) = rules_of(&args[0])?;
    let began = Instant::now();
    let resources = Resources { memory: 4 << 30, threads: 2, ..Resources::default() };
    let mut solver = SectorSolver::new(game, rules.board.num_points(), &resources)?;
    println!("compiled {:?}", began.elapsed());
    for a in 3..=args[1].parse()? {
        for b in 3..=args[2].parse()? {
            let sets = solver.solve([a, b])?;
            let c = |p: usize, parity: usize| -> u128 {
                sets.by_depth[p].iter().skip(parity).step_by(2).map(|s| s.count().unwrap_or(0)).sum()
            };
            let (win, loss, all) = (c(0, 1), c(0, 0), sets.all.count()?);
            println!(
                "{a}-{b} {win} / {} / {loss} {:?} {} bytes",
                all - win - loss,
                began.elapsed(),
                solver.bytes()
            );
        }
    }
    Ok(())
}
