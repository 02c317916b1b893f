//! From what a manifest says of a game to the game itself.

use std::path::Path;
use std::sync::Arc;

use nerode_games::rbg::open_text;
use nerode_games::{Game, registry};

use crate::error::{Error, Result};

/// Finds the game that a directory was made for.
///
/// [`Registry`] knows the games of this library. A closure can stand for games of one's own; it may ignore what it is told
/// when there is only one game, because the rules and the letter order are compared with the manifest afterwards.
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
    /// The game with the canonical spec `spec`, in the letter order `order`.
    ///
    /// # Errors
    /// When there is no such game.
    fn resolve(&self, spec: &str, order: &str) -> Result<Arc<dyn Game>>;
}

impl<F: Fn(&str, &str) -> Result<Arc<dyn Game>>> Resolver for F {
    fn resolve(&self, spec: &str, order: &str) -> Result<Arc<dyn Game>> {
        self(spec, order)
    }
}

/// The games of [`nerode_games::registry`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Registry;

impl Resolver for Registry {
    fn resolve(&self, spec: &str, order: &str) -> Result<Arc<dyn Game>> {
        Ok(registry::open_with_order(spec, Some(order))?)
    }
}

/// What a manifest says of the game that its directory was made for.
#[derive(Clone, Copy, Debug)]
pub struct GameId<'a> {
    /// The canonical spec.
    pub spec: &'a str,
    /// The fingerprint of the rules.
    pub fingerprint: &'a str,
    /// The name of the letter order.
    pub order: &'a str,
    /// The text of the rules, where the game was read from one.
    pub text: Option<&'a str>,
}

impl GameId<'_> {
    /// The game: that of the text, if there is one, or what `resolver` finds. It must have the same rules and the same
    /// letter order; `file` is the manifest.
    ///
    /// # Errors
    /// What `resolver` returns; [`Error::WrongRules`].
    pub fn resolve(&self, resolver: &dyn Resolver, file: &Path) -> Result<Arc<dyn Game>> {
        let game = match self.text {
            Some(text) => open_text(self.spec, text, Some(self.order))?,
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
