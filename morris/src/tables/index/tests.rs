use nerode_games::morris::{Board, BoardKind};

use super::{IndexMaker, Op, Row};

fn maker(kind: BoardKind) -> IndexMaker {
    IndexMaker::new(&Board::new(kind))
}

/// The numbers of classes are those in section 3 of the format's description, computed there by Burnside's lemma.
#[test]
fn classes_of_stones_on_24_points() {
    let maker = maker(BoardKind::Nine);
    let found: Vec<usize> = (0..=8).map(|stones| maker.index(stones, 0).classes().len()).collect();
    assert_eq!(found, [1, 4, 30, 158, 757, 2830, 8774, 22188, 46879]);
}

#[test]
fn slots_and_positions_are_inverse_but_for_holes() {
    for (kind, own, other) in
        [(BoardKind::Nine, 3, 3), (BoardKind::Nine, 4, 2), (BoardKind::Seven, 3, 4), (BoardKind::Three, 3, 3)]
    {
        let index = maker(kind).index(own, other);
        for slot in 0..index.num_slots() {
            let (mine, theirs) = index.position(slot);
            assert_eq!((mine.count_ones(), theirs.count_ones()), (own.into(), other.into()));
            assert_eq!(mine & theirs, 0);
            let home = index.slot(mine, theirs);
            match index.hole(slot) {
                None => assert_eq!(home, slot),
                Some(op) => {
                    let moved = (index.symmetries().apply(op, mine), index.symmetries().apply(op, theirs));
                    assert_eq!(moved, index.position(home));
                    assert_ne!(home, slot);
                }
            }
        }
    }
}

/// A row with tables gives every position of its stones the same slot as the index, and a walk over slots skips only
/// holes.
#[test]
fn rows_and_walks_agree_with_the_index() {
    for (kind, own, other) in [(BoardKind::Nine, 3, 3), (BoardKind::Seven, 3, 4), (BoardKind::Three, 3, 3)] {
        let maker = maker(kind);
        let index = maker.index(own, other);
        let mut rows = 0;
        for set in super::subsets(maker.num_points(), own.into()).into_iter().step_by(7) {
            let row = Row::new(index.slots_of(set));
            let others =
                super::subsets(maker.num_points(), other.into()).into_iter().filter(|o| o & set == 0);
            for other in others {
                assert_eq!(row.slot(other), index.slot(set, other), "{kind:?} {set:b} {other:b}");
                rows += 1;
            }
        }
        assert!(rows > 100);
        let half = index.num_slots() / 2;
        let (mut real, mut holes) = (Vec::new(), Vec::new());
        for part in [0..half, half..index.num_slots()] {
            index.for_each(part.clone(), |slot, own, other| {
                assert_eq!((own, other), index.position(slot));
                real.push(slot);
            });
            index.holes(part, |slot| holes.push(slot));
        }
        let (expected_holes, expected): (Vec<u64>, Vec<u64>) =
            (0..index.num_slots()).partition(|&slot| index.hole(slot).is_some());
        assert_eq!((real, holes), (expected, expected_holes));
    }
}

/// The number of slots that are not holes equals the number of orbits by Burnside's lemma.
#[test]
fn one_slot_for_each_orbit() {
    for (kind, own, other) in [
        (BoardKind::Nine, 3, 3),
        (BoardKind::Morabaraba, 4, 3),
        (BoardKind::Six, 5, 5),
        (BoardKind::Seven, 2, 6),
    ] {
        let board = Board::new(kind);
        let index = maker(kind).index(own, other);
        let real = (0..index.num_slots()).filter(|&slot| index.hole(slot).is_none()).count();
        assert_eq!(real as u64, orbits(&board, own.into(), other.into()), "{kind:?} {own}-{other}");
    }
}

/// Computes the number of orbits by Burnside's lemma: the mean over all symmetries of the number of positions they fix,
/// in which each cycle has one of three colours.
fn orbits(board: &Board, own: usize, other: usize) -> u64 {
    let fixed = |map: &Vec<u8>| {
        let mut ways = vec![vec![0u64; other + 1]; own + 1];
        ways[0][0] = 1;
        let mut seen = vec![false; map.len()];
        for start in 0..map.len() {
            let (mut len, mut p) = (0, start);
            while !seen[p] {
                seen[p] = true;
                len += 1;
                p = map[p].into();
            }
            if len > 0 {
                let old = ways.clone();
                for (a, row) in ways.iter_mut().enumerate() {
                    for (b, ways) in row.iter_mut().enumerate() {
                        *ways += if a >= len { old[a - len][b] } else { 0 };
                        *ways += if b >= len { old[a][b - len] } else { 0 };
                    }
                }
            }
        }
        ways[own][other]
    };
    board.symmetries().iter().map(fixed).sum::<u64>() / board.symmetries().len() as u64
}

#[test]
fn symmetric_positions_share_a_slot_and_stabilisers_count_them() {
    let index = maker(BoardKind::Nine).index(4, 3);
    let symmetries = index.symmetries();
    for slot in (0..index.num_slots()).step_by(97) {
        let (own, other) = index.position(slot);
        let home = index.slot(own, other);
        let mut fixed = 0;
        for op in 0..symmetries.len() as Op {
            let image = (symmetries.apply(op, own), symmetries.apply(op, other));
            assert_eq!(index.slot(image.0, image.1), home);
            fixed += u32::from(image == (own, other));
        }
        assert_eq!(index.num_stabilisers(own, other), fixed);
    }
}
