//! Games that also have a built-in description: both agree in every reachable position.

use std::collections::{HashMap, HashSet};

use nerode_games::{Game, Side, Value, registry};
use nerode_rules::rbg::{Interpreter, Mover, Rulebook, State, read};

use crate::counts::{game, text_of};

/// Returns an included game on another board, given by rows from the top with one letter per square.
fn on(name: &str, letters: &[(char, &str)], rows: &[&str]) -> Rulebook {
    let text = text_of(name);
    let (before, board) = text.split_once("rectangle(up,down,left,right,").unwrap();
    let after = board.split_once(')').unwrap().1;
    let piece = |c: char| letters.iter().find(|(letter, _)| *letter == c).unwrap().1;
    let rows: Vec<String> = rows
        .iter()
        .map(|row| format!("[{}]", row.chars().map(piece).collect::<Vec<_>>().join(",")))
        .collect();
    let text = format!("{before}rectangle(up,down,left,right,{}){after}", rows.concat());
    read(name, &text).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the cells of the built-in game, which start at the lowest row. Pieces and contents have the same numbers.
fn cells(board: &[u8], columns: usize) -> Vec<u8> {
    board.chunks(columns).rev().flatten().copied().collect()
}

/// Returns the value for the side to move according to the scores.
fn value(state: &State, book: &Rulebook, side: Side) -> Value {
    let scores = &state.registers()[book.variables().len()..];
    let (own, other) = (scores[side.index()], scores[side.other().index()]);
    match own.cmp(&other) {
        std::cmp::Ordering::Less => Value::Loss,
        std::cmp::Ordering::Equal => Value::Draw,
        std::cmp::Ordering::Greater => Value::Win,
    }
}

/// Asserts that the rules and the built-in game agree in every position that is reached within `plies`, and returns the
/// number of positions.
fn agree(book: &Rulebook, built_in: &str, columns: usize, plies: usize) -> usize {
    let (rules, game) = (Interpreter::new(book), registry::open(built_in).unwrap());
    let start = rules.start().unwrap();
    assert_eq!(cells(start.board(), columns), game.start().0, "{built_in}");
    assert_eq!(start.mover(), Mover::Player(0));
    let (mut level, mut side) = (HashSet::from([start]), Side::P1);
    let mut positions = 0;
    for _ in 0..plies {
        let mut next = HashSet::new();
        let boards: HashSet<Vec<u8>> = level.iter().map(|state| cells(state.board(), columns)).collect();
        positions += boards.len();
        for state in &level {
            next.extend(compare(&rules, &*game, state, side, columns));
        }
        (level, side) = (next, side.other());
    }
    assert!(plies < 60 || level.is_empty(), "{built_in} has not ended");
    positions
}

/// Returns `true` if the rules remove a man that has reached the far row from the board. The built-in game leaves it
/// there, so the boards agree only as long as the game is not over.
fn takes_winners(game: &dyn Game) -> bool {
    game.spec().starts_with("breakthrough")
}

/// Compares a position and returns its successors.
fn compare(rules: &Interpreter, game: &dyn Game, state: &State, side: Side, columns: usize) -> Vec<State> {
    let board = cells(state.board(), columns);
    let mut after: Vec<State> = rules.results(state).unwrap().into_iter().map(|(next, _)| next).collect();
    let mut expected = crate::counts::successors(game, &board, side);
    if takes_winners(game) {
        let goes_on = |board: &Vec<u8>| game.outcome(board, side.other()).is_none();
        let (going_on, wins): (Vec<State>, Vec<State>) =
            after.into_iter().partition(|next| !rules.results(next).unwrap().is_empty());
        assert_eq!(wins.is_empty(), expected.iter().all(goes_on), "{}: {board:?} {side}", game.spec());
        for next in &wins {
            assert_eq!(value(next, rules.book(), side), Value::Win, "{}: {board:?} {side}", game.spec());
        }
        expected.retain(goes_on);
        after = going_on;
    }
    let mut found: Vec<Vec<u8>> = after.iter().map(|next| cells(next.board(), columns)).collect();
    found.sort_unstable();
    found.dedup();
    expected.sort_unstable();
    expected.dedup();
    assert_eq!(found, expected, "{}: {board:?} {side}", game.spec());
    let over = game.outcome(&board, side);
    assert!(takes_winners(game) || over.is_some() == after.is_empty(), "{}: {board:?} {side}", game.spec());
    if let Some(expected) = over {
        assert_eq!(value(state, rules.book(), side), expected, "{}: {board:?} {side}", game.spec());
    } else {
        assert_eq!(state.mover(), Mover::Player(side.index()));
    }
    after
}

const MEN: [(char, &str); 4] = [('.', "empty"), ('w', "w"), ('b', "b"), ('#', "arrow")];

#[test]
fn tictactoe() {
    assert_eq!(agree(&game("tictactoe"), "tictactoe:3x3", 3, 60), 5478);
    let book = on("tictactoe", &MEN, &["....", "....", "...."]);
    assert_eq!(agree(&book, "tictactoe:4x3", 4, 60), 111_973);
}

#[test]
fn breakthrough() {
    agree(&game("breakthrough"), "breakthrough:5x5", 5, 5);
    agree(&on("breakthrough", &MEN, &["bbb", "bbb", "www", "www"]), "breakthrough:3x4", 3, 60);
    let book = on("breakthrough", &MEN, &["bb", "bb", "..", "..", "ww", "ww"]);
    // The number excludes the 50 107 positions in which the game is over.
    assert_eq!(agree(&book, "breakthrough:2x6", 2, 60), 126_451 - 50_107);
}

#[test]
fn amazons() {
    agree(&game("amazons"), "amazons:4x4", 4, 2);
    let book = on("amazons", &MEN, &[".b", "..", "w."].map(|row| row));
    agree(&book, "amazons:2x3,start=1b/2/w1", 2, 60);
    let book = on("amazons", &MEN, &[".b#", "...", "w.."]);
    assert_eq!(agree(&book, "amazons:3x3,start=1bx/3/w2", 3, 60), 2173);
}

#[test]
fn connect_four() {
    agree(&game("connectfour"), "connect:4x4", 4, 8);
    let book = on("connectfour", &MEN, &["....", "....", "...."]);
    assert_eq!(agree(&book, "connect:4x3", 4, 60), 12_031);
}

#[test]
fn reversi() {
    agree(&game("reversi"), "othello:4x4", 4, 10);
    let letters = [('.', "empty"), ('b', "b"), ('w', "w")];
    let book = on("reversi", &letters, &["...", "bw.", "wb."]);
    let spec = registry::open("othello:3x3").unwrap();
    assert_eq!(cells(Interpreter::new(&book).start().unwrap().board(), 3), spec.start().0);
    assert_eq!(agree(&book, "othello:3x3", 3, 60), 48);
}

/// Computes the values of all reachable positions by retrograde analysis. The remaining positions are drawn.
fn values(rules: &Interpreter) -> (Value, usize) {
    let start = rules.start().unwrap();
    let mut index = HashMap::from([(start.clone(), 0)]);
    let (mut states, mut after) = (vec![start], Vec::new());
    while after.len() < states.len() {
        let results = rules.results(&states[after.len()]).unwrap();
        let next: Vec<usize> = results
            .into_iter()
            .map(|(state, _)| {
                *index.entry(state.clone()).or_insert_with(|| {
                    states.push(state);
                    states.len() - 1
                })
            })
            .collect();
        after.push(next);
    }
    let ended = |state: &State| {
        let scores = &state.registers()[rules.book().variables().len()..];
        scores[0].cmp(&scores[1])
    };
    // The score comparison for player 0: greater, less, or not yet known.
    let mut known: Vec<Option<std::cmp::Ordering>> =
        states.iter().zip(&after).map(|(state, next)| next.is_empty().then(|| ended(state))).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for at in (0..states.len()).rev() {
            let Mover::Player(player) = states[at].mover() else { continue };
            if known[at].is_some() {
                continue;
            }
            let best = if player == 0 { std::cmp::Ordering::Greater } else { std::cmp::Ordering::Less };
            let found = after[at].iter().map(|&next| known[next]);
            let all: Option<Vec<_>> = found.clone().collect();
            let new = if found.clone().any(|value| value == Some(best)) {
                Some(best)
            } else {
                all.map(|all| {
                    if all.contains(&std::cmp::Ordering::Equal) {
                        std::cmp::Ordering::Equal
                    } else {
                        best.reverse()
                    }
                })
            };
            changed |= new.is_some();
            known[at] = new;
        }
    }
    let value = match known[0] {
        Some(std::cmp::Ordering::Greater) => Value::Win,
        Some(std::cmp::Ordering::Less) => Value::Loss,
        _ => Value::Draw,
    };
    (value, states.len())
}

#[test]
fn values_are_those_that_are_known() {
    let of = |book: &Rulebook| values(&Interpreter::new(book)).0;
    assert_eq!(of(&game("tictactoe")), Value::Draw);
    assert_eq!(of(&on("breakthrough", &MEN, &["bb", "bb", "ww", "ww"])), Value::Loss);
    // The first player wins on small hex boards.
    let text = text_of("hex").replace("[empty, empty, empty, empty]", "");
    let rows = text.rfind("[empty, empty, empty]").unwrap();
    let text = format!("{}{}", &text[..rows], &text[rows + "[empty, empty, empty]".len()..]);
    assert_eq!(of(&read("hex", &text).unwrap()), Value::Win);
}
