//! The state that all requests share.

use std::sync::Arc;

use super::access::Access;
use super::answer_cache::AnswerCache;
use super::shelf::Shelf;
use super::solving::Solving;
use super::work::Workers;

/// The state that all requests share.
pub(super) struct State {
    pub(super) shelf: Arc<Shelf>,
    pub(super) workers: Workers,
    /// The cache of statistics.
    pub(super) stats: AnswerCache,
    /// The solves that the page may request, if this is allowed.
    pub(super) solving: Option<Solving>,
    /// The rules by which requests are admitted.
    pub(super) access: Access,
}
