//! The command `nerode engine DIR`, which answers queries about a solution over standard input and output.

use std::io::{BufRead, ErrorKind, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;

use super::interrupt::waiting;
use super::output::{Outcome, Output, grouped};
use super::solutions::solution_at;
use crate::facade::open_solution;
use nerode_serve::{Talk, Word, answer_line, too_long_line};

/// The maximum length of a line, in bytes.
const LINE_BYTES: u64 = 1 << 16;

/// Arguments of `engine`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A solution, as for query, or a game
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// The protocol: one JSON line for each JSON line, or the UCI dialect of programs for morris games
    #[arg(long, value_enum, default_value_t = Protocol::Json)]
    protocol: Protocol,
    /// With --protocol uci: also answer positions that cannot occur in play; a JSON request has a field 'any' instead
    #[arg(long)]
    any: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Protocol {
    Json,
    Uci,
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    let solution = Arc::new(open_solution(solution_at(&args.dir, out)?)?.so_far()?);
    if let Some(warning) = solution.warning() {
        out.warn(&warning);
    }
    match args.protocol {
        Protocol::Json if args.any => {
            bail!("--any applies to --protocol uci; in a JSON request, add \"any\": true to 'ask'")
        }
        Protocol::Json => each_line(|line| {
            Some(vec![line.map_or_else(|_| too_long_line(LINE_BYTES), |line| answer_line(&solution, line))])
        }),
        Protocol::Uci if !solution.game().spec().starts_with("morris:") => {
            bail!("the UCI dialect is for morris games, and this is a solution of {}", solution.game().spec())
        }
        Protocol::Uci => {
            let mut talk = Talk::new(solution, args.any);
            each_line(|line| match line.map(|line| talk.hear(line)) {
                Ok(Word::Say(lines)) => Some(lines),
                Ok(Word::End) => None,
                Err(TooLong) => Some(vec![format!(
                    "info string the line has more than {} bytes and was skipped",
                    grouped(LINE_BYTES.into())
                )]),
            })
        }
    }
}

/// The error of a line that exceeds the limit for a request.
struct TooLong;

/// Answers every line of standard input until the input ends or the answer is `None`. The rest of a line that is too
/// long is skipped.
fn each_line(
    mut answer: impl FnMut(std::result::Result<&str, TooLong>) -> Option<Vec<String>>,
) -> Result<Outcome> {
    let mut input = std::io::stdin().lock();
    let mut output = std::io::stdout().lock();
    loop {
        let mut line = Vec::new();
        let read = waiting(|| input.by_ref().take(LINE_BYTES + 1).read_until(b'\n', &mut line));
        if read.context("cannot read standard input")? == 0 {
            return Ok(Outcome::Done);
        }
        let is_too_long = !line.ends_with(b"\n") && line.len() as u64 > LINE_BYTES;
        if is_too_long {
            input.skip_until(b'\n').context("cannot read standard input")?;
        }
        let text = String::from_utf8_lossy(&line);
        if text.trim().is_empty() && !is_too_long {
            continue;
        }
        let line = if is_too_long { Err(TooLong) } else { Ok(text.trim()) };
        let Some(lines) = answer(line) else { return Ok(Outcome::Done) };
        let written =
            lines.iter().try_for_each(|line| writeln!(output, "{line}")).and_then(|()| output.flush());
        match written {
            // A closed pipe is not an error, because its reader needs no more answers.
            Err(e) if e.kind() == ErrorKind::BrokenPipe => return Ok(Outcome::Done),
            written => written.context("cannot write to standard output")?,
        }
    }
}
