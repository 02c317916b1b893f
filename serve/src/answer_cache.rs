//! A cache for small answers that are expensive to compute. An entry is valid as long as its solution does not
//! change.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Bytes;

use nerode_solver::stored::Solution;

/// A cache with one answer for each solution.
#[derive(Default)]
pub(super) struct AnswerCache {
    /// The answers by the id of their solution, each with the digest of the solution at that time.
    answers: Mutex<BTreeMap<String, (String, Bytes)>>,
}

impl AnswerCache {
    /// Returns the cached answer for this solution, if there is one.
    pub(super) fn get(&self, id: &str, solution: &Solution) -> Option<Bytes> {
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.get(id).filter(|(digest, _)| digest == solution.digest()).map(|(_, answer)| answer.clone())
    }

    /// Caches an answer, replacing an older one.
    pub(super) fn put(&self, id: &str, solution: &Arc<Solution>, answer: Bytes) {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.insert(id.into(), (solution.digest().into(), answer));
    }
}
