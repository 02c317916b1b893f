//! Printing: results as text or JSON to standard output; progress, warnings and errors to standard error.

mod json;
mod options;
mod progress;
mod snippet;
mod step;
mod text;

use std::ffi::OsString;
use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};

use annotate_snippets::Level;
use anyhow::Result;
use nerode_games::rbg::Error as RulesError;
use serde::Serialize;

use super::hints::{Beginning, Continuation};
use json::Document;
use progress::Drawn;
use text::Label;

pub(super) use options::{Early, OutputArgs};
pub(super) use progress::Progress;
pub(super) use snippet::Remark;
pub(super) use text::{Columns, counted, grouped, print, table};

/// How a command that did not fail ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Done, and every check passed.
    Done,
    /// A check found a mismatch.
    Mismatch,
}

/// Where a command's result goes, and whatever else it has to say.
pub(super) struct Output {
    /// As the user knows it, such as `solve`.
    command: String,
    json: bool,
    quiet: bool,
    #[cfg(feature = "serve")]
    verbose: u8,
    coloured: bool,
    how: progress::How,
    /// The line of progress that is drawn just now.
    drawn: Drawn,
    /// What goes on with the work when it is stopped.
    continuation: Mutex<Option<Continuation>>,
}

impl Output {
    pub(super) fn new(command: String, args: &OutputArgs) -> Self {
        Self {
            command,
            json: args.json,
            quiet: args.quiet,
            #[cfg(feature = "serve")]
            verbose: args.verbose,
            coloured: options::is_coloured(args.color),
            how: progress::How::of(args),
            drawn: Drawn::default(),
            continuation: Mutex::new(None),
        }
    }

    /// Prints the result: `value` as a JSON document, or what `text` makes of it. `value` is an object, and its first field is
    /// `game` where there is one.
    pub(super) fn result<T: Serialize>(&self, value: &T, text: impl FnOnce(&T) -> String) -> Result<()> {
        if self.json {
            return self.document(value);
        }
        print(format!("{}\n", text(value).trim_end()).as_bytes())
    }

    /// Prints a part of the result as text, once it is known; the whole goes to [`Output::document`] in the end. Whether to go on:
    /// a reader that closed the pipe has seen what it wanted.
    pub(super) fn part(&self, text: impl FnOnce() -> String) -> Result<bool> {
        if self.json {
            return Ok(true);
        }
        let text = text();
        self.drawn.above(|| text::is_read(text.as_bytes()))
    }

    /// Prints the result as a JSON document, where that is asked for.
    pub(super) fn document<T: Serialize>(&self, value: &T) -> Result<()> {
        if !self.json {
            return Ok(());
        }
        let document = serde_json::to_string_pretty(&Document::new(Some(&self.command), value))?;
        print((document + "\n").as_bytes())
    }

    /// As [`Output::result`], to standard error: where standard output holds a file.
    pub(super) fn result_aside<T: Serialize>(
        &self,
        value: &T,
        text: impl FnOnce(&T) -> String,
    ) -> Result<()> {
        if !self.json && !self.quiet {
            self.drawn.above(|| text::print_aside(&text(value)));
        }
        self.document_aside(value);
        Ok(())
    }

    /// As [`Output::document`], to standard error.
    pub(super) fn document_aside<T: Serialize>(&self, value: &T) {
        if self.json {
            text::print_aside(&Document::new(Some(&self.command), value).line());
        }
    }

    /// A display of the work that follows; `phase` says what that is, in a word or two.
    pub(super) fn progress(&self, phase: &'static str) -> Progress {
        Progress::new(phase, &self.command, self.how, self.drawn.clone())
    }

    /// Prints what does not keep a command from doing its work.
    pub(super) fn warn(&self, text: &str) {
        self.remark(Label::Warning, text);
    }

    /// Prints what is good to know.
    pub(super) fn note(&self, text: &str) {
        self.remark(Label::Note, text);
    }

    /// Prints what may be done next, for a person at a terminal.
    pub(super) fn next_step(&self, text: &str) {
        if std::io::stderr().is_terminal() {
            self.note(text);
        }
    }

    fn remark(&self, label: Label, text: &str) {
        if !self.quiet {
            self.aside(label, text, None);
        }
    }

    /// Keeps the command line that goes on with the work from where it is stopped, for whoever stops it.
    pub(super) fn continue_with(&self, command: String) {
        self.keep(Continuation::Command(command));
    }

    /// Keeps what was in the directory that the command is to write, until it names what goes on with the work.
    pub(super) fn begin_with(&self, beginning: Beginning) {
        self.keep(Continuation::Begun(beginning));
    }

    fn keep(&self, continuation: Continuation) {
        *self.continuation.lock().unwrap_or_else(PoisonError::into_inner) = Some(continuation);
    }

    /// What goes on with the work, where the command has named it.
    pub(super) fn continuation(&self) -> Option<Continuation> {
        self.continuation.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Prints an error and what caused it, and what helps.
    pub(super) fn error(&self, error: &anyhow::Error, hint: Option<&str>) {
        match snippet::about_rules(error) {
            Some(rules) if self.json => {
                let said = json::said_of(&rules.to_string(), rules.help(), snippet::place(rules));
                self.drawn.above(|| text::print_aside(&Document::new(Some(&self.command), said).line()));
            }
            Some(rules) => self.snippet(rules, Level::ERROR),
            None => self.aside(Label::Error, &text::error_text(error), hint),
        }
    }

    /// Prints what is odd about rules, with its place.
    pub(super) fn warn_of_rules(&self, rules: &RulesError) {
        if !self.quiet && !self.json {
            self.snippet(rules, Level::WARNING);
        }
    }

    /// Prints what is good to know about rules, with its place.
    pub(super) fn note_of_rules(&self, rules: &RulesError) {
        if !self.quiet && !self.json {
            self.snippet(rules, Level::NOTE);
        }
    }

    fn snippet(&self, rules: &RulesError, level: Level<'_>) {
        self.drawn.above(|| text::print_aside(&snippet::shown(rules, level, self.coloured)));
    }

    /// Whether much is to be told.
    #[cfg(feature = "serve")]
    pub(super) fn is_verbose(&self) -> bool {
        self.verbose > 0
    }

    /// Whether results are JSON documents.
    pub(super) fn is_json(&self) -> bool {
        self.json
    }

    /// Writes to standard error, above a line of progress that is drawn.
    fn aside(&self, label: Label, text: &str, hint: Option<&str>) {
        let said = if self.json {
            Document::new(Some(&self.command), json::said(label.name(), text, hint)).line()
        } else {
            let hint = hint.map_or_else(String::new, |hint| Label::Hint.line(hint, self.coloured));
            label.line(text, self.coloured) + &hint
        };
        self.drawn.above(|| text::print_aside(&said));
    }
}

/// Prints what is wrong with the arguments, or the help text that they ask for. `command`: the one that they name.
pub(super) fn print_usage(error: &clap::Error, early: &Early, command: Option<&str>) {
    if early.json && error.use_stderr() {
        let (message, hint) = json::usage(error);
        let said = json::said(Label::Error.name(), &message, hint.as_deref());
        text::print_aside(&Document::new(command, said).line());
    } else {
        // A reader that has seen enough, or nobody left to tell.
        let _ = error.print();
    }
}

/// The command among the arguments, by the names that there are.
pub(super) fn command_among(arguments: &[OsString], names: &[String]) -> Option<String> {
    arguments
        .iter()
        .skip(1)
        .filter_map(|word| word.to_str())
        .find_map(|word| names.iter().find(|name| *name == word).cloned())
}
