//! The memory that this process holds, and the memory that it may hold.

use std::sync::atomic::{AtomicU64, Ordering};

/// The current memory cap for displays, or zero if there is none.
static CAP: AtomicU64 = AtomicU64::new(0);

/// The memory of the program itself at the time the cap was set.
static PROGRAM: AtomicU64 = AtomicU64::new(0);

/// The file in which Linux reports the memory of this process.
const OWN: &str = "/proc/self/status";

/// Records the memory cap and the memory of the program itself.
pub(super) fn set_cap(bytes: u64, program: u64) {
    CAP.store(bytes, Ordering::Relaxed);
    PROGRAM.store(program, Ordering::Relaxed);
}

/// Returns the current cap and the memory that the program itself held when the cap was set, or `None` if there is no
/// cap.
pub(super) fn cap_and_program() -> Option<(u64, u64)> {
    let [cap, program] = [&CAP, &PROGRAM].map(|bytes| bytes.load(Ordering::Relaxed));
    (cap > 0).then_some((cap, program))
}

/// Returns the number of bytes of memory available from the system, if the system reports it.
pub(super) fn available_memory() -> Option<u64> {
    kilobytes("/proc/meminfo", "MemAvailable:")
}

/// Returns the number of bytes of memory that this process holds, if the system reports it, and the current cap.
pub(super) fn memory() -> (Option<u64>, Option<u64>) {
    let cap = CAP.load(Ordering::Relaxed);
    (held_bytes(), (cap > 0).then_some(cap))
}

/// Returns the number of bytes of memory that this process holds, if the system reports it.
pub(super) fn held_bytes() -> Option<u64> {
    kilobytes(OWN, "VmRSS:")
}

/// Returns the number of bytes of memory that this process holds, and how many of them are mapped files. The second
/// number is 0 if the system does not report it.
pub(super) fn held_bytes_and_of_files() -> Option<(u64, u64)> {
    let text = std::fs::read_to_string(OWN).ok()?;
    Some((field_of(&text, "VmRSS:")?, field_of(&text, "RssFile:").unwrap_or(0)))
}

/// Returns the peak number of bytes of memory of this process, if the system reports it.
pub(super) fn peak_rss_bytes() -> Option<u64> {
    kilobytes(OWN, "VmHWM:")
}

fn kilobytes(file: &str, field: &str) -> Option<u64> {
    field_of(&std::fs::read_to_string(file).ok()?, field)
}

fn field_of(text: &str, field: &str) -> Option<u64> {
    let line = text.lines().find_map(|l| l.strip_prefix(field))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|n| n * 1024)
}
