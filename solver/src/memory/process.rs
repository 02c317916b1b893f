//! The memory that this process holds, and the memory that the system has available.

/// The file in which Linux reports the memory of this process.
const OWN: &str = "/proc/self/status";

/// Returns the number of bytes of memory available from the system, if the system reports it.
pub fn available_memory() -> Option<u64> {
    kilobytes("/proc/meminfo", "MemAvailable:")
}

/// Returns the number of bytes of memory that this process holds, if the system reports it.
pub fn held_bytes() -> Option<u64> {
    kilobytes(OWN, "VmRSS:")
}

/// Returns the number of bytes of memory that this process holds, and how many of them are mapped files. The second
/// number is 0 if the system does not report it.
pub(super) fn held_bytes_and_of_files() -> Option<(u64, u64)> {
    let text = std::fs::read_to_string(OWN).ok()?;
    Some((field_of(&text, "VmRSS:")?, field_of(&text, "RssFile:").unwrap_or(0)))
}

/// Returns the peak number of bytes of memory of this process, if the system reports it.
pub fn peak_rss_bytes() -> Option<u64> {
    kilobytes(OWN, "VmHWM:")
}

fn kilobytes(file: &str, field: &str) -> Option<u64> {
    field_of(&std::fs::read_to_string(file).ok()?, field)
}

fn field_of(text: &str, field: &str) -> Option<u64> {
    let line = text.lines().find_map(|l| l.strip_prefix(field))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|n| n * 1024)
}
