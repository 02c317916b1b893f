//! A workload for passes.

use nerode_dfa::{Dfa, Direction, Error, Image, Job, MoveGraph, PassMoves, Passes, Shape, Step, Store};

use super::workload::pawn_moves;
use super::{random_dfa, rng};

pub const LAYERS: usize = 13;

/// A set of boards with pawns, moves and other sets, from which passes and recursions compute images.
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
        // Sparse sets differ from word to word, which yields many macrostates.
        let mut dfa = |density| random_dfa(&mut rng, &shape, density);
        let (set, sides) = (dfa(0.001), [dfa(0.3), dfa(0.01)]);
        let graph = pawn_moves(&shape, 4, 1, 2, true);
        let moves = PassMoves::new(&graph).unwrap();
        Self { set, sides, graph, moves }
    }

    /// Creates a case whose set resembles the won positions of a game: more pawns of one side make membership more
    /// likely, so that most residuals are ordered by inclusion, although in some pairs inclusion narrowly fails.
    pub fn monotone(seed: u64) -> Self {
        let case = Self::new(seed);
        let shape = case.set.shape().clone();
        let weight =
            |layer: usize, letter: u8| [0, 1 + layer as u32 % 4, 7 - layer as u32 % 3][usize::from(letter)];
        let step = |layer: usize, sum: &u32, letter: u8| Some(sum + weight(layer, letter));
        let heavy = Dfa::from_step(&shape, 0, step, |&sum| sum > 38).unwrap();
        let set = heavy.minus(&case.set).unwrap();
        Self { set, ..case }
    }

    pub fn image(&self, complement: bool, direction: Direction) -> Image<'_> {
        Image { set: &self.set, complement, moves: &self.moves, direction }
    }

    pub fn run(&self, passes: &Passes) -> Result<Vec<Dfa>, Error> {
        (0..4).map(|i| self.run_one(passes, i)).collect()
    }

    /// Computes one of the four results.
    pub fn run_one(&self, passes: &Passes, i: usize) -> Result<Dfa, Error> {
        let sides = [&self.sides[0], &self.sides[1]];
        match i {
            0 => passes.image(self.image(false, Direction::Backward), &[], |x, _| x),
            1 => passes.image(self.image(false, Direction::Forward), &sides, |x, s| s[0] || x && !s[1]),
            2 => passes.image(self.image(true, Direction::Backward), &sides, |x, s| s[0] && !x || s[1]),
            _ => passes.combine(&[&self.set, sides[0], sides[1]], |s| s[0] ^ s[1] && !s[2]),
        }
    }

    /// Returns the total size of all sets in bytes.
    pub fn bytes(&self) -> u64 {
        [&self.set, &self.sides[0], &self.sides[1]].map(Dfa::bytes).iter().sum()
    }

    /// Returns the images of [`Case::run`] as jobs that can be computed in units.
    pub fn jobs<'a>(&'a self, passes: &'a Passes) -> Result<Vec<Job<'a>>, Error> {
        let sides = [&self.sides[0], &self.sides[1]];
        Ok(vec![
            passes.job(self.image(false, Direction::Backward), &[], |x, _| x)?,
            passes.job(self.image(false, Direction::Forward), &sides, |x, s| s[0] || x && !s[1])?,
            passes.job(self.image(true, Direction::Backward), &sides, |x, s| s[0] && !x || s[1])?,
        ])
    }

    /// Returns the number of words of each image of [`Case::run`].
    pub fn count(&self, passes: &Passes) -> Result<Vec<u128>, Error> {
        let sides = [&self.sides[0], &self.sides[1]];
        Ok(vec![
            passes.count_image(self.image(false, Direction::Backward), &[], |x, _| x)?,
            passes.count_image(self.image(false, Direction::Forward), &sides, |x, s| s[0] || x && !s[1])?,
            passes.count_image(self.image(true, Direction::Backward), &sides, |x, s| s[0] && !x || s[1])?,
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

/// A set of words whose first half selects one of many pairs of residues, and whose second half matters only in whether
/// it contains a 2.
pub struct Alike {
    set: Dfa,
    graph: MoveGraph,
}

impl Alike {
    pub fn new() -> Self {
        let shape = Shape::uniform(16, 3).unwrap();
        let step = |layer: usize, &(number, two): &(u32, bool), letter: u8| {
            let number = if layer < 8 { (3 * number + u32::from(letter)) % 997 } else { number };
            Some((number, layer >= 8 && (two || letter == 2)))
        };
        let ends = |&(number, two): &(u32, bool)| number % if two { 5 } else { 7 } < 3;
        let set = Dfa::from_step(&shape, (0, false), step, ends).unwrap();
        let mut graph = MoveGraph::new(shape);
        for layer in 0..6 {
            graph.add(Step::identity().change(layer, 1, 2)).unwrap();
        }
        Self { set, graph }
    }

    pub fn run(&self, passes: &Passes) -> Result<Dfa, Error> {
        let moves = PassMoves::new(&self.graph).unwrap();
        let image =
            Image { set: &self.set, complement: false, moves: &moves, direction: Direction::Backward };
        passes.image(image, &[], |x, _| x)
    }

    pub fn run_in_store(&self) -> Dfa {
        let mut store = Store::unbounded(self.set.shape().clone());
        let moves = store.relation(&self.graph).unwrap();
        let set = store.import(&self.set).unwrap();
        let before = store.preimage(&set, &moves).unwrap();
        store.freeze(&before)
    }
}
