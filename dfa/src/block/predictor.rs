//! The prediction of the next target, which writers and readers share.

/// The maximum number of letters with a separate prediction. It limits the memory that a reader needs for each state.
const COLUMNS: usize = 8;

/// Predicts targets from the preceding ones.
pub(super) struct Predictor {
    /// The number of letters with a separate prediction.
    columns: usize,
    /// The number of the first state.
    pub(super) first: u32,
    /// The state that was introduced most recently, or one less than `first` if there is none.
    pub(super) newest: u32,
    previous: u32,
    /// For each target, the state that most recently followed it at each letter.
    followers: Vec<u32>,
}

impl Predictor {
    pub(super) fn new(letters: usize, constants: u32) -> Self {
        let columns = letters.min(COLUMNS);
        let followers = vec![constants; columns * constants as usize];
        Self { columns, first: constants, newest: constants - 1, previous: 0, followers }
    }

    /// Reserves room for exactly `num_states` states.
    pub(super) fn reserve(&mut self, num_states: usize) {
        self.followers.reserve_exact(num_states * self.columns);
    }

    /// Returns the number of states introduced so far.
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
