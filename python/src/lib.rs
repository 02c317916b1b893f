//! The Python module `nerode._nerode`: games, solutions and sets of the library, as Python objects.
//!
//! It uses what the front page of the crate `nerode` lists, and nothing behind it. What takes long runs without the interpreter's
//! lock, in threads of [`pool`].

mod answer;
mod dfa;
mod errors;
mod game;
mod making;
mod many;
mod moves;
mod own;
mod place;
mod pool;
mod position;
mod regex;
mod shape;
mod solution;
mod solve;
mod whole;
mod words;

use pyo3::prelude::*;

/// What `__reduce__` gives to be pickled: a function, and what it is called with.
type Reduced<'py, Arguments> = PyResult<(Bound<'py, PyAny>, Arguments)>;

#[pymodule]
mod _nerode {
    #[pymodule_export]
    use super::answer::{Answer, Reply};
    #[pymodule_export]
    use super::dfa::Dfa;
    #[pymodule_export]
    use super::game::{Game, families, open};
    #[pymodule_export]
    use super::moves::Moves;
    #[pymodule_export]
    use super::position::Position;
    #[pymodule_export]
    use super::shape::Shape;
    #[pymodule_export]
    use super::solution::Solution;
    #[pymodule_export]
    use super::words::Words;

    #[pymodule_init]
    fn init(m: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        use pyo3::types::PyModuleMethods as _;
        m.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
