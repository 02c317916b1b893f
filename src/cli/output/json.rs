//! JSON documents: one object on standard output for a result, and one object per line of standard error for
//! everything else.

use clap::error::ErrorKind;
use schemars::JsonSchema;
use serde::Serialize;

use super::snippet::Place;

/// The version of the documents, which increases when a field is removed or changes its meaning, but not when one is
/// added.
const SCHEMA_VERSION: u32 = 1;

/// The common header of all documents, followed by the output of the command.
#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct Document<'a, T: Serialize> {
    /// The version of the documents. It increases when a field is removed or changes its meaning, but not when one is
    /// added.
    #[schemars(extend("const" = SCHEMA_VERSION))]
    schema_version: u32,
    /// The command that printed the document, or null if the arguments do not name a command.
    command: Option<&'a str>,
    #[serde(flatten)]
    body: T,
}

impl<'a, T: Serialize> Document<'a, T> {
    pub(in crate::cli) fn new(command: Option<&'a str>, body: T) -> Self {
        Self { schema_version: SCHEMA_VERSION, command, body }
    }

    /// Formats the document on one line, for standard error.
    pub(super) fn line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }
}

/// A message on standard error. An error ends the command; a warning or a note does not.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::cli) enum Message {
    /// An error.
    Error(Said),
    /// A warning, about a problem that does not prevent the command from doing its work.
    Warning(Said),
    /// A note.
    Note(Said),
}

/// The text of a message.
#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct Said {
    /// What happened.
    message: String,
    /// How to fix it, or null without a suggestion.
    hint: Option<String>,
    /// The place of an error in a file of rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<Place>,
}

impl Said {
    /// Creates a message without a hint or a place.
    #[cfg(feature = "serve")]
    pub(in crate::cli) fn plain(message: String) -> Self {
        Self { message, hint: None, place: None }
    }

    pub(super) fn new(message: &str, hint: Option<&str>, place: Option<Place>) -> Self {
        Self { message: message.into(), hint: hint.map(str::to_string), place }
    }
}

/// Describes the error in the arguments, and the correct usage, in one sentence each.
pub(super) fn usage(error: &clap::Error) -> (String, Option<String>) {
    let text = error.render().to_string();
    let blocks: Vec<String> = text.split("\n\n").map(one_line).filter(|block| !block.is_empty()).collect();
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return ("a command is required".into(), Some("'nerode --help' lists the commands".into()));
    }
    let message = blocks.first().map_or("invalid arguments", |block| block.trim_start_matches("error: "));
    let tips = blocks.iter().skip(1).filter(|block| !block.starts_with("For more information"));
    let hint = tips.map(|tip| tip.trim_start_matches("tip: ")).collect::<Vec<_>>().join("; ");
    (message.to_string(), Some(hint).filter(|hint| !hint.is_empty()))
}

fn one_line(block: &str) -> String {
    block.split_whitespace().collect::<Vec<_>>().join(" ")
}
