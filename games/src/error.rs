//! Errors in names, positions and moves. Each of them states what would have been accepted.

/// The result of reading a name or a position.
pub type Result<T> = std::result::Result<T, Error>;

/// An error in a game, a position or a move.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No family has this name.
    #[error("unknown game '{name}'{}", meant(.nearest.as_deref(), .known))]
    UnknownGame {
        /// The requested name.
        name: String,
        /// A similar name in the registry, which may be the intended one.
        nearest: Option<String>,
        /// All valid names.
        known: String,
    },
    /// The family does not accept these parameters.
    #[error("'{spec}': {reason}")]
    Spec {
        /// The requested spec.
        spec: String,
        /// The reason for the rejection.
        reason: String,
        /// The form that the family accepts.
        form: String,
        /// A valid spec.
        example: String,
    },
    /// The game belongs to a family without sectors.
    #[error("'{spec}' has no sectors: only morris games have sectors")]
    NoSectors {
        /// The requested spec.
        spec: String,
    },
    /// The game does not have a letter order with this name.
    #[error("unknown letter order '{name}'; this game has: {known}; write any other as cells:C,C,...")]
    UnknownOrder {
        /// The requested name.
        name: String,
        /// The letter orders of the game.
        known: String,
    },
    /// The list of cells is not a letter order.
    #[error(
        "letter order '{name}': {reason}; accepted form: cells: followed by the cells 0 to {last}, each once, \
         separated by ','"
    )]
    Order {
        /// The requested name.
        name: String,
        /// The reason for the rejection.
        reason: String,
        /// The number of the last cell.
        last: usize,
    },
    /// The text is not a position.
    #[error("position '{text}': {reason}")]
    Position {
        /// The given text.
        text: String,
        /// The reason for the rejection, and where in the text it applies.
        reason: String,
        /// A valid position of the game.
        example: String,
    },
    /// The position cannot occur in play.
    #[error("illegal position '{text}': {reason}")]
    Illegal {
        /// The position, as printed by the game.
        text: String,
        /// The reason why it cannot occur in play.
        reason: String,
    },
    /// The text is not a legal move.
    #[error("move '{text}': {reason}")]
    Move {
        /// The given text.
        text: String,
        /// The reason for the rejection.
        reason: String,
    },
    /// The text of the rules is invalid, or it uses unsupported features. The error of the language says where.
    #[error(transparent)]
    Rules(Box<dyn std::error::Error + Send + Sync>),
    /// The registry reads no language in which rules are written.
    #[error("'{spec}' is a game whose rules are a text, which this program does not read")]
    NoLanguage {
        /// The spec of the game.
        spec: String,
    },
    /// The automata engine returned an error.
    #[error(transparent)]
    Dfa(#[from] nerode_dfa::Error),
}

impl Error {
    /// Returns `true` if an operation on automata was interrupted.
    pub fn is_interruption(&self) -> bool {
        matches!(self, Self::Dfa(error) if error.is_interruption())
    }
}

/// Formats the suggested family, or all families if nothing similar is known.
fn meant(nearest: Option<&str>, known: &str) -> String {
    nearest.map_or_else(
        || format!("; known families: {known}"),
        |nearest| format!("; did you mean '{nearest}'?"),
    )
}

/// Formats a question to the user, or returns an empty text without a suggestion.
pub(crate) fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |nearest| format!("did you mean '{nearest}'? "))
}
