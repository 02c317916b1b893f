//! Memory that this process holds and may hold.

use std::sync::atomic::{AtomicU64, Ordering};

/// The memory cap in force, for whoever shows it; zero while there is none.
static CAP: AtomicU64 = AtomicU64::new(0);

/// What the program itself held when the cap was set.
static PROGRAM: AtomicU64 = AtomicU64::new(0);

/// Where Linux tells what this process holds.
const OWN: &str = "/proc/self/status";

/// Notes the memory cap, and what the program itself holds.
pub(super) fn set_cap(bytes: u64, program: u64) {
    CAP.store(bytes, Ordering::Relaxed);
    PROGRAM.store(program, Ordering::Relaxed);
}

/// The cap in force and what the program itself held when it was set; `None` while there is no cap.
pub(super) fn cap_and_program() -> Option<(u64, u64)> {
    let [cap, program] = [&CAP, &PROGRAM].map(|bytes| bytes.load(Ordering::Relaxed));
    (cap > 0).then_some((cap, program))
}

/// Bytes of memory that the system could give now, where it says so.
pub(super) fn available_memory() -> Option<u64> {
    kilobytes("/proc/meminfo", "MemAvailable:")
}

/// Bytes of memory that this process holds, where the system says so, and the cap in force.
pub(super) fn memory() -> (Option<u64>, Option<u64>) {
    let cap = CAP.load(Ordering::Relaxed);
    (held_bytes(), (cap > 0).then_some(cap))
}

/// Bytes of memory that this process holds, where the system says so.
pub(super) fn held_bytes() -> Option<u64> {
    kilobytes(OWN, "VmRSS:")
}

/// Bytes of memory that this process holds, and how many of them are parts of files: none where the system only says the former.
pub(super) fn held_bytes_and_of_files() -> Option<(u64, u64)> {
    let text = std::fs::read_to_string(OWN).ok()?;
    Some((field_of(&text, "VmRSS:")?, field_of(&text, "RssFile:").unwrap_or(0)))
}

/// Most bytes of memory that this process has held, where the system says so.
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
