//! Compares the nimbers of impartial games, as sets, with closed forms, published values, and a plain search on the explicit rules.

use std::collections::HashMap;
use std::sync::Arc;

use crate::common::program::{count, ends, json, list, refused};
use crate::common::{game, scratch};
use nerode::rules::rbg::open_text;
use nerode_dfa::{Dfa, Shape};
use nerode_games::explicit::apply;
use nerode_games::{Game, Side};
use nerode_solver::error::{Error, Lack};
use nerode_solver::solve::nimbers::{self, Nimbers};
use nerode_solver::solve::resources::{Backend, Resources};

fn by(game: Arc<dyn Game>, backend: Backend) -> Result<Nimbers, Error> {
    nimbers::solve(game, &Resources { backend, ..Resources::default() }, &mut |_| ())
}

fn solved(game: &Arc<dyn Game>) -> Nimbers {
    by(Arc::clone(game), Backend::Auto).unwrap()
}

/// A rules text of two players who both place or take by `step`, on a board of `rows`. A player who cannot has lost.
fn impartial(pieces: &str, rows: &[String], step: &str) -> Arc<dyn Game> {
    let text = format!(
        "#players = one(1), two(1)
         #pieces = {pieces}
         #variables =
         #board = rectangle(up,down,left,right, {})
         #anywhere = (up* + down*) (left* + right*)
         #next = (up + down + left + right)
         #turn(me; you) = ->me anywhere ({step}) ->> [$ me = 1, you = 0]
         #rules = [$ two = 1] (turn(one; two) turn(two; one))*",
        rows.join(" ")
    );
    open_text("impartial", &text, None).unwrap()
}

fn rows(width: usize, height: usize, piece: &str) -> Vec<String> {
    vec![format!("[{}]", vec![piece; width].join(",")); height]
}

/// Kayles: a player removes a pin, or two pins that are next to each other.
fn kayles(pins: usize) -> Arc<dyn Game> {
    impartial("e, p", &rows(pins, 1, "p"), "{p} [e] + {p} [e] right {p} [e]")
}

/// Cram: a player covers two empty squares that are next to each other.
fn cram(width: usize, height: usize) -> Arc<dyn Game> {
    impartial("e, d", &rows(width, height, "e"), "{e} [d] (down + right) {e} [d]")
}

/// Clobber in which both players move the stones of either colour onto a neighbour of the other colour.
fn clobber(width: usize, height: usize) -> Arc<dyn Game> {
    let row = |y: usize| {
        let stones: Vec<&str> =
            (0..width).map(|x| if (x + y).is_multiple_of(2) { "w" } else { "b" }).collect();
        format!("[{}]", stones.join(","))
    };
    let all: Vec<String> = (0..height).map(row).collect();
    impartial("e, w, b", &all, "{w} [e] next {b} [w] + {b} [e] next {w} [b]")
}

/// NoGo in which both players place stones of either colour: every group keeps an empty point next to it.
fn nogo(width: usize, height: usize) -> Arc<dyn Game> {
    let place = |own: &str, other: &str| {
        format!(
            "{{e}} [{own}] {{? (next {{{own}}})* next {{e}}}}
             {{! next {{{other}}} {{! (next {{{other}}})* next {{e}}}}}}"
        )
    };
    impartial("e, w, b", &rows(width, height, "e"), &format!("{} + {}", place("w", "b"), place("b", "w")))
}

type Memo = HashMap<(Vec<u8>, Side), usize>;

/// Returns the least number that is not the nimber of a position after a move, by the plain rules, and stores those of all
/// positions that can follow.
fn search(game: &dyn Game, board: &[u8], side: Side, memo: &mut Memo) -> usize {
    if let Some(&known) = memo.get(&(board.to_vec(), side)) {
        return known;
    }
    let mut moves = Vec::new();
    game.legal_moves(board, side, &mut moves);
    let after: Vec<usize> =
        moves.iter().map(|mv| search(game, &apply(board, mv), side.other(), memo)).collect();
    let nimber = (0..).find(|number| !after.contains(number)).unwrap();
    memo.insert((board.to_vec(), side), nimber);
    nimber
}

/// Checks the nimber of every position that play reaches. Returns the nimber of the start and
/// the number of positions.
fn compare(game: &Arc<dyn Game>) -> (usize, usize) {
    let found = solved(game);
    let (board, side) = game.start();
    let mut memo = Memo::new();
    let start = search(game.as_ref(), &board, side, &mut memo);
    for ((board, side), nimber) in &memo {
        assert_eq!(found.get(board), Some(*nimber), "{board:?}, {side} to move");
    }
    (start, memo.len())
}

#[test]
fn nimbers_of_nim_are_the_exclusive_or_of_the_heaps() {
    for (spec, heaps, most) in [("nim:1x5", 1, 5), ("nim:2x4", 2, 4), ("nim:3x7", 3, 7), ("nim:4x6", 4, 6)] {
        let shape = Shape::uniform(heaps, most + 1).unwrap();
        for backend in [Backend::Auto, Backend::Passes] {
            let found = by(game(spec), backend).unwrap();
            let cancelling = |nimber: u16| {
                Dfa::from_step(
                    &shape,
                    0u16,
                    |_, sum, height| Some(sum ^ u16::from(height)),
                    move |sum| *sum == nimber,
                )
            };
            let expected: Vec<Dfa> = (0..(most + 1).next_power_of_two())
                .map(|nimber| cancelling(nimber).unwrap())
                .filter(|set| !set.is_empty())
                .collect();
            assert!(found.sets == expected, "{spec}, {backend:?}");
        }
    }
}

/// The values of rows of pins, from one pin on (R. K. Guy and C. A. B. Smith, The G-values of various games, 1956; OEIS A002186).
#[test]
fn rows_of_kayles_have_their_published_nimbers() {
    let published = [1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4];
    let found = (1..=published.len()).map(|pins| compare(&kayles(pins)).0);
    assert_eq!(found.collect::<Vec<_>>(), published);
}

/// On boards of even width, the second player wins cram if the height is even too, by symmetry, and the first player if it is odd.
#[test]
fn cram_is_won_as_its_symmetries_say() {
    for (width, height, first_wins) in
        [(2, 2, false), (2, 1, true), (2, 3, true), (4, 2, false), (4, 1, true), (4, 3, true), (4, 4, false)]
    {
        let (nimber, positions) = compare(&cram(width, height));
        assert_eq!(nimber > 0, first_wins, "{width}x{height}: {nimber}, {positions} positions");
    }
}

#[test]
fn nimbers_of_clobber_are_those_of_a_plain_search() {
    for (width, height) in [(1, 1), (4, 1), (7, 1), (3, 2), (3, 3)] {
        assert!(compare(&clobber(width, height)).1 > 0, "{width}x{height}");
    }
}

/// Published: lines of one to ten points 0 1 0 1 2 0 1 0 1 2, and 3x3: 0.
#[test]
fn nogo_has_its_published_nimbers() {
    let found = (1..=10).map(|points| compare(&nogo(points, 1)).0);
    assert_eq!(found.collect::<Vec<_>>(), [0, 1, 0, 1, 2, 0, 1, 0, 1, 2]);
    assert_eq!(compare(&nogo(3, 3)).0, 0);
}

/// Published: 3x4, 3x5, 3x6, 4x4: 0 1 0 0.
#[test]
#[ignore = "takes two minutes with optimisation: cargo test --release --test solving -- --ignored larger_boards_of_nogo"]
fn larger_boards_of_nogo_have_their_published_nimbers() {
    for (width, height, published) in [(4, 3, 0), (3, 5, 1), (4, 4, 0), (3, 6, 0)] {
        let game = nogo(width, height);
        assert_eq!(solved(&game).get(&game.start().0), Some(published), "{width}x{height}");
    }
}

#[test]
fn games_without_nimbers_are_refused() {
    let partisan = "{w} [e] next {b} [w]";
    let both = impartial("e, w, b", &["[w,b,w]".to_string()], partisan);
    assert!(compare(&both).0 > 0, "both players move the white stones");
    let repeating = impartial("e, w", &["[w,e,e]".to_string()], "{w} [e] next {e} [w]");
    for game in [game("breakthrough:2x4"), game("tictactoe:3x3"), game("nim:2x3,misere"), repeating] {
        let error = by(Arc::clone(&game), Backend::Auto).err().unwrap();
        assert!(matches!(error, Error::NotForGame { lack: Lack::Nimbers, .. }), "{}: {error}", game.spec());
    }
    // Each player has stones of one colour, and everything else is as in the impartial game.
    let error = by(nerode::registry().open("rbg:clobber:board=2x2").unwrap(), Backend::Auto).err().unwrap();
    assert!(matches!(error, Error::NotForGame { lack: Lack::Nimbers, .. }), "{error}");
}

#[test]
fn the_program_prints_nimbers_and_refuses_other_options() {
    let folder = scratch();
    let at = folder.path();
    let found = json(at, &["solve", "nim:3x3", "--nimbers"]);
    assert_eq!((found["start"].as_u64(), count(&found["positions"])), (Some(3), 64));
    let sizes: Vec<u128> = list(&found["nimbers"]).iter().map(|of| count(&of["positions"])).collect();
    assert_eq!(sizes, [16; 4]);
    assert!(
        refused(at, &["solve", "nim:3x3", "--nimbers", "--run-dir", "x"])
            .contains("does not apply to nimbers")
    );
    assert!(
        refused(at, &["solve", "nim:3x3", "--nimbers", "--engine", "table"]).contains("computed by sets")
    );
    assert!(refused(at, &["solve", "breakthrough:2x4", "--nimbers"]).contains("has no nimbers"));
    assert!(std::fs::read_dir(at).unwrap().next().is_none(), "nothing is stored");
    let text = ends(at, 0, &["solve", "nim:3x3", "--nimbers"]);
    assert!(text.contains("nimber of the start  3"), "{text}");
}
