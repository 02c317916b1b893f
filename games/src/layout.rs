//! The letter order in force: which cell of the board each layer of the word holds.
//!
//! Invariants: `cell_of_layer` and `layer_of_cell` are permutations and inverse to each other; the name of a layout, given
//! to [`Layout::choose`] with the same named orders, gives the same layout.

use crate::error::{Error, Result};
use crate::spec::digits;

/// A letter order: its name and the cell that each layer holds.
pub(crate) type Order = (&'static str, Vec<usize>);

/// What the name of an order begins with that lists its cells.
const CELLS: &str = "cells:";

/// One letter order, ready for both directions.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    name: String,
    cell_of_layer: Vec<usize>,
    layer_of_cell: Vec<usize>,
}

impl Layout {
    /// The order called `wanted` among `orders`, or that `wanted` lists after `cells:`, or the first of `orders`.
    pub(crate) fn choose(orders: Vec<Order>, wanted: Option<&str>) -> Result<Self> {
        if let Some(list) = wanted.and_then(|wanted| wanted.strip_prefix(CELLS)) {
            let num_cells = orders.first().map_or(0, |(_, cells)| cells.len());
            let cells = permutation(list, num_cells).map_err(|reason| Error::Order {
                name: format!("{CELLS}{list}"),
                reason,
                last: num_cells.saturating_sub(1),
            })?;
            return Ok(Self::new(name_of(&cells), cells));
        }
        let known = names(&orders).join(", ");
        let found = orders.into_iter().find(|(name, _)| wanted.is_none_or(|wanted| wanted == *name));
        let Some((name, cells)) = found else {
            return Err(Error::UnknownOrder { name: wanted.unwrap_or_default().to_string(), known });
        };
        Ok(Self::new(name.to_string(), cells))
    }

    /// `cell_of_layer` must be a permutation.
    fn new(name: String, cell_of_layer: Vec<usize>) -> Self {
        let mut layer_of_cell = vec![0; cell_of_layer.len()];
        for (layer, &cell) in cell_of_layer.iter().enumerate() {
            layer_of_cell[cell] = layer;
        }
        Self { name, cell_of_layer, layer_of_cell }
    }

    /// What the order is called.
    pub(crate) fn name(&self) -> &str {
        &self.name
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

/// The name of the order whose layers hold `cells`: `cells:` and their numbers with commas between them.
pub(crate) fn name_of(cells: &[usize]) -> String {
    let numbers: Vec<String> = cells.iter().map(usize::to_string).collect();
    format!("{CELLS}{}", numbers.join(","))
}

/// Reads every cell below `num_cells` once, or says what is wrong with `list`.
fn permutation(list: &str, num_cells: usize) -> std::result::Result<Vec<usize>, String> {
    let mut cells = Vec::with_capacity(num_cells);
    let mut seen = vec![false; num_cells];
    for part in list.split(',') {
        let cell = digits(part).ok_or_else(|| format!("'{part}' is not the number of a cell"))?;
        match seen.get_mut(cell) {
            None => return Err(format!("there is no cell {part}, the board has {num_cells} cells")),
            Some(true) => return Err(format!("cell {cell} is named twice")),
            Some(seen) => *seen = true,
        }
        cells.push(cell);
    }
    let missing: Vec<String> = (0..num_cells).filter(|&cell| !seen[cell]).map(|c| c.to_string()).collect();
    match missing.len() {
        0 => Ok(cells),
        1 => Err(format!("cell {} is missing", missing[0])),
        _ => Err(format!("{} of {num_cells} cells are missing: {}", missing.len(), missing.join(", "))),
    }
}
