//! Both chains of a retrograde solve at once: computed concurrently, computed one after the other if there is no room for both,
//! and interrupted and resumed. `tests/solving/engine.rs` checks that the bytes are the same as with one chain after the other.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

use crate::common::game;
use nerode_solver::error::Error;
use nerode_solver::solve::engine::Engine;
use nerode_solver::solve::method::Chains;
use nerode_solver::solve::resources::{Backend, Resources};
use nerode_solver::solve::retrograde::{Level, Retrograde};

fn resources(backend: Backend, threads: usize) -> Resources {
    Resources { backend, threads, ..Resources::default() }
}

fn engine(resources: &Resources) -> Engine {
    Engine::new(game("breakthrough:3x4"), resources, None).unwrap()
}

/// Returns the last level and its ply.
fn to_the_end(mut iteration: Retrograde, engine: &mut Engine) -> (Level, u32) {
    while iteration.step(engine).unwrap() {}
    (iteration.level().clone(), iteration.ply())
}

fn out_of_memory() -> Error {
    Error::Dfa(nerode_dfa::Error::OutOfMemory { what: "a test", needed_bytes: 2, limit_bytes: 1 })
}

/// Each computation waits for the other, so they would wait in vain if they ran one after the other.
#[test]
fn two_computations_meet_where_sets_are_moved_in_passes_by_two_threads() {
    let meet = |backend, threads| {
        let ((to_b, from_a), (to_a, from_b)) = (channel(), channel());
        let (from_a, from_b) = (std::sync::Mutex::new(from_a), std::sync::Mutex::new(from_b));
        let patience = if threads > 1 && backend == Backend::Passes { 60_000 } else { 20 };
        let patience = Duration::from_millis(patience);
        let a = |_: &mut Engine| {
            to_b.send(()).unwrap();
            Ok(from_b.lock().unwrap().recv_timeout(patience).is_ok())
        };
        let b = |_: &mut Engine| {
            to_a.send(()).unwrap();
            Ok(from_a.lock().unwrap().recv_timeout(patience).is_ok())
        };
        engine(&resources(backend, threads)).both(a, b).unwrap()
    };
    assert_eq!(meet(Backend::Passes, 2), (true, true));
    // The second computation finds the word left by the first.
    assert_eq!(meet(Backend::Passes, 1), (false, true));
    assert_eq!(meet(Backend::Recursion, 2), (false, true));
}

#[test]
fn without_room_for_both_one_comes_after_the_other_from_then_on() {
    let mut engine = engine(&resources(Backend::Passes, 2));
    for (rounds, expected) in [(1, [2, 2]), (3, [3, 3])] {
        let calls = [AtomicUsize::new(0), AtomicUsize::new(0)];
        let count = |i: usize| calls[i].fetch_add(1, Ordering::SeqCst);
        for _ in 0..rounds {
            let a = |_: &mut Engine| Ok(count(0));
            let b = |_: &mut Engine| {
                if count(1) == 0 && rounds == 1 { Err(out_of_memory()) } else { Ok(()) }
            };
            engine.both(a, b).unwrap();
        }
        // In the first round, both computations are restarted; later, none is.
        assert_eq!(calls.map(AtomicUsize::into_inner), expected);
    }
    let refused = engine.both(|_| Ok(()), |_| Err::<(), _>(out_of_memory()));
    assert!(refused.is_err_and(|e| e.is_out_of_room()), "restarted more than once");
}

#[test]
fn work_meets_what_is_beside_it_where_sets_are_moved_in_passes_by_two_threads() {
    let meet = |backend, threads| {
        let ((to_work, from_other), (to_other, from_work)) = (channel(), channel());
        let (from_other, from_work) = (std::sync::Mutex::new(from_other), std::sync::Mutex::new(from_work));
        let patience = if threads > 1 && backend == Backend::Passes { 60_000 } else { 20 };
        let patience = Duration::from_millis(patience);
        let met = AtomicUsize::new(0);
        let other = || {
            to_work.send(()).unwrap();
            met.fetch_add(
                usize::from(from_work.lock().unwrap().recv_timeout(patience).is_ok()),
                Ordering::SeqCst,
            );
            Ok(())
        };
        let work = |_: &mut Engine| {
            to_other.send(()).unwrap();
            Ok(from_other.lock().unwrap().recv_timeout(patience).is_ok())
        };
        let found = engine(&resources(backend, threads)).beside(other, work).unwrap();
        (met.into_inner(), found)
    };
    assert_eq!(meet(Backend::Passes, 2), (1, true));
    // The work finds the word left by the other computation.
    assert_eq!(meet(Backend::Passes, 1), (0, true));
    assert_eq!(meet(Backend::Recursion, 2), (0, true));
}

#[test]
fn work_without_room_is_begun_again_after_what_is_beside_it() {
    let mut engine = engine(&resources(Backend::Passes, 2));
    let (others, works) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let other = || {
        others.fetch_add(1, Ordering::SeqCst);
        Ok(())
    };
    let work = |_: &mut Engine| match works.fetch_add(1, Ordering::SeqCst) {
        0 => Err(out_of_memory()),
        _ => Ok(others.load(Ordering::SeqCst)),
    };
    assert_eq!(engine.beside(other, work).unwrap(), 1);
    assert_eq!(works.load(Ordering::SeqCst), 2);
    // From then on, the concurrent computation runs first, and the work does not start if it fails.
    let refused = engine.beside(|| Err(Error::Interrupted), |_| Ok(works.fetch_add(1, Ordering::SeqCst)));
    assert!(matches!(refused, Err(Error::Interrupted)));
    assert_eq!(works.load(Ordering::SeqCst), 2);
}

#[test]
fn other_errors_are_not_tried_again() {
    let mut engine = engine(&resources(Backend::Passes, 2));
    let calls = AtomicUsize::new(0);
    let fail = |_: &mut Engine| {
        calls.fetch_add(1, Ordering::SeqCst);
        Err::<(), _>(Error::Interrupted)
    };
    assert!(matches!(engine.both(|_| Ok(()), fail), Err(Error::Interrupted)));
    assert_eq!(calls.load(Ordering::SeqCst), 1);
}

/// An iteration that is interrupted before or within a ply keeps its level and continues to the same result.
#[test]
fn an_interrupted_step_leaves_the_level_reached() {
    let mut plain = engine(&resources(Backend::Recursion, 1));
    let expected = to_the_end(Retrograde::new(&plain, Chains::Both), &mut plain);
    let resources = resources(Backend::Passes, 2);
    let flag = Arc::clone(&resources.interrupt);
    let mut engine = engine(&resources);
    let mut iteration = Retrograde::new(&engine, Chains::Both);
    let mut stopped = 0;
    for round in 0.. {
        let (ply, level) = (iteration.ply(), iteration.level().clone());
        // In every other round, the interruption precedes the step, and otherwise it comes a little later.
        let wait = Duration::from_micros(round % 6 * 200);
        let step = std::thread::scope(|scope| {
            let late = scope.spawn(|| {
                std::thread::sleep(wait);
                flag.store(true, Ordering::Relaxed);
            });
            if round % 2 == 0 {
                late.join().unwrap();
            }
            iteration.step(&mut engine)
        });
        flag.store(false, Ordering::Relaxed);
        if let Err(error) = step {
            assert!(matches!(error, Error::Dfa(nerode_dfa::Error::Interrupted)), "{error}");
            assert!(iteration.level() == &level && iteration.ply() == ply, "the level of ply {ply}");
            stopped += 1;
        }
        if !iteration.step(&mut engine).unwrap() {
            break;
        }
    }
    assert!(stopped > 2, "{stopped} steps interrupted");
    assert_eq!((iteration.level().clone(), iteration.ply()), expected);
}
