//! Prints what the library answers about positions, which are read from standard input, as a line of JSON for each:
//! `interface_answers SOLUTION < positions`. `results/interfaces` compares it with the other interfaces.

use std::io::BufRead;

use nerode::Value;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = std::env::args().nth(1).ok_or("usage: interface_answers SOLUTION < positions")?;
    let solution = nerode::open_solution(&directory)?;
    let known = |value: Option<Value>| value.map_or("null".into(), |value| format!("\"{value}\""));
    let number = |number: Option<i64>| number.map_or("null".into(), |number| number.to_string());
    for line in std::io::stdin().lock().lines() {
        let position = solution.game().parse_position(&line?)?;
        let answer = solution.query(&position)?;
        let [rank, distance] = match answer.draw() {
            Some(draw) => [Some(draw.rank.into()), draw.distance.map(Into::into)],
            None => [None, None],
        };
        println!(
            "[{}, {}, {}, {}, {}]",
            known(answer.value()),
            number(answer.depth().map(Into::into)),
            number(answer.depth_bound().map(Into::into)),
            number(rank),
            number(distance)
        );
    }
    Ok(())
}
