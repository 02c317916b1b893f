//! The log of the service on standard error: lines of text, or messages like those of all commands with `--json`.

use std::fmt::{self, Debug, Write as _};

use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields, FormattedFields};
use tracing_subscriber::registry::LookupSpan;

use super::output::{Document, Message, Output, Said};

/// Starts the log: warnings, and all requests if verbose output is requested.
pub(super) fn start(out: &Output) {
    let level = if out.is_verbose() { Level::DEBUG } else { Level::WARN };
    let log = tracing_subscriber::fmt().with_writer(std::io::stderr).with_max_level(level).with_target(false);
    // If the command line is called as a library, another logger may be installed already, which is used instead.
    let _ = match out.is_json() {
        true => log.with_ansi(false).event_format(Documents).try_init(),
        false => log.try_init(),
    };
}

/// Formats events as messages of the command `serve`.
struct Documents;

impl<S, N> FormatEvent<S, N> for Documents
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut text = Text::default();
        event.record(&mut text);
        for span in context.event_scope().into_iter().flatten() {
            if let Some(fields) = span.extensions().get::<FormattedFields<N>>() {
                write!(text.fields, "; {fields}")?;
            }
        }
        let said = Said::plain(text.message + &text.fields);
        let message = match *event.metadata().level() {
            Level::ERROR => Message::Error(said),
            Level::WARN => Message::Warning(said),
            _ => Message::Note(said),
        };
        let line = serde_json::to_string(&Document::new(Some("serve"), message));
        writeln!(writer, "{}", line.map_err(|_| fmt::Error)?)
    }
}

/// The text of an event: its message, and its other fields after it.
#[derive(Default)]
struct Text {
    message: String,
    fields: String,
}

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        // Writing to a string does not fail.
        let _ = match field.name() {
            "message" => write!(self.message, "{value:?}"),
            name => write!(self.fields, "; {name}: {value:?}"),
        };
    }
}
