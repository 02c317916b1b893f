//! Small random games, for which compiled rules are compared with the interpreter on every word.

use std::sync::atomic::{AtomicUsize, Ordering};

use nerode_rules::rbg::open_text;
use proptest::prelude::*;

use crate::agree::{comes_back, comes_to_the_impossible, compare};

const BOARDS: [&str; 7] =
    ["[e,x]", "[e,x][o,e]", "[e,e,e]", "[x,e,o]", "[e,x,e][e,,o]", "[x,e][e,e][e,o]", "[e,e,e,e]"];

/// The largest number of words of a tested board.
const MOST_WORDS: u128 = 6000;

/// Generates numbers, some of which depend on the position.
fn numbers() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "0", "1", "2", "n", "n+1", "2-n", "x", "o", "x-o", "e/2", "n*x", "a", "a+1", "b-n", "3/n",
    ])
}

fn atoms() -> impl Strategy<Value = String> {
    let plain = prop::sample::select(vec![
        "up",
        "down",
        "left",
        "right",
        "(up* + down*)(left* + right*)",
        "(left* + right*)",
        ".",
        "{e}",
        "{x}",
        "{o}",
        "{e,x}",
        "{x,o}",
        "{}",
        "[e]",
        "[x]",
        "[o]",
        "[e,x]",
        "{e} [x]",
        "{x} [e]",
        "{e} [o]",
        "{! up}",
        "{? left}",
        TAKING[0],
        TAKING[1],
        "({x,o} up [e])*",
        "({e} right)*",
        "({e,o} (left + right + up))* {o}",
    ]);
    let signs = prop::sample::select(vec!["==", "!=", "<", "<=", ">", ">="]);
    prop_oneof![
        12 => plain.prop_map(String::from),
        2 => numbers().prop_map(|value| format!("[$ n = {value}]")),
        1 => (prop::sample::select(vec!["a", "b"]), numbers()).prop_map(|(who, value)| format!("[$ {who} = {value}]")),
        2 => (numbers(), signs, numbers()).prop_map(|(left, sign, right)| format!("{{$ {left} {sign} {right}}}")),
    ]
}

/// Generates paths as text.
fn paths() -> impl Strategy<Value = String> {
    atoms().prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            5 => prop::collection::vec(inner.clone(), 2..5).prop_map(|parts| parts.join(" ")),
            3 => prop::collection::vec(inner.clone(), 2..4).prop_map(|parts| format!("({})", parts.join(" + "))),
            1 => inner.clone().prop_map(|part| format!("({part})*")),
            1 => inner.clone().prop_map(|part| format!("({part})^2")),
            1 => inner.clone().prop_map(|part| format!("{{? {part}}}")),
            1 => inner.prop_map(|part| format!("{{! {part}}}")),
        ]
    })
}

/// Generates a turn, which consists of a player's move and the actions of the keeper after it.
pub fn turns() -> impl Strategy<Value = String> {
    let ends = prop_oneof![
        3 => Just(String::new()),
        3 => paths().prop_map(|path| format!(" ->> {path}")),
        2 => (paths(), paths()).prop_map(|(one, two)| format!(" ->> ({{? {one}}} {two} + {{! {one}}} [$ a=1] ->> {{}})")),
        2 => (paths(), paths()).prop_map(|(one, two)| format!(" ->> ({one} + {two}) ->> [$ b=2]")),
    ];
    (paths(), ends).prop_map(|(path, end)| format!("{path}{end}"))
}

/// Generates rules of two players as text.
fn games() -> impl Strategy<Value = String> {
    let players = prop::sample::select(vec!["ab", "ab", "ab", "ba", "abb", "aab", "abba"]);
    let begin = prop::sample::select(vec!["", "[$ a=1, b=1]", "[$ b=2]", "[$ n=1]"]);
    let board = prop::sample::select(BOARDS.to_vec());
    (players, begin, board, prop::collection::vec(turns(), 4)).prop_map(|(players, begin, board, turns)| {
        let turn = |(player, turn): (char, &String)| format!("->{player} {turn}");
        let turns: Vec<String> = players.chars().zip(turns.iter().cycle()).map(turn).collect();
        format!(
            "#players = a(2), b(2)\n#pieces = e, x, o\n#variables = n(2)\n\
             #board = rectangle(up,down,left,right,{board})\n#rules = {begin} ({})*",
            turns.join("\n ")
        )
    })
}

/// Loops that capture a piece in every round.
const TAKING: [&str; 2] = ["({x} [e] (left + right))*", "({x} [o] (up + down + left + right) {e,x})*"];

/// Returns `true` if a loop contains an assignment. The interpreter does not terminate on such loops, even in patterns
/// that need no round.
pub fn writes_in_a_loop(text: &str) -> bool {
    let text = TAKING.iter().fold(text.to_string(), |text, taking| text.replace(taking, "."));
    let text = text
        .replace("up*", "up")
        .replace("down*", "down")
        .replace("left*", "left")
        .replace("right*", "right");
    let Some((_, rules)) = text.split_once("#rules = ") else { return false };
    let rules = rules.strip_suffix(")*").unwrap_or(rules);
    let mut open = Vec::new();
    let mut loops = false;
    for (at, sign) in rules.char_indices() {
        match sign {
            '(' => open.push(at),
            ')' => {
                let start = open.pop().unwrap_or_default();
                loops |= rules[at + 1..].starts_with('*') && rules[start..at].contains('[');
            }
            _ => {}
        }
    }
    loops
}

/// Returns the number of cases: a few hundred, or the number set in the environment.
pub fn cases() -> u32 {
    std::env::var("NERODE_RANDOM_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(400)
}

static COMPARED: AtomicUsize = AtomicUsize::new(0);
static MOVES: AtomicUsize = AtomicUsize::new(0);
/// The number of games that always end according to the compiler.
static ENDING: AtomicUsize = AtomicUsize::new(0);
/// The number of words that cannot occur in play according to the compiler.
static IMPOSSIBLE: AtomicUsize = AtomicUsize::new(0);
static REFUSED: AtomicUsize = AtomicUsize::new(0);

#[test]
fn random_games_agree_on_every_word() {
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: cases(),
        failure_persistence: None,
        max_shrink_iters: 3000,
        ..ProptestConfig::default()
    });
    let result = runner.run(&games(), |text| {
        let game = match open_text("random", &text, None) {
            Ok(game) => game,
            Err(_) => {
                REFUSED.fetch_add(1, Ordering::Relaxed);
                return Ok(());
            }
        };
        if game.shape().num_words().is_none_or(|words| words > MOST_WORDS) {
            return Ok(());
        }
        // The compiler rejects such loops unless they are unreachable.
        if writes_in_a_loop(&text) {
            return Ok(());
        }
        let seen = compare(&game, 1).map_err(|why| TestCaseError::fail(format!("{text}\n{why}")))?;
        let has_chains = TAKING.iter().any(|taking| text.contains(taking));
        prop_assert!(has_chains || seen.elsewhere == 0, "{text}\n{} words differ", seen.elsewhere);
        let wrong = comes_to_the_impossible(&game, 2000);
        prop_assert!(wrong.is_none(), "{text}\nplay reaches {wrong:?}, which the compiler calls impossible");
        IMPOSSIBLE.fetch_add(seen.impossible, Ordering::Relaxed);
        if !game.may_cycle() {
            ENDING.fetch_add(1, Ordering::Relaxed);
            let back = comes_back(&*game);
            prop_assert!(back.is_none(), "{text}\nthe compiler says that play ends, but it repeats {back:?}");
        }
        COMPARED.fetch_add(1, Ordering::Relaxed);
        MOVES.fetch_add(seen.moves, Ordering::Relaxed);
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    let (compared, moves) = (COMPARED.load(Ordering::Relaxed), MOVES.load(Ordering::Relaxed));
    let refused = REFUSED.load(Ordering::Relaxed);
    let ending = ENDING.load(Ordering::Relaxed);
    let impossible = IMPOSSIBLE.load(Ordering::Relaxed);
    println!("{impossible} words are impossible");
    println!("{compared} games compared with {moves} moves, {refused} refused; play ends in {ending}");
    assert!(impossible > compared, "only {impossible} words are impossible");
    assert!(compared > cases() as usize / 4 && moves > 10 * compared, "{compared} games, {moves} moves");
}
