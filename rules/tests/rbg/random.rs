//! Small random games, for which compiled rules are compared with the interpreter on every word.

use std::sync::atomic::{AtomicUsize, Ordering};

use nerode_rules::rbg::open_text;
use proptest::prelude::*;

use crate::agree::{comes_back, comes_to_the_impossible, compare};
use crate::generated::{TAKING, cases, games, writes_in_a_loop};

/// The largest number of words of a tested board.
const MOST_WORDS: u128 = 6000;

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
