//! Compares games defined by rules texts with the built-in games: value and depth of every position that occurs in play.

use std::collections::HashSet;
use std::sync::Arc;

use nerode::games::{Position, explicit, registry};
use nerode::rules::rbg::{bundled, open_text};
use nerode::{Options, Reply, Solution};

/// Solves a bundled game on another board, which is given by rows of symbols.
fn solved(name: &str, rows: &[&str], pieces: &[(char, &str)]) -> Solution {
    let text = bundled().iter().find(|game| game.name == name).unwrap().text;
    let (before, board) = text.split_once("rectangle(up,down,left,right,").unwrap();
    let piece = |symbol: char| pieces.iter().find(|(known, _)| *known == symbol).unwrap().1;
    let row = |row: &&str| format!("[{}]", row.chars().map(piece).collect::<Vec<_>>().join(","));
    let rows: String = rows.iter().map(row).collect();
    let text = format!("{before}rectangle(up,down,left,right,{rows}){}", board.split_once(')').unwrap().1);
    nerode::open_game(open_text(name, &text, None).unwrap()).solve(Options::default()).unwrap()
}

/// Asserts that every non-terminal position of the built-in game has the same value and depth, and returns the number of
/// positions. `symbols` pairs the symbols of the built-in game with those of the rules.
fn agree(rules: &Solution, built_in: &str, symbols: &[(char, char)]) -> usize {
    let game = registry::open(built_in).unwrap();
    let expected = nerode::open_game(Arc::clone(&game)).solve(Options::default()).unwrap();
    let sides = [0, 1].map(|side| {
        let form = rules.game().position_form();
        let names = form.split("the side to move, ").nth(1).unwrap().split(';').next().unwrap();
        names.split(" or ").nth(side).unwrap().to_string()
    });
    let start = game.start_position();
    let (mut seen, mut left) = (HashSet::from([start.clone()]), vec![start]);
    let mut compared = 0;
    while let Some(position) = left.pop() {
        let mut moves = Vec::new();
        game.legal_moves(&position.board, position.side, &mut moves);
        if moves.is_empty() {
            continue;
        }
        let text = game.format_position(&position);
        let rows = text.split(' ').next().unwrap();
        let rows: String = rows
            .chars()
            .map(|symbol| symbols.iter().find(|(known, _)| *known == symbol).map_or(symbol, |(_, own)| *own))
            .collect();
        let same = rules.game().parse_position(&format!("{rows} {}", sides[position.side.index()])).unwrap();
        let (found, expected) = (rules.query(&same).unwrap(), expected.query(&position).unwrap());
        assert_eq!(
            (found.value(), found.depth()),
            (expected.value(), expected.depth()),
            "{built_in}: {text}"
        );
        // In the rules text, a winning pawn leaves the board from any square, so that all such moves are the same.
        let pawn_leaves = built_in.starts_with("breakthrough");
        let told_apart = |reply: &&Reply| !pawn_leaves || reply.depth() != Some(1);
        let [found, expected] =
            [found, expected].map(|answer| answer.moves().iter().filter(told_apart).count());
        assert_eq!(found, expected, "{built_in}: {text}");
        compared += 1;
        for mv in &moves {
            let next = Position { board: explicit::apply(&position.board, mv), side: position.side.other() };
            if seen.insert(next.clone()) {
                left.push(next);
            }
        }
    }
    compared
}

const MEN: [(char, &str); 4] = [('.', "empty"), ('w', "w"), ('b', "b"), ('#', "arrow")];

#[test]
fn breakthrough_from_a_text_is_the_built_in_game() {
    let rules = solved("breakthrough", &["bbb", "bbb", "www", "www"], &MEN);
    assert!(agree(&rules, "breakthrough:3x4", &[]) > 1000);
    let rules = solved("breakthrough", &["bb", "bb", "..", "ww", "ww"], &MEN);
    assert!(agree(&rules, "breakthrough:2x5", &[]) > 1000);
}

#[test]
fn tictactoe_from_a_text_is_the_built_in_game() {
    let rules = solved("tictactoe", &["...", "...", "..."], &MEN);
    assert_eq!(agree(&rules, "tictactoe:3x3", &[('X', 'x'), ('O', 'o')]), 4520);
}

#[test]
fn connect_four_from_a_text_is_the_built_in_game() {
    let rules = solved("connectfour", &["....", "....", "...."], &MEN);
    assert!(agree(&rules, "connect:4x3", &[('X', 'x'), ('O', 'o')]) > 1000);
}

#[test]
fn amazons_from_a_text_are_the_built_in_game() {
    let rules = solved("amazons", &[".b", "..", "w."], &MEN);
    assert!(agree(&rules, "amazons:2x3,start=1b/2/w1", &[('x', 'a')]) > 100);
}
