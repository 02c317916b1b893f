//! Faults in a rules file and their positions, as data with which a program can underline the text.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// The result of reading or playing the rules of a file.
pub type Result<T> = std::result::Result<T, Error>;

/// A rules file: its name, which messages use, and its text.
#[derive(Debug)]
pub struct File {
    /// The name, such as a path.
    pub name: String,
    /// The whole text.
    pub text: String,
}

impl File {
    /// Returns the line and column of a byte, both counted from 1. Columns count characters.
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

/// A range of bytes in a file, from `start` up to but not including `end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

/// The position of a part of the rules in the file. Any two positions compare equal, so that rules with the same contents are
/// equal.
#[derive(Clone, Copy, Debug, Default)]
pub struct At {
    /// The bytes.
    pub(super) span: Span,
    /// The macro use that produced this part, as an index into [`Origin`], or `None` outside macros.
    pub(super) used: Option<u32>,
}

impl PartialEq for At {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl At {
    /// Returns the range from the beginning of this to the end of `last`, if both come from the same use of a macro.
    pub(super) fn to(self, last: Self) -> Self {
        let same = self.used == last.used && self.span.start <= last.span.end;
        let end = if same { last.span.end } else { self.span.end };
        Self { span: Span { start: self.span.start, end }, used: self.used }
    }
}

/// A use of a macro.
#[derive(Clone, Debug)]
pub(super) struct Use {
    /// The name of the macro.
    pub(super) name: Arc<str>,
    /// The position of the use.
    pub(super) at: At,
}

/// The positions of declarations and of section beginnings.
#[derive(Debug, Default)]
pub(super) struct Places {
    pub(super) names: HashMap<Arc<str>, At>,
    pub(super) players: At,
    pub(super) board: At,
    pub(super) rules: At,
}

/// The drawing positions of squares, read from the comments of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Drawing {
    /// For each square, its distance to the right and upwards.
    pub(super) points: Option<Vec<(usize, usize)>>,
    /// The reason why there are no points, although a comment gives some.
    pub(super) odd: Option<Fault>,
}

/// The origin of the rules, and additional information from the file. Any two origins compare equal.
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
    /// Combines a fault with the file that contains it.
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

/// A fault, without the file.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub(super) at: At,
    pub(super) message: String,
    pub(super) label: String,
    pub(super) help: Option<String>,
    /// The unclosed bracket.
    pub(super) opened: Option<At>,
}

impl Fault {
    /// Creates a fault. `message` describes it, and `label` is printed below the underlined text.
    pub(super) fn new(at: At, message: impl Into<String>, label: impl Into<String>) -> Self {
        Self { at, message: message.into(), label: label.into(), help: None, opened: None }
    }

    /// Adds the position of the unclosed bracket.
    pub(super) fn opened(mut self, at: At) -> Self {
        self.opened = Some(at);
        self
    }

    /// Adds a suggestion for a fix.
    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// An error in rules, with its location in the file.
///
/// Its text is a single line. The accessors provide the parts for callers that show the lines of the file.
#[derive(Clone, Debug)]
pub struct Error(Box<Inner>);

#[derive(Clone, Debug)]
struct Inner {
    file: Arc<File>,
    fault: Fault,
    uses: Vec<(String, Span)>,
}

impl Error {
    /// Returns the file.
    #[must_use]
    pub fn file(&self) -> &File {
        &self.0.file
    }

    /// Returns the description of the error.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.fault.message
    }

    /// Returns the label to print below the text at [`Error::span`].
    #[must_use]
    pub fn label(&self) -> &str {
        &self.0.fault.label
    }

    /// Returns a suggestion for a fix, if there is one.
    #[must_use]
    pub fn help(&self) -> Option<&str> {
        self.0.fault.help.as_deref()
    }

    /// Returns the position of the error.
    #[must_use]
    pub fn span(&self) -> Span {
        self.0.fault.at.span
    }

    /// Returns the position of the unclosed bracket, if this is the error.
    #[must_use]
    pub fn opened(&self) -> Option<Span> {
        self.0.fault.opened.map(|at| at.span)
    }

    /// Returns the macro uses that produced the text, innermost first, as name and position.
    ///
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
                write!(f, "; the bracket was opened on line {}", self.file().line_and_column(opened.start).0)
            }
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}

impl From<Error> for nerode_games::Error {
    fn from(error: Error) -> Self {
        Self::Rules(Box::new(error))
    }
}
