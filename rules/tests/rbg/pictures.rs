//! Pictures of the boards of games whose rules are given as a text.

use std::collections::BTreeSet;

use nerode_games::{Game, Ground, Look, Picture, Place, Side};
use nerode_rules::rbg::{open_text, read};

use crate::open;

fn game(spec: &str) -> std::sync::Arc<dyn Game> {
    open(spec).unwrap()
}

fn picture(spec: &str) -> Picture {
    let game = game(spec);
    game.picture(&game.start_position()).unwrap_or_else(|| panic!("{spec} has no picture"))
}

/// Returns the look and the owner of the figure on a place.
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
        "pretwa",
        "dashguti",
        "laukatakati",
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
    // The first player is named black here, and its pieces are dark.
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

/// Checks that a board listed square by square has lines along its directions.
#[test]
fn points_that_are_called_by_file_and_rank_are_joined_by_lines() {
    let alquerque = picture("rbg:alquerque");
    let Ground::Lines(lines) = &alquerque.ground else { panic!("{:?}", alquerque.ground) };
    // There are 40 horizontal and vertical lines and 16 diagonal lines.
    assert_eq!((alquerque.places.len(), lines.len()), (25, 56));
}

/// Checks that other names do not determine locations, but that a comment does.
#[test]
fn points_lie_where_a_comment_places_them() {
    let pretwa = picture("rbg:pretwa");
    let Ground::Lines(lines) = &pretwa.ground else { panic!("{:?}", pretwa.ground) };
    // There are three circles of six points, and six paths from the centre to the outermost circle.
    assert_eq!((pretwa.places.len(), lines.len()), (19, 36));
    let at = |name: &str| pretwa.places[(0..19).find(|&place| pretwa.name_of(place) == name).unwrap()].at;
    assert_eq!((at("centre"), at("n3"), at("sw2")), ((36, 42), (36, 84), (12, 28)));
    assert!(pretwa.files.iter().chain(&pretwa.ranks).all(String::is_empty));
}

/// Checks that the text stored with a solution includes the locations and does not denote a different game.
#[test]
fn the_stored_text_of_rules_contains_the_points() {
    for spec in ["rbg:pretwa", "rbg:dashguti", "rbg:laukatakati:quiet=2"] {
        let game = game(spec);
        let kept = open_text(spec, &game.rules_text().unwrap(), None).unwrap();
        assert_eq!(kept.fingerprint(), game.fingerprint());
        assert_eq!(kept.picture(&kept.start_position()), game.picture(&game.start_position()));
        assert!(kept.picture(&kept.start_position()).is_some());
    }
}

const ROW: &str = "#players = me(1), you(1) #pieces = e, x #variables =
    #board = one[e]{on:two} two[e]{on:three, back:one} three[e]{back:two}
    #rules = ->me (on* + back*) {e} [x] ->> [$ me=1] {}";

/// Checks that the text drawing uses the same places and that the rules do not change.
#[test]
fn a_drawn_board_is_laid_out_in_text() {
    let plain = read("row", ROW).unwrap();
    assert_eq!(plain.points(), None);
    let drawn = format!("{ROW} // drawn at: one 0 0, two 4 7\n/* drawn at three 9 0 */");
    let book = read("row", &drawn).unwrap();
    assert_eq!(book.points(), Some(&[(0, 0), (4, 7), (9, 0)][..]));
    assert_eq!((book.fingerprint(), &book), (plain.fingerprint(), &plain));
    assert!(book.warnings().unwrap().is_empty());
    let game = open_text("row", &drawn, None).unwrap();
    let text = game.draw(&game.start_position());
    assert!(text.starts_with("           two .\n  one .           three .\n"), "{text}");
}

/// Checks that a comment never makes a file invalid. Problems with it are warnings, and the board is then shown as text.
#[test]
fn faults_of_a_drawing_are_warnings() {
    let all = "// drawn at: one 0 0, two 1 0, three 2 0";
    for (comment, label) in [
        ("// drawn at: one 0 0, two 1 0", "every square needs a drawing position"),
        (&all.replace("two", "tow"), "unknown square 'tow'"),
        (&all.replace("two 1", "two 0"), "another square has the same drawing position"),
        (&all.replace("two", "one"), "'one' already has a drawing position"),
        (&all.replace("two 1", "two"), "expected a square and two numbers up to 99, such as 'a 3 0'"),
        (&all.replace("two 1", "two 100"), "expected a square and two numbers up to 99, such as 'a 3 0'"),
    ] {
        let book = read("row", &format!("{ROW} {comment}")).unwrap();
        assert_eq!(book.points(), None, "{comment}");
        let warnings = book.warnings().unwrap();
        assert_eq!(warnings.iter().map(|odd| odd.label()).collect::<Vec<_>>(), [label], "{comment}");
    }
    let unrelated = read("row", &format!("{ROW} // drawn by hand")).unwrap();
    assert!(unrelated.warnings().unwrap().is_empty());
}

/// The players of a file keep their names, in the order in which they move.
#[test]
fn sides_have_the_names_of_the_players() {
    for (spec, names) in
        [("dodgem", ["blue", "red"]), ("hex", ["red", "blue"]), ("tictactoe", ["cross", "nought"])]
    {
        assert_eq!(game(&format!("rbg:{spec}")).side_names(), Some(names.map(String::from)), "{spec}");
    }
    assert_eq!(nerode_games::registry::open("nim:2x3").unwrap().side_names(), None);
}
