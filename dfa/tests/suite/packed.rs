//! Tests of packed maps: every word of the care set has its code, the bytes depend only on the map, and damaged bytes are
//! refused.

use crate::common::{all_words, rng, shape};
use nerode_dfa::packed::{PackedMap, PackedReader, PartialMap, Workspace, WrittenMap};
use nerode_dfa::{CodeTarget, Dfa, Error, Shape};
use rand::RngExt;

/// The codes of the test maps, of which one in `free` words has none.
fn random_codes(shape: &Shape, free: u32, num_codes: u8, seed: u64) -> Vec<Option<u8>> {
    let mut rng = rng(seed);
    let code = |_| (!rng.random_ratio(1, free)).then(|| rng.random_range(0..num_codes));
    all_words(shape).iter().map(code).collect()
}

fn set_of(shape: &Shape, codes: &[Option<u8>], wanted: impl Fn(Option<u8>) -> bool) -> Dfa {
    Dfa::from_table(shape, &codes.iter().map(|&code| wanted(code)).collect::<Vec<bool>>()).unwrap()
}

/// Writes the map of a table of codes; code 0 is the rest.
fn write(shape: &Shape, codes: &[Option<u8>], work: &Workspace) -> (Vec<u8>, WrittenMap) {
    let care = set_of(shape, codes, |code| code.is_some());
    let most = codes.iter().flatten().copied().max().unwrap_or(0);
    let sets: Vec<(u8, Dfa)> =
        (1..=most).map(|code| (code, set_of(shape, codes, |found| found == Some(code)))).collect();
    let classes: Vec<(u8, &Dfa)> = sets.iter().map(|(code, set)| (*code, set)).collect();
    let mut file = Vec::new();
    let written = PartialMap { care: &care, classes: &classes, rest: 0 }.write(&mut file, work).unwrap();
    assert_eq!(written.bytes, file.len() as u64);
    (file, written)
}

fn reader(file: Vec<u8>) -> PackedReader {
    PackedReader::new(Box::new(file), "some.packed".into(), 1 << 16)
}

fn open(shape: &Shape, written: &WrittenMap) -> PackedMap {
    written.open(shape, 0, "some.packed".as_ref()).unwrap()
}

#[test]
fn every_word_that_matters_has_its_code() {
    for (letters, free, num_codes) in [
        (vec![2, 3, 2], 3, 2),
        (vec![3; 6], 2, 3),
        (vec![2; 11], 4, 4),
        (vec![4, 2, 5, 3, 4], 2, 6),
        (vec![70, 3, 70], 2, 3),
    ] {
        let shape = shape(&letters);
        for seed in 0..8 {
            let codes = random_codes(&shape, free, num_codes, seed);
            let (file, written) = write(&shape, &codes, &Workspace::default());
            let (map, reader) = (open(&shape, &written), reader(file));
            assert_eq!(map.num_states(), written.num_states);
            map.verify(&reader).unwrap();
            for (word, code) in all_words(&shape).iter().zip(&codes) {
                if let Some(code) = code {
                    assert_eq!(map.get(&reader, word).unwrap(), *code, "{letters:?} seed {seed} {word:?}");
                    let mut target = map.root();
                    for (layer, &letter) in word.iter().enumerate() {
                        let CodeTarget::State(state) = target else { break };
                        assert!(
                            u64::from(state) < map.num_states_in(layer),
                            "{letters:?} seed {seed} {word:?}"
                        );
                        target = map.target(&reader, layer, state, letter).unwrap();
                    }
                    assert_eq!(target, CodeTarget::Code((*code).into()), "{letters:?} seed {seed} {word:?}");
                }
            }
        }
    }
}

#[test]
fn words_that_do_not_matter_save_states() {
    let shape = Shape::uniform(8, 3).unwrap();
    let count = |letter| Dfa::letter_count(&shape, letter, &[0, 1, 2, 3, 4, 5, 6, 7], 3..=3).unwrap();
    let first = |letters: &[u8]| Dfa::cube(&shape, &[(0, letters.to_vec())]).unwrap();
    let (care, rest) = (first(&[0]), first(&[1, 2]));
    let (here, there) = (care.and(&count(1)).unwrap(), rest.and(&count(2)).unwrap());
    let set = here.or(&there).unwrap();
    let write = |care: &Dfa| {
        let map = PartialMap { care, classes: &[(1, &set)], rest: 0 };
        let mut file = Vec::new();
        let written = map.write(&mut file, &Workspace::default()).unwrap();
        open(&shape, &written).get(&reader(file), &[0; 8]).unwrap();
        written.num_states
    };
    assert_eq!(write(&Dfa::full(&shape)), set.num_states() as u64);
    assert_eq!(write(&care), here.num_states() as u64);
    assert!(here.num_states() < set.num_states());
    assert_eq!(write(&set), 0, "a single code needs no state");
    assert_eq!(write(&Dfa::empty(&shape)), 0);
}

#[test]
fn rows_that_agree_where_both_matter_become_one_state() {
    let shape = Shape::uniform(2, 3).unwrap();
    let (one, two) = (Some(1), Some(2));
    // After each letter, the codes of the second one. The third row needs only one code, and no state.
    let codes = [one, None, two, one, two, None, None, two, two];
    let (file, written) = write(&shape, &codes, &Workspace::default());
    assert_eq!(written.num_states, 2);
    let (map, reader) = (open(&shape, &written), reader(file));
    assert_eq!(map.get(&reader, &[0, 1]).unwrap(), 2, "the free code is that of the other row");
}

#[test]
fn little_memory_gives_the_same_bytes() {
    let shape = Shape::uniform(12, 2).unwrap();
    let codes = random_codes(&shape, 3, 3, 1);
    let expected = write(&shape, &codes, &Workspace::default());
    let folder = tempfile::tempdir().unwrap();
    let work = Workspace { memory: 1 << 20, folder: Some(folder.path().into()), ..Workspace::default() };
    assert_eq!(write(&shape, &codes, &work), expected);
    let care = set_of(&shape, &codes, |code| code.is_some());
    let map = PartialMap { care: &care, classes: &[(1, &set_of(&shape, &codes, |c| c == Some(1)))], rest: 0 };
    let small = map.write(&mut Vec::new(), &Workspace { memory: 1 << 10, ..work.clone() });
    assert!(matches!(small, Err(Error::OutOfMemory { .. })), "{small:?}");
    work.interrupt.store(true, std::sync::atomic::Ordering::Relaxed);
    assert!(matches!(map.write(&mut Vec::new(), &work), Err(Error::Interrupted)));
}

#[test]
fn a_damaged_byte_is_an_error_and_never_another_code() {
    let shape = Shape::uniform(9, 3).unwrap();
    let codes = random_codes(&shape, 3, 3, 2);
    let (file, written) = write(&shape, &codes, &Workspace::default());
    let map = open(&shape, &written);
    let words: Vec<_> =
        all_words(&shape).into_iter().zip(&codes).filter_map(|(w, c)| Some((w, (*c)?))).step_by(5).collect();
    assert!(file.len() > 2048, "several blocks");
    for at in (0..file.len()).step_by(61) {
        let mut bad = file.clone();
        bad[at] ^= 1 << (at % 8);
        let reader = reader(bad);
        assert!(map.verify(&reader).is_err());
        let mut errors = 0;
        for (word, code) in &words {
            match map.get(&reader, word) {
                Ok(found) => assert_eq!(found, *code, "byte {at}"),
                Err(Error::Corrupt { .. }) => errors += 1,
                Err(other) => panic!("{other}"),
            }
        }
        assert!(errors > 0, "byte {at}");
    }
    for len in [0, 1, file.len() - 1] {
        let reader = reader(file[..len].to_vec());
        assert!(words.iter().any(|(word, _)| matches!(map.get(&reader, word), Err(Error::Corrupt { .. }))));
    }
    for len in (0..written.index.len()).step_by(3) {
        let index = written.index[..len].to_vec();
        assert!(WrittenMap { index, ..written.clone() }.open(&shape, 0, "x".as_ref()).is_err(), "{len}");
    }
}
