//! Pawns on a board, and a workload with them that fills the tables of a store.

use nerode_dfa::{Dfa, MoveGraph, Result, Set, Shape, Step, Store};
use rand::RngExt;

/// Returns the moves of the pawns `own`, which go one rank up or down a board of `width` columns, whose last rank may
/// be shorter: straight ahead to a 0, or diagonally to a 0 or an `other`.
pub fn pawn_moves(shape: &Shape, width: usize, own: u8, other: u8, up: bool) -> MoveGraph {
    let cells = shape.num_layers();
    let mut moves = MoveGraph::new(shape.clone());
    for low in 0..cells - width {
        let (file, above) = (low % width, low - low % width + width);
        for high in above + file.saturating_sub(1)..=(above + (file + 1).min(width - 1)).min(cells - 1) {
            let taken: &[(u8, u8)] =
                if high == low + width { &[(0, own)] } else { &[(0, own), (other, own)] };
            let (from, to) = if up { (low, high) } else { (high, low) };
            moves.add(Step::identity().change(from, own, 0).change_any(to, taken)).unwrap();
        }
    }
    moves
}

/// The sets and moves on which the workload is based.
pub struct Inputs {
    pub shape: Shape,
    parts: [Dfa; 2],
    other: Dfa,
    moves: MoveGraph,
}

impl Inputs {
    /// Creates inputs over `layers` layers of three letters.
    ///
    /// The two parts are complementary within a random set that does not depend on the first letters, and each word is
    /// randomly assigned to one of them. Under each first letter, their union leads to the same states from different
    /// operands, so that threads create the same rows at the same time.
    pub fn new(layers: usize, seed: u64) -> Self {
        let (shape, mut rng) = (Shape::uniform(layers, 3).unwrap(), super::rng(seed));
        let n = 3usize.pow(layers as u32);
        let common = super::random_table(&mut rng, n / 9, 0.5);
        let side = super::random_table(&mut rng, n, 0.5);
        let part = |which| {
            let table: Vec<bool> = (0..n).map(|i| common[i % (n / 9)] && side[i] == which).collect();
            Dfa::from_table(&shape, &table).unwrap()
        };
        let parts = [part(false), part(true)];
        let mut words: Vec<Vec<u8>> =
            (0..n / 100).map(|_| (0..layers).map(|_| rng.random_range(0..3)).collect()).collect();
        words.sort_unstable();
        words.dedup();
        let other = Dfa::from_sorted_words(&shape, &words).unwrap();
        let moves = pawn_moves(&shape, layers / 3, 1, 2, true);
        Self { shape, parts, other, moves }
    }
}

/// Runs the same operations as [`run`], but shrinks the tables to the required size before each operation, so that they
/// have to grow.
pub fn run_in_tight_tables(store: &mut Store, inputs: &Inputs) -> Result<Vec<Dfa>> {
    run_with(store, inputs, Store::collect)
}

/// Performs a series of unions, differences and images, and returns all results, frozen.
pub fn run(store: &mut Store, inputs: &Inputs) -> Result<Vec<Dfa>> {
    run_with(store, inputs, |_| ())
}

fn run_with(store: &mut Store, inputs: &Inputs, prepare: impl Fn(&mut Store)) -> Result<Vec<Dfa>> {
    let moves = store.relation(&inputs.moves)?;
    let a = store.import(&inputs.parts[0])?;
    let b = store.import(&inputs.parts[1])?;
    let c = store.import(&inputs.other)?;
    let step = |store: &mut Store, operation: &dyn Fn(&mut Store) -> Result<Set>| {
        prepare(store);
        operation(store)
    };
    let both = step(store, &|s| s.union(&a, &b))?;
    let ahead = step(store, &|s| s.image(&c, &moves))?;
    let further = step(store, &|s| s.image(&ahead, &moves))?;
    let behind = step(store, &|s| s.preimage(&c, &moves))?;
    let near = step(store, &|s| s.union_all(&[c.clone(), ahead.clone(), behind.clone()]))?;
    let left = step(store, &|s| s.difference(&both, &near))?;
    let shared = step(store, &|s| s.intersection(&a, &further))?;
    let outside = step(store, &|s| s.complement(&left))?;
    let sets = [both, ahead, further, behind, near, left, shared, outside];
    Ok(sets.iter().map(|set| store.freeze(set)).collect())
}
