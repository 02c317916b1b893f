//! Printing: results as text or JSON to standard output; progress, warnings and errors to standard error.

mod amount;
mod count;
mod json;
mod options;
mod progress;
mod snippet;
mod step;
mod text;

use std::ffi::OsString;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use annotate_snippets::Level;
use anyhow::Result;
use nerode_games::escaped;
use nerode_rules::rbg::Error as RulesError;
use serde::Serialize;

use super::hints::{Beginning, Continuation, Place};
use progress::Drawn;
use text::Label;

pub(super) use amount::{bytes, counted, duration, grouped, per_byte};
pub(super) use count::Count;
pub(super) use json::{Document, Message, Said};
pub(super) use options::{Early, OutputArgs};
pub(super) use progress::Progress;
pub(super) use snippet::Remark;
pub(super) use step::ProgressLine;
pub(super) use text::{Columns, error_text, print, table};

/// The outcome of a command that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The command is done, and every check passed.
    Done,
    /// A check found a mismatch.
    Mismatch,
}

/// The destination of a command's result and of its other messages.
pub(super) struct Output {
    /// The name of the command as the user knows it, such as `solve`.
    command: String,
    json: bool,
    quiet: bool,
    verbose: u8,
    coloured: bool,
    how: progress::How,
    /// The progress line that is currently displayed.
    drawn: Drawn,
    /// The way to continue the work after an interruption.
    continuation: Mutex<Option<Continuation>>,
}

impl Output {
    pub(super) fn new(command: String, args: &OutputArgs) -> Self {
        Self {
            command,
            json: args.json,
            quiet: args.quiet,
            verbose: args.verbose,
            coloured: options::is_coloured(args.color),
            how: progress::How::of(args),
            drawn: Drawn::default(),
            continuation: Mutex::new(None),
        }
    }

    /// Prints the result, either `value` as a JSON document or the text that `text` returns, with control characters
    /// escaped. `value` is an object, and its first field is `game` if it has this field.
    pub(super) fn result<T: Serialize>(&self, value: &T, text: impl FnOnce(&T) -> String) -> Result<()> {
        if self.json {
            return self.document(value);
        }
        print(format!("{}\n", escaped(text(value).trim_end())).as_bytes())
    }

    /// Prints a part of the result as text as soon as it is known; the whole result is passed to [`Output::document`]
    /// at the end. Returns `false` if the reader has closed the pipe, so that the command can stop.
    pub(super) fn part(&self, text: impl FnOnce() -> String) -> Result<bool> {
        if self.json {
            return Ok(true);
        }
        let text = escaped(&text());
        self.drawn.above(|| text::is_read(text.as_bytes()))
    }

    /// Prints the result as a JSON document, if JSON is requested.
    pub(super) fn document<T: Serialize>(&self, value: &T) -> Result<()> {
        if !self.json {
            return Ok(());
        }
        let document = serde_json::to_string_pretty(&Document::new(Some(&self.command), value))?;
        print((document + "\n").as_bytes())
    }

    /// Prints the result like [`Output::result`], but to standard error, because standard output receives a file.
    pub(super) fn result_aside<T: Serialize>(
        &self,
        value: &T,
        text: impl FnOnce(&T) -> String,
    ) -> Result<()> {
        if !self.json && !self.quiet {
            self.drawn.above(|| text::print_aside(&escaped(&text(value))));
        }
        self.document_aside(value);
        Ok(())
    }

    /// Prints the document like [`Output::document`], but to standard error.
    pub(super) fn document_aside<T: Serialize>(&self, value: &T) {
        if self.json {
            text::print_aside(&Document::new(Some(&self.command), value).line());
        }
    }

    /// Starts a progress display. `phase` describes the following work in a word or two.
    pub(super) fn progress(&self, phase: &'static str) -> Progress {
        Progress::new(phase, &self.command, self.how, self.drawn.clone())
    }

    /// Prints a warning, about a problem that does not prevent the command from doing its work.
    pub(super) fn warn(&self, text: &str) {
        self.remark(Label::Warning, text);
    }

    /// Prints a note.
    pub(super) fn note(&self, text: &str) {
        self.remark(Label::Note, text);
    }

    /// Prints a suggestion for the next step, for a user at a terminal.
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

    /// Sets the command line that continues the work after an interruption.
    pub(super) fn continue_with(&self, command: String) {
        self.keep(Continuation::Command(command));
    }

    /// Sets the command line that continues the work after an interruption, once the command has written to `place`.
    pub(super) fn continue_in(&self, command: String, place: &Path) {
        self.keep(Continuation::Writing(command, Place::look(place)));
    }

    /// Records the state of the directory before the command writes to it, until the command sets the way to
    /// continue.
    pub(super) fn begin_with(&self, beginning: Beginning) {
        self.keep(Continuation::Begun(beginning));
    }

    fn keep(&self, continuation: Continuation) {
        *self.continuation.lock().unwrap_or_else(PoisonError::into_inner) = Some(continuation);
    }

    /// Returns the way to continue the work, if the command has set it.
    pub(super) fn continuation(&self) -> Option<Continuation> {
        self.continuation.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Prints an error with its causes and a hint.
    pub(super) fn error(&self, error: &anyhow::Error, hint: Option<&str>) {
        match snippet::about_rules(error) {
            Some(rules) if self.json => {
                let place = Some(snippet::place(rules));
                let said = Message::Error(Said::new(&rules.to_string(), rules.help(), place));
                self.drawn.above(|| text::print_aside(&Document::new(Some(&self.command), said).line()));
            }
            Some(rules) => self.snippet(rules, Level::ERROR),
            None => self.aside(Label::Error, &error_text(error), hint),
        }
    }

    /// Prints a warning about rules, with its place.
    pub(super) fn warn_of_rules(&self, rules: &RulesError) {
        if !self.quiet && !self.json {
            self.snippet(rules, Level::WARNING);
        }
    }

    /// Prints a note about rules, with its place.
    pub(super) fn note_of_rules(&self, rules: &RulesError) {
        if !self.quiet && !self.json {
            self.snippet(rules, Level::NOTE);
        }
    }

    fn snippet(&self, rules: &RulesError, level: Level<'_>) {
        self.drawn.above(|| text::print_aside(&snippet::shown(rules, level, self.coloured)));
    }

    /// Returns `true` if verbose output is requested.
    pub(super) fn is_verbose(&self) -> bool {
        self.verbose > 0
    }

    /// Returns `true` if results are printed as JSON documents.
    pub(super) fn is_json(&self) -> bool {
        self.json
    }

    /// Writes to standard error, above the progress line if one is displayed.
    fn aside(&self, label: Label, text: &str, hint: Option<&str>) {
        let said = if self.json {
            Document::new(Some(&self.command), label.message(Said::new(text, hint, None))).line()
        } else {
            let hint = hint.map_or_else(String::new, |hint| Label::Hint.line(hint, self.coloured));
            label.line(text, self.coloured) + &hint
        };
        self.drawn.above(|| text::print_aside(&said));
    }
}

/// Prints the error in the arguments, or the help text that they request, and returns the exit code. `command` is the command that they
/// name.
pub(super) fn print_usage(error: &clap::Error, early: &Early, command: Option<&str>) -> u8 {
    if early.json && error.use_stderr() {
        let (message, hint) = json::usage(error);
        let said = Message::Error(Said::new(&message, hint.as_deref(), None));
        text::print_aside(&Document::new(command, said).line());
    } else {
        let plain = error.render().to_string();
        if escaped(&plain) == plain {
            let printed = error.print().and_then(|()| std::io::stdout().flush());
            match printed {
                // A closed pipe is not an error, because its reader needs no more help.
                Err(cause) if !error.use_stderr() && cause.kind() != ErrorKind::BrokenPipe => {
                    let text = format!("cannot write to standard output: {cause}");
                    text::print_aside(&Label::Error.line(&text, false));
                    return 2;
                }
                _ => (),
            }
        } else {
            // An argument contains control characters. Colours are such characters too.
            text::print_aside(&escaped(&plain));
        }
    }
    if error.use_stderr() { 2 } else { 0 }
}

/// Returns the command that the arguments name, given the names of all commands.
pub(super) fn command_among(arguments: &[OsString], names: &[String]) -> Option<String> {
    arguments
        .iter()
        .skip(1)
        .filter_map(|word| word.to_str())
        .find_map(|word| names.iter().find(|name| *name == word).cloned())
}
