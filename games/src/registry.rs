//! Registries of games, which open a game from a spec such as `breakthrough:5x6`.
//!
//! Invariants: every family of [`BUILT_IN`] has a unique name, the example of every family opens, and [`Game::spec`] of an
//! opened game opens an equal game.

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::game::Game;
use crate::layout::name_of;
use crate::rules::FAMILIES;
use crate::spec::{FamilyInfo, Spec, family_of, nearest};

/// The families of this crate, without any language of rules.
pub const BUILT_IN: Registry = Registry::new(FAMILIES, &[]);

/// A function that opens the game of a spec in a letter order.
pub type OpenSpec = fn(&str, Option<&str>) -> Result<Arc<dyn Game>>;

/// A function that opens the game of a spec and a rules text in a letter order.
pub type OpenText = fn(&str, &str, Option<&str>) -> Result<Arc<dyn Game>>;

/// A language in which rules are written as a text, and the names of the games that are given in it.
#[derive(Clone, Copy, Debug)]
pub struct Language {
    /// Returns `true` if a spec names a game that is given in this language, such as a file.
    pub is_named: fn(&str) -> bool,
    /// Opens the game that a spec names, in the given letter order or in its first one.
    pub open: OpenSpec,
    /// Returns the names of the letter orders of the game that a spec names, starting with the usual one.
    pub orders: fn(&str) -> Result<Vec<String>>,
    /// Opens the game with the given spec and rules text, in the given letter order or in its first one.
    pub open_text: OpenText,
    /// Returns the names of the letter orders of the game with the given spec and rules text.
    pub orders_of_text: fn(&str, &str) -> Result<Vec<String>>,
}

/// The games that a program knows: families, which contain games described in code, and languages, in which files describe
/// games.
///
/// # Examples
/// ```
/// use nerode_games::registry::BUILT_IN;
/// assert_eq!(BUILT_IN.open("tictactoe:3x3,k=3").unwrap().spec(), "tictactoe:3x3");
/// let error = BUILT_IN.open("breakthru:5x6").unwrap_err().to_string();
/// assert!(error.contains("did you mean 'breakthrough'"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Registry {
    families: &'static [FamilyInfo],
    languages: &'static [Language],
}

impl Registry {
    /// Creates a registry. Specs are looked up in `languages` before `families`.
    #[must_use]
    pub const fn new(families: &'static [FamilyInfo], languages: &'static [Language]) -> Self {
        Self { families, languages }
    }

    /// Returns all families, in the order in which lists show them.
    #[must_use]
    pub const fn families(&self) -> &'static [FamilyInfo] {
        self.families
    }

    /// Returns the family with the name `text`. A spec with parameters is not a name.
    ///
    /// # Examples
    /// ```
    /// use nerode_games::registry::BUILT_IN;
    /// assert_eq!(BUILT_IN.family_named("tictactoe").unwrap().usual, "tictactoe:3x3");
    /// assert!(BUILT_IN.family_named("tictactoe:3x3").is_none());
    /// ```
    #[must_use]
    pub fn family_named(&self, text: &str) -> Option<&'static FamilyInfo> {
        self.families.iter().find(|info| info.family == text.trim())
    }

    /// Opens the game with the given spec, in the first letter order of its family. The name of a family alone denotes its
    /// usual game.
    ///
    /// # Errors
    /// Returns [`Error::UnknownGame`] if no family has this name, or [`Error::Spec`] if the family does not accept the
    /// parameters.
    pub fn open(&self, spec: &str) -> Result<Arc<dyn Game>> {
        self.open_with_order(spec, None)
    }

    /// Opens the game with the given spec in the letter order `order`: either one of [`Registry::orders`], or `cells:` followed
    /// by a comma-separated list of the cells of layers 0, 1, ... `None` selects the first of [`Registry::orders`].
    ///
    /// # Errors
    /// Returns the same errors as [`Registry::open`], [`Error::UnknownOrder`] if the game does not have such an order, or
    /// [`Error::Order`] if the list does not name every cell exactly once.
    ///
    /// # Examples
    /// ```
    /// use nerode_games::registry::BUILT_IN;
    /// let game = BUILT_IN.open_with_order("tictactoe:2x2,k=2", Some("columns")).unwrap();
    /// assert_eq!(game.cell_of_layer(), [0, 2, 1, 3]);
    /// let game = BUILT_IN.open_with_order("tictactoe:2x2,k=2", Some("cells:3,0,1,2")).unwrap();
    /// assert_eq!((game.cell_of_layer(), game.order()), (&[3, 0, 1, 2][..], "cells:3,0,1,2"));
    /// ```
    pub fn open_with_order(&self, spec: &str, order: Option<&str>) -> Result<Arc<dyn Game>> {
        if let Some(language) = self.language_of(spec.trim()) {
            return (language.open)(spec.trim(), order);
        }
        self.resolve(spec)?.build(order)
    }

    /// Returns the names of the letter orders of the game with the given spec, starting with the one that [`Registry::open`]
    /// uses.
    ///
    /// # Errors
    /// Returns the same errors as [`Registry::open`].
    pub fn orders(&self, spec: &str) -> Result<Vec<String>> {
        if let Some(language) = self.language_of(spec.trim()) {
            return (language.orders)(spec.trim());
        }
        let spec = self.resolve(spec)?;
        (spec.info().orders)(&spec)
    }

    /// Opens the game with the given spec and rules text in the letter order `order`, or in its first letter order. The spec
    /// does not have to name the text.
    ///
    /// # Errors
    /// Returns [`Error::NoLanguage`] if the registry reads no rules, [`Error::Rules`] if the text is invalid, and
    /// [`Error::UnknownOrder`] or [`Error::Order`] if the letter order is invalid.
    pub fn open_text(&self, spec: &str, text: &str, order: Option<&str>) -> Result<Arc<dyn Game>> {
        (self.language_of_text(spec)?.open_text)(spec, text, order)
    }

    /// Returns the names of the letter orders of the game that [`Registry::open_text`] opens.
    ///
    /// # Errors
    /// Returns [`Error::NoLanguage`] if the registry reads no rules, or [`Error::Rules`] if the text is invalid.
    pub fn orders_of_text(&self, spec: &str, text: &str) -> Result<Vec<String>> {
        (self.language_of_text(spec)?.orders_of_text)(spec, text)
    }

    fn language_of(&self, spec: &str) -> Option<&'static Language> {
        self.languages.iter().find(|language| (language.is_named)(spec))
    }

    /// Returns the language of a rules text: the one to which the spec belongs, or else the first one.
    fn language_of_text(&self, spec: &str) -> Result<&'static Language> {
        let language = self.language_of(spec).or(self.languages.first());
        language.ok_or_else(|| Error::NoLanguage { spec: spec.to_string() })
    }

    /// Finds the family of a spec and splits the spec into its parts.
    fn resolve<'a>(&self, text: &'a str) -> Result<Spec<'a>> {
        let text = self.family_named(text).map_or(text.trim(), |info| info.usual);
        let name = family_of(text);
        match self.families.iter().find(|info| info.family == name) {
            Some(info) => Spec::parse(text, info),
            None => Err(self.unknown(name)),
        }
    }

    fn unknown(&self, name: &str) -> Error {
        let nearest = nearest(name, self.families.iter().map(|info| info.family));
        let known: Vec<&str> = self.families.iter().map(|info| info.family).collect();
        Error::UnknownGame {
            name: name.to_string(),
            nearest: nearest.map(str::to_string),
            known: known.join(", "),
        }
    }
}

/// Returns the families of [`BUILT_IN`].
///
/// # Examples
/// ```
/// for family in nerode_games::registry::families() {
///     assert_eq!(nerode_games::registry::open(family.example).unwrap().spec(), family.example);
/// }
/// ```
pub const fn families() -> &'static [FamilyInfo] {
    BUILT_IN.families()
}

/// Opens a built-in game; see [`Registry::open`].
///
/// # Errors
/// Returns the same errors as [`Registry::open`].
pub fn open(spec: &str) -> Result<Arc<dyn Game>> {
    BUILT_IN.open(spec)
}

/// Opens a built-in game in a letter order; see [`Registry::open_with_order`].
///
/// # Errors
/// Returns the same errors as [`Registry::open_with_order`].
pub fn open_with_order(spec: &str, order: Option<&str>) -> Result<Arc<dyn Game>> {
    BUILT_IN.open_with_order(spec, order)
}

/// Returns the names of the letter orders of a built-in game; see [`Registry::orders`].
///
/// # Errors
/// Returns the same errors as [`Registry::open`].
///
/// # Examples
/// ```
/// assert_eq!(nerode_games::registry::orders("nim:3x7").unwrap(), ["heaps"]);
/// ```
pub fn orders(spec: &str) -> Result<Vec<String>> {
    BUILT_IN.orders(spec)
}

/// Returns the name by which [`Registry::open_with_order`] accepts the letter order with these cells in its layers.
///
/// # Examples
/// ```
/// assert_eq!(nerode_games::registry::order_of_cells(&[3, 0, 1, 2]), "cells:3,0,1,2");
/// ```
pub fn order_of_cells(cells: &[usize]) -> String {
    name_of(cells)
}
