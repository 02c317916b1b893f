//! Published and closed-form results: the winners of Breakthrough (Considine's table 3) and of the amazons, nim by Bouton's rule,
//! and tic-tac-toe.
//!
//! Slow tests are ignored by default. Run them by name in a release build, for example with
//! `cargo test --release --test solving -- --ignored breakthrough_5x5`.

use std::collections::BTreeMap;

use crate::common::{Plan, game, scratch, solve_in, solved, stride};
use nerode_dfa::{Dfa, Shape};
use nerode_games::Side;
use nerode_report::census::census;
use nerode_report::run::{RunReport, report};
use nerode_solver::archive::run_dir::{Kind, Request};
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::run::{Existing, solve as solve_into};
use nerode_solver::solve::engine::Engine;
use nerode_solver::solve::method::{Chains, Method};
use nerode_solver::solve::reach::Reach;
use nerode_solver::solve::resources::Resources;
use nerode_solver::solve::retrograde::Retrograde;
use nerode_solver::solve::rules::CompiledRules;

/// Solves a game and returns the report.
fn solve(spec: &str, plan: Plan) -> RunReport {
    let dir = scratch();
    solve_in(dir.path(), &game(spec), plan).unwrap();
    report(&StoredRun::open(dir.path()).unwrap()).unwrap()
}

/// Returns the `(board, winner)` pairs of the published table.
fn published() -> BTreeMap<String, String> {
    let table: serde_json::Value =
        serde_json::from_str(include_str!("../data/breakthrough-values.json")).unwrap();
    assert!(table["source"].as_str().unwrap().contains("Considine"));
    let mut winners = BTreeMap::new();
    for (width, heights) in table["values"].as_object().unwrap() {
        for (height, winner) in heights.as_object().unwrap() {
            winners.insert(format!("{width}x{height}"), winner.as_str().unwrap().to_string());
        }
    }
    winners
}

/// Checks a board by both methods, or by retrograde analysis alone, and returns the depth of the start position.
fn breakthrough(board: &str, by_both: bool) -> Option<u32> {
    let expected = published()[board].clone();
    let spec = format!("breakthrough:{board}");
    let retrograde = solve(&spec, Plan::RETROGRADE);
    assert_eq!(retrograde.winner.as_ref(), Some(&expected), "{board} by retrograde");
    assert!(retrograde.complete);
    if by_both {
        let meet = solve(&spec, Plan::meet(Some(0), None));
        assert_eq!(meet.winner, Some(expected), "{board} by meet in the middle");
        assert!(meet.complete);
    }
    retrograde.start.dtw
}

/// Generates tests for the boards of the table: fast ones, and slow ones that are ignored by default.
macro_rules! boards {
    ($($test:ident $board:literal $both:literal,)* ; $($long:ident $long_board:literal,)*) => {
        $(#[test] fn $test() { breakthrough($board, $both); })*
        $(
            #[test]
            #[ignore = "from seconds (3x7, 7x4) to more than a workstation has; run by name in a release build"]
            fn $long() { breakthrough($long_board, false); }
        )*
        const TESTED: &[&str] = &[$($board,)* $($long_board,)* "5x5"];
    };
}

boards! {
    breakthrough_2x4 "2x4" true,
    breakthrough_2x5 "2x5" true,
    breakthrough_2x6 "2x6" true,
    breakthrough_2x7 "2x7" true,
    breakthrough_2x8 "2x8" false,
    breakthrough_3x4 "3x4" true,
    breakthrough_3x5 "3x5" true,
    breakthrough_3x6 "3x6" false,
    breakthrough_4x4 "4x4" true,
    breakthrough_4x5 "4x5" false,
    breakthrough_5x4 "5x4" false,
    breakthrough_6x4 "6x4" false,
    ;
    breakthrough_3x7 "3x7",
    breakthrough_3x8 "3x8",
    breakthrough_4x6 "4x6",
    breakthrough_4x7 "4x7",
    breakthrough_5x6 "5x6",
    breakthrough_6x5 "6x5",
    breakthrough_7x4 "7x4",
    breakthrough_8x4 "8x4",
}

#[test]
#[ignore = "a minute in a release build"]
fn breakthrough_5x5_is_lost_in_26_plies() {
    assert_eq!(breakthrough("5x5", false), Some(26));
}

#[test]
fn every_published_board_has_a_test() {
    let mut tested: Vec<String> = TESTED.iter().map(|board| (*board).to_string()).collect();
    tested.sort();
    assert_eq!(tested, published().into_keys().collect::<Vec<_>>());
}

/// Searches forward over the reachable positions before ply `from` and backward over the admissible positions from there on.
/// Every position of both parts must be decided.
fn amazons(board: &str, from: u32) {
    let table: serde_json::Value = serde_json::from_str(include_str!("../data/amazons-values.json")).unwrap();
    let expected = table["values"][board].as_str().unwrap();
    let (dir, game) = (scratch(), game(&format!("amazons:{board}")));
    let mut request = Request::new(game.as_ref(), Method::Meet, Some(0), None);
    request.admissible_from = Some(from);
    let resources = Resources { threads: 2, memory: 6 << 30, ..Resources::default() };
    solve_into(game, request, dir.path(), Existing::Refuse, &resources, &mut |_| ()).unwrap();
    let found = report(&StoredRun::open(dir.path()).unwrap()).unwrap();
    assert_eq!((found.winner.as_deref(), found.complete), (Some(expected), true), "{board}");
}

#[test]
#[ignore = "a quarter of a minute in a debug build; results/amazons has larger boards"]
fn amazons_4x4_is_won_by_the_second_player() {
    amazons("4x4", 4);
}

/// Returns `{ heaps : the exclusive or of the heights is 0 }` (C. L. Bouton, Annals of Mathematics 3, 1901).
fn cancelling(heaps: usize, most: u16) -> Dfa {
    let shape = Shape::uniform(heaps, most + 1).unwrap();
    Dfa::from_step(&shape, 0u8, |_, sum, height| Some(sum ^ height), |sum| *sum == 0).unwrap()
}

/// Checks that the last sets of nim equal Bouton's sets for both sides.
fn bouton(heaps: usize, most: u16) {
    let spec = format!("nim:{heaps}x{most}");
    let mut engine = Engine::new(game(&spec), &Resources::default(), None).unwrap();
    let mut retrograde = Retrograde::new(&engine, Chains::Both);
    while retrograde.step(&mut engine).unwrap() {}
    let lost = cancelling(heaps, most);
    let won = engine.combine(&[&lost], |x| !x[0]).unwrap();
    for side in Side::BOTH {
        assert!(retrograde.level().loss[side.index()] == lost, "{spec}, {side}: lost");
        assert!(retrograde.level().win[side.index()] == won, "{spec}, {side}: won");
    }
}

#[test]
fn nim_is_lost_exactly_when_the_heaps_cancel() {
    for heaps in 1..=4 {
        for most in 1..=8 {
            bouton(heaps, most);
        }
    }
    for (heaps, most) in [(8, 3), (8, 7), (4, 15)] {
        bouton(heaps, most);
    }
}

#[test]
#[ignore = "minutes; run by name in a release build"]
fn nim_of_up_to_8_heaps_of_15_is_lost_exactly_when_the_heaps_cancel() {
    for heaps in 1..=8 {
        for most in 1..=15 {
            bouton(heaps, most);
        }
    }
}

#[test]
#[ignore = "hours; run by name in a release build"]
fn nim_of_up_to_8_heaps_of_31_is_lost_exactly_when_the_heaps_cancel() {
    for heaps in 1..=8 {
        for most in 16..=31 {
            bouton(heaps, most);
        }
    }
}

/// Checks Bouton's set by one-ply conditions: no move leads from the set into the set, and from every other position some move
/// leads into it. Because every game of nim ends, no other set satisfies these conditions. This covers sizes whose solve would
/// take hours.
fn bouton_by_one_ply(heaps: usize, most: u16) {
    let spec = format!("nim:{heaps}x{most}");
    let mut rules = CompiledRules::new(game(&spec), &Resources::default()).unwrap();
    let lost = rules.store.import(&cancelling(heaps, most)).unwrap();
    let others = rules.store.complement(&lost).unwrap();
    for side in Side::BOTH {
        let reached = rules.image(&lost, side).unwrap();
        assert!(
            rules.store.is_disjoint(&reached, &lost),
            "{spec}: a move from a lost position to a lost one"
        );
        let winners = rules.preimage(&lost, side).unwrap();
        assert!(rules.store.is_subset(&others, &winners), "{spec}: a position that neither loses nor wins");
    }
}

#[test]
#[ignore = "slow: .ci/slow"]
fn nim_of_up_to_8_heaps_is_lost_when_the_heaps_cancel_by_one_ply() {
    for heaps in 1..=8 {
        for most in [7, 12, 31].into_iter().step_by(stride(2)) {
            bouton_by_one_ply(heaps, most);
        }
    }
}

#[test]
#[ignore = "minutes; run by name in a release build"]
fn nim_of_up_to_8_heaps_of_up_to_31_is_lost_when_the_heaps_cancel_by_one_ply() {
    for heaps in 1..=8 {
        for most in 1..=31 {
            bouton_by_one_ply(heaps, most);
        }
    }
}

/// The number of states of the lost set, by layer: one at the start, one per height after the first heap, then one per sum that
/// the remaining heaps can cancel, and one per height again before the last heap. Every additional heap therefore adds the same
/// number.
#[test]
fn states_of_the_lost_set_of_nim_grow_linearly_with_the_heaps() {
    for most in [1u16, 2, 3, 4, 5, 6, 7] {
        let sums = (usize::from(most) + 1).next_power_of_two();
        let mut totals = Vec::new();
        for heaps in 2..=5 {
            let (_dir, solution) = solved(&format!("nim:{heaps}x{most}"), None, Plan::RETROGRADE);
            let lost = solution.set(Kind::L, Side::P1, solution.last_ply()).unwrap();
            let heights = usize::from(most) + 1;
            for layer in 0..heaps {
                let expected = match layer {
                    0 => 1,
                    _ if layer == 1 || layer == heaps - 1 => heights,
                    _ => sums,
                };
                assert_eq!(lost.num_states_in(layer), expected, "nim:{heaps}x{most}, layer {layer}");
            }
            totals.push(lost.num_states());
        }
        assert_eq!(totals[0], 1 + heights_of(most));
        assert_eq!(totals[1], 1 + 2 * heights_of(most));
        assert_eq!(totals[2] - totals[1], sums, "heaps of {most}: from 3 to 4 heaps");
        assert_eq!(totals[3] - totals[2], sums, "heaps of {most}: from 4 to 5 heaps");
    }
}

fn heights_of(most: u16) -> usize {
    usize::from(most) + 1
}

/// A single heap is won in one ply. Two equal heaps are lost in as many plies as there are objects, because the loser takes one
/// at a time and the winner mirrors each move. Three equal heaps are won by removing one of them.
#[test]
fn nim_starts_have_closed_form_depths() {
    for most in [1u32, 2, 3, 7, 12] {
        let depth = |heaps: u32| solve(&format!("nim:{heaps}x{most}"), Plan::RETROGRADE).start.dtw;
        assert_eq!(depth(1), Some(1), "1 heap of {most}");
        assert_eq!(depth(2), Some(2 * most), "2 heaps of {most}");
        if most <= 7 {
            assert_eq!(depth(3), Some(2 * most + 1), "3 heaps of {most}");
        }
    }
}

/// The number of reachable positions by number of marks. Their sum, 5478, appears in many textbooks.
#[test]
fn tictactoe_3x3_has_5478_positions_and_is_a_draw() {
    let mut engine = Engine::new(game("tictactoe:3x3"), &Resources::default(), None).unwrap();
    let mut reach = Reach::new(&engine).unwrap();
    let mut counts = Vec::new();
    loop {
        counts.push(reach.set().count().unwrap());
        if !reach.step(&mut engine).unwrap() {
            break;
        }
    }
    assert_eq!(counts, [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]);
    assert_eq!(counts.iter().sum::<u128>(), 5478);
    for plan in [Plan::RETROGRADE, Plan::meet(Some(0), None), Plan::meet(Some(3), None)] {
        let found = solve("tictactoe:3x3", plan);
        assert_eq!((found.winner.as_deref(), found.start.dtw), (Some("draw"), None), "{plan:?}");
        assert!(found.complete);
    }
}

/// Four in a row on 4 x 4 is a draw, and three in a row on 4 x 3 is a first-player win (Uiterwijk and van den Herik, "The
/// advantage of the initiative", Information Sciences 122, 2000).
#[test]
fn tictactoe_4x4_is_a_draw() {
    let found = solve("tictactoe:4x4,k=4", Plan::meet(Some(0), None));
    assert_eq!((found.winner.as_deref(), found.complete), (Some("draw"), true));
}

#[test]
fn tictactoe_4x3_is_won_by_the_first_player() {
    for plan in [Plan::RETROGRADE, Plan::meet(Some(0), None)] {
        assert_eq!(solve("tictactoe:4x3", plan).winner.as_deref(), Some("P1"), "{plan:?}");
    }
}

/// Returns J. Tromp's results for boards of Connect Four.
fn tromp() -> serde_json::Value {
    let table: serde_json::Value =
        serde_json::from_str(include_str!("../data/connect-positions.json")).unwrap();
    assert!(table["source"].as_str().unwrap().contains("Tromp"));
    table
}

/// Returns the boards (columns, rows) and numbers of positions in the table that `choose` accepts.
fn tromp_boards(choose: impl Fn(usize, usize, u128) -> bool) -> Vec<(String, u128)> {
    let mut boards = Vec::new();
    for (height, row) in tromp()["positions"].as_object().unwrap() {
        for (width, number) in (1..).zip(row.as_array().unwrap()) {
            let positions = number.as_str().unwrap().parse().unwrap();
            if choose(width, height.parse().unwrap(), positions) {
                boards.push((format!("{width}x{height}"), positions));
            }
        }
    }
    boards
}

/// Returns the total number of positions of all plies. No position occurs at two plies.
fn connect_positions(spec: &str) -> u128 {
    let mut engine = Engine::in_play(game(spec), &Resources::default(), None).unwrap();
    let mut reach = Reach::new(&engine).unwrap();
    let mut positions = reach.set().count().unwrap();
    while reach.step(&mut engine).unwrap() {
        positions += reach.set().count().unwrap();
    }
    positions
}

#[test]
fn connect_has_as_many_positions_as_published() {
    let boards = tromp_boards(|_, _, positions| positions < 13_000);
    assert_eq!(boards.len(), 27);
    for (board, positions) in boards {
        assert_eq!(connect_positions(&format!("connect:{board}")), positions, "{board}");
        assert_eq!(connect_positions(&format!("connect:{board},encoding=columns")), positions, "{board}");
    }
}

#[test]
#[ignore = "a minute or two in a release build"]
fn connect_up_to_5x5_6x4_and_4x6_has_as_many_positions_as_published() {
    let boards = tromp_boards(|w, h, _| w.max(h) <= 5 || (w <= 6 && h <= 4) || (w <= 4 && h <= 6));
    assert_eq!(boards.len(), 33);
    for (board, positions) in boards {
        for encoding in ["cells", "columns"] {
            let found = connect_positions(&format!("connect:{board},encoding={encoding}"));
            assert_eq!(found, positions, "{board}, {encoding}");
        }
    }
}

/// Checks that every ply of a meet-in-the-middle run is partitioned into won, drawn and lost positions, and that the winner is
/// the published one.
fn connect_value(board: &str) {
    let [width, height]: [usize; 2] =
        board.split('x').map(|n| n.parse().unwrap()).collect::<Vec<_>>().try_into().unwrap();
    let table = tromp();
    let expected = table["winners"][height.to_string()][width - 4].as_str().unwrap();
    let found = solve(&format!("connect:{board}"), Plan::meet(Some(0), None));
    assert_eq!((found.winner.as_deref(), found.complete), (Some(expected), true), "{board}");
    let mut total = 0;
    for ply in &found.plies {
        let [all, win, draw, loss, unknown] = [ply.positions, ply.win, ply.draw, ply.loss, ply.unknown];
        assert_eq!((win + draw + loss, unknown), (all, 0), "{board}, ply {}", ply.ply);
        total += all;
    }
    let positions = tromp_boards(|w, h, _| (w, h) == (width, height));
    assert_eq!(positions, [(board.to_string(), total)]);
}

#[test]
fn connect_4x4_is_a_draw() {
    connect_value("4x4");
}

#[test]
#[ignore = "half a minute in a release build"]
fn connect_has_the_published_winners() {
    for board in ["5x4", "4x5", "4x6", "5x5", "6x4"] {
        connect_value(board);
    }
}

#[test]
#[ignore = "minutes in a release build"]
fn connect_6x5_and_5x6_are_draws() {
    connect_value("6x5");
    connect_value("5x6");
}

/// The second player wins 3 x 3, and also 4 x 4, by 3 to 11 (reversi-nxn, 2008). The first player wins 4 x 3. The other values
/// are our own.
#[test]
fn othello_has_the_known_winners() {
    for (board, winner) in [("3x3", "P2"), ("4x3", "P1"), ("3x4", "P1"), ("4x4", "P2")] {
        let found = solve(&format!("othello:{board}"), Plan::meet(Some(0), None));
        assert_eq!((found.winner.as_deref(), found.complete), (Some(winner), true), "{board}");
    }
    for (margin, winner) in [(-8, "P1"), (-7, "P2")] {
        let found = solve(&format!("othello:4x4,margin={margin}"), Plan::meet(Some(0), None));
        assert_eq!(found.winner.as_deref(), Some(winner), "margin {margin}");
    }
}

#[test]
#[ignore = "half a minute in a release build"]
fn othello_of_twenty_cells_is_won_by_the_first_player_by_16() {
    for board in ["4x5", "5x4"] {
        let scores = nerode_solver::solve::score::solve(
            game(&format!("othello:{board}")),
            &Resources::default(),
            &mut |_| (),
        )
        .unwrap();
        assert_eq!(scores.get(0, &scores.game.start().0), Some(16), "{board}");
    }
}

/// The winner is the same in every letter order, because the order changes the states and not the languages.
#[test]
fn the_letter_order_changes_states_only() {
    let counts = |found: &RunReport| {
        let sides = [&found.sides.p1, &found.sides.p2];
        sides.map(|s| (s.win.positions, s.loss.positions))
    };
    let mut seen = Vec::new();
    for order in nerode_games::registry::orders("breakthrough:3x4").unwrap() {
        let (_dir, solution) = solved("breakthrough:3x4", Some(&order), Plan::RETROGRADE);
        let found = report(&solution).unwrap();
        assert_eq!(found.order, order);
        seen.push((found.winner.clone(), found.start.dtw, counts(&found), found.sides.p1.win.num_states));
    }
    assert!(seen.len() >= 7, "{} orders", seen.len());
    for other in &seen[1..] {
        assert_eq!((&other.0, &other.1, &other.2), (&seen[0].0, &seen[0].1, &seen[0].2));
    }
    assert!(seen.iter().any(|other| other.3 != seen[0].3), "all orders need the same number of states");
}

/// Endgame statistics: the numbers of orbits of won, drawn and lost positions, for white and then for black to move, and the
/// longest win in plies.
type Endgame = (&'static str, [[u64; 3]; 2], u32);

/// Published endgame statistics: numbers of positions up to symmetry for each side to move from the Syzygy tables
/// ("regular-stats.txt"), and longest mates in moves from the kirill-kryukov.com tables (10, 16, 28, 33), converted to plies.
const ENDGAMES: [Endgame; 5] = [
    ("KQvK", [[18_081, 0, 0], [0, 2896, 25_160]], 19),
    ("KRvK", [[21_959, 0, 0], [0, 2796, 25_260]], 31),
    ("KPvK", [[62_480, 19_184, 0], [0, 35_210, 48_802]], 55),
    ("KBNvK", [[1_352_913, 6_665, 0], [0, 309_147, 1_398_741]], 65),
    ("KQvKR", [[1_108_111, 8_963, 2_142], [386_313, 78_518, 883_075]], 69),
];

fn endgame(name: &str) {
    let (_, orbits, deepest) = ENDGAMES.into_iter().find(|(known, ..)| *known == name).unwrap();
    let (_dir, solution) = solved(&format!("chess:{name}"), None, Plan::RETROGRADE);
    let counted = census(&solution, &Resources::default()).unwrap();
    let rows: Vec<_> = counted.rows.iter().filter(|row| row.class == name).collect();
    let number = |counted: &nerode_report::census::Counted| counted.orbits.parse::<u64>().unwrap();
    let found: Vec<[u64; 3]> = rows.iter().map(|row| [&row.win, &row.draw, &row.loss].map(number)).collect();
    assert_eq!(found, orbits, "{name}");
    assert_eq!(rows[0].longest_win.as_ref().map(|longest| longest.dtw), Some(deepest), "{name}");
}

#[test]
#[ignore = "ten seconds in a debug build; run by name in a release build"]
fn queen_or_rook_against_king_has_the_published_orbits() {
    endgame("KQvK");
    endgame("KRvK");
}

#[test]
#[ignore = "from half a minute to minutes; run by name in a release build"]
fn pawn_against_king_has_the_published_orbits() {
    endgame("KPvK");
}

#[test]
#[ignore = "minutes; run by name in a release build"]
fn bishop_and_knight_against_king_has_the_published_orbits() {
    endgame("KBNvK");
}

#[test]
#[ignore = "minutes; run by name in a release build"]
fn queen_against_rook_has_the_published_orbits() {
    endgame("KQvKR");
}

/// The numbers of distinct chess positions by ply (OEIS A083276).
const CHESS: [u128; 7] = [1, 20, 400, 5362, 72_078, 822_518, 9_417_681];

fn chess_positions(plies: usize) {
    let mut engine = Engine::new(game("chess:start"), &Resources::default(), None).unwrap();
    let mut reach = Reach::new(&engine).unwrap();
    for (ply, expected) in CHESS.into_iter().enumerate().take(plies + 1) {
        let distinct = engine.canonical_for_counting(reach.side(), reach.set()).unwrap();
        assert_eq!(distinct.count().unwrap(), expected, "ply {ply}");
        assert!(reach.step(&mut engine).unwrap());
    }
}

#[test]
#[ignore = "slow: .ci/slow"]
fn chess_begins_with_the_published_numbers_of_positions() {
    chess_positions(3);
}

#[test]
#[ignore = "a minute in a release build"]
fn chess_has_the_published_numbers_of_positions() {
    chess_positions(6);
}
