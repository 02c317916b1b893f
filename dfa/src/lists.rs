//! Lists of residuals, hash-consed within a layer: the states of a product of several automata.

use hashbrown::HashTable;

use crate::hash::hash_row;

/// The lists of one layer by number. Each list is `class, residual, class, residual, ...` in ascending order of
/// classes.
pub(crate) struct Lists {
    pairs: Vec<u32>,
    ends: Vec<usize>,
    numbers: HashTable<u32>,
}

fn list_of<'a>(pairs: &'a [u32], ends: &[usize], number: u32) -> &'a [u32] {
    let number = number as usize;
    let start = number.checked_sub(1).map_or(0, |before| ends[before]);
    &pairs[start..ends[number]]
}

impl Lists {
    pub(crate) fn new() -> Self {
        Self { pairs: Vec::new(), ends: Vec::new(), numbers: HashTable::new() }
    }

    /// Returns the number of lists.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn get(&self, number: usize) -> &[u32] {
        list_of(&self.pairs, &self.ends, number as u32)
    }

    /// Returns the number of a list, which is added if it is not there yet.
    pub(crate) fn number(&mut self, list: &[u32]) -> u32 {
        let hash = hash_row(list);
        let (pairs, ends) = (&self.pairs, &self.ends);
        if let Some(&known) = self.numbers.find(hash, |&n| list_of(pairs, ends, n) == list) {
            return known;
        }
        let number = self.ends.len() as u32;
        self.pairs.extend_from_slice(list);
        self.ends.push(self.pairs.len());
        let (pairs, ends) = (&self.pairs, &self.ends);
        self.numbers.insert_unique(hash, number, |&n| hash_row(list_of(pairs, ends, n)));
        number
    }

    /// Returns the number of bytes that the lists occupy.
    pub(crate) fn bytes(&self) -> u64 {
        (4 * self.pairs.capacity() + 8 * self.ends.capacity() + 5 * self.numbers.capacity()) as u64
    }
}
