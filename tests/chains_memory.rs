//! Both chains at once under a memory cap. Automata of the whole process count, so this program has one test.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod common;

use common::game;
use nerode::engine::Engine;
use nerode::retrograde::{Level, Retrograde};
use nerode::rules::{Backend, Resources};
use nerode::run_dir::Chains;

/// Parts of the memory used without a cap that are tried as caps.
const PARTS: u64 = 40;

/// The last level, if the cap allows it, and passes run and most bytes held.
fn solve(memory: u64, apart: bool) -> (Option<Level>, u64, u64) {
    let resources = Resources { backend: Backend::Passes, threads: 2, memory, ..Resources::default() };
    let mut engine = match Engine::new(game("breakthrough:3x5"), &resources, None) {
        Ok(engine) => engine,
        Err(error) => {
            assert!(error.is_out_of_room(), "{error}");
            return (None, 0, 0);
        }
    };
    let engine = &mut engine;
    if apart {
        engine.keep_apart();
    }
    let mut iteration = Retrograde::new(engine, Chains::Both);
    let end = loop {
        let (ply, level) = (iteration.ply(), iteration.level().clone());
        match iteration.step(engine) {
            Ok(true) => (),
            Ok(false) => break Some(level),
            Err(error) => {
                assert!(error.is_out_of_room(), "{error}");
                assert!(iteration.level() == &level && iteration.ply() == ply, "the level of ply {ply}");
                break None;
            }
        }
    };
    let stats = engine.pass_stats();
    (end, stats.passes, stats.peak_bytes)
}

#[test]
fn a_cap_that_one_chain_at_a_time_keeps_suffices() {
    let (expected, passes, peak) = solve(u64::MAX, false);
    let (mut narrow, mut refused, mut fitted) = (0, 0, false);
    for part in 1..=PARTS {
        let cap = peak / PARTS * part;
        let (end, done, held) = solve(cap, false);
        // Threads make a little difference to the bytes held, so that the cap before must have been enough.
        assert!(end.is_some() || !fitted, "one chain at a time fits well into {part}/{PARTS}");
        match end {
            Some(_) => {
                assert!(end == expected && held <= cap, "{part}/{PARTS}: {held} of {cap} bytes");
                narrow += u32::from(done > passes);
            }
            None => refused += 1,
        }
        fitted = solve(cap, true).0.is_some();
    }
    assert!(narrow > 0 && refused > 0, "{narrow} caps too small for both at once, {refused} for one");
}
