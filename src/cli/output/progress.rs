//! Progress on standard error: a drawn line on a terminal, lines of text or JSON elsewhere.
//!
//! Whoever works says what is done. A thread beside it tells how things stand when nothing was done for a while.

use std::io::IsTerminal;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::json::Document;
use super::options::{OutputArgs, ProgressArg};
use super::step::{Ends, Event, Step, clock};
use super::text::print_aside;
use crate::cli::memory::memory;
use crate::solve::progress::PlyDone;

/// How progress is shown.
#[derive(Clone, Copy)]
pub(super) struct How {
    /// As a line that is drawn again and again.
    drawn: bool,
    lines: Option<Lines>,
}

/// Lines that stay.
#[derive(Clone, Copy)]
struct Lines {
    json: bool,
    /// One now and then, and none before the work takes long.
    rare: bool,
}

impl How {
    pub(super) fn of(args: &OutputArgs) -> Self {
        let lines = |json, rare| Some(Lines { json, rare });
        let terminal = std::io::stderr().is_terminal();
        let lines = match args.progress {
            ProgressArg::None => None,
            ProgressArg::Plain => lines(false, false),
            ProgressArg::Json => lines(true, false),
            ProgressArg::Auto if args.quiet => None,
            ProgressArg::Auto if args.verbose > 0 => lines(args.json, false),
            ProgressArg::Auto if terminal => None,
            ProgressArg::Auto => lines(args.json, true),
        };
        Self { drawn: terminal && args.progress == ProgressArg::Auto && !args.quiet, lines }
    }
}

/// The line that is drawn just now, if any.
#[derive(Clone, Default)]
pub(super) struct Drawn(Arc<Mutex<Option<ProgressBar>>>);

impl Drawn {
    /// Does what prints lines, with the drawn one out of the way.
    pub(super) fn above(&self, print: impl FnOnce()) {
        let bar = locked(&self.0).clone();
        match bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Shortest time between two lines that say little, and between two drawings.
const LEAST_GAP: Duration = Duration::from_millis(100);

/// Shortest time between lines in logs, at first and at last: a log of a day should not be all progress.
const LOG_GAPS: (Duration, Duration) = (Duration::from_secs(10), Duration::from_secs(60));

/// Time between two looks at how things stand.
const TICK: Duration = Duration::from_millis(500);

/// What a ply must take before the time of the next is guessed from it.
const LEAST_PLY_SECONDS: f64 = 0.5;

/// A display of some work. It goes away when dropped.
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

struct State {
    step: Step,
    began: Instant,
    /// When something was done last.
    done_at: Instant,
    /// When a line was printed last.
    told_at: Option<Instant>,
    /// Whether something was done that no line tells.
    untold: bool,
    drawn_at: Option<Instant>,
    bar: Option<ProgressBar>,
    /// Seconds that the last two plies took, the last one first.
    plies: [f64; 2],
    /// When parts were counted first, and how many were done then.
    parts: Option<(Instant, u64)>,
    /// Seconds from the last step to the end, at least and at most, where whoever works knows better than by counting parts.
    left: Option<[f64; 2]>,
    over: bool,
}

impl Progress {
    pub(super) fn new(phase: &'static str, command: &str, how: How, drawn: Drawn) -> Self {
        let now = Instant::now();
        let bar = how.drawn.then(|| new_bar(&drawn));
        let state = State {
            step: Step::new(Event::Working, phase),
            began: now,
            done_at: now,
            told_at: None,
            untold: false,
            drawn_at: None,
            bar,
            plies: [0.0; 2],
            parts: None,
            left: None,
            over: false,
        };
        let state = Mutex::new(state);
        let shared = Arc::new(Shared { command: command.into(), how, drawn, state, over: Condvar::new() });
        if how.drawn || how.lines.is_some() {
            let beside = Arc::clone(&shared);
            // Without the thread long steps are silent; the work does not suffer.
            let _ = std::thread::Builder::new().name("progress".into()).spawn(move || beside.watch());
        }
        Self { shared }
    }

    /// Shows a finished ply.
    pub(in crate::cli) fn ply(&self, done: &PlyDone) {
        self.shared.tell(Event::Ply, |state| {
            state.plies = [state.done_at.elapsed().as_secs_f64(), state.plies[0]];
            state.parts = None;
            let step = &mut state.step;
            if step.phase != done.phase {
                state.plies = [0.0; 2];
            }
            step.phase = done.phase.into();
            (step.ply, step.item) = (Some(done.ply), None);
            (step.num_states, step.positions) = (Some(done.states), Some(done.positions));
        });
    }

    /// Shows that `done` of `total` positions or other units are done.
    pub(in crate::cli) fn steps(&self, done: u64, total: u64) {
        self.shared.tell(Event::Part, |state| {
            state.parts.get_or_insert((state.done_at, 0));
            (state.step.done, state.step.total) = (Some(done), Some(total));
        });
    }

    /// Shows what is begun now.
    pub(in crate::cli) fn message(&self, item: String) {
        self.shared.tell(Event::Item, |state| state.step.item = Some(item));
    }

    /// Shows what is begun now, after `done` of `total` things like it.
    pub(in crate::cli) fn item(&self, item: String, done: usize, total: usize) {
        self.shared.tell(Event::Item, |state| {
            state.parts.get_or_insert((state.done_at, done as u64));
            state.step.item = Some(item);
            (state.step.done, state.step.total) = (Some(done as u64), Some(total as u64));
        });
    }

    /// Says how many seconds are left after the step that is shown next, at least and at most: for parts that differ in size.
    pub(in crate::cli) fn left(&self, seconds: [f64; 2]) {
        locked(&self.shared.state).left = Some(seconds);
    }

    /// Removes what is drawn; what no line has told yet is told.
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
            *locked(&self.shared.drawn.0) = None;
            bar.finish_and_clear();
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
    /// Takes a step in, and shows it where it is time to.
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

    /// Tells how things stand until the work is over.
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
            let said = std::collections::BTreeMap::from([("progress", &state.step)]);
            Document::new(Some(&self.command), said).line()
        } else {
            format!("[{}] {}\n", clock(state.began.elapsed()), state.step.text())
        };
        (state.told_at, state.untold) = (Some(Instant::now()), false);
        self.drawn.above(|| print_aside(&line));
    }
}

impl State {
    /// Whether a log should have a line again.
    fn is_time(&self) -> bool {
        let gap = (self.began.elapsed() / 20).clamp(LOG_GAPS.0, LOG_GAPS.1);
        self.told_at.unwrap_or(self.began).elapsed() >= gap
    }

    /// Fills in times and memory.
    fn measure(&mut self) {
        let idle = self.done_at.elapsed().as_secs_f64();
        let step = &mut self.step;
        (step.memory_bytes, step.memory_cap_bytes) = memory();
        step.elapsed_seconds = self.began.elapsed().as_secs_f64();
        step.since_seconds = idle;
        step.next_ply_seconds =
            next_ply(self.plies).map(|all| all - idle).filter(|left| *left >= LEAST_PLY_SECONDS);
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

    fn draw(&mut self) {
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

/// A line on the terminal.
fn new_bar(drawn: &Drawn) -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed_precise} {wide_msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(120));
    *locked(&drawn.0) = Some(bar.clone());
    bar
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
    fn times_are_guessed_only_from_what_took_time() {
        assert_eq!(next_ply([4.0, 2.0]), Some(8.0));
        assert_eq!(next_ply([40.0, 2.0]), Some(120.0), "growth is held");
        assert_eq!(next_ply([4.0, 0.1]), None);
        assert_eq!(remaining(10.0, 1, 3), Some(30.0));
        assert_eq!(remaining(0.1, 1, 3), None);
        assert_eq!(remaining(10.0, 0, 3), None);
    }
}
