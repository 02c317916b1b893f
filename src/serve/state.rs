//! What all requests share.

use std::sync::Arc;

use super::kept::Kept;
use super::shelf::Shelf;
use super::solving::Solving;
use super::work::Workers;

/// What all requests share.
pub(super) struct State {
    pub(super) shelf: Arc<Shelf>,
    pub(super) workers: Workers,
    /// Statistics that were asked for before.
    pub(super) stats: Kept,
    /// Solves that the page may ask for, if it may.
    pub(super) solving: Option<Solving>,
    /// Names of this service.
    pub(super) hosts: Vec<String>,
}
