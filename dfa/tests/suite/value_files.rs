//! Tests of value-map files: written files can be read back, and all other contents are refused without a panic.

use std::path::Path;

use crate::common::{Layer, all_words, rng, sealed, shape};
use nerode_dfa::{Dfa, Error, Result, Shape, ValueMap};
use proptest::collection::vec;
use proptest::prelude::*;
use rand::RngExt;

fn read(bytes: &[u8]) -> Result<ValueMap> {
    ValueMap::from_bytes(bytes, Path::new("some.map"))
}

/// Returns the reason why bytes are refused as damaged.
fn reason(bytes: &[u8]) -> String {
    match read(bytes) {
        Err(Error::Corrupt { path, reason }) => {
            assert_eq!(path, Path::new("some.map"));
            reason
        }
        other => panic!("not refused as corrupt: {other:?}"),
    }
}

/// Creates the map of a table of codes in lexicographic order.
fn map_of(shape: &Shape, codes: &[u16]) -> ValueMap {
    let levels: Vec<(u16, Dfa)> = codes
        .iter()
        .map(|code| {
            let table: Vec<bool> = codes.iter().map(|c| c == code).collect();
            (*code, Dfa::from_table(shape, &table).unwrap())
        })
        .collect();
    ValueMap::from_levels(shape, &levels, u64::MAX).unwrap()
}

/// A file that is written field by field, with a valid checksum.
#[derive(Clone, Debug)]
struct Parts {
    letters: Vec<u16>,
    codes: Vec<u16>,
    num_codes: u32,
    root: u32,
    layers: Vec<Layer>,
    tail: Vec<u8>,
}

impl Parts {
    fn new(letters: &[u16], codes: &[u16], root: u32, layers: &[(u32, &[u8])]) -> Self {
        Self {
            letters: letters.to_vec(),
            codes: codes.to_vec(),
            num_codes: codes.len() as u32,
            root,
            layers: Layer::plain(layers),
            tail: Vec::new(),
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut out = b"NERODVM\n".to_vec();
        out.extend(ValueMap::FORMAT_VERSION.to_le_bytes());
        out.extend((self.letters.len() as u32).to_le_bytes());
        self.letters.iter().for_each(|k| out.extend(k.to_le_bytes()));
        out.extend(self.num_codes.to_le_bytes());
        self.codes.iter().for_each(|code| out.extend(code.to_le_bytes()));
        out.extend(self.root.to_le_bytes());
        self.layers.iter().for_each(|layer| layer.append_to(&mut out));
        out.extend(&self.tail);
        sealed(out)
    }
}

/// Creates a file with the codes 5 and 9, in which the root leads to state 0 under letter 0, to code 9 under 1, to
/// state 1 under 2, and to state 0 under 3.
fn example() -> Parts {
    Parts::new(&[4, 2], &[5, 9], 2, &[(1, &[0, 65, 0, 1]), (2, &[64, 65, 65, 64])])
}

#[test]
fn the_format_matches_its_description() {
    let map = map_of(&shape(&[4, 2]), &[5, 9, 9, 9, 9, 5, 5, 9]);
    assert_eq!(map.to_bytes().unwrap(), example().bytes());
    assert_eq!(read(&example().bytes()).unwrap(), map);
    let constant = Parts::new(&[4, 2], &[7], 0, &[(0, &[]), (0, &[])]);
    assert_eq!(map_of(&shape(&[4, 2]), &[7; 8]).to_bytes().unwrap(), constant.bytes());
    assert_eq!(read(&constant.bytes()).unwrap().get(&[3, 1]), 7);
}

#[test]
fn random_maps_read_back() {
    let mut rng = rng(5);
    for letters in [&[2u16, 2, 2][..], &[5], &[3, 1, 4], &[2, 3, 2, 3], &[20, 20]] {
        let shape = shape(letters);
        let n = shape.num_words().unwrap() as usize;
        for most in [1u16, 2, 200, u16::MAX] {
            let codes: Vec<u16> = (0..n).map(|_| rng.random_range(0..=most)).collect();
            let map = map_of(&shape, &codes);
            let bytes = map.to_bytes().unwrap();
            assert_eq!(read(&bytes).unwrap(), map);
            assert_eq!(read(&bytes).unwrap().to_bytes().unwrap(), bytes);
        }
    }
}

#[test]
fn every_flip_of_a_byte_is_noticed() {
    let codes: Vec<u16> = (0..24).map(|i| [3, 700, 0, 65535][i * i % 7 % 4]).collect();
    let bytes = map_of(&shape(&[3, 2, 4]), &codes).to_bytes().unwrap();
    for at in 0..bytes.len() {
        for flip in 1..=255 {
            let mut damaged = bytes.clone();
            damaged[at] ^= flip;
            match read(&damaged) {
                Err(Error::Corrupt { .. }) => {}
                Err(Error::Version { found, expected, .. }) => {
                    assert!(
                        (8..12).contains(&at) && found != expected && expected == ValueMap::FORMAT_VERSION
                    );
                }
                other => panic!("byte {at} flipped by {flip}: {other:?}"),
            }
        }
    }
}

#[test]
fn every_truncation_and_every_extension_is_noticed() {
    let bytes = example().bytes();
    for len in 0..bytes.len() {
        reason(&bytes[..len]);
    }
    reason(&[&bytes[..], &[0]].concat());
    for len in 8 + 4..bytes.len() - 32 {
        let text = reason(&sealed(bytes[..len].to_vec()));
        assert!(text.contains("truncated") || text.contains("decompress"), "cut to {len}: {text}");
    }
}

#[test]
fn files_of_sets_are_not_files_of_maps() {
    let set = Dfa::full(&shape(&[2, 2])).to_bytes().unwrap();
    assert!(reason(&set).contains("not a value-map file"));
    assert!(Dfa::from_bytes(&example().bytes(), Path::new("some.map")).is_err());
    assert!(matches!(ValueMap::read(Path::new("absent.map")), Err(Error::Io { .. })));
}

#[test]
fn what_a_map_cannot_be_is_refused() {
    type Layers<'a> = &'a [(u32, &'a [u8])];
    let refused: [(&str, &[u16], u32, Layers<'_>, &str); 18] = [
        ("no codes", &[], 0, &[(0, &[]), (0, &[])], "0 codes"),
        ("codes descend", &[9, 5], 2, &[(1, &[0, 0]), (2, &[64, 65, 65, 64])], "ascending"),
        ("a code twice", &[5, 5], 2, &[(1, &[0, 0]), (2, &[64, 65, 65, 64])], "ascending"),
        ("a code of no word", &[5, 9, 11], 3, &[(1, &[0, 0]), (2, &[64, 65, 65, 64])], "no word has"),
        ("a code of no word under a constant", &[5, 9], 1, &[(0, &[]), (0, &[])], "no word has"),
        ("a number without a code", &[5, 9], 2, &[(1, &[0, 0]), (2, &[64, 66, 65, 64])], "constant"),
        ("root not first", &[5, 9], 3, &[(2, &[0, 0, 0, 0]), (4, &[64, 65, 65, 64])], "root"),
        ("states under a constant", &[5], 0, &[(1, &[0, 0]), (2, &[64, 65, 65, 64])], "states"),
        ("no root state", &[5, 9], 2, &[(0, &[]), (0, &[])], "states"),
        ("a state not reached", &[5, 9], 2, &[(1, &[0, 64]), (2, &[64, 65, 65, 64])], "states"),
        ("a state missing", &[5, 9], 2, &[(1, &[0, 0]), (1, &[64, 65])], "states"),
        ("one code", &[5, 9], 2, &[(1, &[0, 65]), (1, &[64, 64])], "constant"),
        ("equal states", &[5, 9], 2, &[(1, &[0, 0]), (2, &[64, 64, 65, 65])], "equal"),
        (
            "past the end",
            &[5, 9],
            2,
            &[(1, &[0, 65]), (1, &[0, 65])],
            "layer 1: a transition leads past the 0 states",
        ),
        ("before the first", &[5, 9], 2, &[(1, &[0, 3]), (1, &[64, 65])], "not named"),
        ("low bits missing", &[5, 9], 2, &[(1, &[0, 20]), (1, &[64, 65])], "low bits"),
        ("too few symbols", &[5, 9], 2, &[(1, &[0]), (1, &[64, 65])], "truncated"),
        ("too many symbols", &[5, 9], 2, &[(1, &[0, 65, 65]), (1, &[64, 65])], "longer"),
    ];
    for (what, codes, root, layers, because) in refused {
        let text = reason(&Parts::new(&[2, 2], codes, root, layers).bytes());
        assert!(text.contains(because), "{what}: {text}");
    }
    let trailing = Parts { tail: vec![0], ..example() };
    assert!(reason(&trailing.bytes()).contains("after the last layer"));
    for num_codes in [1, 3, 65537, u32::MAX] {
        reason(&Parts { num_codes, ..example() }.bytes());
    }
}

/// Checks that bytes are either refused or are exactly the file of the map that was read.
fn assert_refused_or_canonical(bytes: &[u8]) {
    match read(bytes) {
        Ok(map) => {
            let codes: Vec<u16> = all_words(map.shape()).iter().map(|word| map.get(word)).collect();
            assert_eq!(map_of(map.shape(), &codes), map);
        }
        Err(Error::Corrupt { .. } | Error::Version { .. }) => {}
        Err(other) => panic!("{other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damage_under_a_right_checksum_is_refused_or_harmless(at in any::<proptest::sample::Index>(), byte in any::<u8>()) {
        let mut body = example().bytes();
        body.truncate(body.len() - 32);
        let at = at.index(body.len());
        body[at] = byte;
        assert_refused_or_canonical(&sealed(body));
    }

    #[test]
    fn random_symbols_are_refused_or_canonical(
        letters in vec(1u16..4, 1..4), codes in vec(prop_oneof![4 => Just(0u16), 1 => 0u16..3], 1..3),
        symbols in vec(prop_oneof![30 => 64u8..66, 20 => 0u8..2, 10 => 2u8..6, 1 => any::<u8>()], 27),
        noise in any::<u64>(), spare in 0usize..20,
    ) {
        let codes: Vec<u16> = codes.iter().scan(0, |sum, &step| { *sum += step + 1; Some(*sum) }).collect();
        let (mut layers, mut expected) = (Vec::new(), 1);
        for (layer, &k) in letters.iter().enumerate() {
            let needed = expected * usize::from(k) + usize::from(spare == layer);
            let part: Vec<u8> = symbols.iter().cycle().skip(layer * 7).take(needed).copied().collect();
            layers.push(Layer::with_low_bits(expected as u32, part.clone(), noise));
            expected = part.iter().filter(|s| **s == 0).count();
        }
        let parts = Parts { layers, ..Parts::new(&letters, &codes, codes.len() as u32, &[]) };
        assert_refused_or_canonical(&parts.bytes());
    }
}
