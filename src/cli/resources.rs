//! The number of threads and the memory cap, determined by the command line and the machine.

use std::path::Path;

use anyhow::{Context, Result, bail};

use super::cap::{left_by_program, watch};
use super::interrupt::interrupt_flag;
pub(super) use super::memory::peak_rss_bytes;
use super::memory::{available_memory, set_cap};
use super::output::Output;
use super::words::shell;
use nerode_solver::solve::resources::Resources;
use nerode_solver::units::{UnitSizes, UnitsBy, kept};

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

/// Whether large sets are computed in units.
#[derive(Debug, clap::Args)]
pub(super) struct UnitArgs {
    /// Compute the sets of a ply in units, from so many states on [default: 1048576, or what the solve was begun with]. Units are
    /// files of the run until the ply is on disk: after a stop those that are finished are not done again. Takes less memory and
    /// more time; results do not depend on it
    #[arg(
        long = "units",
        value_name = "STATES",
        num_args = 0..=1,
        require_equals = true,
        value_parser = clap::value_parser!(u32).range(1..),
        help_heading = "Sets in units"
    )]
    units: Option<Option<u32>>,
    /// Who does units: this process; others, which are 'nerode unit RUN' on this machine or on any that has the same folder; or
    /// anyone, this process included [default: itself]
    #[arg(long, value_enum, requires = "units", help_heading = "Sets in units")]
    units_by: Option<UnitsBy>,
}

impl UnitArgs {
    /// Returns which processes compute units.
    pub(super) fn by(&self) -> UnitsBy {
        self.units_by.unwrap_or_default()
    }

    /// Reports which processes the command is waiting for.
    pub(super) fn tell(&self, run: &Path, out: &Output) {
        if self.by().is_shared() {
            out.note(&format!("units may be done by others: 'nerode unit {} --wait'", shell(run)));
        }
    }

    /// Returns `true` if sets are to be computed in units.
    pub(super) fn are_asked_for(&self) -> bool {
        self.units.is_some()
    }

    /// Returns which sets are computed in units, if any. Without a number, returns the sizes with which the run being
    /// resumed in `run` was started, or the default ones.
    pub(super) fn sizes(&self, run: Option<&Path>) -> Result<Option<UnitSizes>> {
        Ok(match (self.units, run) {
            (None, _) => None,
            (Some(Some(states)), _) => Some(UnitSizes::from_states(states as usize)),
            (Some(None), Some(run)) => Some(kept(run)?.unwrap_or_default()),
            (Some(None), None) => Some(UnitSizes::default()),
        })
    }
}

/// The fraction of the cap, after subtracting the program itself, that the engine's tables may take if the cap is
/// large. The remainder is for buffers, files, finished automata, and freed memory that has not been returned to the
/// system.
const ENGINE_SHARE: (u64, u64) = (3, 4);

/// The approximate number of bytes that such memory takes in any case, or half of the cap if that is less.
const BESIDE: u64 = 64 << 20;

/// The cap if the system does not report the available memory.
const FALLBACK_MEMORY: u64 = 4 << 30;

impl ResourceArgs {
    /// Resolves the options. Signals interrupt the work.
    pub(super) fn resolve(&self) -> Result<Resources> {
        let cap = self.memory.unwrap_or_else(usable_memory);
        let left = left_by_program(cap)?;
        set_cap(cap, cap - left);
        watch(cap);
        let threads = self.threads.map_or_else(num_cores, threads_used);
        Ok(Resources {
            memory: engine_share(left),
            threads,
            interrupt: interrupt_flag(),
            ..Resources::default()
        })
    }
}

/// Returns the number of bytes that the engine's tables may take of the `left` bytes of a cap that remain after
/// subtracting the program itself.
pub(super) fn engine_share(left: u64) -> u64 {
    (left.saturating_sub(BESIDE) / ENGINE_SHARE.1 * ENGINE_SHARE.0).max(left / 2)
}

/// Returns the number of bytes of a cap that must remain after subtracting the program itself to allow tables of
/// `bytes` bytes.
pub(super) fn left_for_engine(bytes: u128) -> u128 {
    let much = bytes.div_ceil(ENGINE_SHARE.0.into()).saturating_mul(ENGINE_SHARE.1.into());
    much.saturating_add(BESIDE.into()).min(bytes.saturating_mul(2))
}

/// Returns the default memory cap of a command: three quarters of the available memory.
pub(super) fn usable_memory() -> u64 {
    available_memory().map_or(FALLBACK_MEMORY, |available| available / 4 * 3)
}

/// Returns the number of cores that this process may use.
fn num_cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Returns the maximum number of threads for a number of cores. With far more threads than cores, the threads would wait
/// for each other for hours.
fn most_threads(cores: usize) -> usize {
    cores.saturating_mul(4).max(16)
}

/// Returns the number of threads that are used if `asked` are requested.
pub(super) fn threads_used(asked: u16) -> usize {
    usize::from(asked).min(most_threads(num_cores()))
}

/// Returns a note if fewer threads are used than `asked`.
pub(super) fn too_many_threads(asked: u16) -> Option<String> {
    let used = threads_used(asked);
    (used < usize::from(asked))
        .then(|| format!("{used} threads are used: more bring nothing on {} cores", num_cores()))
}

/// Parses `4GiB`, `512MiB`, `2G`, `1000000`.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_a_few_for_each_core_at_most() {
        assert_eq!([1, 2, 4, 64].map(most_threads), [16, 16, 16, 256]);
        assert_eq!((threads_used(1), threads_used(16)), (1, 16));
        assert_eq!(too_many_threads(16), None);
        let most = most_threads(num_cores());
        if let Ok(more) = u16::try_from(most + 1) {
            assert_eq!(threads_used(more), most);
            assert!(
                too_many_threads(more).is_some_and(|said| said.contains(&format!("{most} threads are used")))
            );
        }
    }

    #[test]
    fn tables_take_half_of_little_and_three_quarters_of_much() {
        assert_eq!(
            [0, 64 << 20, 16 << 30].map(engine_share),
            [0, 32 << 20, ((16 << 30) - (64 << 20)) / 4 * 3]
        );
    }

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
