//! The games bundled with the program, as rules texts.

/// A game bundled with the program.
#[derive(Clone, Copy, Debug)]
pub struct Bundled {
    /// The name, without the prefix `rbg:`.
    pub name: &'static str,
    /// The rules text.
    pub text: &'static str,
}

macro_rules! bundled {
    ($($name:literal),* $(,)?) => {
        [$(Bundled { name: $name, text: include_str!(concat!("games/", $name, ".rbg")) }),*]
    };
}

static BUNDLED: [Bundled; 21] = bundled![
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
    "hexapawn",
    "mutorere",
    "domineering",
    "konane",
    "tapatan",
    "kalah",
];

/// Returns all bundled games.
///
/// # Examples
/// ```
/// use nerode_rules::rbg::{bundled, read};
/// for game in bundled() {
///     assert!(read(game.name, game.text).is_ok());
/// }
/// ```
#[must_use]
pub fn bundled() -> &'static [Bundled] {
    &BUNDLED
}
