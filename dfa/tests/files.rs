//! Automaton files: what is written reads back; whatever else a file holds is refused, without a panic.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test helper may fail the test")]

mod common;

use std::path::Path;

use common::{random_dfa, rng, shape};
use nerode_dfa::io::FORMAT_VERSION;
use nerode_dfa::{Dfa, Error, Result};
use proptest::collection::vec;
use proptest::prelude::*;

fn read(bytes: &[u8]) -> Result<Dfa> {
    Dfa::from_bytes(bytes, Path::new("some.dfa"))
}

/// The reason for which bytes are refused as damaged.
fn reason(bytes: &[u8]) -> String {
    match read(bytes) {
        Err(Error::Corrupt { path, reason }) => {
            assert_eq!(path, Path::new("some.dfa"));
            reason
        }
        other => panic!("not refused as corrupt: {other:?}"),
    }
}

/// A file written field by field, so that each can be wrong, under a checksum that is right.
#[derive(Clone, Debug)]
struct Parts {
    magic: [u8; 8],
    version: u32,
    num_layers: u32,
    letters: Vec<u16>,
    root: u32,
    /// For each layer the number of states and the codes of their transitions.
    layers: Vec<(u32, Vec<u8>)>,
    tail: Vec<u8>,
}

impl Parts {
    fn new(letters: &[u16], root: u32, layers: &[(u32, &[u8])]) -> Self {
        Self {
            magic: *b"NERODFA\n",
            version: FORMAT_VERSION,
            num_layers: letters.len() as u32,
            letters: letters.to_vec(),
            root,
            layers: layers.iter().map(|(n, codes)| (*n, codes.to_vec())).collect(),
            tail: Vec::new(),
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut out = self.magic.to_vec();
        out.extend(self.version.to_le_bytes());
        out.extend(self.num_layers.to_le_bytes());
        self.letters.iter().for_each(|k| out.extend(k.to_le_bytes()));
        out.extend(self.root.to_le_bytes());
        for (num_states, codes) in &self.layers {
            let block = zstd::bulk::compress(codes, 3).unwrap();
            out.extend(num_states.to_le_bytes());
            out.extend((block.len() as u32).to_le_bytes());
            out.extend(block);
        }
        out.extend(&self.tail);
        sealed(out)
    }
}

/// The checksum appended.
fn sealed(mut body: Vec<u8>) -> Vec<u8> {
    let digest = *blake3::hash(&body).as_bytes();
    body.extend(digest);
    body
}

/// Two layers of two letters, words of which the letters differ: the root leads to state 0 under 0 and to state 1 under 1;
/// the former wants letter 1, the latter letter 0.
fn differing() -> Parts {
    Parts::new(&[2, 2], 2, &[(1, &[2, 2]), (2, &[0, 1, 1, 0])])
}

#[test]
fn the_format_is_what_its_description_says() {
    let dfa = Dfa::from_sorted_words(&shape(&[2, 2]), &[[0, 1], [1, 0]]).unwrap();
    assert_eq!(dfa.to_bytes().unwrap(), differing().bytes());
    // Letter 0 and letter 2 meet a new state each, letter 1 the newest one, letter 3 the one before it.
    let words = [[0, 0], [1, 0], [2, 1], [3, 0]];
    let dfa = Dfa::from_sorted_words(&shape(&[4, 2]), &words).unwrap();
    let parts = Parts::new(&[4, 2], 2, &[(1, &[2, 3, 2, 4]), (2, &[1, 0, 0, 1])]);
    assert_eq!(dfa.to_bytes().unwrap(), parts.bytes());
    let parts = Parts::new(&[4, 2], 0, &[(0, &[]), (0, &[])]);
    assert_eq!(Dfa::empty(&shape(&[4, 2])).to_bytes().unwrap(), parts.bytes());
    let parts = Parts::new(&[4, 2], 1, &[(0, &[]), (0, &[])]);
    assert_eq!(read(&parts.bytes()).unwrap(), Dfa::full(&shape(&[4, 2])));
}

#[test]
fn every_flip_of_a_byte_is_noticed() {
    let bytes = random_dfa(&mut rng(4), &shape(&[3, 2, 4, 2]), 0.5).to_bytes().unwrap();
    for at in 0..bytes.len() {
        for flip in 1..=255 {
            let mut damaged = bytes.clone();
            damaged[at] ^= flip;
            match read(&damaged) {
                Err(Error::Corrupt { .. }) => {}
                Err(Error::Version { found, expected, .. }) => {
                    assert!((8..12).contains(&at) && found != expected && expected == FORMAT_VERSION);
                }
                other => panic!("byte {at} flipped by {flip}: {other:?}"),
            }
        }
    }
}

#[test]
fn every_truncation_and_every_extension_is_noticed() {
    let bytes = differing().bytes();
    for len in 0..bytes.len() {
        reason(&bytes[..len]);
    }
    for tail in [0, 1, 255] {
        reason(&[&bytes[..], &[tail]].concat());
    }
    // Cut in the body, under a checksum that is right.
    for len in 8 + 4..bytes.len() - 32 {
        let text = reason(&sealed(bytes[..len].to_vec()));
        assert!(text.contains("truncated") || text.contains("decompress"), "cut to {len}: {text}");
    }
}

#[test]
fn other_formats_and_versions_are_named() {
    let mut other = differing();
    other.magic = *b"NERODFB\n";
    assert!(reason(&other.bytes()).contains("not an automaton file"));
    assert!(reason(b"").contains("not an automaton file"));
    assert!(reason(&[0x28, 0xB5, 0x2F, 0xFD, 0, 0, 0, 0, 0, 0]).contains("not an automaton file"));
    for version in [0, FORMAT_VERSION + 1, u32::MAX] {
        let bytes = Parts { version, ..differing() }.bytes();
        match read(&bytes) {
            Err(error @ Error::Version { found, .. }) => {
                assert_eq!(found, version);
                assert!(
                    error.to_string().contains("some.dfa") && error.to_string().contains("use the program")
                );
            }
            result => panic!("{result:?}"),
        }
    }
}

#[test]
fn what_a_minimal_canonical_automaton_cannot_be_is_refused() {
    type Layers<'a> = &'a [(u32, &'a [u8])];
    let refused: [(&str, &[u16], u32, Layers<'_>, &str); 20] = [
        ("root not first", &[2, 2], 3, &[(2, &[2, 2, 2, 2]), (4, &[0, 1, 1, 0])], "root"),
        ("states under a constant root", &[2, 2], 1, &[(1, &[2, 2]), (2, &[0, 1, 1, 0])], "states"),
        ("no root state", &[2, 2], 2, &[(0, &[]), (0, &[])], "states"),
        ("two root states", &[2, 2], 2, &[(2, &[2, 0, 0, 3]), (1, &[0, 1])], "states"),
        ("a state not reached", &[2, 2], 2, &[(1, &[2, 0]), (2, &[0, 1, 1, 0])], "states"),
        ("a state missing", &[2, 2], 2, &[(1, &[2, 2]), (1, &[0, 1])], "states"),
        ("constant reject", &[2, 2], 2, &[(1, &[2, 1]), (1, &[0, 0])], "constant"),
        ("constant accept", &[2, 2], 2, &[(1, &[2, 0]), (1, &[1, 1])], "constant"),
        ("constant root", &[2, 2], 2, &[(1, &[0, 0]), (0, &[])], "constant"),
        ("equal states", &[2, 2], 2, &[(1, &[2, 2]), (2, &[0, 1, 0, 1])], "equal"),
        ("equal states above", &[2, 2, 2], 2, &[(1, &[2, 2]), (2, &[2, 0, 3, 0]), (1, &[0, 1])], "equal"),
        ("past the end", &[2, 2], 2, &[(1, &[2, 1]), (1, &[2, 1])], "last layer"),
        ("back before the first state", &[2, 2], 2, &[(1, &[3, 1]), (0, &[])], "before the first"),
        ("back too far", &[2, 2], 2, &[(1, &[2, 4]), (1, &[0, 1])], "before the first"),
        ("back far too far", &[2, 2], 2, &[(1, &[2, 0xFF, 0xFF, 0xFF, 0xFF, 0xF]), (1, &[0, 1])], "before"),
        ("too few codes", &[2, 2], 2, &[(1, &[2]), (1, &[0, 1])], "truncated"),
        ("too many codes", &[2, 2], 2, &[(1, &[2, 1, 1]), (1, &[0, 1])], "longer"),
        ("codes without states", &[2, 2], 0, &[(0, &[0]), (0, &[])], ""),
        ("a number that goes on", &[2, 2], 2, &[(1, &[2, 0x80]), (1, &[0, 1])], "truncated"),
        (
            "a number beyond 32 bits",
            &[2, 2],
            2,
            &[(1, &[0x82, 0x80, 0x80, 0x80, 0x10, 1]), (1, &[0, 1])],
            "number",
        ),
    ];
    for (what, letters, root, layers, because) in refused {
        let text = reason(&Parts::new(letters, root, layers).bytes());
        assert!(text.contains(because), "{what}: {text}");
    }
}

/// Equal languages have equal bytes, so a number has one code only.
#[test]
fn numbers_coded_with_more_bytes_than_needed_are_refused() {
    let overlong: [&[u8]; 4] =
        [&[0x82, 0, 2], &[2, 0x82, 0], &[2, 0x82, 0x80, 0], &[2, 0x82, 0x80, 0x80, 0x80, 0]];
    for codes in overlong {
        let mut parts = differing();
        parts.layers[0].1 = codes.to_vec();
        let text = reason(&parts.bytes());
        assert!(text.contains("too many bytes"), "{codes:?}: {text}");
    }
}

#[test]
fn fields_that_contradict_each_other_are_refused() {
    let parts = differing();
    let shapes: [(u32, &[u16]); 6] =
        [(0, &[]), (2, &[2, 0]), (2, &[2, 257]), (513, &[2; 513]), (u32::MAX, &[2; 600]), (3, &[2, 2])];
    for (num_layers, letters) in shapes {
        reason(&Parts { num_layers, letters: letters.to_vec(), ..parts.clone() }.bytes());
    }
    let trailing = Parts { tail: vec![0], ..parts.clone() };
    assert!(reason(&trailing.bytes()).contains("after the last layer"));
    for num_states in [3, 1 << 30, u32::MAX] {
        let mut wrong = parts.clone();
        wrong.layers[1].0 = num_states;
        assert!(reason(&wrong.bytes()).contains("are reached"));
    }
    // A block that is not compressed data, and one whose length leads past the end.
    for (length, block) in [(4u32, [1u8, 2, 3, 4]), (u32::MAX, [0; 4])] {
        let mut body = Parts { layers: Vec::new(), ..parts.clone() }.bytes();
        body.truncate(body.len() - 32);
        body.extend(1u32.to_le_bytes());
        body.extend(length.to_le_bytes());
        body.extend(block);
        let text = reason(&sealed(body));
        assert!(text.contains("decompress") || text.contains("truncated"), "{text}");
    }
}

#[test]
fn reading_and_writing_report_the_path() {
    let dir = tempfile::tempdir().unwrap();
    let dfa = Dfa::full(&shape(&[2, 2]));
    let missing = dir.path().join("missing.dfa");
    assert!(matches!(Dfa::read(&missing), Err(Error::Io { path, .. }) if path == missing));
    let nowhere = dir.path().join("no such folder").join("set.dfa");
    assert!(matches!(dfa.write(&nowhere), Err(Error::Io { path, .. }) if path == nowhere));
    // A folder in the place of the file: the new file cannot get its name and must not stay under another.
    let taken = dir.path().join("taken.dfa");
    std::fs::create_dir(&taken).unwrap();
    assert!(matches!(dfa.write(&taken), Err(Error::Io { path, .. }) if path == taken));
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
    let damaged = dir.path().join("damaged.dfa");
    std::fs::write(&damaged, b"NERODFA\n").unwrap();
    let error = Dfa::read(&damaged).unwrap_err().to_string();
    assert!(
        error.contains("damaged.dfa") && error.contains("truncated") && error.contains("restore"),
        "{error}"
    );
}

/// Whatever is accepted must be the minimal automaton of its words.
fn assert_refused_or_canonical(bytes: &[u8]) -> Option<Dfa> {
    match read(bytes) {
        Ok(dfa) => {
            let words: Vec<_> = dfa.words().collect();
            assert_eq!(Dfa::from_sorted_words(dfa.shape(), &words).unwrap(), dfa);
            Some(dfa)
        }
        Err(Error::Corrupt { .. } | Error::Version { .. }) => None,
        Err(other) => panic!("{other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_are_refused(bytes in vec(any::<u8>(), 0..200), sealed_too in any::<bool>()) {
        assert_refused_or_canonical(&bytes);
        let start = [&b"NERODFA\n"[..], &FORMAT_VERSION.to_le_bytes(), &bytes].concat();
        assert_refused_or_canonical(&if sealed_too { sealed(start) } else { start });
    }

    #[test]
    fn damage_under_a_right_checksum_is_refused_or_harmless(at in any::<proptest::sample::Index>(), byte in any::<u8>()) {
        let mut body = differing().bytes();
        body.truncate(body.len() - 32);
        let at = at.index(body.len());
        body[at] = byte;
        assert_refused_or_canonical(&sealed(body));
    }

    #[test]
    fn random_codes_are_refused_or_canonical(
        letters in vec(1u16..4, 1..4), root in prop_oneof![6 => Just(2u32), 1 => 0u32..4], num_states in vec(0u32..4, 3),
        codes in vec(prop_oneof![30 => 0u8..2, 20 => 2u8..5, 1 => any::<u8>()], 27), spare in 0usize..20,
    ) {
        // Mostly the number of states that the codes above reach, and as many codes as they need.
        let (mut layers, mut expected) = (Vec::new(), u32::from(root == 2));
        for (layer, &k) in letters.iter().enumerate() {
            let n = if spare == layer { num_states[layer] } else { expected };
            let needed = (n * u32::from(k)) as usize + usize::from(spare == 10 + layer);
            let codes: Vec<u8> = codes.iter().cycle().skip(layer * 7).take(needed).copied().collect();
            expected = codes.iter().filter(|c| **c == 2).count() as u32;
            layers.push((n, codes));
        }
        let layers: Vec<(u32, &[u8])> = layers.iter().map(|(n, codes)| (*n, &codes[..])).collect();
        let bytes = Parts::new(&letters, root, &layers).bytes();
        if let Some(dfa) = assert_refused_or_canonical(&bytes) {
            prop_assert_eq!(dfa.to_bytes().unwrap(), bytes);
        }
    }
}
