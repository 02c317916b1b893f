//! The log of a match, which is read when the match is resumed.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};

use nerode::games::Game;
use nerode_play::contest::{Contest, Results, Terms};
use nerode_play::players::PlayerKind;

static GAME: LazyLock<Arc<dyn Game>> =
    LazyLock::new(|| nerode::games::registry::open("tictactoe:2x2,k=2").unwrap());

fn played(log: &Path) -> nerode::Result<Results> {
    let terms = Terms {
        game: "tictactoe:2x2,k=2".into(),
        players: ["random".into(), "random".into()],
        opening_plies: 1,
        openings: 1,
        seed: 1,
        quiet_plies: 10,
        plies: 10,
    };
    let players = [PlayerKind::Random, PlayerKind::Random];
    Contest::new(GAME.as_ref(), players, terms).play(Some(log), &AtomicBool::new(false), &|_, _| ())
}

/// Resumes a match from a log, which plays the missing games. Resuming it again must play none.
pub fn log(bytes: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    fs::write(&path, bytes).unwrap();
    if let Ok(results) = played(&path) {
        let again = played(&path).unwrap();
        assert_eq!(again.games, results.games);
        assert!(again.found >= again.games.len());
    } else {
        assert!(fs::read(&path).unwrap() == bytes, "a log that is refused is left as it is");
    }
}

pub fn seeds() -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    played(&path).unwrap();
    let whole = fs::read(&path).unwrap();
    let half = whole[..whole.len() / 2].to_vec();
    vec![whole, half, Vec::new()]
}
