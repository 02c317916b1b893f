//! Steps of the work for progress reports, in words and as JSON.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use super::amount::{bytes, counted, duration, grouped};
use super::count::Count;

/// The event that a step reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Event {
    /// A ply has been completed.
    Ply,
    /// Work on one of several items, such as sectors, has started.
    Item,
    /// A number of positions or other units has been completed, out of a known total.
    Part,
    /// Nothing has been completed since the last step, but the work continues.
    Working,
}

/// A step of the work, with the current state.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub(in crate::cli) struct Step {
    /// What the step reports.
    pub(super) event: Event,
    /// The current activity, such as `retrograde`, `forward` or `verify`.
    pub(super) phase: String,
    /// The object of the activity, such as a sector, a form or an order, or null.
    pub(super) item: Option<String>,
    /// The last completed ply, or null.
    pub(super) ply: Option<u32>,
    /// The number of states of the sets of this ply, or null.
    pub(super) num_states: Option<u64>,
    /// The number of positions that have a value after this ply, or that are reachable at it, or null.
    pub(super) positions: Option<Count>,
    /// The number of completed units of work, or null if they are not counted.
    pub(super) done: Option<u64>,
    /// The total number of units of work, or null if they are not counted.
    pub(super) total: Option<u64>,
    /// The memory that the process holds in bytes, or null if the system does not report it.
    pub(super) memory_bytes: Option<u64>,
    /// The memory cap in bytes, or null if the command has none.
    pub(super) memory_cap_bytes: Option<u64>,
    /// The elapsed time in seconds.
    pub(super) elapsed_seconds: f64,
    /// The time in seconds since something was last completed.
    pub(super) since_seconds: f64,
    /// The time in seconds until the next ply is completed, extrapolated from the last two, or null if this is not
    /// possible.
    pub(super) next_ply_seconds: Option<f64>,
    /// The time in seconds until all work is completed, extrapolated from the work done so far, or null if this is not
    /// possible.
    pub(super) remaining_seconds: Option<f64>,
    /// The largest number of plies that remain if every ply decides as many positions as the slowest of the last plies, or
    /// null if their rate is not steady.
    pub(super) most_plies_left: Option<u64>,
    /// An upper bound of the time in seconds that these plies take, or null.
    pub(super) most_seconds_left: Option<f64>,
    /// The same time as a range if the parts differ too much for a single number, or null.
    pub(super) remaining_range: Option<Ends>,
}

/// The progress of a command: one line of standard error for each step with `--progress json`, and from time to time
/// with `--json` if standard error is not a terminal.
#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct ProgressLine<'a> {
    /// The step.
    pub(super) progress: &'a Step,
}

/// A range of times in seconds.
#[derive(Clone, Copy, Debug, JsonSchema, Serialize)]
pub(super) struct Ends {
    /// The low end.
    pub(super) low: f64,
    /// The high end.
    pub(super) high: f64,
}

impl Step {
    pub(super) fn new(event: Event, phase: &str) -> Self {
        Self {
            event,
            phase: phase.into(),
            item: None,
            ply: None,
            num_states: None,
            positions: None,
            done: None,
            total: None,
            memory_bytes: None,
            memory_cap_bytes: None,
            elapsed_seconds: 0.0,
            since_seconds: 0.0,
            next_ply_seconds: None,
            remaining_seconds: None,
            most_plies_left: None,
            most_seconds_left: None,
            remaining_range: None,
        }
    }

    /// Formats the step in words, without the elapsed time. The most important facts come first, because a narrow
    /// terminal cuts off the others.
    pub(super) fn text(&self) -> String {
        let mut head = self.phase.clone();
        if let Some(ply) = self.ply {
            head += &format!(" ply {ply}");
        }
        if let Some(item) = &self.item {
            head += &format!(": {item}");
        }
        let mut parts = vec![head];
        if let (Some(done), Some(total)) = (self.done, self.total) {
            parts.push(format!("{} of {}", grouped(done.into()), grouped(total.into())));
        }
        if let Some(states) = self.num_states {
            parts.push(counted(states.into(), "state", "states"));
        }
        if let Some(positions) = self.positions {
            parts.push(counted(positions.0, "position", "positions"));
        }
        if self.event == Event::Working {
            parts.push(format!("working for {}", duration(self.since_seconds)));
        }
        if let Some(left) = self.remaining_seconds {
            parts.push(format!("about {} left", duration(left)));
        }
        if let Some(left) = self.remaining_range {
            parts.push(format!("{} to {} left", duration(left.low), duration(left.high)));
        }
        if let (Some(plies), Some(seconds)) = (self.most_plies_left, self.most_seconds_left) {
            let plies = counted(plies.into(), "ply", "plies");
            parts.push(format!("at most {plies} and {} left at this rate", duration(seconds)));
        }
        if let Some(next) = self.next_ply_seconds {
            parts.push(format!("next ply in about {}", duration(next)));
        }
        match (self.memory_bytes, self.memory_cap_bytes) {
            (Some(held), Some(cap)) => {
                parts.push(format!("memory {} of {}", bytes(held), bytes(cap)));
            }
            (Some(held), None) => parts.push(format!("memory {}", bytes(held))),
            _ => {}
        }
        parts.join(", ")
    }
}

/// Formats the elapsed time as in logs: `00:01:05`.
pub(super) fn clock(elapsed: Duration) -> String {
    let s = elapsed.as_secs();
    format!("{:02}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_have_hours_minutes_and_seconds() {
        assert_eq!(clock(Duration::from_secs(100 * 3600 + 61)), "100:01:01");
    }

    #[test]
    fn a_step_says_what_is_known_of_it() {
        let mut step = Step::new(Event::Ply, "retrograde");
        (step.ply, step.num_states, step.positions) = (Some(3), Some(1234), Some(Count(56)));
        assert_eq!(step.text(), "retrograde ply 3, 1 234 states, 56 positions");
        let json = serde_json::to_value(&step).unwrap();
        assert_eq!((&json["event"], &json["positions"]), (&"ply".into(), &"56".into()));
        let mut step = Step::new(Event::Part, "verify");
        (step.done, step.total, step.remaining_seconds) = (Some(1), Some(4), Some(30.0));
        assert_eq!(step.text(), "verify, 1 of 4, about 30 s left");
        (step.most_plies_left, step.most_seconds_left) = (Some(1200), Some(600.0));
        assert_eq!(
            step.text(),
            "verify, 1 of 4, about 30 s left, at most 1 200 plies and 10 min left at this rate"
        );
        (step.most_plies_left, step.most_seconds_left) = (None, None);
        (step.remaining_seconds, step.remaining_range) = (None, Some(Ends { low: 30.0, high: 7200.0 }));
        assert_eq!(step.text(), "verify, 1 of 4, 30 s to 2 h left");
    }
}
