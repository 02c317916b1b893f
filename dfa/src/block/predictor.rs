//! The target that a writer and a reader expect next.

/// Letters that have a prediction of their own; bounds the memory that a reader needs for each state.
const COLUMNS: usize = 8;

/// Predicts targets from those before them.
pub(super) struct Predictor {
    /// Letters that have a prediction of their own.
    columns: usize,
    /// The number of the first state.
    pub(super) first: u32,
    /// The state named last; one less than `first` before the first one.
    pub(super) newest: u32,
    previous: u32,
    /// For each target, the state that followed it last at each letter.
    followers: Vec<u32>,
}

impl Predictor {
    pub(super) fn new(letters: usize, constants: u32) -> Self {
        let columns = letters.min(COLUMNS);
        let followers = vec![constants; columns * constants as usize];
        Self { columns, first: constants, newest: constants - 1, previous: 0, followers }
    }

    /// Room for so many states, no more.
    pub(super) fn reserve(&mut self, num_states: usize) {
        self.followers.reserve_exact(num_states * self.columns);
    }

    /// States named so far.
    pub(super) fn num_named(&self) -> usize {
        (self.newest - (self.first - 1)) as usize
    }

    #[inline]
    pub(super) fn slot(&self, letter: usize) -> usize {
        self.previous as usize * self.columns + letter % self.columns
    }

    #[inline]
    pub(super) fn predicted(&self, letter: usize) -> u32 {
        self.followers[self.slot(letter)]
    }

    #[inline]
    pub(super) fn learn(&mut self, letter: usize, target: u32) {
        if target >= self.first {
            let slot = self.slot(letter);
            self.followers[slot] = target;
        }
        if target > self.newest {
            self.newest = target;
            self.followers.resize(self.followers.len() + self.columns, self.first);
        }
        self.previous = target;
    }
}
