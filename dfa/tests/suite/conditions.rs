//! Tests of conditions as data: for every combination, the compiled set contains exactly the words that satisfy the
//! condition.

use crate::common::{all_words, random_table, rng, shape};
use chacha20::ChaCha12Rng;
use nerode_dfa::{Condition, Dfa, Error, Letter, MoveGraph, Shape, Step, Store};
use rand::RngExt;

const SHAPES: [&[u16]; 3] = [&[2, 2, 2, 2, 2], &[3, 2, 1, 3], &[2, 3, 3, 2]];

/// Creates a random condition that fits `shape`, with at most `depth` levels of "and", "or" and "not".
fn random(rng: &mut ChaCha12Rng, shape: &Shape, depth: usize) -> Condition {
    let layer = rng.random_range(0..shape.num_layers());
    // The letters that every layer has.
    let least = shape.alphabets().iter().copied().min().unwrap();
    let some = |rng: &mut ChaCha12Rng, n: u16| -> Vec<Letter> {
        (0..n as Letter).filter(|_| rng.random_bool(0.6)).collect()
    };
    let layers = |rng: &mut ChaCha12Rng| -> Vec<usize> {
        (0..rng.random_range(0..4)).map(|_| rng.random_range(0..shape.num_layers())).collect()
    };
    let (from, more) = (rng.random_range(0..3), rng.random_range(0..3));
    let range = from..=if rng.random_bool(0.2) { usize::MAX } else { from + more };
    match rng.random_range(0..if depth == 0 { 4 } else { 7 }) {
        0 => Condition::letters(layer, &some(rng, shape.num_letters(layer) as u16)),
        1 => Condition::count(&layers(rng), &some(rng, least), range),
        2 => {
            let lines: Vec<Vec<usize>> = (0..rng.random_range(0..5)).map(|_| layers(rng)).collect();
            Condition::lines(&lines, &some(rng, least), range)
        }
        3 => {
            let table = random_table(rng, shape.num_words().unwrap() as usize, 0.5);
            Condition::any().within(Dfa::from_table(shape, &table).unwrap())
        }
        4 => random(rng, shape, depth - 1).and(random(rng, shape, depth - 1)),
        5 => random(rng, shape, depth - 1).or(random(rng, shape, depth - 1)),
        _ => !random(rng, shape, depth - 1),
    }
}

#[test]
fn conditions_compile_to_the_words_that_meet_them() {
    let mut rng = rng(21);
    for letters in SHAPES {
        let shape = shape(letters);
        let words = all_words(&shape);
        let mut open = 0;
        for _ in 0..600 {
            let condition = random(&mut rng, &shape, 3);
            let set = condition.compile(&shape).unwrap();
            let expected: Vec<bool> = words.iter().map(|word| condition.holds(word)).collect();
            assert_eq!(set, Dfa::from_table(&shape, &expected).unwrap(), "{condition:?}");
            open += usize::from(!set.is_empty() && !set.is_full());
        }
        assert!(open > 200, "only {open} of 600 conditions of {letters:?} are neither empty nor full");
    }
}

#[test]
fn what_conditions_mean() {
    let word = [1, 0, 1, 1];
    assert!(Condition::any().holds(&word) && !(!Condition::any()).holds(&word));
    assert!(!Condition::Or(Vec::new()).holds(&word));
    assert!(Condition::letters(1, &[0, 2]).holds(&word) && !Condition::letters(1, &[1]).holds(&word));
    let stones = |range| Condition::count(&[0, 1, 2, 2], &[1], range).holds(&word);
    assert!(stones(2..=2) && !stones(3..=4) && !stones(0..=1));
    let lines = |range| Condition::lines(&[vec![0, 1], vec![2, 3], vec![2, 3]], &[1], range).holds(&word);
    assert!(lines(2..=2) && !lines(1..=1) && !lines(3..=3));
    let set = Dfa::word(&shape(&[2; 4]), &word).unwrap();
    assert!(Condition::any().within(set.clone()).holds(&word));
    assert!(!Condition::any().within(set).holds(&[1, 1, 1, 1]));
}

#[test]
fn conditions_and_steps_come_back_from_json() {
    let (mut rng, shape) = (rng(22), shape(&[3, 2, 3]));
    for _ in 0..200 {
        let [pre, post] = [2, 1].map(|depth| random(&mut rng, &shape, depth));
        let step = Step::identity().change(1, 0, 1).when(pre).then(post).labelled("b2");
        let text = serde_json::to_string(&step).unwrap();
        assert_eq!(serde_json::from_str::<Step>(&text).unwrap(), step, "{text}");
    }
}

#[test]
fn automata_from_json_are_checked_and_canonical() {
    let read = |text: &str| serde_json::from_str::<Dfa>(text).map_err(|e| e.to_string());
    // The input has two equal states, one unreachable state, and a constant state.
    let layers = "[[3,2],[0,1,0,1,1,1]]";
    let set = read(&format!(r#"{{"letters":[2,2],"root":2,"layers":{layers}}}"#)).unwrap();
    assert_eq!(set, Condition::letters(1, &[1]).compile(&shape(&[2, 2])).unwrap());
    for (bad, why) in [
        (r#"{"letters":[],"root":0,"layers":[]}"#, "invalid shape"),
        (r#"{"letters":[2,2],"root":0,"layers":[[]]}"#, "1 layers"),
        (r#"{"letters":[2,2],"root":2,"layers":[[0,1,0],[]]}"#, "too short"),
        (r#"{"letters":[2,2],"root":2,"layers":[[0,2],[]]}"#, "no state 0 in layer 1"),
        (r#"{"letters":[2,2],"root":3,"layers":[[0,1],[]]}"#, "no state 1 in layer 0"),
    ] {
        let error = read(bad).unwrap_err();
        assert!(error.contains(why), "{bad}: {error}");
    }
}

/// Returns the words that a step produces from `word`.
fn after(step: Step, word: &[Letter]) -> Vec<Vec<Letter>> {
    let mut graph = MoveGraph::new(shape(&[2; 3]));
    graph.add(step).unwrap();
    let mut store = Store::unbounded(graph.shape().clone());
    let moves = store.relation(&graph).unwrap();
    let set = store.word(word).unwrap();
    let image = store.image(&set, &moves).unwrap();
    store.freeze(&image).words().collect()
}

#[test]
fn conditions_given_twice_must_both_hold() {
    let shape = shape(&[2; 3]);
    let set = |layer| Condition::letters(layer, &[1]).compile(&shape).unwrap();
    let within = Condition::any().within(set(0)).within(set(1));
    for step in [
        Step::identity().when(within.clone()),
        Step::identity().then(within),
        Step::identity().when(Condition::any().within(set(0))).when(Condition::any().within(set(1))),
        Step::identity().then(Condition::letters(0, &[1])).then(Condition::any().within(set(1))),
    ] {
        assert_eq!(after(step.clone(), &[1, 1, 0]), [[1, 1, 0]]);
        assert!(after(step.clone(), &[1, 0, 0]).is_empty() && after(step, &[0, 1, 0]).is_empty());
    }
}

#[test]
fn errors_name_the_label_of_a_step() {
    let mut graph = MoveGraph::new(shape(&[2; 3]));
    let first = graph.add(Step::identity().labelled("lift a1")).unwrap();
    let second = graph.add(Step::identity()).unwrap();
    assert_eq!(graph.step(first).label.as_deref(), Some("lift a1"));
    let message = |error: Error| match error {
        Error::Move(message) => message,
        other => panic!("{other}"),
    };
    let edge = message(graph.connect(second, first).unwrap_err());
    assert!(edge.contains("edge 1 -> 0 (lift a1)"), "{edge}");
    let bad = message(graph.add(Step::identity().change(7, 0, 1).labelled("a1-h8")).unwrap_err());
    assert!(bad.contains("step 2 (a1-h8): change of layer 7"), "{bad}");
    let bad = Step::identity().when(!Condition::count(&[0, 3], &[1], 0..=1)).labelled("far");
    let bad = message(graph.add(bad).unwrap_err());
    assert!(bad.contains("(far)") && bad.contains("layer 3"), "{bad}");
}
