//! Progress on standard error: a redrawn line on a terminal, lines of text or JSON elsewhere.
//!
//! Workers report their progress. A separate thread reports the state when nothing has been completed for a while.

mod drawn;
mod how;
mod state;

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use self::drawn::locked;
use self::how::Lines;
use self::state::State;
use super::count::Count;
use super::json::Document;
use super::step::{Event, ProgressLine, clock};
use super::text::print_aside;
use nerode_solver::solve::progress::{PlyDone, Rate};
use nerode_solver::units::UnitsDone;

pub(super) use self::drawn::Drawn;
pub(super) use self::how::How;

/// The minimum time between two lines with little news, and between two redraws.
const LEAST_GAP: Duration = Duration::from_millis(100);

/// The time between two checks of the state.
const TICK: Duration = Duration::from_millis(500);

/// A display of the progress of some work. It is removed when it is dropped.
pub(in crate::cli) struct Progress {
    shared: Arc<Shared>,
}

struct Shared {
    command: String,
    how: How,
    drawn: Drawn,
    state: Mutex<State>,
    over: Condvar,
}

impl Progress {
    pub(super) fn new(phase: &'static str, command: &str, how: How, drawn: Drawn) -> Self {
        let state = State::new(phase, how.drawn.then(|| drawn.begin()));
        let state = Mutex::new(state);
        let shared = Arc::new(Shared { command: command.into(), how, drawn, state, over: Condvar::new() });
        if how.drawn || how.lines.is_some() {
            let beside = Arc::clone(&shared);
            // Without the thread, long steps show no progress, but the work is not affected.
            let _ = std::thread::Builder::new().name("progress".into()).spawn(move || beside.watch());
        }
        Self { shared }
    }

    /// Shows a completed ply.
    pub(in crate::cli) fn ply(&self, done: &PlyDone) {
        self.shared.tell(Event::Ply, |state| {
            state.plies = [state.ply_at.elapsed().as_secs_f64(), state.plies[0]];
            (state.parts, state.ply_at) = (None, Instant::now());
            state.rate.record(done, state.began.elapsed().as_secs_f64());
            let step = &mut state.step;
            if step.phase != done.phase {
                state.plies = [0.0; 2];
                state.rate = Rate::default();
            }
            step.phase = done.phase.into();
            (step.ply, step.item) = (Some(done.ply), None);
            (step.num_states, step.positions) = (Some(done.states), Some(Count(done.positions)));
            (step.done, step.total) = (None, None);
        });
    }

    /// Shows that `done` of `total` positions or other units are completed.
    pub(in crate::cli) fn steps(&self, done: u64, total: u64) {
        self.shared.tell(Event::Part, |state| {
            state.parts.get_or_insert((state.done_at, 0));
            (state.step.done, state.step.total) = (Some(done), Some(total));
        });
    }

    /// Returns a callback that shows the progress of the units of a ply.
    pub(in crate::cli) fn units(&self) -> impl Fn(UnitsDone) + Send + Sync + 'static {
        let shared = Arc::clone(&self.shared);
        move |now| match now.total {
            0 => locked(&shared.state).end_units(),
            _ => shared.tell(Event::Part, |state| state.count_units(now)),
        }
    }

    /// Shows the item whose processing starts now.
    pub(in crate::cli) fn message(&self, item: String) {
        self.shared.tell(Event::Item, |state| state.step.item = Some(item));
    }

    /// Shows what a search has found so far, which changes all the time. Lines are as rare as those of a long step.
    pub(in crate::cli) fn so_far(&self, found: String) {
        let mut state = locked(&self.shared.state);
        (state.step.event, state.step.item) = (Event::Item, Some(found));
        (state.done_at, state.untold) = (Instant::now(), true);
    }

    /// Shows the item whose processing starts now, after `done` of `total` similar items.
    pub(in crate::cli) fn item(&self, item: String, done: usize, total: usize) {
        self.shared.tell(Event::Item, |state| {
            state.parts.get_or_insert((state.done_at, done as u64));
            state.step.item = Some(item);
            (state.step.done, state.step.total) = (Some(done as u64), Some(total as u64));
        });
    }

    /// Sets the current item without printing a line for it. Later lines, which show how long it takes, name it.
    pub(in crate::cli) fn begin(&self, item: String) {
        locked(&self.shared.state).step.item = Some(item);
    }

    /// Sets the minimum and maximum number of seconds that remain after the next step, for parts that differ in size.
    pub(in crate::cli) fn left(&self, seconds: [f64; 2]) {
        locked(&self.shared.state).left = Some(seconds);
    }

    /// Removes the display, and reports events that no line has shown yet.
    pub(in crate::cli) fn finish(&self) {
        let mut state = locked(&self.shared.state);
        if std::mem::replace(&mut state.over, true) {
            return;
        }
        let speaks = |lines: &Lines| !lines.rare || state.told_at.is_some();
        if state.untold && self.shared.how.lines.as_ref().is_some_and(speaks) {
            self.shared.print(&mut state);
        }
        if let Some(bar) = state.bar.take() {
            self.shared.drawn.end(&bar);
        }
        self.shared.over.notify_all();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.finish();
    }
}

impl Shared {
    /// Records a step, and shows it if a line is due.
    fn tell(&self, event: Event, change: impl FnOnce(&mut State)) {
        if !self.how.drawn && self.how.lines.is_none() {
            return;
        }
        let mut state = locked(&self.state);
        change(&mut state);
        state.step.event = event;
        state.done_at = Instant::now();
        state.untold = true;
        let since = |at: Option<Instant>| at.is_none_or(|at| at.elapsed() >= LEAST_GAP);
        let due = match self.how.lines {
            Some(lines) if lines.rare => state.is_time(),
            Some(_) => event == Event::Ply || since(state.told_at),
            None => false,
        };
        if due {
            self.print(&mut state);
        }
        if since(state.drawn_at) {
            state.draw();
        }
    }

    /// Reports the state until the work is finished.
    fn watch(&self) {
        let mut state = locked(&self.state);
        while !state.over {
            state = self.over.wait_timeout(state, TICK).unwrap_or_else(PoisonError::into_inner).0;
            if state.over {
                return;
            }
            state.draw();
            if self.how.lines.is_some() && state.is_time() {
                if !state.untold {
                    state.step.event = Event::Working;
                }
                self.print(&mut state);
            }
        }
    }

    /// Prints a line.
    fn print(&self, state: &mut State) {
        let Some(lines) = self.how.lines else { return };
        state.measure();
        let line = if lines.json {
            Document::new(Some(&self.command), ProgressLine { progress: &state.step }).line()
        } else {
            format!("[{}] {}\n", clock(state.began.elapsed()), state.step.text())
        };
        (state.told_at, state.untold) = (Some(Instant::now()), false);
        self.drawn.above(|| print_aside(&line));
    }
}
