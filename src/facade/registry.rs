//! The games that the library opens by name: built-in families, and languages of rules.

use nerode_games::Registry;
use nerode_games::registry::families;
use nerode_rules::rbg;

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
    static REGISTRY: Registry = Registry::new(families(), &[rbg::LANGUAGE]);
    &REGISTRY
}
