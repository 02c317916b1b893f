//! Errors that carry their own hint.

use std::fmt;

/// An error message together with a separate hint.
#[derive(Debug)]
pub(super) struct Advised {
    message: String,
    hint: String,
}

impl fmt::Display for Advised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Advised {}

/// Creates an error with the text `message` and the hint `hint`.
pub(in crate::cli) fn advised(message: impl Into<String>, hint: impl Into<String>) -> anyhow::Error {
    anyhow::Error::new(Advised { message: message.into(), hint: hint.into() })
}

impl Advised {
    /// Returns the hint.
    pub(super) fn hint(&self) -> &str {
        &self.hint
    }
}

pub(super) fn say(text: impl Into<String>) -> Option<String> {
    Some(text.into())
}
