//! Shards, which are sets of distinct rows with related hashes, and the numbers of rows.

use std::hint::black_box;

use hashbrown::HashTable;
use smallvec::SmallVec;

use crate::hash::{fold, hash_row};
use crate::unique::{FIRST, MAX_STATES};

/// The number of shards of a lane. It equals the number of partitions of macrostates, so that numbers of distinct rows
/// can be used as numbers of macrostates, as `minimise.rs` does.
pub(super) const SHARDS: usize = super::super::macrostates::PARTITIONS;

/// The number of rows that are looked up together.
pub(in crate::pass) const TOGETHER: usize = 32;

/// The element type of rows.
pub(in crate::pass) trait Cell: Copy + Eq + Send + Sync {
    /// Computes a hash that mixes all bits of a row.
    fn hash(row: &[Self]) -> u64;
}

impl Cell for u32 {
    #[inline]
    fn hash(row: &[Self]) -> u64 {
        hash_row(row)
    }
}

impl Cell for u64 {
    fn hash(row: &[Self]) -> u64 {
        // Two independent chains allow multiplications to overlap.
        let mut h = [0x2545_F491_4F6C_DD1D_u64, 0x243F_6A88_85A3_08D3];
        for pair in row.chunks(2) {
            h[0] = fold(h[0] ^ pair[0], 0x9E37_79B9_7F4A_7C15);
            h[1] = fold(h[1] ^ pair.get(1).copied().unwrap_or(1), 0xD6E8_FEB8_6659_FD93);
        }
        fold(h[0] ^ h[1].rotate_left(32), 0x9E37_79B9_7F4A_7C15)
    }
}

/// Returns the number of the row at `place` of a shard.
#[inline]
pub(super) fn join(shard: usize, place: u32) -> u32 {
    FIRST + place * SHARDS as u32 + shard as u32
}

/// Returns the shard and place of an ordinary number.
#[inline]
pub(super) fn split(state: u32) -> (usize, usize) {
    let number = (state - FIRST) as usize;
    (number % SHARDS, number / SHARDS)
}

/// Returns at most [`TOGETHER`] rows, each with its hash.
pub(super) fn hashed<T: Cell>(rows: &[T], width: usize) -> SmallVec<[(u64, &[T]); TOGETHER]> {
    rows.chunks(width).map(|row| (T::hash(row), row)).collect()
}

/// Returns the part of a hash that is stored with a place.
#[inline]
fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32
}

/// Returns the hash of a tag.
#[inline]
fn spread(tag: u32) -> u64 {
    fold(u64::from(tag) | 1 << 32, 0x9E37_79B9_7F4A_7C15)
}

/// Distinct rows whose hashes select the same shard.
pub(super) struct Shard<T> {
    pub(super) rows: Vec<T>,
    pub(super) index: HashTable<(u32, u32)>,
}

impl<T: Cell> Shard<T> {
    pub(super) fn new() -> Self {
        Self { rows: Vec::new(), index: HashTable::new() }
    }

    /// Returns the place of `row`, if it exists.
    #[inline]
    pub(super) fn find(&self, hash: u64, row: &[T]) -> Option<u32> {
        let tag = tag(hash);
        let width = row.len();
        let is_row = |&(t, place): &(u32, u32)| {
            t == tag && self.rows[place as usize * width..(place as usize + 1) * width] == *row
        };
        self.index.find(spread(tag), is_row).map(|&(_, place)| place)
    }

    /// Reads the memory that [`Shard::find`] will read, so that it is loaded in advance.
    #[inline]
    pub(super) fn touch(&self, hash: u64, row: &[T]) -> bool {
        let tag = tag(hash);
        let place = self.index.find(spread(tag), |&(t, _)| t == tag);
        place.is_some_and(|&(_, place)| self.rows[place as usize * row.len()] == row[0])
    }

    /// Returns the places of all `rows` in order, as [`Shard::insert`] does for a single row.
    pub(super) fn insert_all(&mut self, rows: &[T], width: usize) -> Option<Vec<u32>> {
        let mut places = Vec::with_capacity(rows.len() / width);
        for rows in rows.chunks(TOGETHER * width) {
            let hashed = hashed(rows, width);
            black_box(hashed.iter().fold(false, |all, &(hash, row)| all ^ self.touch(hash, row)));
            for (hash, row) in hashed {
                places.push(self.insert(hash, row)?);
            }
        }
        Some(places)
    }

    /// Returns the place of `row`, and adds it if it is new. Returns `None` if no number is available.
    #[inline]
    pub(super) fn insert(&mut self, hash: u64, row: &[T]) -> Option<u32> {
        if let Some(place) = self.find(hash, row) {
            return Some(place);
        }
        let tag = tag(hash);
        let Self { rows, index } = self;
        let place = rows.len() / row.len();
        if place >= MAX_STATES / SHARDS {
            return None;
        }
        rows.extend_from_slice(row);
        index.insert_unique(spread(tag), (tag, place as u32), |&(t, _)| spread(t));
        Some(place as u32)
    }

    pub(super) fn bytes(&self) -> u64 {
        (size_of::<T>() * self.rows.capacity() + 9 * self.index.capacity()) as u64
    }
}
