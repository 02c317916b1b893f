//! Options that every command accepts: what is printed, and how.

use std::ffi::OsString;
use std::io::IsTerminal;

use clap::ValueEnum;

/// How progress is shown on standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum ProgressArg {
    /// A line that is redrawn on a terminal; elsewhere an occasional line of text once a command has run for a while
    Auto,
    /// A line of text for each step
    Plain,
    /// A JSON object on one line for each step
    Json,
    /// Nothing
    None,
}

/// When text is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum ColorArg {
    /// On a terminal, unless the variable NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The heading of these options in the help text of every command.
const HEADING: &str = "Output options";

/// Options that every command takes.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct OutputArgs {
    /// Print one JSON document; errors are JSON too
    #[arg(long, global = true, help_heading = HEADING)]
    pub(super) json: bool,
    /// Show progress as auto, plain (lines), json (one object per line) or none
    #[arg(long, global = true, value_enum, value_name = "HOW", default_value_t = ProgressArg::Auto, hide_default_value = true, hide_possible_values = true, help_heading = HEADING)]
    pub(super) progress: ProgressArg,
    /// Hide progress, warnings and notes
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = HEADING)]
    pub(super) quiet: bool,
    /// Print a line for each step of the work
    #[arg(short, long, global = true, action = clap::ArgAction::Count, help_heading = HEADING)]
    pub(super) verbose: u8,
    /// Colour text: auto, always or never
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = ColorArg::Auto, hide_default_value = true, hide_possible_values = true, help_heading = HEADING)]
    pub(super) color: ColorArg,
}

/// Returns `true` if standard error supports colours.
pub(super) fn is_coloured(color: ColorArg) -> bool {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    match color {
        ColorArg::Always => true,
        ColorArg::Never => false,
        ColorArg::Auto => {
            std::io::stderr().is_terminal()
                && set("NO_COLOR").is_none()
                && set("TERM").is_none_or(|term| term != "dumb")
        }
    }
}

/// The output options for help texts and usage errors, which are printed before the arguments are parsed.
pub(in crate::cli) struct Early {
    /// Whether the arguments contain `--json`.
    pub(super) json: bool,
    /// The value of `--color`.
    pub(super) color: ColorArg,
}

impl Early {
    /// Scans the arguments up to `--`.
    pub(in crate::cli) fn look(arguments: &[OsString]) -> Self {
        let words: Vec<&str> =
            arguments.iter().map_while(|word| word.to_str().filter(|w| *w != "--")).collect();
        let after =
            words.iter().position(|word| *word == "--color").and_then(|at| words.get(at + 1)).copied();
        let said = words.iter().find_map(|word| word.strip_prefix("--color=")).or(after);
        Self {
            json: words.contains(&"--json"),
            color: said.and_then(|word| ColorArg::from_str(word, false).ok()).unwrap_or(ColorArg::Auto),
        }
    }

    /// Converts the choice of colours for `clap`.
    pub(in crate::cli) fn choice(&self) -> clap::ColorChoice {
        match self.color {
            ColorArg::Auto => clap::ColorChoice::Auto,
            ColorArg::Always => clap::ColorChoice::Always,
            ColorArg::Never => clap::ColorChoice::Never,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_looked_through_up_to_the_dashes() {
        let look = |text: &str| Early::look(&text.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert!(look("nerode solve --json x").json && !look("nerode solve -- --json").json);
        assert_eq!(look("nerode --color never").color, ColorArg::Never);
        assert_eq!(look("nerode --color=always games").color, ColorArg::Always);
        assert_eq!(look("nerode --color=pink").color, ColorArg::Auto);
    }
}
