//! Predicates that build no automaton: subset and disjointness, decided by a search for a counterexample.

use std::sync::atomic::Ordering;

use hashbrown::HashSet;

use crate::store::{Set, Store};
use crate::unique::{ACCEPT, REJECT};

impl Store {
    /// Returns `true` if `a ⊆ b`. Cost: at worst one visit per pair of states; no state is created.
    ///
    /// # Panics
    /// Panics if a set belongs to another store.
    pub fn is_subset(&self, a: &Set, b: &Set) -> bool {
        self.holds(a, b, |x, y| {
            if x == y || x == REJECT || y == ACCEPT {
                Some(true)
            } else if y == REJECT {
                // Every ordinary state and the full language accept at least one word.
                Some(false)
            } else {
                None
            }
        })
    }

    /// Returns `true` if `a ∩ b = ∅`. Cost: at worst one visit per pair of states; no state is created.
    ///
    /// # Panics
    /// Panics if a set belongs to another store.
    pub fn is_disjoint(&self, a: &Set, b: &Set) -> bool {
        self.holds(a, b, |x, y| {
            if x == REJECT || y == REJECT {
                Some(true)
            } else if x == y || x == ACCEPT || y == ACCEPT {
                Some(false)
            } else {
                None
            }
        })
    }

    /// Returns `true` if `decide` never yields `Some(false)` for a pair of states that some word reaches.
    fn holds(&self, a: &Set, b: &Set, decide: impl Fn(u32, u32) -> Option<bool>) -> bool {
        self.own(a);
        self.own(b);
        let mut pairs = vec![(a.state(), b.state())];
        if let Some(known) = decide(a.state(), b.state()) {
            return known;
        }
        for table in self.tables() {
            let mut next: HashSet<(u32, u32)> = HashSet::new();
            for &(x, y) in &pairs {
                for (x, y) in table.row(x).iter().zip(table.row(y)) {
                    let (x, y) = (x.load(Ordering::Relaxed), y.load(Ordering::Relaxed));
                    match decide(x, y) {
                        Some(false) => return false,
                        Some(true) => {}
                        None => {
                            next.insert((x, y));
                        }
                    }
                }
            }
            pairs = next.into_iter().collect();
        }
        true
    }
}
