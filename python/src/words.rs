//! Iteration over the words of a set in order, in batches of a few hundred words.

use pyo3::prelude::*;

use crate::dfa::Dfa;
use crate::errors::raised;

/// An iterator over the words of a set.
#[pyclass(module = "nerode._nerode")]
pub struct Words {
    set: Dfa,
    last: Option<Vec<u8>>,
    ready: std::vec::IntoIter<Vec<u8>>,
    is_over: bool,
}

/// The number of words in a batch.
const AT_ONCE: usize = 256;

impl Words {
    pub fn of(set: &Dfa) -> Self {
        Self { set: set.clone(), last: None, ready: Vec::new().into_iter(), is_over: false }
    }
}

#[pymethods]
impl Words {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        if self.ready.len() == 0 && !self.is_over {
            let set = &self.set.inner;
            let words: Vec<Vec<u8>> = match &self.last {
                None => set.words().take(AT_ONCE).collect(),
                Some(last) => {
                    set.words_after(last).map_err(|error| raised(py, error))?.take(AT_ONCE).collect()
                }
            };
            self.is_over = words.len() < AT_ONCE;
            self.last = words.last().cloned();
            self.ready = words.into_iter();
        }
        self.ready.next().map(|word| self.set.shape.to_python(py, &word)).transpose()
    }
}
