//! What all requests share.

use std::sync::Arc;

use super::shelf::Shelf;
use super::work::Workers;

/// What all requests share.
pub(super) struct State {
    pub(super) shelf: Arc<Shelf>,
    pub(super) workers: Workers,
    /// Names of this service.
    pub(super) hosts: Vec<String>,
}
