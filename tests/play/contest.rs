//! Matches: every opening with both colours, the same games for any number of threads and after any interruption, and
//! other programs that fail.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use crate::common::scratch;
use nerode::games::registry;
use nerode::{Error, Options, PlayError};
use nerode_play::alphabeta::Budget;
use nerode_play::contest::{Contest, GameEnd, Played, Results, Terms};
use nerode_play::players::{ExternalProgram, PlayerKind};

fn terms(game: &str, opening_plies: u32, openings: usize) -> Terms {
    let players = ["A".to_string(), "B".to_string()];
    Terms { game: game.into(), players, opening_plies, openings, seed: 3, quiet_plies: 50, plies: 200 }
}

fn play(terms: &Terms, players: [PlayerKind; 2], log: Option<&Path>) -> nerode::Result<Results> {
    let game = registry::open(&terms.game).unwrap();
    let contest = Contest::new(game.as_ref(), players, terms.clone());
    contest.play(log, &AtomicBool::new(false), &|_, _| ())
}

/// Removes the times from games.
fn timeless(games: &[Played]) -> Vec<Played> {
    games.iter().map(|game| Played { seconds: [0.0; 2], ..game.clone() }).collect()
}

const AHEAD: PlayerKind = PlayerKind::AlphaBeta(Budget { nodes: 300, plies: 4, time: None });

/// Tic-Tac-Toe has 12 positions after two plies up to symmetry, nine men's morris has 4 after one ply.
#[test]
fn every_opening_is_played_with_both_colours() {
    for (game, plies, known) in [("tictactoe:3x3", 2, 12), ("tictactoe:3x3", 0, 1), ("morris:nine", 1, 4)] {
        let found = play(&terms(game, plies, 100), [AHEAD, PlayerKind::Random], None).unwrap();
        assert_eq!((found.openings, found.openings_known, found.games.len()), (known, known, 2 * known));
        for (number, game) in found.games.iter().enumerate() {
            assert_eq!((game.number, &game.opening), (number, &found.games[number & !1].opening));
        }
        let tally = found.tally();
        assert_eq!(tally.counts.iter().sum::<usize>(), 2 * known);
        assert_eq!(tally.plies, found.games.iter().map(|game| game.moves.len()).sum::<usize>());
        assert_eq!(tally.moves.iter().sum::<usize>(), tally.plies);
    }
    let some = play(&terms("tictactoe:3x3", 2, 5), [AHEAD, PlayerKind::Random], None).unwrap();
    assert_eq!((some.openings, some.openings_known, some.games.len()), (5, 12, 10));
    let none = play(&terms("tictactoe:3x3", 9, 5), [AHEAD, PlayerKind::Random], None).unwrap_err();
    assert!(matches!(none, Error::Play(PlayError::Openings { .. })), "{none}");
}

/// A player that knows the values does not lose an opening that is not lost, and its score shows this.
#[test]
fn the_one_who_knows_wins() {
    let spec = "breakthrough:3x4";
    let solution = Arc::new(nerode::open(spec).unwrap().solve(Options::default()).unwrap());
    let perfect = PlayerKind::Perfect(Arc::clone(&solution));
    let found = play(&terms(spec, 2, 40), [perfect, PlayerKind::Random], None).unwrap();
    for game in &found.games {
        let opening = solution.game().parse_position(&game.opening).unwrap();
        let value = solution.query(&opening).unwrap().value();
        let keeps = opening.side == game.side_of_first();
        if value == Some(if keeps { nerode::Value::Win } else { nerode::Value::Loss }) {
            assert_eq!(game.score_of_first(), 1.0, "{game:?}");
        }
    }
    let (tally, score) = (found.tally(), found.tally().score());
    let points = (2 * tally.counts[0] + tally.counts[1]) as f64 / (2 * tally.num_games()) as f64;
    assert!((score.of_all - points).abs() < 1e-12 && score.interval.0 > 0.5, "{tally:?}");
}

#[test]
fn threads_and_stops_change_nothing() {
    let dir = scratch();
    let terms = terms("connect:4x4,row=3", 2, 8);
    let players = || [AHEAD, PlayerKind::Random];
    let wanted = timeless(&play(&terms, players(), None).unwrap().games);
    let one = rayon_pool(1).install(|| play(&terms, players(), None)).unwrap();
    assert_eq!(timeless(&one.games), wanted);
    // The match is interrupted after some games, with an incomplete last line, and then resumed.
    let log = dir.path().join("match.jsonl");
    let game = registry::open(&terms.game).unwrap();
    let (stop, over) = (AtomicBool::new(false), AtomicUsize::new(0));
    let watch = |_: &Played, _: usize| {
        // Every thread stops by itself, because one that is not scheduled for a while would let the others play on.
        if over.fetch_add(1, Ordering::Relaxed) >= 4 {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let contest = Contest::new(game.as_ref(), players(), terms.clone());
    let stopped = rayon_pool(2).install(|| contest.play(Some(&log), &stop, &watch));
    assert!(matches!(stopped, Err(Error::Interrupted)));
    let mut bytes = std::fs::read(&log).unwrap();
    bytes.extend_from_slice(b"{\"number\":15,\"op");
    std::fs::write(&log, &bytes).unwrap();
    let on = play(&terms, players(), Some(&log)).unwrap();
    assert!(on.found >= 5 && on.found < 16, "{}", on.found);
    assert_eq!(timeless(&on.games), wanted);
    let again = play(&terms, players(), Some(&log)).unwrap();
    assert_eq!((again.found, timeless(&again.games)), (16, wanted));
    // With other terms it is another match, and a file that is not a log is left unchanged.
    let other = Terms { seed: 4, ..terms.clone() };
    let refused = play(&other, players(), Some(&log)).unwrap_err().to_string();
    assert!(refused.contains("(seed: 3 instead of 4)"), "{refused}");
    for text in ["hello", "hello\n", "{\"number\":1}\n"] {
        std::fs::write(&log, text).unwrap();
        assert!(matches!(play(&terms, players(), Some(&log)), Err(Error::OtherContents { .. })));
        assert_eq!(std::fs::read_to_string(&log).unwrap(), text);
    }
}

fn rayon_pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

#[cfg(unix)]
fn script(text: &str, milliseconds: u64) -> PlayerKind {
    let command = ["sh", "-c", text].map(String::from).to_vec();
    PlayerKind::External(ExternalProgram { command, limit: Duration::from_millis(milliseconds) })
}

/// A program that always plays the first legal move, with `$1` prepended.
#[cfg(unix)]
const FIRST: &str = "while read word rest; do case $word in legal) set -- $rest; mv=$1;; go) echo thinking; echo move $mv;; quit) exit;; esac; done";

#[cfg(unix)]
#[test]
fn other_programs_play_and_lose_when_they_fail() {
    let terms = terms("tictactoe:3x3", 0, 1);
    let good = play(&terms, [script(FIRST, 20_000), script(FIRST, 20_000)], None).unwrap();
    for game in &good.games {
        assert_eq!((game.moves.join(" ").as_str(), game.end), ("a1 b1 c1 a2 b2 c2 a3", GameEnd::Won));
    }
    for (text, said) in [
        ("cat > /dev/null", "no answer in time"),
        ("sleep 30", "no answer in time"),
        ("exec yes", "no answer in time"),
        ("exit 3", "the program has exited"),
        ("while read w r; do case $w in go) echo move z9;; esac; done", "an illegal move: 'z9'"),
        (
            "while read w r; do case $w in go) printf 'move '; head -c 100000 /dev/zero | tr '\\0' x; echo;; esac; done",
            "an illegal move: 'xxx",
        ),
        ("while read w r; do case $w in go) exit;; esac; done", "the program has exited"),
    ] {
        let found = play(&terms, [script(text, 300), PlayerKind::Random], None).unwrap();
        assert_eq!(found.games.len(), 2);
        for game in &found.games {
            assert_eq!((game.end, game.score_of_first()), (GameEnd::Failed, 0.0), "{text}: {game:?}");
            assert!(game.failure.as_ref().unwrap().starts_with(said), "{text}: {game:?}");
        }
        assert_eq!(found.tally().failed, [2, 0]);
    }
    let missing = PlayerKind::External(ExternalProgram {
        command: vec!["there-is-no-such-program".into()],
        limit: Duration::from_secs(1),
    });
    let refused = play(&terms, [missing, PlayerKind::Random], None);
    assert!(matches!(refused, Err(Error::Play(PlayError::Program { .. }))));
}

#[cfg(unix)]
#[test]
fn what_a_program_has_started_ends_with_it() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("beats");
    let text = format!("while :; do echo >> {}; sleep 0.02; done & wait", file.display());
    play(&terms("tictactoe:3x3", 0, 1), [script(&text, 300), PlayerKind::Random], None).unwrap();
    let beats = || std::fs::metadata(&file).unwrap().len();
    let before = beats();
    assert!(before > 1);
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(beats(), before);
}
