//! JSON documents: one object on standard output for a result, one on a line of standard error for anything else.

use std::collections::BTreeMap;

use clap::error::ErrorKind;
use serde::Serialize;

/// Version of the documents. It grows when a field goes away or changes its meaning, not when one is added.
const SCHEMA_VERSION: u32 = 1;

/// What every document begins with, and what the command has to say.
#[derive(Serialize)]
pub(super) struct Document<'a, T: Serialize> {
    schema_version: u32,
    /// `None` where the arguments name no command.
    command: Option<&'a str>,
    #[serde(flatten)]
    body: T,
}

impl<'a, T: Serialize> Document<'a, T> {
    pub(super) fn new(command: Option<&'a str>, body: T) -> Self {
        Self { schema_version: SCHEMA_VERSION, command, body }
    }

    /// On one line, for standard error.
    pub(super) fn line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }
}

/// A message under its name: `error`, `warning`, `note`.
pub(super) fn said(name: &'static str, message: &str, hint: Option<&str>) -> impl Serialize {
    BTreeMap::from([(name, Said::<()>::new(message, hint, None))])
}

/// An error at a place of a file.
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

/// What is wrong with the arguments, and what would be right, in one sentence each.
pub(super) fn usage(error: &clap::Error) -> (String, Option<String>) {
    let text = error.render().to_string();
    let blocks: Vec<String> = text.split("\n\n").map(one_line).filter(|block| !block.is_empty()).collect();
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return ("a command is needed".into(), Some("'nerode --help' lists the commands".into()));
    }
    let message =
        blocks.first().map_or("the arguments are wrong", |block| block.trim_start_matches("error: "));
    let tips = blocks.iter().skip(1).filter(|block| !block.starts_with("For more information"));
    let hint = tips.map(|tip| tip.trim_start_matches("tip: ")).collect::<Vec<_>>().join("; ");
    (message.to_string(), Some(hint).filter(|hint| !hint.is_empty()))
}

fn one_line(block: &str) -> String {
    block.split_whitespace().collect::<Vec<_>>().join(" ")
}
