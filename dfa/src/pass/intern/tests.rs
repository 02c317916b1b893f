//! Tests of row numbers, which must not depend on the thread that encounters a row.

use super::*;
use crate::unique::ACCEPT;

#[test]
fn rows_with_equal_hashes_are_distinguished() {
    let mut shard: Shard<u64> = Shard::new();
    let places = [[1, 2], [1, 3], [1, 2]].map(|row| shard.insert(9, &row));
    assert_eq!(places, [Some(0), Some(1), Some(0)]);
}

#[test]
fn appended_rows_have_numbers_of_their_own() -> Result<()> {
    let interner: Interner<u32> = Interner::new(2);
    let mut numbers = Vec::new();
    interner.writer(0).intern_all(&[5, 6], |_| None, &mut numbers)?;
    let first = numbers[0];
    let (mut merged, _) = interner.finish(0)?;
    let stretches: Vec<Vec<u32>> =
        (0..200).map(|i| (0..i % 3).flat_map(|j| [100 * i + j, 7]).collect()).collect();
    let states = merged.append(&stretches)?;
    let rows: Vec<&[u32]> = stretches.iter().flat_map(|rows| rows.chunks(2)).collect();
    assert_eq!(states.len(), rows.len());
    let distinct = merged.into_distinct();
    for (row, &state) in rows.iter().zip(&states) {
        assert_eq!(distinct.row(state), *row);
    }
    assert_eq!(distinct.row(first), [5, 6]);
    let different: std::collections::BTreeSet<u32> = states.iter().copied().chain([first]).collect();
    assert_eq!(different.len(), rows.len() + 1);
    Ok(())
}

#[test]
fn equal_rows_have_one_number_whichever_thread_met_them() -> Result<()> {
    let rows: Vec<Vec<u64>> = (0..9000u64).map(|i| vec![i * i % 101, i % 7, 3]).collect();
    let constant = |row: &[u64]| (row == [0, 0, 3]).then_some(ACCEPT);
    for threads in [1, 2, 4] {
        crate::store::thread_pool(threads)?.install(|| {
            let interner = Interner::new(3);
            let number = |rows: &[Vec<u64>]| {
                let mut writer = interner.writer(0);
                let mut numbers = Vec::new();
                writer.intern_all(&rows.concat(), constant, &mut numbers)?;
                Ok((writer.lane, numbers))
            };
            let stretches: Vec<(usize, Vec<u32>)> =
                rows.par_chunks(100).map(number).collect::<Result<_>>()?;
            assert!(interner.bytes() > 0);
            let (merged, numbering) = interner.finish(0)?;
            assert!(rows.iter().all(|row| merged.find(row).is_some() == constant(row).is_none()));
            assert_eq!(merged.find(&[1, 7, 3]), None);
            let distinct = merged.into_distinct();
            let mut numbers = std::collections::BTreeMap::new();
            for (rows, (lane, provisional)) in rows.chunks(100).zip(stretches) {
                assert_eq!(rows.len(), provisional.len());
                for (row, n) in rows.iter().zip(provisional) {
                    let state = numbering.state(lane, n);
                    if constant(row).is_some() {
                        assert_eq!(state, ACCEPT);
                        continue;
                    }
                    assert_eq!(distinct.row(state), row);
                    assert!((state as usize) < distinct.limit());
                    assert_eq!(*numbers.entry(row.clone()).or_insert(state), state);
                }
            }
            let stored: usize = distinct.shards.iter().map(|s| s.len() / 3).sum();
            assert_eq!(stored, numbers.len());
            Ok(())
        })?;
    }
    Ok(())
}
