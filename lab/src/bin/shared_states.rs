//! Counts the states that the sets of a retrograde run share with the set of the same kind two plies before.
//!
//! `shared_states RUN_DIR KIND [FROM_PLY]` prints, for `W[P1]` or `L[P2]` (`win` or `loss`), the states of each set, how many of them are
//! states of the set before, and the states of the new positions alone.

use std::error::Error;
use std::path::Path;

use nerode_dfa::Store;
use nerode_games::Side;
use nerode_solver::archive::run_dir::Kind;
use nerode_solver::archive::stored_run::StoredRun;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [run, kind, from @ ..] = arguments.as_slice() else {
        return Err("usage: shared_states RUN_DIR win|loss [FROM_PLY]".into());
    };
    let (kind, side, first) = if kind == "loss" { (Kind::L, Side::P2, 2u32) } else { (Kind::W, Side::P1, 1) };
    let from = from.first().map_or(Ok(first + 2), |ply| ply.parse())?;
    let solution = StoredRun::open(Path::new(run))?;
    println!("ply,states,shared,states of new positions");
    for ply in (first + 2..=solution.last_ply()).step_by(2).filter(|&ply| ply >= from) {
        let mut store = Store::unbounded(solution.game.shape().clone());
        let before = store.import(solution.set(kind, side, ply - 2)?)?;
        let held = store.num_states_held();
        let set = solution.set(kind, side, ply)?;
        let after = store.import(set)?;
        let added = store.num_states_held() - held;
        let states = set.num_states();
        let new = store.difference(&after, &before)?;
        println!("{ply},{states},{},{}", states - added, store.freeze(&new).num_states());
    }
    Ok(())
}
