//! Every command that writes is killed at a random moment, up to three times in a row. Running it again produces the
//! same bytes as an undisturbed command.
//!
//! The ordinary test kills each command a few times. `NERODE_KILLS` sets how often, and the results are written to
//! the file that `NERODE_RECORD` names, if it is set.

use std::fmt::Write;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::long::{Became, JOBS, Job, copy};
use crate::common::{Files, scratch};
use chacha20::ChaCha12Rng;
use rand::{Rng, RngExt, SeedableRng};

/// The maximum number of consecutive kills.
const IN_A_ROW: u32 = 3;

/// The results of killing one command.
#[derive(Default)]
struct Count {
    /// The number of processes that had not finished.
    killed: u64,
    /// The number of them that had created the directory or file that they write.
    midway: u64,
    told: u64,
    wrong: Vec<String>,
}

/// Measures the time that the command takes.
fn time_of(job: &Job, prepared: &Path) -> Duration {
    let dir = scratch();
    copy(prepared, dir.path());
    let began = Instant::now();
    job.run(dir.path(), &["--threads", "2"]);
    began.elapsed()
}

/// Starts the command and kills it after the given time. Returns `true` if it had not finished.
fn kill(job: &Job, at: &Path, added: &[&str], after: Duration) -> bool {
    let mut process = job.process(at, &[added, &["--threads", "2"]].concat());
    let mut child = process.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(after);
    let at_work = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    child.wait().unwrap();
    at_work
}

/// Kills a command a few times and resumes it. Returns how often it was killed before it had finished.
fn trial(
    job: &Job,
    prepared: &Path,
    expected: &Files,
    time: Duration,
    rng: &mut impl Rng,
    count: &mut Count,
) {
    let dir = scratch();
    copy(prepared, dir.path());
    for nth in 0..rng.random_range(1..=IN_A_ROW) {
        let after = time.mul_f64(rng.random_range(0.0..1.0));
        if !kill(job, dir.path(), if nth == 0 { &[] } else { job.again }, after) {
            break;
        }
        count.killed += 1;
        count.midway += u64::from(job.writes.is_some_and(|name| dir.path().join(name).exists()));
    }
    match job.go_on(dir.path(), expected) {
        Ok(became) => count.told += u64::from(became == Became::Told),
        Err(wrong) => count.wrong.push(format!("{}: {wrong}", job.name)),
    }
}

#[test]
#[ignore = "slow: .ci/slow"]
fn killed_at_random_every_command_goes_on_to_the_same_bytes() {
    let kills = std::env::var("NERODE_KILLS").ok().map_or(2, |kills| kills.parse().unwrap());
    let mut rng = ChaCha12Rng::seed_from_u64(26);
    let mut record = String::from("command,kills,midway,told,mismatches\n");
    let (mut all, mut wrong) = (0, Vec::new());
    for job in JOBS {
        let (prepared, expected) = job.expected();
        let time = time_of(job, prepared.path());
        let mut count = Count::default();
        // A kill may come too late.
        for _ in 0..4 * kills {
            if count.killed < kills {
                trial(job, prepared.path(), &expected, time, &mut rng, &mut count);
            }
        }
        let Count { killed, midway, told, wrong: mismatches } = count;
        writeln!(record, "{},{killed},{midway},{told},{}", job.name, mismatches.len()).unwrap();
        all += killed;
        wrong.extend(mismatches);
    }
    if let Ok(file) = std::env::var("NERODE_RECORD") {
        std::fs::write(file, record).unwrap();
    }
    assert!(wrong.is_empty(), "{} failures:\n{}", wrong.len(), wrong.join("\n"));
    assert!(all > 0, "no command was killed before it had finished");
}
