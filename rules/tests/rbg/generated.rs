//! A generator of small random games as text. Tests of other crates include this file too.

use proptest::prelude::*;

const BOARDS: [&str; 7] =
    ["[e,x]", "[e,x][o,e]", "[e,e,e]", "[x,e,o]", "[e,x,e][e,,o]", "[x,e][e,e][e,o]", "[e,e,e,e]"];

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
pub fn games() -> impl Strategy<Value = String> {
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
pub const TAKING: [&str; 2] = ["({x} [e] (left + right))*", "({x} [o] (up + down + left + right) {e,x})*"];

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
