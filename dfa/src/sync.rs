//! The atomic integers of the tables that threads share without locks: the language's own, or those of `loom`.
//!
//! Built with `RUSTFLAGS="--cfg loom"`, the unique table and the computed cache are run by `loom` in every interleaving of a
//! few threads. `.ci/models` does that. Their code is the same in both builds.

#[cfg(loom)]
pub(crate) use loom::sync::atomic::{AtomicU32, AtomicU64, Ordering};
#[cfg(not(loom))]
pub(crate) use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

#[cfg(all(test, loom))]
pub(crate) mod explore {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Runs `model` once for every interleaving of its threads, and says how many there were.
    ///
    /// `switches`: most times that a thread is stopped in favour of another one before it is done; `None` for no limit.
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
        assert!(count > 1, "{name}: one interleaving is no model");
    }
}
