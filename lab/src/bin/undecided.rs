//! Counts the positions that a retrograde run, finished or not, leaves undecided after each ply, for each
//! interpretation of "all positions". `undecided RUN_DIR [FROM_PLY]` counts those of P1 among all words and among the
//! admissible words. Positions that the rules define as drawn count as undecided.
//!
//! A run of one chain contains `W[P1]` and `L[P2]`. The admissible words of the latter are the mirror images of those
//! of `L[P1]`.

use std::error::Error;
use std::path::Path;

use nerode_dfa::{Dfa, Store};
use nerode_games::Side;
use nerode_solver::archive::run_dir::Kind;
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::solve::engine::Engine;
use nerode_solver::solve::resources::Resources;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let run = arguments.first().ok_or("usage: undecided RUN_DIR [FROM_PLY]")?;
    let from = arguments.get(1).map_or(Ok(0), |ply| ply.parse())?;
    let solution = StoredRun::open(Path::new(run))?;
    let mut engine = Engine::new(solution.game.clone(), &Resources::default(), None)?;
    let all = Dfa::full(solution.game.shape()).count()?;
    let mut store = Store::unbounded(solution.game.shape().clone());
    let mut admissible = Vec::new();
    for side in Side::BOTH {
        let set = solution
            .game
            .admissible(&mut store, side)?
            .ok_or("the game does not say which words are admissible")?;
        admissible.push(store.freeze(&set));
    }
    println!("ply,undecided of all words,undecided of admissible words");
    println!("before,{all},{}", admissible[Side::P1.index()].count()?);
    for ply in from..=solution.last_ply() {
        let mut left = [all, admissible[Side::P1.index()].count()?];
        for kind in [Kind::W, Kind::L] {
            let side = if solution.entry(kind, Side::P1, ply)?.is_mirror() { Side::P2 } else { Side::P1 };
            let set = solution.set(kind, side, ply)?;
            left[0] -= set.count()?;
            left[1] -= engine.combine(&[set, &admissible[side.index()]], |x| x[0] && x[1])?.count()?;
        }
        println!("{ply},{},{}", left[0], left[1]);
    }
    Ok(())
}
