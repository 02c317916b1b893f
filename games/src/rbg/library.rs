//! Games that come with the program, as texts of rules.

/// A game that comes with the program.
#[derive(Clone, Copy, Debug)]
pub struct Bundled {
    /// The name, without the `rbg:` before it.
    pub name: &'static str,
    /// The text of the rules.
    pub text: &'static str,
}

macro_rules! bundled {
    ($($name:literal),* $(,)?) => {
        [$(Bundled { name: $name, text: include_str!(concat!("games/", $name, ".rbg")) }),*]
    };
}

static BUNDLED: [Bundled; 15] = bundled![
    "tictactoe",
    "connectfour",
    "breakthrough",
    "knightthrough",
    "clobber",
    "amazons",
    "reversi",
    "hex",
    "dodgem",
    "foxandhounds",
    "laukatakati",
    "pretwa",
    "dashguti",
    "alquerque",
    "draughts",
];

/// Every game that comes with the program.
///
/// # Examples
/// ```
/// use nerode_games::rbg::{bundled, read};
/// for game in bundled() {
///     assert!(read(game.name, game.text).is_ok());
/// }
/// ```
#[must_use]
pub fn bundled() -> &'static [Bundled] {
    &BUNDLED
}
