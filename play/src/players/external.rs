//! A player that is another program, with a line protocol over its standard input and output.
//!
//! docs/src/playing.md describes the protocol. Reading and writing are done by separate threads, so that a program
//! that hangs, or does not read its input, costs no more than its time limit.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use nerode_games::Game;

use super::player::{Chosen, Failure, Player};
use crate::course::Course;
use nerode_solver::error::{Error, PlayError, Result};

/// The version of the protocol.
const VERSION: u32 = 1;
/// The maximum length of a line in bytes. A longer line cannot be a move.
const MOST_BYTES: u64 = 4096;
/// The maximum number of lines in the queue.
const WAITING: usize = 64;
/// The number of characters of an invalid answer that are repeated in messages.
const SHOWN_CHARS: usize = 60;

/// Another program that plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalProgram {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The time limit for a move.
    pub limit: Duration,
}

/// A running program that plays one game.
pub(super) struct External {
    child: Child,
    limit: Duration,
    to: Sender<String>,
    from: Receiver<String>,
}

impl External {
    /// Starts the program and sends it the game.
    pub(super) fn start(program: &ExternalProgram, game: &dyn Game) -> Result<Self> {
        let [name, arguments @ ..] = program.command.as_slice() else {
            return Err(Error::Malformed {
                what: "a program",
                text: String::new(),
                form: "give the program to run and its arguments",
            });
        };
        let io = |source| Error::from(PlayError::Program { name: name.clone(), source });
        let mut command = Command::new(name);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // A process group, so that processes started by the program can be terminated with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(io)?;
        let (to, lines_to) = channel();
        let (lines_from, from) = sync_channel(WAITING);
        if let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) {
            thread::Builder::new()
                .name("to player".into())
                .spawn(|| write_all(input, lines_to))
                .map_err(io)?;
            let read = move || read_all(output, |line| lines_from.send(line).is_ok());
            thread::Builder::new().name("from player".into()).spawn(read).map_err(io)?;
        }
        let player = Self { child, limit: program.limit, to, from };
        player.say(&format!("nerode {VERSION}\ngame {}\n", game.spec()));
        Ok(player)
    }

    /// Terminates the program and the processes that it has started.
    fn kill(&mut self) {
        #[cfg(unix)]
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
    }

    /// Errors are ignored: a program that no longer reads its input is noticed when it does not answer.
    fn say(&self, text: &str) {
        let _ = self.to.send(text.to_string());
    }

    /// Discards unsolicited output of the program.
    fn forget(&self) {
        for _ in 0..2 * WAITING {
            if self.from.try_recv().is_err() {
                return;
            }
        }
    }

    /// Returns the answer of the program to a request, which is a line that begins with `move`. Other lines are
    /// skipped.
    fn answer(&self) -> std::result::Result<String, Failure> {
        let end = Instant::now() + self.limit;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let line = match self.from.recv_timeout(left) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => return Err(Failure::Time),
                Err(RecvTimeoutError::Disconnected) => return Err(Failure::Gone),
            };
            if let Some(said) = line.trim().strip_prefix("move ") {
                return Ok(said.trim().to_string());
            }
            // A program that never stops writing must not delay the game.
            if left.is_zero() {
                return Err(Failure::Time);
            }
        }
    }
}

impl Player for External {
    fn choose(&mut self, course: &Course<'_>) -> Result<Chosen> {
        let (game, at) = (course.game(), course.position());
        let mut moves = Vec::new();
        game.legal_moves(&at.board, at.side, &mut moves);
        let legal: Vec<String> = moves.iter().map(|mv| game.format_move(at, mv)).collect();
        let [start, now] = [course.start(), at].map(|position| game.format_position(position));
        let made: Vec<&str> = course.plies().iter().map(|ply| ply.text.as_str()).collect();
        let seconds = self.limit.as_secs_f64();
        self.forget();
        self.say(&format!(
            "start {start}\nmoves {}\nposition {now}\nlegal {}\ngo {seconds}\n",
            made.join(" "),
            legal.join(" ")
        ));
        Ok(match self.answer() {
            Err(failure) => Chosen::Fails(failure),
            Ok(said) => match game.parse_move(at, &said) {
                Ok(mv) => Chosen::Move(mv),
                Err(_) => Chosen::Fails(Failure::Illegal(said.chars().take(SHOWN_CHARS).collect())),
            },
        })
    }
}

impl Drop for External {
    fn drop(&mut self) {
        self.say("quit\n");
        // The program has no data to save, so it is not given time to react to the message.
        self.kill();
        let _ = self.child.wait();
    }
}

fn write_all(mut input: ChildStdin, lines: Receiver<String>) {
    for text in lines {
        if input.write_all(text.as_bytes()).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

/// Passes on every line, truncated if it is too long, until `take` returns `false`.
fn read_all(output: ChildStdout, mut take: impl FnMut(String) -> bool) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let read = output.by_ref().take(MOST_BYTES).read_until(b'\n', &mut line);
        if !matches!(read, Ok(1..)) || !take(String::from_utf8_lossy(&line).into_owned()) {
            return;
        }
    }
}
