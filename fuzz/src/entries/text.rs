//! Text entered by users: positions, moves, specs, records and rules.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex};

use nerode::games::Game;
use nerode::registry;
use nerode::rules::rbg::read;
use nerode_play::record;

/// A game of every family, which is small if the family has small ones, and games defined by rules texts.
const GAMES: [&str; 16] = [
    "amazons:4x4",
    "breakthrough:3x4",
    "chess:KRvK,board=4x4",
    "connect:3x3,row=3",
    "nim:3x3",
    "othello:4x3",
    "tictactoe:3x3",
    "morris:three",
    "morris:nine",
    "rbg:hex",
    "rbg:laukatakati",
    "rbg:tictactoe",
    "rbg:amazons",
    "rbg:draughts",
    "rbg:reversi",
    "rbg:foxandhounds",
];

static OPEN: LazyLock<Mutex<BTreeMap<usize, Arc<dyn Game>>>> = LazyLock::new(Mutex::default);

fn chosen(bytes: &[u8]) -> Option<(Arc<dyn Game>, &str)> {
    let (&which, text) = bytes.split_first()?;
    let at = usize::from(which) % GAMES.len();
    let mut open = OPEN.lock().unwrap();
    let game = open.entry(at).or_insert_with(|| registry().open(GAMES[at]).unwrap());
    Some((Arc::clone(game), std::str::from_utf8(text).ok()?))
}

/// Reads a position, and after a line feed a move in it. Valid notation is written and must be read back unchanged.
pub fn notation(bytes: &[u8]) {
    let Some((game, text)) = chosen(bytes) else { return };
    let (text, mv) = text.split_once('\n').unwrap_or((text, text));
    let start = game.start_position();
    let position = game.parse_position(text).unwrap_or(start);
    let written = game.format_position(&position);
    let again = game.parse_position(&written).unwrap_or_else(|e| panic!("{}: {written}: {e}", game.spec()));
    assert!(again == position, "{}: {written}", game.spec());
    let _ = (game.draw(&position), game.picture(&position), game.check_legal(&position));
    assert_eq!(game.board_of(&game.word_of(&position.board)), position.board);
    if let Ok(mv) = game.parse_move(&position, mv) {
        let written = game.format_move(&position, &mv);
        let again = game.parse_move(&position, &written).unwrap_or_else(|e| panic!("{}: {e}", game.spec()));
        assert!(again == mv, "{}: {written}", game.spec());
    }
}

pub fn notation_seeds() -> Vec<Vec<u8>> {
    let seed = |(at, spec): (usize, &&str)| {
        let game = registry().open(spec).unwrap_or_else(|e| panic!("{spec}: {e}"));
        let (start, mut moves) = (game.start_position(), Vec::new());
        game.legal_moves(&start.board, start.side, &mut moves);
        let mv = moves.first().map(|mv| game.format_move(&start, mv)).unwrap_or_default();
        [vec![at as u8], format!("{}\n{mv}", game.format_position(&start)).into_bytes()].concat()
    };
    GAMES.iter().enumerate().map(seed).collect()
}

/// Reads a spec, and after a line feed an order. The spec of an opened game must open the same game.
pub fn spec(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (spec, order) = text.split_once('\n').map_or((text, None), |(spec, order)| (spec, Some(order)));
    // The cost of a large board does not concern readers.
    if spec.chars().filter(char::is_ascii_digit).count() > 8 {
        return;
    }
    // Rules texts are compiled square by square, and a board of 240 squares takes five seconds.
    let numbers = spec.split(|c: char| !c.is_ascii_digit());
    if spec.starts_with("rbg:") && numbers.filter_map(|n| n.parse().ok()).any(|n: u32| n > 12) {
        return;
    }
    match registry().open_with_order(spec, order) {
        Ok(game) => {
            let again = registry().open_with_order(&game.spec(), Some(game.order()));
            let again = again.unwrap_or_else(|e| panic!("{spec}: {}: {e}", game.spec()));
            assert_eq!((again.spec(), again.fingerprint()), (game.spec(), game.fingerprint()));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

pub fn spec_seeds() -> Vec<Vec<u8>> {
    let games = GAMES.iter().map(|spec| spec.to_string());
    let examples = registry().families().iter().map(|family| family.example.to_string());
    let others = [
        "breakthrough:3x4\ncells:0,1,2,3,4,5,6,7,8,9,10,11",
        "rbg:breakthrough:board=3x4,start=bbb/1b1/1w1/www_black",
    ];
    games.chain(examples).chain(others.map(String::from)).map(String::into_bytes).collect()
}

/// Reads the record of a game.
pub fn record(bytes: &[u8]) {
    let Some((game, text)) = chosen(bytes) else { return };
    if let Ok((course, _)) = record::read(game.as_ref(), text) {
        assert!(course.plies().len() <= text.len());
    }
}

pub fn record_seeds() -> Vec<Vec<u8>> {
    let texts = [
        (6, "game: tictactoe:3x3\nP1: me\n1. a1, b2  2. c3 a2 # a comment\n1/2-1/2"),
        (1, "1. b2-b3 2... *"),
        (7, "start: 3/3/3 white 3 3\n1. a1 b2"),
        (8, "game: morris:nine\n1. a1, b2  2. d1 xb4"),
    ];
    texts.iter().map(|(at, text)| [&[*at][..], text.as_bytes()].concat()).collect()
}

/// Reads rules. Valid rules are written and must be read back unchanged.
pub fn rules(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match read("fuzz", text) {
        Ok(book) => {
            let canonical = book.canonical();
            let again = read("canonical", &canonical).unwrap_or_else(|error| panic!("{error}\n{canonical}"));
            assert_eq!(again.canonical(), canonical);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

pub fn rules_seeds() -> Vec<Vec<u8>> {
    ["tictactoe", "breakthrough", "dodgem", "hex"]
        .map(|name| {
            nerode::rules::rbg::bundled()
                .iter()
                .find(|game| game.name == name)
                .unwrap()
                .text
                .as_bytes()
                .to_vec()
        })
        .to_vec()
}
