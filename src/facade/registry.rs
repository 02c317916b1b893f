//! The games that the library opens by name: built-in families, and languages of rules.

use std::sync::Arc;

use nerode_games::registry::{Language, families};
use nerode_games::{Game, Registry, Result};
use nerode_rules::rbg;

use super::interpreted::{ORDER, interpreted};

/// The language of files. Solutions of rules that cannot be compiled name the letter order of interpreted games.
const RULES: Language = Language { open_text, ..rbg::LANGUAGE };

fn open_text(spec: &str, text: &str, order: Option<&str>) -> Result<Arc<dyn Game>> {
    if order == Some(ORDER)
        && let Some(game) = interpreted(spec, &rbg::read(spec, text)?)?
    {
        return Ok(game);
    }
    rbg::open_text(spec, text, order)
}

/// Returns the registry with all built-in games and all languages of rules.
///
/// # Examples
/// ```
/// assert_eq!(nerode::registry().open("rbg:hex")?.spec(), "rbg:hex");
/// assert!(nerode::registry().families().iter().any(|info| info.family == "breakthrough"));
/// # Ok::<(), nerode::games::Error>(())
/// ```
#[must_use]
pub fn registry() -> &'static Registry {
    static REGISTRY: Registry = Registry::new(families(), &[RULES]);
    &REGISTRY
}
