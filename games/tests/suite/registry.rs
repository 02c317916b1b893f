//! Specs: their canonical forms, and the messages for invalid specs.

use std::collections::BTreeSet;

use nerode_games::Error;
use nerode_games::morris::{BoardKind, Capture, FullBoard, PRESETS, Phases, rules_of};
use nerode_games::registry::{families, open, open_with_order, orders};
use proptest::prelude::*;

#[test]
fn families_are_complete() {
    let names: BTreeSet<&str> = families().iter().map(|info| info.family).collect();
    assert_eq!(names.len(), families().len(), "two families have the same name");
    assert!(names.contains("nim") && names.contains("chess"), "{names:?}");
    for info in families() {
        let game = open(info.example).unwrap();
        assert_eq!(game.spec(), info.example);
        assert_eq!(info.open(info.example, None).unwrap().fingerprint(), game.fingerprint());
        assert!(info.open("other:3x3", None).is_err());
        assert!(info.example.starts_with(&format!("{}:", info.family)));
        assert!(info.form().starts_with(&format!("{}:", info.family)));
        let begins = format!("{}, rules version {}. ", info.family, game.rules_version());
        assert!(game.rules().starts_with(&begins), "{}", game.rules());
        assert!(!info.small.is_empty(), "{} has no small game for tests", info.family);
        for spec in info.small {
            let game = open(spec).unwrap();
            assert_eq!(game.spec(), *spec);
            assert!(game.shape().num_words().is_some_and(|words| words < 400_000), "{spec} is too large");
        }
        assert!(!info.layers.is_empty() && !info.note.is_empty());
    }
}

#[test]
fn a_family_alone_is_its_usual_game() {
    for info in families() {
        assert!(info.usual.starts_with(&format!("{}:", info.family)));
        // The usual board of Amazons has more cells than a word can have.
        if info.family == "amazons" {
            assert!(open(info.family).unwrap_err().to_string().contains(info.usual));
        } else {
            assert_eq!(open(info.family).unwrap().spec(), info.usual);
            assert_eq!(open(&format!(" {} ", info.family)).unwrap().spec(), info.usual);
            assert!(!orders(info.family).unwrap().is_empty());
        }
        if let Some(spec) = info.in_reach {
            assert_eq!(open(spec).unwrap().spec(), spec);
            assert_ne!(spec, info.usual);
        }
    }
    assert!(open("nim,k=3").is_err() && open("tic").is_err());
}

#[test]
fn specs_become_canonical() {
    let pairs = [
        ("tictactoe:3x3,k=3", "tictactoe:3x3"),
        ("tictactoe:3x3,k=2", "tictactoe:3x3,k=2"),
        (" tictactoe:04x4,k=04 ", "tictactoe:4x4,k=4"),
        ("nim:1x1", "nim:1x1"),
        ("tictactoe:3x3,misere,k=3", "tictactoe:3x3,misere"),
        (" nim:03x7,misere ", "nim:3x7,misere"),
        ("nim:64x255", "nim:64x255"),
        ("othello:03x3", "othello:3x3"),
        ("othello:8x10,empties=nobody", "othello:8x10"),
        ("othello:4x4,empties=winner,margin=-08", "othello:4x4,margin=-8,empties=winner"),
        ("breakthrough:2x40", "breakthrough:2x40"),
        ("breakthrough:20x4", "breakthrough:20x4"),
        ("tictactoe:36x1", "tictactoe:36x1"),
        ("connect:7x6,row=4,encoding=cells", "connect:7x6"),
        ("connect:07x6,encoding=columns,row=3", "connect:7x6,row=3,encoding=columns"),
        ("connect:64x1", "connect:64x1"),
        ("connect:1x64,row=64,encoding=columns", "connect:1x64,row=64,encoding=columns"),
        ("morris:nine,stones=9,capture=always,take=1,phases=separate,fly=yes,fullboard=loss", "morris:nine"),
        ("morris:lasker,phases=mixed,stones=10-10", "morris:lasker"),
        ("morris:lasker,phases=separate,stones=09-9", "morris:lasker,stones=9,phases=separate"),
        ("morris:nine,take=2,capture=protected", "morris:nine,capture=protected,take=2"),
        ("morris:morabaraba,fullboard=draw,stones=12-11", "morris:morabaraba,stones=12-11,fullboard=draw"),
        ("morris:three,diagonals=no,fly=yes", "morris:three,fly=yes,diagonals=no"),
        ("morris:three,diagonals=yes,fly=no", "morris:three"),
        ("morris:seven,stones=5-12", "morris:seven,stones=5-12"),
        ("chess:KNBvK", "chess:KBNvK"),
        ("chess:PKvRK,board=08x8", "chess:KPvKR"),
        ("chess:KvK,board=4x8", "chess:KvK,board=4x8"),
        (" chess:start ", "chess:start"),
        ("amazons:04x4", "amazons:4x4"),
        ("amazons:4x4,start=.bb./b..b/w2w/1ww1", "amazons:4x4"),
        ("amazons:3x2,start=..b/wx.", "amazons:3x2,start=2b/wx1"),
        ("amazons:63x1,start=w61b", "amazons:63x1,start=w61b"),
        ("amazons:9x7", "amazons:9x7"),
    ];
    for (given, canonical) in pairs {
        let game = open(given).unwrap();
        assert_eq!(game.spec(), canonical);
        assert_eq!(open(canonical).unwrap().fingerprint(), game.fingerprint());
    }
}

#[test]
fn wrong_specs_are_refused_with_form_and_example() {
    let table = [
        ("nim,k=3", "missing ':' and parameters"),
        ("nim:", "'' is not 2 numbers"),
        ("nim:3", "'3' is not 2 numbers"),
        ("nim:3x7x2", "'3x7x2' is not 2 numbers"),
        ("nim:0x7", "number of heaps is 0, not between 1 and 64"),
        ("nim:3x256", "heap height is 256, not between 1 and 255"),
        ("nim:3x+7", "heap height is '+7', not a whole number"),
        ("nim:3x99999999999999999999999", "not between 1 and 255"),
        ("nim:3x7,k=2", "unknown option 'k'; this family has no options"),
        ("tictactoe:7x6", "42 cells, but at most 36"),
        ("nim:3x7,misere,misere", "option 'misere' is not of the form key=value, and not a single 'misere'"),
        ("nim:3x7,misere=yes", "option 'misere' has no value: write 'misere'"),
        ("tictactoe:3x3,k", "option 'k' is not of the form key=value"),
        ("tictactoe:3x3,k=2,k=3", "option 'k' is given twice"),
        ("tictactoe:3x3,j=2", "unknown option 'j'; this family has: k"),
        ("tictactoe:3x3,k=4", "k is 4, not between 1 and 3"),
        ("tictactoe:3x3,k=0", "k is 0, not between 1 and 3"),
        ("tictactoe:2x2", "the default k=3 does not fit"),
        ("amazons:8x8", "64 cells, but at most 63"),
        ("amazons:64x1", "width is 64, not between 1 and 63"),
        ("amazons:3x5", "fewer than 4 cells in a row or column has no standard start; add start=ROWS"),
        ("amazons:2x2,start=1b/w", "start '1b/w': row 2 from the top, 'w': only 1 of 2 cells"),
        ("amazons:2x2,start=1q/w1", "start '1q/w1': row 1 from the top, '1q': unexpected 'q' at character 2"),
        ("amazons:4x4,amazons=2", "unknown option 'amazons'; this family has: start"),
        ("connect:7", "'7' is not 2 numbers"),
        ("connect:0x6", "width is 0, not between 1 and 64"),
        ("connect:9x8", "72 cells, but at most 64"),
        ("connect:64x1,encoding=columns", "128 bits with encoding=columns, but at most 127"),
        ("connect:7x6,row=0", "row is 0, not between 1 and 64"),
        (
            "connect:7x6,encoding=column",
            "encoding 'column' is not one of cells, columns; did you mean 'columns'?",
        ),
        ("connect:7x6,k=4", "unknown option 'k'; this family has: row, encoding"),
        ("breakthrough:1x6", "width is 1, not between 2 and 20"),
        ("breakthrough:5x3", "height is 3, not between 4 and 40"),
        ("breakthrough:9x9", "81 cells, but at most 80"),
        ("othello:2x4", "width is 2, not between 3 and 26"),
        ("othello:4x27", "height is 27, not between 3 and 26"),
        ("othello:9x9", "81 cells, but at most 80"),
        ("othello:4", "'4' is not 2 numbers"),
        ("othello:4x4,margin=17", "margin is 17, not between -15 and 16"),
        ("othello:4x4,margin=-16", "margin is -16, not between -15 and 16"),
        ("othello:4x4,margin=99999999999999999999", "not between -15 and 16"),
        ("othello:4x4,margin=+2", "margin is '+2', not a whole number"),
        ("othello:4x4,margin=", "margin is '', not a whole number"),
        ("othello:4x4,empties=loser", "empties 'loser' is not one of nobody, winner"),
        ("othello:4x4,komi=2", "unknown option 'komi'; this family has: margin, empties"),
        ("amazons", "100 cells, but at most 63"),
        ("morris:", "preset '' is not one of nine, lasker,"),
        (
            "morris:ten",
            "preset 'ten' is not one of nine, lasker, morabaraba, three, five, six, seven, eleven, twelve",
        ),
        ("morris:laskar", "did you mean 'lasker'?"),
        ("morris:9", "preset '9' is not one of"),
        ("morris:nine,stones=2-9", "stones is 2, not between 3 and 12"),
        ("morris:nine,stones=9-13", "stones is 13, not between 3 and 12"),
        ("morris:nine,stones=9-", "stones is '', not a whole number"),
        ("morris:nine,stones=9-9-9", "stones is '9-9', not a whole number"),
        ("morris:six,stones=9", "9 and 9 stones are 18 in all, but the board has only 16 points"),
        ("morris:three,stones=5", "5 and 5 stones are 10 in all, but the board has only 9 points"),
        (
            "morris:nine,capture=protect",
            "capture 'protect' is not one of always, protected; did you mean 'protected'?",
        ),
        ("morris:nine,take=3", "take is 3, not between 1 and 2"),
        ("morris:nine,phases=Mixed", "did you mean 'mixed'?"),
        ("morris:nine,fly=maybe", "fly 'maybe' is not one of yes, no"),
        ("morris:nine,fullboard=won", "fullboard 'won' is not one of loss, draw"),
        ("morris:nine,diagonals=yes", "option 'diagonals' is available only for preset three"),
        ("morris:nine,flying=yes", "unknown option 'flying'; this family has: stones, capture"),
        ("morris:nine,fly=yes,fly=no", "option 'fly' is given twice"),
        ("chess:", "'' is neither 'start' nor two sides"),
        ("chess:KQ", "'KQ' is neither 'start' nor two sides"),
        ("chess:KXvK", "unknown piece 'X'; pieces are K, Q, R, B, N and P"),
        ("chess:KQvk", "unknown piece 'k'"),
        ("chess:QvK", "side 'Q' has 0 kings"),
        ("chess:KvKK", "side 'KK' has 2 kings"),
        ("chess:KQRvKR", "5 pieces, but at most 4"),
        ("chess:KPvKP", "en passant, which endgames do not support"),
        ("chess:KQvK,board=3x8", "board '3x8' is not WIDTHxHEIGHT with edges from 4 to 8"),
        ("chess:KQvK,board=8", "board '8' is not WIDTHxHEIGHT"),
        ("chess:KQvK,side=w", "unknown option 'side'; this family has: board"),
        ("chess:start,board=4x4", "unknown option 'board'; this family has no options"),
    ];
    for (spec, reason) in table {
        let Err(error) = open(spec) else { panic!("{spec} opened") };
        assert!(matches!(error, Error::Spec { .. }), "{spec}: {error}");
        let text = error.to_string();
        assert!(text.contains(reason), "{spec}: {text}");
        let Error::Spec { form, example, .. } = error else { unreachable!() };
        assert!(form.contains(':') && open(&example).is_ok(), "{spec}: {form}, {example}");
    }
}

#[test]
fn unknown_families_get_the_nearest_name() {
    for (spec, nearest) in
        [("nimm:3x7", "nim"), ("breaktrough:5x6", "breakthrough"), ("TicTacToe:3x3", "tictactoe")]
    {
        let Err(Error::UnknownGame { nearest: said, known, .. }) = open(spec) else { panic!("{spec}") };
        assert_eq!(said.as_deref(), Some(nearest));
        assert!(families().iter().all(|info| known.contains(info.family)), "{known}");
    }
    // A word that is far from every name is not treated as a misspelling.
    for spec in ["foo", "go:9x9", ""] {
        let Err(error) = open(spec) else { panic!("{spec}") };
        assert!(matches!(error, Error::UnknownGame { nearest: None, .. }), "{error}");
        assert!(!error.to_string().contains("did you mean"), "{error}");
    }
    assert!(matches!(orders("go:9x9"), Err(Error::UnknownGame { .. })));
}

#[test]
fn rules_of_morris_games_are_those_of_the_spec() {
    let (game, rules) = rules_of(" morris:three,stones=4-5,diagonals=no,capture=protected,take=2 ").unwrap();
    assert_eq!(game.spec(), "morris:three,stones=4-5,capture=protected,take=2,diagonals=no");
    assert_eq!((rules.stones, rules.take, rules.board.num_points()), ([4, 5], 2, 9));
    assert_eq!((rules.capture, rules.board.kind()), (Capture::Protected, BoardKind::Three));
    assert_eq!((rules.phases, rules.fly, rules.full_board), (Phases::Separate, false, FullBoard::Loss));
    assert_eq!(open(&game.spec()).unwrap().fingerprint(), game.fingerprint());
    for preset in &PRESETS {
        let (game, rules) = rules_of(&format!("morris:{}", preset.name)).unwrap();
        assert_eq!(rules.stones, [preset.stones; 2]);
        assert!(game.rules().contains(&format!("Board of {} points", rules.board.num_points())));
    }
    let Err(error) = rules_of("nim:3x7") else { panic!("nim is not a morris game") };
    assert_eq!(error.to_string(), "'nim:3x7' has no sectors: only morris games have sectors");
    assert!(
        matches!(rules_of("moris:nine"), Err(Error::UnknownGame { nearest: Some(name), .. }) if name == "morris")
    );
}

#[test]
fn unknown_orders_get_the_known_ones() {
    let Err(error) = open_with_order("nim:3x7", Some("rows")) else { panic!("nim has no rows") };
    assert_eq!(
        error.to_string(),
        "unknown letter order 'rows'; this game has: heaps; write any other as cells:C,C,..."
    );
    assert!(open_with_order("breakthrough:5x6", Some("")).is_err());
}

#[test]
fn lists_of_cells_that_are_no_permutation_are_refused() {
    for (list, reason) in [
        ("0,1,2,2", "cell 2 is named twice"),
        ("0,1,2,3,0", "cell 0 is named twice"),
        ("0,1,3", "cell 2 is missing"),
        ("2", "3 of 4 cells are missing: 0, 1, 3"),
        ("0,1,2,4", "there is no cell 4: the board has 4 cells"),
        ("0,1,2,99999999999999999999999", "there is no cell 99999999999999999999999"),
        ("0,1,b,3", "'b' is not the number of a cell"),
        ("0,1,-2,3", "'-2' is not the number of a cell"),
        ("0, 1,2,3", "' 1' is not the number of a cell"),
        ("0,1,2,3,", "'' is not the number of a cell"),
        ("", "'' is not the number of a cell"),
    ] {
        let order = format!("cells:{list}");
        let Err(error) = open_with_order("tictactoe:2x2,k=2", Some(&order)) else { panic!("{order}") };
        let text = error.to_string();
        assert!(matches!(error, Error::Order { .. }), "{order}: {text}");
        assert!(text.contains(reason) && text.contains(&format!("'{order}'")), "{order}: {text}");
        assert!(text.contains("accepted form: cells: followed by the cells 0 to 3, each once"), "{text}");
    }
}

/// Generates texts that resemble specs, either of any family or of families with options.
fn near() -> impl Strategy<Value = String> {
    let names: Vec<&str> = families().iter().map(|info| info.family).collect();
    let pattern = format!(
        "({})[:,x=k0-9]{{0,12}}|chess:K[QRBNP]?vK[QRBNP]{{0,2}}(,board=[0-9]x[0-9])?|\
         amazons:[1-4]x[1-4](,start=[.wbx/1-4]{{0,9}})?|\
         morris:(six|three)(,(stones|take|fly|capture)=(yes|[-0-9]{{0,4}})){{0,2}}",
        names.join("|")
    );
    proptest::string::string_regex(&pattern).unwrap()
}

proptest! {
    #[test]
    fn any_text_opens_or_is_an_error(text in any::<String>(), near in near()) {
        for text in [text, near] {
            if let Ok(game) = open(&text) {
                prop_assert_eq!(open(&game.spec()).unwrap().spec(), game.spec());
            }
        }
    }
}
