//! Moves by ply, against published figures and those of the built-in games.

use nerode_games::rbg::{Interpreter, Rulebook, bundled, read};

/// A game that comes with the program.
pub fn game(name: &str) -> Rulebook {
    let game = bundled().iter().find(|game| game.name == name).unwrap_or_else(|| panic!("no {name}"));
    read(game.name, game.text).unwrap()
}

#[test]
fn tictactoe() {
    let book = game("tictactoe");
    let counts = Interpreter::new(&book).perft(10, |_| true).unwrap().plies;
    let paths: Vec<u128> = counts.iter().map(|ply| ply.paths).collect();
    assert_eq!(paths, [1, 9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872, 0]);
    assert_eq!(counts.iter().filter_map(|ply| ply.positions).sum::<u64>(), 5478);
    assert_eq!(counts.iter().filter_map(|ply| ply.ended).sum::<u128>(), 255_168);
    assert!(counts.iter().all(|ply| ply.paths == ply.results));
}
