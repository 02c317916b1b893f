//! The command `reach` terminates even if play may go on for ever, with the numbers from a plain search.

use std::collections::HashSet;

use crate::common::program::{count, ends, json, list, refused};
use crate::common::{assert_same_files, files, game, scratch};
use nerode_games::Side;
use nerode_games::explicit::apply;

/// Counts the distinct pairs (position, side to move) that are reachable from the start by the plain rules, by the
/// ply at which they are first reached.
fn by_search(spec: &str) -> Vec<usize> {
    let game = game(spec);
    let mut seen: HashSet<(Vec<u8>, Side)> = [game.start()].into();
    let mut now = vec![game.start()];
    let mut first = Vec::new();
    while !now.is_empty() {
        first.push(now.len());
        let mut next = Vec::new();
        for (board, side) in now {
            let mut moves = Vec::new();
            if game.outcome(&board, side).is_none() {
                game.legal_moves(&board, side, &mut moves);
            }
            for mv in moves {
                let after = (apply(&board, &mv), side.other());
                if seen.insert(after.clone()) {
                    next.push(after);
                }
            }
        }
        now = next;
    }
    first
}

#[test]
fn a_game_that_goes_on_for_ever_is_counted_to_the_end() {
    let dir = scratch();
    for spec in ["morris:three", "chess:KRvK,board=4x4", "chess:KQvK,board=4x4"] {
        let found = by_search(spec);
        let reached = json(dir.path(), &["reach", spec]);
        assert_eq!(count(&reached["total_distinct"]), found.iter().sum::<usize>() as u128, "{spec}");
        assert_eq!((&reached["complete"], &reached["end"]), (&true.into(), &"nothing_new".into()), "{spec}");
        let new: Vec<u128> = list(&reached["plies"]).iter().map(|ply| count(&ply["new_positions"])).collect();
        let expected: Vec<u128> = found.iter().map(|&n| n as u128).chain([0]).collect();
        assert_eq!(new, expected, "{spec}: new positions by ply");
        let text = ends(dir.path(), 0, &["reach", spec]);
        assert!(text.contains("reaches nothing new"), "{text}");
    }
}

#[test]
fn the_reason_of_the_end_is_given() {
    let dir = scratch();
    for (arguments, end, complete) in [
        (&["reach", "tictactoe:3x3"][..], "no_move_left", true),
        (&["reach", "breakthrough:2x4"], "no_move_left", true),
        (&["reach", "tictactoe:3x3", "--plies", "3"], "plies_done", false),
        (&["reach", "morris:three", "--plies", "3"], "plies_done", false),
        (&["reach", "morris:three", "--plies", "4000000000"], "nothing_new", true),
    ] {
        let reached = json(dir.path(), arguments);
        assert_eq!((&reached["end"], &reached["complete"]), (&end.into(), &complete.into()), "{arguments:?}");
    }
}

#[test]
fn a_search_in_units_has_the_same_files() {
    let dir = scratch();
    let reach = ["reach", "breakthrough:3x4", "--run-dir"];
    let plain = json(dir.path(), &[&reach[..], &["plain"]].concat());
    let parted = json(dir.path(), &[&reach[..], &["parted", "--units=5", "--plies", "3"]].concat());
    assert_eq!(list(&parted["plies"])[..], list(&plain["plies"])[..4]);
    assert_eq!(json(dir.path(), &[&reach[..], &["parted", "--units=5"]].concat()), plain);
    let [plain, parted] = ["plain", "parted"].map(|run| files(&dir.path().join(run)));
    assert_same_files(&parted, &plain, "in units");
    assert!(!dir.path().join("parted/units").exists());
    assert!(refused(dir.path(), &["reach", "breakthrough:3x4", "--units"]).contains("--run-dir"));
}
