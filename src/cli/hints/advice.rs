//! Errors that carry their own hint.

use std::fmt;

/// What went wrong, and apart from it what helps.
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

/// An error that says `message`, with `hint` as what helps.
pub(in crate::cli) fn advised(message: impl Into<String>, hint: impl Into<String>) -> anyhow::Error {
    anyhow::Error::new(Advised { message: message.into(), hint: hint.into() })
}

impl Advised {
    /// What helps.
    pub(super) fn hint(&self) -> &str {
        &self.hint
    }
}

pub(super) fn say(text: impl Into<String>) -> Option<String> {
    Some(text.into())
}
