//! JSON documents: one object on standard output for a result, and one object per line of standard error for
//! everything else.

use std::collections::BTreeMap;

use clap::error::ErrorKind;
use serde::Serialize;

/// The version of the documents, which increases when a field is removed or changes its meaning, but not when one is
/// added.
const SCHEMA_VERSION: u32 = 1;

/// The common header of all documents, followed by the output of the command.
#[derive(Serialize)]
pub(super) struct Document<'a, T: Serialize> {
    schema_version: u32,
    /// `None` if the arguments do not name a command.
    command: Option<&'a str>,
    #[serde(flatten)]
    body: T,
}

impl<'a, T: Serialize> Document<'a, T> {
    pub(super) fn new(command: Option<&'a str>, body: T) -> Self {
        Self { schema_version: SCHEMA_VERSION, command, body }
    }

    /// Formats the document on one line, for standard error.
    pub(super) fn line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }
}

/// Creates a document with a message of the kind `error`, `warning` or `note`.
pub(super) fn said(name: &'static str, message: &str, hint: Option<&str>) -> impl Serialize {
    BTreeMap::from([(name, Said::<()>::new(message, hint, None))])
}

/// Creates a document for an error at a place in a file.
pub(super) fn said_of<P: Serialize>(message: &str, hint: Option<&str>, place: P) -> impl Serialize + use<P> {
    BTreeMap::from([("error", Said::new(message, hint, Some(place)))])
}

#[derive(Serialize)]
struct Said<P> {
    message: String,
    hint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<P>,
}

impl<P> Said<P> {
    fn new(message: &str, hint: Option<&str>, place: Option<P>) -> Self {
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
