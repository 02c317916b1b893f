//! `nerode.Shape`: the alphabet of every layer with a name for each letter, and the representation of words in Python.

use nerode::dfa;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyString, PyTuple};

use crate::Reduced;
use crate::errors::{named, raised};
use crate::whole::texts_of;

/// The letters that each layer of a word may contain.
///
/// `Shape(letters, length)` has `length` layers with the same letters, given as a string with one character for each letter or as
/// their number. `Shape([letters, ...])` gives each layer its own letters. Words are strings if letters are characters, and tuples
/// of numbers otherwise.
///
/// >>> from nerode import Shape
/// >>> board = Shape(".XO", 9)
/// >>> len(board), board.num_words
/// (9, 19683)
/// >>> Shape([2, 3]).num_words
/// 6
#[pyclass(frozen, eq, hash, module = "nerode", from_py_object)]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    pub inner: dfa::Shape,
    /// The names of the letters of each layer.
    pub names: Vec<Vec<String>>,
    /// If `true`, words are strings, and otherwise tuples of numbers.
    pub is_text: bool,
}

impl Shape {
    /// Creates a shape with these names. Words are strings if `text` is set and every name is a single character.
    pub fn named(py: Python<'_>, names: Vec<Vec<String>>, text: bool) -> PyResult<Self> {
        let short = names.iter().flatten().all(|name| name.chars().count() == 1);
        let mut counts = Vec::with_capacity(names.len());
        for layer in &names {
            let twice = (0..layer.len()).find(|&at| layer[..at].contains(&layer[at]));
            if let Some(at) = twice {
                return Err(named(py, "BadShape", format!("duplicate letter '{}'", layer[at])));
            }
            let count = u16::try_from(layer.len()).unwrap_or(u16::MAX);
            counts.push(count);
        }
        let inner = dfa::Shape::new(counts).map_err(|error| raised(py, error))?;
        Ok(Self { inner, names, is_text: text && short })
    }

    /// Reads a word in any notation.
    pub fn word(&self, word: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
        let py = word.py();
        let letters = if let Ok(text) = word.cast::<PyString>() {
            let text = text.to_cow()?;
            let known = |(at, symbol): (usize, char)| {
                self.letter_named(at, symbol.encode_utf8(&mut [0; 4])).ok_or_else(|| {
                    named(py, "BadWord", format!("'{text}': there is no letter '{symbol}' in layer {at}"))
                })
            };
            text.chars().enumerate().map(known).collect::<PyResult<Vec<u8>>>()?
        } else if let Ok(bytes) = word.cast::<PyBytes>() {
            bytes.as_bytes().to_vec()
        } else {
            let parts = word.try_iter().map_err(|_| not_a_word(word))?.enumerate();
            parts.map(|(at, letter)| self.letter(at, &letter?)).collect::<PyResult<Vec<u8>>>()?
        };
        self.inner.check_word(&letters).map_err(|error| raised(py, error))?;
        Ok(letters)
    }

    fn letter_named(&self, layer: usize, name: &str) -> Option<u8> {
        let at = self.names.get(layer)?.iter().position(|known| known == name)?;
        u8::try_from(at).ok()
    }

    /// Reads a letter, given by name or number.
    pub fn letter(&self, layer: usize, letter: &Bound<'_, PyAny>) -> PyResult<u8> {
        let py = letter.py();
        let count = self.names.get(layer).map_or(0, Vec::len);
        let found = if let Ok(name) = letter.cast::<PyString>() {
            self.letter_named(layer, &name.to_cow()?)
        } else if letter.cast::<PyInt>().is_ok() || letter.hasattr("__index__")? {
            letter.extract::<u8>().ok().filter(|&number| usize::from(number) < count)
        } else {
            return Err(PyTypeError::new_err(format!(
                "{} is neither the name nor the number of a letter",
                letter.repr()?
            )));
        };
        found.ok_or_else(|| match letter.repr() {
            Ok(text) if count > 0 => {
                named(py, "BadWord", format!("there is no letter {text} in layer {layer}"))
            }
            _ => named(py, "BadWord", format!("there is no layer {layer}")),
        })
    }

    /// Reads several letters of a layer: a string of names, a single letter, or a sequence.
    pub fn letters_of(&self, layer: usize, letters: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
        if self.letter(layer, letters).is_ok() {
            return Ok(vec![self.letter(layer, letters)?]);
        }
        let parts = letters.try_iter().map_err(|_| not_a_word(letters))?;
        parts.map(|letter| self.letter(layer, &letter?)).collect()
    }

    /// Converts a word to its Python representation.
    pub fn to_python<'py>(&self, py: Python<'py>, word: &[u8]) -> PyResult<Bound<'py, PyAny>> {
        if self.is_text {
            return Ok(PyString::new(py, &self.text(word)).into_any());
        }
        Ok(PyTuple::new(py, word)?.into_any())
    }

    /// Returns the names of the letters in order, separated by spaces unless every name is a single character.
    pub fn text(&self, word: &[u8]) -> String {
        let names: Vec<&str> =
            word.iter().zip(&self.names).map(|(&at, names)| names[usize::from(at)].as_str()).collect();
        names.join(if self.is_text { "" } else { " " })
    }

    /// Reads the number of an existing layer.
    pub fn layer(&self, given: &Bound<'_, PyAny>) -> PyResult<usize> {
        let Ok(number) = given.extract::<i64>() else {
            return Err(PyTypeError::new_err(format!("{} is not the number of a layer", given.repr()?)));
        };
        let layer = usize::try_from(number).ok().filter(|&layer| layer < self.names.len());
        let text = || format!("there is no layer {number}: the number of layers is {}", self.names.len());
        layer.ok_or_else(|| named(given.py(), "BadWord", text()))
    }

    /// Raises an exception if the layer does not exist.
    pub fn must_have(&self, py: Python<'_>, layer: usize) -> PyResult<()> {
        if layer < self.names.len() {
            return Ok(());
        }
        Err(named(
            py,
            "BadWord",
            format!("there is no layer {layer}: the number of layers is {}", self.names.len()),
        ))
    }
}

fn not_a_word(word: &Bound<'_, PyAny>) -> PyErr {
    let text = word.repr().map_or_else(|_| "this".to_string(), |text| text.to_string());
    PyTypeError::new_err(format!("{text} is not a sequence of letters"))
}

/// Reads the letters of one layer, and determines whether they are characters.
fn layer_of(letters: &Bound<'_, PyAny>) -> PyResult<(Vec<String>, bool)> {
    if let Ok(text) = letters.cast::<PyString>() {
        return Ok((text.to_cow()?.chars().map(String::from).collect(), true));
    }
    if let Ok(count) = letters.extract::<u16>() {
        return Ok(((0..count).map(|letter| letter.to_string()).collect(), false));
    }
    Ok((texts_of("the letters of a layer", "names, or a string or a number", letters)?, true))
}

#[pymethods]
impl Shape {
    #[new]
    #[pyo3(signature = (letters, length = None))]
    fn new(letters: &Bound<'_, PyAny>, length: Option<usize>) -> PyResult<Self> {
        let py = letters.py();
        let layers = match length {
            Some(length) if length <= dfa::Shape::MAX_LAYERS => vec![layer_of(letters)?; length],
            Some(length) => return Err(named(py, "BadShape", format!("{length} is too many layers"))),
            None if letters.cast::<PyString>().is_ok() || letters.cast::<PyInt>().is_ok() => {
                return Err(PyValueError::new_err(
                    "pass the number of layers, or a list with the letters of each layer",
                ));
            }
            None => letters.try_iter()?.map(|layer| layer_of(&layer?)).collect::<PyResult<Vec<_>>>()?,
        };
        let text = layers.iter().all(|(_, text)| *text);
        Self::named(py, layers.into_iter().map(|(names, _)| names).collect(), text)
    }

    /// The names of the letters of each layer.
    ///
    /// >>> from nerode import Shape
    /// >>> Shape([2, "ab"]).letters
    /// (('0', '1'), ('a', 'b'))
    #[getter]
    fn letters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let layers = self.names.iter().map(|names| PyTuple::new(py, names)).collect::<PyResult<Vec<_>>>()?;
        PyTuple::new(py, layers)
    }

    /// True if words are strings, and False if they are tuples of numbers.
    ///
    /// >>> from nerode import Shape
    /// >>> Shape(".XO", 9).is_text, Shape(3, 9).is_text
    /// (True, False)
    #[getter]
    fn is_text(&self) -> bool {
        self.is_text
    }

    /// The number of words, which is the product of the numbers of letters.
    ///
    /// >>> from nerode import Shape
    /// >>> Shape(3, 70).num_words == 3**70
    /// True
    #[getter]
    fn num_words<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("math")?.call_method1("prod", (self.inner.alphabets(),))
    }

    fn __len__(&self) -> usize {
        self.names.len()
    }

    fn __repr__(&self) -> String {
        let all = |names: &Vec<String>| match self.is_text {
            true => format!("'{}'", names.concat()),
            false => names.len().to_string(),
        };
        match self.names.first() {
            Some(first) if self.names.iter().all(|names| names == first) => {
                format!("Shape({}, {})", all(first), self.names.len())
            }
            _ => format!("Shape([{}])", self.names.iter().map(all).collect::<Vec<_>>().join(", ")),
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Reduced<'py, (Vec<Vec<String>>, bool)> {
        let make = slf.get_type().getattr("_named")?;
        Ok((make, (slf.get().names.clone(), slf.get().is_text)))
    }

    #[staticmethod]
    fn _named(py: Python<'_>, names: Vec<Vec<String>>, text: bool) -> PyResult<Self> {
        Self::named(py, names, text)
    }
}
