//! What is wrong with a file of rules, and where: data that a program can underline.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// Result of reading or playing rules of a file.
pub type Result<T> = std::result::Result<T, Error>;

/// A file of rules: its name, for messages, and its text.
#[derive(Debug)]
pub struct File {
    /// The name, such as a path.
    pub name: String,
    /// The whole text.
    pub text: String,
}

impl File {
    /// Line and column of a byte, both from 1; columns count characters.
    #[must_use]
    pub fn line_and_column(&self, byte: usize) -> (usize, usize) {
        let mut end = byte.min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &self.text[..end];
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
    }
}

/// Bytes of a file, from `start` up to `end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

/// Where a part of the rules stands in the file. Any two are equal, so that rules are equal when they say the same.
#[derive(Clone, Copy, Debug, Default)]
pub struct At {
    /// The bytes.
    pub(super) span: Span,
    /// The use of a macro that brought them here, as an index of [`Origin`]; `None` outside macros.
    pub(super) used: Option<u32>,
}

impl PartialEq for At {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl At {
    /// From the beginning of this to the end of `last`, where both come from the same use of a macro.
    pub(super) fn to(self, last: Self) -> Self {
        let same = self.used == last.used && self.span.start <= last.span.end;
        let end = if same { last.span.end } else { self.span.end };
        Self { span: Span { start: self.span.start, end }, used: self.used }
    }
}

/// A use of a macro.
#[derive(Clone, Debug)]
pub(super) struct Use {
    /// Name of the macro.
    pub(super) name: Arc<str>,
    /// Where it is used.
    pub(super) at: At,
}

/// Where names are declared, and where sections begin.
#[derive(Debug, Default)]
pub(super) struct Places {
    pub(super) names: HashMap<Arc<str>, At>,
    pub(super) players: At,
    pub(super) board: At,
    pub(super) rules: At,
}

/// Where squares are drawn, as comments of a file say it.
#[derive(Clone, Debug, Default)]
pub(super) struct Drawing {
    /// For each square how far to the right and how far up.
    pub(super) points: Option<Vec<(usize, usize)>>,
    /// Why there are none, although a comment speaks of them.
    pub(super) odd: Option<Fault>,
}

/// Where the rules come from, and what a file says beside them. Any two are equal.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    pub(super) file: Arc<File>,
    pub(super) uses: Arc<Vec<Use>>,
    pub(super) places: Arc<Places>,
    pub(super) drawing: Arc<Drawing>,
}

impl PartialEq for Origin {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Origin {
    /// The fault with the file that it is in.
    pub(super) fn error(&self, fault: Fault) -> Error {
        let mut uses = Vec::new();
        let mut next = fault.at.used;
        while let Some(used) = next.and_then(|index| self.uses.get(index as usize)) {
            uses.push((used.name.to_string(), used.at.span));
            next = used.at.used;
        }
        Error(Box::new(Inner { file: Arc::clone(&self.file), fault, uses }))
    }
}

/// What is wrong, without the file.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub(super) at: At,
    pub(super) message: String,
    pub(super) label: String,
    pub(super) help: Option<String>,
    /// The bracket that is not closed.
    pub(super) opened: Option<At>,
}

impl Fault {
    /// `message` says what is wrong, `label` stands below the text underlined.
    pub(super) fn new(at: At, message: impl Into<String>, label: impl Into<String>) -> Self {
        Self { at, message: message.into(), label: label.into(), help: None, opened: None }
    }

    /// With the bracket that is not closed.
    pub(super) fn opened(mut self, at: At) -> Self {
        self.opened = Some(at);
        self
    }

    /// With a word about what to do.
    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// What is wrong with rules, and where in their file.
///
/// Its text is one line; the parts are for whoever shows the lines of the file.
#[derive(Clone, Debug)]
pub struct Error(Box<Inner>);

#[derive(Clone, Debug)]
struct Inner {
    file: Arc<File>,
    fault: Fault,
    uses: Vec<(String, Span)>,
}

impl Error {
    /// The file.
    #[must_use]
    pub fn file(&self) -> &File {
        &self.0.file
    }

    /// What is wrong.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.fault.message
    }

    /// What to write below the text at [`Error::span`].
    #[must_use]
    pub fn label(&self) -> &str {
        &self.0.fault.label
    }

    /// What to do about it, where something is known.
    #[must_use]
    pub fn help(&self) -> Option<&str> {
        self.0.fault.help.as_deref()
    }

    /// Where it is.
    #[must_use]
    pub fn span(&self) -> Span {
        self.0.fault.at.span
    }

    /// The bracket that is open there, if that is what is wrong.
    #[must_use]
    pub fn opened(&self) -> Option<Span> {
        self.0.fault.opened.map(|at| at.span)
    }

    /// The uses of macros that brought the text there, innermost first: name and place.
    #[must_use]
    pub fn uses(&self) -> &[(String, Span)] {
        &self.0.uses
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.file().line_and_column(self.span().start);
        write!(f, "{}:{line}:{column}: {}", self.file().name, self.message())?;
        match self.opened().filter(|opened| *opened != self.span()) {
            Some(opened) => {
                write!(f, "; the bracket is of line {}", self.file().line_and_column(opened.start).0)
            }
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}
