//! Boards of games whose rules are a text, as pictures.

use std::collections::BTreeSet;

use nerode_games::{Game, Ground, Look, Picture, Place, Side, registry};

fn game(spec: &str) -> std::sync::Arc<dyn Game> {
    registry::open(spec).unwrap()
}

fn picture(spec: &str) -> Picture {
    let game = game(spec);
    game.picture(&game.start_position()).unwrap_or_else(|| panic!("{spec} has no picture"))
}

/// The look and the owner of what stands on a place.
fn figure(picture: &Picture, name: &str) -> Option<(Look, Option<Side>)> {
    let place = (0..picture.places.len()).find(|&place| picture.name_of(place) == name).unwrap();
    picture.places[place].figure.map(|figure| (figure.look, figure.owner))
}

#[test]
fn every_square_has_a_place_of_its_own_on_the_board() {
    for spec in [
        "tictactoe",
        "breakthrough",
        "dodgem",
        "clobber",
        "hex",
        "foxandhounds",
        "alquerque",
        "draughts",
        "amazons",
    ] {
        let picture = picture(&format!("rbg:{spec}"));
        let at: BTreeSet<(usize, usize)> = picture.places.iter().map(|place| place.at).collect();
        assert_eq!(at.len(), picture.places.len(), "{spec}");
        assert!(at.iter().all(|at| at.0 < picture.files.len() && at.1 < picture.ranks.len()), "{spec}");
        let names: BTreeSet<String> = (0..picture.places.len()).map(|place| picture.name_of(place)).collect();
        assert_eq!(names.len(), picture.places.len(), "{spec}");
    }
}

#[test]
fn figures_are_those_of_the_players() {
    let (p1, p2) = (Some(Side::P1), Some(Side::P2));
    let dodgem = picture("rbg:dodgem");
    assert_eq!(figure(&dodgem, "a3"), Some((Look::Disc, p1)));
    assert_eq!(figure(&dodgem, "c1"), Some((Look::Disc, p2)));
    assert_eq!(figure(&dodgem, "b2"), None);
    let draughts = picture("rbg:draughts");
    // Black begins, and is dark all the same.
    assert_eq!(figure(&draughts, "b6"), Some((Look::Disc, p1)));
    let is_light = |side| move |place: &Place| place.figure.is_some_and(|f| f.light && f.owner == Some(side));
    assert!(!draughts.places.iter().any(is_light(Side::P1)));
    assert!(draughts.places.iter().any(is_light(Side::P2)));
    let game = game("rbg:tictactoe");
    let marks = game.picture(&game.parse_position("x../.o./... cross").unwrap()).unwrap();
    assert_eq!(figure(&marks, "a3"), Some((Look::Cross, p1)));
    assert_eq!(figure(&marks, "b2"), Some((Look::Ring, p2)));
}

#[test]
fn hexagons_of_a_row_are_two_files_apart_and_rows_are_shifted_by_one() {
    let hex = picture("rbg:hex");
    assert_eq!(hex.ground, Ground::Hexagons);
    let at = |name: &str| hex.places[(0..16).find(|&place| hex.name_of(place) == name).unwrap()].at;
    assert_eq!((at("a4"), at("b4"), at("a5")), ((0, 3), (2, 3), (1, 4)));
}

/// A board that is written square by square has lines where directions lead.
#[test]
fn points_that_are_called_by_file_and_rank_are_joined_by_lines() {
    let alquerque = picture("rbg:alquerque");
    let Ground::Lines(lines) = &alquerque.ground else { panic!("{:?}", alquerque.ground) };
    // 40 upright and level ones, 16 aslant.
    assert_eq!((alquerque.places.len(), lines.len()), (25, 56));
    let pretwa = game("rbg:pretwa");
    assert_eq!(pretwa.picture(&pretwa.start_position()), None);
}
