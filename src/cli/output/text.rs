//! Text for people: columns, and lines on standard error.

use std::io::Write;

use anyhow::{Context, Result};
use nerode_games::escaped;

use super::json::{Message, Said};

/// Writes to standard output.
pub(in crate::cli) fn print(bytes: &[u8]) -> Result<()> {
    // A closed pipe is not an error, because its reader needs no more output.
    is_read(bytes).map(|_| ())
}

/// Writes to standard output. Returns `false` if the reader has closed it.
pub(super) fn is_read(bytes: &[u8]) -> Result<bool> {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => Ok(false),
        other => other.map(|()| true).context("cannot write to standard output"),
    }
}

/// The kind of a line on standard error, which is printed at its beginning.
#[derive(Clone, Copy)]
pub(super) enum Label {
    Error,
    Warning,
    Hint,
    Note,
}

impl Label {
    /// Returns the name, and the ANSI number of the colour.
    fn parts(self) -> (&'static str, u8) {
        match self {
            Self::Error => ("error", 31),
            Self::Warning => ("warning", 33),
            Self::Hint => ("hint", 36),
            Self::Note => ("note", 32),
        }
    }

    /// Returns the message of this kind. A hint by itself is a note.
    pub(super) fn message(self, said: Said) -> Message {
        match self {
            Self::Error => Message::Error(said),
            Self::Warning => Message::Warning(said),
            Self::Hint | Self::Note => Message::Note(said),
        }
    }

    /// Formats a line of text with the label. Control characters, which may come from names and files, are escaped.
    pub(super) fn line(self, text: &str, coloured: bool) -> String {
        let (name, colour) = self.parts();
        let text = escaped(text);
        if coloured {
            format!("\x1b[1;{colour}m{name}\x1b[0m: {text}\n")
        } else {
            format!("{name}: {text}\n")
        }
    }
}

/// Writes to standard error in one call, so that lines of several threads are not mixed. Errors are ignored, because
/// they cannot be reported anywhere.
pub(super) fn print_aside(text: &str) {
    let mut err = std::io::stderr().lock();
    let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
}

/// Formats an error and its causes, without repetitions.
pub(in crate::cli) fn error_text(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1) {
        let cause = cause.to_string();
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// Formats rows as columns padded to equal width: the first left-aligned, the others right-aligned.
pub(in crate::cli) fn table(header: &[&str], rows: &[Vec<String>]) -> String {
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

/// The columns of a table whose rows are printed one by one, before the next row is known. Each has a title and a
/// width. The first column is left-aligned, the others are right-aligned. A last column of width 0 takes as much
/// space as it needs.
pub(in crate::cli) struct Columns<const N: usize>(pub(in crate::cli) [(&'static str, usize); N]);

impl<const N: usize> Columns<N> {
    /// Formats the line of titles.
    pub(in crate::cli) fn header(&self) -> String {
        self.row(&self.0.map(|(title, _)| title.to_string()))
    }

    /// Formats a row as one line.
    pub(in crate::cli) fn row(&self, cells: &[String; N]) -> String {
        let padded = cells.iter().zip(self.0).enumerate().map(|(at, (cell, (_, width)))| match at {
            0 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        padded.collect::<Vec<_>>().join("  ").trim_end().to_string() + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let text = table(&["a", "n"], &[vec!["xyz".into(), "1".into()], vec!["x".into(), "22".into()]]);
        assert_eq!(text, "a     n\nxyz   1\nx    22\n");
    }

    #[test]
    fn rows_line_up_one_by_one() {
        let columns = Columns([("name", 6), ("n", 4), ("note", 0)]);
        let row = |cells: [&str; 3]| columns.row(&cells.map(String::from));
        assert_eq!(columns.header(), "name       n  note\n");
        assert_eq!(row(["x", "22", "of two"]), "x         22  of two\n");
        assert_eq!(row(["x", "-", ""]), "x          -\n");
        assert_eq!(row(["a long one", "1", ""]), "a long one     1\n", "what is too long stays whole");
    }
}
