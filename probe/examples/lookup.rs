//! Looks a position up in packed values of reached positions: `lookup FILE [POSITION]`.

use nerode_probe::{Outcome, Probe, Settings};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("usage: lookup FILE [POSITION]")?;
    let probe = Probe::open(Box::new(std::fs::read(file)?), &Settings::default())?;
    let position = match arguments.next() {
        Some(text) => probe.position(&text)?,
        None => probe.game().start_position(),
    };
    let answer = probe.query(&position)?;
    let words = |outcome: Option<Outcome>| outcome.map_or("not covered".into(), |known| known.to_string());
    println!("{}", words(answer.evaluation().outcome()));
    for reply in answer.moves() {
        println!("  {}: {}", reply.text(), words(reply.outcome()));
    }
    Ok(())
}
