//! The product of a care set and the sets of codes, layer by layer.
//!
//! A state of the product is the list of residuals of a prefix: that of the care set, and those of the classes. A list
//! ends where the code of every continuation that matters is determined.

use super::encode::{WrittenMap, encode};
use super::merge::merge;
use super::rows::{Rows, Workspace};
use super::{CODE, FREE};
use crate::automaton::Dfa;
use crate::error::{Error, Result};
use crate::lists::Lists;
use crate::unique::{ACCEPT, FIRST, MAX_STATES, REJECT};

/// The number of product states between two checks of the memory cap and the interrupt flag.
const CHECK_EVERY: usize = 1 << 12;

/// A function from the words of a care set to codes.
///
/// # Examples
/// ```
/// use nerode_dfa::packed::{PackedReader, PartialMap, Workspace};
/// use nerode_dfa::{Dfa, Shape};
/// let shape = Shape::uniform(4, 2).unwrap();
/// let ones = |n| Dfa::letter_count(&shape, 1, &[0, 1, 2, 3], n..=n).unwrap();
/// let (care, two) = (ones(2).or(&ones(3)).unwrap(), ones(2));
/// let map = PartialMap { care: &care, classes: &[(7, &two)], rest: 9 };
/// let mut file = Vec::new();
/// let written = map.write(&mut file, &Workspace::default()).unwrap();
/// let map = written.open(&shape, 0, "memory".as_ref()).unwrap();
/// let reader = PackedReader::new(Box::new(file), "memory".into(), 1 << 20);
/// assert_eq!(map.get(&reader, &[1, 0, 1, 0]).unwrap(), 7);
/// assert_eq!(map.get(&reader, &[1, 0, 1, 1]).unwrap(), 9);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PartialMap<'a> {
    /// The words that matter.
    pub care: &'a Dfa,
    /// Codes with the words that have them. The first class that contains a word determines its code.
    pub classes: &'a [(u8, &'a Dfa)],
    /// The code of all other words of the care set.
    pub rest: u8,
}

impl PartialMap<'_> {
    /// Writes the blocks of the map to `out`, and returns what is needed to read them. The bytes depend only on the map.
    ///
    /// Cost: one visit of every list of residuals that a prefix leads to, and a hash look-up for each such list and set
    /// of letters that matter somewhere. Rows take 4 bytes for each edge, in scratch files if they are large.
    ///
    /// # Errors
    /// Returns [`Error::ShapeMismatch`], [`Error::OutOfMemory`], [`Error::TooManyStates`], [`Error::Interrupted`], or
    /// [`Error::Io`] if writing fails.
    pub fn write(&self, out: &mut dyn std::io::Write, work: &Workspace) -> Result<WrittenMap> {
        let shape = self.care.shape();
        if self.classes.iter().any(|(_, set)| set.shape() != shape) {
            return Err(Error::ShapeMismatch("the sets of a packed map".into()));
        }
        let mut product = Product { map: self, rows: Rows::new(work), list: Vec::new() };
        let root = product.build()?;
        let mut rows = product.rows;
        let root = merge(shape, root, &mut rows)?;
        encode(shape, root, &rows, out)
    }
}

struct Product<'a> {
    map: &'a PartialMap<'a>,
    rows: Rows<'a>,
    /// The list under construction: pairs of a set and its residual, where the care set has the number 0.
    list: Vec<u32>,
}

impl Product<'_> {
    /// Builds the rows of all layers. A target is the number of a list of the next layer, a code, or free.
    fn build(&mut self) -> Result<u32> {
        let shape = self.map.care.shape();
        let mut here = Lists::new();
        self.add(0, self.map.care.raw_root());
        for (number, (_, set)) in (1..).zip(self.map.classes) {
            self.add(number, set.raw_root());
        }
        let root = self.target(&mut here);
        for layer in 0..shape.num_layers() {
            let letters = shape.num_letters(layer);
            let mut next = Lists::new();
            let mut rows = Vec::with_capacity(here.len() * letters);
            for number in 0..here.len() {
                if number.is_multiple_of(CHECK_EVERY) {
                    self.check(layer, &rows, &here, &next)?;
                }
                for letter in 0..letters {
                    for pair in here.get(number).chunks_exact(2) {
                        let residual = match pair[1] {
                            constant if constant < FIRST => constant,
                            state => self.set(pair[0]).raw_target(layer, state, letter as u8),
                        };
                        if !self.add(pair[0], residual) {
                            break;
                        }
                    }
                    rows.push(self.target(&mut next));
                }
            }
            self.check(layer, &rows, &here, &next)?;
            self.rows.put(layer, rows)?;
            here = next;
        }
        Ok(root)
    }

    fn set(&self, number: u32) -> &Dfa {
        number.checked_sub(1).map_or(self.map.care, |class| self.map.classes[class as usize].1)
    }

    /// Appends a residual to the list under construction. Returns `false` if later sets do not matter.
    fn add(&mut self, set: u32, residual: u32) -> bool {
        let is_settled = self.list.last() == Some(&ACCEPT) && self.list.len() > 2;
        if is_settled || set > 0 && self.list.is_empty() {
            return false;
        }
        if residual != REJECT {
            self.list.extend([set, residual]);
        }
        set > 0 || residual != REJECT
    }

    /// Returns the target for the list under construction, and clears the list.
    fn target(&mut self, lists: &mut Lists) -> u32 {
        let target = match self.list[..] {
            [] => FREE,
            [_, _] => CODE | u32::from(self.map.rest),
            [_, _, class, ACCEPT, ..] => CODE | u32::from(self.map.classes[class as usize - 1].0),
            _ => lists.number(&self.list),
        };
        self.list.clear();
        target
    }

    fn check(&self, layer: usize, rows: &[u32], here: &Lists, next: &Lists) -> Result<()> {
        if next.len() >= MAX_STATES {
            return Err(Error::TooManyStates { layer: layer + 1, limit: MAX_STATES as u64 });
        }
        self.rows.work.check(self.rows.bytes() + 4 * rows.len() as u64 + here.bytes() + next.bytes())
    }
}
