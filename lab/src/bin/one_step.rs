//! Computes one retrograde step on sets of a finished run, by recursion or by a pass, for use with an instruction counter.
//!
//! `cargo run --release -p nerode-lab --bin one_step -- RUN PLY recursion|passes [win|loss [mirror]]` computes `W[P1]` of ply + 1 (or `L[P2]`)
//! from the sets of ply, and prints states, operations and seconds. With `none` instead of a method, it only reads the sets, and
//! with `mirror`, the result contains only words that are not greater than their mirror images.

use std::path::PathBuf;
use std::time::Instant;

use nerode_dfa::{Dfa, Store};
use nerode_games::Side;
use nerode_lab::not_above_mirror;
use nerode_solver::archive::run_dir::Kind;
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::solve::engine::Engine;
use nerode_solver::solve::operand::Operand;
use nerode_solver::solve::resources::{Backend, Resources};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [run, ply, way, rest @ ..] = arguments.as_slice() else {
        return Err("usage: one_step RUN PLY recursion|passes|none [win|loss [mirror]]".into());
    };
    let solution = StoredRun::open(&PathBuf::from(run))?;
    let loss = rest.first().is_some_and(|kind| kind == "loss");
    let (side, input) = if loss { (Side::P2, Kind::W) } else { (Side::P1, Kind::L) };
    let set = solution.set(input, side.other(), ply.parse()?)?;
    println!("{input:?} of ply {ply}: {} states", set.num_states());
    let backend = match way.as_str() {
        "recursion" => Backend::Recursion,
        "passes" => Backend::Passes,
        _ => return Ok(()),
    };
    let resources = Resources { backend, ..Resources::default() };
    let mut engine = Engine::new(solution.game.clone(), &resources, None)?;
    let terminal = engine.terminal(side).clone();
    // `Retrograde` uses the same operations for large sets.
    let lost = engine.terminal(side.other()).loss.clone();
    let at_once = engine
        .image(Operand::into(&lost, side), &[&terminal.win, &terminal.all], |x, s| s[0] || x && !s[1])?;
    let quiet = engine.combine(&[&terminal.playing, &at_once], |x| x[0] && !x[1])?;
    let wanted = match rest.get(1) {
        None => Dfa::full(terminal.loss.shape()),
        Some(_) => {
            let labels: Vec<String> = solution.game.layers().into_iter().map(|layer| layer.label).collect();
            let mut store = Store::unbounded(solution.game.shape().clone());
            let mirror = not_above_mirror(&mut store, &labels)?;
            store.freeze(&mirror)
        }
    };
    println!("words that the result may contain: {}, {} states", wanted.count()?, wanted.num_states());
    let began = Instant::now();
    let result = if loss {
        let sides = [&terminal.loss, &quiet, &wanted];
        engine.image(Operand::avoiding(set, side), &sides, |x, s| s[2] && (s[0] || s[1] && !x))?
    } else {
        let sides = [&at_once, &terminal.all, &wanted];
        engine.image(Operand::into(set, side), &sides, |x, s| s[2] && (s[0] || x && !s[1]))?
    };
    println!("result: {} states, {:.3} s", result.num_states(), began.elapsed().as_secs_f64());
    println!("recursions: {:?}", engine.recursion_stats());
    println!("passes: {:?}", engine.pass_stats());
    Ok(())
}
