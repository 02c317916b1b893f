//! Printing: text or JSON to standard output, progress and errors to standard error.

use std::io::{IsTerminal, Write};

use anyhow::{Context, Result};
use indicatif::{HumanBytes, ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::solve::progress::PlyDone;

/// How a command that did not fail ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Done, and every check passed.
    Done,
    /// A check found a mismatch.
    Mismatch,
}

/// Where a command's result goes.
pub(super) struct Output {
    json: bool,
}

impl Output {
    pub(super) fn new(json: bool) -> Self {
        Self { json }
    }

    /// Prints the result: `value` as JSON, or what `text` makes of it.
    pub(super) fn result<T: Serialize>(&self, value: &T, text: impl FnOnce(&T) -> String) -> Result<()> {
        let text = if self.json { serde_json::to_string_pretty(value)? } else { text(value) };
        print(format!("{}\n", text.trim_end()).as_bytes())
    }
}

/// Writes to standard output.
pub(super) fn print(bytes: &[u8]) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        // A reader that closed the pipe has seen what it wanted.
        Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => other.context("cannot write to standard output"),
    }
}

/// Prints an error and what caused it, each cause once, and what helps.
pub(super) fn print_error(error: &anyhow::Error, hint: Option<String>) {
    let mut text = error.to_string();
    for cause in error.chain().skip(1) {
        let cause = cause.to_string();
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    // There is nobody left to tell when standard error does not take it either.
    let _ = writeln!(std::io::stderr(), "error: {text}");
    if let Some(hint) = hint {
        let _ = writeln!(std::io::stderr(), "hint: {hint}");
    }
}

/// Prints what does not keep a command from doing its work.
pub(super) fn warn(text: &str) {
    let _ = writeln!(std::io::stderr(), "warning: {text}");
}

/// A progress line on standard error, drawn when that is a terminal.
pub(super) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A spinner for work whose end is not known.
    pub(super) fn spinner() -> Self {
        let bar =
            if std::io::stderr().is_terminal() { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed_precise} {msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(std::time::Duration::from_millis(120));
        Self { bar }
    }

    /// A bar for work counted in steps.
    pub(super) fn bar(what: &str) -> Self {
        let bar = if std::io::stderr().is_terminal() { ProgressBar::new(0) } else { ProgressBar::hidden() };
        if let Ok(style) =
            ProgressStyle::with_template("{msg} {elapsed_precise} {wide_bar} {percent}% ETA {eta}")
        {
            bar.set_style(style);
        }
        bar.set_message(what.to_string());
        Self { bar }
    }

    /// Shows that `done` of `total` steps are done.
    pub(super) fn steps(&self, done: u64, total: u64) {
        self.bar.set_length(total);
        self.bar.set_position(done);
    }

    /// Shows a finished ply.
    pub(super) fn ply(&self, done: &PlyDone) {
        self.message(format!(
            "{} ply {}: {} states, {} positions, {}",
            done.phase,
            done.ply,
            grouped(u128::from(done.states)),
            grouped(done.positions),
            HumanBytes(done.bytes)
        ));
    }

    /// Shows a line.
    pub(super) fn message(&self, text: String) {
        self.bar.set_message(text);
    }

    /// Removes the line.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.finish();
    }
}

/// Decimal digits in groups of three, separated by spaces.
pub(super) fn grouped(n: u128) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(' ');
        }
        out.push(c);
    }
    out
}

/// Rows as columns padded to equal width: the first left-aligned, the others right-aligned.
pub(super) fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    let mut widths: Vec<usize> = header.iter().map(|h| h.chars().count()).collect();
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut out = String::new();
    let header: Vec<String> = header.iter().map(|h| (*h).to_string()).collect();
    for row in std::iter::once(&header).chain(rows) {
        for (i, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            let pad = " ".repeat(width - cell.chars().count());
            let gap = if i == 0 { "" } else { "  " };
            out += &if i == 0 { format!("{gap}{cell}{pad}") } else { format!("{gap}{pad}{cell}") };
        }
        out.truncate(out.trim_end_matches(' ').len());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_from_the_right() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_234_567), "1 234 567");
    }

    #[test]
    fn columns_line_up() {
        let text = table(&["a", "n"], &[vec!["xyz".into(), "1".into()], vec!["x".into(), "22".into()]]);
        assert_eq!(text, "a     n\nxyz   1\nx    22\n");
    }
}
