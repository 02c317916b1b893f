//! `nerode.Dfa`: an immutable set of words.

use std::path::PathBuf;

use nerode::dfa;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::pyclass::CompareOp;
use pyo3::types::{PyBytes, PyDict, PyInt};

use crate::Reduced;
use crate::errors::raised;
use crate::making::{self, cube};
use crate::moves::Moves;
use crate::pool::detached;
use crate::regex::of_regex;
use crate::shape::Shape;
use crate::whole::whole;
use crate::words::Words;

/// A set of words of one shape, kept as its minimal automaton.
///
/// It is a value: it never changes, equal sets are equal, and it takes the operators of Python's sets.
///
/// >>> from nerode import Dfa, Shape
/// >>> shape = Shape("ab", 3)
/// >>> one = Dfa(shape, ["aab", "aba", "baa"])
/// >>> two = Dfa.from_regex(shape, "b.*")
/// >>> sorted(one & two), len(one | two), "aba" in one
/// (['baa'], 6, True)
/// >>> ~one == Dfa.full(shape) - one
/// True
#[pyclass(frozen, module = "nerode", from_py_object)]
#[derive(Clone)]
pub struct Dfa {
    pub inner: dfa::Dfa,
    pub shape: Shape,
}

#[pymethods]
impl Dfa {
    #[new]
    #[pyo3(signature = (shape, words = None))]
    fn new(py: Python<'_>, shape: Shape, words: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let inner = making::words(&shape, words, py)?;
        Ok(Self { inner, shape })
    }

    /// No word.
    #[staticmethod]
    fn empty(shape: Shape) -> Self {
        Self { inner: dfa::Dfa::empty(&shape.inner), shape }
    }

    /// Every word of the shape.
    #[staticmethod]
    fn full(shape: Shape) -> Self {
        Self { inner: dfa::Dfa::full(&shape.inner), shape }
    }

    /// The words with these letters in these layers: `{layer: letters}`.
    ///
    /// >>> from nerode import Dfa, Shape
    /// >>> len(Dfa.from_letters(Shape(".XO", 9), {4: "X", 0: ".O"}))
    /// 4374
    #[staticmethod]
    fn from_letters(py: Python<'_>, shape: Shape, letters: &Bound<'_, PyDict>) -> PyResult<Self> {
        let inner = cube(&shape, letters)?;
        Ok(Self { inner: inner.compile(&shape.inner).map_err(|error| raised(py, error))?, shape })
    }

    /// The words with so many letters of each kind: `{letters: number}` or `{letters: (least, most)}`. Without `layers`, all
    /// layers count.
    ///
    /// >>> from nerode import Dfa, Shape
    /// >>> len(Dfa.from_counts(Shape(".XO", 9), {"X": 2, "O": (1, 2)}))
    /// 1008
    #[staticmethod]
    #[pyo3(signature = (shape, counts, layers = None))]
    fn from_counts(shape: Shape, counts: &Bound<'_, PyDict>, layers: Option<Vec<usize>>) -> PyResult<Self> {
        let inner = making::counts(&shape, counts, layers)?;
        Ok(Self { inner, shape })
    }

    /// The words in which so many of `lines`, lists of layers, hold nothing but `letters`. Names of letters are those of the first layer.
    ///
    /// >>> from nerode import Dfa, Shape
    /// >>> len(Dfa.from_lines(Shape(".XO", 3), [[0, 1], [1, 2]], "X", 1))
    /// 4
    #[staticmethod]
    #[pyo3(signature = (shape, lines, letters, least = 1, most = None))]
    fn from_lines(
        py: Python<'_>,
        shape: Shape,
        lines: Vec<Vec<usize>>,
        letters: &Bound<'_, PyAny>,
        least: usize,
        most: Option<usize>,
    ) -> PyResult<Self> {
        let letters = shape.letters_of(0, letters)?;
        let most = most.unwrap_or(lines.len());
        let made = dfa::Condition::lines(&lines, &letters, least..=most).compile(&shape.inner);
        Ok(Self { inner: made.map_err(|error| raised(py, error))?, shape })
    }

    /// The words that match a regular expression as a whole. A letter is a character; in a shape of at most ten letters in each
    /// layer without names, a digit.
    ///
    /// >>> from nerode import Dfa, Shape
    /// >>> list(Dfa.from_regex(Shape("ab", 3), "(ab)*a|b+"))
    /// ['aba', 'bbb']
    #[staticmethod]
    fn from_regex(py: Python<'_>, shape: Shape, pattern: &str) -> PyResult<Self> {
        let inner = of_regex(py, &shape, pattern)?;
        Ok(Self { inner, shape })
    }

    /// The set in a file that `write` or the program `nerode` has made.
    #[staticmethod]
    fn read(py: Python<'_>, shape: Shape, path: PathBuf) -> PyResult<Self> {
        let inner = detached(py, || dfa::Dfa::read(&path))?.map_err(|error| raised(py, error))?;
        Self::fitting(py, shape, inner)
    }

    /// The set that `to_bytes` has given.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, shape: Shape, data: &[u8]) -> PyResult<Self> {
        let inner = detached(py, || dfa::Dfa::from_bytes(data, "bytes".as_ref()))?;
        Self::fitting(py, shape, inner.map_err(|error| raised(py, error))?)
    }

    /// Writes the set to a file, in the form of a run directory's sets.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<u64> {
        detached(py, || self.inner.write(&path))?.map_err(|error| raised(py, error))
    }

    /// The bytes of such a file. Equal sets have equal bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = detached(py, || self.inner.to_bytes())?.map_err(|error| raised(py, error))?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Reduced<'py, (Shape, Bound<'py, PyBytes>)> {
        let this = slf.get();
        Ok((slf.get_type().getattr("from_bytes")?, (this.shape.clone(), this.to_bytes(slf.py())?)))
    }

    fn __and__(&self, py: Python<'_>, other: &Self) -> PyResult<Self> {
        self.combined(py, other, |a, b| a.and(b))
    }

    fn __or__(&self, py: Python<'_>, other: &Self) -> PyResult<Self> {
        self.combined(py, other, |a, b| a.or(b))
    }

    fn __sub__(&self, py: Python<'_>, other: &Self) -> PyResult<Self> {
        self.combined(py, other, |a, b| a.minus(b))
    }

    fn __xor__(&self, py: Python<'_>, other: &Self) -> PyResult<Self> {
        self.combined(py, other, |a, b| a.minus(b)?.or(&b.minus(a)?))
    }

    fn __invert__(&self) -> Self {
        Self::of(&self.shape, self.inner.not())
    }

    /// Equality, and inclusion as sets: `<=` is "is a subset of".
    fn __richcmp__<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, PyAny>,
        op: CompareOp,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Ok(other) = other.cast::<Self>() else {
            return Ok(py.NotImplemented().into_bound(py));
        };
        let answer = self.compared(py, other.get(), op)?;
        Ok(answer.into_pyobject(py)?.to_owned().into_any())
    }

    fn __hash__(&self) -> u64 {
        making::hash(self)
    }

    /// Whether no word is in both sets.
    fn isdisjoint(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        self.inner.is_disjoint(self.other(py, other)?).map_err(|error| raised(py, error))
    }

    fn __contains__(&self, word: &Bound<'_, PyAny>) -> PyResult<bool> {
        match self.shape.word(word) {
            Ok(word) => Ok(self.inner.contains(&word)),
            Err(error) if error.is_instance_of::<PyTypeError>(word.py()) => Err(error),
            Err(_) => Ok(false),
        }
    }

    fn __bool__(&self) -> bool {
        !self.inner.is_empty()
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let count = self.count(py)?;
        let count = usize::try_from(count).ok().filter(|&count| isize::try_from(count).is_ok());
        count.ok_or_else(|| PyOverflowError::new_err("more words than len() can return; use count()"))
    }

    /// The number of words, exactly.
    fn count(&self, py: Python<'_>) -> PyResult<u128> {
        py.detach(|| self.inner.count()).map_err(|error| raised(py, error))
    }

    /// The words in order: of the letters' numbers in the first layer, then the second, and so on.
    fn __iter__(&self) -> Words {
        Words::of(self)
    }

    /// The number of words before `word`; an error where it is not in the set. Every call counts the whole set.
    ///
    /// >>> from nerode import Dfa, Shape
    /// >>> pairs = Dfa.from_counts(Shape("ab", 4), {"b": 2})
    /// >>> pairs.rank("abab"), pairs.unrank(1), list(pairs)[1]
    /// (1, 'abab', 'abab')
    fn rank(&self, word: &Bound<'_, PyAny>) -> PyResult<u128> {
        making::rank(self, word)
    }

    /// The word with so many words before it.
    fn unrank<'py>(&self, rank: &Bound<'py, PyInt>) -> PyResult<Bound<'py, PyAny>> {
        self.shape.to_python(rank.py(), &making::unrank(self, rank)?)
    }

    /// `n` words drawn uniformly and independently: the same for the same seed, none from an empty set.
    #[pyo3(signature = (n, seed = 0))]
    fn sample<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = whole)] n: usize,
        #[pyo3(from_py_with = whole)] seed: u64,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let words = py.detach(|| Ok(self.inner.ranking()?.sample(seed, n)));
        let words: Vec<Vec<u8>> = words.map_err(|error: dfa::Error| raised(py, error))?;
        words.iter().map(|word| self.shape.to_python(py, word)).collect()
    }

    /// The words that a move leads to from a word of the set. Ctrl-C stops it.
    fn image(&self, py: Python<'_>, moves: &Bound<'_, Moves>) -> PyResult<Self> {
        self.moved(py, moves.get(), dfa::Store::image)
    }

    /// The words from which a move leads to a word of the set. Ctrl-C stops it.
    fn preimage(&self, py: Python<'_>, moves: &Bound<'_, Moves>) -> PyResult<Self> {
        self.moved(py, moves.get(), dfa::Store::preimage)
    }

    /// The letters.
    #[getter]
    fn shape(&self) -> Shape {
        self.shape.clone()
    }

    /// The number of states of the automaton.
    #[getter]
    fn num_states(&self) -> usize {
        self.inner.num_states()
    }

    /// The number of states of every layer.
    #[getter]
    fn states_by_layer(&self) -> Vec<usize> {
        (0..self.shape.names.len()).map(|layer| self.inner.num_states_in(layer)).collect()
    }

    /// The automaton in the language of Graphviz.
    fn to_dot(&self) -> PyResult<String> {
        making::dot(self)
    }

    /// The automaton in the text form of AT&T's tools, which OpenFst reads. Symbols are the letters' numbers plus one.
    fn to_fst(&self) -> PyResult<String> {
        making::att(self)
    }

    /// A drawing, for notebooks; none of an automaton that is too large to be looked at.
    fn _repr_svg_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("nerode._drawing")?.call_method1("automaton", (self.clone(),))
    }

    /// For every layer, where each state's letters lead: a state of the next layer, -1 for "no word", -2 for "every word".
    fn _table(&self) -> Vec<Vec<Vec<i64>>> {
        making::table(self)
    }

    fn __repr__(&self) -> String {
        let count = self.inner.count().map_or_else(|_| "very many".into(), |count| count.to_string());
        format!("<Dfa of {count} words, {} states>", self.inner.num_states())
    }
}
