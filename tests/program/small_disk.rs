//! A disk that is too small, as a separate file system: the work is refused or stops, reports how much space is
//! needed and what to do, and finishes with the same bytes once there is space. Skipped if file systems cannot be
//! mounted.
#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::Command;

use super::long::{JOBS, Job, copy};
use crate::common::{Files, scratch};

/// A file system in memory, which is unmounted when the value is dropped.
struct Mounted<'a>(&'a Path);

fn mount(arguments: &[&str], at: &Path) -> bool {
    let output = Command::new("mount").args(arguments).arg("none").arg(at).output();
    output.is_ok_and(|output| output.status.success())
}

impl<'a> Mounted<'a> {
    /// Mounts a file system of `kib` KiB at `at`. Returns `None` if this is not permitted.
    fn new(at: &'a Path, kib: u32) -> Option<Self> {
        mount(&["-t", "tmpfs", "-o", &format!("size={kib}k")], at).then_some(Self(at))
    }

    fn resize(&self, kib: u32) {
        assert!(mount(&["-o", &format!("remount,size={kib}k")], self.0));
    }
}

impl Drop for Mounted<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).status();
    }
}

/// The number of kibibytes that the program leaves free for other programs.
const MARGIN: u32 = 64 << 10;

/// Runs the job on a disk with `kib` KiB in addition to the margin and its input, and then with more space. Returns
/// whether the disk was too small.
fn on(job: &Job, prepared: &Path, expected: &Files, kib: u32) -> Option<bool> {
    let dir = scratch();
    let at = dir.path().join("at");
    std::fs::create_dir(&at).unwrap();
    let disk = Mounted::new(&at, 4 * MARGIN)?;
    copy(prepared, &at);
    let used = 4 * files_of(&at);
    disk.resize(MARGIN + used + kib);
    let output = job.run(&at, &["--threads", "1"]);
    let said = String::from_utf8_lossy(&output.stderr);
    disk.resize(4 * MARGIN);
    if output.status.success() {
        assert_eq!(job.same(&at, expected, super::long::Became::Whole), Ok(super::long::Became::Whole));
        return Some(false);
    }
    let what = format!("{} with {kib} KiB", job.name);
    assert_eq!(output.status.code(), Some(2), "{what}: {said}");
    let names_room = said.contains("must leave") || said.contains(" of disk, and ");
    assert!(names_room && said.contains("free") && said.contains("hint: "), "{what}: {said}");
    let done = job.go_on(&at, expected);
    assert!(done.is_ok(), "{what}: {done:?}; the first output was: {said}");
    Some(true)
}

/// Returns the approximate number of pages that the files in a directory occupy.
fn files_of(at: &Path) -> u32 {
    let entries = std::fs::read_dir(at).unwrap().map(Result::unwrap);
    entries
        .map(|entry| match entry.file_type().unwrap().is_dir() {
            true => files_of(&entry.path()),
            false => entry.metadata().unwrap().len().div_ceil(4096) as u32,
        })
        .sum()
}

#[test]
#[ignore = "slow: .ci/slow"]
fn a_disk_of_64_mib_stops_the_work_until_there_is_room() {
    let mut stopped = 0;
    for job in JOBS.iter().filter(|job| job.writes.is_some()) {
        let (prepared, expected) = job.expected();
        for kib in [0, 12, 40] {
            match on(job, prepared.path(), &expected, kib) {
                None => return eprintln!("skipped: this process may not mount a file system"),
                Some(is_stopped) => {
                    assert!(is_stopped || kib > 0, "{}: files on a full disk", job.name);
                    stopped += u32::from(is_stopped);
                }
            }
        }
    }
    assert!(stopped > 20, "{stopped} jobs stopped");
}
