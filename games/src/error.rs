//! Errors of names, positions and moves, each with what would have been accepted.

/// Result of reading a name or a position.
pub type Result<T> = std::result::Result<T, Error>;

/// A game, position or move that cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No family of that name.
    #[error("unknown game '{name}'{}", meant(.nearest.as_deref(), .known))]
    UnknownGame {
        /// What was asked for.
        name: String,
        /// A name of the registry that is near enough to be meant.
        nearest: Option<String>,
        /// All names.
        known: String,
    },
    /// Parameters that the family does not take.
    #[error("'{spec}': {reason}")]
    Spec {
        /// What was asked for.
        spec: String,
        /// What is wrong with it.
        reason: String,
        /// Form accepted by the family.
        form: String,
        /// A spec that works.
        example: String,
    },
    /// A game of another family than the one that has sectors.
    #[error("'{spec}' has no sectors: only games of the family morris have")]
    NoSectors {
        /// What was asked for.
        spec: String,
    },
    /// No letter order of that name.
    #[error("unknown letter order '{name}'; this game has: {known}; any other is given as cells:C,C,...")]
    UnknownOrder {
        /// What was asked for.
        name: String,
        /// Orders of the game.
        known: String,
    },
    /// A list of cells that is no letter order.
    #[error(
        "letter order '{name}': {reason}; accepted form: cells: and the cells 0 to {last}, each once, ',' between them"
    )]
    Order {
        /// What was asked for.
        name: String,
        /// What is wrong with it.
        reason: String,
        /// Number of the last cell.
        last: usize,
    },
    /// A position that is not one.
    #[error("position '{text}': {reason}")]
    Position {
        /// What was given.
        text: String,
        /// What is wrong with it, and where.
        reason: String,
        /// A position of the game that is read.
        example: String,
    },
    /// A position that no game comes to.
    #[error("illegal position '{text}': {reason}")]
    Illegal {
        /// The position, as the game prints it.
        text: String,
        /// Why no game comes to it.
        reason: String,
    },
    /// A move that is not one.
    #[error("move '{text}': {reason}")]
    Move {
        /// What was given.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Rules of a text that are wrong, or that are not supported.
    #[error(transparent)]
    Rules(Box<crate::rbg::Error>),
    /// The automata engine failed.
    #[error(transparent)]
    Dfa(#[from] nerode_dfa::Error),
}

/// The family that may be meant, or all that there are.
fn meant(nearest: Option<&str>, known: &str) -> String {
    nearest.map_or_else(
        || format!("; known families: {known}"),
        |nearest| format!("; did you mean '{nearest}'?"),
    )
}

/// A question for the user, if there is something to ask.
pub(crate) fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |nearest| format!("did you mean '{nearest}'? "))
}
