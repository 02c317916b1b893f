//! Images under random move graphs, compared with the relation that the definition in `moves.rs` yields on explicit
//! words.

use std::collections::BTreeSet;

use crate::common::{Word, all_words, random_table, rng, shape, table_of_mask};
use nerode_dfa::{
    Condition, Dfa, Direction, Image, Letter, MoveGraph, PassMoves, Passes, Set, Shape, Step, Store,
};
use proptest::prelude::*;

/// A condition as data: the letters allowed in some layers, and optionally a table of the allowed words.
#[derive(Clone, Debug)]
struct ConditionSpec {
    allowed: Vec<(usize, Vec<Letter>)>,
    table: Option<Vec<bool>>,
}

#[derive(Clone, Debug)]
struct StepSpec {
    pre: ConditionSpec,
    /// For each layer, its (before, after) pairs if it changes.
    changes: Vec<Option<Vec<(Letter, Letter)>>>,
    post: ConditionSpec,
}

#[derive(Clone, Debug)]
struct GraphSpec {
    letters: Vec<u16>,
    steps: Vec<StepSpec>,
    edges: Vec<(usize, usize)>,
}

/// For each word, the words related to it, by index in lexicographic order.
type Pairs = Vec<BTreeSet<usize>>;

impl ConditionSpec {
    fn holds(&self, word: &[Letter], index: usize) -> bool {
        self.allowed.iter().all(|(layer, letters)| letters.contains(&word[*layer]))
            && self.table.as_ref().is_none_or(|table| table[index])
    }

    fn condition(&self, shape: &Shape) -> Condition {
        let condition =
            self.allowed.iter().fold(Condition::any(), |c, (layer, letters)| c.with(*layer, letters));
        match &self.table {
            Some(table) => condition.within(Dfa::from_table(shape, table).unwrap()),
            None => condition,
        }
    }
}

impl StepSpec {
    /// Computes `{ (x, y) : x ∈ pre, y ∈ post, y is x with the changes applied }`, pair by pair.
    fn pairs(&self, words: &[Word]) -> Pairs {
        let becomes = |(layer, (x, y)): (usize, (&Letter, &Letter))| match &self.changes[layer] {
            Some(pairs) => pairs.contains(&(*x, *y)),
            None => x == y,
        };
        let after = |(i, x): (usize, &Word)| -> BTreeSet<usize> {
            if !self.pre.holds(x, i) {
                return BTreeSet::new();
            }
            let related = |&j: &usize| {
                x.iter().zip(&words[j]).enumerate().all(becomes) && self.post.holds(&words[j], j)
            };
            (0..words.len()).filter(related).collect()
        };
        words.iter().enumerate().map(after).collect()
    }

    fn step(&self, shape: &Shape) -> Step {
        let changes = self.changes.iter().enumerate().filter_map(|(layer, c)| Some((layer, c.as_ref()?)));
        changes
            .fold(Step::identity(), |step, (layer, pairs)| step.change_any(layer, pairs))
            .when(self.pre.condition(shape))
            .then(self.post.condition(shape))
    }
}

impl GraphSpec {
    fn shape(&self) -> Shape {
        shape(&self.letters)
    }

    fn graph(&self) -> MoveGraph {
        let mut graph = MoveGraph::new(self.shape());
        for step in &self.steps {
            graph.add(step.step(graph.shape())).unwrap();
        }
        for &(from, to) in &self.edges {
            graph.connect(from, to).unwrap();
        }
        graph
    }

    /// Computes the pairs of all paths from a source to a sink, performing the steps of each path in order.
    fn pairs(&self) -> Pairs {
        let words = all_words(&self.shape());
        let steps: Vec<Pairs> = self.steps.iter().map(|step| step.pairs(&words)).collect();
        let identity: Pairs = (0..words.len()).map(|i| BTreeSet::from([i])).collect();
        let mut all = vec![BTreeSet::new(); words.len()];
        for node in (0..steps.len()).filter(|node| self.edges.iter().all(|e| e.1 != *node)) {
            self.follow(node, &identity, &steps, &mut all);
        }
        all
    }

    fn follow(&self, node: usize, done: &Pairs, steps: &[Pairs], all: &mut Pairs) {
        let compose =
            |ys: &BTreeSet<usize>| ys.iter().flat_map(|&y| steps[node][y].iter().copied()).collect();
        let here: Pairs = done.iter().map(compose).collect();
        let next: BTreeSet<usize> = self.edges.iter().filter(|e| e.0 == node).map(|e| e.1).collect();
        if next.is_empty() {
            all.iter_mut().zip(&here).for_each(|(all, here)| all.extend(here));
        }
        next.into_iter().for_each(|n| self.follow(n, &here, steps, all));
    }
}

fn image(pairs: &Pairs, table: &[bool]) -> Vec<bool> {
    let mut result = vec![false; table.len()];
    for x in (0..table.len()).filter(|&x| table[x]) {
        pairs[x].iter().for_each(|&y| result[y] = true);
    }
    result
}

fn preimage(pairs: &Pairs, table: &[bool]) -> Vec<bool> {
    pairs.iter().map(|ys| ys.iter().any(|&y| table[y])).collect()
}

/// Compares the images and preimages of the sets given as tables, and then tests whether the images are disjoint from
/// some of the sets.
fn compare(spec: &GraphSpec, tables: &[Vec<bool>], threads: usize) {
    let (shape, pairs) = (spec.shape(), spec.pairs());
    let mut store = Store::unbounded(shape.clone());
    store.set_threads(threads).unwrap();
    let moves = store.relation(&spec.graph()).unwrap();
    let any = pairs.iter().any(|ys| !ys.is_empty());
    assert_eq!(
        moves.num_clusters(),
        usize::from(any),
        "wrong number of relations for {} steps",
        spec.steps.len()
    );
    let import = |store: &mut Store, table: &[bool]| -> Set {
        store.import(&Dfa::from_table(&shape, table).unwrap()).unwrap()
    };
    let mut sets = Vec::new();
    for table in tables {
        let set = import(&mut store, table);
        let (forward, backward) = (store.image(&set, &moves).unwrap(), store.preimage(&set, &moves).unwrap());
        assert_eq!(forward, import(&mut store, &image(&pairs, table)), "image of {table:?}");
        assert_eq!(backward, import(&mut store, &preimage(&pairs, table)), "preimage of {table:?}");
        sets.push((set, forward, backward));
    }
    for (a, image_of_a, _) in &sets {
        for (b, _, preimage_of_b) in sets.iter().step_by(11) {
            assert_eq!(store.is_disjoint(image_of_a, b), store.is_disjoint(a, preimage_of_b));
        }
    }
}

/// Compares the results of passes in the same way: images of sets and of complements, alone and in Boolean functions
/// with two other sets.
fn compare_passes(
    spec: &GraphSpec,
    tables: &[Vec<bool>],
    threads: usize,
    (max_bits, deal_bytes): (usize, u64),
) {
    let (shape, pairs) = (spec.shape(), spec.pairs());
    let moves = PassMoves::new(&spec.graph()).unwrap();
    let mut passes = Passes::new(u64::MAX, threads).unwrap();
    passes.set_max_bits(max_bits);
    passes.set_deal_bytes(deal_bytes);
    let dfa = |table: &[bool]| Dfa::from_table(&shape, table).unwrap();
    let formulas: [fn(bool, bool, bool) -> bool; 5] =
        [|x, _, _| x, |x, a, b| a || x && !b, |x, a, b| a && !x && !b, |x, a, b| x ^ a ^ b, |_, a, b| a && b];
    let (a, b) = (&tables[tables.len() / 2], &tables[tables.len() / 3]);
    let sides = [dfa(a), dfa(b)];
    for (n, table) in tables.iter().step_by(1 + tables.len() / 6).enumerate() {
        let set = dfa(table);
        for (complement, direction) in [
            (false, Direction::Forward),
            (true, Direction::Forward),
            (false, Direction::Backward),
            (true, Direction::Backward),
        ] {
            let moved: Vec<bool> = table.iter().map(|x| x ^ complement).collect();
            let moved = match direction {
                Direction::Forward => image(&pairs, &moved),
                Direction::Backward => preimage(&pairs, &moved),
            };
            for (i, f) in formulas.iter().enumerate() {
                let whole = Image { set: &set, complement, moves: &moves, direction };
                let found = passes.image(whole, &[&sides[0], &sides[1]], |x, s| f(x, s[0], s[1])).unwrap();
                let expected: Vec<bool> = (0..table.len()).map(|w| f(moved[w], a[w], b[w])).collect();
                assert_eq!(found, dfa(&expected), "{direction:?} {complement} formula {i} of {table:?}");
                // Counting shares all steps except the last, so one formula of each image is enough; it varies with the
                // table.
                if i == n % formulas.len() {
                    let count = passes.count_image(whole, &[&sides[0], &sides[1]], |x, s| f(x, s[0], s[1]));
                    assert_eq!(count.unwrap(), found.count().unwrap());
                }
            }
        }
    }
}

fn conditions(letters: Vec<u16>) -> impl Strategy<Value = ConditionSpec> {
    let num_words = letters.iter().map(|&k| usize::from(k)).product::<usize>();
    let one = (0..letters.len()).prop_flat_map(move |layer| {
        let all: Vec<Letter> = (0..letters[layer]).map(|a| a as Letter).collect();
        (Just(layer), proptest::sample::subsequence(all.clone(), 1..=all.len()))
    });
    let table = proptest::collection::vec(any::<bool>(), num_words);
    (proptest::collection::vec(one, 0..=2), proptest::option::weighted(0.4, table))
        .prop_map(|(allowed, table)| ConditionSpec { allowed, table })
}

fn steps(letters: Vec<u16>) -> impl Strategy<Value = StepSpec> {
    let change = |&k: &u16| {
        let letter = 0..k as Letter;
        proptest::option::weighted(0.4, proptest::collection::vec((letter.clone(), letter), 0..=4))
    };
    let changes: Vec<_> = letters.iter().map(change).collect();
    (conditions(letters.clone()), changes, conditions(letters)).prop_map(|(pre, changes, post)| StepSpec {
        pre,
        changes,
        post,
    })
}

fn graphs(letters: &'static [u16]) -> impl Strategy<Value = GraphSpec> {
    let letters = letters.to_vec();
    proptest::collection::vec(steps(letters.clone()), 1..=6).prop_flat_map(move |steps| {
        let n = steps.len();
        let edges = proptest::collection::vec((0..n, 0..n), 0..=2 * n)
            .prop_map(|edges| edges.into_iter().filter(|e| e.0 < e.1).collect());
        (Just(letters.clone()), Just(steps), edges).prop_map(|(letters, steps, edges)| GraphSpec {
            letters,
            steps,
            edges,
        })
    })
}

fn all_tables(n: usize) -> Vec<Vec<bool>> {
    (0..1 << n).map(|mask| table_of_mask(mask, n)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    #[ignore = "slow: .ci/slow"]
    fn images_of_all_sets_of_three_binary_layers(spec in graphs(&[2, 2, 2])) {
        compare(&spec, &all_tables(8), 1);
        compare_passes(&spec, &all_tables(8), 1, (1, 0));
        compare_passes(&spec, &all_tables(8), 1, (8, u64::MAX));
        compare_passes(&spec, &all_tables(8), 1, (4, 30));
    }

    #[test]
    #[ignore = "slow: .ci/slow"]
    fn images_of_all_sets_of_mixed_layers(spec in prop_oneof![graphs(&[2, 3]), graphs(&[3, 1, 2])]) {
        compare(&spec, &all_tables(6), 1);
        compare_passes(&spec, &all_tables(6), 1, (1, u64::MAX));
        compare_passes(&spec, &all_tables(6), 1, (1, 0));
        compare_passes(&spec, &all_tables(6), 1, (3, 0));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    #[ignore = "slow: .ci/slow"]
    fn images_over_many_layers_with_two_threads(spec in graphs(&[3, 2, 2, 2, 2, 2, 2, 2, 1]), seed in any::<u64>()) {
        let mut rng = rng(seed);
        let tables: Vec<_> = [0.01, 0.3, 0.9].iter().map(|&d| random_table(&mut rng, 384, d)).collect();
        compare(&spec, &tables, 2);
        compare_passes(&spec, &tables, 2, (1, u64::MAX));
        compare_passes(&spec, &tables, 2, (20, 100));
    }
}
