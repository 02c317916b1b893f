//! Answers that take long to find and are small: kept for as long as their solution is the same.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Bytes;

use crate::facade::Solution;

/// An answer for each solution.
#[derive(Default)]
pub(super) struct Kept {
    /// By the solution's id: the digest that it had, and the answer.
    answers: Mutex<BTreeMap<String, (String, Bytes)>>,
}

impl Kept {
    /// The answer about this solution, if it is there.
    pub(super) fn get(&self, id: &str, solution: &Solution) -> Option<Bytes> {
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.get(id).filter(|(digest, _)| digest == solution.digest()).map(|(_, answer)| answer.clone())
    }

    /// Keeps an answer in place of an older one.
    pub(super) fn put(&self, id: &str, solution: &Arc<Solution>, answer: Bytes) {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.insert(id.into(), (solution.digest().into(), answer));
    }
}
