//! Resolves the description of a game in a manifest to the game itself.

use std::path::Path;
use std::sync::Arc;

use nerode_games::{Game, Registry};

use crate::error::{Error, Result};

/// A source of games, which finds the game for which a directory was created.
///
/// A [`Registry`] provides the games that it contains. A closure can provide custom games. If there is only one game, it
/// may ignore its arguments, because the rules and the letter order are compared with the manifest afterwards.
///
/// # Examples
/// ```
/// use std::sync::Arc;
/// use nerode_solver::archive::resolver::Resolver;
/// use nerode_games::{Game, registry};
/// let game: Arc<dyn Game> = registry::open("nim:2x3")?;
/// let resolver = |_spec: &str, _order: &str| Ok(Arc::clone(&game));
/// assert_eq!(resolver.resolve("nim:2x3", "heaps")?.spec(), "nim:2x3");
/// # Ok::<(), nerode_solver::error::Error>(())
/// ```
pub trait Resolver {
    /// Returns the game with the canonical spec `spec`, in the letter order `order`.
    ///
    /// # Errors
    /// Returns an error if there is no such game.
    fn resolve(&self, spec: &str, order: &str) -> Result<Arc<dyn Game>>;

    /// Returns the game with the spec `spec` that was read from the rules `text`, in the letter order `order`. The default
    /// implementation ignores the text, and suits a source that has the game without reading it.
    ///
    /// # Errors
    /// Returns an error if the game is unknown, or if the text cannot be read.
    fn resolve_text(&self, spec: &str, _text: &str, order: &str) -> Result<Arc<dyn Game>> {
        self.resolve(spec, order)
    }
}

impl<F: Fn(&str, &str) -> Result<Arc<dyn Game>>> Resolver for F {
    fn resolve(&self, spec: &str, order: &str) -> Result<Arc<dyn Game>> {
        self(spec, order)
    }
}

impl Resolver for Registry {
    fn resolve(&self, spec: &str, order: &str) -> Result<Arc<dyn Game>> {
        Ok(self.open_with_order(spec, Some(order))?)
    }

    fn resolve_text(&self, spec: &str, text: &str, order: &str) -> Result<Arc<dyn Game>> {
        Ok(self.open_text(spec, text, Some(order))?)
    }
}

/// The description, in a manifest, of the game for which its directory was created.
#[derive(Clone, Copy, Debug)]
pub struct GameId<'a> {
    /// The canonical spec.
    pub spec: &'a str,
    /// The fingerprint of the rules.
    pub fingerprint: &'a str,
    /// The name of the letter order.
    pub order: &'a str,
    /// The text of the rules, if the game was read from one.
    pub text: Option<&'a str>,
}

impl GameId<'_> {
    /// Returns the game, which `resolver` reads from the text if there is one and otherwise finds by its spec. Its rules
    /// and letter order must agree with the manifest, whose path is `file`.
    ///
    /// # Errors
    /// Returns any error of `resolver`, or [`Error::WrongRules`].
    pub fn resolve(&self, resolver: &dyn Resolver, file: &Path) -> Result<Arc<dyn Game>> {
        let game = match self.text {
            Some(text) => resolver.resolve_text(self.spec, text, self.order)?,
            None => resolver.resolve(self.spec, self.order)?,
        };
        let wrong =
            |found: String, expected: String| Error::WrongRules { path: file.into(), found, expected };
        if game.fingerprint() != self.fingerprint {
            return Err(wrong(self.fingerprint.into(), game.fingerprint()));
        }
        if game.order() != self.order {
            let text = |order: &str| format!("{} in letter order {order}", self.fingerprint);
            return Err(wrong(text(self.order), text(game.order())));
        }
        Ok(game)
    }
}
