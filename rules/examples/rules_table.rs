//! Which files of rules are read and compiled: `cargo run --release -p nerode-rules --example rules_table FILE...`
//!
//! Prints a row of a table for every file. The moves of both sides are made within 4 GiB and a minute, and not solved.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use nerode_dfa::Store;
use nerode_games::{Game, Side};
use nerode_rules::rbg::{open_text, read};

/// What the moves may take.
const BYTES: u64 = 4 << 30;
const TIME: Duration = Duration::from_secs(60);

fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "| file | squares | read | compiled | letters and words, or why not | seconds |\n|---|---|---|---|---|---|"
    );
    for file in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&file)?;
        let name =
            Path::new(&file).file_name().map_or(file.clone(), |name| name.to_string_lossy().into_owned());
        let begin = Instant::now();
        let [squares, is_read, is_compiled, said] = row(&name, &text);
        let seconds = begin.elapsed().as_secs_f64();
        println!("| {name} | {squares} | {is_read} | {is_compiled} | {said} | {seconds:.1} |");
    }
    Ok(())
}

/// Squares, whether it is read, whether it is compiled, and what there is to say.
fn row(name: &str, text: &str) -> [String; 4] {
    let (yes, no) = (|| "yes".to_string(), || "no".to_string());
    let squares = match read(name, text) {
        Err(error) => return [String::new(), no(), no(), one_line(&error.to_string())],
        Ok(book) => book.board().squares.len().to_string(),
    };
    match open_text(name, text, None).map_err(Into::into).and_then(|game| moves(&*game)) {
        Ok(said) => [squares, yes(), yes(), said],
        Err(error) => [squares, yes(), no(), one_line(&error.to_string())],
    }
}

/// Makes the moves of both sides; says how large positions are.
fn moves(game: &dyn Game) -> Result<String, Box<dyn Error>> {
    let mut store = Store::new(game.shape().clone(), BYTES)?;
    let stop = Arc::new(AtomicBool::new(false));
    store.set_interrupt(Arc::clone(&stop));
    std::thread::spawn(move || {
        std::thread::sleep(TIME);
        stop.store(true, Ordering::Relaxed);
    });
    for side in Side::BOTH {
        let graph = game.moves(&mut store, side)?;
        store.relation(&graph)?;
    }
    let letters = game.shape().alphabets();
    let digits: f64 = letters.iter().map(|&letters| f64::from(letters).log10()).sum();
    Ok(format!("{} layers, 10^{digits:.1} words", letters.len()))
}

fn one_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().replace('|', "/")
}
