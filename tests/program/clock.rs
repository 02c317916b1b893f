//! Wrong clocks: files dated in the future or long ago make no difference.

use std::fs::{self, FileTimes};
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::long::{Became, JOBS};

/// Sets the date of every file below `at`.
fn date(at: &Path, time: SystemTime) {
    for entry in fs::read_dir(at).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            date(&entry.path(), time);
        } else {
            let file = fs::File::options().append(true).open(entry.path()).unwrap();
            file.set_times(FileTimes::new().set_accessed(time).set_modified(time)).unwrap();
        }
    }
}

/// This happens if a clock was set back by a century between two commands, or starts from its epoch.
#[test]
#[ignore = "slow: .ci/slow"]
fn files_of_the_future_and_of_the_past_are_gone_on_with() {
    const CENTURY: Duration = Duration::from_secs(100 * 365 * 24 * 3600);
    for job in JOBS.iter().filter(|job| job.writes.is_some()) {
        for time in [SystemTime::now() + CENTURY, SystemTime::UNIX_EPOCH] {
            let (dir, expected) = job.expected();
            date(dir.path(), time);
            assert!(job.run(dir.path(), &[]).status.success(), "{}", job.name);
            date(dir.path(), time);
            let done = job.go_on(dir.path(), &expected);
            assert!(matches!(done, Ok(Became::Resumed | Became::Told)), "{}: {done:?}", job.name);
        }
    }
}
