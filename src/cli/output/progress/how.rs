//! How progress is shown, by the options and by what standard error is.

use std::io::IsTerminal;

use crate::cli::output::options::{OutputArgs, ProgressArg};

/// How progress is shown.
#[derive(Clone, Copy)]
pub(in crate::cli::output) struct How {
    /// As a line that is drawn again and again.
    pub(super) drawn: bool,
    pub(super) lines: Option<Lines>,
}

/// Lines that stay.
#[derive(Clone, Copy)]
pub(super) struct Lines {
    pub(super) json: bool,
    /// One now and then, and none before the work takes long.
    pub(super) rare: bool,
}

impl How {
    pub(in crate::cli::output) fn of(args: &OutputArgs) -> Self {
        let lines = |json, rare| Some(Lines { json, rare });
        let terminal = std::io::stderr().is_terminal();
        let lines = match args.progress {
            ProgressArg::None => None,
            ProgressArg::Plain => lines(false, false),
            ProgressArg::Json => lines(true, false),
            ProgressArg::Auto if args.quiet => None,
            ProgressArg::Auto if args.verbose > 0 => lines(args.json, false),
            ProgressArg::Auto if terminal => None,
            ProgressArg::Auto => lines(args.json, true),
        };
        Self { drawn: terminal && args.progress == ProgressArg::Auto && !args.quiet, lines }
    }
}
