//! The command `nerode man [DIR]`, which generates the manual pages from the help texts.

use std::path::PathBuf;

use anyhow::{Context, Result};
use schemars::JsonSchema;
use serde::Serialize;

use super::output::{Outcome, Output, print};

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
pub(super) fn run(args: &Args, program: clap::Command, out: &Output) -> Result<Outcome> {
    let Some(folder) = &args.dir else {
        let mut page = Vec::new();
        clap_mangen::Man::new(program).render(&mut page)?;
        return print(&page).map(|()| Outcome::Done);
    };
    let cannot = || format!("cannot write manual pages to {}", folder.display());
    std::fs::create_dir_all(folder).with_context(cannot)?;
    let commands = program.get_subcommands();
    let names = commands.map(|command| format!("nerode-{}.1", command.get_name()));
    let pages = std::iter::once("nerode.1".to_string()).chain(names).collect();
    clap_mangen::generate_to(program.disable_help_subcommand(true), folder).with_context(cannot)?;
    out.result(&Pages { folder: folder.clone(), pages }, |written| {
        format!("{} manual pages in {}\n", written.pages.len(), written.folder.display())
    })?;
    Ok(Outcome::Done)
}
