//! Loom models of the unique table, which explore every interleaving of two or three threads that insert into one
//! table.

use std::sync::Arc;

use loom::thread;

use super::{FIRST, Full, UniqueTable};
use crate::sync::explore::explore;

const A: [u32; 2] = [0, 7];
const B: [u32; 2] = [7, 0];
const C: [u32; 2] = [7, 8];

/// Inserts each list of rows in a separate thread. Returns the resulting table and the result of each insertion.
fn inserted(lists: &[&'static [[u32; 2]]]) -> (UniqueTable, Vec<Result<(u32, bool), Full>>) {
    let table = Arc::new(UniqueTable::new(2));
    let work = |list: &'static [[u32; 2]]| {
        let table = Arc::clone(&table);
        move || -> Vec<_> { list.iter().map(|row| table.insert(row)).collect() }
    };
    let (first, others) = lists.split_first().unwrap();
    let others: Vec<_> = others.iter().map(|list| thread::spawn(work(list))).collect();
    let mut found = work(first)();
    for other in others {
        found.extend(other.join().unwrap());
    }
    (Arc::into_inner(table).unwrap(), found)
}

/// Checks that numbers and rows correspond one to one, that each row was created once, and that an enlarged table finds
/// the same numbers.
fn is_sound(table: &mut UniqueTable, rows: &[[u32; 2]], found: &[Result<(u32, bool), Full>]) {
    let mut ids = std::collections::BTreeMap::new();
    for (row, found) in rows.iter().zip(found) {
        let Ok((id, _)) = *found else { continue };
        assert_eq!([0, 1].map(|letter| table.target(id, letter)), *row);
        assert_eq!(*ids.entry(*row).or_insert(id), id, "a row has two numbers");
    }
    let made = found.iter().filter(|found| matches!(found, Ok((_, true)))).count();
    assert_eq!(made, ids.len(), "each row must be created exactly once");
    table.set_capacity(16);
    for (row, id) in &ids {
        assert_eq!(table.insert(row), Ok((*id, false)), "the enlarged table returned another number");
    }
}

#[test]
fn two_threads_insert_the_same_row() {
    explore("unique table, one row twice", None, || {
        let (mut table, found) = inserted(&[&[A], &[A]]);
        assert!(found.iter().all(Result::is_ok));
        is_sound(&mut table, &[A, A], &found);
    });
}

#[test]
fn two_threads_insert_two_rows_in_opposite_order() {
    explore("unique table, two rows in opposite order", None, || {
        let (mut table, found) = inserted(&[&[A, B], &[B, A]]);
        is_sound(&mut table, &[A, B, B, A], &found);
    });
}

#[test]
fn three_threads_insert_two_rows() {
    explore("unique table, three threads", Some(3), || {
        let (mut table, found) = inserted(&[&[A], &[A], &[B]]);
        is_sound(&mut table, &[A, A, B], &found);
    });
}

/// The table has room for two rows. Threads that find the table full must return the number that they reserved.
#[test]
fn a_full_table_counts_the_rows_that_it_holds() {
    explore("unique table, full", None, || {
        let (mut table, found) = inserted(&[&[A, C], &[B]]);
        let fitted = found.iter().filter(|found| found.is_ok()).count();
        assert_eq!(fitted, 2, "{found:?}");
        is_sound(&mut table, &[A, C, B], &found);
        assert_eq!(table.len(), FIRST as usize + 2, "a reserved number was not returned");
        let again = [A, B, C].map(|row| table.insert(&row).unwrap().0);
        assert!(again.iter().all(|&id| (id as usize) < table.len()) && again[0] != again[1]);
    });
}
