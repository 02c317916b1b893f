//! Disk failures: every command that writes is run with its n-th file operation failing. It either succeeds or fails
//! with an error, and running it again produces the same bytes as an undisturbed command.
//!
//! The ordinary test covers a few n. `NERODE_FAULTS=all` covers every n, and writes the results to the file that
//! `NERODE_RECORD` names, if it is set.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use super::long::{Became, JOBS, Job, copy};
use crate::common::{Files, scratch};

/// The ways in which the operation fails, see `dfa/src/disk/fault.rs`.
const KINDS: [&str; 3] = ["error", "full", "short"];

struct Bench<'a> {
    job: &'a Job,
    prepared: &'a Path,
    expected: &'a Files,
}

impl Bench<'_> {
    /// Makes the operation `number` fail. Returns `None` if there are fewer operations. Otherwise returns the
    /// operation with its result, or a description of the problem.
    fn fail(&self, kind: &str, number: u64) -> Option<(String, Result<Became, String>)> {
        let dir = scratch();
        let at = dir.path().join("at");
        copy(self.prepared, &at);
        let note = dir.path().join("note");
        let fault = format!("{kind}:{number}:{}", note.display());
        let mut process = self.job.process(&at, &["--threads", "1"]);
        let output = process.env("NERODE_FAULT", fault).output().unwrap();
        let operation = std::fs::read_to_string(&note).ok()?;
        let said = String::from_utf8_lossy(&output.stderr);
        let became = match output.status.code() {
            _ if said.contains("panicked") => Err(format!("it panicked: {said}")),
            Some(0) => self.job.same(&at, self.expected, Became::Whole),
            Some(_) if said.contains("error: ") => self.job.go_on(&at, self.expected),
            code => Err(format!("it ended with {code:?}: {said}")),
        };
        Some((operation, became.map_err(|wrong| format!("{wrong}; at first it said: {said}"))))
    }
}

#[derive(Default)]
struct Tally {
    /// The number of operations by kind of failure and result.
    counts: BTreeMap<(&'static str, &'static str), BTreeMap<Became, u64>>,
    wrong: Vec<String>,
}

impl Tally {
    fn record(&self) -> String {
        let mut text = String::from("command,fault,operations,whole,resumed,told\n");
        for ((job, kind), counts) in &self.counts {
            let of = |became| counts.get(&became).copied().unwrap_or(0);
            let [whole, resumed, told] = [Became::Whole, Became::Resumed, Became::Told].map(of);
            writeln!(text, "{job},{kind},{},{whole},{resumed},{told}", whole + resumed + told).unwrap();
        }
        text
    }
}

#[test]
#[ignore = "slow: .ci/slow"]
fn whatever_operation_fails_the_work_goes_on_to_the_same_bytes() {
    let all = std::env::var("NERODE_FAULTS").is_ok_and(|which| which == "all");
    let only = std::env::var("NERODE_JOB").ok();
    let mut tally = Tally::default();
    for job in JOBS.iter().filter(|job| only.as_ref().is_none_or(|only| only == job.name)) {
        let (prepared, expected) = job.expected();
        let bench = Bench { job, prepared: prepared.path(), expected: &expected };
        for kind in KINDS {
            let mut number = 1;
            while let Some((operation, became)) = bench.fail(kind, number) {
                match became {
                    Ok(became) => {
                        *tally.counts.entry((job.name, kind)).or_default().entry(became).or_default() += 1
                    }
                    Err(wrong) => {
                        tally.wrong.push(format!("{} {kind} {number} ({operation}): {wrong}", job.name));
                    }
                }
                number += if all { 1 } else { 2 * number };
            }
            assert!(number > 1 || job.writes.is_none(), "{}: no operation was counted", job.name);
        }
    }
    if let Ok(record) = std::env::var("NERODE_RECORD") {
        std::fs::write(record, tally.record()).unwrap();
    }
    assert!(tally.wrong.is_empty(), "{} failures:\n{}", tally.wrong.len(), tally.wrong.join("\n"));
}
