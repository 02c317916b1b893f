//! Every representation reproduces all codes from which it was built, and occupies the stated number of bytes.

use std::collections::{BTreeSet, HashSet};

use crate::common::{Plan, game, scratch, solve_in, stride};
use nerode_dfa::{Dfa, Shape};
use nerode_games::Side;
use nerode_solver::archive::run_dir::Kind;
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::error::Error;
use nerode_solver::forms::represent::bdd::{Bdd, NODE_BYTES};
use nerode_solver::forms::represent::{
    BLOCK_POSITIONS, DRAW, LOSS, MAX_PLIES, Packed, Representation, Rle, RleValue, UNKNOWN, WIN, ZstdBlocks,
    packed_bytes,
};
use proptest::prelude::*;

const NO_LIMIT: u64 = 1 << 32;

/// Returns a code that looks random but is reproducible.
fn noise(i: u64) -> u8 {
    u8::try_from(
        i.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 62,
    )
    .unwrap()
}

fn flat(runs: &[(u8, u64)]) -> Vec<u8> {
    runs.iter().flat_map(|&(code, len)| std::iter::repeat_n(code, usize::try_from(len).unwrap())).collect()
}

fn total(runs: &[(u8, u64)]) -> u64 {
    runs.iter().map(|run| run.1).sum()
}

fn all_forms(n: u64, runs: &[(u8, u64)]) -> Vec<Box<dyn Representation>> {
    let runs = || runs.iter().copied();
    vec![
        Box::new(Packed::two_bits(n, runs(), NO_LIMIT).unwrap()),
        Box::new(Packed::one_byte(n, runs(), NO_LIMIT).unwrap()),
        Box::new(Rle::from_codes(n, runs(), NO_LIMIT).unwrap()),
        Box::new(ZstdBlocks::build(n, runs(), 3, NO_LIMIT).unwrap()),
    ]
}

fn assert_reads_back(runs: &[(u8, u64)]) {
    let codes = flat(runs);
    let n = total(runs);
    for mut form in all_forms(n, runs) {
        assert_eq!(form.num_positions(), n);
        for (index, &code) in (0_u64..).zip(&codes) {
            assert_eq!(form.get(index).unwrap(), code, "{} at {index}", form.name());
        }
        assert!(form.get(n).is_err(), "{}", form.name());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn random_runs_read_back(runs in prop::collection::vec((0_u8..4, prop_oneof![0_u64..4, 0_u64..300]), 0..200)) {
        assert_reads_back(&runs);
    }
}

#[test]
fn long_runs_and_block_edges_read_back() {
    let b = BLOCK_POSITIONS;
    for runs in [
        vec![(WIN, b), (LOSS, b), (WIN, b)],
        vec![(DRAW, 1), (WIN, 3 * b), (LOSS, 2)],
        vec![(UNKNOWN, b - 1), (LOSS, 2), (DRAW, b - 1)],
        vec![(LOSS, 127), (WIN, 128), (LOSS, 16_383), (WIN, 16_384), (DRAW, 16_385)],
    ] {
        assert_reads_back(&runs);
    }
}

#[test]
#[ignore = "slow: .ci/slow"]
fn random_access_in_any_order() {
    let runs: Vec<(u8, u64)> = (0..40_000_u64).map(|i| (noise(i), i % 13)).collect();
    let codes = flat(&runs);
    for mut form in all_forms(total(&runs), &runs) {
        for i in (0..20_000_u64).step_by(stride(4)) {
            let index = i * 48_271 % total(&runs);
            assert_eq!(form.get(index).unwrap(), codes[usize::try_from(index).unwrap()]);
        }
    }
}

#[test]
fn packed_bytes_are_arithmetic() {
    for (bits, form) in [
        (2, Packed::two_bits(1001, [(1, 1001)].into_iter(), NO_LIMIT)),
        (8, Packed::one_byte(1001, [(1, 1001)].into_iter(), NO_LIMIT)),
    ] {
        assert_eq!(packed_bytes(1001, bits), Some(form.unwrap().bytes().into()));
    }
    // The size for 3^80 positions can be computed, although the array is never built.
    assert_eq!(packed_bytes(3_u128.pow(80), 2), Some(36_952_207_353_586_480_829_020_802_551_595_824_401));
    assert_eq!(packed_bytes(u128::MAX, 2), None);
}

#[test]
fn run_length_bytes_follow_the_paper() {
    use RleValue::{Draw, Plies, Unknown};
    let cases: [(RleValue, u64, &[u8]); 14] = [
        (Plies(0), 1, &[0x80]),
        (Plies(125), 1, &[0x80 | 125]),
        (Draw, 1, &[0x80 | 126]),
        (Plies(126), 1, &[0xff, 0]),
        (Plies(380), 1, &[0xff, 254]),
        (Unknown, 1, &[0xff, 255]),
        (Draw, 2, &[126, 2]),
        (Draw, 127, &[126, 127]),
        (Draw, 128, &[126, 0x80, 128]),
        (Draw, 16_383, &[126, 0xbf, 0xff]),
        (Draw, 16_384, &[126, 0xc0, 0, 0x40, 0]),
        (Plies(200), 300, &[127, 74, 0x81, 0x2c]),
        (Draw, (1 << 30) - 1, &[126, 0xff, 0xff, 0xff, 0xff]),
        (Draw, 1 << 30, &[126, 0xff, 0xff, 0xff, 0xff, 0x80 | 126]),
    ];
    for (value, len, expected) in cases {
        let rle = Rle::from_values(len, [(value, len)].into_iter(), NO_LIMIT).unwrap();
        assert_eq!(rle.code(), expected, "{len} times {value:?}");
        assert_eq!(rle.value(0).unwrap(), value);
        assert_eq!(rle.value(len - 1).unwrap(), value);
        assert_eq!(rle.bytes(), expected.len() as u64 + 16);
    }
    let deep = Rle::from_values(1, [(Plies(MAX_PLIES + 1), 1)].into_iter(), NO_LIMIT);
    assert!(matches!(deep, Err(Error::Unrepresentable { .. })));
}

#[test]
fn run_length_keeps_plies() {
    let values: Vec<(RleValue, u64)> = (0..=MAX_PLIES)
        .flat_map(|plies| [(RleValue::Plies(plies), u64::from(plies % 3) + 1), (RleValue::Draw, 1)])
        .collect();
    let n = values.iter().map(|run| run.1).sum();
    let mut rle = Rle::from_values(n, values.iter().copied(), NO_LIMIT).unwrap();
    let mut index = 0;
    for &(value, len) in &values {
        for _ in 0..len {
            assert_eq!(rle.value(index).unwrap(), value);
            assert_eq!(rle.get(index).unwrap(), value.code());
            index += 1;
        }
    }
    assert_eq!((RleValue::Plies(4).code(), RleValue::Plies(5).code()), (LOSS, WIN));
}

#[test]
fn limits_and_bad_runs_are_errors() {
    let noisy = || (0..100_000_u64).map(|i| (noise(i), 1));
    let limited: [Result<(), Error>; 4] = [
        Packed::two_bits(100_000, noisy(), 24_999).map(|_| ()),
        Packed::one_byte(100_000, noisy(), 99_999).map(|_| ()),
        Rle::from_codes(100_000, noisy(), 1000).map(|_| ()),
        ZstdBlocks::build(100_000, noisy(), 3, 100).map(|_| ()),
    ];
    for (i, result) in limited.into_iter().enumerate() {
        assert!(matches!(result, Err(Error::TooLarge { .. })), "form {i}");
    }
    assert!(Packed::two_bits(100_000, noisy(), 25_000).is_ok());
    // An array too large for any machine is rejected without an attempt to allocate it.
    assert!(matches!(Packed::one_byte(u64::MAX, [].into_iter(), u64::MAX), Err(Error::TooLarge { .. })));
    for runs in [&[(4, 10)][..], &[(1, 9)], &[(1, 11)]] {
        let runs = || runs.iter().copied();
        assert!(Packed::two_bits(10, runs(), NO_LIMIT).is_err());
        assert!(Packed::one_byte(10, runs(), NO_LIMIT).is_err());
        assert!(Rle::from_codes(10, runs(), NO_LIMIT).is_err());
        assert!(ZstdBlocks::build(10, runs(), 3, NO_LIMIT).is_err());
    }
    assert!(ZstdBlocks::build(0, [].into_iter(), 99, NO_LIMIT).is_err());
}

#[test]
fn compression_pays_where_it_should() {
    let n = 1 << 22;
    let constant = [(WIN, n)];
    let sizes: Vec<u64> = all_forms(n, &constant).iter().map(|form| form.bytes()).collect();
    assert_eq!(sizes[..3], [n / 4, n, 21]);
    assert!(sizes[3] < 64 * 40, "64 blocks of one code take {} bytes", sizes[3]);
}

/// Returns the automaton of a set of words.
fn dfa(letters: &[usize], set: &BTreeSet<Vec<u8>>) -> Dfa {
    let shape = Shape::new(letters.iter().map(|&k| u16::try_from(k).unwrap()).collect()).unwrap();
    Dfa::from_sorted_words(&shape, &set.iter().collect::<Vec<_>>()).unwrap()
}

fn all_words(letters: &[usize]) -> Vec<Vec<u8>> {
    letters.iter().fold(vec![vec![]], |words, &k| {
        words
            .iter()
            .flat_map(|w| (0..k).map(move |a| [&w[..], &[u8::try_from(a).unwrap()]].concat()))
            .collect()
    })
}

/// Returns the number of inner nodes of the reduced diagram: the distinct subfunctions of all bit prefixes that depend on their
/// next bit. It is computed from truth tables, without diagrams.
fn nodes_by_truth_tables(letters: &[usize], sets: &[&BTreeSet<Vec<u8>>]) -> usize {
    let bits: Vec<u32> = letters.iter().map(|k| k.next_power_of_two().trailing_zeros()).collect();
    let num_bits: u32 = bits.iter().sum();
    let mut found = HashSet::new();
    for set in sets {
        let table: Vec<bool> = (0_u32..1 << num_bits)
            .map(|pattern| {
                let mut left = num_bits;
                let word: Vec<u8> = letters
                    .iter()
                    .zip(&bits)
                    .map(|(&k, &b)| {
                        left -= b;
                        letter_of(pattern >> left & ((1 << b) - 1), b, k)
                    })
                    .collect();
                set.contains(&word)
            })
            .collect();
        for depth in 0..num_bits {
            let part = 1_usize << (num_bits - depth);
            for function in table.chunks(part) {
                if function[..part / 2] != function[part / 2..] {
                    found.insert((depth, function.to_vec()));
                }
            }
        }
    }
    found.len()
}

/// Returns the letter that a bit pattern represents. Bits that would exceed the largest letter are read as 0.
fn letter_of(pattern: u32, bits: u32, k: usize) -> u8 {
    let mut letter = 0_u32;
    for bit in (0..bits).rev() {
        let one = letter | 1 << bit;
        if pattern >> bit & 1 == 1 && (one as usize) < k {
            letter = one;
        }
    }
    u8::try_from(letter).unwrap()
}

fn assert_diagrams(letters: &[usize], win: &BTreeSet<Vec<u8>>, loss: &BTreeSet<Vec<u8>>) {
    let bdd = Bdd::build(&dfa(letters, win), &dfa(letters, loss), NO_LIMIT).unwrap();
    for word in all_words(letters) {
        let expected = if win.contains(&word) {
            WIN
        } else if loss.contains(&word) {
            LOSS
        } else {
            DRAW
        };
        assert_eq!(bdd.get(&word, DRAW).unwrap(), expected, "{word:?}");
    }
    let nodes = |sets: &[&BTreeSet<Vec<u8>>]| nodes_by_truth_tables(letters, sets) as u64;
    assert_eq!(bdd.num_nodes(), nodes(&[win, loss]));
    assert_eq!(bdd.num_nodes_of_sets(), (nodes(&[win]), nodes(&[loss])));
    assert_eq!(bdd.bytes(), NODE_BYTES * bdd.num_nodes());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn diagrams_hold_random_sets(
        letters in prop_oneof![
            Just(vec![2, 2, 2, 2, 2]), Just(vec![3, 3, 3, 3]), Just(vec![3, 1, 5, 2]), Just(vec![4, 7, 6]), Just(vec![1, 1])
        ],
        values in prop::collection::vec(0_u8..4, 200),
    ) {
        let words = all_words(&letters);
        let having = |code| words.iter().zip(&values).filter(|(_, v)| **v == code).map(|(w, _)| w.clone()).collect();
        assert_diagrams(&letters, &having(WIN), &having(LOSS));
    }
}

#[test]
fn diagrams_of_structured_sets() {
    let letters = [3, 3, 3, 3, 3];
    let having = |keep: &dyn Fn(&[u8]) -> bool| all_words(&letters).into_iter().filter(|w| keep(w)).collect();
    let sum = |w: &[u8]| w.iter().map(|&a| u32::from(a)).sum::<u32>();
    assert_diagrams(&letters, &having(&|w| sum(w) % 3 == 0), &having(&|w| sum(w) % 3 == 1));
    assert_diagrams(&letters, &having(&|_| true), &having(&|_| false));
    assert_diagrams(&letters, &having(&|_| false), &having(&|w| w[4] == 2));
}

/// The manager may collect garbage in a thread of its own while the nodes are counted, which must not change their number.
#[test]
fn diagrams_of_equal_sets_have_equally_many_nodes() {
    let dir = scratch();
    solve_in(dir.path(), &game("connect:3x3,row=3,encoding=columns"), Plan::RETROGRADE).unwrap();
    let run = StoredRun::open(dir.path()).unwrap();
    let [win, loss] = [Kind::W, Kind::L].map(|kind| run.read(kind, Side::P1, run.last_ply()).unwrap());
    for _ in 0..200 {
        let bdd = Bdd::build(&win, &loss, NO_LIMIT).unwrap();
        let (of_win, of_loss) = bdd.num_nodes_of_sets();
        assert!(bdd.num_nodes() <= of_win + of_loss, "{} of {of_win} and {of_loss}", bdd.num_nodes());
        let again = Bdd::build(&win, &loss, NO_LIMIT).unwrap();
        assert_eq!(bdd.num_nodes(), again.num_nodes());
    }
}

#[test]
fn diagrams_refuse_what_they_cannot_hold() {
    let letters = [3, 3, 3, 3];
    let words: BTreeSet<_> = all_words(&letters).into_iter().filter(|w| w[0] == w[3] && w[1] < 2).collect();
    let rows = dfa(&letters, &words);
    let nodes = Bdd::build(&rows, &rows, NO_LIMIT).unwrap().num_nodes();
    // There is enough room for the diagram, but not for any variable in addition.
    let short = Bdd::build(&rows, &rows, nodes * NODE_BYTES - 1).map(|_| ());
    assert!(matches!(short, Err(Error::TooLarge { .. })));
    assert!(matches!(Bdd::build(&rows, &rows, 0).map(|_| ()), Err(Error::TooLarge { .. })));
    let other = dfa(&[3, 3, 3], &BTreeSet::new());
    assert!(matches!(
        Bdd::build(&rows, &other, NO_LIMIT).map(|_| ()),
        Err(Error::Dfa(nerode_dfa::Error::ShapeMismatch(_)))
    ));
    let bdd = Bdd::build(&rows, &rows, NO_LIMIT).unwrap();
    for word in [&[0, 0, 0][..], &[0, 0, 0, 3], &[0; 5]] {
        assert!(bdd.get(word, DRAW).is_err());
    }
}
