//! Extraction of relations from the arena: as few clusters as their sizes allow, each numbered layer by layer.

use super::arena::Arena;
use super::{IDENTITY, Relation, RelationLayer};
use crate::error::Result;

/// The number of states of a union above which a new cluster begins.
const MAX_CLUSTER_STATES: usize = 1 << 14;

impl Arena<'_> {
    /// Unites neighbouring relations of the list as long as the union does not exceed [`MAX_CLUSTER_STATES`].
    ///
    /// # Errors
    /// Returns the errors of [`Arena::must_go_on`].
    pub(super) fn cluster(&mut self, relations: &[u32]) -> Result<Vec<u32>> {
        // Each cluster is stored with an upper bound of its number of states, because a union consists of states of its
        // operands and of new states. The exact number is counted only if the bound exceeds the limit.
        let mut clusters: Vec<(u32, usize)> = Vec::new();
        for &relation in relations {
            self.must_go_on()?;
            let states = self.num_states(relation);
            if let Some(&(last, most)) = clusters.last() {
                let rows = self.num_rows();
                let joined = self.union(0, last, relation);
                let mut most = most + states + self.num_rows() - rows;
                if most > MAX_CLUSTER_STATES {
                    most = self.num_states(joined);
                }
                if most <= MAX_CLUSTER_STATES {
                    clusters.pop();
                    clusters.push((joined, most));
                    continue;
                }
            }
            clusters.push((relation, states));
        }
        Ok(clusters.into_iter().map(|(relation, _)| relation).collect())
    }

    fn num_rows(&self) -> usize {
        self.rows.iter().map(Vec::len).sum()
    }

    /// Returns the states of each layer that are reachable from `root`, in ascending order.
    fn reachable(&self, root: u32) -> Vec<Vec<u32>> {
        let mut layers = vec![if root > IDENTITY { vec![root] } else { Vec::new() }];
        for layer in 0..self.shape.num_layers() - 1 {
            let mut next: Vec<u32> = layers[layer]
                .iter()
                .flat_map(|&s| self.rows[layer][s as usize - 2].iter().map(|e| e.2))
                .filter(|&t| t > IDENTITY)
                .collect();
            next.sort_unstable();
            next.dedup();
            layers.push(next);
        }
        layers
    }

    fn num_states(&self, root: u32) -> usize {
        self.reachable(root).iter().map(Vec::len).sum()
    }

    pub(super) fn extract(&self, root: u32) -> Relation {
        let reachable = self.reachable(root);
        let number = |layer: usize, state: u32| -> u32 {
            match reachable.get(layer) {
                Some(states) if state > IDENTITY => states.binary_search(&state).map_or(0, |i| i as u32 + 2),
                _ => state,
            }
        };
        let layers = reachable
            .iter()
            .enumerate()
            .map(|(l, states)| {
                let letters = self.shape.num_letters(l);
                let mut layer = RelationLayer { letters, starts: vec![0], pairs: Vec::new() };
                for &state in states {
                    let row = &self.rows[l][state as usize - 2];
                    for after in 0..letters {
                        let group = row.iter().filter(|e| usize::from(e.1) == after);
                        layer.pairs.extend(group.map(|&(before, _, t)| (before, number(l + 1, t))));
                        layer.starts.push(layer.pairs.len() as u32);
                    }
                }
                layer
            })
            .collect();
        Relation { root: number(0, root), layers }
    }
}
