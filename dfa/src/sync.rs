//! The atomic integers of the tables that threads share without locks, taken from the standard library or from `loom`.
//!
//! In a build with `RUSTFLAGS="--cfg loom"`, `loom` runs the unique table and the computed cache in every interleaving
//! of a few threads, as `.ci/models` does. The code of the tables is the same in both builds.

#[cfg(loom)]
pub(crate) use loom::sync::atomic::{AtomicU32, AtomicU64, Ordering};
#[cfg(not(loom))]
pub(crate) use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

#[cfg(all(test, loom))]
pub(crate) mod explore {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Runs `model` once for every interleaving of its threads, and prints the number of interleavings.
    ///
    /// `switches` limits how often a thread is preempted before it finishes; `None` means no limit.
    pub(crate) fn explore(name: &str, switches: Option<usize>, model: impl Fn() + Send + Sync + 'static) {
        let count = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&count);
        let mut builder = loom::model::Builder::new();
        builder.preemption_bound = switches;
        builder.check(move || {
            counted.fetch_add(1, Ordering::Relaxed);
            model();
        });
        let count = count.load(Ordering::Relaxed);
        let limit = switches.map_or_else(|| "all".into(), |n| format!("at most {n} switches"));
        println!("model {name}: {count} interleavings, {limit}");
        assert!(count > 1, "{name}: a model needs more than one interleaving");
    }
}
