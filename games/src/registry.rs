//! The registry of built-in games, which opens a game from a spec such as `breakthrough:5x6`.
//!
//! Invariants: every family has a unique name, the example of every family opens, and [`Game::spec`] of an opened game
//! opens an equal game.

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::game::Game;
use crate::layout::name_of;
use crate::rbg::{is_named, open_named, orders_of};
use crate::rules::FAMILIES;
use crate::spec::{Spec, family_of, nearest};

pub use crate::spec::FamilyInfo;

/// Returns all families that [`open`] accepts, in the order in which lists show them.
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

/// Returns the family with the name `text`. A spec with parameters is not a name.
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

/// Opens the game with the given spec, in the first letter order of its family. The name of a family alone denotes its
/// usual game.
///
/// # Errors
/// Returns [`Error::UnknownGame`] if there is no such family, or [`Error::Spec`] if the family does not accept the parameters.
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

/// Opens the game with the given spec in the letter order `order`: either one of [`orders`], or `cells:` followed by a
/// comma-separated list of the cells of layers 0, 1, ... `None` selects the first of [`orders`].
///
/// # Errors
/// Returns the same errors as [`open`], [`Error::UnknownOrder`] if the game does not have such an order, or
/// [`Error::Order`] if the list does not name every cell exactly once.
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

/// Returns the names of the letter orders of the game with the given spec, starting with the one that [`open`] uses.
///
/// # Errors
/// Returns the same errors as [`open`].
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

/// Returns the name by which [`open_with_order`] accepts the letter order with these cells in its layers.
///
/// # Examples
/// ```
/// assert_eq!(nerode_games::registry::order_of_cells(&[3, 0, 1, 2]), "cells:3,0,1,2");
/// ```
pub fn order_of_cells(cells: &[usize]) -> String {
    name_of(cells)
}

/// Finds the family of a spec and splits the spec into its parts.
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
