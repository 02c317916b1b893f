//! Symmetries of the board that preserve the rules.

use std::collections::{BTreeSet, HashSet};

use nerode_games::{Game, Side, Symmetry};
use nerode_rules::rbg::open_text;

use crate::counts::successors;
use crate::open;

fn names(name: &str) -> Vec<String> {
    open(name).unwrap().symmetries().into_iter().map(|symmetry| symmetry.name).collect()
}

fn moved(symmetry: &Symmetry, board: &[u8]) -> Vec<u8> {
    let mut after = vec![0; board.len()];
    for (cell, &content) in board.iter().enumerate() {
        after[symmetry.image[cell]] = content;
    }
    after
}

/// Asserts that moves and outcomes of the image are the images of moves and outcomes, for the positions of the first plies.
fn commutes(game: &dyn Game, symmetry: &Symmetry, most: usize) {
    let mut seen = HashSet::from([game.start()]);
    let mut left = vec![game.start()];
    while let Some((board, side)) = left.pop() {
        let image = moved(symmetry, &board);
        assert_eq!(game.outcome(&image, side), game.outcome(&board, side), "{} {board:?}", game.spec());
        if game.outcome(&board, side).is_some() {
            continue;
        }
        let after = successors(game, &board, side);
        let expected: BTreeSet<Vec<u8>> = after.iter().map(|board| moved(symmetry, board)).collect();
        let found: BTreeSet<Vec<u8>> = successors(game, &image, side).into_iter().collect();
        assert_eq!(found, expected, "{} {} {board:?}", game.spec(), symmetry.name);
        for board in after {
            let next = (board, side.other());
            if seen.len() < most && seen.insert(next.clone()) {
                left.insert(0, next);
            }
        }
    }
    assert!(seen.len() > 20 && seen.iter().any(|(_, side)| *side == Side::P2), "{}", game.spec());
}

#[test]
fn the_rules_keep_these() {
    assert_eq!(names("rbg:tictactoe").len(), 7);
    assert_eq!(names("rbg:breakthrough"), ["mirror"]);
    assert!(names("rbg:dodgem").is_empty(), "the reflection would also exchange the sides");
    // This board is listed square by square: two triangles share a point, and men move in both directions along every line.
    assert!(!names("rbg:laukatakati:quiet=2").is_empty());
}

#[test]
fn moves_commute_with_them() {
    for name in
        ["rbg:tictactoe", "rbg:breakthrough:board=3x4", "rbg:clobber:board=3x4", "rbg:laukatakati:quiet=2"]
    {
        let game = open(name).unwrap();
        for symmetry in game.symmetries() {
            commutes(&*game, &symmetry, 150);
        }
    }
}

/// Checks that a symmetry of the board that the rules do not preserve is not reported.
#[test]
fn rules_that_know_left_from_right_have_none() {
    let rules = |goal: &str| {
        format!(
            "#players = a(1), b(1) #pieces = e, x, o #variables =\n\
             #board = rectangle(up,down,left,right,[e,e,e][e,e,e])\n#anywhere = (up* + down*) (left* + right*)\n\
             #turn(me; you; own) = ->me anywhere {{e}} [own] ->> [$ me = 0, you = 1]\n\
             ( {{? anywhere {{own}} {goal}}} [$ me = 1, you = 0] ->> {{}} + {{! anywhere {{own}} {goal}}} )\n\
             #rules = (turn(a; b; x) turn(b; a; o))*"
        )
    };
    let of = |goal: &str| -> Vec<String> {
        let game = open_text("mine", &rules(goal), None).unwrap();
        game.symmetries().into_iter().map(|symmetry| symmetry.name).collect()
    };
    assert_eq!(of("(left + right) {own}").len(), 3);
    assert_eq!(of("left {own} {! left}"), ["flip"]);
    assert!(of("(up + left) {own} {! left} {! up}").is_empty());
}
