//! From a spec such as `breakthrough:5x6` to a game.
//!
//! Invariants: every family has its own name, its example opens, and [`Game::spec`] of an opened game opens an equal game.

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::game::Game;
use crate::layout::name_of;
use crate::rbg::{is_named, open_named, orders_of};
use crate::rules::FAMILIES;
use crate::spec::{Spec, family_of, nearest};

pub use crate::spec::FamilyInfo;

/// Every family that [`open`] knows, in the order in which lists show them.
///
/// # Examples
/// ```
/// for family in nerode_games::registry::families() {
///     assert_eq!(nerode_games::registry::open(family.example).unwrap().spec(), family.example);
/// }
/// ```
pub fn families() -> &'static [FamilyInfo] {
    FAMILIES
}

/// The family that `text` names, if it is the name of one and nothing else.
///
/// # Examples
/// ```
/// use nerode_games::registry::family_named;
/// assert_eq!(family_named("tictactoe").unwrap().usual, "tictactoe:3x3");
/// assert!(family_named("tictactoe:3x3").is_none());
/// ```
pub fn family_named(text: &str) -> Option<&'static FamilyInfo> {
    FAMILIES.iter().find(|info| info.family == text.trim())
}

/// The game that `spec` names, in the family's first letter order. A family's name alone stands for its usual game.
///
/// # Errors
/// [`Error::UnknownGame`] for a family that does not exist, [`Error::Spec`] for parameters that it does not take.
///
/// # Examples
/// ```
/// use nerode_games::registry::open;
/// assert_eq!(open("tictactoe:3x3,k=3").unwrap().spec(), "tictactoe:3x3");
/// let error = open("breakthru:5x6").unwrap_err().to_string();
/// assert!(error.contains("did you mean 'breakthrough'"));
/// ```
pub fn open(spec: &str) -> Result<Arc<dyn Game>> {
    open_with_order(spec, None)
}

/// The game that `spec` names, in the letter order `order`: one of [`orders`], or `cells:` and the cells that layers 0, 1, ...
/// hold, with commas between them. `None` is the first of [`orders`].
///
/// # Errors
/// Those of [`open`], [`Error::UnknownOrder`] for an order that the game does not have, [`Error::Order`] for a list of cells
/// that does not name each once.
///
/// # Examples
/// ```
/// use nerode_games::registry::open_with_order;
/// let game = open_with_order("tictactoe:2x2,k=2", Some("columns")).unwrap();
/// assert_eq!(game.cell_of_layer(), [0, 2, 1, 3]);
/// let game = open_with_order("tictactoe:2x2,k=2", Some("cells:3,0,1,2")).unwrap();
/// assert_eq!((game.cell_of_layer(), game.order()), (&[3, 0, 1, 2][..], "cells:3,0,1,2"));
/// ```
pub fn open_with_order(spec: &str, order: Option<&str>) -> Result<Arc<dyn Game>> {
    if is_named(spec.trim()) {
        return open_named(spec.trim(), order);
    }
    let spec = resolve(spec)?;
    (spec.info().build)(&spec, order)
}

/// Names of the letter orders of the game that `spec` names, the one that [`open`] takes first.
///
/// # Errors
/// Those of [`open`].
///
/// # Examples
/// ```
/// assert_eq!(nerode_games::registry::orders("nim:3x7").unwrap(), ["heaps"]);
/// ```
pub fn orders(spec: &str) -> Result<Vec<String>> {
    if is_named(spec.trim()) {
        return orders_of(spec.trim());
    }
    let spec = resolve(spec)?;
    (spec.info().orders)(&spec)
}

/// The name under which [`open_with_order`] takes the letter order whose layers hold `cells`.
///
/// # Examples
/// ```
/// assert_eq!(nerode_games::registry::order_of_cells(&[3, 0, 1, 2]), "cells:3,0,1,2");
/// ```
pub fn order_of_cells(cells: &[usize]) -> String {
    name_of(cells)
}

/// Finds the family of a spec and splits the spec.
pub(crate) fn resolve(text: &str) -> Result<Spec<'_>> {
    let text = family_named(text).map_or(text.trim(), |info| info.usual);
    let name = family_of(text);
    match FAMILIES.iter().find(|info| info.family == name) {
        Some(info) => Spec::parse(text, info),
        None => Err(unknown(name)),
    }
}

fn unknown(name: &str) -> Error {
    let nearest = nearest(name, FAMILIES.iter().map(|info| info.family));
    let known: Vec<&str> = FAMILIES.iter().map(|info| info.family).collect();
    Error::UnknownGame {
        name: name.to_string(),
        nearest: nearest.map(str::to_string),
        known: known.join(", "),
    }
}
