//! The style of progress displays, depending on the options and on standard error.

use std::io::IsTerminal;

use crate::cli::output::options::{OutputArgs, ProgressArg};

/// The style of progress displays.
#[derive(Clone, Copy)]
pub(in crate::cli::output) struct How {
    /// Whether progress is a line that is redrawn repeatedly.
    pub(super) drawn: bool,
    pub(super) lines: Option<Lines>,
}

/// Progress as permanent lines.
#[derive(Clone, Copy)]
pub(super) struct Lines {
    pub(super) json: bool,
    /// Whether lines are rare, and the first one appears only after the work has taken a while.
    pub(super) rare: bool,
}

impl How {
    pub(in crate::cli::output) fn of(args: &OutputArgs) -> Self {
        let lines = |json, rare| Some(Lines { json, rare });
        let terminal = std::io::stderr().is_terminal();
        let lines = match args.progress {
            _ if args.quiet => None,
            ProgressArg::None => None,
            ProgressArg::Plain => lines(false, false),
            ProgressArg::Json => lines(true, false),
            ProgressArg::Auto if args.verbose > 0 => lines(args.json, false),
            ProgressArg::Auto if terminal => None,
            ProgressArg::Auto => lines(args.json, true),
        };
        Self { drawn: terminal && args.progress == ProgressArg::Auto && !args.quiet, lines }
    }
}
