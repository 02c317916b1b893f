use super::*;

const KINDS: [BoardKind; 6] = [
    BoardKind::Nine,
    BoardKind::Morabaraba,
    BoardKind::Six,
    BoardKind::Seven,
    BoardKind::Three,
    BoardKind::ThreeDiagonals,
];

fn image(symmetry: &[u8], set: u32) -> u32 {
    (0..MOST_POINTS).filter(|&p| set & bit(p) != 0).fold(0, |mask, p| mask | bit(symmetry[p].into()))
}

#[test]
fn boards_have_the_lines_and_mills_that_the_field_counts() {
    for (kind, points, lines, mills, symmetries) in [
        (BoardKind::Nine, 24, 32, 16, 16),
        (BoardKind::Morabaraba, 24, 40, 20, 16),
        (BoardKind::Six, 16, 20, 8, 16),
        (BoardKind::Seven, 17, 24, 14, 8),
        (BoardKind::Three, 9, 12, 6, 8),
        (BoardKind::ThreeDiagonals, 9, 16, 8, 8),
    ] {
        let board = Board::new(kind);
        let ends: u32 = (0..points).map(|p| board.neighbours(p).count_ones()).sum();
        let found = (board.num_points(), ends / 2, board.mills().len(), board.symmetries().len());
        assert_eq!(found, (points, lines, mills, symmetries), "{kind:?}");
        assert_eq!(board.labels().len(), points);
        assert!(board.mills().iter().all(|mill| mill.count_ones() == 3));
    }
}

#[test]
fn symmetries_keep_lines_and_mills_and_end_with_the_identity() {
    for board in KINDS.map(Board::new) {
        for symmetry in board.symmetries() {
            for p in 0..board.num_points() {
                let moved = image(symmetry, board.neighbours(p));
                assert_eq!(moved, board.neighbours(symmetry[p].into()), "{:?}", board.kind());
            }
        }
        for symmetry in board.symmetries().iter().chain(&board.flying_symmetries()) {
            let mut mills: Vec<u32> = board.mills().iter().map(|&mill| image(symmetry, mill)).collect();
            let mut expected = board.mills().to_vec();
            mills.sort_unstable();
            expected.sort_unstable();
            assert_eq!(mills, expected);
        }
        let identity: Vec<u8> = (0..board.num_points() as u8).collect();
        assert_eq!(board.symmetries().last(), Some(&identity));
        let distinct: std::collections::BTreeSet<_> = board.flying_symmetries().into_iter().collect();
        let expected = if board.kind() <= BoardKind::Morabaraba { 48 } else { board.symmetries().len() };
        assert_eq!(distinct.len(), expected);
    }
}

/// Checks the effect of each of the 16 symmetries on the points a4 and a7 against section 2 of the description of the format.
#[test]
fn symmetries_have_the_numbers_of_malom() {
    let board = Board::new(BoardKind::Nine);
    let a4: Vec<u8> = board.symmetries().iter().map(|s| s[0]).collect();
    let a7: Vec<u8> = board.symmetries().iter().map(|s| s[1]).collect();
    assert_eq!(a4, [2, 4, 6, 4, 0, 2, 6, 16, 18, 20, 22, 20, 16, 18, 22, 0]);
    assert_eq!(a7, [3, 5, 7, 3, 7, 1, 5, 17, 19, 21, 23, 19, 23, 17, 21, 1]);
}

#[test]
fn mills_are_seen_from_each_of_their_points() {
    for board in KINDS.map(Board::new) {
        for &mill in board.mills() {
            assert_eq!(board.in_mills(mill), mill);
            for p in (0..board.num_points()).filter(|&p| mill & bit(p) != 0) {
                assert_eq!(board.mills_closed(mill & !bit(p), p), 1);
                assert!(board.closes_mill(mill & !bit(p), p));
                assert_eq!(board.in_mills(mill & !bit(p)), 0);
            }
        }
    }
}
