//! Errors in rules, shown together with the lines of the file in which they occur.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use nerode_games::Error as GameError;
use nerode_rules::rbg::{Error, Span};
use schemars::JsonSchema;
use serde::Serialize;

use nerode_solver::error::Error as LibraryError;

/// The maximum number of uses of macros that are shown.
const SHOWN_USES: usize = 3;

/// A remark about rules.
#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct Remark {
    /// The remark, preceded by its place.
    message: String,
    /// A suggestion, or null if there is none.
    hint: Option<String>,
    /// The place in the file.
    place: Place,
}

impl Remark {
    /// Converts an error about rules.
    pub(in crate::cli) fn of(error: &Error) -> Self {
        Self { message: error.to_string(), hint: error.help().map(str::to_string), place: place(error) }
    }
}

/// A place in a file of rules. Lines and columns count from 1, and columns count characters.
#[derive(JsonSchema, Serialize)]
pub(super) struct Place {
    /// The name of the file.
    file: String,
    /// The first line.
    #[schemars(range(min = 1))]
    line: usize,
    /// The first column.
    #[schemars(range(min = 1))]
    column: usize,
    /// The last line.
    #[schemars(range(min = 1))]
    end_line: usize,
    /// The column after the last character.
    #[schemars(range(min = 1))]
    end_column: usize,
    /// The text to show below the underlined characters.
    label: String,
}

/// Returns the error about rules among the causes, if there is one.
pub(super) fn about_rules<'a>(error: &'a anyhow::Error) -> Option<&'a Error> {
    error.chain().find_map(|cause| {
        let by_game = |error: &'a GameError| match error {
            GameError::Rules(rules) => rules.downcast_ref::<Error>(),
            _ => None,
        };
        let by_library = |error: &'a LibraryError| match error {
            LibraryError::Game(game) => by_game(game),
            _ => None,
        };
        let direct = cause.downcast_ref::<Error>();
        direct
            .or_else(|| cause.downcast_ref::<GameError>().and_then(by_game))
            .or_else(|| cause.downcast_ref::<LibraryError>().and_then(by_library))
    })
}

/// Returns the place of the error.
pub(super) fn place(error: &Error) -> Place {
    let (line, column) = error.file().line_and_column(error.span().start);
    let (end_line, end_column) = error.file().line_and_column(error.span().end);
    let label = error.label().to_string();
    Place { file: error.file().name.clone(), line, column, end_line, end_column, label }
}

/// Formats the error in the style of compilers: the line, with the error underlined, and the macros from which it was
/// expanded.
pub(super) fn shown(error: &Error, level: Level<'_>, coloured: bool) -> String {
    let file = error.file();
    let range = |span: Span| span.start..span.end;
    let mut snippet = Snippet::source(file.text.as_str())
        .path(file.name.as_str())
        .annotation(AnnotationKind::Primary.span(range(error.span())).label(error.label()));
    if let Some(opened) = error.opened().filter(|opened| *opened != error.span()) {
        let label = "this bracket is not closed";
        snippet = snippet.annotation(AnnotationKind::Context.span(range(opened)).label(label));
    }
    for (name, span) in error.uses().iter().take(SHOWN_USES) {
        let label = format!("in this use of the macro '{name}'");
        snippet = snippet.annotation(AnnotationKind::Context.span(range(*span)).label(label));
    }
    let mut group = level.primary_title(error.message()).element(snippet);
    if let Some(help) = error.help() {
        group = group.element(Level::HELP.message(help));
    }
    let renderer = if coloured { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&[group]) + "\n"
}
