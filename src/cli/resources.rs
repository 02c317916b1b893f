//! The number of threads and the memory cap, determined by the command line and the machine.

use std::path::Path;

use anyhow::{Context, Result, bail};

use super::choices::{number, threads};
use super::interrupt::interrupt_flag;
use super::memory::watch;
use super::output::{Output, counted};
use super::words::shell;
use nerode_solver::memory::left_by_program;
pub(super) use nerode_solver::memory::{peak_rss_bytes, usable_memory};
use nerode_solver::solve::resources::Resources;
use nerode_solver::units::{UnitSizes, UnitsBy, stored_sizes};

/// Options of commands that compute.
#[derive(Debug, clap::Args)]
pub(super) struct ResourceArgs {
    /// The number of threads, which does not affect results [default: all cores]
    #[arg(long, value_parser = threads)]
    threads: Option<u16>,
    #[command(flatten)]
    memory: MemoryArg,
}

/// The memory of commands that compute.
#[derive(Debug, clap::Args)]
pub(super) struct MemoryArg {
    /// Memory cap, such as 512MiB or 4GiB [default: three quarters of the available memory]
    #[arg(long, value_parser = parse_bytes)]
    memory: Option<u64>,
}

/// Whether large sets are computed in units.
#[derive(Debug, clap::Args)]
pub(super) struct UnitArgs {
    /// Compute the sets of a ply in units if they have at least this many states [default: 1048576, or the original number
    /// of a resumed solve]. Units are files of the run until the ply is on disk, so that finished ones are not computed
    /// again after an interruption. Takes less memory and more time, and does not affect results
    #[arg(
        long = "units",
        value_name = "STATES",
        num_args = 0..=1,
        require_equals = true,
        value_parser = number(1..=u32::MAX),
        help_heading = "Sets in units"
    )]
    units: Option<Option<u32>>,
    /// Which processes compute units: this one; others, which are 'nerode unit RUN' on any machine with access to the
    /// folder; or anyone, including this process [default: itself]
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
            out.note(&format!("other processes can compute units with 'nerode unit {} --wait'", shell(run)));
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
            (Some(None), Some(run)) => Some(stored_sizes(run)?.unwrap_or_default()),
            (Some(None), None) => Some(UnitSizes::default()),
        })
    }
}

impl ResourceArgs {
    /// Resolves the options. Signals interrupt the work.
    pub(super) fn resolve(&self) -> Result<Resources> {
        Ok(Resources { threads: threads_or_all(self.threads), ..self.memory.resolve()? })
    }

    /// Resolves the options after the work, for what is printed about it. This needs little memory, and the program itself may hold
    /// more than before, so that little is always left.
    pub(super) fn resolve_at_end(&self) -> Resources {
        let left = left_by_program(self.memory.cap()).unwrap_or(LITTLE);
        let threads = threads_or_all(self.threads);
        Resources { threads, interrupt: interrupt_flag(), ..Resources::within(left) }
    }
}

/// The number of bytes that are always left for results.
const LITTLE: u64 = 10 << 20;

impl MemoryArg {
    fn cap(&self) -> u64 {
        self.memory.unwrap_or_else(usable_memory)
    }

    /// Resolves the option for one thread. Signals interrupt the work.
    pub(super) fn resolve(&self) -> Result<Resources> {
        let cap = self.cap();
        let left = left_by_program(cap)?;
        watch(cap, cap - left);
        Ok(Resources { threads: 1, interrupt: interrupt_flag(), ..Resources::within(left) })
    }
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
fn threads_used(asked: u16) -> usize {
    usize::from(asked).min(most_threads(num_cores()))
}

/// Returns the number of threads that are used if `requested` are requested, or one per core without a request.
pub(super) fn threads_or_all(requested: Option<u16>) -> usize {
    requested.map_or_else(num_cores, threads_used)
}

/// Returns a note if fewer threads are used than `asked`.
pub(super) fn too_many_threads(asked: u16) -> Option<String> {
    let used = threads_used(asked);
    (used < usize::from(asked)).then(|| {
        let cores = counted(num_cores() as u128, "core", "cores");
        format!("{used} threads are used: more threads would not help on {cores}")
    })
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
    number.checked_mul(1 << shift).with_context(|| format!("'{text}' is more bytes than fit in 64 bits"))
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
    fn amounts_of_memory() {
        assert_eq!(parse_bytes("512MiB").unwrap(), 512 << 20);
        assert_eq!(parse_bytes("4g").unwrap(), 4 << 30);
        assert_eq!(parse_bytes("12").unwrap(), 12);
        for bad in ["", "GiB", "4 apples", "-1", "99999999999T"] {
            assert!(parse_bytes(bad).is_err(), "{bad}");
        }
    }
}
