//! Commands that write for a while, each on something small: the preparation, the command, and the way to resume
//! after an interruption.

use std::path::{Path, PathBuf};
use std::process::Output;

use tempfile::TempDir;

use crate::common::program::{assert_no_panic, program, run_program};
use crate::common::{Files, files, scratch};

/// The result of a command that was disturbed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Became {
    /// It succeeded immediately, with the same bytes.
    Whole,
    /// It failed with an error, and the command that resumes it produced the same bytes.
    Resumed,
    /// The command that resumes it gave a hint, and following the hint produced the same bytes.
    Told,
}

/// A command that writes for a while.
pub struct Job {
    pub name: &'static str,
    /// Commands that create its input.
    pub before: &'static [&'static [&'static str]],
    pub command: &'static [&'static str],
    /// The directory or file that it writes, or `None` if it writes to standard output.
    pub writes: Option<&'static str>,
    /// The arguments that are added to resume after an interruption.
    pub again: &'static [&'static str],
    /// The arguments that are added to start from scratch.
    pub anew: &'static [&'static str],
}

const RUN: Option<&str> = Some("run");

const SIX: &[&[&str]] = &[&["solve", "morris:three", "--sector", "3-3-0-0", "--run-dir", "six"]];
const NINE: &[&[&str]] = &[&["solve", "morris:nine", "--sector", "3-3-0-0", "--run-dir", "nine"]];
const TWO: &[&[&str]] = &[&["solve", "nim:2x3", "--method", "retrograde", "--run-dir", "from"]];

/// All commands.
pub const JOBS: &[Job] = &[
    Job {
        name: "retrograde",
        before: &[],
        command: &["solve", "nim:2x3", "--method", "retrograde", "--run-dir", "run"],
        writes: RUN,
        again: &["--resume"],
        anew: &["--overwrite"],
    },
    Job {
        name: "meet",
        before: &[],
        command: &["solve", "nim:2x3", "--engine", "sets", "--method", "meet", "--run-dir", "run"],
        writes: RUN,
        again: &["--resume"],
        anew: &["--overwrite"],
    },
    Job {
        name: "units",
        before: &[],
        command: &[
            "solve",
            "breakthrough:2x4",
            "--engine",
            "sets",
            "--method",
            "retrograde",
            "--backend",
            "passes",
            "--units=10",
            "--run-dir",
            "run",
        ],
        writes: RUN,
        again: &["--resume"],
        anew: &["--overwrite"],
    },
    Job {
        name: "reach",
        before: &[],
        command: &["reach", "breakthrough:2x5", "--plies", "6", "--run-dir", "run"],
        writes: RUN,
        again: &[],
        anew: &[],
    },
    Job {
        name: "score",
        before: &[],
        command: &["solve", "othello:3x3", "--score", "--run-dir", "run"],
        writes: RUN,
        again: &["--overwrite"],
        anew: &["--overwrite"],
    },
    Job {
        name: "table",
        before: &[],
        command: &["solve", "breakthrough:2x4", "--engine", "table", "--out", "run"],
        writes: RUN,
        again: &["--overwrite"],
        anew: &["--overwrite"],
    },
    Job {
        name: "sectors",
        before: &[],
        command: &["solve", "morris:three", "--sector", "2-2-1-1", "--run-dir", "run"],
        writes: RUN,
        again: &[],
        anew: &[],
    },
    Job {
        name: "sectors as sets",
        before: &[],
        command: &["solve", "morris:three", "--engine", "sets", "--sector", "3-3-0-0", "--run-dir", "run"],
        writes: RUN,
        again: &[],
        anew: &[],
    },
    Job {
        name: "ranked",
        before: &[],
        command: &["solve", "morris:three", "--sector", "2-2-1-1", "--ranked", "--run-dir", "run"],
        writes: RUN,
        again: &[],
        anew: &["--overwrite"],
    },
    Job {
        name: "unit",
        before: &[],
        command: &["unit", "morris:three", "3-3-0-0", "--run-dir", "run"],
        writes: RUN,
        again: &[],
        anew: &[],
    },
    Job {
        name: "pack",
        before: TWO,
        command: &["pack", "from", "--out", "run"],
        writes: RUN,
        again: &["--overwrite"],
        anew: &["--overwrite"],
    },
    Job {
        name: "pack sectors",
        before: SIX,
        command: &["pack", "six", "--out", "run", "--depths"],
        writes: RUN,
        again: &["--overwrite"],
        anew: &["--overwrite"],
    },
    Job {
        name: "export",
        before: TWO,
        command: &["export", "from", "--format", "csv", "--out", "run"],
        writes: RUN,
        again: &["--overwrite"],
        anew: &["--overwrite"],
    },
    Job {
        name: "export sectors",
        before: NINE,
        command: &["export", "nine", "--format", "sec", "--out", "run"],
        writes: RUN,
        again: &[],
        anew: &["--overwrite"],
    },
    Job {
        name: "compare",
        before: TWO,
        command: &["compare", "from", "--forms", "zstd"],
        writes: None,
        again: &[],
        anew: &[],
    },
    Job { name: "verify", before: TWO, command: &["verify", "from"], writes: None, again: &[], anew: &[] },
];

impl Job {
    /// Creates its input.
    fn prepare(&self, at: &Path) {
        for arguments in self.before {
            let output = run_program(at, arguments);
            assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        }
    }

    /// Returns a folder with its input, and the output of an undisturbed command.
    pub fn expected(&self) -> (TempDir, Files) {
        let (prepared, whole) = (scratch(), scratch());
        self.prepare(prepared.path());
        copy(prepared.path(), whole.path());
        let output = self.run(whole.path(), &["--threads", "1"]);
        assert!(output.status.success(), "{}: {}", self.name, String::from_utf8_lossy(&output.stderr));
        let expected = self.written(whole.path());
        (prepared, expected)
    }

    /// Returns the command with `added`, without starting it.
    pub fn process(&self, at: &Path, added: &[&str]) -> std::process::Command {
        let mut process = program();
        process.current_dir(at).args(self.command).args(added);
        process
    }

    /// Runs the command with `added` until it ends.
    pub fn run(&self, at: &Path, added: &[&str]) -> Output {
        let output = self.process(at, added).output().unwrap();
        assert_no_panic(&output, self.command);
        output
    }

    /// Runs the command again after an interruption, and follows its hint if it fails.
    pub fn go_on(&self, at: &Path, expected: &Files) -> Result<Became, String> {
        let output = self.run(at, &[self.again, &["--threads", "1"]].concat());
        if output.status.success() {
            return self.same(at, expected, Became::Resumed);
        }
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if !["--overwrite", "--resume", "'nerode "].iter().any(|way| said.contains(way)) {
            return Err(format!("done again it does not say what to do: {said}"));
        }
        let output = self.run(at, &[self.anew, &["--threads", "1"]].concat());
        if !output.status.success() {
            return Err(format!("begun anew: {}", String::from_utf8_lossy(&output.stderr)));
        }
        self.same(at, expected, Became::Told)
    }

    /// Returns `became` if the output equals `expected`.
    pub fn same(&self, at: &Path, expected: &Files, became: Became) -> Result<Became, String> {
        let found = self.written(at);
        let names = |files: &Files| files.keys().cloned().collect::<Vec<_>>();
        if names(&found) != names(expected) {
            return Err(format!("{became:?}: other files: {:?}, not {:?}", names(&found), names(expected)));
        }
        match found.iter().find(|(name, bytes)| &&expected[*name] != bytes) {
            Some((name, _)) => Err(format!("{became:?}: {name} differs")),
            None => Ok(became),
        }
    }

    /// Returns the output files by name.
    pub fn written(&self, at: &Path) -> Files {
        let Some(place) = self.writes.map(|name| at.join(name)) else { return Default::default() };
        if place.is_file() {
            return [(String::new(), std::fs::read(place).unwrap())].into();
        }
        let mut files = files(&place);
        files.retain(|name, _| !name.starts_with("/locks/"));
        files
    }
}

/// Copies a directory recursively.
pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target: PathBuf = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &target),
            false => drop(std::fs::copy(entry.path(), target).unwrap()),
        }
    }
}
