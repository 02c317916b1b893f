//! Both chains at once under a memory cap.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod common;

use common::game;
use nerode_solver::solve::engine::Engine;
use nerode_solver::solve::method::Chains;
use nerode_solver::solve::resources::{Backend, Resources};
use nerode_solver::solve::retrograde::{Level, Retrograde};

/// Parts of the memory used without a cap; a quarter as many more are tried as caps.
const PARTS: u64 = 8;
/// How often caps are tried at most.
const SWEEPS: u32 = 6;

/// What a cap led to.
struct Solved {
    /// The last level, if the cap allows it.
    end: Option<Level>,
    /// Whether one chain was computed after the other at the end.
    apart: bool,
    /// Most bytes held.
    peak: u64,
}

fn solve(memory: u64, apart: bool) -> Solved {
    let resources = Resources { backend: Backend::Passes, threads: 2, memory, ..Resources::default() };
    let mut engine = match Engine::new(game("breakthrough:3x6"), &resources, None) {
        Ok(engine) => engine,
        Err(error) => {
            assert!(error.is_out_of_room(), "{error}");
            return Solved { end: None, apart, peak: 0 };
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
    Solved { end, apart: engine.is_apart(), peak: engine.pass_stats().peak_bytes }
}

#[test]
#[ignore = "slow: .ci/scheduled"]
fn a_cap_that_one_chain_at_a_time_keeps_suffices() {
    let Solved { end: expected, peak, apart } = solve(u64::MAX, false);
    assert!(!apart);
    let (mut narrow, mut refused, mut fitted) = (0, 0, u64::MAX);
    // Which caps are just too small for both at once is not the same every time.
    let caps = (0..SWEEPS).flat_map(|sweep| (1..=PARTS / 4 * 5).map(move |part| (sweep, part)));
    for (sweep, part) in caps {
        if sweep > 0 && narrow > 0 {
            break;
        }
        let cap = peak / PARTS * part;
        let Solved { end, apart, peak: held } = solve(cap, false);
        // Which threads took part makes a difference to the bytes held, so that a third less must have been enough.
        assert!(end.is_some() || cap / 3 * 2 < fitted, "one chain at a time fits well into {part}/{PARTS}");
        match end {
            Some(_) => {
                assert!(end == expected && held <= cap, "{part}/{PARTS}: {held} of {cap} bytes");
                narrow += u32::from(apart);
            }
            None => refused += 1,
        }
        if solve(cap, true).end.is_some() {
            fitted = fitted.min(cap);
        }
    }
    assert!(narrow > 0 && refused > 0, "{narrow} caps too small for both at once, {refused} for one");
}
