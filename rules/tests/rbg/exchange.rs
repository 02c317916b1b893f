//! The exchange of the sides: renamings of squares, pieces and players that preserve the rules.

use std::sync::atomic::{AtomicUsize, Ordering};

use nerode_games::{Game, Side};
use nerode_rules::rbg::open_text;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::common::{boards, successors};
use crate::generated::{cases, turns, writes_in_a_loop};
use crate::open;

/// The largest number of boards for which all of them are checked.
const MOST_WORDS: u128 = 20_000;

/// Checks that the exchange maps outcomes and moves of one side to those of the other on every `stride`-th board.
/// Otherwise, returns where they differ.
fn commutes(game: &dyn Game, stride: usize) -> Result<(), String> {
    let swap = game.side_swap().ok_or("no exchange of the sides was found")?;
    for board in boards(game).step_by(stride) {
        let image = swap.apply(&board);
        if swap.apply(&image) != board {
            return Err(format!("{board:?} exchanged twice"));
        }
        for side in Side::BOTH {
            let same = game.outcome(&image, side.other()) == game.outcome(&board, side);
            let after = successors(game, &board, side).iter().map(|board| swap.apply(board)).collect();
            if !same
                || (game.outcome(&board, side).is_none() && successors(game, &image, side.other()) != after)
            {
                return Err(format!("{board:?} with {side} to move"));
            }
        }
    }
    Ok(())
}

#[test]
fn sides_of_games_that_come_with_the_program_are_exchanged() {
    for (name, stride) in [
        ("rbg:tictactoe", 7),
        ("rbg:breakthrough:board=2x4", 1),
        ("rbg:breakthrough:board=3x4", 101),
        ("rbg:knightthrough:board=3x4", 101),
        ("rbg:clobber:board=3x3", 1),
        ("rbg:amazons:board=2x2,start=b./.w_white", 1),
        ("rbg:connectfour:board=3x3", 7),
        ("rbg:dodgem", 7),
    ] {
        let game = open(name).unwrap();
        commutes(&*game, stride).unwrap_or_else(|why| panic!("{name}: {why}"));
    }
}

/// Uses men that move in the same way on both sides of a non-rectangular board and that capture in chains.
#[test]
fn sides_are_exchanged_on_boards_that_are_written_out() {
    let text = "#players = white(1), black(1) #pieces = empty, w, b #variables =\n\
        #board = p[w]{up:q} q[w]{up:r, down:p} r[empty]{up:s, down:q} s[b]{up:t, down:r} t[b]{down:s}\n\
        #anywhere = (up* + down*)\n#jump(to; other; taken) = to {other} taken to {empty}\n\
        #jumps(other; taken) = (jump(up; other; taken) + jump(down; other; taken))\n\
        #turn(me; you; own; other) = ->me anywhere {own} [empty]\n\
          ( (up + down) {empty} + jumps(other; [empty]) (jumps(other; [empty]))* ) [own] ->> [$ me = 1, you = 0]\n\
        #rules = (turn(white; black; w; b) turn(black; white; b; w))*";
    commutes(&*open_text("mine", text, None).unwrap(), 1).unwrap();
    // In this variant, one side captures in chains, and the other does not.
    let once = text.replace(
        "turn(black; white; b; w)",
        "->black anywhere {b} [empty] (up + down) {empty} [b] ->> [$ black = 1, white = 0]",
    );
    assert_eq!(open_text("mine", &once, None).unwrap().side_swap(), None);
}

/// Checks that variables are exchanged as well if each side counts with its own variable.
#[test]
fn variables_of_the_sides_are_exchanged() {
    let rules = |of_first: u32| {
        format!(
            "#players = a(1), b(1) #pieces = e, x, o #variables = aHome(2), bHome(2)\n\
             #board = rectangle(up,down,left,right,[o,o][e,e][x,x])\n#anywhere = (up* + down*) (left* + right*)\n\
             #turn(me; you; own; ahead; goal) = ->me anywhere {{own}} [e] (ahead + left + right) {{e}}\n\
               ( {{? ahead}} [own] ->> [$ me = 1, you = 0]\n\
               + {{! ahead}} ->> [$ me~Home = me~Home + 1] [$ me = 1, you = 0]\n\
                 ( {{$ me~Home < goal}} + {{$ me~Home == goal}} ->> {{}} ) )\n\
             #rules = [$ b = 1] (turn(a; b; x; up; {of_first}) turn(b; a; o; down; 2))*"
        )
    };
    commutes(&*open_text("mine", &rules(2), None).unwrap(), 1).unwrap();
    assert_eq!(open_text("mine", &rules(1), None).unwrap().side_swap(), None);
}

/// Checks that differences between the sides are detected: a goal, a piece, a score, and initial scores.
#[test]
fn sides_that_differ_are_not_exchanged() {
    for name in ["rbg:foxandhounds", "rbg:breakthrough:board=2x4,start=bb/../../w._white"] {
        assert_eq!(open(name).unwrap().side_swap(), None, "{name}");
    }
    let rules = |first: &str, second: &str| {
        format!(
            "#players = a(2), b(2) #pieces = e, x, o #variables =\n\
             #board = rectangle(up,down,left,right,[e,e,e][e,e,e])\n#anywhere = (up* + down*) (left* + right*)\n\
             #turn(me; you; own; other) = ->me anywhere {{e}} [own] ->> [$ me = 0, you = 1]\n\
             #rules = [$ a = 1] (turn(a; b; x; o) {first} turn(b; a; o; x) {second})*"
        )
    };
    let line = |way: &str, own: &str, me: &str, score: u32| {
        format!(
            "( {{? anywhere {{{own}}} {way} {{{own}}}}} [$ {me} = {score}] ->> {{}} + {{! anywhere {{{own}}} {way} {{{own}}}}} )"
        )
    };
    let of = |first: &str, second: &str| open_text("mine", &rules(first, second), None).unwrap().side_swap();
    assert!(of("", "").is_some());
    let text =
        rules(&line("left", "x", "a", 2), &line("left", "o", "b", 2)).replace("[$ a = 1] (turn", "(turn");
    assert_eq!(open_text("mine", &text, None).unwrap().side_swap(), None);
    assert!(of(&line("left", "x", "a", 2), &line("left", "o", "b", 2)).is_some());
    assert!(of(&line("left", "x", "a", 2), &line("right", "o", "b", 2)).is_some());
    assert!(of(&line("left", "x", "a", 2), &line("up", "o", "b", 2)).is_none());
    assert!(of(&line("left", "x", "a", 2), &line("left", "x", "b", 2)).is_none());
    assert!(of(&line("left", "x", "a", 2), "").is_none());
    // A result that is a draw for one side is a win for the other.
    assert!(of(&line("left", "x", "a", 1), &line("left", "o", "b", 2)).is_none());
}

/// Returns the text with sides, pieces, and left and right exchanged.
fn exchanged(text: &str) -> String {
    let words = [("left", "right"), ("a", "b"), ("x", "o")];
    let is_word = |c: char| c.is_ascii_alphabetic();
    let mut parts: Vec<String> = Vec::new();
    for c in text.chars() {
        match parts.last_mut() {
            Some(last) if is_word(c) && last.ends_with(is_word) => last.push(c),
            _ => parts.push(c.to_string()),
        }
    }
    let other = |part: String| {
        let found = words.iter().find_map(|&(one, other)| match part.as_str() {
            word if word == one => Some(other),
            word if word == other => Some(one),
            _ => None,
        });
        found.map_or(part.clone(), String::from)
    };
    parts.into_iter().map(other).collect()
}

/// Tests random games, in half of which the second side mirrors the first.
#[test]
fn whatever_is_exchanged_in_random_games_plays_alike() {
    let boards = vec!["[x,e,o]", "[e,e]", "[x,e][e,o]", "[e,e,e]", "[e,x][o,e]"];
    let games = (turns(), turns(), any::<bool>(), prop::sample::select(boards));
    let mut runner = TestRunner::new(ProptestConfig {
        cases: cases(),
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let found = AtomicUsize::new(0);
    let result = runner.run(&games, |(turn, other, mirrors, board)| {
        let second = if mirrors { exchanged(&turn) } else { other };
        let text = format!(
            "#players = a(2), b(2)\n#pieces = e, x, o\n#variables = n(2)\n\
             #board = rectangle(up,down,left,right,{board})\n#anywhere = (up* + down*)(left* + right*)\n\
             #rules = (->a anywhere {turn}\n ->b anywhere {second})*"
        );
        let Ok(game) = open_text("random", &text, None) else { return Ok(()) };
        if game.shape().num_words().is_none_or(|words| words > MOST_WORDS) || writes_in_a_loop(&text) {
            return Ok(());
        }
        if game.side_swap().is_some() {
            commutes(&*game, 1).map_err(|why| TestCaseError::fail(format!("{text}\n{why}")))?;
            found.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    let found = found.into_inner();
    println!("{found} games with an exchange of the sides, of {}", cases());
    assert!(found > cases() as usize / 50, "{found} games");
}
