//! Boolean functions of several sets.

use crate::error::Result;
use crate::formula::{Circuit, Formula, MAX_SIDES};
use crate::store::{Set, Store};

impl Store {
    /// Computes `{ w : f([w ∈ set for each set]) }` for at most [`MAX_SIDES`] + 1 sets.
    ///
    /// Cost: the smallest number of unions, intersections and differences that Shannon expansion of `f` needs, over all
    /// orders of the sets.
    ///
    /// # Errors
    /// Returns [`crate::Error::OutOfMemory`], [`crate::Error::TooManyStates`] or [`crate::Error::Interrupted`].
    ///
    /// # Panics
    /// Panics if `sets` is empty or too long, or if a set belongs to another store.
    ///
    /// # Examples
    /// ```
    /// use nerode_dfa::{Shape, Store};
    /// let mut store = Store::unbounded(Shape::uniform(2, 2).unwrap());
    /// let (a, b) = (store.fixed(0, 1).unwrap(), store.fixed(1, 1).unwrap());
    /// let either_or = store.combine(&[a, b], |x| x[0] != x[1]).unwrap();
    /// assert_eq!(store.count(&either_or).unwrap(), 2);
    /// ```
    pub fn combine(&mut self, sets: &[Set], f: impl Fn(&[bool]) -> bool) -> Result<Set> {
        assert!((1..=MAX_SIDES + 1).contains(&sets.len()), "expected 1 to {} sets", MAX_SIDES + 1);
        let formula = Formula::new(sets.len() - 1, &|first, others| {
            let mut all = vec![first];
            all.extend_from_slice(others);
            f(&all)
        });
        self.circuit(&Circuit::new(&formula), sets)
    }

    fn circuit(&mut self, circuit: &Circuit, sets: &[Set]) -> Result<Set> {
        let Circuit::Choose(j, high, low) = circuit else {
            return Ok(if *circuit == Circuit::Constant(true) { self.full() } else { self.empty() });
        };
        let set = &sets[*j];
        match (high.as_ref(), low.as_ref()) {
            (Circuit::Constant(true), Circuit::Constant(false)) => Ok(set.clone()),
            (Circuit::Constant(true), low) => {
                let low = self.circuit(low, sets)?;
                self.union(set, &low)
            }
            (Circuit::Constant(false), low) => {
                let low = self.circuit(low, sets)?;
                self.difference(&low, set)
            }
            (high, Circuit::Constant(false)) => {
                let high = self.circuit(high, sets)?;
                self.intersection(&high, set)
            }
            (high, low) => {
                let (high, low) = (self.circuit(high, sets)?, self.circuit(low, sets)?);
                let (high, low) = (self.intersection(&high, set)?, self.difference(&low, set)?);
                self.union(&high, &low)
            }
        }
    }
}
