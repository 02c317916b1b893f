//! Queries about many positions from standard input, with one JSON document for each line, whether valid or not.
//!
//! A block consists of the input that is currently available, up to its last complete line. Its lines are answered on
//! all threads and printed before more input is read. This bounds memory, and lets a caller wait for an answer before
//! it sends the next line.

use std::io::{ErrorKind, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, bail};
use nerode_games::{Game, Position};
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use super::blocks::{Blocks, LINE_BYTES};
use super::bounds::SearchArgs;
use crate::cli::hints::hint;
use crate::cli::interrupt::{interrupt_flag, waiting};
use crate::cli::output::{Document, Outcome, grouped};
use crate::cli::resources::threads_or_all;
use nerode_dfa::thread_pool;
use nerode_report::documents::Problem;
use nerode_report::lines::{Known, MoveLine};
use nerode_report::position::position_of;
use nerode_solver::error::{Error, check_interrupt};
use nerode_solver::outcome::Evaluation;
use nerode_solver::stored::{self, Solution};

/// The number of consecutive lines that a thread answers.
const STRETCH: usize = 128;
/// The number of characters of an overlong line that are repeated in the error.
const SHOWN_CHARS: usize = 100;
/// The byte order mark with which some programs begin a text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Options for answering a batch.
pub(super) struct How<'a> {
    /// Whether positions that cannot occur in play are answered.
    pub(super) any: bool,
    /// Whether the moves are listed.
    pub(super) moves: bool,
    pub(super) search: &'a SearchArgs,
    pub(super) threads: Option<u16>,
}

/// The answer for a line of input.
#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct Line<'a> {
    /// The game with its parameters, such as `breakthrough:4x5`.
    game: &'a str,
    /// The number of the line, counted from 1.
    #[schemars(range(min = 1))]
    line: u64,
    /// The line without the blanks around it.
    input: &'a str,
    #[serde(flatten)]
    known: Known,
    /// All moves, the best one first, with `--moves`.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<MoveLine>>,
}

/// The reason why a line of input has no answer.
#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct Refusal<'a> {
    /// The game with its parameters, such as `breakthrough:4x5`.
    game: &'a str,
    /// The number of the line, counted from 1.
    #[schemars(range(min = 1))]
    line: u64,
    /// The line without the blanks around it, or the first 100 characters of a line of more than 65536 bytes.
    input: &'a str,
    /// The reason.
    error: Problem,
}

/// The output for some lines, and the number of lines that had no answer.
#[derive(Default)]
struct Answered {
    text: Vec<u8>,
    refused: u64,
}

impl Answered {
    /// Adds a document as one line.
    fn add<T: Serialize>(&mut self, body: T) -> Result<()> {
        serde_json::to_writer(&mut self.text, &Document::new(Some("query"), body))?;
        self.text.push(b'\n');
        Ok(())
    }
}

struct Batch<'a> {
    solution: &'a Solution,
    game: &'a dyn Game,
    spec: String,
    how: &'a How<'a>,
    interrupt: Arc<AtomicBool>,
}

pub(super) fn run(solution: &Solution, how: &How<'_>) -> Result<Outcome> {
    let pool = thread_pool(threads_or_all(how.threads))?;
    let interrupt = interrupt_flag();
    let spec = solution.game().spec();
    let batch = Batch { solution, game: solution.game(), spec, how, interrupt: Arc::clone(&interrupt) };
    let mut blocks = Blocks::new(std::io::stdin().lock());
    let (mut first, mut refused) = (1u64, 0);
    loop {
        let block = waiting(|| blocks.next_block()).context("cannot read standard input")?;
        if block.is_empty() {
            break;
        }
        let lines: Vec<&[u8]> =
            block.strip_suffix(b"\n").unwrap_or(&block).split(|&byte| byte == b'\n').collect();
        let answered = pool.install(|| batch.answer_all(first, &lines))?;
        refused += answered.iter().map(|stretch| stretch.refused).sum::<u64>();
        if !print_all(&answered)? {
            return Ok(Outcome::Done);
        }
        first += lines.len() as u64;
        check_interrupt(&interrupt)?;
    }
    match refused {
        0 => Ok(Outcome::Done),
        1 => bail!("one line was answered with an error"),
        _ => bail!("{} lines were answered with an error", grouped(refused.into())),
    }
}

/// Prints the answers. Returns `false` if the reader has closed the output.
fn print_all(answered: &[Answered]) -> Result<bool> {
    let mut out = std::io::stdout().lock();
    let mut written = answered.iter().try_for_each(|stretch| out.write_all(&stretch.text));
    written = written.and_then(|()| out.flush());
    match written {
        Ok(()) => Ok(true),
        // A closed pipe is not an error, because its reader needs no more output.
        Err(e) if e.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(e) => Err(e).context("cannot write to standard output"),
    }
}

impl Batch<'_> {
    /// Answers lines, the first of which has the number `first`.
    fn answer_all(&self, first: u64, lines: &[&[u8]]) -> Result<Vec<Answered>> {
        // A search takes much longer than what threads cost, so no thread waits for the lines of another.
        let len = if self.how.search.is_requested() { 1 } else { STRETCH };
        let stretch = |(at, lines): (usize, &[&[u8]])| {
            let mut answered = Answered::default();
            for (number, line) in (first + (at * len) as u64..).zip(lines) {
                self.answer(number, line, &mut answered)?;
            }
            Ok(answered)
        };
        lines.par_chunks(len).enumerate().map(stretch).collect()
    }

    /// Answers one line.
    fn answer(&self, number: u64, line: &[u8], answered: &mut Answered) -> Result<()> {
        let text = String::from_utf8_lossy(line);
        let text = text.trim_start_matches(BYTE_ORDER_MARK).trim();
        if line.len() > LINE_BYTES {
            let shown = text.char_indices().nth(SHOWN_CHARS).map_or(text, |(end, _)| &text[..end]);
            let message = format!(
                "the line has more than {} bytes, the limit for a position",
                grouped(LINE_BYTES as u128)
            );
            return self.refuse(number, shown, Problem::malformed(message), answered);
        }
        if text.is_empty() {
            return self.refuse(number, text, Problem::blank_line(), answered);
        }
        match self.line(number, text) {
            Ok(line) => answered.add(line),
            Err(Error::Game(error)) => {
                self.refuse(number, text, Problem::of_game(&error, self.game, "--any"), answered)
            }
            Err(error @ Error::MissingSector { .. }) => {
                let error = anyhow::Error::from(error);
                let problem =
                    Problem { accepted: hint(&error, None), ..Problem::not_found(error.to_string()) };
                self.refuse(number, text, problem, answered)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Reports the reason why a line has no answer.
    fn refuse(&self, line: u64, input: &str, error: Problem, answered: &mut Answered) -> Result<()> {
        answered.refused += 1;
        answered.add(Refusal { game: &self.spec, line, input, error })
    }

    /// Returns the evaluation of a position. The moves are searched only if the solution lacks its value and a search is requested.
    fn evaluation(&self, position: &Position) -> crate::Result<Evaluation> {
        if !self.how.search.is_requested() {
            return self.solution.infer(position);
        }
        let evaluation = self.solution.evaluate(position)?;
        if evaluation.value().is_some() && evaluation.is_covered() {
            return Ok(evaluation);
        }
        Ok(self.answer_with_moves(position)?.evaluation())
    }

    /// Returns the answer for a position with its moves, narrowed by a search if one is requested.
    fn answer_with_moves(&self, position: &Position) -> crate::Result<stored::Answer> {
        let answer = self.solution.query(position)?;
        if !self.how.search.is_requested() {
            return Ok(answer);
        }
        let searches = rayon::current_num_threads();
        let bounds =
            self.how.search.search(self.solution, &answer, searches, &self.interrupt, &mut |_| ())?;
        Ok(match bounds {
            Some(bounds) => answer.within(bounds.range, &bounds.moves),
            None => answer,
        })
    }

    fn line<'a>(&'a self, number: u64, text: &'a str) -> crate::Result<Line<'a>> {
        let position = position_of(self.game, text, self.how.any)?;
        let (found, moves) = if self.how.moves {
            let answer = self.answer_with_moves(&position)?;
            let moves = answer.moves().iter().map(|reply| MoveLine::new(self.game, reply)).collect();
            (answer.evaluation(), Some(moves))
        } else {
            (self.evaluation(&position)?, None)
        };
        Ok(Line {
            game: &self.spec,
            line: number,
            input: text,
            known: Known::new(self.game, &position, &found),
            moves,
        })
    }
}
