//! Letter orders, which determine the cell of the board that each layer of the word represents.
//!
//! Invariants: `cell_of_layer` and `layer_of_cell` are permutations and inverse to each other. Calling
//! [`Layout::choose`] with the name of a layout and the same named orders returns the same layout.

use crate::error::{Error, Result};
use crate::spec::digits;

/// A letter order: its name and the cell that each layer represents.
pub type Order = (&'static str, Vec<usize>);

/// The prefix of the name of an order that lists its cells.
const CELLS: &str = "cells:";

/// The current letter order of a game.
///
/// # Examples
/// ```
/// use nerode_games::Layout;
/// let named = || vec![("rows", vec![0, 1, 2, 3]), ("columns", vec![0, 2, 1, 3])];
/// assert_eq!(Layout::choose(named(), None).unwrap().name(), "rows");
/// assert_eq!(Layout::choose(named(), Some("columns")).unwrap().cells(), [0, 2, 1, 3]);
/// assert_eq!(Layout::choose(named(), Some("cells:3,0,1,2")).unwrap().layer(3), 0);
/// ```
#[derive(Clone, Debug)]
pub struct Layout {
    name: String,
    cell_of_layer: Vec<usize>,
    layer_of_cell: Vec<usize>,
}

impl Layout {
    /// Chooses the order named `wanted`, which is either one of `orders` or a list of all cells after `cells:`. `None`
    /// selects the first of `orders`.
    ///
    /// # Errors
    /// Returns [`Error::UnknownOrder`] if no order has this name, or [`Error::Order`] if a list does not name every
    /// cell exactly once.
    pub fn choose(orders: Vec<Order>, wanted: Option<&str>) -> Result<Self> {
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

    /// Creates a layout from `cell_of_layer`, which must be a permutation.
    fn new(name: String, cell_of_layer: Vec<usize>) -> Self {
        let mut layer_of_cell = vec![0; cell_of_layer.len()];
        for (layer, &cell) in cell_of_layer.iter().enumerate() {
            layer_of_cell[cell] = layer;
        }
        Self { name, cell_of_layer, layer_of_cell }
    }

    /// Returns the name of the order.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the cell of every layer.
    pub fn cells(&self) -> &[usize] {
        &self.cell_of_layer
    }

    /// Returns the layer that represents `cell`.
    ///
    /// # Panics
    /// Panics if the cell does not exist.
    pub fn layer(&self, cell: usize) -> usize {
        self.layer_of_cell[cell]
    }
}

/// Returns the names of `orders` in the same order.
pub fn names(orders: &[Order]) -> Vec<String> {
    orders.iter().map(|(name, _)| (*name).to_string()).collect()
}

/// Returns the name of the order whose layers represent `cells`: `cells:` followed by their numbers, separated by commas.
pub fn name_of(cells: &[usize]) -> String {
    let numbers: Vec<String> = cells.iter().map(usize::to_string).collect();
    format!("{CELLS}{}", numbers.join(","))
}

/// Reads a list that contains every cell below `num_cells` exactly once. Otherwise, returns what is wrong with `list`.
fn permutation(list: &str, num_cells: usize) -> std::result::Result<Vec<usize>, String> {
    let mut cells = Vec::with_capacity(num_cells);
    let mut seen = vec![false; num_cells];
    for part in list.split(',') {
        let cell = digits(part).ok_or_else(|| format!("'{part}' is not the number of a cell"))?;
        match seen.get_mut(cell) {
            None => return Err(format!("there is no cell {part}: the board has {num_cells} cells")),
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
