//! The letter order in force: which cell of the board each layer of the word holds.
//!
//! Invariant: `cell_of_layer` and `layer_of_cell` are permutations and inverse to each other.

use crate::error::{Error, Result};

/// A letter order: its name and the cell that each layer holds.
pub(crate) type Order = (&'static str, Vec<usize>);

/// One letter order, ready for both directions.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    name: &'static str,
    cell_of_layer: Vec<usize>,
    layer_of_cell: Vec<usize>,
}

impl Layout {
    /// The order called `wanted` among `orders`, or the first of them.
    pub(crate) fn choose(orders: Vec<Order>, wanted: Option<&str>) -> Result<Self> {
        let known = names(&orders).join(", ");
        let found = orders.into_iter().find(|(name, _)| wanted.is_none_or(|wanted| wanted == *name));
        let Some((name, cell_of_layer)) = found else {
            return Err(Error::UnknownOrder { name: wanted.unwrap_or_default().to_string(), known });
        };
        let mut layer_of_cell = vec![0; cell_of_layer.len()];
        for (layer, &cell) in cell_of_layer.iter().enumerate() {
            layer_of_cell[cell] = layer;
        }
        Ok(Self { name, cell_of_layer, layer_of_cell })
    }

    /// What the order is called.
    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// The cell of every layer.
    pub(crate) fn cells(&self) -> &[usize] {
        &self.cell_of_layer
    }

    /// The layer of `cell`.
    pub(crate) fn layer(&self, cell: usize) -> usize {
        self.layer_of_cell[cell]
    }
}

/// Names of `orders`, in their order.
pub(crate) fn names(orders: &[Order]) -> Vec<String> {
    orders.iter().map(|(name, _)| (*name).to_string()).collect()
}
