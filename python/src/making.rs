//! Construction, comparison and output of sets: the implementation of the methods of `nerode.Dfa`.

use nerode::dfa;
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::pyclass::CompareOp;
use pyo3::types::{PyDict, PyFrozenSet, PyInt, PyList, PySet, PySlice};

use crate::dfa::Dfa;
use crate::errors::{named, raised};
use crate::moves::Moves;
use crate::pool::watched;
use crate::shape::Shape;

/// Returns the set of the given words.
pub fn words(shape: &Shape, words: Option<&Bound<'_, PyAny>>, py: Python<'_>) -> PyResult<dfa::Dfa> {
    let mut list: Vec<Vec<u8>> = match words {
        Some(words) => words.try_iter()?.map(|word| shape.word(&word?)).collect::<PyResult<_>>()?,
        None => Vec::new(),
    };
    list.sort_unstable();
    list.dedup();
    let made = py.detach(|| dfa::Dfa::from_sorted_words(&shape.inner, &list));
    made.map_err(|error| raised(py, error))
}

/// Returns the words with the given number of letters of each kind.
pub fn counts(shape: &Shape, counts: &Bound<'_, PyDict>, layers: Option<Vec<usize>>) -> PyResult<dfa::Dfa> {
    let py = counts.py();
    let layers = layers.unwrap_or_else(|| (0..shape.names.len()).collect());
    let mut all = dfa::Condition::any();
    for (letters, range) in counts.iter() {
        let mut counted = Vec::new();
        let range = range_of(&range)?;
        // A letter may have different numbers in different layers.
        for &layer in &layers {
            shape.must_have(py, layer)?;
            counted.push((layer, shape.letters_of(layer, &letters)?));
        }
        let step = |layer: usize, seen: &usize, letter: u8| {
            let counts = counted.iter().any(|(at, letters)| *at == layer && letters.contains(&letter));
            let seen = seen + usize::from(counts);
            (seen <= *range.end()).then_some(seen)
        };
        let set = dfa::Dfa::from_step(&shape.inner, 0, step, |seen| range.contains(seen));
        all = all.within(set.map_err(|error| raised(py, error))?);
    }
    all.compile(&shape.inner).map_err(|error| raised(py, error))
}

/// Reads a range of numbers: a single number, or a pair of bounds.
fn range_of(range: &Bound<'_, PyAny>) -> PyResult<std::ops::RangeInclusive<usize>> {
    if let Ok(exactly) = range.extract::<usize>() {
        return Ok(exactly..=exactly);
    }
    let Ok((least, most)) = range.extract::<(usize, usize)>() else {
        let text =
            format!("{} is neither a number nor a pair of numbers, the least and the most", range.repr()?);
        return Err(PyTypeError::new_err(text));
    };
    Ok(least..=most)
}

/// Converts letters by layer to a condition.
pub fn cube(shape: &Shape, letters: &Bound<'_, PyDict>) -> PyResult<dfa::Condition> {
    let mut all = dfa::Condition::any();
    for (layer, allowed) in letters.iter() {
        let layer = shape.layer(&layer)?;
        all = all.with(layer, &shape.letters_of(layer, &allowed)?);
    }
    Ok(all)
}

/// Implements `_table`.
pub fn table(set: &Dfa) -> Vec<Vec<Vec<i64>>> {
    let of = |target| match target {
        dfa::Target::State(state) => i64::from(state),
        dfa::Target::Accept => -2,
        dfa::Target::Reject => -1,
    };
    let row = |layer: usize, state: usize| {
        let letters = 0..set.shape.names[layer].len();
        letters.map(|letter| of(set.inner.target(layer, state as u32, letter as u8))).collect()
    };
    let states = |layer| (0..set.inner.num_states_in(layer)).map(|state| row(layer, state)).collect();
    (0..set.shape.names.len()).map(states).collect()
}

/// Implements `rank`.
pub fn rank(set: &Dfa, word: &Bound<'_, PyAny>) -> PyResult<u128> {
    let py = word.py();
    let letters = set.shape.word(word)?;
    let ranking = set.inner.ranking().map_err(|error| raised(py, error))?;
    ranking.rank(&letters).ok_or_else(|| named(py, "BadWord", "the word is not in the set"))
}

/// Implements `unrank`.
pub fn unrank(set: &Dfa, rank: &Bound<'_, PyInt>) -> PyResult<Vec<u8>> {
    let py = rank.py();
    let ranking = set.inner.ranking().map_err(|error| raised(py, error))?;
    // No word has a number that is negative or does not fit into 128 bits.
    let word = rank.extract::<u128>().ok().and_then(|rank| ranking.unrank(rank));
    word.ok_or_else(|| {
        named(
            py,
            "BadWord",
            format!("rank {rank} is out of range: the number of words is {}", ranking.count()),
        )
    })
}

/// Returns `true` for a plain set of Python.
pub fn is_plain_set(given: &Bound<'_, PyAny>) -> bool {
    given.is_instance_of::<PySet>() || given.is_instance_of::<PyFrozenSet>()
}

/// Implements `[]`.
pub fn item<'py>(set: &Dfa, at: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = at.py();
    let ranking = set.inner.ranking().map_err(|error| raised(py, error))?;
    let count = ranking.count();
    let word = |rank: u128| {
        let word = ranking.unrank(rank).ok_or_else(|| {
            PyIndexError::new_err(format!("rank {rank} is out of range: the number of words is {count}"))
        })?;
        set.shape.to_python(py, &word)
    };
    if at.is_instance_of::<PySlice>() {
        // Python computes with numbers of any size.
        let (start, stop, step) =
            at.call_method1("indices", (count,))?
                .extract::<(Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>)>()?;
        let ranks = py.import("builtins")?.call_method1("range", (start, stop, step))?;
        let words = ranks.try_iter()?.map(|rank| word(rank?.extract()?));
        return Ok(PyList::new(py, words.collect::<PyResult<Vec<_>>>()?)?.into_any());
    }
    let Ok(number) = at.cast::<PyInt>() else {
        return Err(PyTypeError::new_err(format!("{} is neither a number nor a slice", at.repr()?)));
    };
    if let Ok(rank) = number.extract::<u128>() {
        return word(rank);
    }
    let from_end = number.neg()?.extract::<u128>().ok().and_then(|number| count.checked_sub(number));
    match from_end {
        Some(rank) => word(rank),
        None => Err(PyIndexError::new_err(format!(
            "rank {number} is out of range: the number of words is {count}"
        ))),
    }
}

/// Returns a hash that is equal for equal sets.
pub fn hash(set: &Dfa) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    set.inner.hash(&mut hasher);
    hasher.finish()
}

/// Implements `to_dot`.
pub fn dot(set: &Dfa) -> PyResult<String> {
    let mut text = Vec::new();
    set.inner.write_dot(&mut text, |layer, letter| set.shape.names[layer][usize::from(letter)].clone())?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Implements `to_fst`.
pub fn att(set: &Dfa) -> PyResult<String> {
    let mut text = Vec::new();
    set.inner.write_att(&mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

impl Dfa {
    /// Returns the other operand, if it has the same letters.
    pub fn other<'a>(&self, py: Python<'_>, other: &'a Self) -> PyResult<&'a dfa::Dfa> {
        if self.shape == other.shape {
            return Ok(&other.inner);
        }
        Err(named(py, "BadShape", "the two sets have words of different shapes"))
    }

    /// Returns the result of `made` for both sets, or `NotImplemented` if `other` is neither such a set nor a plain set of words.
    pub fn combined<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, PyAny>,
        made: impl FnOnce(&dfa::Dfa, &dfa::Dfa) -> dfa::Result<dfa::Dfa> + Send,
    ) -> PyResult<Bound<'py, PyAny>> {
        let plain;
        let other = if let Ok(other) = other.cast::<Self>() {
            self.other(py, other.get())?
        } else if is_plain_set(other) {
            plain = words(&self.shape, Some(other), py)?;
            &plain
        } else {
            return Ok(py.NotImplemented().into_bound(py));
        };
        let inner = py.detach(|| made(&self.inner, other)).map_err(|error| raised(py, error))?;
        Ok(Bound::new(py, Self { inner, shape: self.shape.clone() })?.into_any())
    }

    /// Compares the set with a plain set of Python, whose words need not fit the shape.
    pub fn compared_with_plain(
        &self,
        py: Python<'_>,
        other: &Bound<'_, PyAny>,
        op: CompareOp,
    ) -> PyResult<bool> {
        let (mut fitting, mut has_others) = (Vec::new(), false);
        for word in other.try_iter()? {
            match self.shape.word(&word?) {
                Ok(word) => fitting.push(word),
                Err(_) => has_others = true,
            }
        }
        fitting.sort_unstable();
        fitting.dedup();
        let fitting = dfa::Dfa::from_sorted_words(&self.shape.inner, &fitting);
        let fitting = Self::of(&self.shape, fitting.map_err(|error| raised(py, error))?);
        Ok(match op {
            CompareOp::Eq => !has_others && self.compared(py, &fitting, op)?,
            CompareOp::Ne => has_others || self.compared(py, &fitting, op)?,
            CompareOp::Le => self.within(py, &fitting)?,
            CompareOp::Lt => self.compared(py, &fitting, if has_others { CompareOp::Le } else { op })?,
            CompareOp::Ge | CompareOp::Gt => !has_others && self.compared(py, &fitting, op)?,
        })
    }

    pub fn of(shape: &Shape, inner: dfa::Dfa) -> Self {
        Self { inner, shape: shape.clone() }
    }

    pub fn within(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        let other = self.other(py, other)?;
        self.inner.is_subset(other).map_err(|error| raised(py, error))
    }

    /// Compares both operands as sets by `op`.
    pub fn compared(&self, py: Python<'_>, other: &Self, op: CompareOp) -> PyResult<bool> {
        let is_equal = self.shape == other.shape && self.inner == other.inner;
        Ok(match op {
            CompareOp::Eq => is_equal,
            CompareOp::Ne => !is_equal,
            CompareOp::Le => self.within(py, other)?,
            CompareOp::Lt => !is_equal && self.within(py, other)?,
            CompareOp::Ge => other.within(py, self)?,
            CompareOp::Gt => !is_equal && other.within(py, self)?,
        })
    }

    /// Returns the set, if its words have the shape `shape`.
    pub fn fitting(py: Python<'_>, shape: Shape, inner: dfa::Dfa) -> PyResult<Self> {
        if *inner.shape() == shape.inner {
            return Ok(Self { inner, shape });
        }
        Err(named(py, "BadShape", "the set has words of a different shape"))
    }

    /// Returns the image or the preimage of the set under moves.
    pub fn moved(
        &self,
        py: Python<'_>,
        moves: &Moves,
        step: fn(&mut dfa::Store, &dfa::Set, &dfa::Moves) -> dfa::Result<dfa::Set>,
    ) -> PyResult<Self> {
        if moves.shape != self.shape {
            return Err(named(py, "BadShape", "the moves apply to words of another shape"));
        }
        let work = |stop, _: std::sync::mpsc::Sender<()>| {
            let mut store = dfa::Store::unbounded(self.shape.inner.clone());
            store.set_interrupt(stop);
            let relation = store.relation(&moves.graph)?;
            let set = store.import(&self.inner)?;
            let moved = step(&mut store, &set, &relation)?;
            Ok(store.freeze(&moved))
        };
        let moved = watched(py, work, |()| Ok(()))?.map_err(|error: dfa::Error| raised(py, error))?;
        Ok(Self::of(&self.shape, moved))
    }
}
