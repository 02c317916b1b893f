//! Times the library's own call, to compare Python's with: `query_many DIRECTORY COUNT` prints the seconds of one call for every line
//! that it reads, with their values. See results/python-queries.

use std::error::Error;
use std::io::BufRead;
use std::time::Instant;

use nerode::{Solution, Value};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(directory), Some(count)) = (args.next(), args.next()) else {
        return Err("give a directory, and how many positions".into());
    };
    let solution = nerode::open_solution(directory)?;
    let positions = solution.sample(count.parse()?, 1)?;
    for line in std::io::stdin().lock().lines() {
        line?;
        let began = Instant::now();
        let found = solution.query_many(&positions)?;
        let seconds = began.elapsed().as_secs_f64();
        let wins = found.iter().filter(|found| found.value() == Some(Value::Win)).count();
        let plies: u64 = found.iter().filter_map(nerode::Evaluation::depth).map(u64::from).sum();
        println!("{seconds} {wins} {plies}");
    }
    Ok(())
}
