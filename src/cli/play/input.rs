//! The lines that the user types: edited, with a history, on a terminal, and read as they are otherwise.

use std::io::{BufRead, IsTerminal, StdinLock};

use anyhow::{Context, Result};
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

use crate::cli::interrupt::{receive_key, remember_terminal, waiting};
use crate::cli::output::Output;
use nerode_solver::error::Error;

/// The source of the lines.
pub(super) enum Input {
    /// A terminal, whose lines can be edited. The arrow keys recall earlier lines.
    Edited(Box<DefaultEditor>),
    /// A file or a pipe.
    Plain(StdinLock<'static>),
}

impl Input {
    /// Opens standard input. Without an editor, for example because the terminal has no cursor, lines are read as they are.
    pub(super) fn open(out: &Output) -> Self {
        let is_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        if is_terminal {
            remember_terminal();
        }
        let editor = if is_terminal && !out.is_json() { DefaultEditor::new().ok() } else { None };
        editor.map_or_else(|| Self::Plain(std::io::stdin().lock()), |editor| Self::Edited(Box::new(editor)))
    }

    /// Returns `true` if a user at a terminal types the lines.
    pub(super) fn is_typed(&self) -> bool {
        matches!(self, Self::Edited(_))
    }

    /// Returns the next line, or `None` at the end of the input. A terminal shows `prompt` before the line.
    ///
    /// # Errors
    /// Returns an error if the input cannot be read, or [`Error::Interrupted`] after Ctrl-C.
    pub(super) fn next(&mut self, prompt: &str) -> Result<Option<String>> {
        let what = "cannot read standard input";
        match self {
            Self::Edited(editor) => match waiting(|| editor.readline(prompt)) {
                Ok(line) => {
                    // A line that is not kept can be typed again.
                    let _ = editor.add_history_entry(&line);
                    Ok(Some(line))
                }
                Err(ReadlineError::Eof) => Ok(None),
                Err(ReadlineError::Interrupted) => {
                    receive_key();
                    Err(Error::Interrupted.into())
                }
                Err(error) => Err(error).context(what),
            },
            Self::Plain(input) => {
                let mut line = String::new();
                let read = waiting(|| input.read_line(&mut line)).context(what)?;
                Ok((read > 0).then_some(line))
            }
        }
    }
}
