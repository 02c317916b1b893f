//! The Python module `nerode._nerode`: games, solutions and sets of the library as Python objects.
//!
//! It uses only the items on the front page of the crate `nerode`. Long operations run without the interpreter's lock, in the
//! threads of [`pool`].

mod answer;
mod best;
mod dfa;
mod errors;
mod game;
mod graph;
mod layers;
mod making;
mod many;
mod moves;
mod own;
mod place;
mod pool;
mod position;
mod progress;
mod regex;
mod shape;
mod solution;
mod solve;
mod table;
mod whole;
mod words;

use pyo3::prelude::*;

/// The result of `__reduce__` for pickling: a function and its arguments.
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
    use super::graph::solve_graph;
    #[pymodule_export]
    use super::moves::Moves;
    #[pymodule_export]
    use super::place::remove_scratch;
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
