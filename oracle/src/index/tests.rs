use nerode_games::{CellChange, Side, Value};

use super::*;

/// Boards of three cells with 2, 3 and 4 contents, where the digits of the middle cell are permuted.
struct Mixed(Vec<u16>, [u8; 3]);

impl ExplicitGame for Mixed {
    fn cell_states(&self) -> &[u16] {
        &self.0
    }
    fn start(&self) -> (Vec<u8>, Side) {
        (vec![0; self.0.len()], Side::P1)
    }
    fn outcome(&self, _: &[u8], _: Side) -> Option<Value> {
        Some(Value::Draw)
    }
    fn legal_moves(&self, _: &[u8], _: Side, _: &mut Vec<Move>) {}
    fn digit(&self, cell: usize, content: u8) -> u8 {
        if cell == 1 { self.1[usize::from(content)] } else { content }
    }
}

fn mixed() -> Indexer {
    Indexer::new(&Mixed(vec![2, 3, 4], [2, 0, 1]), "mixed").unwrap()
}

#[test]
fn index_is_the_mixed_radix_number() {
    let indexer = mixed();
    assert_eq!(indexer.num_positions(), 24);
    let mut seen = vec![false; 24];
    for a in 0..2 {
        for b in 0..3 {
            for c in 0..4 {
                let expected = u64::from(a) * 12 + [8, 0, 4][usize::from(b)] + u64::from(c);
                assert_eq!(indexer.index_of(&[a, b, c]), Some(expected));
                assert_eq!(indexer.board_of(expected).unwrap(), [a, b, c]);
                seen[usize::try_from(expected).unwrap()] = true;
            }
        }
    }
    assert!(seen.into_iter().all(|s| s));
    assert_eq!(indexer.index_of(&[0, 3, 0]), None);
    assert_eq!(indexer.index_of(&[0, 0]), None);
    assert!(indexer.board_of(24).is_none());
}

#[test]
fn cursor_visits_every_board_in_order() {
    let indexer = mixed();
    for start in 0..24 {
        let mut cursor = indexer.cursor(start).unwrap();
        for i in 0..30 {
            let index = (start + i) % 24;
            assert_eq!(cursor.index(), index);
            assert_eq!(cursor.board(), indexer.board_of(index).unwrap());
            cursor.step(&indexer);
        }
    }
}

#[test]
fn successor_equals_reading_the_new_board() {
    let indexer = mixed();
    for from in 0..24 {
        for to in 0..24 {
            let (before, after) = (indexer.board_of(from).unwrap(), indexer.board_of(to).unwrap());
            let mv: Move = (0..3u16)
                .filter(|&c| before[usize::from(c)] != after[usize::from(c)])
                .map(|cell| CellChange { cell, after: after[usize::from(cell)] })
                .collect();
            assert_eq!(indexer.successor(&before, from, &mv), Ok(to));
        }
    }
}

#[test]
fn bad_moves_are_named() {
    let indexer = mixed();
    let change = |cell, after| CellChange { cell, after };
    let fails = |changes: &[CellChange]| {
        indexer.successor(&[0, 0, 0], 8, &changes.iter().copied().collect()).unwrap_err()
    };
    assert!(fails(&[change(3, 0)]).contains("outside"));
    assert!(fails(&[change(2, 4)]).contains("cannot hold"));
    assert!(fails(&[change(0, 0)]).contains("does not change"));
    assert!(fails(&[change(2, 1), change(2, 2)]).contains("twice"));
}

#[test]
fn bad_games_are_refused() {
    let refused = |states: Vec<u16>, digits| Indexer::new(&Mixed(states, digits), "x").unwrap_err();
    assert!(matches!(refused(vec![2, 3, 4], [0, 0, 1]), Error::Rules { .. }));
    assert!(matches!(refused(vec![2, 3, 4], [0, 1, 3]), Error::Rules { .. }));
    assert!(matches!(refused(vec![2, 0, 4], [0, 1, 2]), Error::Rules { .. }));
    assert!(matches!(refused(vec![257], [0, 1, 2]), Error::Rules { .. }));
    assert!(matches!(refused([vec![2, 3], vec![256; 8]].concat(), [0, 1, 2]), Error::TooLarge { .. }));
    assert!(Indexer::new(&Mixed(vec![2; 62], [0, 1, 2]), "x").is_ok());
    assert!(Indexer::new(&Mixed(vec![2; 63], [0, 1, 2]), "x").is_err());
    assert!(Indexer::new(&Mixed(vec![2; 400], [0, 1, 2]), "x").is_err());
}
