//! Chess: published counts of move paths, comparison of both descriptions on reachable positions, maps of the board,
//! and notation.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::common::{Symbolic, boards, successors};
use nerode_dfa::{MoveGraph, Store};
use nerode_games::explicit::apply;
use nerode_games::registry::{open, open_with_order, orders};
use nerode_games::{Game, Move, Position, Side, Value};
use proptest::prelude::*;

fn moves(game: &dyn Game, position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    game.legal_moves(&position.board, position.side, &mut moves);
    moves
}

fn played(position: &Position, mv: &Move) -> Position {
    Position { board: apply(&position.board, mv), side: position.side.other() }
}

/// Returns the number of paths of `plies` legal moves.
fn paths(game: &dyn Game, position: &Position, plies: usize) -> u64 {
    let moves = moves(game, position);
    match plies {
        1 => moves.len() as u64,
        _ => moves.iter().map(|mv| paths(game, &played(position, mv), plies - 1)).sum(),
    }
}

/// Positions whose counts have been agreed upon by chess programs for decades: the start, "Kiwipete" with castling,
/// pins and en passant captures, and four more (chessprogramming.org, "Perft Results").
const PATHS: [(&str, &[u64]); 6] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &[20, 400, 8902, 197_281, 4_865_609]),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", &[48, 2039, 97_862, 4_085_603]),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", &[14, 191, 2812, 43_238, 674_624]),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", &[6, 264, 9467, 422_333]),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", &[44, 1486, 62_379, 2_103_487]),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", &[46, 2079, 89_890]),
];

fn check_paths(most: u64, least: u64) {
    let game = open("chess:start").unwrap();
    let mut checked = 0;
    for (fen, counts) in PATHS {
        let position = game.parse_position(fen).unwrap();
        for (plies, &count) in (1..).zip(counts).filter(|(_, count)| (least..=most).contains(*count)) {
            assert_eq!(paths(&*game, &position, plies), count, "{fen}: {plies} plies");
            checked += 1;
        }
    }
    assert!(checked > 3);
}

#[test]
fn paths_are_the_published_ones() {
    check_paths(50_000, 1);
}

#[test]
#[ignore = "seconds in a release build, minutes in a debug build"]
fn longer_paths_are_the_published_ones() {
    check_paths(u64::MAX, 50_001);
}

/// The relations of the whole game and its arrivals, for computing images of single positions.
struct Whole {
    store: Store,
    sides: Vec<(nerode_dfa::Moves, nerode_dfa::Set)>,
}

impl Whole {
    fn new(game: &dyn Game) -> Self {
        let mut store = Store::unbounded(game.shape().clone());
        let mut of = |side| {
            let graph: MoveGraph = game.moves(&mut store, side).unwrap();
            (store.relation(&graph).unwrap(), game.arrivals(&mut store, side).unwrap().unwrap())
        };
        let sides = Side::BOTH.map(&mut of).into();
        Self { store, sides }
    }

    fn image(&mut self, word: &[u8], side: Side) -> BTreeSet<Vec<u8>> {
        let (moves, arrivals) = &self.sides[side.index()];
        let one = self.store.word(word).unwrap();
        let image = self.store.image(&one, moves).unwrap();
        let image = self.store.intersection(&image, arrivals).unwrap();
        self.store.freeze(&image).words().collect()
    }
}

/// Plays a game of random moves, for at most `plies` plies.
fn random_game(game: &dyn Game, start: Position, seed: &mut u64, plies: usize) -> Vec<Position> {
    let mut all = vec![start];
    while all.len() <= plies {
        let last = all.last().unwrap();
        let moves = moves(game, last);
        // A linear congruential generator is random enough to choose moves.
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let Some(mv) = moves.get((*seed >> 33) as usize % moves.len().max(1)) else { break };
        all.push(played(last, mv));
    }
    all
}

/// Uses reachable positions, and words that cannot occur in play, which have moves as well.
#[test]
#[ignore = "slow: .ci/slow"]
fn the_whole_game_has_the_same_moves_in_both_descriptions() {
    let game = open("chess:start").unwrap();
    let mut whole = Whole::new(&*game);
    compare_positions(&*game, &mut whole);
    compare_words(&*game, &mut whole);
}

fn compare_positions(game: &dyn Game, whole: &mut Whole) {
    let (mut seed, mut seen) = (1, 0);
    for (fen, _) in PATHS {
        let start = game.parse_position(fen).unwrap();
        let mut positions = random_game(game, start.clone(), &mut seed, 60);
        positions.extend(moves(game, &start).iter().map(|mv| played(&start, mv)));
        for Position { board, side } in positions {
            let expected: BTreeSet<Vec<u8>> =
                successors(game, &board, side).iter().map(|after| game.word_of(after)).collect();
            let text = game.format_position(&Position { board: board.clone(), side });
            assert_eq!(whole.image(&game.word_of(&board), side), expected, "{text}");
            seen += expected.len();
        }
    }
    assert!(seen > 5000, "{seen} moves");
}

fn compare_words(game: &dyn Game, whole: &mut Whole) {
    let (mut seed, mut seen) = (7u64, 0);
    for round in 0..400 {
        let (mut board, _) = game.start();
        for _ in 0..round % 40 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let cell = (seed >> 40) as usize % board.len();
            board[cell] = ((seed >> 20) % u64::from(game.cell_states()[cell])) as u8;
        }
        for side in Side::BOTH {
            let expected: BTreeSet<Vec<u8>> =
                successors(game, &board, side).iter().map(|after| game.word_of(after)).collect();
            assert_eq!(whole.image(&game.word_of(&board), side), expected, "{board:?} {side}");
            seen += expected.len();
        }
    }
    assert!(seen > 200, "{seen} moves");
}

/// Checks that counting distinguishes whether a pawn may be captured en passant only if such a capture is legal.
#[test]
fn positions_without_a_legal_capture_in_passing_are_counted_once() {
    let game = open("chess:start").unwrap();
    for (fen, told) in [
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6", true),
        // Without both pawns, the rank would be open: the capturing pawn is pinned to its file.
        ("4k3/8/8/K2pP2r/8/8/8/8 w - d6", false),
        ("4r1k1/8/8/3pP3/8/8/8/4K3 w - d6", false),
        ("4k3/8/8/8/3Pp3/8/8/4K3 b - d3", true),
    ] {
        let position = game.parse_position(fen).unwrap();
        let word = game.word_of(&position.board);
        let mut store = Store::unbounded(game.shape().clone());
        let set = nerode_dfa::Dfa::word(game.shape(), &word).unwrap();
        let apart = game.canonical_for_counting(&mut store, position.side, &set).unwrap().unwrap();
        let apart: Vec<Vec<u8>> = store.freeze(&apart).words().collect();
        assert_eq!(apart.len(), 1, "{fen}");
        let same = apart[0] == word;
        let captures = moves(&*game, &position).iter().any(|mv| {
            let text = game.format_move(&position, mv);
            text.ends_with("d6") && text.starts_with('e') || text.ends_with("d3") && text.starts_with('e')
        });
        assert_eq!((same, captures), (told, told), "{fen}");
    }
}

const SMALL: [&str; 5] = [
    "chess:KQvK,board=4x4",
    "chess:KRvK,board=5x4",
    "chess:KPvK,board=4x4",
    "chess:KvKB,board=4x5",
    "chess:KvKP,board=4x5",
];

/// Compares outcomes and moves on every board, in every letter order.
#[test]
fn endgames_agree_on_every_board() {
    for spec in SMALL {
        for order in orders(spec).unwrap() {
            let game = open_with_order(spec, Some(&order)).unwrap();
            agree(&game, if order == "kings-last" { 1 } else { 5 });
        }
    }
}

#[test]
fn endgames_of_four_men_agree_on_a_sample_of_boards() {
    for spec in [
        "chess:KQvKR,board=4x4",
        "chess:KBNvK,board=4x5",
        "chess:KPvKR,board=4x4",
        "chess:KRPvK,board=4x4",
        "chess:KNNvK,board=4x4",
        "chess:KPPvK,board=4x4",
        "chess:KQvKP,board=4x5",
    ] {
        agree(&open(spec).unwrap(), 97);
    }
}

fn agree(game: &Arc<dyn Game>, stride: usize) {
    let mut seen = BTreeMap::new();
    for side in Side::BOTH {
        let mut symbolic = Symbolic::new(game, side);
        for board in boards(&**game).step_by(stride) {
            let (word, outcome) = (game.word_of(&board), game.outcome(&board, side));
            let text = || format!("{} {board:?} {side} in order {}", game.spec(), game.order());
            assert_eq!(symbolic.outcome(&**game, &word), outcome, "{}", text());
            let after = successors(&**game, &board, side);
            assert_eq!(after.is_empty(), outcome.is_some(), "{}", text());
            *seen.entry(outcome).or_insert(0) += 1;
            if outcome.is_none() {
                let expected: BTreeSet<Vec<u8>> = after.iter().map(|board| game.word_of(board)).collect();
                assert_eq!(symbolic.neighbours(&word, true), expected, "{}", text());
            }
        }
    }
    assert!(seen[&None] > 100 && seen[&Some(Value::Draw)] > 100, "{}: {seen:?}", game.spec());
}

/// Checks that the preimage of every board consists of the boards from which moves lead to it.
#[test]
fn endgames_lead_back_to_where_moves_came_from() {
    for spec in ["chess:KQvK,board=4x4", "chess:KPvK,board=4x4"] {
        let game = open(spec).unwrap();
        for side in Side::BOTH {
            let mut symbolic = Symbolic::new(&game, side);
            let mut before: BTreeMap<Vec<u8>, BTreeSet<Vec<u8>>> = BTreeMap::new();
            for board in boards(&*game) {
                for after in successors(&*game, &board, side) {
                    before.entry(after).or_default().insert(game.word_of(&board));
                }
            }
            let mut moves = 0;
            for board in boards(&*game).step_by(7) {
                let mut found = symbolic.neighbours(&game.word_of(&board), false);
                found.retain(|word| !symbolic.store.contains(&symbolic.ended, word));
                assert_eq!(found, before.get(&board).cloned().unwrap_or_default(), "{board:?}");
                moves += found.len();
            }
            assert!(moves > 100);
        }
    }
}

/// Checks that maps of the board and exchanges of equal men preserve outcomes and moves and form a group.
#[test]
fn relabellings_commute_with_moves() {
    for (spec, number, stride) in [
        ("chess:KQvK,board=4x4", 7, 1),
        ("chess:KRvK,board=5x4", 3, 1),
        ("chess:KPvK,board=4x4", 1, 3),
        ("chess:KNNvK,board=4x4", 15, 101),
        ("chess:KPPvK,board=4x4", 3, 997),
    ] {
        let game = open(spec).unwrap();
        let all = game.relabellings();
        assert_eq!(all.len(), number, "{spec}");
        let names: BTreeSet<&String> = all.iter().map(|map| &map.name).collect();
        assert_eq!(names.len(), number, "{spec}: {names:?}");
        for board in boards(&*game).step_by(stride) {
            for map in &all {
                let image = map.apply(&board);
                assert!(all.iter().any(|back| back.apply(&image) == board), "{spec} {}", map.name);
                for side in Side::BOTH {
                    assert_eq!(game.outcome(&image, side), game.outcome(&board, side), "{spec} {}", map.name);
                    let after =
                        successors(&*game, &board, side).iter().map(|board| map.apply(board)).collect();
                    assert_eq!(successors(&*game, &image, side), after, "{spec} {}", map.name);
                }
            }
        }
    }
    assert!(open("chess:start").unwrap().relabellings().is_empty());
}

#[test]
fn sides_with_equal_men_are_swapped() {
    for (spec, stride) in [("chess:KQvKQ,board=4x4", 61), ("chess:KRvKR,board=4x5", 97)] {
        let game = open(spec).unwrap();
        let swap = game.side_swap().unwrap();
        for board in boards(&*game).step_by(stride) {
            let image = swap.apply(&board);
            assert_eq!(swap.apply(&image), board);
            for side in Side::BOTH {
                assert_eq!(
                    game.outcome(&image, side.other()),
                    game.outcome(&board, side),
                    "{spec} {board:?}"
                );
                let after = successors(&*game, &board, side).iter().map(|b| swap.apply(b)).collect();
                assert_eq!(successors(&*game, &image, side.other()), after, "{spec} {board:?}");
            }
        }
    }
    assert!(open("chess:KQvKR").unwrap().side_swap().is_none());
    let game = open("chess:start").unwrap();
    let swap = game.side_swap().unwrap();
    let (start, mut seed) = (game.start().0, 3);
    assert_eq!(swap.apply(&start), start, "the start is its own mirror image");
    for Position { board, side } in
        random_game(&*game, Position { board: start, side: Side::P1 }, &mut seed, 120)
    {
        let after = successors(&*game, &board, side).iter().map(|b| swap.apply(b)).collect();
        assert_eq!(successors(&*game, &swap.apply(&board), side.other()), after);
    }
}

/// Checks that every word belongs to exactly one class, according to its men.
#[test]
fn classes_part_the_words_by_material() {
    for (spec, names) in [
        ("chess:KQvKR,board=4x4", vec!["KQvKR", "KQvK", "KvKR", "KvK"]),
        ("chess:KPvK,board=4x4", vec!["KPvK", "KQvK", "KRvK", "KBvK", "KNvK", "KvK"]),
        ("chess:KNNvK,board=4x4", vec!["KNNvK", "KNvK", "KvK"]),
    ] {
        let game = open(spec).unwrap();
        let classes = game.classes();
        assert_eq!(classes.iter().map(|class| class.name.as_str()).collect::<Vec<_>>(), names);
        for board in boards(&*game).step_by(31) {
            // A captured man with a promoted form does not belong to any class.
            let (misfit, products) =
                (format_is_list(&*game, &board), classes.iter().flat_map(|class| &class.products));
            let holds = |product: &&Vec<(usize, Vec<u8>)>| {
                product.iter().all(|(cell, contents)| contents.contains(&board[*cell]))
            };
            let found = products.filter(holds).count();
            assert!(found == 1 || misfit && found <= 1, "{spec} {board:?}: {found} classes");
        }
    }
}

fn format_is_list(game: &dyn Game, board: &[u8]) -> bool {
    game.format_position(&Position { board: board.to_vec(), side: Side::P1 }).starts_with('=')
}

#[test]
fn positions_are_fens() {
    let game = open("chess:KPvKR").unwrap();
    let position = game.parse_position("8/8/8/8/k7/8/1P5r/K7 w - - 3 17").unwrap();
    assert_eq!(game.format_position(&position), "8/8/8/8/k7/8/1P5r/K7 w - -");
    assert_eq!(game.parse_position("8/8/8/8/k7/8/1P5r/K7_w_-_-").unwrap(), position);
    let promoted = game.parse_position("4Q3/8/8/8/k7/8/8/K7 b").unwrap();
    assert_eq!(game.format_position(&promoted), "4Q3/8/8/8/k7/8/8/K7 b - -");
    assert!(game.draw(&promoted).contains("8  . . . . Q . . .\n"));
    for (text, reason) in [
        ("8/8/8/8/k7/8/1P5r/K7", "the side to move is missing after the rows; expected w or b"),
        ("8/8/8/8/k7/8/1P5r/K7 x", "the side to move is 'x', not w or b"),
        ("8/8/8/8/k7/8/1P5r/8 w", "the king K is missing"),
        ("8/8/8/8/k7/8/1PP4r/K7 w", "one P too many for KPvKR"),
        ("8/8/8/8/k7/8/1P4rr/K7 w", "one r too many for KPvKR"),
        ("8/8/8/8/k7/8/1P5r/K7 w K -", "neither castling nor"),
        ("8/8/8/8/k7/8/1P5r/K7 w - e3", "neither castling nor"),
        ("8/8/8/8/k7/8/1P5r/K7 w - - x 1", "counter 'x'"),
        (
            "8/8/8/8/k7/8/1P5r/K8 w",
            "row 8 from the top, 'K8': character 2 stands for 8 empty cells, but the row has room for 1 to 7",
        ),
        ("8/8/8/8/k7/8/1P5r/K7 w - - 1 2 3", "7 fields"),
        ("=Pb2,ra1,Ka1 w", "3 pieces, but KPvKR has 4"),
        ("=ra1,Kb2,Ka1,kb2 w", "is in the place of P"),
    ] {
        let error = game.parse_position(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
    let start = open("chess:start").unwrap();
    let (board, side) = start.start();
    let first = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    assert_eq!(start.format_position(&Position { board, side }), first);
    for (text, reason) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w KQkq -", "a king is missing"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKKBNR w - -", "two kings"),
        ("1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", "castling right 'q' requires"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w x -", "unexpected castling right 'x'"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e6", "no pawn has just passed e6"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e9", "no square 'e9'"),
    ] {
        let error = start.parse_position(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
}

/// Checks the notation of one move of each kind.
#[test]
fn moves_are_written_by_their_squares() {
    let game = open("chess:start").unwrap();
    let position = game.parse_position("r3k2r/P7/8/3pP3/8/8/8/R3K2R w KQkq d6").unwrap();
    let after = |text: &str| {
        let mv = game.parse_move(&position, text).unwrap();
        assert_eq!(game.format_move(&position, &mv), text);
        game.format_position(&played(&position, &mv))
    };
    assert_eq!(after("e1g1"), "r3k2r/P7/8/3pP3/8/8/8/R4RK1 b kq -");
    assert_eq!(after("e1c1"), "r3k2r/P7/8/3pP3/8/8/8/2KR3R b kq -");
    assert_eq!(after("a1a2"), "r3k2r/P7/8/3pP3/8/8/R7/4K2R b Kkq -");
    assert_eq!(after("h1h8"), "r3k2R/P7/8/3pP3/8/8/8/R3K3 b Qq -");
    assert_eq!(after("e5d6"), "r3k2r/P7/3P4/8/8/8/8/R3K2R b KQkq -");
    assert_eq!(after("e5e6"), "r3k2r/P7/4P3/3p4/8/8/8/R3K2R b KQkq -");
    let position = game.parse_position("1r2k3/P2p4/8/4P3/8/8/8/4K3 w - -").unwrap();
    let promoted = game.parse_move(&position, "a7b8n").unwrap();
    assert_eq!(game.format_position(&played(&position, &promoted)), "1N2k3/3p4/8/4P3/8/8/8/4K3 b - -");
    let error = game.parse_move(&position, "a7a8").unwrap_err().to_string();
    assert!(error.contains("a7a8q a7a8r a7a8b a7a8n"), "{error}");
    let endgame = open("chess:KPvK").unwrap();
    let position = endgame.parse_position("8/1P6/8/8/8/8/8/K6k w").unwrap();
    let promoted = endgame.parse_move(&position, "b7b8q").unwrap();
    assert_eq!(endgame.format_position(&played(&position, &promoted)), "1Q6/8/8/8/8/8/8/K6k b - -");
}

const SPECS: [&str; 6] = [
    "chess:KRvK",
    "chess:KQvKR",
    "chess:KPvKB",
    "chess:KRPvK,board=6x5",
    "chess:KNNvK,board=4x4",
    "chess:KvK",
];

proptest! {
    /// Checks that every word can be read back, whether it is written as a FEN or as a list of men.
    #[test]
    fn endgame_words_are_read_back(spec in prop::sample::select(SPECS.to_vec()), bytes in prop::collection::vec(any::<u16>(), 8), first in any::<bool>()) {
        let game = open(spec).unwrap();
        let board = game.cell_states().iter().zip(bytes).map(|(&states, byte)| (byte % states) as u8).collect();
        let position = Position { board, side: if first { Side::P1 } else { Side::P2 } };
        let text = game.format_position(&position);
        prop_assert_eq!(game.parse_position(&text).unwrap(), position.clone(), "{}", text);
        for mv in moves(&*game, &position) {
            let text = game.format_move(&position, &mv);
            prop_assert_eq!(&game.parse_move(&position, &text).unwrap(), &mv);
        }
    }

    #[test]
    fn positions_of_play_are_read_back(seed in any::<u64>()) {
        let game = open("chess:start").unwrap();
        let (board, side) = game.start();
        let mut seed = seed;
        for position in random_game(&*game, Position { board, side }, &mut seed, 40) {
            let text = game.format_position(&position);
            prop_assert_eq!(game.parse_position(&text).unwrap(), position.clone(), "{}", text);
            let names: BTreeSet<String> = moves(&*game, &position).iter().map(|mv| game.format_move(&position, mv)).collect();
            prop_assert_eq!(names.len(), moves(&*game, &position).len(), "{}", text);
        }
    }

    #[test]
    fn text_in_the_letters_of_chess_is_a_position_or_an_error(
        spec in prop::sample::select(vec!["chess:start", "chess:KPvKR", "chess:KQvK,board=4x4"]),
        text in "=?([KQRBNPkqrbnp1-8]{1,8}[/,]){3,7}[KQRBNPkqrbnp1-8]{1,8} [wb]( [KQkq-]{1,3}( [a-h][36])?)?",
        move_text in "[a-h][1-8][a-h][1-8][qrbn]?",
    ) {
        let game = open(spec).unwrap();
        if let Ok(position) = game.parse_position(&text) {
            prop_assert_eq!(game.parse_position(&game.format_position(&position)).unwrap(), position);
        }
        let (board, side) = game.start();
        let _ = game.parse_move(&Position { board, side }, &move_text);
    }
}

#[test]
fn castling_is_read_as_people_write_it() {
    let game = open("chess:start").unwrap();
    for (side, rank) in [("w", 1), ("b", 8)] {
        let position = format!("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R {side} KQkq - 0 1");
        let position = game.parse_position(&position).unwrap();
        for (typed, to) in [("O-O", 'g'), ("0-0", 'g'), ("o-o+", 'g'), ("O-O-O", 'c'), ("0-0-0!?", 'c')] {
            let mv = game.parse_move(&position, typed).unwrap();
            assert_eq!(game.format_move(&position, &mv), format!("e{rank}{to}{rank}"), "{typed}");
        }
    }
    // Without the right, and with a king elsewhere.
    for fen in ["4k3/8/8/8/8/8/8/4K2R w - -", "4k3/8/8/8/8/8/8/5K1R w - -"] {
        let position = game.parse_position(fen).unwrap();
        assert!(game.parse_move(&position, "O-O").is_err(), "{fen}");
    }
}
