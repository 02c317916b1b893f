//! The state of some work: the step that was reported last, the times, and the remaining time that they imply.

use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use crate::cli::memory::memory;
use crate::cli::output::step::{Ends, Event, Step};
use nerode_solver::solve::progress::Rate;
use nerode_solver::units::UnitsDone;

/// The minimum time between lines in logs, at the beginning and later on, so that the log of a long run is not
/// dominated by progress.
const LOG_GAPS: (Duration, Duration) = (Duration::from_secs(10), Duration::from_secs(60));

/// The minimum time of a ply from which the time of the next one is extrapolated.
const LEAST_PLY_SECONDS: f64 = 0.5;

/// The time from which the remaining plies of a solve at a steady rate are shown, in seconds.
const LEAST_SECONDS_LEFT: f64 = 60.0;

/// The completed work, the times of the reports, and the remaining time that they imply.
pub(super) struct State {
    pub(super) step: Step,
    pub(super) began: Instant,
    /// The time of the last completion.
    pub(super) done_at: Instant,
    /// The time when the last ply was completed.
    pub(super) ply_at: Instant,
    /// The time when the last line was printed.
    pub(super) told_at: Option<Instant>,
    /// Whether something has been completed that no line has shown.
    pub(super) untold: bool,
    pub(super) drawn_at: Option<Instant>,
    pub(super) bar: Option<ProgressBar>,
    /// The times of the last two plies in seconds, the last one first.
    pub(super) plies: [f64; 2],
    /// The time when parts were counted first, and the number completed at that time.
    pub(super) parts: Option<(Instant, u64)>,
    /// The minimum and maximum number of seconds from the last step to the end, if the worker has better information
    /// than the number of parts.
    pub(super) left: Option<[f64; 2]>,
    /// The rate of the last plies.
    pub(super) rate: Rate,
    pub(super) over: bool,
}

impl State {
    pub(super) fn new(phase: &str, bar: Option<ProgressBar>) -> Self {
        let now = Instant::now();
        Self {
            step: Step::new(Event::Working, phase),
            began: now,
            done_at: now,
            ply_at: now,
            told_at: None,
            untold: false,
            drawn_at: None,
            bar,
            plies: [0.0; 2],
            parts: None,
            left: None,
            rate: Rate::default(),
            over: false,
        }
    }

    /// Returns `true` if another line in the log is due.
    pub(super) fn is_time(&self) -> bool {
        let gap = (self.began.elapsed() / 20).clamp(LOG_GAPS.0, LOG_GAPS.1);
        self.told_at.unwrap_or(self.began).elapsed() >= gap
    }

    /// Records the progress of the units of the next ply.
    pub(super) fn count_units(&mut self, UnitsDone { done, total }: UnitsDone) {
        let (done, total) = (done as u64, total as u64);
        let step = &mut self.step;
        // The units belong to other images than before, whose times do not apply to them.
        if step.total != Some(total) || self.parts.is_none() {
            self.parts = Some((Instant::now(), done));
        }
        step.item = Some("the next ply in units".into());
        (step.done, step.total) = (Some(done), Some(total));
        // The values of the last ply have been shown already.
        (step.num_states, step.positions) = (None, None);
    }

    /// Records that no units are being computed.
    pub(super) fn end_units(&mut self) {
        self.parts = None;
        (self.step.item, self.step.done, self.step.total) = (None, None, None);
    }

    /// Fills in times and memory.
    pub(super) fn measure(&mut self) {
        let idle = self.done_at.elapsed().as_secs_f64();
        let step = &mut self.step;
        (step.memory_bytes, step.memory_cap_bytes) = memory();
        step.elapsed_seconds = self.began.elapsed().as_secs_f64();
        step.since_seconds = idle;
        let next = if self.parts.is_none() { next_ply(self.plies) } else { None };
        let since_ply = self.ply_at.elapsed().as_secs_f64();
        step.next_ply_seconds = next.map(|all| all - since_ply).filter(|left| *left >= LEAST_PLY_SECONDS);
        let most = self.rate.left().filter(|left| left.most_seconds >= LEAST_SECONDS_LEFT);
        step.most_plies_left = most.map(|left| left.plies);
        step.most_seconds_left = most.map(|left| left.most_seconds);
        step.remaining_range =
            self.left.map(|ends| ends.map(|end| (end - idle).max(0.0))).map(|[low, high]| Ends { low, high });
        step.remaining_seconds = match (self.parts, step.done, step.total) {
            _ if self.left.is_some() => None,
            (Some((from, before)), Some(done), Some(total)) => remaining(
                from.elapsed().as_secs_f64(),
                done.saturating_sub(before),
                total.saturating_sub(done),
            ),
            _ => None,
        };
    }

    pub(super) fn draw(&mut self) {
        if self.bar.is_some() {
            self.measure();
            self.drawn_at = Some(Instant::now());
        }
        let Some(bar) = &self.bar else { return };
        if let (Some(done), Some(total)) = (self.step.done, self.step.total) {
            bar.set_length(total);
            bar.set_position(done);
        }
        bar.set_message(self.step.text());
    }
}

/// Extrapolates the time of the next ply in seconds, assuming that times grow or shrink as between the last two,
/// which are given with the last one first.
fn next_ply([last, before]: [f64; 2]) -> Option<f64> {
    (last >= LEAST_PLY_SECONDS && before >= LEAST_PLY_SECONDS).then(|| last * (last / before).clamp(0.5, 3.0))
}

/// Returns the seconds that `left` more parts take if `done` parts took `seconds`.
fn remaining(seconds: f64, done: u64, left: u64) -> Option<f64> {
    (seconds >= 1.0 && done > 0).then(|| seconds * left as f64 / done as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_counted_until_they_end() {
        let mut state = State::new("retrograde", None);
        (state.step.ply, state.step.num_states, state.plies) = (Some(3), Some(7), [40.0, 20.0]);
        state.count_units(UnitsDone { done: 2, total: 9 });
        state.measure();
        let text = state.step.text();
        assert!(text.starts_with("retrograde ply 3: the next ply in units, 2 of 9"), "{text}");
        assert!(!text.contains("states") && !text.contains("next ply in about"), "{text}");
        let (_, before) = state.parts.unwrap();
        state.count_units(UnitsDone { done: 3, total: 9 });
        assert_eq!(state.parts.unwrap().1, before, "the same units");
        state.count_units(UnitsDone { done: 3, total: 20 });
        assert_eq!(state.parts.unwrap().1, 3, "units of one more image");
        state.end_units();
        state.measure();
        let text = state.step.text();
        assert!(text.starts_with("retrograde ply 3") && !text.contains("units"), "{text}");
        assert!(text.contains("next ply in about"), "{text}");
    }

    #[test]
    fn times_are_guessed_only_from_what_took_time() {
        assert_eq!(next_ply([4.0, 2.0]), Some(8.0));
        assert_eq!(next_ply([40.0, 2.0]), Some(120.0), "growth is held");
        assert_eq!(next_ply([4.0, 0.1]), None);
        assert_eq!(remaining(10.0, 1, 3), Some(30.0));
        assert_eq!(remaining(0.1, 1, 3), None);
        assert_eq!(remaining(10.0, 0, 3), None);
    }
}
