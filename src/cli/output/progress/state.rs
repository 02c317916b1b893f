//! How some work stands: the step that was told last, the times, and what they say of the rest.

use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use crate::cli::memory::memory;
use crate::cli::output::step::{Ends, Event, Step};
use nerode_solver::units::UnitsDone;

/// Shortest time between lines in logs, at first and at last: a log of a day should not be all progress.
const LOG_GAPS: (Duration, Duration) = (Duration::from_secs(10), Duration::from_secs(60));

/// What a ply must take before the time of the next is guessed from it.
const LEAST_PLY_SECONDS: f64 = 0.5;

/// What was done, when it was told, and what that says of the rest.
pub(super) struct State {
    pub(super) step: Step,
    pub(super) began: Instant,
    /// When something was done last.
    pub(super) done_at: Instant,
    /// When a ply was done last.
    pub(super) ply_at: Instant,
    /// When a line was printed last.
    pub(super) told_at: Option<Instant>,
    /// Whether something was done that no line tells.
    pub(super) untold: bool,
    pub(super) drawn_at: Option<Instant>,
    pub(super) bar: Option<ProgressBar>,
    /// Seconds that the last two plies took, the last one first.
    pub(super) plies: [f64; 2],
    /// When parts were counted first, and how many were done then.
    pub(super) parts: Option<(Instant, u64)>,
    /// Seconds from the last step to the end, at least and at most, where whoever works knows better than by counting parts.
    pub(super) left: Option<[f64; 2]>,
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
            over: false,
        }
    }

    /// Whether a log should have a line again.
    pub(super) fn is_time(&self) -> bool {
        let gap = (self.began.elapsed() / 20).clamp(LOG_GAPS.0, LOG_GAPS.1);
        self.told_at.unwrap_or(self.began).elapsed() >= gap
    }

    /// Takes in how far the units of the next ply are.
    pub(super) fn count_units(&mut self, UnitsDone { done, total }: UnitsDone) {
        let (done, total) = (done as u64, total as u64);
        let step = &mut self.step;
        // Of other images than before, whose times say nothing of these.
        if step.total != Some(total) || self.parts.is_none() {
            self.parts = Some((Instant::now(), done));
        }
        step.item = Some("the next ply in units".into());
        (step.done, step.total) = (Some(done), Some(total));
        // Those of the last ply were told.
        (step.num_states, step.positions) = (None, None);
    }

    /// Takes in that no units are under work.
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

/// Seconds that the next ply takes if times go on growing or shrinking as between the last two; the last one first.
fn next_ply([last, before]: [f64; 2]) -> Option<f64> {
    (last >= LEAST_PLY_SECONDS && before >= LEAST_PLY_SECONDS).then(|| last * (last / before).clamp(0.5, 3.0))
}

/// Seconds that so much more takes, if so much took so many seconds.
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
