//! Tests of automaton files: written files can be read back, and all other contents are refused without a panic.

use std::path::Path;

use crate::common::{Layer, random_dfa, rng, sealed, shape};
use nerode_dfa::{Dfa, Error, Result};
use proptest::collection::vec;
use proptest::prelude::*;

fn read(bytes: &[u8]) -> Result<Dfa> {
    Dfa::from_bytes(bytes, Path::new("some.dfa"))
}

/// Returns the reason why bytes are refused as damaged.
fn reason(bytes: &[u8]) -> String {
    match read(bytes) {
        Err(Error::Corrupt { path, reason }) => {
            assert_eq!(path, Path::new("some.dfa"));
            reason
        }
        other => panic!("not refused as corrupt: {other:?}"),
    }
}

/// A file that is written field by field, so that each field can be invalid, with a valid checksum.
#[derive(Clone, Debug)]
struct Parts {
    magic: [u8; 8],
    version: u32,
    num_layers: u32,
    letters: Vec<u16>,
    root: u32,
    layers: Vec<Layer>,
    tail: Vec<u8>,
}

impl Parts {
    fn new(letters: &[u16], root: u32, layers: &[(u32, &[u8])]) -> Self {
        Self {
            magic: *b"NERODFA\n",
            version: Dfa::FORMAT_VERSION,
            num_layers: letters.len() as u32,
            letters: letters.to_vec(),
            root,
            layers: Layer::plain(layers),
            tail: Vec::new(),
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut out = self.magic.to_vec();
        out.extend(self.version.to_le_bytes());
        out.extend(self.num_layers.to_le_bytes());
        self.letters.iter().for_each(|k| out.extend(k.to_le_bytes()));
        out.extend(self.root.to_le_bytes());
        self.layers.iter().for_each(|layer| layer.append_to(&mut out));
        out.extend(&self.tail);
        sealed(out)
    }
}

/// Creates a file for the words of two binary letters that differ. The root leads to state 0 under 0 and to state 1
/// under 1; state 0 requires letter 1, and state 1 requires letter 0.
fn differing() -> Parts {
    Parts::new(&[2, 2], 2, &[(1, &[0, 0]), (2, &[64, 65, 65, 64])])
}

#[test]
fn the_format_matches_its_description() {
    let dfa = Dfa::from_sorted_words(&shape(&[2, 2]), &[[0, 1], [1, 0]]).unwrap();
    assert_eq!(dfa.to_bytes().unwrap(), differing().bytes());
    let parts = Parts::new(&[4, 2], 0, &[(0, &[]), (0, &[])]);
    assert_eq!(Dfa::empty(&shape(&[4, 2])).to_bytes().unwrap(), parts.bytes());
    let parts = Parts::new(&[4, 2], 1, &[(0, &[]), (0, &[])]);
    assert_eq!(read(&parts.bytes()).unwrap(), Dfa::full(&shape(&[4, 2])));
}

/// Creates a file with two states under the root. The first one leads to four others in order. The second one leads to
/// the first of these (no target has followed the previous target at this letter, so the first is predicted), to the
/// first again (the second is predicted), to the last (the first is predicted, because no target has followed it before
/// letter 2), and to the third (the first is predicted).
fn with_distances() -> Parts {
    let last = [65, 64, 64, 65, 64, 65, 64, 65, 64, 64, 65, 64];
    let mut parts = Parts::new(&[2, 4, 3], 2, &[(1, &[0, 0]), (2, &[0, 1, 0, 3, 0, 4, 0, 4]), (4, &last)]);
    // A distance of three above leaves one bit open, which is set; a distance of two leaves one bit, which is clear.
    parts.layers[1].low = vec![0b01];
    parts
}

#[test]
fn states_are_coded_by_their_distance_from_the_one_predicted() {
    let words = [
        [0, 0, 0],
        [0, 1, 1],
        [0, 2, 2],
        [0, 3, 0],
        [0, 3, 1],
        [1, 0, 0],
        [1, 1, 0],
        [1, 2, 0],
        [1, 2, 1],
        [1, 3, 2],
    ];
    let dfa = Dfa::from_sorted_words(&shape(&[2, 4, 3]), &words).unwrap();
    let parts = with_distances();
    assert_eq!(dfa.to_bytes().unwrap(), parts.bytes());
    assert_eq!(read(&parts.bytes()).unwrap(), dfa);
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
                    assert!((8..12).contains(&at) && found != expected && expected == Dfa::FORMAT_VERSION);
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
    // Truncate the body and add a valid checksum.
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
    for version in [0, Dfa::FORMAT_VERSION + 1, u32::MAX] {
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
    let refused: [(&str, &[u16], u32, Layers<'_>, &str); 23] = [
        ("root not first", &[2, 2], 3, &[(2, &[0, 0, 0, 0]), (4, &[64, 65, 65, 64])], "root"),
        ("states under a constant root", &[2, 2], 1, &[(1, &[0, 0]), (2, &[64, 65, 65, 64])], "states"),
        ("no root state", &[2, 2], 2, &[(0, &[]), (0, &[])], "states"),
        ("two root states", &[2, 2], 2, &[(2, &[0, 64, 64, 0]), (2, &[64, 65, 65, 64])], "states"),
        ("a state not reached", &[2, 2], 2, &[(1, &[0, 64]), (2, &[64, 65, 65, 64])], "states"),
        ("a state missing", &[2, 2], 2, &[(1, &[0, 0]), (1, &[64, 65])], "states"),
        ("more states than there can be", &[2, 2], 2, &[(u32::MAX, &[]), (1, &[64, 65])], "states"),
        ("constant reject", &[2, 2], 2, &[(1, &[0, 65]), (1, &[64, 64])], "constant"),
        ("constant accept", &[2, 2], 2, &[(1, &[0, 64]), (1, &[65, 65])], "constant"),
        ("constant root", &[2, 2], 2, &[(1, &[64, 64]), (0, &[])], "constant"),
        ("equal states", &[2, 2], 2, &[(1, &[0, 0]), (2, &[64, 64, 65, 65])], "equal"),
        ("equal states above", &[2, 2, 2], 2, &[(1, &[0, 0]), (2, &[0, 1, 64, 64]), (1, &[64, 65])], "equal"),
        (
            "past the end",
            &[2, 2],
            2,
            &[(1, &[0, 65]), (1, &[0, 65])],
            "layer 1: a transition leads past the 0 states",
        ),
        ("predicted before any is named", &[2, 2], 2, &[(1, &[1, 65]), (0, &[])], "not named"),
        ("above the newest", &[2, 2], 2, &[(1, &[0, 2]), (1, &[64, 65])], "not named"),
        ("below the first", &[2, 2], 2, &[(1, &[0, 3]), (1, &[64, 65])], "not named"),
        ("no such constant", &[2, 2], 2, &[(1, &[0, 66]), (1, &[64, 65])], "constant"),
        ("too few symbols", &[2, 2], 2, &[(1, &[0]), (1, &[64, 65])], "truncated"),
        ("too many symbols", &[2, 2], 2, &[(1, &[0, 65, 65]), (1, &[64, 65])], "longer"),
        ("symbols without states", &[2, 2], 0, &[(0, &[64]), (0, &[])], "longer"),
        ("low bits missing", &[2, 2], 2, &[(1, &[0, 4]), (1, &[64, 65])], "low bits"),
        ("a large constant's bits missing", &[2, 2], 2, &[(1, &[0, 255]), (1, &[64, 65])], "low bits"),
        ("many low bits missing", &[2, 2], 2, &[(1, &[0, 63]), (1, &[64, 65])], "low bits"),
    ];
    for (what, letters, root, layers, because) in refused {
        let text = reason(&Parts::new(letters, root, layers).bytes());
        assert!(text.contains(because), "{what}: {text}");
    }
}

/// Equal languages must have equal bytes, so no data may follow the last low bit. No distance may lead to a state that
/// has not been introduced.
#[test]
fn low_bits_beyond_the_requested_ones_are_refused() {
    for (symbols, low, because) in [
        ([0, 0], vec![0], "longer"),
        ([0, 65], vec![1], "longer"),
        ([0, 4], vec![1], "not named"),
        ([0, 5], vec![1], "not named"),
        ([0, 62], vec![255, 255, 255, 63], "not named"),
        ([0, 63], vec![255, 255, 255, 63], "not named"),
        ([0, 255], vec![0, 0], "constant"),
        ([0, 255], vec![255, 255], "constant"),
    ] {
        let mut parts = differing();
        parts.layers[0] = Layer { num_states: 1, symbols: symbols.to_vec(), low: low.clone() };
        let text = reason(&parts.bytes());
        assert!(text.contains(because), "{symbols:?}, {low:?}: {text}");
    }
    for (low, because) in [(vec![], "truncated"), (vec![0b101], "longer"), (vec![0b01, 0], "longer")] {
        let mut parts = with_distances();
        parts.layers[1].low = low.clone();
        let text = reason(&parts.bytes());
        assert!(text.contains(because), "{low:?}: {text}");
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
        wrong.layers[1].num_states = num_states;
        let text = reason(&wrong.bytes());
        assert!(text.contains("layer 0") && text.contains("states"), "{text}");
    }
    // A block that is not compressed data, and a block whose length exceeds the file.
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
    let full = dfa.write_to(&mut [0u8; 10][..], &nowhere);
    assert!(matches!(full, Err(Error::Io { path, .. }) if path == nowhere));
    assert!(matches!(dfa.write(&nowhere), Err(Error::Io { path, .. }) if path == nowhere));
    // If a directory is in the place of the file, the new file cannot be renamed and must not remain under its
    // temporary name.
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

/// Checks that bytes are either refused or are the minimal automaton of their words.
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
        let start = [&b"NERODFA\n"[..], &Dfa::FORMAT_VERSION.to_le_bytes(), &bytes].concat();
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
    fn random_symbols_are_refused_or_canonical(
        letters in vec(1u16..4, 1..4), root in prop_oneof![6 => Just(2u32), 1 => 0u32..4], num_states in vec(0u32..4, 3),
        symbols in vec(prop_oneof![30 => 64u8..66, 20 => 0u8..2, 10 => 2u8..6, 1 => any::<u8>()], 27),
        noise in any::<u64>(), spare in 0usize..20,
    ) {
        // In most cases, use the number of states that the preceding symbols reach, and as many symbols as these states
        // need.
        let (mut layers, mut expected) = (Vec::new(), u32::from(root == 2));
        for (layer, &k) in letters.iter().enumerate() {
            let n = if spare == layer { num_states[layer] } else { expected };
            let needed = (n * u32::from(k)) as usize + usize::from(spare == 10 + layer);
            let symbols: Vec<u8> = symbols.iter().cycle().skip(layer * 7).take(needed).copied().collect();
            expected = symbols.iter().filter(|s| **s == 0).count() as u32;
            layers.push(Layer::with_low_bits(n, symbols, noise));
        }
        let bytes = Parts { layers, ..Parts::new(&letters, root, &[]) }.bytes();
        if let Some(dfa) = assert_refused_or_canonical(&bytes) {
            prop_assert_eq!(dfa.to_bytes().unwrap(), bytes);
        }
    }
}
