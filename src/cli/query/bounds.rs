//! The bounds that `nerode query` prints for positions of unknown value, from a search of a few plies into the
//! solution.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::Result;
use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::choices::number;
use crate::cli::interrupt::interrupt_flag;
use crate::cli::output::{Output, counted};
use crate::cli::resources::{parse_bytes, usable_memory};
use nerode_play::bounds::{Bounds, Goal, Means, Now, Search};
use nerode_solver::outcome::ValueRange;
use nerode_solver::stored::{Answer, Solution};

/// The number of plies if only a time is given, so that the time ends the search.
const MANY_PLIES: u32 = 60;

/// The fraction of the memory, as a divisor, that a search may use.
const SEARCH_SHARE: u64 = 4;

/// Options of searches.
#[derive(Debug, clap::Args)]
pub(super) struct SearchArgs {
    /// For positions whose values the solution lacks: search this many plies, including the first move [default: 1, or 60
    /// with --search-seconds]
    #[arg(long, value_name = "N", value_parser = number(1..=60u32))]
    search_plies: Option<u32>,
    /// For positions whose values or depths the solution lacks: search for this many seconds, deepening ply by ply [default
    /// for depths: 10]. With --batch: for each line
    #[arg(long, value_name = "S", value_parser = seconds)]
    search_seconds: Option<Duration>,
    /// Search only until the position is known to be at least a draw, which is faster than finding its value
    #[arg(long)]
    draw_only: bool,
    /// Memory cap, such as 2GiB. A quarter is for searches, and the rest for tables of sectors, of which the least recently
    /// used are dropped first [default: a quarter of the available memory for searches]
    #[arg(long, value_parser = parse_bytes)]
    memory: Option<u64>,
}

pub(in crate::cli) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| *seconds > 0.0);
    let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.ok_or_else(|| format!("'{text}' is not a number of seconds, such as 10 or 0.5"))
}

/// A search from a position whose value the solution does not contain.
#[derive(JsonSchema, Serialize)]
pub(super) struct Searched {
    /// The number of plies that were searched completely.
    plies: u32,
    /// Whether a deeper search would not narrow the requested values further.
    complete: bool,
    /// The number of positions visited.
    nodes: u64,
    /// The number of these positions that were looked up in the solution.
    looked_up: u64,
    /// The number of sectors read from disk.
    loads: u64,
    /// Whether `nerode bounds` has stored a range for the position.
    stored: bool,
    /// The best moves of both sides, as far as the search shows them.
    line: Vec<String>,
}

impl SearchArgs {
    /// Limits the memory and the searches of the solution according to the options.
    pub(super) fn limit(&self, solution: Solution) -> Solution {
        let solution = match self.memory {
            Some(memory) => solution.with_memory(memory - memory / SEARCH_SHARE),
            None => solution,
        };
        match self.search_seconds {
            Some(time) => solution.with_search_time(time),
            None => solution,
        }
    }

    /// Returns `true` if a search is requested.
    pub(super) fn is_requested(&self) -> bool {
        self.search_plies.is_some() || self.search_seconds.is_some()
    }

    fn is_needed(&self, answer: &Answer) -> bool {
        let is_open = answer.moves().iter().any(|reply| reply.value().is_none());
        let is_known = answer.value().is_some() && answer.is_covered();
        !is_known || (self.is_requested() && is_open)
    }

    /// Searches if the solution does not contain the value of the position or, if a search is requested, of one of its
    /// moves.
    pub(super) fn ask(&self, solution: &Solution, answer: &Answer, out: &Output) -> Result<Option<Bounds>> {
        if !self.is_needed(answer) {
            return Ok(None);
        }
        let progress = out.progress("search");
        let mut watch = |now: Now| {
            let nodes = counted(now.nodes.into(), "position", "positions");
            progress.so_far(format!("ply {}, {} so far, {nodes}", now.plies, now.range));
        };
        let bounds = self.search(solution, answer, 1, &interrupt_flag(), &mut watch);
        progress.finish();
        Ok(bounds?)
    }

    /// Does the same for one of `searches` concurrent searches, which share the memory.
    pub(super) fn search(
        &self,
        solution: &Solution,
        answer: &Answer,
        searches: usize,
        interrupt: &AtomicBool,
        watch: &mut dyn FnMut(Now),
    ) -> crate::Result<Option<Bounds>> {
        if !self.is_needed(answer) {
            return Ok(None);
        }
        let unlimited = if self.search_seconds.is_some() { MANY_PLIES } else { 1 };
        let search = Search {
            plies: self.search_plies.unwrap_or(unlimited),
            deadline: self.search_seconds.and_then(|seconds| Instant::now().checked_add(seconds)),
            interrupt,
            memory: self.memory.unwrap_or_else(usable_memory) / SEARCH_SHARE / searches as u64,
            means: Means::ALL,
            goal: if self.draw_only { Goal::Draw } else { Goal::Value },
        };
        search.run(solution, answer, watch).map(Some)
    }
}

impl Searched {
    pub(super) fn new(bounds: &Bounds) -> Self {
        Self {
            plies: bounds.plies,
            complete: bounds.complete,
            nodes: bounds.nodes,
            looked_up: bounds.looked_up,
            loads: bounds.loads,
            stored: bounds.stored != ValueRange::UNKNOWN,
            line: bounds.line.iter().map(|reply| reply.text().to_string()).collect(),
        }
    }

    /// Describes the depth of the search and the line that it found.
    pub(super) fn text(&self) -> String {
        if self.nodes == 0 {
            return "known from its moves\n\n".into();
        }
        let plies = counted(self.plies.into(), "ply", "plies");
        let nodes = counted(self.nodes.into(), "position", "positions");
        let stored = if self.stored { "; its bounds are stored" } else { "" };
        let more = if self.complete { "" } else { "; --search-plies searches deeper" };
        let line =
            if self.line.is_empty() { String::new() } else { format!("line: {}\n", self.line.join(" ")) };
        format!("searched {plies}, {nodes}{stored}{more}\n{line}\n")
    }
}
