//! The command `nerode man [DIR]`, which generates the manual pages from the help texts.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, italic, roman};
use schemars::JsonSchema;
use serde::Serialize;

use super::examples;
use super::output::{Outcome, Output, counted, print};
use nerode_solver::archive::files::write_bytes_for_user;

/// The commands whose first examples are on the page of the program.
const FIRST: [&str; 4] = ["solve", "query", "verify", "serve"];

/// The exit codes of every command.
const EXIT_CODES: [(&str, &str); 5] = [
    ("0", "The command succeeded."),
    ("1", "A check found a mismatch."),
    ("2", "The arguments, an input or a file were wrong, or the command failed."),
    (
        "130",
        "The command was interrupted with Ctrl-C. Commands that can resume keep completed work, and say so.",
    ),
    ("143", "The command received SIGTERM, with the same effect."),
];

/// The files that commands write unless they are given other places.
const FILES: [(&str, &str); 3] = [
    ("runs/GAME", "The solution of a game, with its manifest and one file for each set."),
    ("runs/GAME.tbl", "The solution of a game as a table."),
    ("GAME.rbg", "The rules of a game, in the language of Regular Boardgames."),
];

/// Arguments of `man`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The folder for the pages, one for each command [default: print the page of the program]
    dir: Option<PathBuf>,
}

/// Manual pages written to a folder.
#[derive(JsonSchema, Serialize)]
pub(super) struct Pages {
    /// The folder.
    folder: PathBuf,
    /// The names of the files.
    pages: Vec<String>,
}

/// Writes the manual pages of `program`.
pub(super) fn run(args: &Args, program: Command, out: &Output) -> Result<Outcome> {
    let mut program = program.disable_help_subcommand(true);
    program.build();
    let Some(folder) = &args.dir else {
        return print(&page(&program, &program)?).map(|()| Outcome::Done);
    };
    let cannot = || format!("cannot write manual pages to {}", folder.display());
    std::fs::create_dir_all(folder).with_context(cannot)?;
    let mut pages = Vec::new();
    for command in std::iter::once(&program).chain(program.get_subcommands()) {
        let name = Man::new(command.clone()).get_filename();
        write_bytes_for_user(&folder.join(&name), true, &page(&program, command)?)?;
        pages.push(name);
    }
    out.result(&Pages { folder: folder.clone(), pages }, |written| {
        let pages = counted(written.pages.len() as u128, "manual page", "manual pages");
        format!("{pages} in {}\n", written.folder.display())
    })?;
    Ok(Outcome::Done)
}

/// Returns the manual page of a command, or of the program itself.
fn page(program: &Command, command: &Command) -> Result<Vec<u8>> {
    // The sections of the help text, without its examples, which get a section of their own.
    let man = Man::new(command.clone().after_help(""));
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    more_sections(program, command).to_writer(&mut page)?;
    Ok(page)
}

/// Returns the sections that the help text lacks.
fn more_sections(program: &Command, command: &Command) -> Roff {
    let mut roff = Roff::new();
    let examples = match command.has_subcommands() {
        true => FIRST.iter().flat_map(|name| examples::of(name).first()).collect(),
        false => examples::of(command.get_name()).iter().collect::<Vec<_>>(),
    };
    if !examples.is_empty() {
        roff.control("SH", ["EXAMPLES"]);
    }
    for (line, what) in examples {
        roff.control("TP", []).text([bold(*line)]).text([roman(*what)]);
    }
    roff.control("SH", ["EXIT STATUS"]);
    for (code, meaning) in EXIT_CODES {
        roff.control("TP", []).text([bold(code)]).text([roman(meaning)]);
    }
    roff.control("SH", ["FILES"]);
    for (file, meaning) in FILES {
        roff.control("TP", []).text([italic(file)]).text([roman(meaning)]);
    }
    roff.control("SH", ["SEE ALSO"]);
    let name = |command: &Command| command.get_display_name().unwrap_or(command.get_name()).to_string();
    let mut others = Vec::new();
    for other in std::iter::once(program).chain(program.get_subcommands()) {
        if name(other) != name(command) {
            let comma = if others.is_empty() { "" } else { ", " };
            others.extend([roman(comma), bold(name(other)), roman("(1)")]);
        }
    }
    roff.text(others);
    roff
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use clap::CommandFactory;

    #[test]
    fn every_page_has_the_sections_of_a_manual_page() {
        let mut program = Cli::command();
        program.build();
        for command in std::iter::once(&program).chain(program.get_subcommands()) {
            let page = String::from_utf8(page(&program, command).unwrap()).unwrap();
            for section in ["NAME", "SYNOPSIS", "OPTIONS", "EXAMPLES", "EXIT STATUS", "FILES", "SEE ALSO"] {
                // A name of several words is quoted.
                let heads = [format!(".SH {section}\n"), format!(".SH \"{section}\"\n")];
                let is_there = heads.iter().any(|head| page.matches(head).count() == 1);
                assert!(is_there || command.get_name() == "help", "{}: {section}", command.get_name());
            }
        }
    }
}
