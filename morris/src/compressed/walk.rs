//! Evaluates all words of a class in one walk.

use super::automaton::{MultiRoot, Target};
use super::shape::WordShape;

impl MultiRoot {
    /// Returns the automaton's answers for all words of a class, as indices into [`MultiRoot::worths`], in the order of
    /// words.
    ///
    /// *Cost*: each edge is followed once for each prefix that leads to it, not once for each word.
    pub(super) fn codes_of_class(&self, class: u32) -> Vec<u16> {
        let mut codes = Vec::with_capacity(WordShape::num_words(self.shape.points, self.shape.stones));
        let target = self.target(&self.root, class);
        self.codes_after(target, self.shape.points, self.shape.stones, &mut codes);
        codes
    }

    /// Appends the codes of all continuations from `target`.
    fn codes_after(&self, target: Target, points: usize, stones: usize, codes: &mut Vec<u16>) {
        let words = WordShape::num_words(points, stones);
        let state = match target {
            Target::Code(code) => return codes.resize(codes.len() + words, code),
            Target::State(state) => state,
        };
        if points == self.shape.row_points {
            return codes.extend((0..words as u8).map(|place| self.row_entry(stones, state, place)));
        }
        let points = points - 1;
        for stone in [0, 1] {
            if let Some(left) = stones.checked_sub(stone).filter(|left| *left <= points) {
                let span = self.stages.get(points - self.shape.row_points, stones, stone);
                self.codes_after(self.target(&span, state), points, left, codes);
            }
        }
    }
}
