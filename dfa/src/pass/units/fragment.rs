//! The result of a unit or of a merge of some units: minimal layers from the cut on, with a root for each key.

use crate::automaton::number_as_met;
use crate::shape::Shape;

use super::super::intern::Distinct;
use super::super::macrostates::split;
use super::super::minimise::Finished;

/// The layers of a result from the cut on, as far as they are reachable from the keys of its units.
///
/// A target is 0 (reject), 1 (accept), or a state of the next layer, numbered from 2 on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fragment {
    pub(super) shape: Shape,
    /// The first layer of the fragment.
    pub(super) cut: usize,
    /// The target that corresponds to each key.
    pub(super) roots: Vec<u32>,
    /// The rows of each layer from the cut on. States are ordered by their first occurrence in the roots or in the
    /// preceding rows.
    pub(super) layers: Vec<Vec<u32>>,
}

impl Fragment {
    /// Creates the fragment of the keys with these `numbers`.
    pub(super) fn new(shape: &Shape, cut: usize, numbers: &[u32], finished: Finished) -> Self {
        let root = |&number: &u32| {
            let (partition, place) = split(number);
            finished.states[partition][place]
        };
        let roots = numbers.iter().map(root).collect();
        let limits: Vec<usize> = finished.tables.iter().map(Distinct::limit).collect();
        let mut tables = finished.tables.into_iter();
        Self::numbered(shape, cut, roots, &limits, |states| {
            tables.next().map_or_else(Vec::new, |table| {
                let mut rows = Vec::with_capacity(states.len() * table.width());
                states.iter().for_each(|&state| rows.extend_from_slice(table.row(state)));
                rows
            })
        })
    }

    /// Creates the fragment of keys that correspond to `roots`. `rows` returns the rows of states of a layer and is
    /// called for the cut first. `limits` contains an exclusive upper bound of the states of each layer.
    fn numbered(
        shape: &Shape,
        cut: usize,
        mut roots: Vec<u32>,
        limits: &[usize],
        mut rows: impl FnMut(&[u32]) -> Vec<u32>,
    ) -> Self {
        let mut limits = limits.iter().copied();
        let mut limit = || limits.next().unwrap_or(0);
        let mut states = number_as_met(&mut roots, limit());
        let mut layers = Vec::with_capacity(shape.num_layers() - cut);
        for _ in cut..shape.num_layers() {
            let mut rows = rows(&states);
            states = number_as_met(&mut rows, limit());
            layers.push(rows);
        }
        Self { shape: shape.clone(), cut, roots, layers }
    }

    /// Returns the first layer of the fragment.
    pub fn cut(&self) -> usize {
        self.cut
    }

    /// Returns the targets of the keys.
    pub fn roots(&self) -> &[u32] {
        &self.roots
    }

    /// Returns the concatenated rows of the states of a layer, which must not precede the cut.
    pub fn rows(&self, layer: usize) -> &[u32] {
        &self.layers[layer - self.cut]
    }

    /// Returns the size of the rows in memory, in bytes. The file is hardly larger.
    pub fn bytes(&self) -> u64 {
        self.layers.iter().map(|rows| 4 * rows.len() as u64).sum()
    }

    /// Returns the number of states.
    pub fn num_states(&self) -> usize {
        (self.cut..).zip(&self.layers).map(|(layer, rows)| rows.len() / self.shape.num_letters(layer)).sum()
    }
}
