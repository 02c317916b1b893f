//! Measures the seconds needed to create the value maps of a retrograde run, including reading its sets:
//! `value_map_time RUN_DIR`.

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use nerode_games::Side;
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::solve::resources::Resources;

fn main() -> Result<(), Box<dyn Error>> {
    let run = std::env::args().nth(1).ok_or("usage: value_map_time RUN_DIR")?;
    let resources = Resources::default();
    println!("game,side,depths,states,seconds");
    for side in Side::BOTH {
        for depths in [false, true] {
            let solution = StoredRun::open(Path::new(&run))?;
            let began = Instant::now();
            let map = if depths {
                solution.value_map(side, &resources)?
            } else {
                solution.category_map(side, &resources)?
            };
            let seconds = began.elapsed().as_secs_f64();
            println!("{},{side},{depths},{},{seconds:.3}", solution.game.spec(), map.num_states());
        }
    }
    Ok(())
}
