//! Tests of move relations beyond small random ones: several clusters, large alphabets, and invalid descriptions.

use crate::common::{all_words, random_table, rng, shape};
use nerode_dfa::{Condition, Dfa, Error, Letter, MoveGraph, Moves, Set, Shape, Step, Store};

/// A move on binary words numbered in lexicographic order: in the words of a random set, `from` changes from 1 to 0 and
/// `to` from 0 to 1.
struct Hop {
    within: Vec<bool>,
    from: usize,
    to: usize,
}

const LAYERS: usize = 18;

impl Hop {
    fn step(&self, shape: &Shape) -> Step {
        let within = Condition::any().within(Dfa::from_table(shape, &self.within).unwrap());
        Step::identity().change(self.from, 1, 0).change(self.to, 0, 1).when(within)
    }

    /// Returns the word after the move, if the move is possible in the word `x`.
    fn target(&self, x: usize) -> Option<usize> {
        let (from, to) = (1 << (LAYERS - 1 - self.from), 1 << (LAYERS - 1 - self.to));
        (self.within[x] && x & from != 0 && x & to == 0).then_some(x ^ from ^ to)
    }

    fn apply(&self, set: &[bool]) -> Vec<bool> {
        let mut result = vec![false; set.len()];
        (0..set.len()).filter(|&x| set[x]).filter_map(|x| self.target(x)).for_each(|y| result[y] = true);
        result
    }
}

fn either(a: &[bool], b: &[bool]) -> Vec<bool> {
    a.iter().zip(b).map(|(x, y)| x | y).collect()
}

/// A random condition over 18 layers exceeds the intended number of states of a cluster, so several of them yield
/// several clusters.
#[test]
fn moves_in_several_clusters_are_one_relation() {
    let (shape, mut draws) = (Shape::uniform(LAYERS, 2).unwrap(), rng(17));
    let n = 1 << LAYERS;
    let mut hop = |from, to| Hop { within: random_table(&mut draws, n, 0.5), from, to };
    let hops = [hop(0, 16), hop(3, 12), hop(16, 5)];
    let (mut list, mut paths) = (MoveGraph::new(shape.clone()), MoveGraph::new(shape.clone()));
    for h in &hops {
        list.add(h.step(&shape)).unwrap();
        paths.add(h.step(&shape)).unwrap();
    }
    let last = paths.add(Step::identity().change_any(8, &[(0, 1), (1, 1)])).unwrap();
    (0..hops.len()).for_each(|first| paths.connect(first, last).unwrap());
    let mut store = Store::unbounded(shape.clone());
    let (listed, led) = (store.relation(&list).unwrap(), store.relation(&paths).unwrap());
    assert!(listed.num_clusters() > 1 && led.num_clusters() > 1, "{listed:?} {led:?}");
    let single: Vec<Moves> = hops
        .iter()
        .map(|h| {
            let mut graph = MoveGraph::new(shape.clone());
            graph.add(h.step(&shape)).unwrap();
            store.relation(&graph).unwrap()
        })
        .collect();

    let table: Vec<bool> = random_table(&mut rng(3), n, 0.1);
    let set = store.import(&Dfa::from_table(&shape, &table).unwrap()).unwrap();
    let result = store.image(&set, &listed).unwrap();
    let expected = hops.iter().map(|h| h.apply(&table)).reduce(|a, b| either(&a, &b)).unwrap();
    assert_eq!(store.freeze(&result), Dfa::from_table(&shape, &expected).unwrap());
    let one_by_one: Vec<Set> = single.iter().map(|m| store.image(&set, m).unwrap()).collect();
    assert_eq!(store.union_all(&one_by_one).unwrap(), result);

    let then = |x: usize| 1 << (LAYERS - 1 - 8) | x;
    let mut marked = vec![false; n];
    (0..n).filter(|&x| expected[x]).for_each(|x| marked[then(x)] = true);
    let led_to = store.image(&set, &led).unwrap();
    assert_eq!(store.freeze(&led_to), Dfa::from_table(&shape, &marked).unwrap());

    let back = store.preimage(&led_to, &led).unwrap();
    let origins: Vec<bool> =
        (0..n).map(|x| hops.iter().any(|h| h.target(x).is_some_and(|y| marked[then(y)]))).collect();
    assert_eq!(store.freeze(&back), Dfa::from_table(&shape, &origins).unwrap());
}

/// Every letter of a layer may change to every letter. With 256 letters, a state of the relation has 65536 pairs.
#[test]
fn a_layer_of_256_letters_may_change_in_every_way() {
    let pairs: Vec<(Letter, Letter)> = (0..=255).flat_map(|a| (0..=255).map(move |b| (a, b))).collect();
    for (letters, layer) in [(&[256u16][..], 0), (&[256, 2], 0), (&[2, 256], 1)] {
        let (shape, words) = (shape(letters), all_words(&shape(letters)));
        let mut graph = MoveGraph::new(shape.clone());
        graph.add(Step::identity().change_any(layer, &pairs)).unwrap();
        let mut store = Store::unbounded(shape.clone());
        let moves = store.relation(&graph).unwrap();
        for density in [0.0, 0.004, 0.5, 1.0] {
            let table = random_table(&mut rng(1), words.len(), density);
            let set = store.import(&Dfa::from_table(&shape, &table).unwrap()).unwrap();
            // A word is reached if the set contains a word that agrees with it in all other layers.
            let agree = |x: &[Letter], y: &[Letter]| (0..x.len()).all(|l| l == layer || x[l] == y[l]);
            let members: Vec<_> = words.iter().zip(&table).filter(|(_, m)| **m).map(|(w, _)| w).collect();
            let expected: Vec<bool> = words.iter().map(|y| members.iter().any(|x| agree(x, y))).collect();
            let expected = store.import(&Dfa::from_table(&shape, &expected).unwrap()).unwrap();
            assert_eq!(store.image(&set, &moves).unwrap(), expected, "{letters:?}, density {density}");
            assert_eq!(store.preimage(&set, &moves).unwrap(), expected, "{letters:?}, density {density}");
        }
    }
}

#[test]
fn a_graph_without_moves_leads_nowhere_and_the_identity_nowhere_else() {
    let shape = shape(&[2, 3]);
    let mut store = Store::unbounded(shape.clone());
    let none = store.relation(&MoveGraph::new(shape.clone())).unwrap();
    assert_eq!((none.num_clusters(), none.num_states()), (0, 0));
    let mut graph = MoveGraph::new(shape);
    graph.add(Step::identity()).unwrap();
    let stay = store.relation(&graph).unwrap();
    let (empty, full, some) = (store.empty(), store.full(), store.fixed(1, 2).unwrap());
    for set in [&empty, &full, &some] {
        assert!(store.image(set, &none).unwrap().is_empty());
        assert!(store.preimage(set, &none).unwrap().is_empty());
        assert_eq!(&store.image(set, &stay).unwrap(), set);
        assert_eq!(&store.preimage(set, &stay).unwrap(), set);
    }
}

#[test]
fn move_descriptions_that_do_not_fit_are_refused() {
    let mut graph = MoveGraph::new(shape(&[2, 3]));
    let other = Dfa::full(&shape(&[3, 2]));
    let bad = [
        Step::identity().change(2, 0, 0),
        Step::identity().change(0, 2, 0),
        Step::identity().change(0, 0, 2),
        Step::identity().change(1, 0, 1).change(1, 1, 2),
        Step::identity().when(Condition::any().with(2, &[0])),
        Step::identity().when(Condition::any().with(0, &[0, 2])),
        Step::identity().then(Condition::any().with(1, &[3])),
        Step::identity().when(Condition::any().within(other.clone())),
        Step::identity().then(Condition::any().within(other)),
    ];
    for step in bad {
        let text = format!("{step:?}");
        assert!(matches!(graph.add(step), Err(Error::Move(_))), "accepted {text}");
    }
    assert_eq!(graph.num_nodes(), 0);
    let (a, b) = (graph.add(Step::identity()).unwrap(), graph.add(Step::identity()).unwrap());
    for (from, to) in [(b, a), (a, a), (a, 2), (2, 3)] {
        assert!(matches!(graph.connect(from, to), Err(Error::Move(_))), "accepted {from} -> {to}");
    }
    graph.connect(a, b).unwrap();
    assert_eq!((graph.is_sink(a), graph.is_sink(b)), (false, true));
    assert_eq!(graph.predecessors(b).collect::<Vec<_>>(), [a]);

    let mut store = Store::unbounded(shape(&[3, 2]));
    assert!(matches!(store.relation(&graph), Err(Error::Move(_))));
    let full = store.full();
    for changes in [&[(0, 0, 1), (0, 1, 2)][..], &[(0, 3, 0)], &[(2, 0, 0)]] {
        assert!(matches!(store.change(&full, changes), Err(Error::Move(_))), "accepted {changes:?}");
    }
}

#[test]
#[should_panic(expected = "another store")]
fn moves_of_another_store_are_a_mistake() {
    let mut graph = MoveGraph::new(shape(&[2, 3]));
    graph.add(Step::identity()).unwrap();
    let moves = Store::unbounded(shape(&[2, 3])).relation(&graph).unwrap();
    let mut store = Store::unbounded(shape(&[2, 3]));
    let full = store.full();
    let _ = store.image(&full, &moves);
}

#[test]
#[should_panic(expected = "another store")]
fn sets_of_another_store_are_a_mistake() {
    let foreign = Store::unbounded(shape(&[2, 3])).full();
    let mut store = Store::unbounded(shape(&[2, 3]));
    let full = store.full();
    let _ = store.union(&full, &foreign);
}
