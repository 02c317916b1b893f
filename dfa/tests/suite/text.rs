//! Tests of text forms: the exact Graphviz and AT&T output of tiny automata, and AT&T output processed by OpenFst's
//! tools.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::{Command, Stdio};

use crate::common::{Word, all_words, random_dfa, rng, shape};
use nerode_dfa::{Dfa, Letter};

fn dot(dfa: &Dfa) -> String {
    let mut out = Vec::new();
    dfa.write_dot(&mut out, |layer, letter| format!("{}{letter}", ['a', '"', '\\'][layer])).unwrap();
    String::from_utf8(out).unwrap()
}

/// Returns the text and the number of states that was returned.
fn att(dfa: &Dfa) -> (String, u64) {
    let mut out = Vec::new();
    let num_states = dfa.write_att(&mut out).unwrap();
    (String::from_utf8(out).unwrap(), num_states)
}

#[test]
fn drawings_of_tiny_automata() {
    let words = [[0, 0, 1], [0, 1, 0], [0, 1, 1], [2, 0, 1], [2, 1, 0], [2, 1, 1]];
    let dfa = Dfa::from_sorted_words(&shape(&[3, 2, 2]), &words).unwrap();
    let expected = r#"digraph automaton {
  rankdir=LR;
  node [shape=circle, label=""];
  accept [shape=doublecircle, label="all"];
  start [shape=point]; start -> "0.0";
  "0.0" -> "1.0" [label="a0,a2"];
  "1.0" -> "2.0" [label="\"0"];
  "1.0" -> accept [label="\"1"];
  "2.0" -> accept [label="\\1"];
}
"#;
    assert_eq!(dot(&dfa), expected);
    let head = "digraph automaton {\n  rankdir=LR;\n  node [shape=circle, label=\"\"];\n  \
                accept [shape=doublecircle, label=\"all\"];\n";
    let empty = format!("{head}  start [shape=plaintext, label=\"empty set\"];\n}}\n");
    assert_eq!(dot(&Dfa::empty(&shape(&[2, 2]))), empty);
    let full = format!("{head}  start [shape=point]; start -> accept;\n}}\n");
    assert_eq!(dot(&Dfa::full(&shape(&[2, 2]))), full);
}

#[test]
fn acceptors_of_tiny_automata() {
    // After the first letter 0, the second letter is arbitrary; after the first letter 1, it must be 0.
    let dfa = Dfa::from_sorted_words(&shape(&[2, 2]), &[[0, 0], [0, 1], [1, 0]]).unwrap();
    assert_eq!(att(&dfa), ("0 2 1\n0 1 2\n1 3 1\n2 3 1\n2 3 2\n3\n".into(), 4));
    assert_eq!(att(&Dfa::empty(&shape(&[2, 2]))), (String::new(), 0));
    assert_eq!(att(&Dfa::full(&shape(&[1, 2]))), ("0 1 1\n1 2 1\n1 2 2\n2\n".into(), 3));
}

/// Returns various automata by name.
fn samples() -> Vec<(&'static str, Dfa)> {
    let mut rng = rng(8);
    let mixed = shape(&[3, 1, 4, 2, 5]);
    let counted = Dfa::letter_count(&shape(&[3; 12]), 1, &(0..12).collect::<Vec<_>>(), 4..=6).unwrap();
    vec![
        ("full", Dfa::full(&mixed)),
        ("one word", Dfa::word(&mixed, &[2, 0, 3, 1, 4]).unwrap()),
        ("cube", Dfa::cube(&mixed, &[(0, vec![0, 2]), (2, vec![1])]).unwrap()),
        ("random", random_dfa(&mut rng, &mixed, 0.5)),
        ("sparse", random_dfa(&mut rng, &mixed, 0.05)),
        ("dense", random_dfa(&mut rng, &mixed, 0.95)),
        ("count", counted),
        ("12 layers", random_dfa(&mut rng, &shape(&[2; 12]), 0.5)),
        ("12 layers of 3", random_dfa(&mut rng, &shape(&[3; 12]), 0.02)),
    ]
}

/// The transitions and final states as a reader of the format interprets them. The first state in the file is the
/// start.
#[derive(Default)]
struct Acceptor {
    start: Option<u64>,
    arcs: BTreeMap<(u64, u64), u64>,
    finals: BTreeSet<u64>,
}

impl Acceptor {
    fn parse(text: &str) -> Self {
        let mut acceptor = Self::default();
        for line in text.lines() {
            let fields: Vec<u64> = line.split(' ').map(|field| field.parse().unwrap()).collect();
            acceptor.start.get_or_insert(fields[0]);
            match fields[..] {
                [state] => assert!(acceptor.finals.insert(state)),
                [from, to, symbol] => assert_eq!(acceptor.arcs.insert((from, symbol), to), None, "{line}"),
                _ => unreachable!("{line}"),
            }
        }
        acceptor
    }

    fn accepts(&self, word: &[Letter]) -> bool {
        let step = |state: u64, letter: &Letter| self.arcs.get(&(state, u64::from(*letter) + 1)).copied();
        word.iter().try_fold(self.start.unwrap_or(0), step).is_some_and(|end| self.finals.contains(&end))
    }

    fn states(&self) -> BTreeSet<u64> {
        let ends = self.arcs.iter().flat_map(|((from, _), to)| [*from, *to]);
        ends.chain(self.finals.iter().copied()).collect()
    }
}

#[test]
fn acceptors_accept_the_words_and_nothing_else() {
    for (name, dfa) in samples() {
        let (text, num_states) = att(&dfa);
        let acceptor = Acceptor::parse(&text);
        assert!(acceptor.states().into_iter().eq(0..num_states), "{name}: state numbers are not contiguous");
        for (i, word) in all_words(dfa.shape()).into_iter().enumerate() {
            assert_eq!(acceptor.accepts(&word), dfa.contains(&word), "{name}: {word:?}");
            if i % 50 == 0 && !word.is_empty() {
                assert!(!acceptor.accepts(&word[1..]), "{name} accepts a shorter word");
                assert!(!acceptor.accepts(&[&word[..], &[0]].concat()), "{name} accepts a longer word");
            }
        }
    }
}

/// Returns the output of an OpenFst program for `input`.
fn pipe(program: &str, arguments: &[&str], input: Vec<u8>) -> std::io::Result<Vec<u8>> {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()?;
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output()?;
    writer.join().unwrap()?;
    assert!(output.status.success(), "{program} failed");
    Ok(output.stdout)
}

/// Returns the number of states that OpenFst reads, and the number of states after minimisation by OpenFst. Returns
/// `None` if it is not installed.
fn num_states_by_openfst(text: &str) -> Option<(u64, u64)> {
    let num_states = |fst: Vec<u8>| -> u64 {
        let info = String::from_utf8(pipe("fstinfo", &[], fst).unwrap()).unwrap();
        let line = info.lines().find(|line| line.starts_with("# of states")).unwrap();
        line.split_whitespace().last().unwrap().parse().unwrap()
    };
    let mut fst = match pipe("fstcompile", &["--acceptor"], text.into()) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
        compiled => compiled.unwrap(),
    };
    let read = num_states(fst.clone());
    for program in ["fstrmepsilon", "fstdeterminize", "fstminimize"] {
        fst = pipe(program, &[], fst).unwrap();
    }
    Some((read, num_states(fst)))
}

#[test]
fn openfst_minimises_to_as_many_states() {
    for (name, dfa) in samples() {
        let (text, num_states) = att(&dfa);
        let Some((read, minimal)) = num_states_by_openfst(&text) else {
            return println!("skipped: fstcompile not found");
        };
        assert_eq!((read, minimal), (num_states, num_states), "{name}");
        // A tree of the words from one start state shows that the tools do minimise.
        if dfa.count().unwrap() < 200 {
            let from_tree = num_states_by_openfst(&trie(&dfa)).unwrap().1;
            assert_eq!(from_tree, minimal, "{name} as a tree of its words");
        }
    }
}

/// Writes the words of an automaton as a tree in AT&T form.
fn trie(dfa: &Dfa) -> String {
    let (mut text, mut nodes): (String, BTreeMap<Word, usize>) = (String::new(), BTreeMap::new());
    nodes.insert(Vec::new(), 0);
    let words: Vec<Word> = dfa.words().collect();
    for word in &words {
        for end in 1..=word.len() {
            let new = nodes.len();
            if !nodes.contains_key(&word[..end]) {
                nodes.insert(word[..end].to_vec(), new);
                text += &format!("{} {new} {}\n", nodes[&word[..end - 1]], word[end - 1] + 1);
            }
        }
    }
    words.iter().for_each(|word| text += &format!("{}\n", nodes[word]));
    text
}
