//! One workload for passes.

use nerode_dfa::{Dfa, Direction, Error, Image, MoveGraph, PassMoves, Passes, Shape, Store};

use super::workload::pawn_moves;
use super::{random_dfa, rng};

pub const LAYERS: usize = 13;

/// A set of pawns, moves, and other sets, and what passes and recursions make of them.
pub struct Case {
    pub set: Dfa,
    sides: [Dfa; 2],
    graph: MoveGraph,
    moves: PassMoves,
}

impl Case {
    pub fn new(seed: u64) -> Self {
        let shape = Shape::uniform(LAYERS, 3).unwrap();
        let mut rng = rng(seed);
        // Sparse sets differ from word to word, which makes many keys.
        let mut dfa = |density| random_dfa(&mut rng, &shape, density);
        let (set, sides) = (dfa(0.001), [dfa(0.3), dfa(0.01)]);
        let graph = pawn_moves(&shape, 4, 1, 2, true);
        let moves = PassMoves::new(&graph).unwrap();
        Self { set, sides, graph, moves }
    }

    /// The same with a set like those of won positions: more pawns of one side make membership likelier, so that most residuals
    /// include each other, but not all of them that nearly do.
    pub fn monotone(seed: u64) -> Self {
        let case = Self::new(seed);
        let shape = case.set.shape().clone();
        let weight =
            |layer: usize, letter: u8| [0, 1 + layer as u32 % 4, 7 - layer as u32 % 3][usize::from(letter)];
        let step = |layer: usize, sum: &u32, letter: u8| Some(sum + weight(layer, letter));
        let heavy = Dfa::from_step(&shape, 0, step, |&sum| sum > 38).unwrap();
        let passes = Passes::new(u64::MAX, 1).unwrap();
        let set = passes.combine(&[&heavy, &case.set], |s| s[0] && !s[1]).unwrap();
        Self { set, ..case }
    }

    pub fn image(&self, complement: bool, direction: Direction) -> Image<'_> {
        Image { set: &self.set, complement, moves: &self.moves, direction }
    }

    pub fn run(&self, passes: &Passes) -> Result<Vec<Dfa>, Error> {
        let sides = [&self.sides[0], &self.sides[1]];
        Ok(vec![
            passes.image(self.image(false, Direction::Backward), &[], |x, _| x)?,
            passes.image(self.image(false, Direction::Forward), &sides, |x, s| s[0] || x && !s[1])?,
            passes.image(self.image(true, Direction::Backward), &sides, |x, s| s[0] && !x || s[1])?,
            passes.combine(&[&self.set, sides[0], sides[1]], |s| s[0] ^ s[1] && !s[2])?,
        ])
    }

    pub fn run_in_store(&self) -> Vec<Dfa> {
        let mut store = Store::unbounded(self.set.shape().clone());
        let moves = store.relation(&self.graph).unwrap();
        let set = store.import(&self.set).unwrap();
        let [a, b] = [0, 1].map(|i| store.import(&self.sides[i]).unwrap());
        let back = store.preimage(&set, &moves).unwrap();
        let ahead = store.image(&set, &moves).unwrap();
        let rest = store.complement(&set).unwrap();
        let escape = store.preimage(&rest, &moves).unwrap();
        let results = [
            back,
            store.combine(&[ahead, a.clone(), b.clone()], |x| x[1] || x[0] && !x[2]).unwrap(),
            store.combine(&[escape, a.clone(), b.clone()], |x| x[1] && !x[0] || x[2]).unwrap(),
            store.combine(&[set, a, b], |x| x[0] ^ x[1] && !x[2]).unwrap(),
        ];
        results.iter().map(|set| store.freeze(set)).collect()
    }
}
