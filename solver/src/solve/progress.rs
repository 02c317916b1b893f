//! Progress reports of a solve, and forecasts of solves that take very many plies.

use std::collections::VecDeque;

/// A progress report about a finished ply.
#[derive(Clone, Debug)]
pub struct PlyDone {
    /// The phase of the solve: `retrograde`, `forward` or `back up`.
    pub phase: &'static str,
    /// The ply i.
    pub ply: u32,
    /// The total number of states of the sets of this ply.
    pub states: u64,
    /// The number of positions that have a value now, or that are reachable at this ply.
    pub positions: u128,
    /// The number of words without a value, in a retrograde analysis. Every ply but the last decides at least one of them.
    pub undecided: Option<u128>,
    /// The number of bytes held by the engine.
    pub bytes: u64,
}

/// An observer that is called after every ply by the thread that has written it.
pub type Watch<'a> = &'a mut (dyn FnMut(&PlyDone) + Send);

/// The number of plies from which their rate is measured.
const WINDOW: usize = 64;

/// The largest ratio of the positions that two plies decide at a steady rate.
const STEADY: u128 = 2;

/// The rate at which a retrograde analysis advances, measured over the last plies.
///
/// Most games decide very different numbers of positions at each ply. If a counter advances with every move instead, many
/// plies decide nearly the same number, which bounds the number of plies that the undecided positions can take.
#[derive(Clone, Debug, Default)]
pub struct Rate {
    /// The number, the time in seconds, and the undecided words of each of the last plies.
    plies: VecDeque<(u32, f64, u128)>,
}

/// The remaining part of a solve that advances at a steady rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PliesLeft {
    /// The largest number of plies, if every ply decides as many positions as the slowest one that was observed.
    pub plies: u64,
    /// The time of these plies in seconds, if each takes as long as those observed.
    pub seconds: f64,
    /// The same time, if the plies take longer in proportion to the number of stored plies.
    pub most_seconds: f64,
}

impl Rate {
    /// Records a ply that was completed `seconds` after some fixed time. Plies of other phases are ignored.
    pub fn record(&mut self, done: &PlyDone, seconds: f64) {
        let Some(undecided) = done.undecided else { return };
        if self.plies.back().is_some_and(|&(ply, ..)| ply + 1 != done.ply) {
            self.plies.clear();
        }
        self.plies.push_back((done.ply, seconds, undecided));
        if self.plies.len() > WINDOW + 1 {
            self.plies.pop_front();
        }
    }

    /// Returns the remaining plies, or `None` if too few plies were recorded or their rate is not steady.
    pub fn left(&self) -> Option<PliesLeft> {
        let (&(_, began, _), &(ply, ended, undecided)) = self.plies.front().zip(self.plies.back())?;
        let decided = self.plies.iter().zip(self.plies.iter().skip(1));
        let decided = decided.map(|(before, after)| before.2.saturating_sub(after.2));
        let (least, most) = (decided.clone().min()?, decided.max()?);
        if self.plies.len() <= WINDOW || least == 0 || most > STEADY * least {
            return None;
        }
        let plies = u64::try_from(undecided.div_ceil(least)).unwrap_or(u64::MAX);
        let seconds = (ended - began) / WINDOW as f64 * plies as f64;
        let most_seconds = seconds * (1.0 + (plies as f64 + 1.0) / (2.0 * f64::from(ply)));
        Some(PliesLeft { plies, seconds, most_seconds })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(undecided: impl Iterator<Item = u128>) -> Option<PliesLeft> {
        let mut rate = Rate::default();
        for (ply, undecided) in undecided.enumerate() {
            let ply = ply as u32;
            let done = PlyDone {
                phase: "retrograde",
                ply,
                states: 0,
                positions: 0,
                undecided: Some(undecided),
                bytes: 0,
            };
            rate.record(&done, f64::from(ply) / 4.0);
        }
        rate.left()
    }

    #[test]
    fn plies_are_forecast_only_at_a_steady_rate() {
        // After ply 99, 1 000 - 4 * 99 words are undecided.
        let left = rate((0..100).map(|ply| 1000 - 4 * ply)).unwrap();
        assert_eq!((left.plies, left.seconds), (151, 37.75));
        assert_eq!(left.most_seconds, 37.75 * (1.0 + 152.0 / 198.0));
        // The slowest ply bounds the number.
        let left = rate((0..100).map(|ply| 1000 - 4 * ply + if ply == 99 { 1 } else { 0 })).unwrap();
        assert_eq!(left.plies, 202);
        assert_eq!(rate((0..60).map(|ply| 1000 - 4 * ply)), None, "too few plies");
        assert_eq!(rate((0..100).map(|ply| 1_000_000 - ply * ply)), None, "the plies differ");
        assert_eq!(rate((0..100).map(|_| 7)), None, "no ply decides anything");
    }
}
