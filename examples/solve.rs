//! Solves a game into a directory and prints the winner: `cargo run --example solve -- breakthrough:4x5 runs/mine`.

use nerode::{Existing, Options, Value};

fn main() -> nerode::Result<()> {
    let mut args = std::env::args().skip(1);
    let spec = args.next().unwrap_or_else(|| "breakthrough:3x4".into());
    let mut options = Options::default()
        .memory(2 << 30)
        .on_ply(|done| eprintln!("{} ply {}: {} states", done.phase, done.ply, done.states));
    if let Some(directory) = args.next() {
        // This resumes an interrupted run and opens a finished one.
        options = options.directory(directory).existing(Existing::Resume);
    }
    let solution = nerode::open(&spec)?.solve(options)?;
    let start = solution.game().start_position();
    let answer = solution.query(&start)?;
    let plies = answer.depth().map_or(String::new(), |plies| format!(" in {plies} plies"));
    match answer.value() {
        Some(Value::Win) => println!("{spec}: {} wins{plies}", start.side),
        Some(Value::Loss) => println!("{spec}: {} wins{plies}", start.side.other()),
        Some(Value::Draw) => println!("{spec}: a draw"),
        None => println!("{spec}: not decided within the plies searched"),
    }
    Ok(())
}
