//! What a unit makes: minimal layers from the cut on, with a root for each key.

use crate::automaton::number_as_met;
use crate::shape::Shape;

use super::super::intern::Distinct;
use super::super::macrostates::split;
use super::super::minimise::Finished;

/// The layers of a result from the cut on, as far as the keys of one unit lead to them.
///
/// A target is 0 (reject), 1 (accept), or from 2 on a state of the next layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fragment {
    pub(super) shape: Shape,
    /// The first layer of the fragment.
    pub(super) cut: usize,
    /// What each key became.
    pub(super) roots: Vec<u32>,
    /// Rows of each layer from the cut on, states in the order in which roots and rows name them.
    pub(super) layers: Vec<Vec<u32>>,
}

impl Fragment {
    /// The fragment of keys with these `numbers`.
    pub(super) fn new(shape: &Shape, cut: usize, numbers: &[u32], finished: Finished) -> Self {
        let root = |&number: &u32| {
            let (partition, place) = split(number);
            finished.states[partition][place]
        };
        let mut roots: Vec<u32> = numbers.iter().map(root).collect();
        let mut tables = finished.tables.into_iter().peekable();
        let mut limit = tables.peek().map_or(0, Distinct::limit);
        let mut states = number_as_met(&mut roots, limit);
        let mut layers = Vec::with_capacity(shape.num_layers() - cut);
        while let Some(table) = tables.next() {
            let mut rows = Vec::with_capacity(states.len() * table.width());
            states.iter().for_each(|&state| rows.extend_from_slice(table.row(state)));
            drop(table);
            limit = tables.peek().map_or(0, Distinct::limit);
            states = number_as_met(&mut rows, limit);
            layers.push(rows);
        }
        Self { shape: shape.clone(), cut, roots, layers }
    }

    /// The first layer.
    pub fn cut(&self) -> usize {
        self.cut
    }

    /// Targets of the keys.
    pub fn roots(&self) -> &[u32] {
        &self.roots
    }

    /// Rows of the states of a layer from the cut on, one after the other.
    pub fn rows(&self, layer: usize) -> &[u32] {
        &self.layers[layer - self.cut]
    }

    /// Bytes of the rows in memory; the file takes hardly more.
    pub fn bytes(&self) -> u64 {
        self.layers.iter().map(|rows| 4 * rows.len() as u64).sum()
    }

    /// Number of states.
    pub fn num_states(&self) -> usize {
        (self.cut..).zip(&self.layers).map(|(layer, rows)| rows.len() / self.shape.num_letters(layer)).sum()
    }
}
