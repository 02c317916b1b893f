//! Threads, memory cap and interruption, from the command line and the machine.

use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};

use crate::solve::resources::Resources;

/// Options of commands that compute.
#[derive(Debug, clap::Args)]
pub(super) struct ResourceArgs {
    /// Threads to use; results do not depend on it [default: all cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Memory cap, such as 512MiB or 4GiB [default: three quarters of what is available]
    #[arg(long, value_parser = parse_bytes)]
    memory: Option<u64>,
}

/// Part of the cap that the engine's tables may take: the rest is for buffers, files and finished automata.
const ENGINE_SHARE: (u64, u64) = (3, 4);

/// Cap where the system does not tell what is available.
const FALLBACK_MEMORY: u64 = 4 << 30;

impl ResourceArgs {
    /// Resolves the options and lets Ctrl-C interrupt the work.
    pub(super) fn resolve(&self) -> Result<Resources> {
        let cap = self.memory.unwrap_or_else(|| available_memory().map_or(FALLBACK_MEMORY, |n| n / 4 * 3));
        let threads = match self.threads {
            Some(n) => usize::from(n),
            None => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        };
        Ok(Resources {
            memory: cap / ENGINE_SHARE.1 * ENGINE_SHARE.0,
            threads,
            interrupt: interrupt_flag()?,
            ..Resources::default()
        })
    }
}

/// The flag that Ctrl-C sets; a second Ctrl-C ends the process as usual.
fn interrupt_flag() -> Result<Arc<AtomicBool>> {
    static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    if let Some(flag) = FLAG.get() {
        return Ok(Arc::clone(flag));
    }
    let flag = Arc::clone(FLAG.get_or_init(|| Arc::new(AtomicBool::new(false))));
    let set = Arc::clone(&flag);
    ctrlc::set_handler(move || {
        if set.swap(true, Ordering::Relaxed) {
            std::process::exit(2);
        }
        eprintln!("\ninterrupted: finishing what is on disk; once more to stop at once");
    })
    .context("cannot watch for Ctrl-C")?;
    Ok(flag)
}

/// Reads `4GiB`, `512MiB`, `2G`, `1000000`.
pub(super) fn parse_bytes(text: &str) -> Result<u64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = text[digits.len()..].to_ascii_lowercase();
    let shift = match unit.trim_end_matches('b').trim_end_matches('i') {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        _ => bail!("'{text}' is not an amount of memory; examples: 512MiB, 4GiB, 1000000"),
    };
    let number: u64 =
        digits.trim().parse().ok().with_context(|| {
            format!("'{text}' is not an amount of memory; examples: 512MiB, 4GiB, 1000000")
        })?;
    number.checked_mul(1 << shift).with_context(|| format!("'{text}' is more than 64 bits of bytes"))
}

/// Bytes of memory that the system could give now, where it says so.
fn available_memory() -> Option<u64> {
    kilobytes("/proc/meminfo", "MemAvailable:")
}

/// Most bytes of memory that this process has held, where the system says so.
pub(super) fn peak_rss_bytes() -> Option<u64> {
    kilobytes("/proc/self/status", "VmHWM:")
}

fn kilobytes(file: &str, field: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix(field))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|n| n * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_of_memory() {
        assert_eq!(parse_bytes("512MiB").unwrap(), 512 << 20);
        assert_eq!(parse_bytes("4g").unwrap(), 4 << 30);
        assert_eq!(parse_bytes("12").unwrap(), 12);
        for bad in ["", "GiB", "4 apples", "-1", "99999999999T"] {
            assert!(parse_bytes(bad).is_err(), "{bad}");
        }
    }
}
