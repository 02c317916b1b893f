//! Drawings as numbers: the locations of values and arrowheads.

use nerode_games::Registry;
use nerode_games::explicit::apply;
use nerode_games::registry::families;
use nerode_rules::rbg::LANGUAGE;

use super::*;
use nerode_solver::outcome::Outcome;

/// Draws a position whose moves have the given values, in order.
fn drawing(spec: &str, position: &str, values: &[impl Into<Option<Outcome>> + Copy]) -> String {
    let game = Registry::new(families(), &[LANGUAGE]).open(spec).unwrap();
    let position = match position {
        "start" => game.start_position(),
        text => game.parse_position(text).unwrap(),
    };
    let mut moves = Vec::new();
    game.legal_moves(&position.board, position.side, &mut moves);
    let mut moves: Vec<MoveValue> = moves
        .iter()
        .zip(values.iter().cycle())
        .map(|(mv, &outcome)| MoveValue {
            text: game.format_move(&position, mv),
            after: Position { board: apply(&position.board, mv), side: position.side.other() },
            outcome: outcome.into(),
        })
        .collect();
    moves.sort_by_key(|mv| mv.outcome != values[0].into());
    draw_board(game.as_ref(), &position, "caption", &moves).unwrap()
}

/// Returns an attribute as a number.
fn number(tag: &str, name: &str) -> f64 {
    let found = tag.split(&format!(" {name}=\"")).nth(1).unwrap();
    found.split('"').next().unwrap().parse().unwrap()
}

/// Returns left, top, width and height of each value, including those in the legend.
fn values(svg: &str) -> Vec<[f64; 4]> {
    let badges = svg.lines().filter(|line| line.contains(" rx=\"10.0\""));
    badges.map(|tag| ["x", "y", "width", "height"].map(|name| number(tag, name))).collect()
}

/// Returns the tips of the arrows.
fn tips(svg: &str) -> Vec<(f64, f64)> {
    let heads = svg.lines().filter_map(|line| line.strip_prefix("<path d=\"M"));
    let tip = |head: &str| {
        let (x, y) = head.split('L').next().unwrap().split_once(',').unwrap();
        (x.parse().unwrap(), y.parse().unwrap())
    };
    heads.map(tip).collect()
}

const MANY: [Outcome; 3] =
    [Outcome::DRAW, Outcome::Win(nerode_solver::outcome::Depth::Exact(11)), Outcome::DRAW];

#[test]
fn no_value_covers_another() {
    for (spec, position) in [
        ("morris:nine", "O**@**O*/**@*****/O**@**** w 0-0"),
        ("morris:twelve", "O**@**O*/**@*****/O**@**** w 0-0"),
        ("morris:three", "O@O*@***/* b 1-1"),
        ("amazons:4x4", "start"),
        ("amazons:6x6", "start"),
        ("breakthrough:4x4", "bbbb/b1b1/w1w1/wwww w"),
        ("breakthrough:3x4", "bbb/3/www/www w"),
        ("chess:KRvK", "8/8/8/3k4/8/8/8/KR6 w - -"),
        ("othello:4x4", "start"),
        ("nim:3x5", "start"),
        ("tictactoe:3x3", "start"),
        ("rbg:dodgem", "start"),
        ("rbg:clobber:board=3x3", "start"),
        ("rbg:hex", "start"),
        ("rbg:alquerque", "start"),
        ("rbg:draughts", "start"),
        ("rbg:foxandhounds", "start"),
        ("rbg:laukatakati", "b6b10w white quiet=0"),
        ("rbg:pretwa", "start"),
    ] {
        let values = values(&drawing(spec, position, &MANY));
        for (i, a) in values.iter().enumerate() {
            for b in &values[..i] {
                let apart = |at: usize| a[at] >= b[at] + b[at + 2] || b[at] >= a[at] + a[at + 2];
                assert!(apart(0) || apart(1), "{spec}: {a:?} and {b:?}");
            }
        }
    }
}

/// Checks that flying stones each have a board of their own, and that all fifty values are drawn.
#[test]
fn figures_whose_arrows_would_cross_have_a_board_each() {
    let svg = drawing("morris:nine", "O**@**O*/**@*****/O**@**** w 0-0", &MANY);
    assert_eq!(svg.matches(">from ").count(), 3);
    assert_eq!(values(&svg).len(), 3 * 18 + 2, "every value is drawn, and two are in the legend");
    assert!(svg.contains("a ring marks") && tips(&svg).is_empty());
    let svg = drawing("chess:KRvK", "8/8/8/3k4/8/8/8/KR6 w - -", &MANY);
    assert!(!svg.contains(">from ") && !tips(&svg).is_empty(), "a few moves are drawn on one board");
}

#[test]
fn heads_of_arrows_that_cross_lie_apart() {
    for (spec, position) in [
        ("breakthrough:3x4", "bbb/3/3/www w"),
        ("breakthrough:4x5", "start"),
        ("breakthrough:4x4", "bbbb/b1b1/w1w1/wwww w"),
        ("breakthrough:3x4", "b1b/bbb/www/1w1 w"),
    ] {
        let tips = tips(&drawing(spec, position, &MANY));
        assert!(tips.len() >= 4, "{position}");
        for (i, a) in tips.iter().enumerate() {
            for b in &tips[..i] {
                let far = (a.0 - b.0).hypot(a.1 - b.1);
                assert!(far > 20.0, "{position}: heads at {a:?} and {b:?}");
            }
        }
    }
}

/// Checks that points not named by file and rank have their names beside them, and that the closest points are one cell apart.
#[test]
fn points_with_names_of_their_own_are_drawn_a_cell_apart() {
    let svg = drawing("rbg:pretwa", "b7.8ww white quiet=0", &[Outcome::DRAW]);
    for name in ["centre", "n1", "nw3"] {
        assert_eq!(svg.matches(&format!(">{name}</text>")).count(), 1, "{name}");
    }
    let points: Vec<_> = svg.lines().filter(|line| line.starts_with("<circle cx")).collect();
    let at: Vec<_> = points.iter().map(|point| (number(point, "cx"), number(point, "cy"))).collect();
    let distance = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0).hypot(a.1 - b.1);
    let pairs = (0..at.len()).flat_map(|n| (0..n).map(move |m| (n, m)));
    let least = pairs.map(|(n, m)| distance(at[n], at[m])).min_by(f64::total_cmp);
    assert!(least.is_some_and(|least| (least - 66.0).abs() < 0.2), "{least:?}");
}

#[test]
fn the_legend_explains_how_moves_compare() {
    let (equal, bold) = ("All moves are equal.", "Bold: no move is better.");
    let draws = drawing("tictactoe:3x3", "start", &[Outcome::DRAW]);
    assert!(draws.contains(equal) && !draws.contains(bold) && !draws.contains("font-weight=\"700\""));
    let mixed = drawing("tictactoe:3x3", "start", &MANY);
    assert!(!mixed.contains(equal) && mixed.contains(bold) && mixed.contains("font-weight=\"700\""));
    let unknown = drawing("tictactoe:3x3", "start", &[None::<Outcome>]);
    assert!(!unknown.contains(equal) && !unknown.contains(bold), "unknown values cannot be compared");
    let undecided = drawing("rbg:hex", "start", &[Outcome::Unknown]);
    assert!(!undecided.contains(equal) && !undecided.contains(bold), "an undecided move is not highlighted");
    let only = drawing("othello:4x4", "bbbw/bbbb/bbbb/bbb1 w", &[Outcome::DRAW]);
    assert!(!only.contains(equal) && !only.contains(bold), "a single move is not highlighted");
    let hidden = "the best is shown";
    assert!(drawing("amazons:4x4", "start", &MANY).contains(hidden) && !mixed.contains(hidden));
}

/// Checks that no line of the legend extends beyond the edge, however narrow the board is.
#[test]
fn the_legend_has_room() {
    for (spec, position) in [("morris:three", "OO*@@O@*/* w 0-0"), ("amazons:2x3,start=1b/2/w1", "start")] {
        let svg = drawing(spec, position, &MANY);
        let page = number(svg.lines().next().unwrap(), "width");
        for line in
            svg.lines().filter(|line| line.contains(" font-size=\"14\"") && !line.contains("text-anchor"))
        {
            let text = line.split('>').nth(1).unwrap().split('<').next().unwrap();
            // Letters of this size are about seven units wide.
            assert!(number(line, "x") + 7.0 * text.len() as f64 <= page, "{spec}: {text}");
        }
    }
}

#[test]
fn the_legend_names_the_figures_of_the_sides() {
    for (spec, position, names) in [
        ("breakthrough:4x4", "start", ["White (P1)", "Black (P2)"]),
        ("connect:4x4", "4/4/4/1XO1 X", ["X (P1)", "O (P2)"]),
        ("othello:4x4", "start", ["Black (P1)", "White (P2)"]),
        ("rbg:dodgem", "start", ["blue (P1)", "red (P2)"]),
    ] {
        let svg = drawing(spec, position, &MANY);
        for name in names {
            assert_eq!(svg.matches(&format!(">{name}</text>")).count(), 1, "{spec}: {name}");
        }
    }
    let svg = drawing("connect:4x4", "4/4/4/1X2 O", &MANY);
    assert!(svg.contains("X (P1)") && !svg.contains("O (P2)"), "a side without figures needs no key");
    assert!(!drawing("nim:3x5", "start", &MANY).contains("(P1)"), "objects belong to no side");
}

#[test]
fn the_key_names_the_letters_of_the_sides() {
    for (spec, position, expected) in [
        ("breakthrough:4x4", "start", Some("w White (P1), b Black (P2)")),
        ("othello:4x4", "start", Some("b Black (P1), w White (P2)")),
        ("connect:4x4", "4/4/4/1X2 O", Some("X X (P1)")),
        ("rbg:dodgem", "start", Some("b blue (P1), r red (P2)")),
        ("tictactoe:3x3", "start", None),
        ("nim:3x5", "start", None),
    ] {
        let game = Registry::new(families(), &[LANGUAGE]).open(spec).unwrap();
        let position = match position {
            "start" => game.start_position(),
            text => game.parse_position(text).unwrap(),
        };
        assert_eq!(key(game.as_ref(), &position).as_deref(), expected, "{spec}");
        // The letters are those of the drawing in text.
        let drawn = game.draw(&position);
        let letters =
            expected.into_iter().flat_map(|key| key.split(", ")).filter_map(|part| part.split(' ').next());
        for letter in letters {
            assert!(drawn.split_whitespace().any(|word| word == letter), "{spec}: {letter} in {drawn}");
        }
    }
}

#[test]
fn names_of_files_are_larger_on_large_boards() {
    let size = |spec, position| {
        let svg = drawing(spec, position, &MANY);
        let name =
            svg.lines().find(|line| line.contains("text-anchor=\"middle\"") && line.ends_with(">a</text>"));
        number(name.unwrap(), "font-size")
    };
    assert_eq!(size("tictactoe:3x3", "start"), 14.0);
    assert_eq!(size("chess:KRvK", "8/8/8/3k4/8/8/8/KR6 w - -"), 20.0);
}
