//! Classes of suffixes: suffixes at which all rows of a layer have equal bits share one bit.
//!
//! A suffix of a layer consists of a letter and a suffix of the next layer. A class is therefore composed of
//! *extensions*, which are pairs of a letter and a class of the next layer, numbered letter by letter.

use super::bits::unite_bits;
use super::columns::{BLOCK, Columns, transpose};

/// The classes of the extensions of one layer.
pub(super) struct Classes {
    len: usize,
    /// The number of classes of the next layer.
    below: usize,
    /// One extension of each class.
    represented: Vec<u32>,
    /// For each letter, the mapping from classes to classes of the next layer.
    children: Vec<Vec<Run>>,
}

/// Copies `len` bits from one position to another or, if `repeated`, copies a single bit `len` times.
#[derive(Clone, Copy)]
struct Run {
    from: usize,
    to: usize,
    len: usize,
    repeated: bool,
}

impl Classes {
    /// Creates the classes of extensions whose `columns` are equal.
    pub(super) fn new(letters: usize, below: usize, columns: &Columns) -> Self {
        let mut classes: Vec<u32> = Vec::with_capacity(columns.first().len());
        let mut represented = Vec::with_capacity(columns.num_classes());
        for (extension, &first) in columns.first().iter().enumerate() {
            if first as usize == extension {
                classes.push(represented.len() as u32);
                represented.push(extension as u32);
            } else {
                classes.push(classes[first as usize]);
            }
        }
        let child = |letter: usize| {
            let mut runs = Vec::new();
            let classes = &classes[letter * below..(letter + 1) * below];
            classes.iter().enumerate().for_each(|(to, &class)| extend(&mut runs, class as usize, to));
            runs
        };
        Self { len: represented.len(), below, represented, children: (0..letters).map(child).collect() }
    }

    /// Returns the number of classes.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Returns the number of classes of the next layer.
    pub(super) fn below(&self) -> usize {
        self.below
    }

    /// Computes rows of classes from the columns of [`BLOCK`] rows of extensions. Fills as many rows as fit into
    /// `rows`.
    pub(super) fn pick(&self, columns: &[u64], rows: &mut [u64]) {
        let words = self.len.div_ceil(64);
        for (word, extensions) in self.represented.chunks(BLOCK).enumerate() {
            let mut block = [0; BLOCK];
            block
                .iter_mut()
                .zip(extensions)
                .for_each(|(slot, &extension)| *slot = columns[extension as usize]);
            transpose(&mut block);
            rows.chunks_mut(words).zip(block).for_each(|(row, bits)| row[word] = bits);
        }
    }

    /// Computes the child of `row` under `letter`. `ones` contains as many ones as the child has bits.
    pub(super) fn scatter(&self, letter: usize, row: &[u64], ones: &[u64], child: &mut [u64]) {
        child.fill(0);
        for run in &self.children[letter] {
            if !run.repeated {
                unite_bits(child, run.to, row, run.from, run.len);
            } else if row[run.from / 64] >> (run.from % 64) & 1 == 1 {
                unite_bits(child, run.to, ones, 0, run.len);
            }
        }
    }
}

/// Appends the next bit in order to `runs`.
fn extend(runs: &mut Vec<Run>, from: usize, to: usize) {
    match runs.last_mut() {
        Some(run) if !run.repeated && run.from + run.len == from => run.len += 1,
        Some(run) if run.from == from && (run.repeated || run.len == 1) => {
            run.len += 1;
            run.repeated = true;
        }
        _ => runs.push(Run { from, to, len: 1, repeated: false }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::bits::ones;
    use super::super::columns::columns_of;
    use super::*;

    /// Creates rows of 3 letters times 50 extensions. Under the second letter, all bits are equal; under the third,
    /// most are equal to those under the first.
    fn rows() -> Vec<Vec<u64>> {
        let bit = |row: usize, extension: usize| match (extension / 50, extension % 50) {
            (1, _) => row.is_multiple_of(3),
            (2, below) if below % 10 == 9 => row % 5 == 2,
            (_, below) => (row * (below + 7)) % 11 < 4,
        };
        let row = |row: usize| {
            let mut words = vec![0; 3];
            (0..150).for_each(|extension| {
                words[extension / 64] |= u64::from(bit(row, extension)) << (extension % 64)
            });
            words
        };
        (0..BLOCK).map(row).collect()
    }

    #[test]
    fn scatter_inverts_pick() {
        let rows = rows();
        let (mut block, mut columns) = (Vec::new(), Columns::new(150));
        columns_of(&rows.concat(), 3, &mut block);
        columns.refine(&block);
        let classes = Classes::new(3, 50, &columns);
        assert_eq!(classes.below(), 50);
        assert!(classes.len() <= 50 + 1 + 1, "{} classes", classes.len());
        let words = classes.len().div_ceil(64);
        // Blocks with fewer rows can be picked as well.
        for count in [BLOCK, 5] {
            let mut picked = vec![0; count * words];
            classes.pick(&block, &mut picked);
            for (row, picked) in rows.iter().zip(picked.chunks(words)) {
                for letter in 0..3 {
                    let (mut child, mut expected) = (vec![u64::MAX; 1], vec![0; 1]);
                    classes.scatter(letter, picked, &ones(50), &mut child);
                    unite_bits(&mut expected, 0, row, 50 * letter, 50);
                    assert_eq!(child, expected, "letter {letter}");
                }
            }
        }
    }
}
