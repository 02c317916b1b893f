//! Uses the sets of a solution as automata: sizes, counts, set operations, and random positions.

use nerode::{Kind, Options, Side, Value};

fn main() -> nerode::Result<()> {
    let solution = nerode::open("breakthrough:3x4")?.solve(Options::default())?;
    for set in solution.sets() {
        println!("{:<10} {:>6} states {:>8} positions", set.name(), set.num_states(), set.num_positions());
    }
    // The result contains the positions that either side would win if it were to move.
    let won = |side| {
        let sets = solution.sets().into_iter().filter(move |set| (set.kind(), set.side()) == (Kind::W, side));
        sets.max_by_key(|set| set.ply())
    };
    if let (Some(one), Some(two)) = (won(Side::P1), won(Side::P2)) {
        println!("won by the side to move: {}", one.dfa()?.and(two.dfa()?)?.count()?);
    }
    println!("P1 to move, lost: {}", solution.count(Side::P1, Some(Value::Loss))?);
    for position in solution.sample(3, 1)? {
        println!("{}", solution.game().format_position(&position));
    }
    Ok(())
}
