//! `nerode.Dfa`: an immutable set of words.

use std::path::PathBuf;

use nerode::dfa;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::pyclass::CompareOp;
use pyo3::types::{PyBytes, PyDict, PyInt};

use crate::Reduced;
use crate::errors::raised;
use crate::layers;
use crate::making::{self, cube};
use crate::moves::Moves;
use crate::pool::detached;
use crate::regex::of_regex;
use crate::shape::Shape;
use crate::whole::{layers_of, list_of, whole, whole_or_none};
use crate::words::Words;

/// A set of words of one shape, represented by its minimal automaton.
///
/// Sets are immutable values: equal sets compare equal, and they support the operators of Python's sets.
///
/// >>> from nerode import Dfa, Shape
/// >>> shape = Shape("ab", 3)
/// >>> one = Dfa(shape, ["aab", "aba", "baa"])
/// >>> two = Dfa.from_regex(shape, "b.*")
/// >>> sorted(one & two), len(one | two), "aba" in one
/// (['baa'], 6, True)
/// >>> ~one == Dfa.full(shape) - one
/// True
///
/// Plain sets of Python are operands, too. Words are numbered in lexicographic order, by the numbers of their letters, and are taken
/// by their numbers like the items of a list:
///
/// >>> one == {"aab", "aba", "baa"}, one - {"aab"} == {"aba", "baa"}, one[0], one[1:]
/// (True, True, 'aab', ['aba', 'baa'])
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

    /// Returns the empty set.
    ///
    /// >>> from nerode import Dfa, Shape
    /// >>> len(Dfa.empty(Shape("ab", 3)))
    /// 0
    #[staticmethod]
    fn empty(shape: Shape) -> Self {
        Self { inner: dfa::Dfa::empty(&shape.inner), shape }
    }

    /// Returns the set of all words of the shape.
    ///
    /// >>> from nerode import Dfa, Shape
    /// >>> len(Dfa.full(Shape("ab", 3)))
    /// 8
    #[staticmethod]
    fn full(shape: Shape) -> Self {
        Self { inner: dfa::Dfa::full(&shape.inner), shape }
    }

    /// Returns the words with the given letters in the given layers: `{layer: letters}`.
    ///
    /// >>> from nerode import Dfa, Shape
    /// >>> len(Dfa.from_letters(Shape(".XO", 9), {4: "X", 0: ".O"}))
    /// 4374
    #[staticmethod]
    fn from_letters(py: Python<'_>, shape: Shape, letters: &Bound<'_, PyDict>) -> PyResult<Self> {
        let inner = cube(&shape, letters)?;
        Ok(Self { inner: inner.compile(&shape.inner).map_err(|error| raised(py, error))?, shape })
    }

    /// Returns the words with the given numbers of letters: `{letters: number}` or `{letters: (least, most)}`. Without `layers`,
    /// the letters of all layers are counted.
    ///
    /// >>> from nerode import Dfa, Shape
    /// >>> len(Dfa.from_counts(Shape(".XO", 9), {"X": 2, "O": (1, 2)}))
    /// 1008
    #[staticmethod]
    #[pyo3(signature = (shape, counts, layers = None))]
    fn from_counts(
        shape: Shape,
        counts: &Bound<'_, PyDict>,
        layers: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let layers = layers.map(|given| layers_of("layers", given)).transpose()?;
        let inner = making::counts(&shape, counts, layers)?;
        Ok(Self { inner, shape })
    }

    /// Returns the words in which from `least` to `most` of `lines` contain only `letters`. A line is a list of layers. Names of
    /// letters are those of the first layer.
    ///
    /// >>> from nerode import Dfa, Shape
    /// >>> len(Dfa.from_lines(Shape(".XO", 3), [[0, 1], [1, 2]], "X", 1))
    /// 5
    #[staticmethod]
    #[pyo3(signature = (shape, lines, letters, least = 1, most = None))]
    fn from_lines(
        py: Python<'_>,
        shape: Shape,
        lines: &Bound<'_, PyAny>,
        letters: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = whole)] least: usize,
        #[pyo3(from_py_with = whole_or_none)] most: Option<usize>,
    ) -> PyResult<Self> {
        let lines = list_of("lines", "lists of layers", lines, |line| layers_of("a line", line))?;
        let letters = shape.letters_of(0, letters)?;
        let most = most.unwrap_or(lines.len());
        let made = dfa::Condition::lines(&lines, &letters, least..=most).compile(&shape.inner);
        Ok(Self { inner: made.map_err(|error| raised(py, error))?, shape })
    }

    /// Returns the words that completely match a regular expression. Each letter is a character, or a digit if the letters have no
    /// names and no layer has more than ten.
    ///
    /// >>> from nerode import Dfa, Shape
    /// >>> list(Dfa.from_regex(Shape("ab", 3), "(ab)*a|b+"))
    /// ['aba', 'bbb']
    #[staticmethod]
    fn from_regex(py: Python<'_>, shape: Shape, pattern: &str) -> PyResult<Self> {
        let inner = of_regex(py, &shape, pattern)?;
        Ok(Self { inner, shape })
    }

    /// Reads the set in a file created by `write` or by the program `nerode`.
    ///
    /// >>> import os, tempfile
    /// >>> from nerode import Dfa, Shape
    /// >>> shape = Shape("ab", 3)
    /// >>> with tempfile.TemporaryDirectory() as folder:
    /// ...     path = os.path.join(folder, "set.dfa")
    /// ...     _ = Dfa(shape, ["aba"]).write(path)
    /// ...     print(list(Dfa.read(shape, path)))
    /// ['aba']
    #[staticmethod]
    fn read(py: Python<'_>, shape: Shape, path: PathBuf) -> PyResult<Self> {
        let inner = detached(py, || dfa::Dfa::read(&path))?.map_err(|error| raised(py, error))?;
        Self::fitting(py, shape, inner)
    }

    /// Reads a set from the result of `to_bytes`.
    ///
    /// >>> from nerode import Dfa, Shape
    /// >>> shape = Shape("ab", 3)
    /// >>> list(Dfa.from_bytes(shape, Dfa(shape, ["aba"]).to_bytes()))
    /// ['aba']
    #[staticmethod]
    fn from_bytes(py: Python<'_>, shape: Shape, data: &[u8]) -> PyResult<Self> {
        let inner = detached(py, || dfa::Dfa::from_bytes(data, "bytes".as_ref()))?;
        Self::fitting(py, shape, inner.map_err(|error| raised(py, error))?)
    }

    /// Writes the set to a file in the format of the sets in a run directory, and returns the number of bytes. See `read`.
    ///
    /// >>> import os, tempfile
    /// >>> from nerode import Dfa, Shape
    /// >>> with tempfile.TemporaryDirectory() as folder:
    /// ...     path = os.path.join(folder, "set.dfa")
    /// ...     print(Dfa(Shape("ab", 3), ["aba"]).write(path) == os.path.getsize(path))
    /// True
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<u64> {
        detached(py, || self.inner.write(&path))?.map_err(|error| raised(py, error))
    }

    /// Returns the set as bytes in the format of `write`. Equal sets have equal bytes.
    ///
    /// >>> from nerode import Dfa, Shape
    /// >>> shape = Shape("ab", 3)
    /// >>> (~Dfa(shape, ["aba"])).to_bytes() == (Dfa.full(shape) - {"aba"}).to_bytes()
    /// True
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = detached(py, || self.inner.to_bytes())?.map_err(|error| raised(py, error))?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Reduced<'py, (Shape, Bound<'py, PyBytes>)> {
        let this = slf.get();
        Ok((slf.get_type().getattr("from_bytes")?, (this.shape.clone(), this.to_bytes(slf.py())?)))
    }

    fn __and__<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.combined(py, other, |a, b| a.and(b))
    }

    fn __rand__<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.combined(py, other, |a, b| a.and(b))
    }

    fn __or__<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.combined(py, other, |a, b| a.or(b))
    }

    fn __ror__<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.combined(py, other, |a, b| a.or(b))
    }

    fn __sub__<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.combined(py, other, |a, b| a.minus(b))
    }

    fn __rsub__<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.combined(py, other, |a, b| b.minus(a))
    }

    fn __xor__<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.combined(py, other, |a, b| a.minus(b)?.or(&b.minus(a)?))
    }

    fn __rxor__<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.combined(py, other, |a, b| a.minus(b)?.or(&b.minus(a)?))
    }

    fn __invert__(&self) -> Self {
        Self::of(&self.shape, self.inner.not())
    }

    /// Compares sets by equality and inclusion: `<=` means "is a subset of". The other set may be a plain set of Python.
    fn __richcmp__<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, PyAny>,
        op: CompareOp,
    ) -> PyResult<Bound<'py, PyAny>> {
        let answer = if let Ok(other) = other.cast::<Self>() {
            self.compared(py, other.get(), op)?
        } else if making::is_plain_set(other) {
            self.compared_with_plain(py, other, op)?
        } else {
            return Ok(py.NotImplemented().into_bound(py));
        };
        Ok(answer.into_pyobject(py)?.to_owned().into_any())
    }

    fn __hash__(&self) -> u64 {
        making::hash(self)
    }

    /// Returns True if the sets have no word in common.
    ///
    /// >>> from nerode import Dfa, Shape
    /// >>> Dfa(Shape("ab", 2), ["aa"]).isdisjoint(Dfa(Shape("ab", 2), ["bb"]))
    /// True
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
        count.ok_or_else(|| PyOverflowError::new_err("the set has too many words for len(); use count()"))
    }

    /// Returns the exact number of words.
    ///
    /// >>> from nerode import Dfa, Shape
    /// >>> Dfa.full(Shape(3, 70)).count() == 3**70
    /// True
    fn count(&self, py: Python<'_>) -> PyResult<u128> {
        py.detach(|| self.inner.count()).map_err(|error| raised(py, error))
    }

    /// Iterates over the words in lexicographic order, by the numbers of the letters.
    fn __iter__(&self) -> Words {
        Words::of(self)
    }

    /// Returns the number of words before `word`, which must be in the set. Every call counts the whole set.
    ///
    /// >>> from nerode import Dfa, Shape
    /// >>> pairs = Dfa.from_counts(Shape("ab", 4), {"b": 2})
    /// >>> pairs.rank("abab"), pairs.unrank(1), list(pairs)[1]
    /// (1, 'abab', 'abab')
    fn rank(&self, word: &Bound<'_, PyAny>) -> PyResult<u128> {
        making::rank(self, word)
    }

    /// Returns the words with the given ranks: one word for a number, and a list for a slice. Negative numbers count from the end.
    fn __getitem__<'py>(&self, at: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        making::item(self, at)
    }

    /// Returns the words without the given layers whose letters are fixed: `{layer: letters}`. A word belongs to the result if some
    /// of these letters complete it to a word of the set.
    ///
    /// >>> from nerode import Dfa, Shape
    /// >>> list(Dfa(Shape("ab", 3), ["aab", "abb", "bba"]).cofactor({0: "a"}))
    /// ['ab', 'bb']
    fn cofactor(&self, py: Python<'_>, letters: &Bound<'_, PyDict>) -> PyResult<Self> {
        let fixed =
            cube(&self.shape, letters)?.compile(&self.shape.inner).and_then(|set| self.inner.and(&set));
        let fixed = Self::of(&self.shape, fixed.map_err(|error| raised(py, error))?);
        let gone =
            letters.keys().iter().map(|layer| self.shape.layer(&layer)).collect::<PyResult<Vec<_>>>()?;
        let kept: Vec<usize> = (0..self.shape.names.len()).filter(|layer| !gone.contains(layer)).collect();
        layers::project(py, &fixed, &kept)
    }

    /// Returns the words restricted to some layers, in ascending order: the letters that occur there in words of the set. The number of
    /// states may grow exponentially.
    ///
    /// >>> from nerode import Dfa, Shape
    /// >>> list(Dfa(Shape("ab", 3), ["aab", "abb", "bba"]).project([0, 1]))
    /// ['aa', 'ab', 'bb']
    fn project(&self, py: Python<'_>, layers: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut kept = layers_of("layers", layers)?;
        kept.sort_unstable();
        kept.dedup();
        kept.last().map_or(Ok(()), |&layer| self.shape.must_have(py, layer))?;
        layers::project(py, self, &kept)
    }

    /// Returns the words with their layers renamed: letter `i` of a word is letter `order[i]` of a word of the set.
    ///
    /// >>> from nerode import Dfa, Shape
    /// >>> list(Dfa(Shape("abc", 3), ["abc"]).permute([2, 0, 1]))
    /// ['cab']
    fn permute(&self, py: Python<'_>, order: &Bound<'_, PyAny>) -> PyResult<Self> {
        layers::permute(py, self, &layers_of("order", order)?)
    }

    /// Returns the word that has `rank` words before it.
    ///
    /// >>> from nerode import Dfa, Shape
    /// >>> Dfa.full(Shape("ab", 3)).unrank(5)
    /// 'bab'
    fn unrank<'py>(&self, rank: &Bound<'py, PyInt>) -> PyResult<Bound<'py, PyAny>> {
        self.shape.to_python(rank.py(), &making::unrank(self, rank)?)
    }

    /// Draws `n` words uniformly and independently. Equal seeds give equal words, and an empty set gives none.
    ///
    /// >>> from nerode import Dfa, Shape
    /// >>> full = Dfa.full(Shape("ab", 3))
    /// >>> full.sample(4, seed=1) == full.sample(4, seed=1)
    /// True
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

    /// Returns the words that a single move reaches from the words of the set. Ctrl-C interrupts the computation.
    ///
    /// >>> from nerode import Dfa, Moves, Shape, Step
    /// >>> shape = Shape(".X", 3)
    /// >>> list(Dfa(shape, ["..."]).image(Moves(shape, [Step({cell: ".X"}) for cell in range(3)])))
    /// ['..X', '.X.', 'X..']
    fn image(&self, py: Python<'_>, moves: &Bound<'_, Moves>) -> PyResult<Self> {
        self.moved(py, moves.get(), dfa::Store::image)
    }

    /// Returns the words from which a single move reaches a word of the set. Ctrl-C interrupts the computation.
    ///
    /// >>> from nerode import Dfa, Moves, Shape, Step
    /// >>> shape = Shape(".X", 3)
    /// >>> list(Dfa(shape, ["XX."]).preimage(Moves(shape, [Step({cell: ".X"}) for cell in range(3)])))
    /// ['.X.', 'X..']
    fn preimage(&self, py: Python<'_>, moves: &Bound<'_, Moves>) -> PyResult<Self> {
        self.moved(py, moves.get(), dfa::Store::preimage)
    }

    /// The shape of the words.
    ///
    /// >>> from nerode import Dfa, Shape
    /// >>> Dfa.empty(Shape("ab", 3)).shape
    /// Shape('ab', 3)
    #[getter]
    fn shape(&self) -> Shape {
        self.shape.clone()
    }

    /// The number of states of the minimal automaton, without those that accept or reject every continuation.
    ///
    /// >>> from nerode import Dfa, Shape
    /// >>> Dfa(Shape("ab", 3), ["aaa"]).num_states
    /// 3
    #[getter]
    fn num_states(&self) -> usize {
        self.inner.num_states()
    }

    /// The number of states of each layer.
    ///
    /// >>> from nerode import Dfa, Shape
    /// >>> Dfa(Shape("ab", 3), ["aaa", "bbb"]).states_by_layer
    /// [1, 2, 2]
    #[getter]
    fn states_by_layer(&self) -> Vec<usize> {
        (0..self.shape.names.len()).map(|layer| self.inner.num_states_in(layer)).collect()
    }

    /// Returns the states, each as its layer and its number in the layer. The first one, if there is any, is the initial state.
    ///
    /// >>> from nerode import Dfa, Shape
    /// >>> Dfa(Shape("ab", 2), ["aa", "bb"]).states()
    /// [(0, 0), (1, 0), (1, 1)]
    fn states(&self) -> Vec<(usize, usize)> {
        let of_layer = |layer| (0..self.inner.num_states_in(layer)).map(move |state| (layer, state));
        (0..self.shape.names.len()).flat_map(of_layer).collect()
    }

    /// Returns the transitions, each as a state, a letter and a target: a state, or `"accept"` if every continuation belongs to the
    /// set. Letters after which no word follows are omitted.
    ///
    /// >>> from nerode import Dfa, Shape
    /// >>> Dfa(Shape("ab", 2), ["aa", "ba", "bb"]).transitions()
    /// [((0, 0), 'a', (1, 0)), ((0, 0), 'b', 'accept'), ((1, 0), 'a', 'accept')]
    fn transitions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("nerode._graphs")?.call_method1("transitions", (self.clone(),))
    }

    /// Returns the automaton as a `MultiDiGraph` of networkx. Nodes are the states of `states` and `"accept"`, and edges have the
    /// attribute `letter`.
    ///
    /// >>> from nerode import Dfa, Shape
    /// >>> Dfa(Shape("ab", 2), ["aa"]).to_networkx().number_of_edges()  # doctest: +SKIP
    /// 2
    fn to_networkx<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("nerode._graphs")?.call_method1("to_networkx", (self.clone(),))
    }

    /// Returns the automaton as a `Source` of the package graphviz, which renders it.
    ///
    /// >>> from nerode import Dfa, Shape
    /// >>> Dfa(Shape("ab", 2), ["aa"]).to_graphviz().render("automaton")  # doctest: +SKIP
    fn to_graphviz<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("nerode._graphs")?.call_method1("to_graphviz", (self.clone(),))
    }

    /// Returns the automaton in the language of Graphviz.
    ///
    /// >>> from nerode import Dfa, Shape
    /// >>> Dfa(Shape("ab", 2), ["aa"]).to_dot().startswith("digraph")
    /// True
    fn to_dot(&self) -> PyResult<String> {
        making::dot(self)
    }

    /// Returns the automaton in the AT&T text format, which OpenFst reads. Symbols are the numbers of the letters plus one.
    ///
    /// >>> from nerode import Dfa, Shape
    /// >>> print(Dfa(Shape("ab", 2), ["aa"]).to_fst().splitlines()[0])
    /// 0 1 1
    fn to_fst(&self) -> PyResult<String> {
        making::att(self)
    }

    /// Draws the automaton for notebooks. Returns None if it is too large to be readable.
    fn _repr_svg_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("nerode._drawing")?.call_method1("automaton", (self.clone(),))
    }

    /// Returns the targets of each state by layer and letter: a state of the next layer, -1 for "no word", or -2 for "every word".
    fn _table(&self) -> Vec<Vec<Vec<i64>>> {
        making::table(self)
    }

    fn __repr__(&self) -> String {
        let count = self.inner.count().map_or_else(|_| "very many".into(), |count| count.to_string());
        format!("<Dfa of {count} words, {} states>", self.inner.num_states())
    }
}
