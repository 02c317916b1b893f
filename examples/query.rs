//! Queries a solution about a position and continues play from there: `cargo run --example query --
//! runs/breakthrough_4x5 POSITION`. Without arguments, it solves tic-tac-toe and queries its start position.

use nerode::Options;

fn main() -> nerode::Result<()> {
    let mut args = std::env::args().skip(1);
    let solution = match args.next() {
        Some(directory) => nerode::open_solution(directory)?,
        None => nerode::open("tictactoe:3x3")?.solve(Options::default())?,
    };
    let game = solution.game();
    let position = match args.next() {
        Some(text) => game.parse_position(&text)?,
        None => game.start_position(),
    };
    println!("{}", game.draw(&position));
    for reply in solution.query(&position)?.moves() {
        let value = reply.value().map_or("unknown".into(), |value| value.to_string());
        let depth = reply.depth().map_or(String::new(), |plies| format!(" in {plies}"));
        println!("{:<6} {value}{depth}", reply.text());
    }
    let line = solution.best_line(&position)?;
    let line: Vec<&str> = line.iter().map(|reply| reply.text()).collect();
    println!("best play: {}", line.join(" "));
    Ok(())
}
